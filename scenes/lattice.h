/* From an implicit surface to a closed triangle mesh. */
#ifndef GRAZE_SCENES_LATTICE_H
#define GRAZE_SCENES_LATTICE_H

#include "scenes/field.h"

/* Triangles wound outwards; arrays from the pool. */
typedef struct grazei_synth_mesh {
    grazei_vec *positions;
    uint32_t vertex_count;
    uint32_t *triangles;
    uint32_t triangle_count;
    uint32_t *joints; /* that each vertex follows alone; NULL: weights are those of its place */
} grazei_synth_mesh;

/* Meshes the field's zero surface on a lattice of that spacing. The result is always a closed
 * 2-manifold; its triangles may be slivers. False when out of memory (also for an index beyond 32
 * bits).
 */
bool grazei_synth_mesh_field(const grazei_synth_field *field, double cell, grazei_synth_pool *pool,
                             grazei_synth_mesh *mesh);

#endif
