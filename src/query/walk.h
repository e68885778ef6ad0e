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
    grazei_own_rows *own; /* of either side, where intervals are compared */
    uint64_t effort;   /* beside the tests of triangles that are counted; more of both than ... */
    uint64_t patience; /* ... this, and bodies are looked at in another way */
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

/* Roughly the logarithm of a product of three, in units that do not matter. */
static inline int32_t rough_log_volume(f4 sides)
{
    return (int32_t)(f4_bits(sides[0] * sides[1] * sides[2]) >> 3);
}

/* How likely what is in two bounds meets, as a number to compare: spheres by their depth, boxes by
 * the share of either that is in the other, the greater of the two twice.
 */
static inline float promise_of(const walk *w, grazei_pair_item pair, volumes kind)
{
    const grazei_view *a = &w->sides[0], *b = &w->sides[1];
    if (kind == SPHERE_SPHERE) {
        const grazei_bound *left = &a->bounds[pair.node[0]], *right = &b->bounds[pair.node[1]];
        return left->radius + right->radius -
               f4_length3(grazei_bound_first(left) - grazei_bound_first(right));
    }
    grazei_bound left = grazei_view_box(a, pair.node[0]), right = grazei_view_box(b, pair.node[1]);
    f4 low_a = grazei_bound_first(&left), high_a = grazei_bound_second(&left);
    f4 low_b = grazei_bound_first(&right), high_b = grazei_bound_second(&right);
    int32_t shared = rough_log_volume(f4_min(low_a, low_b) + f4_min(high_a, high_b));
    int32_t share_a = shared - rough_log_volume(low_a + high_a);
    int32_t share_b = shared - rough_log_volume(low_b + high_b);
    return (float)(share_a + share_b + (share_a > share_b ? share_a : share_b));
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

static inline void raise(grazei_agenda *agenda, uint32_t best)
{
    uint32_t last = agenda->count - 1;
    grazei_item item = agenda->items[best];
    float key = agenda->keys[best];
    grazei_agenda_copy(agenda, best, last);
    grazei_agenda_put(agenda, last, item, key);
}

/* Puts the most promising of the last so many pairs on top. */
static inline void raise_best(grazei_agenda *agenda, uint32_t among)
{
    const float *keys = agenda->keys;
    uint32_t last = agenda->count - 1, from = agenda->count > among ? agenda->count - among : 0;
    uint32_t best = from;
    f4 most = f4_all(keys[last]);
    for (uint32_t i = from; i + 4 <= last; i += 4)
        most = f4_max(most, f4_load_any(keys + i));
    float most_of_all = f4_max4(most);
    for (uint32_t i = from + ((last - from) & ~3u); i < last; i++)
        most_of_all = f1_max(most_of_all, keys[i]);
    while (best < last && keys[best] < most_of_all)
        best++;
    raise(agenda, best);
}

/* The same of those that were just pushed. */
static inline void raise_best_pushed(walk *w, uint32_t base, volumes kind)
{
    grazei_agenda *agenda = w->agenda;
    uint32_t best = base;
    float most = -INFINITY;
    for (uint32_t i = base; i < agenda->count; i++) {
        float promise = promise_of(w, agenda->items[i].pair, kind);
        agenda->keys[i] = promise;
        best = promise > most ? i : best;
        most = f1_max(promise, most);
    }
    if (agenda->count > base)
        raise(agenda, best);
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
static inline __attribute__((always_inline)) void
open_node(walk *w, grazei_pair_item pair, int which, volumes kind, bool by_promise)
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
    if (by_promise)
        raise_best_pushed(w, base, kind);
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
                                                            bool by_promise)
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
    if (by_promise)
        raise_best_pushed(w, before, BOX_BOX);
}

#endif
