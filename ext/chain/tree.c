/* Which spheres overlap, by a tree over them (what Madera et al. 2017 leave to later work): boxes
 * are refitted bottom-up from the spheres, and nodes are compared that have a checked pair between
 * them.
 */
#include "base/assert.h"
#include "chain/chain_kernel.h"
#include "chain/tracker.h"
#include "deform/bound.h"
#include "math/rounding.h"

#include <string.h>

/* A box for every node, in half a cache line. */
typedef struct node_boxes {
    grazei_bound boxes[GRAZEI_MAX_TRACKER_NODES];
} node_boxes;

/* Spheres that overlap as floats have boxes that do: |d| <= (ra + rb)(1 + 8u) along every axis, and
 * the roundings of the box's corners are below 2u of what is added here. A sphere that is not a
 * number has an empty box.
 */
static void add_sphere(const float *sphere, f4 *low, f4 *high)
{
    f4 centre = f4_set(sphere[0], sphere[1], sphere[2], 0);
    f4 reach = f4_all(fabsf(sphere[3]) * (1 + 16 * GRAZEI_UNIT) + GRAZEI_LEAST_RADIUS) +
               f4_abs(centre) * f4_all(4 * GRAZEI_UNIT);
    /* Of two operands of which one is not a number min and max give the second. */
    *low = f4_min(centre - reach, *low);
    *high = f4_max(centre + reach, *high);
}

static void fill_boxes(const graze_chain_tracker *tracker, const float *spheres, node_boxes *all)
{
    for (uint32_t n = tracker->node_count; n-- > 0;) {
        const grazei_sphere_node *node = &tracker->nodes[n];
        f4 low = f4_all(INFINITY), high = f4_all(-INFINITY);
        if (node->left) {
            const grazei_bound *l = &all->boxes[node->left], *r = &all->boxes[node->right];
            f4_store(all->boxes[n].low_negated,
                     f4_max(grazei_bound_first(l), grazei_bound_first(r)));
            f4_store(all->boxes[n].high, f4_max(grazei_bound_second(l), grazei_bound_second(r)));
            continue;
        }
        for (uint32_t i = node->first; i < node->first + node->count; i++)
            add_sphere(spheres + 4 * (size_t)tracker->order[i], &low, &high);
        grazei_bound_set_box(&all->boxes[n], low, high);
    }
}

/* One side of a comparison. */
typedef struct tree_side {
    const graze_chain_tracker *tracker;
    const float *spheres;
    const node_boxes *boxes;
} tree_side;

typedef struct comparison {
    tree_side a, b;
    bool same; /* one body with itself: only what is checked */
    graze_pair *found;
    size_t count;
} comparison;

/* Whether anything in a node is checked with spheres of another. */
static bool is_checked(const graze_chain_tracker *tracker, uint32_t node,
                       const grazei_sphere_node *other)
{
    const uint32_t *bits = tracker->node_bits + (size_t)node * tracker->row_words;
    GRAZE_ASSERT(other->count > 0);
    uint32_t first = other->first, last = first + other->count - 1;
    for (uint32_t w = first / 32; w <= last / 32; w++) {
        uint32_t mask = UINT32_MAX;
        if (w == first / 32)
            mask &= UINT32_MAX << (first % 32);
        if (w == last / 32)
            mask &= UINT32_MAX >> (31 - last % 32);
        if (bits[w] & mask)
            return true;
    }
    return false;
}

static grazei_chain_ball ball_at(const tree_side *side, uint32_t sphere)
{
    const float *s = side->spheres + 4 * (size_t)sphere;
    return (grazei_chain_ball){s[0], s[1], s[2], s[3]};
}

/* Two leaves, or one with itself. */
static void compare_leaves(comparison *c, const grazei_sphere_node *a, const grazei_sphere_node *b)
{
    const graze_chain_tracker *tracker = c->a.tracker;
    for (uint32_t i = a->first; i < a->first + a->count; i++) {
        uint32_t own = tracker->order[i];
        grazei_chain_ball ball = ball_at(&c->a, own);
        for (uint32_t k = a == b && c->same ? i + 1 : b->first; k < b->first + b->count; k++) {
            if (c->same && !grazei_bit(tracker->near_bits + (size_t)i * tracker->row_words, k))
                continue;
            uint32_t other = c->b.tracker->order[k];
            if (!grazei_chain_meet(ball, ball_at(&c->b, other)))
                continue;
            bool turned = c->same && other < own;
            GRAZE_ASSERT(own < tracker->sphere_count && other < c->b.tracker->sphere_count);
            c->found[c->count++] =
                (graze_pair){.a = turned ? other : own, .b = turned ? own : other};
        }
    }
}

/* Two nodes. Leaves are at most 10 levels down, as every node is split in the middle. */
static void compare_nodes(comparison *c, uint32_t a, uint32_t b)
{
    const grazei_sphere_node *node_a = &c->a.tracker->nodes[a], *node_b = &c->b.tracker->nodes[b];
    if (c->same && !is_checked(c->a.tracker, a, node_b))
        return;
    const bool self = c->same && a == b;
    if (!self) {
        grazei_box_probe probe = grazei_probe_box(&c->a.boxes->boxes[a]);
        if (!grazei_boxes_overlap(&probe, &c->b.boxes->boxes[b]))
            return;
    }
    if (!node_a->left && !node_b->left) {
        compare_leaves(c, node_a, node_b);
    } else if (self) {
        compare_nodes(c, node_a->left, node_a->left);
        compare_nodes(c, node_a->right, node_a->right);
        compare_nodes(c, node_a->left, node_a->right);
    } else if (node_b->left && (!node_a->left || node_b->count > node_a->count)) {
        compare_nodes(c, a, node_b->left);
        compare_nodes(c, a, node_b->right);
    } else {
        compare_nodes(c, node_a->left, b);
        compare_nodes(c, node_a->right, b);
    }
}

static bool is_before(graze_pair a, graze_pair b)
{
    return a.a != b.a ? a.a < b.a : a.b < b.b;
}

static void sort_pairs(graze_pair *pairs, size_t count)
{
    size_t gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap; gap /= 3)
        for (size_t i = gap; i < count; i++) {
            graze_pair pair = pairs[i];
            size_t at = i;
            for (; at >= gap && is_before(pair, pairs[at - gap]); at -= gap)
                pairs[at] = pairs[at - gap];
            pairs[at] = pair;
        }
}

/* ---- threads --------------------------------------------------------------------------------- */

typedef struct shared_tree {
    comparison start;
    size_t found[GRAZEI_MAX_TREE_TASKS];
} shared_tree;

static void compare_task(void *user, size_t number, uint32_t thread)
{
    shared_tree *shared = user;
    const grazei_tree_task *task = &shared->start.a.tracker->tasks[number];
    comparison own = shared->start;
    (void)thread;
    own.found += task->first_pair;
    compare_nodes(&own, task->a, task->b);
    shared->found[number] = own.count;
}

static size_t compare_tasks(const comparison *start, graze_pool *pool)
{
    const graze_chain_tracker *tracker = start->a.tracker;
    shared_tree shared = {.start = *start};
    size_t total = 0;
    if (graze_pool_for_each(pool, tracker->task_count, compare_task, &shared, NULL))
        return 0; /* it has nothing to refuse */
    for (uint32_t t = 0; t < tracker->task_count; t++) {
        GRAZE_ASSERT(total <= tracker->tasks[t].first_pair);
        memmove(start->found + total, start->found + tracker->tasks[t].first_pair,
                shared.found[t] * sizeof *start->found);
        total += shared.found[t];
    }
    return total;
}

size_t grazei_tree_pairs(const graze_posed_chains *a, graze_pool *pool, graze_pair *found)
{
    node_boxes boxes;
    fill_boxes(a->tracker, a->spheres, &boxes);
    tree_side side = {a->tracker, a->spheres, &boxes};
    comparison c = {.a = side, .b = side, .same = true, .found = found};
    if (graze_pool_threads(pool) > 1)
        c.count = compare_tasks(&c, pool);
    else
        compare_nodes(&c, 0, 0);
    sort_pairs(found, c.count);
    return c.count;
}

size_t grazei_tree_pairs_between(const graze_posed_chains *a, const graze_posed_chains *b,
                                 graze_pair *found)
{
    /* Two sets of boxes would take too much of the stack: the second body's spheres are looked up
     * in the first one's tree, one by one.
     */
    node_boxes boxes;
    const graze_chain_tracker *tree = a->tracker;
    fill_boxes(tree, a->spheres, &boxes);
    size_t count = 0;
    for (uint32_t s = 0; s < b->tracker->sphere_count; s++) {
        const float *sphere = b->spheres + 4 * (size_t)s;
        f4 low = f4_all(INFINITY), high = f4_all(-INFINITY);
        grazei_bound box;
        uint32_t open[32], open_count = 1;
        grazei_chain_ball ball = {sphere[0], sphere[1], sphere[2], sphere[3]};
        add_sphere(sphere, &low, &high);
        grazei_bound_set_box(&box, low, high);
        grazei_box_probe probe = grazei_probe_box(&box);
        open[0] = 0;
        while (open_count) {
            const grazei_sphere_node *node = &tree->nodes[open[--open_count]];
            if (!grazei_boxes_overlap(&probe, &boxes.boxes[open[open_count]]))
                continue;
            if (node->left) {
                GRAZE_ASSERT(open_count + 2 <= sizeof open / sizeof *open);
                open[open_count++] = node->right;
                open[open_count++] = node->left;
                continue;
            }
            for (uint32_t i = node->first; i < node->first + node->count; i++) {
                const float *own = a->spheres + 4 * (size_t)tree->order[i];
                if (grazei_chain_meet((grazei_chain_ball){own[0], own[1], own[2], own[3]}, ball))
                    found[count++] = (graze_pair){.a = tree->order[i], .b = s};
            }
        }
    }
    sort_pairs(found, count);
    return count;
}
