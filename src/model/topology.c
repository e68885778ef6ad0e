#include "model/topology.h"

#include "base/memory.h"
#include "base/status.h"
#include "mesh/weld.h"

static void fill_around(grazei_topology *topology)
{
    const grazei_mesh *mesh = topology->mesh;
    uint32_t *first = topology->first;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (uint32_t c = 0; c < 3; c++)
            first[grazei_topology_weld(topology, t, c) + 1]++;
    for (uint32_t k = 0; k < mesh->vertex_count; k++)
        first[k + 1] += first[k];
    for (uint32_t t = mesh->triangle_count; t-- > 0;)
        for (uint32_t c = 0; c < 3; c++)
            topology->around[--first[grazei_topology_weld(topology, t, c) + 1]] = t;
    /* Every entry is now where its weld starts, one place behind where it belongs. */
    memmove(first, first + 1, mesh->vertex_count * sizeof *first);
    first[mesh->vertex_count] = 3 * mesh->triangle_count;
}

static void fill_slots(grazei_topology *topology, const grazei_tree *tree)
{
    for (uint32_t p = 0; p < tree->patch_count; p++)
        for (uint32_t i = 0; i < tree->patches[p].triangle_count; i++) {
            uint32_t triangle = tree->patch_triangles[tree->patches[p].first_triangle + i];
            topology->slots[triangle][0] = p;
            topology->slots[triangle][1] = i;
        }
}

graze_status grazei_topology_build(grazei_topology *topology, const graze_model *model,
                                   const graze_allocator *allocator, graze_error *error)
{
    const grazei_mesh *mesh = &model->mesh;
    topology->mesh = mesh;
    topology->welds = grazei_weld_places(grazei_mesh_rest(mesh), mesh->vertex_count, allocator);
    topology->first = GRAZEI_ALLOCATE_ZERO(allocator, (size_t)mesh->vertex_count + 1, uint32_t);
    topology->around = GRAZEI_ALLOCATE(allocator, 3 * (size_t)mesh->triangle_count, uint32_t);
    topology->slots = grazei_allocate(allocator, mesh->triangle_count, sizeof *topology->slots);
    if (!topology->welds || !topology->first || !topology->around || !topology->slots)
        return grazei_fail_memory(error);
    fill_around(topology);
    fill_slots(topology, &model->tree);
    return graze_model_is_closed(model, &topology->closed, error);
}

void grazei_topology_release(grazei_topology *topology, const graze_allocator *allocator)
{
    grazei_release(allocator, topology->welds);
    grazei_release(allocator, topology->first);
    grazei_release(allocator, topology->around);
    grazei_release(allocator, topology->slots);
}
