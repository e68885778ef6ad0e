/* Self-collision between chosen pairs of parts: which nodes and triangles count. */
#ifndef GRAZEI_QUERY_BETWEEN_H
#define GRAZEI_QUERY_BETWEEN_H

#include "body/mask.h"

#include <graze/self.h>

/* Whether two nodes may have triangles that count with each other. */
static inline bool grazei_nodes_count(const graze_self_between *between, const graze_model *model,
                                      uint32_t a, uint32_t b)
{
    const grazei_node_groups *lists = &model->node_groups;
    for (uint32_t i = 0; i < between->pair_count; i++) {
        const graze_group_pair *pair = &between->pairs[i];
        if ((grazei_node_may_have(lists, a, pair->a) && grazei_node_may_have(lists, b, pair->b)) ||
            (grazei_node_may_have(lists, a, pair->b) && grazei_node_may_have(lists, b, pair->a)))
            return true;
    }
    return false;
}

/* Whether two triangles count. */
static inline bool grazei_triangles_count(const graze_self_between *between,
                                          const graze_model *model, uint32_t a, uint32_t b)
{
    uint32_t group_a = model->mesh.triangle_groups[a], group_b = model->mesh.triangle_groups[b];
    for (uint32_t i = 0; i < between->pair_count; i++) {
        const graze_group_pair *pair = &between->pairs[i];
        if ((grazei_mask_has(pair->a, group_a) && grazei_mask_has(pair->b, group_b)) ||
            (grazei_mask_has(pair->b, group_a) && grazei_mask_has(pair->a, group_b)))
            return true;
    }
    return false;
}

#endif
