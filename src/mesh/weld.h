/* Vertices that lie at the same place at rest: one vertex to a person, several to a file. */
#ifndef GRAZEI_MESH_WELD_H
#define GRAZEI_MESH_WELD_H

#include "mesh/mesh.h"

/* Fills mesh->welds. False when out of memory. */
bool grazei_weld(grazei_mesh *mesh, const graze_allocator *allocator);

/* Whether two triangles share a vertex position at rest. */
static inline bool grazei_are_neighbours(const grazei_mesh *mesh, uint32_t a, uint32_t b)
{
    const uint32_t *corners_a = mesh->triangles + 3 * (size_t)a;
    const uint32_t *corners_b = mesh->triangles + 3 * (size_t)b;
    bool shared = false;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            shared |= mesh->welds[corners_a[i]] == mesh->welds[corners_b[k]];
    return shared;
}

#endif
