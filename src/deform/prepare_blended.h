/* Taking over a pose with spherical or dual skinning: joints that share vertices become rotations.
 * Included by *_kernels.c only.
 */
#ifndef GRAZEI_DEFORM_PREPARE_BLENDED_H
#define GRAZEI_DEFORM_PREPARE_BLENDED_H

#include "deform/prepare.h"
#include "math/quat.h"
#include "math/quat_lanes.h"

/* How far a blending joint may be from rigid, in the entries of A'A, and still count as a rotation.
 */
#define GRAZEI_RIGID_TOLERANCE 1e-4f

/* At least the stretch of a map made from a unit quaternion: |q| is off by 5 u, so |q|^2 by 10 u
 * and the map by twice that, and each of its nine entries is rounded by at most 5 u.
 */
#define GRAZEI_RIGID_STRETCH (1 + 64 * GRAZEI_UNIT)

/* Entries of A'A, one map a lane. */
typedef struct gram_lanes {
    lanes xx, yy, zz, xy, xz, yz;
} gram_lanes;

GRAZEI_INLINE gram_lanes gram_of(lanes_columns m)
{
    return (gram_lanes){lanes3_dot(m.x, m.x), lanes3_dot(m.y, m.y), lanes3_dot(m.z, m.z),
                        lanes3_dot(m.x, m.y), lanes3_dot(m.x, m.z), lanes3_dot(m.y, m.z)};
}

/* Which maps are rotations, or nearly so; bit k for lane k. */
GRAZEI_INLINE uint32_t rigid_bits(lanes_columns m, gram_lanes g)
{
    lanes one = lanes_set(1);
    lanes off = lanes_max(lanes_abs(g.xy), lanes_max(lanes_abs(g.xz), lanes_abs(g.yz)));
    lanes own =
        lanes_max(lanes_abs(lanes_sub(g.xx, one)),
                  lanes_max(lanes_abs(lanes_sub(g.yy, one)), lanes_abs(lanes_sub(g.zz, one))));
    lanes volume = lanes3_dot(lanes3_cross(m.x, m.y), m.z);
    return mask_bits(
        mask_and(lanes_less_equal(lanes_max(off, own), lanes_set(GRAZEI_RIGID_TOLERANCE)),
                 lanes_less(lanes_set(0), volume)));
}

/* As stretch_of_four. */
GRAZEI_INLINE lanes stretch_of_lanes(gram_lanes g)
{
    lanes axy = lanes_abs(g.xy), axz = lanes_abs(g.xz), ayz = lanes_abs(g.yz);
    lanes gershgorin =
        lanes_max3(lanes_add(lanes_add(g.xx, axy), axz), lanes_add(lanes_add(g.yy, axy), ayz),
                   lanes_add(lanes_add(g.zz, axz), ayz));
    lanes m = lanes_mul(lanes_add(lanes_add(g.xx, g.yy), g.zz), lanes_set(1.0f / 3));
    lanes3 own = {lanes_sub(g.xx, m), lanes_sub(g.yy, m), lanes_sub(g.zz, m)};
    lanes3 off = {g.xy, g.xz, g.yz};
    lanes offs = lanes3_dot(off, off), least = lanes_set(GRAZEI_LEAST_LENGTH);
    lanes norm2 = lanes_add(lanes_add(lanes3_dot(own, own), offs), offs);
    lanes styan = lanes_add(lanes_add(m, lanes_sqrt(lanes_mul(norm2, lanes_set(2.0f / 3)))), least);
    return lanes_add(
        lanes_mul(lanes_sqrt(lanes_min(gershgorin, styan)), lanes_set(1 + 16 * GRAZEI_UNIT)),
        least);
}

/* The square of how far maps are apart, in their entries. */
GRAZEI_INLINE lanes squares_apart(lanes_columns a, lanes_columns b)
{
    lanes3 x = lanes3_sub(a.x, b.x), y = lanes3_sub(a.y, b.y), z = lanes3_sub(a.z, b.z);
    return lanes_add(lanes_add(lanes3_dot(x, x), lanes3_dot(y, y)), lanes3_dot(z, z));
}

/* Rows of four floats of joints that are in lanes together. */
typedef struct joint_rows {
    const float *given[GRAZEI_LANES];
    float *maps[GRAZEI_LANES], *rotations[GRAZEI_LANES], *duals[GRAZEI_LANES];
} joint_rows;

GRAZEI_INLINE void store_column(const joint_rows *rows, int k, lanes3 column)
{
    lanes out[4] = {column.x, column.y, column.z, lanes_set(0)};
    lanes_store_rows((float *const *)rows->maps, 4 * (size_t)k, out);
}

GRAZEI_INLINE lanes3 load_column(const joint_rows *rows, int k)
{
    lanes in[4];
    lanes_load_rows(rows->given, 4 * (size_t)k, in);
    return (lanes3){in[0], in[1], in[2]};
}

/* What is found of joints together, one a lane. */
typedef struct joint_group {
    uint32_t rigid; /* bit k for lane k */
    float lost[GRAZEI_LANES], stretch[GRAZEI_LANES];
} joint_group;

/* Rotations, maps made of them, and duals of all joints in the lanes, rigid or not. */
GRAZEI_INLINE joint_group make_rigid(const joint_rows *rows, bool dual, bool spheres)
{
    joint_group group;
    lanes_columns given = {load_column(rows, 0), load_column(rows, 1), load_column(rows, 2)};
    gram_lanes gram = gram_of(given);
    lanes4 q = quats_of_maps(given);
    lanes_columns maps = quats_to_maps(q);
    lanes all[4] = {q.x, q.y, q.z, q.w};
    lanes_store_rows((float *const *)rows->rotations, 0, all);
    store_column(rows, 0, maps.x);
    store_column(rows, 1, maps.y);
    store_column(rows, 2, maps.z);
    if (dual) {
        /* Twice the dual part of a rigid map: t q, with t a pure quaternion. */
        lanes3 t = load_column(rows, 3);
        lanes4 product = quats_multiply((lanes4){t.x, t.y, t.z, lanes_set(0)}, q);
        lanes parts[4] = {product.x, product.y, product.z, product.w};
        lanes_store_rows((float *const *)rows->duals, 0, parts);
    }
    group.rigid = rigid_bits(given, gram);
    lanes_store(group.lost, squares_apart(maps, given));
    if (spheres)
        lanes_store(group.stretch, stretch_of_lanes(gram));
    return group;
}

/* Takes over joints [first, first + count), count at most GRAZEI_LANES, whose maps are in given.
 * Returns the largest square of what rigid ones lose.
 */
static inline float prepare_group(const grazei_skin *skin, grazei_joints *joints, uint32_t first,
                                  uint32_t count)
{
    joint_rows rows;
    for (uint32_t k = 0; k < GRAZEI_LANES; k++) {
        uint32_t j = first + (k < count ? k : count - 1);
        rows.given[k] = (const float *)&joints->given[j];
        rows.maps[k] = (float *)&joints->maps[j];
        rows.rotations[k] = (float *)&joints->rotations[j];
        rows.duals[k] = (float *)&joints->duals[j];
    }
    joint_group group = make_rigid(&rows, skin->kind == GRAZE_DUAL, joints->stretch != NULL);
    float lost = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t j = first + k;
        bool blends = skin->blend.joint_blends[j], rigid = group.rigid >> k & 1;
        if (joints->stretch)
            joints->stretch[j] = blends && rigid ? GRAZEI_RIGID_STRETCH : group.stretch[k];
        joints->maps[j].c[3] = joints->given[j].c[3];
        if (blends && rigid) {
            lost = f1_max(lost, group.lost[k]);
            continue;
        }
        /* No rotation marks what is to be split. */
        joints->scaled |= blends;
        joints->maps[j] = joints->given[j];
        joints->rotations[j] = f4_set(0, 0, 0, blends ? 0 : 1);
    }
    return lost;
}

static inline f4_map identity_map(void)
{
    f4_map map = {{f4_set(1, 0, 0, 0), f4_set(0, 1, 0, 0), f4_set(0, 0, 1, 0), f4_zero()}};
    return map;
}

/* Splits a blending joint into a rotation, which takes the map's place, and the rest: A = R S. */
static inline void split_joint(grazei_joints *joints, uint32_t j)
{
    f4_map *map = &joints->maps[j], *scale = &joints->scales[j];
    const f4_map *given = &joints->given[j];
    joints->rotations[j] = quat_nearest(map);
    quat_to_map(joints->rotations[j], map);
    joints->duals[j] = quat_multiply(map->c[3], joints->rotations[j]);
    if (joints->stretch)
        joints->stretch[j] = GRAZEI_RIGID_STRETCH;
    float spread = 0;
    for (int k = 0; k < 3; k++) {
        f4 column = f4_set(f4_dot3(map->c[0], given->c[k]), f4_dot3(map->c[1], given->c[k]),
                           f4_dot3(map->c[2], given->c[k]), 0);
        f4 off = column - scale->c[k];
        spread += f4_dot3(off, off);
        scale->c[k] = column;
    }
    spread = sqrtf(spread) * (1 + 16 * GRAZEI_UNIT);
    joints->scale_spread = f1_max(joints->scale_spread, spread);
}

/* Splits the joints that are not rigid, and finds how far rest positions then reach. */
static inline void split_joints(grazei_joints *joints, uint32_t count, f4 reach)
{
    for (uint32_t j = 0; j < count; j++) {
        joints->scales[j] = identity_map();
        if (f4_dot4(joints->rotations[j], joints->rotations[j]) > 0)
            continue;
        split_joint(joints, j);
        f4 scaled = f4_map_extent(&joints->scales[j], reach);
        joints->scaled_reach = f4_max(joints->scaled_reach, scaled);
    }
}

static inline bool prepare_joints(const grazei_skin *skin, grazei_joints *joints,
                                  const grazei_pose_input *pose, f4 reach, f4 *magnitude)
{
    const uint32_t count = pose->joint_count;
    float lost = 0;
    joints->scaled = false;
    joints->scale_spread = 0;
    joints->scaled_reach = reach;
    for (uint32_t j = 0; j < count; j++) {
        joints->given[j] = grazei_load_map(pose->matrices + (size_t)pose->step * j, pose->rows);
        if (!grazei_add_magnitude(&joints->given[j], reach, magnitude))
            return false;
    }
    for (uint32_t j = 0; j < count; j += GRAZEI_LANES) {
        uint32_t left = count - j;
        lost =
            f1_max(lost, prepare_group(skin, joints, j, left < GRAZEI_LANES ? left : GRAZEI_LANES));
    }
    joints->rigid_error = sqrtf(lost) * (1 + 16 * GRAZEI_UNIT);
    if (joints->scaled)
        split_joints(joints, count, reach);
    joints->scaled_reach = joints->scaled_reach * f4_all(1 + 16 * GRAZEI_UNIT);
    joints->reach_length = f4_length3(joints->scaled_reach) * (1 + 8 * GRAZEI_UNIT);
    /* what the joints have become since */
    float off = joints->rigid_error * joints->reach_length;
    *magnitude = *magnitude + f4_set(off, off, off, 0);
    for (uint32_t j = 0; joints->scaled && j < count; j++)
        if (!grazei_add_magnitude(&joints->maps[j], joints->scaled_reach, magnitude))
            return false;
    /* Blending squares distances, so it has less room than linear skinning. */
    return (*magnitude)[0] + (*magnitude)[1] + (*magnitude)[2] < 1e16f;
}

/* The placement is applied to the skinned vertex, so that bounds and vertices see the same maps. */
static inline bool grazei_prepare_blended(const grazei_skin *skin, grazei_joints *joints,
                                          const grazei_pose_input *pose)
{
    f4 reach = grazei_prepare_morphs(skin, joints, pose->morph_weights), magnitude = f4_zero();
    grazei_new_epoch(skin, joints);
    if (!prepare_joints(skin, joints, pose, reach, &magnitude))
        return false;
    if (joints->stretch && joints->scaled)
        grazei_fill_stretch(joints->scales, pose->joint_count, joints->scale_stretch);
    f4 placed_magnitude = magnitude, translation = f4_zero();
    joints->placed = pose->placement != NULL;
    if (joints->placed) {
        joints->place = grazei_load_map(pose->placement, pose->rows);
        translation = joints->place.c[3];
        joints->place.c[3] = f4_zero();
        placed_magnitude = f4_zero();
        if (!grazei_add_magnitude(&joints->place, magnitude, &placed_magnitude))
            return false;
        f4_map four[4] = {joints->place, joints->place, joints->place, joints->place};
        joints->place_stretch = stretch_of_four(four)[0];
    }
    return grazei_finish_prepare(joints, magnitude, placed_magnitude, translation) &&
           grazei_blend_stays_within(skin, joints, magnitude, translation);
}

#endif
