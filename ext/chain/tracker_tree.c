/* A binary tree over the spheres at rest, and the pieces of work that threads take. */
#include "chain/tracker.h"

#include "base/assert.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A sphere and its centre along the axis at hand. */
typedef struct placed_sphere {
    float at;
    uint32_t sphere;
} placed_sphere;

typedef struct tree_builder {
    graze_chain_tracker *tracker;
    const graze_chains *chains;
    placed_sphere *placed;
} tree_builder;

static int compare(const void *first, const void *second)
{
    const placed_sphere *a = first, *b = second;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return a->sphere < b->sphere ? -1 : a->sphere > b->sphere;
}

static int longest_axis(const tree_builder *b, uint32_t first, uint32_t count)
{
    int longest = 0;
    float most = -1;
    for (int axis = 0; axis < 3; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (uint32_t i = first; i < first + count; i++) {
            float at = graze_chains_sphere(b->chains, b->tracker->order[i]).centre[axis];
            low = f1_min(low, at);
            high = f1_max(high, at);
        }
        if (high - low > most) {
            most = high - low;
            longest = axis;
        }
    }
    return longest;
}

/* Splits across the longest axis in the middle; returns the node's number. */
static uint32_t build(tree_builder *b, uint32_t first, uint32_t count)
{
    uint32_t *order = b->tracker->order, number = b->tracker->node_count++;
    b->tracker->nodes[number] = (grazei_sphere_node){first, count, 0, 0};
    if (count <= GRAZEI_LEAF_SPHERES)
        return number;
    int axis = longest_axis(b, first, count);
    for (uint32_t i = 0; i < count; i++)
        b->placed[i] = (placed_sphere){
            graze_chains_sphere(b->chains, order[first + i]).centre[axis], order[first + i]};
    qsort(b->placed, count, sizeof *b->placed, compare);
    for (uint32_t i = 0; i < count; i++)
        order[first + i] = b->placed[i].sphere;
    uint32_t left = build(b, first, count / 2);
    uint32_t right = build(b, first + count / 2, count - count / 2);
    GRAZE_ASSERT(left > number && right > left);
    b->tracker->nodes[number].left = left;
    b->tracker->nodes[number].right = right;
    return number;
}

static void fill_bits(graze_chain_tracker *tracker)
{
    const uint32_t words = tracker->row_words;
    for (uint32_t i = 0; i < tracker->sphere_count; i++)
        for (uint32_t k = 0; k < tracker->sphere_count; k++)
            if (grazei_bit(tracker->row_bits + (size_t)tracker->order[i] * words,
                           tracker->order[k]))
                grazei_set_bit(tracker->near_bits + (size_t)i * words, k);
    for (uint32_t n = 0; n < tracker->node_count; n++)
        for (uint32_t i = tracker->nodes[n].first;
             i < tracker->nodes[n].first + tracker->nodes[n].count; i++)
            for (uint32_t w = 0; w < words; w++)
                tracker->node_bits[(size_t)n * words + w] |=
                    tracker->near_bits[(size_t)i * words + w];
}

static uint32_t count_pairs(const graze_chain_tracker *tracker, const grazei_tree_task *task)
{
    const grazei_sphere_node *a = &tracker->nodes[task->a], *b = &tracker->nodes[task->b];
    uint32_t count = 0;
    for (uint32_t i = a->first; i < a->first + a->count; i++)
        for (uint32_t k = task->a == task->b ? i + 1 : b->first; k < b->first + b->count; k++)
            count += grazei_bit(tracker->near_bits + (size_t)i * tracker->row_words, k);
    return count;
}

/* Opens the task with most pairs until there are enough of them; a task of leaves stays. */
static void split_tasks(graze_chain_tracker *tracker)
{
    uint32_t pairs[GRAZEI_MAX_TREE_TASKS + 3];
    tracker->tasks[0] = (grazei_tree_task){0, 0, 0};
    tracker->task_count = 1;
    pairs[0] = tracker->checked.pair_count;
    while (tracker->task_count + 3 <= GRAZEI_MAX_TREE_TASKS) {
        uint32_t best = 0;
        for (uint32_t t = 1; t < tracker->task_count; t++)
            best = pairs[t] > pairs[best] ? t : best;
        grazei_tree_task open = tracker->tasks[best];
        const grazei_sphere_node *a = &tracker->nodes[open.a], *b = &tracker->nodes[open.b];
        if (!a->left || !b->left || !pairs[best])
            return;
        const bool same = open.a == open.b;
        const grazei_tree_task parts[4] = {{a->left, b->left, 0},
                                           {a->right, b->right, 0},
                                           {a->left, b->right, 0},
                                           {a->right, b->left, 0}};
        tracker->tasks[best] = tracker->tasks[--tracker->task_count];
        pairs[best] = pairs[tracker->task_count];
        for (int i = 0; i < (same ? 3 : 4); i++) {
            uint32_t own = count_pairs(tracker, &parts[i]);
            tracker->tasks[tracker->task_count] = parts[i];
            pairs[tracker->task_count] = own;
            GRAZE_ASSERT(tracker->task_count < GRAZEI_MAX_TREE_TASKS + 3);
            tracker->task_count += own > 0;
        }
    }
}

bool grazei_tracker_make_tree(graze_chain_tracker *tracker, const graze_chains *chains)
{
    const graze_allocator *allocator = &tracker->allocator;
    const uint32_t count = tracker->sphere_count;
    const size_t most_nodes = 2 * (size_t)count;
    tree_builder b = {tracker, chains, GRAZEI_ALLOCATE(allocator, count, placed_sphere)};
    tracker->nodes = GRAZEI_ALLOCATE(allocator, most_nodes, grazei_sphere_node);
    tracker->order = GRAZEI_ALLOCATE(allocator, count, uint32_t);
    tracker->near_bits =
        GRAZEI_ALLOCATE_ZERO(allocator, (size_t)count * tracker->row_words, uint32_t);
    tracker->node_bits = GRAZEI_ALLOCATE_ZERO(allocator, most_nodes * tracker->row_words, uint32_t);
    tracker->tasks = GRAZEI_ALLOCATE(allocator, GRAZEI_MAX_TREE_TASKS + 3, grazei_tree_task);
    bool ok = b.placed && tracker->nodes && tracker->order && tracker->near_bits &&
              tracker->node_bits && tracker->tasks;
    if (ok) {
        for (uint32_t s = 0; s < count; s++)
            tracker->order[s] = s;
        build(&b, 0, count);
        fill_bits(tracker);
        split_tasks(tracker);
        uint32_t before = 0;
        for (uint32_t t = 0; t < tracker->task_count; t++) {
            tracker->tasks[t].first_pair = before;
            before += count_pairs(tracker, &tracker->tasks[t]);
            GRAZE_ASSERT(before <= tracker->checked.pair_count);
        }
    }
    grazei_release(allocator, b.placed);
    return ok;
}
