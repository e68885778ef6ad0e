/* The body parts of a rig: by joint, by mesh or by material. */
#include "sample.h"

#include <string.h>

/* What parts are made of, and room to make them in. */
typedef struct part_maker {
    const graze_rig *rig;
    graze_part_def *defs;
    uint32_t count;
    uint32_t *node_parts;    /* the first part of each node, or GRAZE_NONE */
    graze_part_names *paths; /* grazei_rig_paths */
    uint32_t *above;         /* the part that a node without one is in, or NOT_KNOWN */
} part_maker;

#define NOT_KNOWN (GRAZE_NONE - 1)

/* ---- nesting -------------------------------------------------------------------------------- */

/* The part of the nearest node above that has one. What is found is kept for the nodes on the way,
 * so that all parts together take linear time. Nodes that form a cycle are given up after as many
 * steps as there are nodes.
 */
static uint32_t part_above(const part_maker *maker, uint32_t node)
{
    const graze_rig *rig = maker->rig;
    uint32_t found = GRAZE_NONE, from = rig->nodes[node].parent, at = from;
    for (uint32_t steps = 0; at < rig->node_count && steps < rig->node_count; steps++) {
        if (maker->node_parts[at] != GRAZE_NONE || maker->above[at] != NOT_KNOWN) {
            found = maker->node_parts[at] != GRAZE_NONE ? maker->node_parts[at] : maker->above[at];
            break;
        }
        at = rig->nodes[at].parent;
    }
    for (uint32_t n = from; n != at && n < rig->node_count && maker->above[n] == NOT_KNOWN;
         n = rig->nodes[n].parent)
        maker->above[n] = found;
    return found;
}

/* Nests parts as their nodes are: node_of gives the node of a part. */
static graze_status nest(part_maker *maker, uint32_t (*node_of)(const graze_rig *, uint32_t),
                         graze_error *error)
{
    const graze_rig *rig = maker->rig;
    for (uint32_t n = 0; n < rig->node_count; n++) {
        maker->node_parts[n] = GRAZE_NONE;
        maker->above[n] = NOT_KNOWN;
    }
    for (uint32_t p = maker->count; p-- > 0;) {
        uint32_t node = node_of(rig, p);
        if (node >= rig->node_count)
            return grazei_rig_fail(error, GRAZE_BAD_INPUT, "part %u is of node %u of %u", p, node,
                                   rig->node_count);
        maker->node_parts[node] = p;
    }
    for (uint32_t p = 0; p < maker->count; p++) {
        uint32_t node = node_of(rig, p), first = maker->node_parts[node];
        maker->defs[p].parent = first == p ? part_above(maker, node) : first;
        maker->defs[p].inside = maker->defs[p].parent != GRAZE_NONE;
    }
    return GRAZE_OK;
}

static uint32_t node_of_joint(const graze_rig *rig, uint32_t joint)
{
    return rig->joints[joint].node;
}

static uint32_t node_of_mesh(const graze_rig *rig, uint32_t mesh)
{
    return rig->meshes[mesh].node;
}

static const char *node_name(const part_maker *maker, uint32_t node)
{
    return maker->paths ? graze_part_name(maker->paths, node) : maker->rig->nodes[node].name;
}

/* ---- parts ---------------------------------------------------------------------------------- */

static graze_status make_joints(part_maker *maker, graze_error *error)
{
    const graze_rig *rig = maker->rig;
    graze_status status = nest(maker, node_of_joint, error);
    for (uint32_t j = 0; !status && j < maker->count; j++)
        maker->defs[j].name = node_name(maker, rig->joints[j].node);
    return status;
}

static graze_status make_meshes(part_maker *maker, uint32_t *groups, graze_error *error)
{
    const graze_rig *rig = maker->rig;
    graze_status status = nest(maker, node_of_mesh, error);
    for (uint32_t m = 0; !status && m < maker->count; m++) {
        const graze_rig_mesh *mesh = &rig->meshes[m];
        bool named = mesh->name && *mesh->name;
        maker->defs[m].name = named ? mesh->name : node_name(maker, mesh->node);
        for (uint32_t t = 0; t < mesh->triangle_count; t++)
            if (mesh->first_triangle + t < rig->triangle_count)
                groups[mesh->first_triangle + t] = m;
    }
    return status;
}

static void make_materials(part_maker *maker, uint32_t *groups)
{
    const graze_rig *rig = maker->rig;
    for (uint32_t m = 0; m < maker->count; m++)
        maker->defs[m] = (graze_part_def){.name = rig->material_names[m]};
    for (uint32_t i = 0; i < rig->primitive_count; i++) {
        const graze_rig_primitive *primitive = &rig->primitives[i];
        for (uint32_t t = 0; t < primitive->triangle_count; t++)
            if (primitive->first_triangle + t < rig->triangle_count &&
                primitive->material < rig->material_count)
                groups[primitive->first_triangle + t] = primitive->material;
    }
}

/* Triangles of no part are of one more; vertices are of their triangles' parts. */
static void fill_rest(part_maker *maker, uint32_t *triangle_parts, uint32_t *vertex_parts)
{
    const graze_rig *rig = maker->rig;
    bool needed = maker->count == 0;
    for (uint32_t t = 0; t < rig->triangle_count; t++)
        if (triangle_parts[t] == GRAZE_NONE) {
            triangle_parts[t] = maker->count;
            needed = true;
        }
    if (needed)
        maker->defs[maker->count++] = (graze_part_def){.name = "rest"};
    for (uint32_t v = 0; v < rig->vertex_count; v++)
        vertex_parts[v] = GRAZE_NONE;
    for (uint32_t i = 0; i < rig->triangle_count; i++)
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t v = rig->triangles[3 * (size_t)i + c];
            if (v < rig->vertex_count && vertex_parts[v] == GRAZE_NONE)
                vertex_parts[v] = triangle_parts[i];
        }
    for (uint32_t v = 0; v < rig->vertex_count; v++)
        if (vertex_parts[v] == GRAZE_NONE)
            vertex_parts[v] = 0;
}

static graze_status make(part_maker *maker, graze_parts_by by, uint32_t *triangle_parts,
                         uint32_t *vertex_parts, graze_part_names **parts, graze_error *error)
{
    const graze_rig *rig = maker->rig;
    graze_status status = GRAZE_OK;
    for (uint32_t t = 0; by != GRAZE_PARTS_BY_JOINT && t < rig->triangle_count; t++)
        triangle_parts[t] = GRAZE_NONE;
    if (by != GRAZE_PARTS_BY_MATERIAL)
        status = grazei_rig_paths(rig, &maker->paths, error);
    if (status)
        return status;
    if (by == GRAZE_PARTS_BY_JOINT)
        status = make_joints(maker, error);
    else if (by == GRAZE_PARTS_BY_MESH)
        status = make_meshes(maker, triangle_parts, error);
    else
        make_materials(maker, triangle_parts);
    if (!status && by != GRAZE_PARTS_BY_JOINT)
        fill_rest(maker, triangle_parts, vertex_parts);
    graze_part_names_def def = {
        .allocator = &rig->allocator, .parts = maker->defs, .part_count = maker->count};
    return status ? status : graze_part_names_create(&def, parts, error);
}

graze_status graze_rig_part_names(const graze_rig *rig, graze_parts_by by, uint32_t *triangle_parts,
                                  uint32_t *vertex_parts, graze_part_names **parts,
                                  graze_error *error)
{
    bool by_joint = by == GRAZE_PARTS_BY_JOINT;
    if (!by_joint && by != GRAZE_PARTS_BY_MESH && by != GRAZE_PARTS_BY_MATERIAL)
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "there is no kind of parts %d", (int)by);
    if (!rig || !parts)
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "%s is NULL",
                               rig ? "where the parts go" : "the rig");
    if (!by_joint && (!triangle_parts || !vertex_parts))
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "where the groups go is NULL");
    part_maker maker = {.rig = rig,
                        .count = by_joint                    ? rig->joint_count
                                 : by == GRAZE_PARTS_BY_MESH ? rig->mesh_count
                                                             : rig->material_count};
    maker.defs = grazei_rig_allocate(rig, (size_t)maker.count + 1, sizeof *maker.defs);
    maker.node_parts = grazei_rig_allocate(rig, rig->node_count, sizeof *maker.node_parts);
    maker.above = grazei_rig_allocate(rig, rig->node_count, sizeof *maker.above);
    graze_status status = GRAZE_OUT_OF_MEMORY;
    if (maker.defs && maker.node_parts && maker.above) {
        memset(maker.defs, 0, ((size_t)maker.count + 1) * sizeof *maker.defs);
        status = make(&maker, by, triangle_parts, vertex_parts, parts, error);
    } else {
        grazei_rig_fail(error, status, "out of memory");
    }
    graze_part_names_destroy(maker.paths);
    grazei_rig_release(rig, maker.defs);
    grazei_rig_release(rig, maker.node_parts);
    grazei_rig_release(rig, maker.above);
    return status;
}
