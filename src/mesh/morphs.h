/* Morph targets, checked and brought into one form. */
#ifndef GRAZEI_MESH_MORPHS_H
#define GRAZEI_MESH_MORPHS_H

#include "mesh/mesh.h"

/* Fills the morph fields of a mesh whose other fields are there. */
graze_status grazei_morphs_build(grazei_mesh *mesh, const graze_model_def *def,
                                 const graze_allocator *allocator, graze_error *error);

/* How target m displaces a vertex, 3 floats; NULL: not at all. */
const float *grazei_morph_displacement(const grazei_mesh *mesh, uint32_t m, uint32_t vertex);

/* Which targets move a vertex: entries offsets[v] .. offsets[v + 1], ascending by target. */
typedef struct grazei_morph_index {
    uint32_t *offsets;
    uint32_t *targets;
    uint32_t *deltas; /* into the mesh's morph_deltas */
} grazei_morph_index;

/* Fills a zeroed index. False when out of memory; it is released in either case. */
bool grazei_morph_index_build(grazei_morph_index *index, const grazei_mesh *mesh,
                              const graze_allocator *allocator);
void grazei_morph_index_release(grazei_morph_index *index, const graze_allocator *allocator);

#endif
