/* Refits the tree bottom-up: boxes of leaves from their vertices, each vertex of a leaf once, and
 * all above from those.
 */
#include "bench/eager/nodes.h"

EAGER_INLINE f4 least(const f4 a[4])
{
    return f4_min(f4_min(a[0], a[1]), f4_min(a[2], a[3]));
}

EAGER_INLINE f4 greatest(const f4 a[4])
{
    return f4_max(f4_max(a[0], a[1]), f4_max(a[2], a[3]));
}

/* Four triangles that lie together have six vertices, rarely more than eight: always eight is
 * faster than as many as there are, since no branch is missed.
 */
EAGER_INLINE void bound_leaf(const char *positions, const uint32_t places[EAGER_CORNERS], f4 *low,
                             f4 *high)
{
    f4 at[EAGER_CORNERS];
#pragma GCC unroll 8
    for (int i = 0; i < EAGER_CORNERS; i++)
        at[i] = f4_load((const float *)(positions + places[i]));
    *low = f4_min(least(at), least(at + 4));
    *high = f4_max(greatest(at), greatest(at + 4));
}

static __attribute__((noinline)) void bound_odd_leaves(const eager_body *body, uint32_t twig,
                                                       f4 low[4], f4 high[4])
{
    for (uint32_t k = 0; k < 4; k++)
        bound_triangles(body, EAGER_TWIG * twig + EAGER_LEAF * k, EAGER_LEAF, &low[k], &high[k]);
}

EAGER_INLINE void refit_twig(eager_body *body, uint32_t twig, eager_node *node, f4 *low, f4 *high)
{
    const uint32_t(*places)[EAGER_CORNERS] =
        (const uint32_t(*)[EAGER_CORNERS])body->model->leaf_places + 4 * (size_t)twig;
    f4 lows[4], highs[4];
    if (places[0][0] == EAGER_ODD_LEAF) {
        bound_odd_leaves(body, twig, lows, highs);
    } else {
#pragma GCC unroll 4
        for (uint32_t k = 0; k < 4; k++)
            bound_leaf((const char *)body->positions, places[k], &lows[k], &highs[k]);
    }
    set_children(node, lows, highs, body->stamp);
    *low = least(lows);
    *high = greatest(highs);
}

EAGER_INLINE void refit_block(eager_body *body, uint32_t block, f4 *low, f4 *high)
{
    const eager_model *model = body->model;
    eager_node *node = body->nodes + model->upper_count + block;
    eager_node *twigs = body->nodes + model->upper_count + model->block_count + 4 * (size_t)block;
    f4 lows[4], highs[4];
    for (uint32_t k = 0; k < 4; k++)
        refit_twig(body, 4 * block + k, &twigs[k], &lows[k], &highs[k]);
    set_children(node, lows, highs, body->stamp);
    *low = least(lows);
    *high = greatest(highs);
}

static void refit_uppers(eager_body *body)
{
    for (uint32_t n = body->model->upper_count; n-- > 0;) {
        eager_node *node = &body->nodes[n];
        f4 lows[4], highs[4];
        for (int k = 0; k < 4; k++) {
            lows[k] = f4_all(INFINITY);
            highs[k] = -lows[k];
            if (node->children[k]) {
                lows[k] = f4_load(body->boxes[node->children[k]][0]);
                highs[k] = f4_load(body->boxes[node->children[k]][1]);
            }
        }
        set_children(node, lows, highs, body->stamp);
        f4_store(body->boxes[n][0], least(lows));
        f4_store(body->boxes[n][1], greatest(highs));
    }
}

void EAGER_ISA(refit)(eager_body *body)
{
    body->stamp++;
    for (uint32_t b = 0; b < body->model->block_count; b++) {
        f4 low, high;
        refit_block(body, b, &low, &high);
        f4_store(body->boxes[body->model->upper_count + b][0], low);
        f4_store(body->boxes[body->model->upper_count + b][1], high);
    }
    refit_uppers(body);
}
