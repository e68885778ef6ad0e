/* Poses of the skeleton, and legs that step. */
#ifndef GRAZE_SCENES_GAIT_H
#define GRAZE_SCENES_GAIT_H

#include "scenes/plan.h"

typedef struct grazei_synth_turn { /* a unit quaternion */
    double x, y, z, w;
} grazei_synth_turn;

/* Every joint's rotation and displacement against the rest pose, in its parent's frame. */
typedef struct grazei_synth_pose {
    grazei_synth_turn turns[GRAZEI_SYNTH_MAX_JOINTS];
    grazei_vec moves[GRAZEI_SYNTH_MAX_JOINTS];
} grazei_synth_pose;

/* Sine of so many turns (1 is a full circle), the same bits everywhere; error below 1e-15. */
double grazei_synth_sine(double turns);

/* Rotation by degrees about z first, then y, then x. */
grazei_synth_turn grazei_synth_turn_by(grazei_vec degrees);

/* Twists about axis (unit) by degrees, then does turn. */
grazei_synth_turn grazei_synth_twist(grazei_synth_turn turn, grazei_vec axis, double degrees);

/* Bends the plan's legs so that the feet step (or stand), at a time given in strides. turned[j] is
 * set for every joint that the legs move.
 */
void grazei_synth_step(const grazei_synth_plan *plan, const grazei_synth_clip_row *clip,
                       const grazei_synth_skeleton *skeleton, double time, grazei_synth_pose *pose,
                       bool *turned);

/* The height of the lowest heel or end of a joint's capsule in a pose. */
double grazei_synth_lowest(const grazei_synth_plan *plan, const grazei_synth_skeleton *skeleton,
                           const grazei_synth_pose *pose);

#endif
