#include "mesh/joint_sets.h"

#include "base/assert.h"
#include "base/memory.h"

#include <string.h>

static uint32_t hash_joints(const graze_influence *influences, uint32_t count)
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ influences[i].joint) * 16777619u;
    return hash ^ hash >> 15;
}

static bool same_set(const grazei_mesh *mesh, uint32_t set, const graze_influence *influences,
                     uint32_t count)
{
    uint32_t first = mesh->set_offsets[set];
    if (mesh->set_offsets[set + 1] - first != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (mesh->set_joints[first + i] != influences[i].joint)
            return false;
    return true;
}

/* The set of these joints, found in or added to the open-addressing table. */
static uint32_t find_or_add(grazei_mesh *mesh, uint32_t *table, uint32_t mask,
                            const graze_influence *influences, uint32_t count)
{
    uint32_t slot = hash_joints(influences, count) & mask;
    while (table[slot] != UINT32_MAX && !same_set(mesh, table[slot], influences, count))
        slot = (slot + 1) & mask;
    if (table[slot] != UINT32_MAX)
        return table[slot];
    uint32_t set = table[slot] = mesh->set_count++;
    GRAZE_ASSERT(mesh->set_count <= mesh->vertex_count);
    uint32_t first = mesh->set_offsets[set];
    GRAZE_ASSERT(first + count <= mesh->influence_offsets[mesh->vertex_count]);
    for (uint32_t i = 0; i < count; i++)
        mesh->set_joints[first + i] = influences[i].joint;
    mesh->set_offsets[set + 1] = first + count;
    return set;
}

bool grazei_find_joint_sets(grazei_mesh *mesh, const graze_allocator *allocator)
{
    uint32_t table_size = 16;
    while (table_size < 2 * mesh->vertex_count)
        table_size *= 2;
    uint32_t *table = GRAZEI_ALLOCATE(allocator, table_size, uint32_t);
    mesh->vertex_set = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    mesh->set_offsets = GRAZEI_ALLOCATE(allocator, mesh->vertex_count + 1, uint32_t);
    mesh->set_joints =
        GRAZEI_ALLOCATE(allocator, mesh->influence_offsets[mesh->vertex_count], uint32_t);
    bool ok = table && mesh->vertex_set && mesh->set_offsets && mesh->set_joints;
    if (ok) {
        memset(table, 0xff, table_size * sizeof *table);
        mesh->set_offsets[0] = 0;
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            uint32_t first = mesh->influence_offsets[v];
            mesh->vertex_set[v] = find_or_add(mesh, table, table_size - 1, mesh->influences + first,
                                              mesh->influence_offsets[v + 1] - first);
        }
    }
    grazei_release(allocator, table);
    return ok;
}
