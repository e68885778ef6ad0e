/* From the motion tables of a plan to the clips of a rig. */
#ifndef GRAZE_SCENES_MOTION_H
#define GRAZE_SCENES_MOTION_H

#include "scenes/plan.h"

#include <graze/rig.h>

/* Makes the plan's clips in the rig, whose nodes are the skeleton's joints. Memory is the rig's
 * own; false when out of it, with the rig fit for graze_rig_destroy.
 */
bool grazei_synth_add_clips(const grazei_synth_plan *plan, const grazei_synth_skeleton *skeleton,
                            graze_rig *rig);

#endif
