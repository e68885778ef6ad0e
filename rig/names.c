/* Names for nodes that have none. */
#include "sample.h"

#include <string.h>

static bool has_name(const graze_rig_node *node)
{
    return node->name && *node->name;
}

static bool all_have_names(const graze_rig *rig)
{
    for (uint32_t n = 0; n < rig->node_count; n++)
        if (!has_name(&rig->nodes[n]))
            return false;
    return true;
}

/* Nodes as parts, which know what to call one without a name; those at the top are inside one more,
 * called "node".
 */
graze_status grazei_rig_paths(const graze_rig *rig, graze_part_names **paths, graze_error *error)
{
    uint32_t count = rig->node_count;
    *paths = NULL;
    if (all_have_names(rig))
        return GRAZE_OK;
    graze_part_def *defs = grazei_rig_allocate(rig, (size_t)count + 1, sizeof *defs);
    if (!defs)
        return grazei_rig_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    for (uint32_t n = 0; n < count; n++) {
        uint32_t parent = rig->nodes[n].parent;
        defs[n] = (graze_part_def){
            .name = rig->nodes[n].name, .inside = true, .parent = parent < count ? parent : count};
    }
    defs[count] = (graze_part_def){.name = "node"};
    const graze_part_names_def def = {
        .allocator = &rig->allocator, .parts = defs, .part_count = count + 1};
    graze_status status = graze_part_names_create(&def, paths, error);
    grazei_rig_release(rig, defs);
    return status;
}

graze_status graze_rig_name_nodes(graze_rig *rig, graze_error *error)
{
    graze_part_names *paths;
    if (!rig)
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "the rig is NULL");
    graze_status status = grazei_rig_paths(rig, &paths, error);
    for (uint32_t n = 0; !status && paths && n < rig->node_count; n++) {
        graze_rig_node *node = &rig->nodes[n];
        if (has_name(node))
            continue;
        size_t size = strlen(graze_part_name(paths, n)) + 1;
        char *name = grazei_rig_allocate(rig, size, 1);
        if (!name) {
            status = grazei_rig_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
            continue;
        }
        grazei_rig_release(rig, node->name);
        node->name = memcpy(name, graze_part_name(paths, n), size);
    }
    graze_part_names_destroy(paths);
    return status;
}
