/* Two trees walked together: bounds are refitted just before they are tested, and of two nodes that
 * overlap the larger one is opened (Kavan & Zara 2005, section 4.2; the order of opening is ours).
 */
#include "query/pair.h"

#include "query/patches.h"

/* Each opened node leaves at most its other children behind, on every level of both trees. */
#define STACK_SIZE (2 * GRAZEI_MAX_LEVELS * (GRAZEI_MAX_ARITY - 1) + GRAZEI_MAX_ARITY)

typedef enum volumes { BOX_BOX, SPHERE_SPHERE, MIXED } volumes;

/* One of the two bodies, with what the walk reads of it all the time. */
typedef struct walk_side {
    graze_body *body;
    const grazei_node *nodes;
    const grazei_bound *bounds;
    bool spheres;
} walk_side;

typedef struct node_pair {
    uint32_t node[2];
} node_pair;

typedef struct walk {
    walk_side sides[2];
    graze_stats *stats;
    grazei_outbox outbox;
    grazei_batch batch;
    uint32_t depth;
    node_pair stack[STACK_SIZE + 4]; /* four siblings are written at a time */
} walk;

static walk_side make_side(graze_body *body)
{
    walk_side side = {body, body->model->tree.nodes, body->bounds,
                      body->model->tree.def.volume == GRAZE_SPHERES};
    return side;
}

static inline grazei_bound as_box(const walk_side *side, uint32_t node)
{
    return side->spheres ? grazei_box_of_sphere(&side->bounds[node]) : side->bounds[node];
}

static inline float size_of(const walk_side *side, uint32_t node, volumes kind)
{
    const grazei_bound *bound = &side->bounds[node];
    if (kind == SPHERE_SPHERE || (kind == MIXED && side->spheres))
        return 3.4f * bound->radius; /* about the sum of sides of a box that holds as much */
    f4 sides = grazei_bound_first(bound) + grazei_bound_second(bound);
    return sides[0] + sides[1] + sides[2];
}

/* How deep two bounds are in each other, boxes along their shallowest axis. */
static inline float depth_of(const walk *w, node_pair pair, volumes kind)
{
    const walk_side *a = &w->sides[0], *b = &w->sides[1];
    if (kind == SPHERE_SPHERE) {
        const grazei_bound *left = &a->bounds[pair.node[0]], *right = &b->bounds[pair.node[1]];
        return left->radius + right->radius -
               f4_length3(grazei_bound_first(left) - grazei_bound_first(right));
    }
    grazei_bound left = as_box(a, pair.node[0]), right = as_box(b, pair.node[1]);
    f4 overlap = f4_min(grazei_bound_first(&left), grazei_bound_first(&right)) +
                 f4_min(grazei_bound_second(&left), grazei_bound_second(&right));
    return f1_min(overlap[0], f1_min(overlap[1], overlap[2]));
}

/* Which of the four siblings from `first` on overlap the other side's node, as bits. */
static inline unsigned test_four(const walk_side *opened, uint32_t first, f4 other_sphere,
                                 const grazei_box_probe *other_box, volumes kind)
{
    if (kind == SPHERE_SPHERE)
        return grazei_four_spheres_overlap(other_sphere, &opened->bounds[first]);
    unsigned bits = 0;
    for (uint32_t i = 0; i < 4; i++) {
        grazei_bound box = kind == MIXED ? as_box(opened, first + i) : opened->bounds[first + i];
        bits |= (unsigned)grazei_boxes_overlap(other_box, &box) << i;
    }
    return bits;
}

/* The pairs pushed from `base` on, put in order: the deepest comes to lie on top. */
static inline void sort_pushed(walk *w, uint32_t base, volumes kind)
{
    float depths[GRAZEI_MAX_ARITY];
    for (uint32_t i = base; i < w->depth; i++) {
        node_pair pair = w->stack[i];
        float depth = depth_of(w, pair, kind);
        uint32_t at = i;
        for (; at > base && depths[at - 1 - base] > depth; at--) {
            depths[at - base] = depths[at - 1 - base];
            w->stack[at] = w->stack[at - 1];
        }
        depths[at - base] = depth;
        w->stack[at] = pair;
    }
}

/* Pushes the children of one side's node that overlap the other side's. */
static inline __attribute__((always_inline)) void open_node(walk *w, node_pair pair, int which,
                                                            volumes kind, bool sorted)
{
    const walk_side *opened = &w->sides[which], *other = &w->sides[!which];
    grazei_node node = opened->nodes[pair.node[which]];
    uint32_t base = w->depth, other_node = pair.node[!which];
    grazei_body_bound(opened->body, node.first, node.count, w->stats);
    w->stats->bound_tests += node.count;

    f4 other_sphere = grazei_bound_first(&other->bounds[other_node]);
    grazei_bound other_bound =
        kind == MIXED ? as_box(other, other_node) : other->bounds[other_node];
    grazei_box_probe other_box = grazei_probe_box(&other_bound);
    for (uint32_t i = 0; i < node.count; i += 4) {
        unsigned bits = test_four(opened, node.first + i, other_sphere, &other_box, kind);
        if (node.count - i < 4)
            bits &= (1u << (node.count - i)) - 1;
        for (uint32_t k = 0; k < 4; k++) {
            w->stack[w->depth].node[which] = node.first + i + k;
            w->stack[w->depth].node[!which] = other_node;
            w->depth += bits >> k & 1;
        }
    }
    if (sorted && w->depth - base > 1)
        sort_pushed(w, base, kind);
}

/* A posed patch has an exact box: keep it as the leaf's bound. */
static inline void tighten(const walk_side *side, uint32_t node, uint32_t patch)
{
    graze_body *body = side->body;
    if (side->spheres || body->patches[patch].stamp != body->stamp)
        return;
    f4_store(body->bounds[node].low_negated, grazei_bound_first(&body->patches[patch]));
    f4_store(body->bounds[node].high, grazei_bound_second(&body->patches[patch]));
}

static void meet_leaves(walk *w, node_pair pair)
{
    const walk_side *a = &w->sides[0], *b = &w->sides[1];
    uint32_t patch_a = a->nodes[pair.node[0]].first, patch_b = b->nodes[pair.node[1]].first;
    grazei_bound box_b = b->body->patches[patch_b].stamp == b->body->stamp
                             ? b->body->patches[patch_b]
                             : as_box(b, pair.node[1]);
    grazei_meet_patches(a->body, patch_a, b->body, patch_b, &box_b, &w->batch, &w->outbox,
                        w->stats);
    tighten(a, pair.node[0], patch_a);
    tighten(b, pair.node[1], patch_b);
}

static inline bool roots_overlap(walk *w, volumes kind)
{
    const walk_side *a = &w->sides[0], *b = &w->sides[1];
    grazei_body_bound(a->body, 0, 1, w->stats);
    grazei_body_bound(b->body, 0, 1, w->stats);
    w->stats->bound_tests++;
    if (kind == SPHERE_SPHERE)
        return grazei_spheres_overlap(&a->bounds[0], &b->bounds[0]);
    grazei_bound box_a = as_box(a, 0), box_b = as_box(b, 0);
    grazei_box_probe probe = grazei_probe_box(&box_a);
    return grazei_boxes_overlap(&probe, &box_b);
}

static inline __attribute__((always_inline)) void walk_pairs(walk *w, volumes kind, bool sorted)
{
    const walk_side *a = &w->sides[0], *b = &w->sides[1];
    if (!roots_overlap(w, kind))
        return;
    w->stack[0] = (node_pair){{0, 0}};
    w->depth = 1;
    while (w->depth && !w->outbox.stopped) {
        node_pair pair = w->stack[--w->depth];
        bool leaf_a = a->nodes[pair.node[0]].count == 0;
        bool leaf_b = b->nodes[pair.node[1]].count == 0;
        if (leaf_a && leaf_b)
            meet_leaves(w, pair);
        else if (!leaf_a &&
                 (leaf_b || size_of(a, pair.node[0], kind) >= size_of(b, pair.node[1], kind)))
            open_node(w, pair, 0, kind, sorted);
        else
            open_node(w, pair, 1, kind, sorted);
    }
}

static void collide(graze_body *a, graze_body *b, bool first, graze_pair_fn report, void *user,
                    graze_stats *stats)
{
    walk w;
    w.sides[0] = make_side(a);
    w.sides[1] = make_side(b);
    w.stats = stats;
    w.outbox.report = report;
    w.outbox.user = user;
    w.outbox.first = first;
    w.outbox.stopped = false;
    w.outbox.count = 0;
    w.batch.count = 0;
    if (w.sides[0].spheres != w.sides[1].spheres)
        walk_pairs(&w, MIXED, first);
    else if (w.sides[0].spheres)
        walk_pairs(&w, SPHERE_SPHERE, first);
    else if (first)
        walk_pairs(&w, BOX_BOX, true);
    else
        walk_pairs(&w, BOX_BOX, false);
    if (w.batch.count && !w.outbox.stopped)
        grazei_batch_flush(&w.batch, &w.outbox);
    if (w.outbox.count)
        grazei_outbox_flush(&w.outbox);
}

const grazei_pair_kernels GRAZEI_ISA(pair_kernels) = {collide};
