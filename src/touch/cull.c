/* On which side of a shape a body is, by its bounds alone. */
#include "touch/cull.h"

#include "touch/shapes.h"

/* Goes on until something is known to be on either side, or not known to be on any. */
static graze_side classify(graze_body *body, const grazei_shape *shape, uint32_t depth,
                           graze_stats *stats)
{
    const grazei_tree *tree = grazei_body_tree(body);
    grazei_view view = grazei_body_view(body);
    grazei_node stack[GRAZEI_MAX_OPEN + GRAZEI_MAX_ARITY]; /* siblings to look at */
    uint32_t count = 0;
    bool seen[3] = {false, false, false};
    stack[count++] = (grazei_node){0, 1};
    while (count && !seen[GRAZE_CROSSING] && !(seen[GRAZE_OUTSIDE] && seen[GRAZE_INSIDE])) {
        grazei_node siblings = stack[--count];
        grazei_body_bound(body, siblings.first, siblings.count, stats);
        stats->bound_tests += siblings.count;
        for (uint32_t n = siblings.first; n < siblings.first + siblings.count; n++) {
            grazei_node node = tree->nodes[n];
            if (grazei_view_is_empty(&view, n))
                continue;
            graze_side side = grazei_shape_side(shape, &view.bounds[n], view.spheres, NULL);
            if (side != GRAZE_CROSSING || node.count == 0 || grazei_tree_level(tree, n) >= depth)
                seen[side] = true;
            else
                stack[count++] = node;
        }
    }
    if (seen[GRAZE_CROSSING] || (seen[GRAZE_OUTSIDE] && seen[GRAZE_INSIDE]))
        return GRAZE_CROSSING;
    return seen[GRAZE_INSIDE] ? GRAZE_INSIDE : GRAZE_OUTSIDE;
}

static void run(grazei_question *base, grazei_agenda *agenda, graze_stats *stats)
{
    grazei_cull_question *question = (grazei_cull_question *)base;
    question->side = classify(base->bodies[0], &question->shape, question->depth, stats);
    agenda->count = 0;
}

void grazei_cull_begin(grazei_cull_question *question, grazei_agenda *agenda, graze_body *body,
                       uint32_t depth)
{
    question->base = (grazei_question){.run = run, .bodies = {body}, .body_count = 1};
    question->depth = depth;
    question->side = GRAZE_OUTSIDE;
    grazei_agenda_start(agenda, false);
    agenda->items[agenda->count++].node = 0;
}
