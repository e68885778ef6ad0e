/* Two trees walked together: bounds are refitted just before they are tested, and of two nodes that
 * overlap the larger one is opened (Kavan & Zara 2005, section 4.2; the order of opening is ours).
 */
#include "query/pair.h"

#include "query/patches.h"

/* Each opened node leaves at most its other children behind, on every level of both trees. */
#define STACK_SIZE (2 * GRAZEI_MAX_LEVELS * (GRAZEI_MAX_ARITY - 1) + GRAZEI_MAX_ARITY)

typedef enum volumes { BOX_BOX, SPHERE_SPHERE, MIXED } volumes;

typedef struct node_pair {
    uint32_t a, b;
} node_pair;

typedef struct walk {
    graze_body *a, *b;
    graze_stats *stats;
    grazei_outbox outbox;
    grazei_batch batch;
    uint32_t depth;
    node_pair stack[STACK_SIZE];
} walk;

static inline grazei_bound as_box(const graze_body *body, uint32_t node)
{
    if (body->model->tree.def.volume == GRAZE_SPHERES)
        return grazei_box_of_sphere(&body->bounds[node]);
    return body->bounds[node];
}

static inline float size_of(const graze_body *body, uint32_t node)
{
    const grazei_bound *bound = &body->bounds[node];
    if (body->model->tree.def.volume == GRAZE_SPHERES)
        return 3.4f * bound->radius; /* about the sum of sides of a box that holds as much */
    f4 sides = grazei_bound_first(bound) + grazei_bound_second(bound);
    return sides[0] + sides[1] + sides[2];
}

/* How deep two boxes are in each other along their shallowest axis; negative: apart. */
static inline float box_depth(f4 first_a, f4 second_a, f4 first_b, f4 second_b)
{
    f4 overlap = f4_min(first_a, first_b) + f4_min(second_a, second_b);
    return f1_min(overlap[0], f1_min(overlap[1], overlap[2]));
}

static inline float depth_of(const walk *w, node_pair pair, volumes kind)
{
    const grazei_bound *a = &w->a->bounds[pair.a], *b = &w->b->bounds[pair.b];
    if (kind == SPHERE_SPHERE)
        return a->radius + b->radius - f4_length3(grazei_bound_first(a) - grazei_bound_first(b));
    grazei_bound box_a = as_box(w->a, pair.a), box_b = as_box(w->b, pair.b);
    return box_depth(grazei_bound_first(&box_a), grazei_bound_second(&box_a),
                     grazei_bound_first(&box_b), grazei_bound_second(&box_b));
}

/* Pushes the children of one side (first ... first + count of `opened`) that overlap the other
 * side's node; for first-hit queries the deepest comes to lie on top.
 */
static inline void push_children(walk *w, node_pair pair, bool open_a, volumes kind, bool sorted)
{
    graze_body *opened = open_a ? w->a : w->b, *other = open_a ? w->b : w->a;
    const grazei_node *node = &opened->model->tree.nodes[open_a ? pair.a : pair.b];
    uint32_t other_node = open_a ? pair.b : pair.a, base = w->depth;
    float depths[GRAZEI_MAX_ARITY];
    grazei_body_bound(opened, node->first, node->count, w->stats);
    w->stats->bound_tests += node->count;

    grazei_bound other_box = kind == MIXED ? as_box(other, other_node) : other->bounds[other_node];
    grazei_box_probe probe = grazei_probe_box(&other_box);
    for (uint32_t n = node->first; n < node->first + node->count; n++) {
        bool overlap;
        if (kind == BOX_BOX) {
            overlap = grazei_boxes_overlap(&probe, &opened->bounds[n]);
        } else if (kind == SPHERE_SPHERE) {
            overlap = grazei_spheres_overlap(&other_box, &opened->bounds[n]);
        } else {
            grazei_bound box = as_box(opened, n);
            overlap = grazei_boxes_overlap(&probe, &box);
        }
        node_pair child = {open_a ? n : pair.a, open_a ? pair.b : n};
        if (!sorted) {
            w->stack[w->depth] = child;
            w->depth += overlap;
        } else if (overlap) {
            float depth = depth_of(w, child, kind);
            uint32_t at = w->depth - base;
            for (; at > 0 && depths[at - 1] > depth; at--) {
                depths[at] = depths[at - 1];
                w->stack[base + at] = w->stack[base + at - 1];
            }
            depths[at] = depth;
            w->stack[base + at] = child;
            w->depth++;
        }
    }
}

/* A posed patch has an exact box: keep it as the leaf's bound. */
static inline void tighten(graze_body *body, uint32_t node, uint32_t patch)
{
    if (body->patches[patch].stamp != body->stamp)
        return;
    f4_store(body->bounds[node].low_negated, grazei_bound_first(&body->patches[patch]));
    f4_store(body->bounds[node].high, grazei_bound_second(&body->patches[patch]));
    body->bounds[node].stamp = body->stamp;
}

static inline void meet_leaves(walk *w, node_pair pair)
{
    uint32_t patch_a = w->a->model->tree.nodes[pair.a].first;
    uint32_t patch_b = w->b->model->tree.nodes[pair.b].first;
    grazei_bound box_b = as_box(w->b, pair.b);
    grazei_meet_patches(w->a, patch_a, w->b, patch_b, &box_b, &w->batch, &w->outbox, w->stats);
    if (w->a->model->tree.def.volume == GRAZE_BOXES)
        tighten(w->a, pair.a, patch_a);
    if (w->b->model->tree.def.volume == GRAZE_BOXES)
        tighten(w->b, pair.b, patch_b);
}

static inline bool roots_overlap(walk *w, volumes kind)
{
    grazei_body_bound(w->a, 0, 1, w->stats);
    grazei_body_bound(w->b, 0, 1, w->stats);
    w->stats->bound_tests++;
    if (kind == SPHERE_SPHERE)
        return grazei_spheres_overlap(&w->a->bounds[0], &w->b->bounds[0]);
    grazei_bound box_a = as_box(w->a, 0), box_b = as_box(w->b, 0);
    grazei_box_probe probe = grazei_probe_box(&box_a);
    return grazei_boxes_overlap(&probe, &box_b);
}

static inline __attribute__((always_inline)) void walk_pairs(walk *w, volumes kind, bool sorted)
{
    const grazei_node *nodes_a = w->a->model->tree.nodes, *nodes_b = w->b->model->tree.nodes;
    if (!roots_overlap(w, kind))
        return;
    w->stack[0] = (node_pair){0, 0};
    w->depth = 1;
    while (w->depth && !w->outbox.stopped) {
        node_pair pair = w->stack[--w->depth];
        bool leaf_a = nodes_a[pair.a].count == 0, leaf_b = nodes_b[pair.b].count == 0;
        if (leaf_a && leaf_b)
            meet_leaves(w, pair);
        else
            push_children(w, pair,
                          !leaf_a && (leaf_b || size_of(w->a, pair.a) >= size_of(w->b, pair.b)),
                          kind, sorted);
    }
}

static void collide(graze_body *a, graze_body *b, bool first, graze_pair_fn report, void *user,
                    graze_stats *stats)
{
    walk w;
    w.a = a;
    w.b = b;
    w.stats = stats;
    w.outbox.report = report;
    w.outbox.user = user;
    w.outbox.first = first;
    w.outbox.stopped = false;
    w.outbox.count = 0;
    w.batch.count = 0;
    bool spheres_a = a->model->tree.def.volume == GRAZE_SPHERES;
    bool spheres_b = b->model->tree.def.volume == GRAZE_SPHERES;
    volumes kind = spheres_a != spheres_b ? MIXED : spheres_a ? SPHERE_SPHERE : BOX_BOX;
    if (kind == BOX_BOX && !first)
        walk_pairs(&w, BOX_BOX, false);
    else if (kind == BOX_BOX)
        walk_pairs(&w, BOX_BOX, true);
    else if (kind == SPHERE_SPHERE)
        walk_pairs(&w, SPHERE_SPHERE, first);
    else
        walk_pairs(&w, MIXED, first);
    if (w.batch.count && !w.outbox.stopped)
        grazei_batch_flush(&w.batch, &w.outbox);
    if (w.outbox.count)
        grazei_outbox_flush(&w.outbox);
}

const grazei_pair_kernels GRAZEI_ISA(pair_kernels) = {collide};
