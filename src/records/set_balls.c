/* The joint-sets of a node one by one: for each the ball of its vertices and a centre of their
 * weights, in the form of a SPHERE_CENTRE record. A second look at nodes around sets that turn far.
 */
#include "records/build.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/f4.h"
#include "records/weights.h"
#include "tree/ball.h"

#include <string.h>

/* Of the joint-sets in a node; boxes are larger, and around fewer sets other bounds are as tight.
 */
#define FEWEST_SETS 2
#define FEWEST_SETS_IN_BOX 4

typedef struct ball_builder {
    grazei_blend *blend;
    const grazei_mesh *mesh;
    const grazei_tree *tree;
    const graze_allocator *allocator;
    size_t row_capacity;

    uint32_t *vertices, *members, *scratch;
    uint8_t *marks;
    uint32_t *set_slots; /* a set to its place in the node; valid for the node's sets only */
    uint32_t *ends;      /* where the members of each of the node's sets end */
    uint32_t *slot_of;   /* a joint to its place in the set at hand */
    float *centre, *spread;
    grazei_weight_room room;
} ball_builder;

static bool start(ball_builder *b)
{
    const grazei_mesh *mesh = b->mesh;
    b->vertices = GRAZEI_ALLOCATE(b->allocator, mesh->vertex_count, uint32_t);
    b->members = GRAZEI_ALLOCATE(b->allocator, mesh->vertex_count, uint32_t);
    b->scratch = GRAZEI_ALLOCATE(b->allocator, mesh->vertex_count, uint32_t);
    b->marks = GRAZEI_ALLOCATE_ZERO(b->allocator, mesh->vertex_count, uint8_t);
    b->set_slots = GRAZEI_ALLOCATE(b->allocator, mesh->set_count, uint32_t);
    b->ends = GRAZEI_ALLOCATE(b->allocator, mesh->set_count, uint32_t);
    b->slot_of = GRAZEI_ALLOCATE(b->allocator, mesh->joint_count, uint32_t);
    b->centre = GRAZEI_ALLOCATE(b->allocator, GRAZEI_MAX_CENTRE_JOINTS, float);
    b->spread = GRAZEI_ALLOCATE(b->allocator, GRAZEI_MAX_CENTRE_JOINTS, float);
    b->room = (grazei_weight_room){.allocator = b->allocator};
    return b->vertices && b->members && b->scratch && b->marks && b->set_slots && b->ends &&
           b->slot_of && b->centre && b->spread;
}

static void end(ball_builder *b)
{
    void *all[] = {b->vertices, b->members, b->scratch, b->marks,  b->set_slots,
                   b->ends,     b->slot_of, b->centre,  b->spread, b->room.rows};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(b->allocator, all[i]);
}

static uint32_t joints_of(const grazei_mesh *mesh, uint32_t set)
{
    return mesh->set_offsets[set + 1] - mesh->set_offsets[set];
}

/* Rows of all the node's sets; 0 if it is to have none: what has too many joints for a weight
 * centre does without.
 */
static uint32_t rows_of(const ball_builder *b, const grazei_blend_node *node)
{
    bool box = b->tree->def.volume == GRAZE_BOXES;
    uint32_t rows = 0, number = (uint32_t)(node - b->blend->nodes);
    if (node->set_count + node->has_single < (box ? FEWEST_SETS_IN_BOX : FEWEST_SETS) ||
        grazei_node_is_posed(b->mesh, b->tree, number))
        return 0;
    for (uint32_t s = 0; s < node->set_count; s++) {
        uint32_t p = joints_of(b->mesh, b->blend->node_sets[node->first_set + s]);
        if (p > GRAZEI_MAX_CENTRE_JOINTS)
            return 0;
        rows += 2 + p;
    }
    return rows;
}

/* Sorts the node's blended vertices by set: those of set s end at ends[s]. */
static void sort_members(ball_builder *b, const grazei_blend_node *record, uint32_t node)
{
    const grazei_mesh *mesh = b->mesh;
    const uint32_t *sets = b->blend->node_sets + record->first_set;
    uint32_t count =
        grazei_tree_vertices(b->tree, mesh, b->tree->node_triangles[node], b->marks, b->vertices);
    for (uint32_t s = 0; s < record->set_count; s++) {
        b->set_slots[sets[s]] = s;
        b->ends[s] = 0;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t v = b->vertices[i], set = mesh->vertex_set[v];
            if (joints_of(mesh, set) < 2)
                continue;
            uint32_t *at = &b->ends[b->set_slots[set]];
            if (pass)
                b->members[*at] = v;
            (*at)++;
        }
        for (uint32_t s = 0, next = 0; !pass && s < record->set_count; s++) {
            uint32_t own = b->ends[s];
            b->ends[s] = next;
            next += own;
        }
    }
}

static bool write_set(ball_builder *b, uint32_t set, const uint32_t *members, uint32_t count,
                      float (*rows)[4])
{
    const grazei_mesh *mesh = b->mesh;
    const uint32_t *joints = mesh->set_joints + mesh->set_offsets[set];
    uint32_t p = joints_of(mesh, set);
    GRAZE_ASSERT(count > 0 && p > 1 && p <= GRAZEI_MAX_CENTRE_JOINTS);
    grazei_weight_spread weights = {.centre = b->centre, .spread = b->spread};
    grazei_ball ball = grazei_ball_enclose(mesh->positions, members, count, b->scratch);
    grazei_ball_float rounded = grazei_ball_round(&ball, mesh->positions, members, count);
    for (uint32_t k = 0; k < p; k++)
        b->slot_of[joints[k]] = k;
    if (!grazei_spread_weights(&weights, &b->room, mesh, members, count, b->slot_of, p))
        return false;
    memset(rows, 0, (2 + p) * sizeof *rows);
    memcpy(rows[0], rounded.centre, sizeof rounded.centre);
    rows[0][3] = rounded.radius;
    rows[1][0] = weights.total;
    for (uint32_t k = 0; k < p; k++) {
        rows[2 + k][0] = f4_from_bits(joints[k]);
        rows[2 + k][1] = weights.centre[k];
        rows[2 + k][2] = weights.spread[k];
    }
    return true;
}

static bool record_node(ball_builder *b, uint32_t node)
{
    grazei_blend *blend = b->blend;
    grazei_blend_node *record = &blend->nodes[node];
    uint32_t rows = rows_of(b, record);
    record->first_ball = UINT32_MAX;
    if (!rows)
        return true;
    float(*all)[4] = grazei_grow(b->allocator, blend->set_balls, &b->row_capacity,
                                 (size_t)blend->set_ball_rows + rows, sizeof *all);
    if (!all)
        return false;
    blend->set_balls = all;
    record->first_ball = blend->set_ball_rows;
    blend->set_ball_rows += rows;
    sort_members(b, record, node);
    float(*row)[4] = all + record->first_ball;
    for (uint32_t s = 0; s < record->set_count; s++) {
        uint32_t set = blend->node_sets[record->first_set + s], first = s ? b->ends[s - 1] : 0;
        if (!write_set(b, set, b->members + first, b->ends[s] - first, row))
            return false;
        GRAZE_ASSERT(b->ends[s] > first);
        row += 2 + joints_of(b->mesh, set);
    }
    return true;
}

bool grazei_set_balls_build(grazei_blend *blend, const grazei_mesh *mesh, const grazei_tree *tree,
                            const graze_allocator *allocator)
{
    ball_builder b = {.blend = blend, .mesh = mesh, .tree = tree, .allocator = allocator};
    bool ok = start(&b);
    for (uint32_t n = 0; ok && n < tree->node_count; n++)
        ok = record_node(&b, n);
    end(&b);
    return ok;
}
