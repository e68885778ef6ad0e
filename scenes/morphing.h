/* From key poses of a skeleton to morph targets, and quadratic Bezier curves through them: how
 * Madera et al. 2017 (section 5.1) animate.
 */
#ifndef GRAZE_SCENES_MORPHING_H
#define GRAZE_SCENES_MORPHING_H

#include "scenes/plan.h"

#include <graze/rig.h>

/* Makes a morph target of every key pose, all positions as displacements from rest, and the clips
 * that go through them. The skeleton stands still. Memory is the rig's; false when out of memory.
 *
 * Between two key poses run two quadratic Bezier curves, so that the whole has no corners: from a
 * they leave, and b they reach, with the velocity of the chord between the poses before and behind
 * (none at the first and last), and they meet half way. A quadratic curve is a cubic one: as
 * CUBICSPLINE weights they are exact.
 */
bool grazei_synth_add_morphing(const grazei_synth_morphing *morphing,
                               const grazei_synth_skeleton *skeleton, graze_rig *rig);

#endif
