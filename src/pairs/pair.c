/* How the question for pairs of triangles that meet is put. */
#include "pairs/pair.h"
#include "base/assert.h"

bool grazei_roots_overlap(graze_body *a, graze_body *b, graze_stats *stats)
{
    grazei_body_bound(a, 0, 1, stats);
    grazei_body_bound(b, 0, 1, stats);
    stats->bound_tests++;
    grazei_view view_a = grazei_body_view(a), view_b = grazei_body_view(b);
    return grazei_views_overlap(&view_a, 0, &view_b, 0);
}

void grazei_pair_ask(grazei_pair_question *question, graze_body *a, graze_body *b, bool first,
                     grazei_pair_fn report, void *user)
{
    question->base.run = GRAZEI_PICK(grazei_body_model(a)->isa, pair_kernels)->run;
    question->base.bodies[0] = a;
    question->base.bodies[1] = b;
    GRAZE_ASSERT(a != b);
    question->base.body_count = 2;
    grazei_outbox_start(&question->outbox, first, report, user);
    question->batch.count = 0;
    question->last_leaves = NULL;
}

void grazei_pair_begin(grazei_pair_question *question, grazei_agenda *agenda, graze_body *a,
                       graze_body *b, bool first, grazei_pair_fn report, void *user,
                       graze_stats *stats)
{
    grazei_pair_ask(question, a, b, first, report, user);
    grazei_agenda_start(agenda, false);
    if (grazei_roots_overlap(a, b, stats))
        agenda->items[agenda->count++].pair = (grazei_pair_item){{0, 0}};
}

bool grazei_pair_is_apart(graze_body *a, graze_body *b, graze_stats *stats)
{
    if (grazei_body_has_cache(a) && grazei_body_has_cache(b))
        return false;
    stats->bound_tests++;
    grazei_bound box_a = grazei_body_box(a, stats), box_b = grazei_body_box(b, stats);
    grazei_box_probe probe = grazei_probe_box(&box_a);
    return !grazei_boxes_overlap(&probe, &box_b);
}
