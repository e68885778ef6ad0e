/* The root of bodies with spherical or dual skinning, before rotations are made (rotations.h). What
 * is put off is only put off where this bounds the root. Included by *_kernels.c only.
 */
#ifndef GRAZEI_DEFORM_BOUND_ROOT_H
#define GRAZEI_DEFORM_BOUND_ROOT_H

#include "deform/blended.h"

/* Bounds the root by the maps as they came, so that bodies that are apart need no rotations. False
 * if joints turn so far that it is worth a closer look, by their rotations. The rotations and the
 * maps made of them count; with e the rough error, such a map takes a point x to within e |x| of
 * where the given one does, and the difference of two of them is off by 2 e.
 *
 * The record's bound is one of linear blending by the given maps (balls: by maps that take the
 * ball's centre there and turn as the rotations do). A vertex of one joint goes where they take it
 * (balls: to within e of its distance from the centre), and what others are off from there, beside
 * what blending adds, is e |x|.
 */
GRAZEI_INLINE bool bound_root(const grazei_skin *skin, const grazei_joints *joints,
                              grazei_bound *bound, float (*workspace)[4], const blend_kind *kind)
{
    const grazei_blend_node *record = &skin->blend.nodes[0];
    float error = joints->rough_error, off = 2 * error * joints->reach_length;
    /* Centres of balls are among rest positions, or nearly so. */
    lane_spread wide = find_lane_spread(skin, joints->given, 0, kind->centres, 2 * error, 2 * off);
    if (!(wide.square < 1))
        return false;
    blend_spread spread = spread_of_lanes(record, wide);
    float extra = kind->extra(skin, joints, 0, NULL, &spread);
    grazei_joints given = *joints;
    given.maps = joints->given;
    grazei_rough rough = grazei_evaluate(skin, &given, 0, NULL, workspace);
    if (spread.far && record->first_ball != UINT32_MAX && is_much(extra, skin, rough))
        return false;
    finish_blended(skin, joints, 0, rough, extra + off, bound);
    return true;
}

#endif
