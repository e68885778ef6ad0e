/* Brings a fine mesh of an implicit surface to a wanted number of well-shaped triangles. */
#ifndef GRAZE_SCENES_REMESH_H
#define GRAZE_SCENES_REMESH_H

#include "scenes/surface.h"

/* Reduces mesh to `triangles` (or as near as a closed manifold allows), with its vertices on the
 * surface and edges shorter where the flesh is thinner. False when out of memory; the mesh's
 * arrays are the pool's either way.
 */
bool grazei_synth_remesh(const grazei_synth_field *field, uint32_t triangles, double cell,
                         grazei_synth_pool *pool, grazei_synth_mesh *mesh);

#endif
