/* The rest pose: where a model's vertices are in it, by the very operations of linear blending. */
#ifndef GRAZEI_MESH_REST_H
#define GRAZEI_MESH_REST_H

#include "mesh/mesh.h"

/* Fills rest_positions, rest_matrices and rest_weights of a mesh whose other fields are there;
 * none if the def's rest is every joint at the identity and no morph target.
 */
graze_status grazei_rest_build(grazei_mesh *mesh, const graze_model_def *def,
                               const graze_allocator *allocator, graze_error *error);

/* A vertex moved by the morph targets as they are at rest, before its joints move it. */
void grazei_rest_morphed(const grazei_mesh *mesh, uint32_t vertex, float position[3]);

#endif
