/* What spherical and dual skinning share. Included by *_lanes.c only. */
#ifndef GRAZEI_DEFORM_BLENDED_H
#define GRAZEI_DEFORM_BLENDED_H

#include "deform/evaluate.h"
#include "deform/prepare.h"
#include "math/quat.h"

/* How far a blending joint may be from rigid, in the entries of A'A. */
#define GRAZEI_RIGID_TOLERANCE 1e-3f

static inline bool is_rigid(const f4_map *map)
{
    f4 x = map->c[0], y = map->c[1], z = map->c[2];
    float off = f1_max(fabsf(f4_dot3(x, y)), f1_max(fabsf(f4_dot3(x, z)), fabsf(f4_dot3(y, z))));
    float own = f1_max(fabsf(f4_dot3(x, x) - 1),
                       f1_max(fabsf(f4_dot3(y, y) - 1), fabsf(f4_dot3(z, z) - 1)));
    return f1_max(off, own) <= GRAZEI_RIGID_TOLERANCE && f4_dot3(f4_cross(x, y), z) > 0;
}

/* Joints that share vertices become exactly rigid, so that bounds and vertices see the same map;
 * the placement is applied to the skinned vertex.
 */
static inline uint32_t grazei_prepare_blended(const grazei_skin *skin, grazei_joints *joints,
                                              const grazei_pose_input *pose)
{
    f4 reach = grazei_prepare_morphs(skin, joints, pose->morph_weights), magnitude = f4_zero();
    uint32_t stride = pose->rows ? 12 : 16;
    joints->epoch++;
    for (uint32_t j = 0; j < pose->joint_count; j++) {
        f4_map *map = &joints->maps[j];
        *map = grazei_load_map(pose->matrices + (size_t)stride * j, pose->rows);
        if (!grazei_add_magnitude(map, reach, &magnitude))
            return GRAZEI_NOT_FINITE;
        if (!skin->blend.joint_blends[j])
            continue;
        if (!is_rigid(map))
            return j;
        joints->rotations[j] = quat_of_map(map);
        quat_to_map(joints->rotations[j], map);
        grazei_add_magnitude(map, reach, &magnitude);
    }
    if (joints->stretch)
        grazei_fill_stretch(joints->maps, pose->joint_count, joints->stretch);
    f4 placed_magnitude = magnitude, translation = f4_zero();
    joints->placed = pose->placement != NULL;
    if (joints->placed) {
        joints->place = grazei_load_map(pose->placement, true);
        translation = joints->place.c[3];
        joints->place.c[3] = f4_zero();
        placed_magnitude = f4_map_extent(&joints->place, magnitude);
        f4_map four[4] = {joints->place, joints->place, joints->place, joints->place};
        joints->place_stretch = stretch_of_four(four)[0];
        if (!(placed_magnitude[0] + placed_magnitude[1] + placed_magnitude[2] < 1e18f))
            return GRAZEI_NOT_FINITE;
    }
    return grazei_finish_prepare(joints, magnitude, placed_magnitude, translation)
               ? GRAZEI_PREPARED
               : GRAZEI_NOT_FINITE;
}

/* The influence with the largest weight: the quaternion that the others' signs are taken against.
 */
static inline uint32_t pivot_of(const graze_influence *influences, uint32_t count)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; i++)
        if (influences[i].weight > influences[best].weight)
            best = i;
    return best;
}

/* Weight of an influence, negated where its quaternion is on the other side of the pivot's. */
static inline float signed_weight(f4 rotation, f4 pivot, float weight)
{
    return f4_dot4(rotation, pivot) < 0 ? -weight : weight;
}

static inline f4 place_vertex(const grazei_joints *joints, f4 posed)
{
    if (joints->placed)
        posed = (joints->place.c[0] * f4_x(posed) + joints->place.c[1] * f4_y(posed)) +
                joints->place.c[2] * f4_z(posed);
    return posed + joints->translation;
}

/* Upper bounds over a node's blended vertices (docs/bounds.md, "Blended rotations"). */
typedef struct blend_spread {
    float rotations; /* 1 - |Q|^2: the weighted variance of the joints' quaternions */
    float places;    /* the weighted variance of where the joints would put the vertex */
    float length;    /* lower bound of |Q| */
} blend_spread;

static inline blend_spread grazei_spread(const grazei_skin *skin, const grazei_joints *joints,
                                         uint32_t node, const grazei_morph_move *move)
{
    const grazei_blend_node *record = &skin->blend.nodes[node];
    const float(*rows)[4] = (const float(*)[4])skin->blend.rows + record->first_row + 1;
    f4 shift = move ? move->shift : f4_zero();
    float wide = move ? f4_length3(move->wide) : 0;
    float place_sum = 0, place_most = 0, near_sum = 0, near_most = 0, far_sum = 0, far_most = 0;
    bool consistent = true;
    for (uint32_t p = 0; p < record->pair_count; p++, rows += 2) {
        uint32_t i = f4_bits(rows[1][0]), k = f4_bits(rows[1][1]);
        float product = rows[1][2];
        f4 qi = joints->rotations[i], qk = joints->rotations[k];
        f4 between = f4_dot4(qi, qk) < 0 ? qi + qk : qi - qk;
        float chord = sqrtf(f4_dot4(between, between)) + 16 * GRAZEI_UNIT;
        f4 centre = f4_load3(rows[0]) + shift;
        f4 apart = f4_map_point(&joints->maps[i], centre) - f4_map_point(&joints->maps[k], centre);
        float reach = f4_length3(apart) + (rows[0][3] + wide) * 2 * chord;
        float place = product * reach * reach, near = product * chord * chord;
        float far = product * (4 + 64 * GRAZEI_UNIT - chord * chord);
        consistent = consistent && chord < 0.99f;
        place_sum += place;
        place_most = f1_max(place_most, place);
        near_sum += near;
        near_most = f1_max(near_most, near);
        far_sum += far;
        far_most = f1_max(far_most, far);
    }
    /* With one pair a vertex, or all within 120 degrees of each other, signs are what they seem. */
    float most = record->pairs_of_vertex, grow = 1 + (float)(record->pair_count + 16) * GRAZEI_UNIT;
    blend_spread spread;
    spread.places = f1_min(place_sum, most * place_most) * grow;
    spread.rotations = consistent || most <= 1 ? f1_min(near_sum, most * near_most) * grow
                                               : f1_min(far_sum, most * far_most) * grow;
    float square = 1 - spread.rotations - 8 * GRAZEI_UNIT;
    spread.length = f1_max(square > 0 ? sqrtf(square) : 0, record->least_pivot);
    return spread;
}

/* Bounds nodes: linear blending's bound of the joints' maps, widened by what the deformer adds. */
typedef float (*blend_extra)(const grazei_skin *skin, const grazei_joints *joints, uint32_t node,
                             const grazei_morph_move *move);

static inline void grazei_bound_blended(const grazei_skin *skin, const grazei_joints *joints,
                                        uint32_t first, uint32_t count, grazei_bound *bounds,
                                        float (*workspace)[4], blend_extra extra)
{
    for (uint32_t n = first; n < first + count; n++) {
        grazei_morph_move moved, *move = NULL;
        if (skin->morph.target_count) {
            moved = grazei_morph_node(&skin->morph, n, joints->morph_weights);
            move = &moved;
        }
        grazei_rough rough = grazei_evaluate(skin, joints, n, move, workspace);
        float more = skin->blend.nodes[n].pair_count ? extra(skin, joints, n, move) : 0;
        grazei_finish(joints, &skin->records[n], skin->volume, rough, more, &bounds[n]);
    }
}

#endif
