/* What two joints that act together do in a pose, found once for all nodes: how far
 * they turn apart, and how far apart they put the middle of the pair's ball of centres. From that a
 * node is told how far blending takes its vertices off linear blending's places, a little more than
 * by looking at each pair's own ball (blended.h), in a fraction of the time. Included by blended.h
 * only.
 */
#ifndef GRAZEI_DEFORM_PAIR_POSES_H
#define GRAZEI_DEFORM_PAIR_POSES_H

#include "deform/skin.h"
#include "math/columns.h"
#include "math/rounding.h"

/* Pairs of joints one a lane: one joint's map less the other's. */
typedef struct pair_columns {
    column3 x, y, z, move;
} pair_columns;

/* Two axes, side by side in memory, of as many maps. */
GRAZEI_INLINE void turn_axes(points off[GRAZEI_COLUMN][4 / GRAZEI_POINTS], int two, column3 *first,
                             column3 *second)
{
#if defined(__AVX__)
    column low[4], high[4];
    for (int k = 0; k < 4; k++) {
        low[k] = off[k][two];
        high[k] = off[k + 4][two];
    }
    column_transpose(low);
    column_transpose(high);
    *first = (column3){column_firsts(low[0], high[0]), column_firsts(low[1], high[1]),
                       column_firsts(low[2], high[2])};
    *second = (column3){column_lasts(low[0], high[0]), column_lasts(low[1], high[1]),
                        column_lasts(low[2], high[2])};
#else
    column x[4], y[4];
    for (int k = 0; k < 4; k++) {
        x[k] = off[k][2 * two];
        y[k] = off[k][2 * two + 1];
    }
    column_transpose(x);
    column_transpose(y);
    *first = (column3){x[0], x[1], x[2]};
    *second = (column3){y[0], y[1], y[2]};
#endif
}

/* The pairs from `rows` on, two rows each. */
GRAZEI_INLINE pair_columns load_pairs(const f4_map *maps, const float (*rows)[4])
{
    pair_columns pairs;
    points off[GRAZEI_COLUMN][4 / GRAZEI_POINTS];
    for (uint32_t k = 0; k < GRAZEI_COLUMN; k++) {
        const float *own = rows[2 * k + 1];
        const f4 *a = maps[f4_bits(own[0])].c, *b = maps[f4_bits(own[1])].c;
        for (uint32_t axis = 0; axis < 4; axis += GRAZEI_POINTS)
            off[k][axis / GRAZEI_POINTS] = points_of_f4(a + axis) - points_of_f4(b + axis);
    }
    turn_axes(off, 0, &pairs.x, &pairs.y);
    turn_axes(off, 1, &pairs.z, &pairs.move);
    return pairs;
}

/* How far apart they put points. */
GRAZEI_INLINE column lengths_apart(const pair_columns *pairs, const column at[4])
{
    column3 xy = column3_add(column3_scale(pairs->x, at[0]), column3_scale(pairs->y, at[1]));
    column3 off = column3_add(xy, column3_add(column3_scale(pairs->z, at[2]), pairs->move));
    return column_sqrt(column3_dot(off, off));
}

/* The largest sine^2 of half the angle between two joints that is told here: by then the square of
 * the distance of their quaternions, 2 - 2 sqrt(1 - s), is 0.98, and is at most s + 0.45 s^2.
 */
#define MOST_SINE2 0.74f

/* Rows: { at least |R - R'|, at least how far apart the two put the middle of pair_centre, at least
 * |q - q'|^2 of their quaternions, or 4 where they turn too far, - }.
 *
 * By the maps as they came, which are off the rotations by at most the rough error, two of them by
 * twice that, so that it does not matter whether rotations are made yet. The sum of squares of the
 * entries of R - R' is twice the square of its norm, and 8 sine^2. Maps are made of unit
 * quaternions: |q|^2 is off by 10 u, which moves a map by at most 29 u, and its entries are rounded
 * by at most 5 u each, so that their difference is off by less than 90 u.
 */
static __attribute__((noinline)) void find_pair_poses(const grazei_skin *skin,
                                                      const grazei_joints *joints)
{
    grazei_pair_poses *poses = joints->pair_poses;
    if (!grazei_mark_claim(&poses->mark, joints->epoch))
        return;
    const float(*rows)[4] = (const float(*)[4])skin->blend.pair_rows;
    column turned = column_all(96 * GRAZEI_UNIT + 2 * joints->rough_error), none = column_all(0);
    column put = column_all(4 * joints->rough_error * joints->reach_length);
    for (uint32_t p = 0; p < skin->blend.pair_count;
         p += GRAZEI_COLUMN, rows += 2 * GRAZEI_COLUMN) {
        pair_columns pairs = load_pairs(joints->given, rows);
        column middle[4];
        column_load_spaced(rows[0], 8, GRAZEI_COLUMN, middle);
        column sum = (column3_dot(pairs.x, pairs.x) + column3_dot(pairs.y, pairs.y)) +
                     column3_dot(pairs.z, pairs.z);
        column norm = column_sqrt(sum) * column_all(1 + 16 * GRAZEI_UNIT) + turned;
        column sine2 = norm * norm * column_all(0.125f);
        column square = sine2 + sine2 * sine2 * column_all(0.45f);
        square = column_select(sine2 <= column_all(MOST_SINE2), square, column_all(4));
        column out[4] = {norm * column_all(0.70710683f), lengths_apart(&pairs, middle) + put,
                         square, none};
        column_store_ones((float *)&poses->rows[p], GRAZEI_COLUMN, out);
    }
    grazei_mark_set(&poses->mark, joints->epoch);
}

/* The table of this pose. */
static inline const f4 *pair_poses(const grazei_skin *skin, const grazei_joints *joints)
{
    if (!grazei_mark_is_set(&joints->pair_poses->mark, joints->epoch))
        find_pair_poses(skin, joints);
    return joints->pair_poses->rows;
}

/* What the table says of a node. */
typedef struct quick_look {
    float extra;  /* at least how far blending takes vertices off linear blending's places */
    float square; /* the largest |q - q'|^2; extra is known where it is below 0.98 */
} quick_look;

static inline bool can_look_quickly(const grazei_joints *joints, const grazei_blend_node *record)
{
    return record->pair_count && record->first_reach != UINT32_MAX && joints->pair_poses &&
           !joints->scaled;
}

/* For shapes without morph targets. A vertex that both joints move is at most its reach from the
 * middle of the pair's ball, so they put it apart by no more than they put that middle apart and
 * |R - R'| times the reach. Then as in blended.h, but that spherical skinning needs nothing for
 * centres: docs/bounds.md, "Turned about the centre". Numbers of pairs up to
 * GRAZEI_MOST_QUICK_PAIRS.
 */
GRAZEI_INLINE quick_look look_quickly(const grazei_skin *skin, const grazei_joints *joints,
                                      const grazei_blend_node *record, bool spherical)
{
    const f4 *poses = pair_poses(skin, joints);
    const float(*rows)[4] = (const float(*)[4])skin->blend.reaches + record->first_reach;
    f4 place_sum = f4_zero(), place_most = place_sum, turn_sum = place_sum, turn_most = place_sum;
    f4 widest = place_sum, farthest = place_sum;
    for (uint32_t p = 0; p < record->pair_count; p += 4, rows += 4) {
        f4 turn = poses[f4_bits(rows[3][0])], off = poses[f4_bits(rows[3][1])];
        f4 square = poses[f4_bits(rows[3][2])], unused = poses[f4_bits(rows[3][3])];
        f4_transpose(&turn, &off, &square, &unused);
        f4 reach = off + turn * f4_load(rows[0]), reach2 = reach * reach;
        f4 place = f4_load(rows[spherical ? 2 : 1]) * reach2, turned = f4_load(rows[1]) * square;
        place_sum = place_sum + place;
        place_most = f4_max(place_most, place);
        turn_sum = turn_sum + turned;
        turn_most = f4_max(turn_most, turned);
        widest = f4_max(widest, square);
        farthest = f4_max(farthest, reach2);
    }
    f4 sums[4] = {place_sum, turn_sum, f4_zero(), f4_zero()};
    f4 mosts[4] = {place_most, turn_most, widest, farthest};
    f4_transpose(&sums[0], &sums[1], &sums[2], &sums[3]);
    f4_transpose(&mosts[0], &mosts[1], &mosts[2], &mosts[3]);
    f4 sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    f4 four = f4_max(f4_max(mosts[0], mosts[1]), f4_max(mosts[2], mosts[3]));
    float most = record->pairs_of_vertex, share = record->share;
    float grow = 1 + (float)(record->pair_count + 32) * GRAZEI_UNIT;
    float places = f1_min(sum[0], most * four[0]) * grow;
    float rotations = f1_min(f1_min(sum[1], most * four[1]), share * four[2]) * grow;
    /* At least 1 / |Q|, for rotations <= 1/2: (1 / sqrt(1 - x) - 1 - x / 2) / x^2 increases and is
     * less than 0.66 there. So |Q|^2 is at least 1/2.
     */
    float inverse = 1 + rotations * (0.5f + 0.7f * rotations);
    float size = joints->magnitude_length, influences = (float)skin->mesh->max_influences;
    float steps = 64 + (spherical ? 8 : 16) * influences, off;
    if (spherical) {
        f4 roots =
            f4_sqrt(f4_set((1.001f * places + record->pulled) * rotations, four[3], four[2], 0));
        /* How far apart the mean of a set is put, |R - R'| being at most 2 |q - q'|. */
        float apart = roots[1] + 2 * roots[2] * record->from_mean;
        off = roots[0] + 64 * GRAZEI_UNIT * (size + joints->reach_length);
        size = size + 2 * joints->reach_length + 100 * apart;
    } else {
        off = sqrtf(places * rotations);
    }
    quick_look look;
    look.extra = off * inverse * grow + steps * GRAZEI_UNIT * 4 * size;
    look.square = four[2];
    return look;
}

#endif
