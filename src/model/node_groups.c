/* Which groups there are below each node, found once from the leaves up. */
#include "base/assert.h"
#include "base/memory.h"
#include "model/model.h"

/* Adds a group to a node's, of which there are *count; false: they are too many. */
static bool add_group(uint32_t *groups, uint32_t *count, uint32_t group)
{
    for (uint32_t i = 0; i < *count; i++)
        if (groups[i] == group)
            return true;
    if (*count == GRAZEI_MOST_NODE_GROUPS)
        return false;
    GRAZE_ASSERT(*count < GRAZEI_MOST_NODE_GROUPS);
    groups[(*count)++] = group;
    return true;
}

/* Returns how many there are, 0: too many. */
static uint32_t groups_of_leaf(const grazei_mesh *mesh, const grazei_tree *tree, grazei_node node,
                               uint32_t *groups)
{
    const grazei_patch *patch = &tree->patches[node.first];
    uint32_t count = 0;
    for (uint32_t t = 0; t < patch->triangle_count; t++) {
        uint32_t triangle = tree->patch_triangles[patch->first_triangle + t];
        if (!add_group(groups, &count, mesh->triangle_parts[triangle]))
            return 0;
    }
    return count;
}

static uint32_t groups_of_node(const grazei_node_groups *lists, grazei_node node, uint32_t *groups)
{
    uint32_t count = 0;
    for (uint32_t child = node.first; child < node.first + node.count; child++) {
        if (!lists->counts[child])
            return 0;
        for (uint32_t i = 0; i < lists->counts[child]; i++)
            if (!add_group(groups, &count, lists->groups[lists->first[child] + i]))
                return 0;
    }
    return count;
}

bool grazei_node_groups_build(grazei_node_groups *lists, const grazei_mesh *mesh,
                              const grazei_tree *tree, const graze_allocator *allocator)
{
    lists->first = GRAZEI_ALLOCATE(allocator, tree->node_count, uint32_t);
    lists->counts = GRAZEI_ALLOCATE(allocator, tree->node_count, uint8_t);
    if (!lists->first || !lists->counts)
        return false;
    for (uint32_t n = tree->node_count; n-- > 0;) { /* children stand behind their parents */
        uint32_t groups[GRAZEI_MOST_NODE_GROUPS];
        grazei_node node = tree->nodes[n];
        uint32_t count = node.count ? groups_of_node(lists, node, groups)
                                    : groups_of_leaf(mesh, tree, node, groups);
        uint32_t *larger = grazei_grow(allocator, lists->groups, &lists->capacity,
                                       lists->count + count + 1, sizeof *larger);
        if (!larger)
            return false;
        lists->groups = larger;
        lists->first[n] = (uint32_t)lists->count;
        GRAZE_ASSERT(count <= GRAZEI_MOST_NODE_GROUPS);
        lists->counts[n] = (uint8_t)count;
        for (uint32_t i = 0; i < count; i++)
            lists->groups[lists->count++] = groups[i];
    }
    return true;
}

void grazei_node_groups_release(grazei_node_groups *lists, const graze_allocator *allocator)
{
    grazei_release(allocator, lists->first);
    grazei_release(allocator, lists->counts);
    grazei_release(allocator, lists->groups);
}
