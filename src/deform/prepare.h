/* Taking over a pose: what all deformers share. Included by *_kernels.c only. */
#ifndef GRAZEI_DEFORM_PREPARE_H
#define GRAZEI_DEFORM_PREPARE_H

#include "deform/skin.h"
#include "math/rounding.h"

static inline f4_map grazei_load_map(const float *m, bool rows)
{
    f4_map map;
    if (rows) {
        map.c[0] = f4_load_any(m);
        map.c[1] = f4_load_any(m + 4);
        map.c[2] = f4_load_any(m + 8);
        map.c[3] = f4_zero();
        f4_transpose(&map.c[0], &map.c[1], &map.c[2], &map.c[3]);
    } else {
        for (int k = 0; k < 4; k++)
            map.c[k] = f4_set(m[4 * k], m[4 * k + 1], m[4 * k + 2], 0);
    }
    return map;
}

/* Three vectors of four joints, one joint a lane. */
typedef struct columns {
    f4 x, y, z;
} columns;

static inline columns column_of_four(const f4_map *maps, int k)
{
    columns c = {maps[0].c[k], maps[1].c[k], maps[2].c[k]};
    f4 last = maps[3].c[k];
    f4_transpose(&c.x, &c.y, &c.z, &last);
    return c;
}

static inline f4 dot(columns a, columns b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

/* Upper bounds of the largest singular values of four maps: of G = A'A, the smaller of Gershgorin's
 * bound and Wolkowicz & Styan's, m + sqrt(2/3) |G - mI| with m a third of the trace.
 */
static inline f4 stretch_of_four(const f4_map *maps)
{
    columns a = column_of_four(maps, 0), b = column_of_four(maps, 1), c = column_of_four(maps, 2);
    f4 xx = dot(a, a), yy = dot(b, b), zz = dot(c, c), xy = dot(a, b), xz = dot(a, c);
    f4 yz = dot(b, c), axy = f4_abs(xy), axz = f4_abs(xz), ayz = f4_abs(yz);
    f4 gershgorin = f4_max(xx + axy + axz, f4_max(yy + axy + ayz, zz + axz + ayz));
    f4 m = (xx + yy + zz) * f4_all(1.0f / 3);
    f4 dx = xx - m, dy = yy - m, dz = zz - m;
    f4 off = xy * xy + xz * xz + yz * yz;
    f4 norm2 = dx * dx + dy * dy + dz * dz + off + off, least = f4_all(GRAZEI_LEAST_LENGTH);
    f4 styan = m + f4_sqrt(norm2 * f4_all(2.0f / 3)) + least;
    return f4_sqrt(f4_min(gershgorin, styan)) * f4_all(1 + 16 * GRAZEI_UNIT) + least;
}

static inline void grazei_fill_stretch(const f4_map *maps, uint32_t count, float *stretch)
{
    uint32_t j = 0;
    for (; j + 4 <= count; j += 4)
        f4_store(stretch + j, stretch_of_four(maps + j));
    if (j < count) {
        f4_map last[4];
        for (uint32_t k = 0; k < 4; k++)
            last[k] = maps[j + k < count ? j + k : count - 1];
        f4 values = stretch_of_four(last);
        for (uint32_t k = 0; j + k < count; k++)
            stretch[j + k] = values[k];
    }
}

/* Takes over the weights of morph targets, and how far they let rest positions reach. */
static inline f4 grazei_prepare_morphs(const grazei_skin *skin, grazei_joints *joints,
                                       const float *weights)
{
    f4 reach = f4_load3(skin->reach), moved = f4_zero();
    uint32_t active = 0;
    joints->morph_error = 0;
    for (uint32_t m = 0; m < skin->morph.target_count; m++) {
        float q = weights ? weights[m] : 0;
        joints->morph_weights[m] = q;
        if (q == 0)
            continue;
        active++;
        moved = moved + f4_load(skin->morph.target_reach[m]) * f4_all(fabsf(q));
    }
    reach = reach + moved;
    joints->morph_reach = f4_length3(moved) * (1 + (float)(2 * active + 8) * GRAZEI_UNIT);
    if (active)
        joints->morph_error = (float)(4 * active + 8) * GRAZEI_UNIT;
    return reach * f4_all(1 + (float)(2 * active) * GRAZEI_UNIT);
}

/* The largest coordinates that a map can give, added to magnitude; false if they are not finite,
 * not numbers, or too large.
 */
static inline bool grazei_add_magnitude(const f4_map *map, f4 reach, f4 *magnitude)
{
    f4 most = f4_map_extent(map, reach) + f4_abs(map->c[3]);
    f4 largest = f4_max(f4_abs(map->c[0]), f4_max(f4_abs(map->c[1]), f4_abs(map->c[2])));
    *magnitude = f4_max(*magnitude, most);
    /* Far below the limit nothing has to be added up. Of max's operands the second is the one that
     * is handed on where either is not a number.
     */
    if (f4_ge_bits(f4_all(1e17f), f4_max(largest, most)) == 15)
        return true;
    /* A sum is not a number if any part is not; where the mesh is flat no vertex may see it. */
    return most[0] + most[1] + most[2] < 1e18f && f4_max3(largest) < 1e18f;
}

/* Error margins from the magnitude before the placement, and what is left of the placement. */
static inline bool grazei_finish_prepare(grazei_joints *joints, f4 magnitude, f4 placed_magnitude,
                                         f4 translation)
{
    f4 least = f4_set(FLT_MIN, FLT_MIN, FLT_MIN, 0);
    joints->translation = translation;
    joints->magnitude = magnitude * f4_all(1 + 16 * GRAZEI_UNIT) + least;
    f4 moved = placed_magnitude * f4_all(1 + 16 * GRAZEI_UNIT) + f4_abs(translation) + least;
    joints->final_error = moved * f4_all(8 * GRAZEI_UNIT);
    joints->magnitude_length = f4_length3(joints->magnitude) * (1 + 8 * GRAZEI_UNIT);
    joints->final_error_length = f4_length3(joints->final_error) * (1 + 8 * GRAZEI_UNIT);
    return fabsf(translation[0]) + fabsf(translation[1]) + fabsf(translation[2]) < 1e18f &&
           f4_max3(moved) < 1e18f;
}

/* Whether blending and the placement keep every vertex below 1e18, where each joint by itself keeps
 * them within the magnitude, of length m.
 */
static inline bool grazei_blend_stays_within(const grazei_skin *skin, const grazei_joints *joints,
                                             f4 magnitude, f4 translation)
{
    const grazei_deformer *deformer = skin->deformer;
    float blend = deformer->growth + deformer->joint_growth * (float)skin->mesh->max_influences;
    float placed = joints->placed ? joints->place_stretch : 1;
    return f4_length3(magnitude) * blend * placed + f4_length3(translation) < 1e18f;
}

/* New morph weights, the same joints: only how far vertices can be has changed. */
static inline bool grazei_reweigh(const grazei_skin *skin, grazei_joints *joints,
                                  uint32_t joint_count, const float *weights)
{
    grazei_joints next = *joints;
    f4 moved = f4_zero(), magnitude = f4_zero(), placed;
    uint32_t active = 0;
    for (uint32_t m = 0; m < skin->morph.target_count; m++) {
        active += weights[m] != 0;
        moved = moved + f4_load(skin->morph.target_reach[m]) * f4_all(fabsf(weights[m]));
    }
    next.morph_reach = f4_length3(moved) * (1 + (float)(2 * active + 8) * GRAZEI_UNIT);
    f4 reach = f4_load3(skin->reach) + moved;
    reach = reach * f4_all(1 + (float)(2 * active) * GRAZEI_UNIT);
    if (next.scales) {
        f4 scaled = reach;
        for (uint32_t j = 0; next.scaled && j < joint_count; j++)
            scaled = f4_max(scaled, f4_map_extent(&next.scales[j], reach));
        reach = next.scaled_reach = scaled * f4_all(1 + 16 * GRAZEI_UNIT);
        next.reach_length = f4_length3(reach) * (1 + 8 * GRAZEI_UNIT);
    }
    for (uint32_t j = 0; j < joint_count; j++)
        if (!grazei_add_magnitude(&next.maps[j], reach, &magnitude))
            return false;
    placed = next.placed ? f4_map_extent(&next.place, magnitude) : magnitude;
    if (!grazei_finish_prepare(&next, magnitude, placed, next.translation) ||
        (skin->deformer->needs_rotations &&
         !grazei_blend_stays_within(skin, &next, magnitude, next.translation)))
        return false;
    next.morph_error = active ? (float)(4 * active + 8) * GRAZEI_UNIT : 0;
    *joints = next;
    grazei_joints_new_epoch(skin->mesh->set_count, joints);
    for (uint32_t m = 0; m < skin->morph.target_count; m++)
        joints->morph_weights[m] = weights[m];
    return true;
}

#endif
