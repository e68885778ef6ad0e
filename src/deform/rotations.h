/* What spherical and dual skinning make of joints that share vertices: unit quaternions, maps that
 * are exactly as rigid as these, duals. Bodies that are apart need none of it, so it is put off
 * until a vertex, or a node below the root, is asked for (joints.h). Included by *_kernels.c only.
 */
#ifndef GRAZEI_DEFORM_ROTATIONS_H
#define GRAZEI_DEFORM_ROTATIONS_H

#include "deform/skin.h"
#include "math/quat_columns.h"
#include "math/rounding.h"

/* How far a blending joint may be from rigid, in the entries of A'A, and still count as a rotation.
 */
#define GRAZEI_RIGID_TOLERANCE 1e-4f

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

/* Which maps are rotations, or nearly so; bit k for lane k. Where A'A is nearly 1 the determinant
 * is nearly 1, or -1 if A is a reflection.
 */
GRAZEI_INLINE uint32_t rigid_bits(gram_columns g, column_maps m)
{
    column one = column_all(1), tolerance = column_all(GRAZEI_RIGID_TOLERANCE);
    column volume = column3_dot(column3_cross(m.x, m.y), m.z);
    column off = max_of(column_abs(g.xy), column_abs(g.xz), column_abs(g.yz));
    column own = max_of(column_abs(g.xx - one), column_abs(g.yy - one), column_abs(g.zz - one));
    return column_bits((off <= tolerance) & (own <= tolerance) & (volume > column_all(0)));
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

/* Of joints together those that are no rotations, or need none, stay what they were: they lose
 * nothing.
 */
static inline column make_others(const grazei_joints *joints, uint32_t first, uint32_t count,
                                 uint32_t rigid, uint32_t blending, column losses)
{
    float lost[GRAZEI_COLUMN];
    column_store(lost, losses);
    for (uint32_t k = 0; k < GRAZEI_COLUMN; k++) {
        size_t j = first + column_row(k, count);
        if (rigid >> k & 1)
            continue;
        lost[k] = 0;
        /* No rotation marks what is to be split. */
        joints->maps[j] = joints->given[j];
        joints->rotations[j] = f4_set(0, 0, 0, blending >> k & 1 ? 0 : 1);
    }
    return column_load(lost);
}

/* Of joints [first, first + count), count at most GRAZEI_COLUMN: rotations, maps made of them, and
 * duals. Returns the squares of how far these maps are from the given ones.
 */
GRAZEI_INLINE column make_group(const grazei_skin *skin, const grazei_joints *joints,
                                uint32_t first, uint32_t count)
{
    uint32_t rigid = blending_bits(skin->blend.joint_blends + first, count), blending = rigid;
    moving_columns given = read_joints((const float *)&joints->given[first], 16, false, count);
    column4 q = quats_of_maps(given.turn);
    column_maps maps = quats_to_maps(q);
    column lost = squares_apart(maps, given.turn);
    if (joints->scaled)
        rigid &= rigid_bits(gram_of(given.turn), given.turn);
    store_quats(joints->rotations + first, count, q);
    store_maps(joints->maps + first, count, maps, given.move);
    if (skin->deformer->needs_duals) {
        /* Twice the dual part of a rigid map: t q, with t a pure quaternion. */
        column3 t = given.move;
        store_quats(joints->duals + first, count,
                    quats_multiply((column4){t.x, t.y, t.z, column_all(0)}, q));
    }
    return rigid == (1u << GRAZEI_COLUMN) - 1
               ? lost
               : make_others(joints, first, count, rigid, blending, lost);
}

/* Makes all joints' rotations, in groups as take_groups. */
static void make_groups(const grazei_skin *skin, const grazei_joints *joints)
{
    const uint32_t count = skin->mesh->joint_count;
    column most = column_all(0);
    uint32_t j = 0;
#ifndef __OPTIMIZE_SIZE__
    for (; j < count && count >= GRAZEI_COLUMN; j += GRAZEI_COLUMN) {
        uint32_t first = count - j < GRAZEI_COLUMN ? count - GRAZEI_COLUMN : j;
        most = points_max(most, make_group(skin, joints, first, GRAZEI_COLUMN));
    }
#endif
    for (; j < count; j += GRAZEI_COLUMN)
        most = points_max(most, make_group(skin, joints, j,
                                           count - j < GRAZEI_COLUMN ? count - j : GRAZEI_COLUMN));
    f4 lost = f4_max(points_first(most), points_last(most));
    joints->made->rigid_error = sqrtf(f4_max4(lost)) * (1 + 16 * GRAZEI_UNIT);
}

/* What was put off, once. */
static __attribute__((noinline)) void make_rotations(const grazei_skin *skin,
                                                     const grazei_joints *joints)
{
    if (grazei_mark_is_set(&joints->made->mark, joints->epoch) ||
        !grazei_mark_claim(&joints->made->mark, joints->epoch))
        return;
    make_groups(skin, joints);
    grazei_mark_set(&joints->made->mark, joints->epoch);
}

/* Stands before everything that reads maps, rotations or duals. */
GRAZEI_INLINE void need_rotations(const grazei_skin *skin, const grazei_joints *joints)
{
    if (joints->put_off && !grazei_mark_is_set(&joints->made->mark, joints->epoch))
        make_rotations(skin, joints);
}

#endif
