/* Boxes of nodes, and nodes that get theirs when they are first visited. Compiled once per
 * instruction set.
 */
#ifndef GRAZE_BENCH_EAGER_NODES_H
#define GRAZE_BENCH_EAGER_NODES_H

#include "bench/eager/simd.h"
#include "bench/eager/types.h"

EAGER_INLINE void set_children(eager_node *node, const f4 low[4], const f4 high[4], uint32_t stamp)
{
    f4_rows(low, node->low);
    f4_rows(high, node->high);
    node->stamp = stamp;
}

/* The box of `count` triangles from `first` on; none is inside out. */
EAGER_INLINE void bound_triangles(const eager_body *body, uint32_t first, uint32_t count, f4 *low,
                                  f4 *high)
{
    uint32_t end = body->model->triangle_count;
    *low = f4_all(INFINITY);
    *high = -*low;
    for (uint32_t t = first; t < first + count && t < end; t++)
        for (int c = 0; c < 3; c++) {
            f4 at = f4_load(body->positions[body->model->corners[t][c]]);
            *low = f4_min(*low, at);
            *high = f4_max(*high, at);
        }
}

EAGER_INLINE uint32_t first_of_rank(const eager_model *model, uint32_t rank)
{
    uint32_t first = model->upper_count;
    if (rank == EAGER_IS_UPPER)
        return 0;
    if (rank <= EAGER_IS_TWIG)
        first += model->block_count;
    if (rank == EAGER_IS_LEAF)
        first += 4 * model->block_count;
    return first;
}

/* All but leaves are refitted. */
static void fill_leaf(eager_body *body, eager_node *leaf, uint32_t number)
{
    uint32_t place = number - first_of_rank(body->model, EAGER_IS_LEAF);
    f4 low[4], high[4];
    for (uint32_t k = 0; k < 4; k++)
        bound_triangles(body, 4 * place + k, 1, &low[k], &high[k]);
    set_children(leaf, low, high, body->stamp);
}

/* A node whose boxes are of this pose. */
EAGER_INLINE const eager_node *visit(eager_body *body, uint32_t number)
{
    eager_node *node = &body->nodes[number];
    if (node->stamp != body->stamp)
        fill_leaf(body, node, number);
    return node;
}

#endif
