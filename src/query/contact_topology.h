/* Which triangles of a model are neighbours, and where each of them is posed. */
#ifndef GRAZEI_QUERY_CONTACT_TOPOLOGY_H
#define GRAZEI_QUERY_CONTACT_TOPOLOGY_H

#include "body/body.h"

/* Vertices in one place at rest are one knot, named by the first of them (model/weld.h). */
typedef struct grazei_topology {
    const grazei_mesh *mesh;
    uint32_t *first;       /* triangles at knot k: around[first[k]] up to around[first[k + 1]] */
    uint32_t *around;      /* a triangle with the knot twice is there twice */
    uint32_t (*places)[2]; /* of each triangle: its patch, and where it is in patch_triangles */
    bool closed;           /* graze_model_is_closed */
} grazei_topology;

/* Fills a zeroed topology. On failure the caller releases what is there. */
graze_status grazei_topology_build(grazei_topology *topology, const graze_model *model,
                                   const graze_allocator *allocator, graze_error *error);

void grazei_topology_release(grazei_topology *topology, const graze_allocator *allocator);

static inline uint32_t grazei_topology_knot(const grazei_topology *topology, uint32_t triangle,
                                            uint32_t corner)
{
    return topology->mesh->welds[topology->mesh->triangles[3 * (size_t)triangle + corner]];
}

/* A corner of a triangle as it is posed now; its patch is posed if need be. */
static inline const float *grazei_topology_corner(const grazei_topology *topology, graze_body *body,
                                                  uint32_t triangle, uint32_t corner,
                                                  graze_stats *stats)
{
    const grazei_tree *tree = &body->model->tree;
    const uint32_t *place = topology->places[triangle];
    grazei_body_patch(body, place[0], stats);
    return body->vertices[tree->patches[place[0]].first_vertex + tree->corners[place[1]][corner]];
}

#endif
