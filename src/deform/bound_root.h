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
    quick_look look = look_quickly(skin, joints, &skin->blend.nodes[0], kind->centres);
    float off = 2 * joints->rough_error * joints->reach_length;
    grazei_joints given = *joints;
    given.maps = joints->given;
    grazei_rough rough = grazei_evaluate(skin, &given, 0, NULL, workspace);
    if (!is_enough(&look, skin, rough))
        return false;
    finish_blended(skin, joints, 0, rough, look.extra + off, bound);
    return true;
}

#endif
