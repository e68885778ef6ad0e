/* Two trees walked together: what questions about pairs of nodes have in common. Of two nodes that
 * overlap one is opened, and its children are bounded just before they are tested.
 */
#ifndef GRAZEI_QUERY_WALK_H
#define GRAZEI_QUERY_WALK_H

#include "query/pair_front.h"

#include <string.h>

typedef enum volumes { BOX_BOX, SPHERE_SPHERE, MIXED } volumes;

typedef struct walk {
    grazei_view sides[2];
    graze_stats *stats;
    grazei_agenda *agenda;
    grazei_walk_log *log; /* where pairs that are apart are written down; NULL: nowhere */
} walk;

static inline volumes volumes_of(const grazei_view sides[2])
{
    if (sides[0].spheres != sides[1].spheres)
        return MIXED;
    return sides[0].spheres ? SPHERE_SPHERE : BOX_BOX;
}

/* grazei_view_size where the kind is known. */
static inline float size_of(const grazei_view *side, uint32_t node, volumes kind)
{
    if (kind == MIXED)
        return grazei_view_size(side, node);
    grazei_view known = {.bounds = side->bounds, .spheres = kind == SPHERE_SPHERE};
    return grazei_view_size(&known, node);
}

/* How much two bounds are in each other: spheres by their depth, boxes by the volume they share. */
static inline float depth_of(const walk *w, grazei_pair_item pair, volumes kind)
{
    const grazei_view *a = &w->sides[0], *b = &w->sides[1];
    if (kind == SPHERE_SPHERE) {
        const grazei_bound *left = &a->bounds[pair.node[0]], *right = &b->bounds[pair.node[1]];
        return left->radius + right->radius -
               f4_length3(grazei_bound_first(left) - grazei_bound_first(right));
    }
    grazei_bound left = grazei_view_box(a, pair.node[0]), right = grazei_view_box(b, pair.node[1]);
    f4 overlap = f4_min(grazei_bound_first(&left), grazei_bound_first(&right)) +
                 f4_min(grazei_bound_second(&left), grazei_bound_second(&right));
    return overlap[0] * overlap[1] * overlap[2];
}

/* Which of the four siblings from `first` on overlap the other side's node, as bits. */
static inline unsigned test_four(const grazei_view *opened, uint32_t first, uint32_t count,
                                 f4 other_sphere, const grazei_box_probe *other_box, volumes kind)
{
    grazei_bound copies[4];
    const grazei_bound *four = grazei_view_four(opened, first, count, copies);
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

/* The pairs pushed from `base` on, put in order: what shares most comes to lie on top. */
static inline void sort_pushed(walk *w, uint32_t base, volumes kind)
{
    grazei_item *items = w->agenda->items;
    float depths[GRAZEI_MAX_ARITY];
    _Static_assert(GRAZEI_MAX_ARITY >= 16, "four children by four");
    for (uint32_t i = base; i < w->agenda->count; i++) {
        grazei_item item = items[i];
        float depth = depth_of(w, item.pair, kind);
        uint32_t at = i;
        for (; at > base && depths[at - 1 - base] > depth; at--) {
            depths[at - base] = depths[at - 1 - base];
            items[at] = items[at - 1];
        }
        depths[at - base] = depth;
        items[at] = item;
    }
}

/* Writes down which of up to four siblings are apart from the other side's node. */
static inline void log_apart(grazei_walk_log *log, uint32_t first, uint32_t count, unsigned bits,
                             uint32_t other_node, int which)
{
    for (uint32_t k = 0; k < count && k < 4; k++) {
        grazei_pair_item pair;
        pair.node[which] = first + k;
        pair.node[!which] = other_node;
        if (!(bits >> k & 1))
            grazei_log_add(log, pair);
    }
}

/* Pushes the children of one side's node that overlap the other side's. */
static inline __attribute__((always_inline)) void open_node(walk *w, grazei_pair_item pair,
                                                            int which, volumes kind, bool sorted)
{
    const grazei_view *opened = &w->sides[which], *other = &w->sides[!which];
    grazei_node node = opened->nodes[pair.node[which]];
    grazei_item *items = w->agenda->items;
    uint32_t base = w->agenda->count, top = base, other_node = pair.node[!which];
    grazei_body_bound(opened->body, node.first, node.count, w->stats);
    w->stats->bound_tests += node.count;

    f4 other_sphere = grazei_bound_first(&other->bounds[other_node]);
    grazei_bound other_bound =
        kind == MIXED ? grazei_view_box(other, other_node) : other->bounds[other_node];
    grazei_box_probe other_box = grazei_probe_box(&other_bound);
    for (uint32_t i = 0; i < node.count; i += 4) {
        unsigned bits =
            test_four(opened, node.first + i, node.count - i, other_sphere, &other_box, kind);
        if (node.count - i < 4)
            bits &= (1u << (node.count - i)) - 1;
        for (uint32_t k = 0; k < 4; k++) {
            items[top].pair.node[which] = node.first + i + k;
            items[top].pair.node[!which] = other_node;
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
            grazei_pair_item pair = {{first_a + i, first_b + k}};
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
                grazei_log_add(w->log, (grazei_pair_item){{i, k}});
        }
}

/* Pushes the pairs of children of two nodes that overlap, of boxes. */
static inline __attribute__((always_inline)) void open_both(walk *w, grazei_pair_item pair,
                                                            bool sorted)
{
    const grazei_view *sides = w->sides;
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

#endif
