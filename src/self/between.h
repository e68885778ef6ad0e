/* Self-collision between chosen pairs of parts: which nodes and triangles count. */
#ifndef GRAZEI_SELF_BETWEEN_H
#define GRAZEI_SELF_BETWEEN_H

#include "body/mask.h"

#include <graze/pairs.h>

/* Whether two groups count with each other, by rows of bits. */
static inline bool grazei_rows_have(const graze_part_filter *between, uint32_t g, uint32_t h)
{
    const size_t words = (between->part_count + 31) / 32;
    GRAZE_ASSERT(g < between->part_count && h < between->part_count);
    return grazei_mask_has(between->rows + g * words, h) ||
           grazei_mask_has(between->rows + h * words, g);
}

static inline bool grazei_nodes_in_rows(const graze_part_filter *between,
                                        const grazei_node_groups *lists, uint32_t a, uint32_t b)
{
    if (!lists->first || !lists->counts[a] || !lists->counts[b])
        return true;
    const uint32_t *of_a = lists->groups + lists->first[a], *of_b = lists->groups + lists->first[b];
    for (uint32_t i = 0; i < lists->counts[a]; i++)
        for (uint32_t k = 0; k < lists->counts[b]; k++)
            if (grazei_rows_have(between, of_a[i], of_b[k]))
                return true;
    return false;
}

/* Whether two nodes may have triangles that count with each other. */
static inline bool grazei_nodes_count(const graze_part_filter *between, const graze_model *model,
                                      uint32_t a, uint32_t b)
{
    const grazei_node_groups *lists = &model->node_groups;
    if (between->rows)
        return grazei_nodes_in_rows(between, lists, a, b);
    for (uint32_t i = 0; i < between->pair_count; i++) {
        const graze_part_sets *pair = &between->pairs[i];
        if ((grazei_node_may_have(lists, a, pair->a) && grazei_node_may_have(lists, b, pair->b)) ||
            (grazei_node_may_have(lists, a, pair->b) && grazei_node_may_have(lists, b, pair->a)))
            return true;
    }
    return false;
}

/* Whether two triangles count. */
static inline bool grazei_triangles_count(const graze_part_filter *between,
                                          const graze_model *model, uint32_t a, uint32_t b)
{
    uint32_t group_a = model->mesh.triangle_parts[a], group_b = model->mesh.triangle_parts[b];
    if (between->rows)
        return grazei_rows_have(between, group_a, group_b);
    for (uint32_t i = 0; i < between->pair_count; i++) {
        const graze_part_sets *pair = &between->pairs[i];
        if ((grazei_mask_has(pair->a, group_a) && grazei_mask_has(pair->b, group_b)) ||
            (grazei_mask_has(pair->b, group_a) && grazei_mask_has(pair->a, group_b)))
            return true;
    }
    return false;
}

#endif
