/* Two characters of one rig with fitted shapes, in random poses that overlap. */
#ifndef GRAZE_TESTS_SUPPORT_COUPLE_H
#define GRAZE_TESTS_SUPPORT_COUPLE_H

#include "harness.h"
#include "support/own.h"

#include <graze/ext/hitbox.h>
#include <graze/rig.h>

typedef struct couple {
    const graze_rig *rig;
    graze_model *model;
    graze_hitboxes *fit;
    graze_body *bodies[2];
    graze_capsule *volumes[2];
    float *positions[2];
    graze_posed_hitboxes sides[2];
} couple;

/* False, and a failed check, where it cannot be made. */
bool couple_open(couple *c, const graze_rig *rig, uint32_t fine_volumes);
void couple_close(couple *c);
OWN_VALUE(couple, couple_close)

/* Poses one of them: a moment of its first clip, joints turned by up to `turn` radians each, the
 * whole turned about a random axis through its middle, or upright, and moved by up to `apart`.
 */
bool couple_pose(couple *c, int which, double turn, bool upright, double apart,
                 test_random *random);

/* How deep the deepest vertex of one is inside the other, by looking at every vertex and every
 * triangle; 0 if none is inside. Bodies are closed.
 */
double couple_depth(couple *c);

#endif
