/* Taking over a pose with spherical or dual skinning: joints that share vertices become rotations.
 * Included by *_kernels.c only.
 */
#ifndef GRAZEI_DEFORM_PREPARE_BLENDED_H
#define GRAZEI_DEFORM_PREPARE_BLENDED_H

#include "deform/prepare.h"
#include "deform/rotations.h"
#include "math/quat.h"

/* At least the stretch of a map made from a unit quaternion: |q| is off by 5 u, so |q|^2 by 10 u
 * and the map by twice that, and each of its nine entries is rounded by at most 5 u.
 */
#define GRAZEI_RIGID_STRETCH (1 + 64 * GRAZEI_UNIT)

/* The sum of squares of the entries of A'A - 1. */
GRAZEI_INLINE column squares_off(gram_columns g)
{
    column one = column_all(1), x = g.xx - one, y = g.yy - one, z = g.zz - one;
    column off = (g.xy * g.xy + g.xz * g.xz) + g.yz * g.yz;
    return ((x * x + y * y) + z * z) + (off + off);
}

/* At least how far (as the root of a sum of squares of entries) the map that is made of a rigid
 * joint's quaternion is from the joint's A, E = A'A - 1 being so large.
 *
 * A = U P, U a rotation and P^2 = 1 + E, so |A - U| = |P - 1| <= 0.501 |E|. The quaternion is made
 * of four sums of entries that for U are at least 2 long; those of A are off by at most sqrt(3)
 * |A - U|, so the unit quaternion by 0.87, its map, which moves by at most 2 sqrt(2) as much, by
 * 2.46 |A - U|, and 3.46 * 0.501 < 1.74 with |A - U| itself. Rounding: E is off by 9 u, the sums by
 * less than 10 u, |q|^2 by 10 u, which moves a map by 29 u, and each of nine entries by 5 u: less
 * than 80 u together.
 */
GRAZEI_INLINE float rigid_error_of(float square)
{
    return 2 * sqrtf(square) * (1 + 16 * GRAZEI_UNIT) + 96 * GRAZEI_UNIT;
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

GRAZEI_INLINE column3 column3_abs(column3 a)
{
    return (column3){column_abs(a.x), column_abs(a.y), column_abs(a.z)};
}

GRAZEI_INLINE column3 column3_max(column3 a, column3 b)
{
    return (column3){points_max(a.x, b.x), points_max(a.y, b.y), points_max(a.z, b.z)};
}

/* As grazei_add_magnitude where all is far below the limit; false, with nothing added, where it is
 * not.
 */
GRAZEI_INLINE bool add_magnitudes(moving_columns given, f4 reach, column3 *magnitude)
{
    column limit = column_all(1e17f);
    column3 x = column3_abs(given.turn.x), y = column3_abs(given.turn.y);
    column3 z = column3_abs(given.turn.z), largest = column3_max(x, column3_max(y, z));
    column3 most =
        column3_add(column3_scale(x, column_all(reach[0])), column3_scale(y, column_all(reach[1])));
    most = column3_add(most, column3_scale(z, column_all(reach[2])));
    most = column3_add(most, column3_abs(given.move));
    column_mask within = (limit >= most.x) & (limit >= most.y) & (limit >= most.z) &
                         (limit >= max_of(largest.x, largest.y, largest.z));
    if (column_bits(within) != (1u << GRAZEI_COLUMN) - 1)
        return false;
    *magnitude = column3_max(*magnitude, most);
    return true;
}

/* The largest of each coordinate. */
GRAZEI_INLINE f4 column3_most(column3 a)
{
    f4 x = f4_max(points_first(a.x), points_last(a.x)), w = f4_zero();
    f4 y = f4_max(points_first(a.y), points_last(a.y));
    f4 z = f4_max(points_first(a.z), points_last(a.z));
    f4_transpose(&x, &y, &z, &w);
    return f4_max(f4_max(x, y), f4_max(z, w));
}

/* What is gathered of all joints. */
typedef struct joint_sums {
    f4 reach;           /* of rest positions */
    f4 magnitude;       /* of joints that needed a closer look */
    column3 magnitudes; /* of the others */
    column off;         /* the square of how far rigid joints are from rotations, as A'A says */
} joint_sums;

/* Keeps the maps of joints [first, first + count) as they come, and puts them into lanes. False if
 * something is not finite or too large.
 */
GRAZEI_INLINE bool take_matrices(grazei_joints *joints, const grazei_pose_input *pose,
                                 uint32_t first, uint32_t count, joint_sums *sums,
                                 moving_columns *given)
{
    const float *matrices = pose->matrices + (size_t)pose->step * first;
    bool small = false;
#ifdef __OPTIMIZE_SIZE__
    for (uint32_t k = 0; k < count; k++)
        joints->given[first + k] = grazei_load_map(matrices + (size_t)pose->step * k, pose->rows);
    *given = read_joints((const float *)&joints->given[first], 16, false, count);
#else
    *given = read_joints(matrices, pose->step, pose->rows, count);
    store_maps(joints->given + first, count, given->turn, given->move);
    small = add_magnitudes(*given, sums->reach, &sums->magnitudes);
#endif
    for (uint32_t j = first; !small && j < first + count; j++)
        if (!grazei_add_magnitude(&joints->given[j], sums->reach, &sums->magnitude))
            return false;
    return true;
}

/* Of joints together, some of which are no rotations, or need none: these are not off. */
static inline column take_others(grazei_joints *joints, uint32_t first, uint32_t count,
                                 uint32_t rigid, uint32_t blending, column stretches, column off)
{
    float stretch[GRAZEI_COLUMN], each[GRAZEI_COLUMN];
    column_store(stretch, stretches);
    column_store(each, off);
    joints->scaled |= (blending & ~rigid) != 0;
    for (uint32_t k = 0; k < GRAZEI_COLUMN; k++) {
        if (rigid >> k & 1)
            continue;
        each[k] = 0;
        if (joints->stretch)
            joints->stretch[first + column_row(k, count)] = stretch[k];
    }
    return column_load(each);
}

/* Takes over joints [first, first + count), count at most GRAZEI_COLUMN, as they come, and finds
 * which are rigid. False if something is not finite or too large.
 */
GRAZEI_INLINE bool take_group(const grazei_skin *skin, grazei_joints *joints,
                              const grazei_pose_input *pose, uint32_t first, uint32_t count,
                              joint_sums *sums)
{
    uint32_t blending = blending_bits(skin->blend.joint_blends + first, count);
    moving_columns given;
    if (!take_matrices(joints, pose, first, count, sums, &given))
        return false;
    gram_columns gram = gram_of(given.turn);
    column off = squares_off(gram);
    uint32_t rigid = rigid_bits(gram, given.turn) & blending;
    for (uint32_t k = 0; joints->stretch && k < count; k++)
        joints->stretch[first + k] = GRAZEI_RIGID_STRETCH;
    if (rigid != (1u << GRAZEI_COLUMN) - 1)
        off = take_others(joints, first, count, rigid, blending, stretches_of(gram), off);
    sums->off = points_max(sums->off, off);
    return true;
}

/* Takes over all joints. Where there are enough of them, all lanes are used: the last group takes
 * some joints once more.
 */
static inline bool take_groups(const grazei_skin *skin, grazei_joints *joints,
                               const grazei_pose_input *pose, joint_sums *sums)
{
    const uint32_t count = pose->joint_count;
#ifndef __OPTIMIZE_SIZE__
    for (uint32_t j = 0; j < count && count >= GRAZEI_COLUMN; j += GRAZEI_COLUMN) {
        uint32_t first = count - j < GRAZEI_COLUMN ? count - GRAZEI_COLUMN : j;
        if (!take_group(skin, joints, pose, first, GRAZEI_COLUMN, sums))
            return false;
    }
    if (count >= GRAZEI_COLUMN)
        return true;
#endif
    for (uint32_t j = 0; j < count; j += GRAZEI_COLUMN) {
        uint32_t left = count - j < GRAZEI_COLUMN ? count - j : GRAZEI_COLUMN;
        if (!take_group(skin, joints, pose, j, left, sums))
            return false;
    }
    return true;
}

/* Whether the root can be bounded by the maps as they come (bound_root.h). */
static inline bool has_quick_root(const grazei_skin *skin)
{
    uint8_t kind = skin->records[0].kind;
    return (kind == GRAZEI_BOX_HULL || kind == GRAZEI_SPHERE_HULL) && !skin->morph.target_count &&
           skin->blend.nodes[0].pair_count && skin->blend.nodes[0].first_reach != UINT32_MAX;
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
    if (joints->duals)
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
    column none = column_all(0);
    joint_sums sums = {reach, f4_zero(), {none, none, none}, none};
    joints->scaled = false;
    joints->scale_spread = 0;
    joints->scaled_reach = reach;
    if (!take_groups(skin, joints, pose, &sums))
        return false;
    *magnitude = sums.magnitude;
#ifndef __OPTIMIZE_SIZE__
    *magnitude = f4_max(*magnitude, column3_most(sums.magnitudes));
#endif
    f4 off = f4_max(points_first(sums.off), points_last(sums.off));
    joints->rough_error = rigid_error_of(f4_max4(off));
    joints->put_off =
        !pose->at_once && !joints->scaled && has_quick_root(skin) && joints->pair_poses;
    if (!joints->put_off)
        make_groups(skin, joints);
    if (joints->scaled)
        split_joints(joints, count, reach);
    joints->scaled_reach = joints->scaled_reach * f4_all(1 + 16 * GRAZEI_UNIT);
    joints->reach_length = f4_length3(joints->scaled_reach) * (1 + 8 * GRAZEI_UNIT);
    /* what the joints have become since */
    float most = joints->rough_error * joints->reach_length;
    *magnitude = *magnitude + f4_set(most, most, most, 0);
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
    grazei_joints_new_epoch(skin->mesh->set_count, joints);
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
