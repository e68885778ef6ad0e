/* From the displacement fields of a plan to the morph targets of a rig. */
#ifndef GRAZE_SCENES_MODES_H
#define GRAZE_SCENES_MODES_H

#include "scenes/plan.h"

#include <graze/rig.h>

/* Makes the modes' morph targets from the rig's positions, leaving out what stands still, and makes
 * the clip of their weights, the rig's only one. Memory is the rig's; false when out of memory.
 */
bool grazei_synth_add_modes(const grazei_synth_modes *modes, graze_rig *rig);

/* A smooth step: 0 up to low, 1 from high on. */
static inline double grazei_synth_ramp(double value, double low, double high)
{
    double t = vec_clamp((value - low) / (high - low), 0, 1);
    return t * t * (3 - 2 * t);
}

#endif
