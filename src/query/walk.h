/* Two trees walked together: what questions about pairs of nodes have in common. Of two nodes that
 * overlap one is opened, and its children are bounded just before they are tested.
 */
#ifndef GRAZEI_QUERY_WALK_H
#define GRAZEI_QUERY_WALK_H

#include "query/front.h"

#include <string.h>

typedef enum volumes { BOX_BOX, SPHERE_SPHERE, MIXED } volumes;

/* One of the two bodies, with what the walk reads of it all the time. */
typedef struct walk_side {
    graze_body *body;
    const grazei_node *nodes;
    const grazei_bound *bounds;
    bool spheres;
} walk_side;

typedef struct walk {
    walk_side sides[2];
    graze_stats *stats;
    grazei_agenda *agenda;
    grazei_walk_log *log; /* where pairs that are apart are written down; NULL: nowhere */
} walk;

static inline walk_side make_side(graze_body *body)
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
static inline float depth_of(const walk *w, grazei_item pair, volumes kind)
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
static inline unsigned test_four(const walk_side *opened, uint32_t first, uint32_t count,
                                 f4 other_sphere, const grazei_box_probe *other_box, volumes kind)
{
    const grazei_bound *four = &opened->bounds[first];
    grazei_bound copies[4];
    if (opened->body->share && count < 4) {
        /* What lies beyond the siblings another thread may be writing. */
        for (uint32_t i = 0; i < 4; i++)
            copies[i] = four[i < count ? i : 0];
        four = copies;
    }
    if (kind == SPHERE_SPHERE)
        return grazei_four_spheres_overlap(other_sphere, four);
    unsigned bits = 0;
    for (uint32_t i = 0; i < 4; i++) {
        grazei_bound box =
            kind == MIXED && opened->spheres ? grazei_box_of_sphere(&four[i]) : four[i];
        bits |= (unsigned)grazei_boxes_overlap(other_box, &box) << i;
    }
    return bits;
}

/* The pairs pushed from `base` on, put in order: the deepest comes to lie on top. */
static inline void sort_pushed(walk *w, uint32_t base, volumes kind)
{
    grazei_item *items = w->agenda->items;
    float depths[GRAZEI_MAX_ARITY];
    _Static_assert(GRAZEI_MAX_ARITY >= 16, "four children by four");
    for (uint32_t i = base; i < w->agenda->count; i++) {
        grazei_item pair = items[i];
        float depth = depth_of(w, pair, kind);
        uint32_t at = i;
        for (; at > base && depths[at - 1 - base] > depth; at--) {
            depths[at - base] = depths[at - 1 - base];
            items[at] = items[at - 1];
        }
        depths[at - base] = depth;
        items[at] = pair;
    }
}

/* Writes down which of up to four siblings are apart from the other side's node. */
static inline void log_apart(grazei_walk_log *log, uint32_t first, uint32_t count, unsigned bits,
                             uint32_t other_node, int which)
{
    for (uint32_t k = 0; k < count && k < 4; k++) {
        grazei_item item;
        item.node[which] = first + k;
        item.node[!which] = other_node;
        if (!(bits >> k & 1))
            grazei_log_add(log, item);
    }
}

/* Pushes the children of one side's node that overlap the other side's. */
static inline __attribute__((always_inline)) void open_node(walk *w, grazei_item pair, int which,
                                                            volumes kind, bool sorted)
{
    const walk_side *opened = &w->sides[which], *other = &w->sides[!which];
    grazei_node node = opened->nodes[pair.node[which]];
    grazei_item *items = w->agenda->items;
    uint32_t base = w->agenda->count, top = base, other_node = pair.node[!which];
    grazei_body_bound(opened->body, node.first, node.count, w->stats);
    w->stats->bound_tests += node.count;

    f4 other_sphere = grazei_bound_first(&other->bounds[other_node]);
    grazei_bound other_bound =
        kind == MIXED ? as_box(other, other_node) : other->bounds[other_node];
    grazei_box_probe other_box = grazei_probe_box(&other_bound);
    for (uint32_t i = 0; i < node.count; i += 4) {
        unsigned bits =
            test_four(opened, node.first + i, node.count - i, other_sphere, &other_box, kind);
        if (node.count - i < 4)
            bits &= (1u << (node.count - i)) - 1;
        for (uint32_t k = 0; k < 4; k++) {
            items[top].node[which] = node.first + i + k;
            items[top].node[!which] = other_node;
            top += bits >> k & 1;
        }
        if (w->log)
            log_apart(w->log, node.first + i, node.count - i, bits, other_node, which);
    }
    w->agenda->count = top;
    if (sorted && top - base > 1)
        sort_pushed(w, base, kind);
}

/* Writes those pairs of siblings that overlap, of boxes, and returns where the last one ends. Pairs
 * are written whole, because they will soon be read whole.
 */
static inline __attribute__((always_inline)) grazei_item *
overlapping_pairs(const walk *w, uint32_t first_a, uint32_t count_a, uint32_t first_b,
                  uint32_t count_b, grazei_item *out)
{
    const grazei_bound *a = w->sides[0].bounds + first_a, *b = w->sides[1].bounds + first_b;
    for (uint32_t i = 0; i < count_a; i++) {
        grazei_box_probe probe = grazei_probe_box(&a[i]);
        for (uint32_t k = 0; k < count_b; k++) {
            grazei_item pair = {{first_a + i, first_b + k}};
            uint64_t whole;
            memcpy(&whole, &pair, sizeof whole);
            memcpy(out, &whole, sizeof whole);
            out += grazei_boxes_overlap(&probe, &b[k]);
        }
    }
    return out;
}

static inline void log_apart_pairs(const walk *w, grazei_node a, grazei_node b)
{
    for (uint32_t i = a.first; i < a.first + a.count; i++)
        for (uint32_t k = b.first; k < b.first + b.count; k++) {
            grazei_box_probe probe = grazei_probe_box(&w->sides[0].bounds[i]);
            if (!grazei_boxes_overlap(&probe, &w->sides[1].bounds[k]))
                grazei_log_add(w->log, (grazei_item){{i, k}});
        }
}

/* Pushes the pairs of children of two nodes that overlap, of boxes. */
static inline __attribute__((always_inline)) void open_both(walk *w, grazei_item pair, bool sorted)
{
    const walk_side *sides = w->sides;
    grazei_node a = sides[0].nodes[pair.node[0]], b = sides[1].nodes[pair.node[1]];
    grazei_item *base = w->agenda->items + w->agenda->count, *top;
    grazei_body_bound(sides[0].body, a.first, a.count, w->stats);
    grazei_body_bound(sides[1].body, b.first, b.count, w->stats);
    w->stats->bound_tests += (uint64_t)a.count * b.count;
    if (a.count == 4 && b.count == 4) /* so that the compiler unrolls it */
        top = overlapping_pairs(w, a.first, 4, b.first, 4, base);
    else
        top = overlapping_pairs(w, a.first, a.count, b.first, b.count, base);
    if (w->log)
        log_apart_pairs(w, a, b);
    uint32_t before = w->agenda->count;
    w->agenda->count = (uint32_t)(top - w->agenda->items);
    if (sorted && w->agenda->count - before > 1)
        sort_pushed(w, before, BOX_BOX);
}

/* A posed patch has an exact box: keep it as the leaf's bound, unless others read that. */
static inline void tighten(const walk_side *side, uint32_t node, uint32_t patch)
{
    graze_body *body = side->body;
    if (side->spheres || body->share || body->patches[patch].stamp != body->stamp)
        return;
    f4_store(body->bounds[node].low_negated, grazei_bound_first(&body->patches[patch]));
    f4_store(body->bounds[node].high, grazei_bound_second(&body->patches[patch]));
}

#endif
