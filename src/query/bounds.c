/* A query that stops at the bounds of a chosen level (James & Pai 2004, section 3.4). */
#include <graze/query.h>

#include "query/pair.h"

#define STACK_SIZE (2 * GRAZEI_MAX_LEVELS * (GRAZEI_MAX_ARITY - 1) + GRAZEI_MAX_ARITY)

/* Leaves, and nodes on the contact level, are not opened. */
static bool is_last(const grazei_tree *tree, uint32_t node)
{
    uint32_t level = tree->def.contact_level;
    return tree->nodes[node].count == 0 ||
           (level && level < tree->level_count && node >= tree->level_first[level]);
}

static float size_of(const graze_body *body, uint32_t node)
{
    const grazei_bound *bound = &body->bounds[node];
    if (body->model->tree.def.volume == GRAZE_SPHERES)
        return bound->radius;
    return 0.29f * (bound->high[0] + bound->low_negated[0] + bound->high[1] +
                    bound->low_negated[1] + bound->high[2] + bound->low_negated[2]);
}

graze_status graze_collide_bounds(graze_body *a, graze_body *b, graze_node_pair_fn report,
                                  void *user, graze_stats *stats, graze_error *error)
{
    graze_status status = grazei_check_pair(a, b, error);
    if (status)
        return status;
    graze_node_pair stack[STACK_SIZE];
    graze_stats unwanted = {0};
    uint32_t depth = 0;
    stats = stats ? stats : &unwanted;
    grazei_body_bound(a, 0, 1, stats);
    grazei_body_bound(b, 0, 1, stats);
    stats->bound_tests++;
    if (grazei_bounds_overlap(a, 0, b, 0))
        stack[depth++] = (graze_node_pair){0, 0};
    while (depth) {
        graze_node_pair pair = stack[--depth];
        bool last_a = is_last(&a->model->tree, pair.a), last_b = is_last(&b->model->tree, pair.b);
        if (last_a && last_b) {
            if (!report(user, &pair))
                break;
            continue;
        }
        bool open_a = !last_a && (last_b || size_of(a, pair.a) >= size_of(b, pair.b));
        graze_body *opened = open_a ? a : b;
        grazei_node node = opened->model->tree.nodes[open_a ? pair.a : pair.b];
        grazei_body_bound(opened, node.first, node.count, stats);
        stats->bound_tests += node.count;
        for (uint32_t n = node.first; n < node.first + node.count; n++) {
            graze_node_pair child = {open_a ? n : pair.a, open_a ? pair.b : n};
            if (grazei_bounds_overlap(a, child.a, b, child.b))
                stack[depth++] = child;
        }
    }
    return GRAZE_OK;
}
