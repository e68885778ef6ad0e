/* The public functions for pairs of triangles that meet, and how their question is put. */
#include "query/pair.h"

bool grazei_roots_overlap(graze_body *a, graze_body *b, graze_stats *stats)
{
    grazei_body_bound(a, 0, 1, stats);
    grazei_body_bound(b, 0, 1, stats);
    stats->bound_tests++;
    grazei_view view_a = grazei_body_view(a), view_b = grazei_body_view(b);
    return grazei_views_overlap(&view_a, 0, &view_b, 0);
}

void grazei_pair_ask(grazei_pair_question *question, graze_body *a, graze_body *b, bool first,
                     graze_pair_fn report, void *user)
{
    question->base.run = GRAZEI_PICK(grazei_body_model(a)->isa, pair_kernels)->run;
    question->base.bodies[0] = a;
    question->base.bodies[1] = b;
    question->base.body_count = 2;
    grazei_outbox_start(&question->outbox, first, report, user);
    question->batch.count = 0;
    question->log = NULL;
    question->goes_on = false;
}

void grazei_pair_begin(grazei_pair_question *question, grazei_agenda *agenda, graze_body *a,
                       graze_body *b, bool first, graze_pair_fn report, void *user,
                       graze_stats *stats)
{
    grazei_pair_ask(question, a, b, first, report, user);
    grazei_agenda_start(agenda, false);
    if (grazei_roots_overlap(a, b, stats))
        agenda->items[agenda->count++].pair = (grazei_pair_item){{0, 0}};
}

void grazei_pair_collide(graze_body *a, graze_body *b, bool first, graze_pair_fn report, void *user,
                         graze_stats *stats)
{
    grazei_pair_question question;
    grazei_agenda agenda;
    graze_stats unwanted = {0};
    stats = stats ? stats : &unwanted;
    grazei_pair_begin(&question, &agenda, a, b, first, report, user, stats);
    grazei_run(&question.base, &agenda, stats);
}

/* Whether lean bodies that have no caches are so far apart that they need none. */
static bool are_far_apart(graze_body *a, graze_body *b, graze_stats *stats)
{
    graze_stats unwanted = {0};
    if (grazei_body_has_cache(a) && grazei_body_has_cache(b))
        return false;
    stats = stats ? stats : &unwanted;
    stats->bound_tests++;
    grazei_bound box_a = grazei_body_box(a, stats), box_b = grazei_body_box(b, stats);
    grazei_box_probe probe = grazei_probe_box(&box_a);
    return !grazei_boxes_overlap(&probe, &box_b);
}

graze_status grazei_check_pair_report(graze_body *a, graze_body *b, bool has_report,
                                      graze_error *error)
{
    graze_status status = grazei_check_pair(a, b, error);
    return status ? status : grazei_check_given(has_report, "report", error);
}

graze_status graze_collide(graze_body *a, graze_body *b, graze_pair_fn report, void *user,
                           graze_stats *stats, graze_error *error)
{
    graze_status status = grazei_check_pair_outside(a, b, error);
    if (!status)
        status = grazei_check_given(report != NULL, "report", error);
    if (status || are_far_apart(a, b, stats))
        return status;
    status = grazei_check_pair(a, b, error);
    if (!status)
        grazei_pair_collide(a, b, false, report, user, stats);
    return status;
}

bool grazei_keep_first(void *user, const graze_pair *pairs, size_t count)
{
    grazei_first_pair *first = user;
    (void)count;
    first->pair = pairs[0];
    first->found = true;
    return false;
}

graze_status graze_collide_first(graze_body *a, graze_body *b, bool *hit, graze_pair *pair,
                                 graze_stats *stats, graze_error *error)
{
    grazei_first_pair first = {.found = false};
    graze_status status = grazei_check_pair_outside(a, b, error);
    if (!status)
        status = grazei_check_given(hit != NULL, "hit", error);
    bool apart = !status && are_far_apart(a, b, stats);
    if (!status && !apart)
        status = grazei_check_pair(a, b, error);
    if (status)
        return status;
    if (!apart)
        grazei_pair_collide(a, b, true, grazei_keep_first, &first, stats);
    *hit = first.found;
    if (first.found && pair)
        *pair = first.pair;
    return GRAZE_OK;
}
