/* Two trees walked together: what questions about pairs of nodes have in common. Of two nodes that
 * overlap one is opened, and its children are bounded just before they are tested.
 */
#ifndef GRAZEI_QUERY_WALK_H
#define GRAZEI_QUERY_WALK_H

#include "base/assert.h"
#include "math/box_pairs.h"
#include "query/agenda.h"

#include <string.h>

typedef enum volumes { BOX_BOX, SPHERE_SPHERE, MIXED } volumes;

typedef struct walk {
    grazei_view sides[2];
    graze_stats *stats;
    grazei_agenda *agenda;
    grazei_own_rows *own;     /* of either side, where intervals are compared */
    struct grazei_ways *ways; /* likewise */
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
    GRAZE_ASSERT(agenda->count > 0 && best < agenda->count);
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

/* Pushes the children of one side's node that overlap the other side's. */
static inline __attribute__((always_inline)) void
open_node(walk *w, grazei_pair_item pair, int which, volumes kind, bool by_promise)
{
    const grazei_view *opened = &w->sides[which], *other = &w->sides[!which];
    grazei_node node = opened->nodes[pair.node[which]];
    grazei_item *items = w->agenda->items;
    uint32_t base = w->agenda->count, top = base, other_node = pair.node[!which];
    GRAZE_ASSERT(node.count > 0);
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
            GRAZE_ASSERT(top < GRAZEI_AGENDA_ITEMS);
            items[top].pair.node[which] = node.first + i + k;
            items[top].pair.node[!which] = other_node;
            top += bits >> k & 1;
        }
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

#if defined(GRAZEI_BOX_PAIRS)

/* Which of 4 by 4 boxes overlap, as bits, 4 for each of a's. */
static inline uint32_t overlapping_sixteen(const grazei_bound *a, const grazei_bound *b)
{
    return grazei_overlapping_sixteen((const float *)a, (const float *)b,
                                      sizeof *a / sizeof(float));
}

#endif

/* overlapping_pairs() of up to 4 by 4, in the same order. There is room for 16; what lies beyond
 * the siblings means nothing, and other threads may be writing it.
 */
static inline __attribute__((always_inline)) grazei_item *
overlapping_children(const walk *w, grazei_node a, grazei_node b, grazei_item *out)
{
#if defined(GRAZEI_BOX_PAIRS)
    if (!w->sides[0].shared && !w->sides[1].shared) {
        const grazei_bound *bounds_a = w->sides[0].bounds + a.first;
        const grazei_bound *bounds_b = w->sides[1].bounds + b.first;
        uint32_t there = ((1u << b.count) - 1) * 0x1111u & ((1u << 4 * a.count) - 1);
        uint32_t bits = overlapping_sixteen(bounds_a, bounds_b) & there;
        return out + grazei_write_pairs(bits, a.first, b.first, (uint32_t(*)[2])out);
    }
#endif
#if !defined(__wasm__)
    if (a.count == 4 && b.count == 4) /* so that the compiler unrolls it */
        return overlapping_pairs(w, a.first, 4, b.first, 4, out);
#endif
    return overlapping_pairs(w, a.first, a.count, b.first, b.count, out);
}

/* Pushes the pairs of children of two nodes that overlap, of boxes. */
static inline __attribute__((always_inline)) void open_both(walk *w, grazei_pair_item pair,
                                                            bool by_promise)
{
    const grazei_view *sides = w->sides;
    grazei_node a = sides[0].nodes[pair.node[0]], b = sides[1].nodes[pair.node[1]];
    grazei_item *base = w->agenda->items + w->agenda->count, *top;
    GRAZE_ASSERT(a.count > 0 && b.count > 0);
    GRAZE_ASSERT(w->agenda->count + a.count * b.count <= GRAZEI_AGENDA_ITEMS);
    grazei_body_bound(sides[0].body, a.first, a.count, w->stats);
    grazei_body_bound(sides[1].body, b.first, b.count, w->stats);
    w->stats->bound_tests += (uint64_t)a.count * b.count;
    top = overlapping_children(w, a, b, base);
    GRAZE_ASSERT(top <= w->agenda->items + GRAZEI_AGENDA_ITEMS);
    uint32_t before = w->agenda->count;
    w->agenda->count = (uint32_t)(top - w->agenda->items);
    if (by_promise)
        raise_best_pushed(w, before, BOX_BOX);
}

/* Of two nodes of about the same size both are opened: half as many steps, for a few bounds that
 * may not have been needed. Else the larger one.
 */
#define ABOUT_THE_SAME 2.0f
#define OPENED_TOGETHER 4 /* children */

/* Where code travels, less of it for the rarer walks. */
#if defined(__wasm__)
enum { LESS_CODE = true };
#else
enum { LESS_CODE = false };
#endif

/* Opens one of two nodes that are not both leaves, or both. less: of code. */
static inline __attribute__((always_inline)) void
open_nodes(walk *w, grazei_pair_item pair, volumes kind, bool by_promise, bool less)
{
    const grazei_view *a = &w->sides[0], *b = &w->sides[1];
    uint32_t count_a = a->nodes[pair.node[0]].count, count_b = b->nodes[pair.node[1]].count;
    float size_a = size_of(a, pair.node[0], kind), size_b = size_of(b, pair.node[1], kind);
    bool a_only = !count_b || (count_a && size_a > ABOUT_THE_SAME * size_b);
    bool b_only = !count_a || size_b > ABOUT_THE_SAME * size_a;
    bool few = count_a <= OPENED_TOGETHER && count_b <= OPENED_TOGETHER;
    bool both = kind == BOX_BOX && few && !a_only && !b_only;
    if (both)
        open_both(w, pair, by_promise);
    else if (!less && a_only)
        open_node(w, pair, 0, kind, by_promise);
    else if (!less && b_only)
        open_node(w, pair, 1, kind, by_promise);
    else
        open_node(w, pair, !a_only && (b_only || size_a < size_b), kind, by_promise);
}

/* Where all pairs are wanted, so many are taken from the agenda at a time: which one is next
 * depends on every test before, and that is a long wait for each of them alone.
 */
#define TAKEN_TOGETHER 8

/* Up to so many items may be on the agenda for that: those that are taken may all leave as many
 * behind as they can, `most`, and then there is still room to go depth first. None where the walk
 * has to be able to stop between any two.
 */
static inline uint32_t room_to_take(const walk *w, uint32_t most)
{
    const grazei_agenda *agenda = w->agenda;
    const grazei_tree *a = grazei_body_tree(w->sides[0].body);
    const grazei_tree *b = grazei_body_tree(w->sides[1].body);
    uint32_t levels = a->level_count < b->level_count ? a->level_count : b->level_count;
    uint32_t deep = a->max_open + b->max_open + 9 * levels + GRAZEI_MAX_ARITY + 4;
    uint32_t together = TAKEN_TOGETHER * most;
    if (agenda->stop || (agenda->last_bound_test & agenda->last_triangle_test) != UINT64_MAX ||
        deep + together > GRAZEI_AGENDA_ITEMS)
        return 0;
    return GRAZEI_AGENDA_ITEMS - deep - together;
}

/* How many are taken now. */
static inline uint32_t count_taken(const grazei_agenda *agenda, uint32_t room)
{
    if (agenda->count > room)
        return 1;
    return agenda->count < TAKEN_TOGETHER ? agenda->count : TAKEN_TOGETHER;
}

#endif
