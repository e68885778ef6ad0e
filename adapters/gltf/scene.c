/* The node tree: parents, and the order in which a scene is walked. */
#include "reader.h"

static graze_status set_parents(grazei_gltf_reader *reader)
{
    for (uint32_t i = 0; i < reader->nodes.count; i++) {
        grazei_gltf_place place = grazei_gltf_at("nodes[%u].children", i);
        const cJSON *children, *item;
        uint32_t count, child;
        GRAZEI_GLTF_TRY(grazei_gltf_array(reader, reader->nodes.items[i], "children", place.text,
                                          &children, &count));
        cJSON_ArrayForEach(item, children)
        {
            GRAZEI_GLTF_TRY(
                grazei_gltf_index_value(reader, item, place.text, reader->nodes.count, &child));
            uint32_t *parent = &reader->rig->nodes[child].parent;
            if (*parent != GRAZE_NONE)
                return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                        "nodes[%u]: is a child of nodes %u and %u", child, *parent,
                                        i);
            *parent = i;
        }
    }
    return GRAZE_OK;
}

static void reverse(uint32_t *items, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t other = items[count - 1 - i];
        items[count - 1 - i] = items[i];
        items[i] = other;
    }
}

/* Lists what hangs below the nodes on the stack, the top one first, depth first, children in file
 * order; returns how many. Each node has one parent, so stack and list hold at most all nodes.
 */
static uint32_t walk(const grazei_gltf_reader *reader, uint32_t *stack, uint32_t height,
                     uint32_t *list)
{
    uint32_t listed = 0;
    while (height > 0) {
        uint32_t node = stack[--height], first = height;
        const cJSON *children = grazei_gltf_member(reader->nodes.items[node], "children"), *item;
        list[listed++] = node;
        cJSON_ArrayForEach(item, children) stack[height++] = (uint32_t)item->valuedouble;
        reverse(stack + first, height - first);
    }
    return listed;
}

/* Puts every root on the stack, the first on top. */
static uint32_t stack_roots(const grazei_gltf_reader *reader, uint32_t *stack)
{
    uint32_t height = 0;
    for (uint32_t i = reader->nodes.count; i-- > 0;)
        if (reader->rig->nodes[i].parent == GRAZE_NONE)
            stack[height++] = i;
    return height;
}

/* With one parent each, a node that cannot be reached from a root is on or below a cycle. */
static graze_status refuse_cycles(grazei_gltf_reader *reader, uint32_t *stack)
{
    uint32_t listed = walk(reader, stack, stack_roots(reader, stack), reader->scene_nodes);
    if (listed == reader->nodes.count)
        return GRAZE_OK;
    uint32_t node = 0;
    bool *reached = grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_DELTAS, reader->nodes.count, 1);
    if (!reached)
        return GRAZE_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < reader->nodes.count; i++)
        reached[i] = false;
    for (uint32_t i = 0; i < listed; i++)
        reached[reader->scene_nodes[i]] = true;
    while (reached[node])
        node++;
    for (uint32_t i = 0; i < reader->nodes.count; i++)
        node = reader->rig->nodes[node].parent; /* from below a cycle onto it */
    return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "nodes[%u]: is its own ancestor", node);
}

/* Puts the scene's own nodes on the stack, the first on top. */
static graze_status stack_scene(grazei_gltf_reader *reader, uint32_t scene, uint32_t *stack,
                                uint32_t *height)
{
    grazei_gltf_place place = grazei_gltf_at("scenes[%u].nodes", scene);
    const cJSON *nodes, *item;
    uint32_t count, filled = 0;
    GRAZEI_GLTF_TRY(grazei_gltf_array(reader, reader->scenes.items[scene], "nodes", place.text,
                                      &nodes, &count));
    if (count > reader->nodes.count)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: lists %u of %u nodes", place.text,
                                count, reader->nodes.count);
    bool *seen = grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_DELTAS, reader->nodes.count, 1);
    if (!seen)
        return GRAZE_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < reader->nodes.count; i++)
        seen[i] = false;
    cJSON_ArrayForEach(item, nodes)
    {
        uint32_t node;
        GRAZEI_GLTF_TRY(
            grazei_gltf_index_value(reader, item, place.text, reader->nodes.count, &node));
        if (seen[node] || reader->rig->nodes[node].parent != GRAZE_NONE)
            return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: node %u %s", place.text, node,
                                    seen[node] ? "is listed twice" : "is the child of another");
        seen[node] = true;
        stack[filled++] = node;
    }
    reverse(stack, filled);
    *height = filled;
    return GRAZE_OK;
}

graze_status grazei_gltf_read_tree(grazei_gltf_reader *reader)
{
    uint32_t scene, height = 0;
    uint32_t *stack =
        grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_NODES, reader->nodes.count, sizeof *stack);
    reader->scene_nodes =
        grazei_gltf_allocate(reader, reader->nodes.count, sizeof *reader->scene_nodes);
    if (!stack || !reader->scene_nodes)
        return GRAZE_OUT_OF_MEMORY;
    GRAZEI_GLTF_TRY(set_parents(reader));
    GRAZEI_GLTF_TRY(refuse_cycles(reader, stack));
    GRAZEI_GLTF_TRY(grazei_gltf_index(reader, reader->json, "scene", "top level",
                                      reader->scenes.count, &scene));
    if (scene == GRAZE_NONE && reader->scenes.count > 0)
        scene = 0;
    if (scene == GRAZE_NONE)
        height = stack_roots(reader, stack);
    else
        GRAZEI_GLTF_TRY(stack_scene(reader, scene, stack, &height));
    reader->scene_node_count = walk(reader, stack, height, reader->scene_nodes);
    return GRAZE_OK;
}
