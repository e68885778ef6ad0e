/* Morph targets, checked and brought into one form. */
#ifndef GRAZEI_MESH_MORPHS_H
#define GRAZEI_MESH_MORPHS_H

#include "mesh/mesh.h"

/* Fills the morph fields of a mesh whose other fields are there. */
graze_status grazei_morphs_build(grazei_mesh *mesh, const graze_model_def *def,
                                 const graze_allocator *allocator, graze_error *error);

/* How target m displaces a vertex, 3 floats; NULL: not at all. */
const float *grazei_morph_displacement(const grazei_mesh *mesh, uint32_t m, uint32_t vertex);

#endif
