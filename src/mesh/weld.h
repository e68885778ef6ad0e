/* Vertices that cannot part: one vertex to a person, several to a file. */
#ifndef GRAZEI_MESH_WELD_H
#define GRAZEI_MESH_WELD_H

#include "mesh/mesh.h"

/* Fills mesh->welds of a mesh whose other fields are there: include/graze/self.h says which
 * vertices are one. same_joints: of each joint the one that it is, or NULL. False when out of
 * memory.
 */
bool grazei_weld(grazei_mesh *mesh, const uint32_t *same_joints, const graze_allocator *allocator);

/* For each position the first one at the same place, whatever moves them; NULL when out of memory.
 */
uint32_t *grazei_weld_places(const float *positions, uint32_t vertex_count,
                             const graze_allocator *allocator);

/* Whether two triangles share a vertex, or two that cannot part. */
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
