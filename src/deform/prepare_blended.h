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

/* Which maps are rotations, or nearly so; bit k for lane k. lost: the square of how far they are
 * from the rotations that were made of them. Where A'A is nearly 1 that is about nothing, or 4 and
 * more if A is a reflection.
 */
GRAZEI_INLINE uint32_t rigid_bits(gram_columns g, column lost)
{
    column one = column_all(1), tolerance = column_all(GRAZEI_RIGID_TOLERANCE);
    column off = max_of(column_abs(g.xy), column_abs(g.xz), column_abs(g.yz));
    column own = max_of(column_abs(g.xx - one), column_abs(g.yy - one), column_abs(g.zz - one));
    return column_bits((off <= tolerance) & (own <= tolerance) & (lost < one));
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

/* Maps with a translation, one a lane. */
typedef struct moving_columns {
    column_maps turn;
    column3 move;
} moving_columns;

/* As grazei_load_map. */
GRAZEI_INLINE moving_columns read_joints(const float *matrices, size_t step, bool by_rows,
                                         uint32_t count)
{
    column in[4][4];
    for (size_t k = 0; k < 3; k++)
        column_load_spaced(matrices + 4 * k, step, count, in[k]);
    if (by_rows)
        return (moving_columns){{{in[0][0], in[1][0], in[2][0]},
                                 {in[0][1], in[1][1], in[2][1]},
                                 {in[0][2], in[1][2], in[2][2]}},
                                {in[0][3], in[1][3], in[2][3]}};
    column_load_spaced(matrices + 12, step, count, in[3]);
    return (moving_columns){{{in[0][0], in[0][1], in[0][2]},
                             {in[1][0], in[1][1], in[1][2]},
                             {in[2][0], in[2][1], in[2][2]}},
                            {in[3][0], in[3][1], in[3][2]}};
}

GRAZEI_INLINE void store_maps(f4_map *to, uint32_t count, column_maps maps, column3 move)
{
    const size_t step = sizeof *to / sizeof(float);
    column zero = column_all(0), x[4] = {maps.x.x, maps.x.y, maps.x.z, zero};
    column y[4] = {maps.y.x, maps.y.y, maps.y.z, zero}, z[4] = {maps.z.x, maps.z.y, maps.z.z, zero};
    column t[4] = {move.x, move.y, move.z, zero};
    column_store_twos((float *)&to->c[0], step, count, x, y);
    column_store_twos((float *)&to->c[2], step, count, z, t);
}

GRAZEI_INLINE void store_quats(f4 *to, uint32_t count, column4 q)
{
    column out[4] = {q.x, q.y, q.z, q.w};
    column_store_ones((float *)to, count, out);
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
    column lost;        /* the square of what rigid joints lose */
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

/* Which joints act together with others, bit k for lane k. */
GRAZEI_INLINE uint32_t blending_bits(const uint8_t *blends, uint32_t count)
{
    static const uint8_t all[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    uint32_t bits = 0;
    if (count == GRAZEI_COLUMN && memcmp(blends, all, GRAZEI_COLUMN) == 0)
        return (1u << GRAZEI_COLUMN) - 1;
    for (uint32_t k = 0; k < GRAZEI_COLUMN; k++)
        bits |= (uint32_t)blends[column_row(k, count)] << k;
    return bits;
}

/* Of joints together, some of which are no rotations, or need none: these lose nothing. */
static inline column prepare_others(grazei_joints *joints, uint32_t first, uint32_t count,
                                    uint32_t rigid, uint32_t blending, column stretches,
                                    column losses)
{
    float stretch[GRAZEI_COLUMN], lost[GRAZEI_COLUMN];
    column_store(stretch, stretches);
    column_store(lost, losses);
    for (uint32_t k = 0; k < GRAZEI_COLUMN; k++) {
        size_t j = first + column_row(k, count);
        bool blends = blending >> k & 1;
        if (rigid >> k & 1)
            continue;
        lost[k] = 0;
        if (joints->stretch)
            joints->stretch[j] = stretch[k];
        /* No rotation marks what is to be split. */
        joints->scaled |= blends;
        joints->maps[j] = joints->given[j];
        joints->rotations[j] = f4_set(0, 0, 0, blends ? 0 : 1);
    }
    return column_load(lost);
}

/* Takes over joints [first, first + count), count at most GRAZEI_COLUMN: rotations, maps made of
 * them, and duals. False if something is not finite or too large.
 */
GRAZEI_INLINE bool prepare_group(const grazei_skin *skin, grazei_joints *joints,
                                 const grazei_pose_input *pose, uint32_t first, uint32_t count,
                                 joint_sums *sums)
{
    uint32_t blending = blending_bits(skin->blend.joint_blends + first, count);
    moving_columns given;
    if (!take_matrices(joints, pose, first, count, sums, &given))
        return false;
    gram_columns gram = gram_of(given.turn);
    column4 q = quats_of_maps(given.turn);
    column_maps maps = quats_to_maps(q);
    column lost = squares_apart(maps, given.turn);
    uint32_t rigid = rigid_bits(gram, lost) & blending;
    store_quats(joints->rotations + first, count, q);
    store_maps(joints->maps + first, count, maps, given.move);
    if (skin->kind == GRAZE_DUAL) {
        /* Twice the dual part of a rigid map: t q, with t a pure quaternion. */
        column3 t = given.move;
        store_quats(joints->duals + first, count,
                    quats_multiply((column4){t.x, t.y, t.z, column_all(0)}, q));
    }
    for (uint32_t k = 0; joints->stretch && k < count; k++)
        joints->stretch[first + k] = GRAZEI_RIGID_STRETCH;
    if (rigid != (1u << GRAZEI_COLUMN) - 1)
        lost = prepare_others(joints, first, count, rigid, blending, stretches_of(gram), lost);
    sums->lost = points_max(sums->lost, lost);
    return true;
}

/* Takes over all joints. Where there are enough of them, all lanes are used: the last group takes
 * some joints once more.
 */
static inline bool prepare_groups(const grazei_skin *skin, grazei_joints *joints,
                                  const grazei_pose_input *pose, joint_sums *sums)
{
    const uint32_t count = pose->joint_count;
#ifndef __OPTIMIZE_SIZE__
    for (uint32_t j = 0; j < count && count >= GRAZEI_COLUMN; j += GRAZEI_COLUMN) {
        uint32_t first = count - j < GRAZEI_COLUMN ? count - GRAZEI_COLUMN : j;
        if (!prepare_group(skin, joints, pose, first, GRAZEI_COLUMN, sums))
            return false;
    }
    if (count >= GRAZEI_COLUMN)
        return true;
#endif
    for (uint32_t j = 0; j < count; j += GRAZEI_COLUMN) {
        uint32_t left = count - j < GRAZEI_COLUMN ? count - j : GRAZEI_COLUMN;
        if (!prepare_group(skin, joints, pose, j, left, sums))
            return false;
    }
    return true;
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
    column none = column_all(0);
    joint_sums sums = {reach, f4_zero(), {none, none, none}, none};
    joints->scaled = false;
    joints->scale_spread = 0;
    joints->scaled_reach = reach;
    if (!prepare_groups(skin, joints, pose, &sums))
        return false;
    *magnitude = sums.magnitude;
#ifndef __OPTIMIZE_SIZE__
    *magnitude = f4_max(*magnitude, column3_most(sums.magnitudes));
#endif
    f4 lost = f4_max(points_first(sums.lost), points_last(sums.lost));
    joints->rigid_error = sqrtf(f4_max4(lost)) * (1 + 16 * GRAZEI_UNIT);
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
