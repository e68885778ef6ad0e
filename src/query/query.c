#include <graze/query.h>

#include "query/pair.h"

bool grazei_bounds_overlap(const graze_body *a, uint32_t node_a, const graze_body *b,
                           uint32_t node_b)
{
    bool spheres_a = a->model->tree.def.volume == GRAZE_SPHERES;
    bool spheres_b = b->model->tree.def.volume == GRAZE_SPHERES;
    if (spheres_a && spheres_b)
        return grazei_spheres_overlap(&a->bounds[node_a], &b->bounds[node_b]);
    grazei_bound box_a = spheres_a ? grazei_box_of_sphere(&a->bounds[node_a]) : a->bounds[node_a];
    grazei_bound box_b = spheres_b ? grazei_box_of_sphere(&b->bounds[node_b]) : b->bounds[node_b];
    grazei_box_probe probe = grazei_probe_box(&box_a);
    return grazei_boxes_overlap(&probe, &box_b);
}

void grazei_pair_ask(grazei_pair_question *question, graze_body *a, graze_body *b, bool first,
                     graze_pair_fn report, void *user)
{
    question->base.run = GRAZEI_PICK(a->model->isa, pair_kernels)->run;
    question->base.bodies[0] = a;
    question->base.bodies[1] = b;
    question->base.body_count = 2;
    grazei_outbox_start(&question->outbox, first, report, user);
    question->batch.count = 0;
    question->log = NULL;
}

void grazei_pair_begin(grazei_pair_question *question, grazei_agenda *agenda, graze_body *a,
                       graze_body *b, bool first, graze_pair_fn report, void *user,
                       graze_stats *stats)
{
    grazei_pair_ask(question, a, b, first, report, user);
    grazei_agenda_start(agenda, false);
    grazei_body_bound(a, 0, 1, stats);
    grazei_body_bound(b, 0, 1, stats);
    stats->bound_tests++;
    if (grazei_bounds_overlap(a, 0, b, 0))
        agenda->items[agenda->count++] = (grazei_item){{0, 0}};
}

static void collide(graze_body *a, graze_body *b, bool first, graze_pair_fn report, void *user,
                    graze_stats *stats)
{
    grazei_pair_question question;
    grazei_agenda agenda;
    graze_stats unwanted = {0};
    stats = stats ? stats : &unwanted;
    grazei_pair_begin(&question, &agenda, a, b, first, report, user, stats);
    if (agenda.count)
        question.base.run(&question.base, &agenda, stats);
}

graze_status graze_collide(graze_body *a, graze_body *b, graze_pair_fn report, void *user,
                           graze_stats *stats, graze_error *error)
{
    graze_status status = grazei_check_pair(a, b, error);
    if (!status)
        collide(a, b, false, report, user, stats);
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
    graze_status status = grazei_check_pair(a, b, error);
    if (status)
        return status;
    collide(a, b, true, grazei_keep_first, &first, stats);
    *hit = first.found;
    if (first.found && pair)
        *pair = first.pair;
    return GRAZE_OK;
}

graze_status graze_collide_eager(graze_body *a, graze_body *b, bool first, graze_pair_fn report,
                                 void *user, graze_stats *stats, graze_error *error)
{
    graze_status status = grazei_check_pair(a, b, error);
    if (status)
        return status;
    grazei_body_pose_all(a);
    grazei_body_pose_all(b);
    if (stats) {
        stats->vertices_posed +=
            (uint64_t)a->model->mesh.vertex_count + b->model->mesh.vertex_count;
        stats->bound_tests++;
    }
    grazei_box_probe probe = grazei_probe_box(&a->whole);
    if (!grazei_boxes_overlap(&probe, &b->whole))
        return GRAZE_OK;
    graze_body_refit_all(a);
    graze_body_refit_all(b);
    if (stats)
        stats->nodes_refit += (uint64_t)a->model->tree.node_count + b->model->tree.node_count;
    collide(a, b, first, report, user, stats);
    return GRAZE_OK;
}
