/* Reduces a surface to few triangles while keeping its shape. */
#ifndef GRAZE_SCENES_DECIMATE_H
#define GRAZE_SCENES_DECIMATE_H

#include "scenes/surface.h"

/* Collapses edges until `triangles` are left (or as near as the manifold allows), cheapest first.
 * New vertices go where they fit the old surface best, so that thin and pointed parts keep their
 * size. False when out of memory.
 */
bool grazei_synth_decimate(grazei_synth_surface *surface, uint32_t triangles,
                           grazei_synth_pool *pool);

#endif
