/* Fields of the kinds of things that are simulated, found with graze/numerics.h; without it,
 * simulate_fields_absent.c refuses.
 */
#ifndef GRAZE_CLI_SIMULATE_FIELDS_H
#define GRAZE_CLI_SIMULATE_FIELDS_H

#include "cli/simulate_kinds.h"

/* A thin sheet, SI units, and how many of its modes are wanted. */
typedef struct simulate_sheet {
    double thickness, young, poisson, density;
    double damping; /* share of critical damping, of every mode */
    uint32_t mode_count;
} simulate_sheet;

/* The lowest vibration modes of a mesh that is free: makes kind->rig with them as morph targets,
 * and fills in what the kind knows of each but strains. positions are 3 floats a vertex.
 */
graze_status simulate_find_modes(const simulate_sheet *sheet, const float *positions,
                                 const graze_rig *mesh, double most_frequency, simulate_kind *kind,
                                 graze_error *error);

/* The principal components of frames (kind->frame_count of them, 3 floats a vertex): makes
 * kind->rig with them as morph targets, weights, motion, and how near they are.
 */
graze_status simulate_find_components(const float *frames, uint32_t most, const graze_rig *mesh,
                                      simulate_kind *kind, graze_error *error);

/* A rig like mesh (its triangles, one node and joint) with room for fields and clips, positions
 * and all values zero.
 */
graze_rig *simulate_make_rig(const graze_rig *mesh, const char *name, uint32_t field_count,
                             const char *clip, uint32_t key_count, bool moves);

#endif
