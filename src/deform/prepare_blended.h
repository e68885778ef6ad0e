/* Taking over a pose with spherical or dual skinning: joints that share vertices become rotations.
 * Included by *_kernels.c only.
 */
#ifndef GRAZEI_DEFORM_PREPARE_BLENDED_H
#define GRAZEI_DEFORM_PREPARE_BLENDED_H

#include "deform/prepare.h"
#include "math/quat.h"
#include "math/quat_columns.h"

/* How far a blending joint may be from rigid, in the entries of A'A, and still count as a rotation.
 */
#define GRAZEI_RIGID_TOLERANCE 1e-4f

/* At least the stretch of a map made from a unit quaternion: |q| is off by 5 u, so |q|^2 by 10 u
 * and the map by twice that, and each of its nine entries is rounded by at most 5 u.
 */
#define GRAZEI_RIGID_STRETCH (1 + 64 * GRAZEI_UNIT)

/* Entries of A'A, one map a lane. */
typedef struct gram_columns {
    column xx, yy, zz, xy, xz, yz;
} gram_columns;

GRAZEI_INLINE gram_columns gram_of(column_maps m)
{
    return (gram_columns){column3_dot(m.x, m.x), column3_dot(m.y, m.y), column3_dot(m.z, m.z),
                          column3_dot(m.x, m.y), column3_dot(m.x, m.z), column3_dot(m.y, m.z)};
}

GRAZEI_INLINE column max_of(column a, column b, column c)
{
    return points_max(points_max(a, b), c);
}

/* Which maps are rotations, or nearly so; bit k for lane k. */
GRAZEI_INLINE uint32_t rigid_bits(column_maps m, gram_columns g)
{
    column one = column_all(1), tolerance = column_all(GRAZEI_RIGID_TOLERANCE);
    column off = max_of(column_abs(g.xy), column_abs(g.xz), column_abs(g.yz));
    column own = max_of(column_abs(g.xx - one), column_abs(g.yy - one), column_abs(g.zz - one));
    column volume = column3_dot(column3_cross(m.x, m.y), m.z);
    return column_bits((off <= tolerance) & (own <= tolerance) & (volume > column_all(0)));
}

/* As stretch_of_four. */
GRAZEI_INLINE column stretches_of(gram_columns g)
{
    column axy = column_abs(g.xy), axz = column_abs(g.xz), ayz = column_abs(g.yz);
    column gershgorin = max_of(g.xx + axy + axz, g.yy + axy + ayz, g.zz + axz + ayz);
    column m = (g.xx + g.yy + g.zz) * column_all(1.0f / 3);
    column dx = g.xx - m, dy = g.yy - m, dz = g.zz - m;
    column off = g.xy * g.xy + g.xz * g.xz + g.yz * g.yz;
    column norm2 = dx * dx + dy * dy + dz * dz + off + off, least = column_all(GRAZEI_LEAST_LENGTH);
    column styan = m + column_sqrt(norm2 * column_all(2.0f / 3)) + least;
    return column_sqrt(points_min(gershgorin, styan)) * column_all(1 + 16 * GRAZEI_UNIT) + least;
}

/* The square of how far maps are apart, in their entries. */
GRAZEI_INLINE column squares_apart(column_maps a, column_maps b)
{
    column3 x = column3_sub(a.x, b.x), y = column3_sub(a.y, b.y), z = column3_sub(a.z, b.z);
    return (column3_dot(x, x) + column3_dot(y, y)) + column3_dot(z, z);
}

/* Rows of four floats of joints that are in lanes together. */
typedef struct joint_rows {
    const float *given[GRAZEI_COLUMN];
    float *maps[GRAZEI_COLUMN], *rotations[GRAZEI_COLUMN], *duals[GRAZEI_COLUMN];
} joint_rows;

GRAZEI_INLINE column3 load_axis(const joint_rows *rows, int k)
{
    column in[4];
    column_load_rows(rows->given, 4 * (size_t)k, in);
    return (column3){in[0], in[1], in[2]};
}

GRAZEI_INLINE void store_axis(const joint_rows *rows, int k, column3 axis)
{
    column out[4] = {axis.x, axis.y, axis.z, column_all(0)};
    column_store_rows(rows->maps, 4 * (size_t)k, out);
}

/* What is found of joints together, one a lane. */
typedef struct joint_group {
    uint32_t rigid; /* bit k for lane k */
    float lost[GRAZEI_COLUMN], stretch[GRAZEI_COLUMN];
} joint_group;

/* Rotations, maps made of them, and duals of all joints in the lanes, rigid or not. */
GRAZEI_INLINE joint_group make_rigid(const joint_rows *rows, bool dual, bool spheres)
{
    joint_group group;
    column_maps given = {load_axis(rows, 0), load_axis(rows, 1), load_axis(rows, 2)};
    gram_columns gram = gram_of(given);
    column4 q = quats_of_maps(given);
    column_maps maps = quats_to_maps(q);
    column all[4] = {q.x, q.y, q.z, q.w};
    column_store_rows(rows->rotations, 0, all);
    store_axis(rows, 0, maps.x);
    store_axis(rows, 1, maps.y);
    store_axis(rows, 2, maps.z);
    if (dual) {
        /* Twice the dual part of a rigid map: t q, with t a pure quaternion. */
        column3 t = load_axis(rows, 3);
        column4 product = quats_multiply((column4){t.x, t.y, t.z, column_all(0)}, q);
        column parts[4] = {product.x, product.y, product.z, product.w};
        column_store_rows(rows->duals, 0, parts);
    }
    group.rigid = rigid_bits(given, gram);
    column_store(group.lost, squares_apart(maps, given));
    if (spheres)
        column_store(group.stretch, stretches_of(gram));
    return group;
}

/* Takes over joints [first, first + count), count at most GRAZEI_COLUMN, whose maps are in given.
 * Returns the largest square of what rigid ones lose.
 */
static inline float prepare_group(const grazei_skin *skin, grazei_joints *joints, uint32_t first,
                                  uint32_t count)
{
    joint_rows rows;
    for (uint32_t k = 0; k < GRAZEI_COLUMN; k++) {
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
        f4 axis = f4_set(f4_dot3(map->c[0], given->c[k]), f4_dot3(map->c[1], given->c[k]),
                         f4_dot3(map->c[2], given->c[k]), 0);
        f4 off = axis - scale->c[k];
        spread += f4_dot3(off, off);
        scale->c[k] = axis;
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
    for (uint32_t j = 0; j < count; j += GRAZEI_COLUMN) {
        uint32_t left = count - j;
        lost = f1_max(lost,
                      prepare_group(skin, joints, j, left < GRAZEI_COLUMN ? left : GRAZEI_COLUMN));
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
