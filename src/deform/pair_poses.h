/* What two joints that act together do in a pose, found once for all nodes: how far
 * they turn apart, and how far apart they put the middle of the pair's ball of centres. From that a
 * node is told how far blending takes its vertices off linear blending's places, a little more than
 * by looking at each pair's own ball (blended.h), in a fraction of the time. Included by blended.h
 * only.
 */
#ifndef GRAZEI_DEFORM_PAIR_POSES_H
#define GRAZEI_DEFORM_PAIR_POSES_H

#include "deform/spread_lanes.h"

/* Rows: { at least |R - R'|, at least how far apart the two put the middle of pair_centre, at least
 * |q - q'|^2 of their quaternions, or 4 where they turn too far, - }.
 */
static __attribute__((noinline)) void find_pair_poses(const grazei_skin *skin,
                                                      const grazei_joints *joints)
{
    grazei_pair_poses *poses = joints->pair_poses;
    if (!grazei_mark_claim(&poses->mark, joints->epoch))
        return;
    const float(*rows)[4] = (const float(*)[4])skin->blend.pair_rows;
    for (uint32_t p = 0; p < skin->blend.pair_count; p += GRAZEI_COLUMN) {
        pair_columns pairs = load_pairs(skin, joints->maps, rows + 2 * (size_t)p, false);
        column norm = norms_apart(&pairs), sine2 = norm * norm * column_all(0.125f);
        column turn = norm * column_all(0.70710683f);
        column most = column_all(MOST_SINE2), none = column_all(0);
        column out[4] = {turn, apart_at(&pairs, pairs.ball, none),
                         column_select(sine2 <= most, squares_at(sine2), column_all(4)), none};
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
