/* A tree by the surface area heuristic (Goldsmith & Salmon 1987; MacDonald & Booth 1990) over the
 * rest pose: all splits along three axes, at multiples of 64, 16 and 4 triangles, so that blocks,
 * twigs and leaves are full. Triangles are sorted once along each axis and partitioned after that.
 */
#include "bench/eager/types.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct box {
    float low[3], high[3];
} box;

static const box empty_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/* An inner node of the binary tree of blocks; a child of at least `count` is a block. */
typedef struct fork {
    uint32_t children[2];
    float areas[2];
} fork;

typedef struct builder {
    box *boxes;          /* of triangles */
    float (*centres)[3]; /* twice, in fact */
    uint32_t *orders[3]; /* triangles along each axis; each part of the tree has the same range */
    uint32_t *spare;
    float *areas; /* of what is right of each split */
    uint8_t *is_left;
    fork *forks;
    uint32_t fork_count, block_count;
    eager_model *model;
} builder;

static void box_add(box *sum, const box *other)
{
    for (int k = 0; k < 3; k++) {
        sum->low[k] = other->low[k] < sum->low[k] ? other->low[k] : sum->low[k];
        sum->high[k] = other->high[k] > sum->high[k] ? other->high[k] : sum->high[k];
    }
}

static float box_area(const box *b)
{
    float x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];
    return x * y + y * z + z * x;
}

typedef struct sort_key {
    float value;
    uint32_t triangle;
} sort_key;

static int compare_keys(const void *x, const void *y)
{
    const sort_key *a = x, *b = y;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return a->triangle < b->triangle ? -1 : 1;
}

static void sort_triangles(builder *build)
{
    uint32_t count = build->model->triangle_count;
    size_t bytes = 0;
    sort_key *keys = eager_take(count, sizeof *keys, &bytes);
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t t = 0; t < count; t++)
            keys[t] = (sort_key){build->centres[t][axis], t};
        qsort(keys, count, sizeof *keys, compare_keys);
        for (uint32_t t = 0; t < count; t++)
            build->orders[axis][t] = keys[t].triangle;
    }
    free(keys);
}

/* The cheapest split of a range along one axis, at a multiple of `grain`. */
static void try_axis(builder *build, int axis, uint32_t first, uint32_t count, uint32_t grain,
                     float *least, uint32_t *split, int *best_axis)
{
    const uint32_t *order = build->orders[axis] + first;
    box sum = empty_box;
    for (uint32_t i = count; i-- > 0;) {
        box_add(&sum, &build->boxes[order[i]]);
        if (i % grain == 0)
            build->areas[i / grain] = box_area(&sum);
    }
    sum = empty_box;
    for (uint32_t i = 0; i < count; i++) {
        if (i && i % grain == 0) {
            float cost = box_area(&sum) * (float)i + build->areas[i / grain] * (float)(count - i);
            if (cost < *least) {
                *least = cost;
                *split = i;
                *best_axis = axis;
            }
        }
        box_add(&sum, &build->boxes[order[i]]);
    }
}

/* Splits a range of more than `grain` triangles and returns how many are left of it. Deep down, and
 * where areas are no numbers, halves will do.
 */
static uint32_t split_range(builder *build, uint32_t first, uint32_t count, uint32_t grain,
                            uint32_t depth)
{
    uint32_t split = (count + 2 * grain - 1) / (2 * grain) * grain;
    int axis = 0;
    float least = INFINITY;
    for (int k = 0; k < 3 && depth < EAGER_DEPTH / 2; k++)
        try_axis(build, k, first, count, grain, &least, &split, &axis);
    for (uint32_t i = 0; i < count; i++)
        build->is_left[build->orders[axis][first + i]] = i < split;
    for (int k = 0; k < 3; k++) {
        uint32_t *order = build->orders[k] + first, left = 0, right = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (build->is_left[order[i]])
                order[left++] = order[i];
            else
                build->spare[right++] = order[i];
        }
        memcpy(order + left, build->spare, right * sizeof *order);
    }
    return split;
}

static void order_block(builder *build, uint32_t first, uint32_t count, uint32_t grain)
{
    if (count <= EAGER_LEAF)
        return;
    if (count <= grain) {
        order_block(build, first, count, grain / 4);
        return;
    }
    uint32_t left = split_range(build, first, count, grain, 0);
    order_block(build, first, left, grain);
    order_block(build, first + left, count - left, grain);
}

static float range_area(const builder *build, uint32_t first, uint32_t count)
{
    box sum = empty_box;
    for (uint32_t i = first; i < first + count; i++)
        box_add(&sum, &build->boxes[build->orders[0][i]]);
    return box_area(&sum);
}

/* Builds over a range and returns a fork, or a block as fork_limit + its number. */
static uint32_t build_range(builder *build, uint32_t first, uint32_t count, uint32_t fork_limit,
                            uint32_t depth)
{
    if (count <= EAGER_BLOCK) {
        order_block(build, first, count, EAGER_TWIG);
        return fork_limit + build->block_count++;
    }
    uint32_t left = split_range(build, first, count, EAGER_BLOCK, depth);
    uint32_t number = build->fork_count++;
    build->forks[number].areas[0] = range_area(build, first, left);
    build->forks[number].areas[1] = range_area(build, first + left, count - left);
    uint32_t child = build_range(build, first, left, fork_limit, depth + 1);
    build->forks[number].children[0] = child;
    child = build_range(build, first + left, count - left, fork_limit, depth + 1);
    build->forks[number].children[1] = child;
    return number;
}

/* Forks become nodes of four, the largest opened first; parents stand before children. */
static uint32_t widen(builder *build, uint32_t number, uint32_t fork_limit)
{
    eager_model *model = build->model;
    if (number >= fork_limit)
        return number - fork_limit;
    fork wide[3] = {build->forks[number]};
    uint32_t children[4] = {wide[0].children[0], wide[0].children[1]}, count = 2;
    float areas[4] = {wide[0].areas[0], wide[0].areas[1]};
    while (count < 4) {
        uint32_t best = UINT32_MAX;
        for (uint32_t i = 0; i < count; i++)
            if (children[i] < fork_limit && (best == UINT32_MAX || areas[i] > areas[best]))
                best = i;
        if (best == UINT32_MAX)
            break;
        const fork *opened = &build->forks[children[best]];
        children[best] = opened->children[0];
        areas[best] = opened->areas[0];
        children[count] = opened->children[1];
        areas[count++] = opened->areas[1];
    }
    uint32_t node = model->upper_count++;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t child = i < count ? widen(build, children[i], fork_limit) : UINT32_MAX;
        bool is_block = i < count && children[i] >= fork_limit;
        model->upper_children[node][i] = is_block ? child | 0x80000000u : child;
    }
    return node;
}

static void find_boxes(builder *build, const graze_model_def *def)
{
    for (uint32_t t = 0; t < def->triangle_count; t++) {
        build->boxes[t] = empty_box;
        for (int c = 0; c < 3; c++) {
            const float *at = def->positions + 3 * (size_t)def->triangles[3 * (size_t)t + c];
            box corner = {{at[0], at[1], at[2]}, {at[0], at[1], at[2]}};
            box_add(&build->boxes[t], &corner);
        }
        for (int k = 0; k < 3; k++)
            build->centres[t][k] = build->boxes[t].low[k] + build->boxes[t].high[k];
    }
}

/* Numbers of nodes: uppers, blocks, twigs, leaves. */
static void number_children(eager_model *model)
{
    for (uint32_t n = 0; n < model->upper_count; n++)
        for (int i = 0; i < 4; i++) {
            uint32_t child = model->upper_children[n][i];
            if (child == UINT32_MAX)
                model->upper_children[n][i] = 0;
            else if (child & 0x80000000u)
                model->upper_children[n][i] = model->upper_count + (child & 0x7fffffffu);
        }
}

void eager_build_tree(eager_model *model, const graze_model_def *def)
{
    uint32_t count = def->triangle_count, blocks = (count + EAGER_BLOCK - 1) / EAGER_BLOCK;
    size_t bytes = 0;
    builder build = {.boxes = eager_take(count, sizeof *build.boxes, &bytes),
                     .centres = eager_take(count, sizeof *build.centres, &bytes),
                     .spare = eager_take(count, sizeof *build.spare, &bytes),
                     .areas = eager_take(count, sizeof *build.areas, &bytes),
                     .is_left = eager_take(count, sizeof *build.is_left, &bytes),
                     .forks = eager_take(blocks, sizeof *build.forks, &bytes),
                     .model = model};
    for (int k = 0; k < 3; k++)
        build.orders[k] = eager_take(count, sizeof *build.orders[k], &bytes);
    model->upper_children = eager_take(blocks, sizeof *model->upper_children, &model->bytes);
    find_boxes(&build, def);
    sort_triangles(&build);
    uint32_t root = build_range(&build, 0, count, blocks, 0);
    memcpy(model->triangles, build.orders[0], count * sizeof(uint32_t));
    if (root < blocks)
        widen(&build, root, blocks);
    number_children(model);
    model->block_count = build.block_count;
    model->node_count = model->upper_count + 21 * build.block_count;
    void *const memory[] = {build.boxes,     build.centres,   build.spare,
                            build.areas,     build.is_left,   build.forks,
                            build.orders[0], build.orders[1], build.orders[2]};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        free(memory[i]);
}
