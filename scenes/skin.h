/* Skin weights: which joints move a vertex, and how much. */
#ifndef GRAZE_SCENES_SKIN_H
#define GRAZE_SCENES_SKIN_H

#include "scenes/lattice.h"

enum { GRAZEI_SYNTH_INFLUENCES = 4 };

/* The joints of one vertex, ascending; weights sum to 1. */
typedef struct grazei_synth_skin {
    uint32_t joints[GRAZEI_SYNTH_INFLUENCES];
    double weights[GRAZEI_SYNTH_INFLUENCES];
    uint32_t count;
} grazei_synth_skin;

/* Weights of every vertex from the joints' capsules, smooth over the surface, each a function of
 * the place alone. skins holds mesh->vertex_count.
 */
void grazei_synth_bind(const grazei_synth_skeleton *skeleton, const grazei_synth_mesh *mesh,
                       grazei_synth_skin *skins);

/* Cuts every triangle into four at its edges' midpoints, whose weights are the mean of the edge's
 * ends (largest four kept). The old vertices come first and stay as they are. Takes the old arrays
 * and gives them back. False when out of memory.
 */
bool grazei_synth_subdivide(grazei_synth_pool *pool, grazei_synth_mesh *mesh,
                            grazei_synth_skin **skins);

#endif
