/* The node tree of the written file. */
#include "writer.h"

#include <string.h>

static uint32_t *allocate_indices(grazei_gltf_writer *writer, size_t count)
{
    const graze_allocator *allocator = &writer->allocator;
    uint32_t *indices = NULL;
    if (count <= SIZE_MAX / sizeof *indices)
        indices = allocator->allocate(allocator->user, count * sizeof *indices, 64);
    for (size_t i = 0; indices && i < count; i++)
        indices[i] = GRAZE_NONE;
    return indices;
}

void grazei_gltf_free_plan(grazei_gltf_writer *writer)
{
    const graze_allocator *allocator = &writer->allocator;
    void *const arrays[] = {writer->plan.parents, writer->plan.first_child,
                            writer->plan.next_sibling, writer->plan.joint_nodes};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (arrays[i])
            allocator->release(allocator->user, arrays[i]);
    writer->plan = (grazei_gltf_node_plan){.count = 0};
}

/* Gives every joint a node of its own. */
static void place_joints(grazei_gltf_writer *writer)
{
    const graze_rig *rig = writer->rig;
    grazei_gltf_node_plan *plan = &writer->plan;
    uint32_t *taken = plan->first_child; /* not in use yet */
    for (uint32_t j = 0; j < rig->joint_count; j++) {
        uint32_t node = rig->joints[j].node;
        if (taken[node] == GRAZE_NONE) {
            taken[node] = 0;
            plan->joint_nodes[j] = node;
        } else {
            plan->parents[plan->count] = node;
            plan->joint_nodes[j] = plan->count++;
        }
    }
    for (uint32_t i = 0; i < rig->node_count; i++)
        taken[i] = GRAZE_NONE;
}

static graze_status place_roots(grazei_gltf_writer *writer)
{
    const graze_rig *rig = writer->rig;
    grazei_gltf_node_plan *plan = &writer->plan;
    uint32_t roots = 0;
    for (uint32_t i = 0; i < rig->node_count; i++) {
        plan->parents[i] = rig->nodes[i].parent;
        if (plan->parents[i] != GRAZE_NONE && plan->parents[i] >= rig->node_count)
            return grazei_gltf_refuse(writer, GRAZE_BAD_INPUT, "node %u: parent %u of %u", i,
                                      plan->parents[i], rig->node_count);
        roots += plan->parents[i] == GRAZE_NONE;
    }
    if (roots < 2)
        return GRAZE_OK;
    for (uint32_t i = 0; i < rig->node_count; i++)
        if (plan->parents[i] == GRAZE_NONE)
            plan->parents[i] = plan->count;
    plan->count++;
    return GRAZE_OK;
}

static void link_children(grazei_gltf_node_plan *plan)
{
    for (uint32_t i = plan->count; i-- > 0;) {
        uint32_t parent = plan->parents[i] == GRAZE_NONE ? plan->count : plan->parents[i];
        plan->next_sibling[i] = plan->first_child[parent];
        plan->first_child[parent] = i;
    }
}

/* Nodes that are reached from the roots; those on and below a cycle are not. */
static uint32_t count_reached(const grazei_gltf_node_plan *plan)
{
    uint32_t reached = 0, node = plan->first_child[plan->count];
    while (node != GRAZE_NONE) {
        reached++;
        if (plan->first_child[node] != GRAZE_NONE) {
            node = plan->first_child[node];
            continue;
        }
        while (node != GRAZE_NONE && plan->next_sibling[node] == GRAZE_NONE)
            node = plan->parents[node];
        if (node != GRAZE_NONE)
            node = plan->next_sibling[node];
    }
    return reached;
}

graze_status grazei_gltf_plan_nodes(grazei_gltf_writer *writer)
{
    const graze_rig *rig = writer->rig;
    grazei_gltf_node_plan *plan = &writer->plan;
    size_t most = (size_t)rig->node_count + rig->joint_count + 2;
    plan->parents = allocate_indices(writer, most);
    plan->first_child = allocate_indices(writer, most);
    plan->next_sibling = allocate_indices(writer, most);
    plan->joint_nodes = allocate_indices(writer, rig->joint_count);
    if (!plan->parents || !plan->first_child || !plan->next_sibling || !plan->joint_nodes)
        return grazei_gltf_refuse(writer, GRAZE_OUT_OF_MEMORY, "out of memory");
    plan->count = rig->node_count;
    place_joints(writer);
    graze_status status = place_roots(writer);
    if (status != GRAZE_OK)
        return status;
    link_children(plan);
    if (count_reached(plan) != plan->count)
        return grazei_gltf_refuse(writer, GRAZE_BAD_INPUT, "a node is its own ancestor");
    return GRAZE_OK;
}

static void write_children(grazei_gltf_writer *writer, uint32_t node)
{
    const grazei_gltf_node_plan *plan = &writer->plan;
    const char *separator = "\"children\":[";
    for (uint32_t i = plan->first_child[node]; i != GRAZE_NONE; i = plan->next_sibling[i]) {
        grazei_gltf_print(&writer->json, "%s%u", separator, writer->first_node + i);
        separator = ",";
    }
    grazei_gltf_print(&writer->json, "]");
}

/* One member, led by a comma unless it is the object's first. */
static void write_numbers(grazei_gltf_writer *writer, bool *first, const char *key,
                          const float *values, uint32_t count)
{
    grazei_gltf_print(&writer->json, "%s\"%s\":", *first ? "" : ",", key);
    grazei_gltf_put_numbers(&writer->json, values, count);
    *first = false;
}

static void write_map(grazei_gltf_writer *writer, const graze_rig_node *node, bool *first)
{
    static const float none[3], upright[4] = {0, 0, 0, 1}, ones[3] = {1, 1, 1};
    if (node->has_matrix) {
        float columns[16] = {[15] = 1};
        for (int i = 0; i < 12; i++)
            columns[i % 4 * 4 + i / 4] = node->matrix[i];
        write_numbers(writer, first, "matrix", columns, 16);
        return;
    }
    if (memcmp(node->translation, none, sizeof none) != 0)
        write_numbers(writer, first, "translation", node->translation, 3);
    if (memcmp(node->rotation, upright, sizeof upright) != 0)
        write_numbers(writer, first, "rotation", node->rotation, 4);
    if (memcmp(node->scale, ones, sizeof ones) != 0)
        write_numbers(writer, first, "scale", node->scale, 3);
}

static void write_name(grazei_gltf_writer *writer, const char *name)
{
    grazei_gltf_bytes *text = &writer->channels;
    text->size = 0;
    if (writer->prefix) {
        grazei_gltf_put(text, writer->prefix, strlen(writer->prefix));
        grazei_gltf_put(text, ":", 1);
    }
    grazei_gltf_put(text, name, strlen(name) + 1);
    grazei_gltf_print(&writer->json, "\"name\":");
    grazei_gltf_put_string(&writer->json, text->failed ? "" : (const char *)text->data);
}

static void write_node(grazei_gltf_writer *writer, uint32_t index, uint32_t mesh)
{
    bool first = true;
    grazei_gltf_print(&writer->json, "{");
    if (index < writer->rig->node_count) {
        const graze_rig_node *node = &writer->rig->nodes[index];
        if (node->name) {
            write_name(writer, node->name);
            first = false;
        }
        write_map(writer, node, &first);
    }
    if (mesh != GRAZE_NONE) {
        grazei_gltf_print(&writer->json, "%s\"mesh\":%u", first ? "" : ",", mesh);
        first = false;
    }
    if (writer->plan.first_child[index] != GRAZE_NONE) {
        grazei_gltf_print(&writer->json, first ? "" : ",");
        write_children(writer, index);
    }
    grazei_gltf_print(&writer->json, "},");
}

void grazei_gltf_write_nodes(grazei_gltf_writer *writer, uint32_t mesh_node, uint32_t mesh)
{
    for (uint32_t i = 0; i < writer->plan.count; i++)
        write_node(writer, i, i == mesh_node ? mesh : GRAZE_NONE);
}
