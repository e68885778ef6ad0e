/* Which triangles of a model are neighbours, and where each of them is posed. */
#ifndef GRAZEI_MODEL_TOPOLOGY_H
#define GRAZEI_MODEL_TOPOLOGY_H

#include "model/model.h"

/* A weld is a position that vertices share at rest, whatever moves them, named by the first of
 * them.
 */
typedef struct grazei_topology {
    const grazei_mesh *mesh;
    uint32_t *welds;      /* of each vertex */
    uint32_t *first;      /* triangles at weld k: around[first[k]] up to around[first[k + 1]] */
    uint32_t *around;     /* a triangle with the weld twice is there twice */
    uint32_t (*slots)[2]; /* of each triangle: its patch, and its number there */
    bool closed;          /* graze_model_is_closed */
} grazei_topology;

/* Fills a zeroed topology. On failure the caller releases what is there. */
graze_status grazei_topology_build(grazei_topology *topology, const graze_model *model,
                                   const graze_allocator *allocator, graze_error *error);

void grazei_topology_release(grazei_topology *topology, const graze_allocator *allocator);

static inline uint32_t grazei_topology_weld(const grazei_topology *topology, uint32_t triangle,
                                            uint32_t corner)
{
    return topology->welds[topology->mesh->triangles[3 * (size_t)triangle + corner]];
}

#endif
