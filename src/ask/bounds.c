/* Questions that stop at the bounds of a chosen level (James & Pai 2004, section 3.4). */
#include "ask/lists.h"
#include "base/status.h"
#include "distance/distance.h"
#include "pairs/pair.h"

#include <graze/ext/inspect.h>

#include <float.h>

/* Pushes the children of one side's node that overlap the other side's. */
static void open_node(const grazei_view sides[2], grazei_pair_item pair, int which,
                      grazei_pair_item *stack, uint32_t *depth, graze_stats *stats)
{
    grazei_node node = sides[which].nodes[pair.node[which]];
    grazei_body_bound(sides[which].body, node.first, node.count, stats);
    stats->bound_tests += node.count;
    for (uint32_t n = node.first; n < node.first + node.count; n++) {
        grazei_pair_item child = pair;
        child.node[which] = n;
        if (grazei_views_overlap(&sides[0], child.node[0], &sides[1], child.node[1]))
            stack[(*depth)++] = child;
    }
}

static void find_bound_pairs(graze_body *a, graze_body *b, grazei_sink *sink, graze_stats *stats)
{
    grazei_pair_item stack[GRAZEI_AGENDA_ITEMS];
    uint32_t depth = 0;
    if (grazei_roots_overlap(a, b, stats))
        stack[depth++] = (grazei_pair_item){{0, 0}};
    grazei_view sides[2] = {grazei_body_view(a), grazei_body_view(b)};
    while (depth) {
        grazei_pair_item pair = stack[--depth];
        bool last_a = grazei_tree_ends_at(grazei_body_tree(a), pair.node[0]);
        bool last_b = grazei_tree_ends_at(grazei_body_tree(b), pair.node[1]);
        if (last_a && last_b) {
            if (!grazei_take_pairs(sink, &(graze_pair){.a = pair.node[0], .b = pair.node[1]}, 1))
                return;
            continue;
        }
        bool open_b = last_a || (!last_b && grazei_view_size(&sides[0], pair.node[0]) <
                                                grazei_view_size(&sides[1], pair.node[1]));
        open_node(sides, pair, open_b, stack, &depth, stats);
    }
}

graze_status graze_bound_pairs(graze_body *a, graze_body *b, graze_pair_list *nodes,
                               graze_stats *stats, graze_error *error)
{
    graze_stats unwanted = {0};
    graze_body *const bodies[] = {a, b};
    grazei_sink sink = {.list = nodes};
    graze_status status = grazei_list_open(nodes, GRAZEI_PAIRS, error);
    if (!status)
        status = grazei_check_pair(a, b, error);
    if (status)
        return status;
    grazei_enter(bodies, 2);
    find_bound_pairs(a, b, &sink, stats ? stats : &unwanted);
    grazei_leave(bodies, 2);
    return GRAZE_OK;
}

graze_status graze_bound_distance(graze_body *a, graze_body *b, float *least, graze_stats *stats,
                                  graze_error *error)
{
    grazei_distance_question question;
    grazei_agenda agenda;
    graze_stats unwanted = {0};
    graze_status status = grazei_check_given(least != NULL, "least", error);
    if (!status)
        status = grazei_check_pair(a, b, error);
    if (status)
        return status;
    stats = stats ? stats : &unwanted;
    grazei_distance_begin(&question, &agenda, a, b, GRAZEI_BOUND, INFINITY, NULL, NULL, stats);
    grazei_run(&question.base, &agenda, stats);
    *least = question.limit < FLT_MAX ? question.limit : INFINITY;
    return GRAZE_OK;
}
