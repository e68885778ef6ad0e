#include "query/sweep.h"

#include "base/status.h"
#include "mesh/weld.h"

bool graze_impact_is_earlier(const graze_impact *x, const graze_impact *y)
{
    if (!x->hit || !y->hit)
        return x->hit && !y->hit;
    if (x->time != y->time)
        return x->time < y->time;
    if (x->initial != y->initial)
        return x->initial;
    return x->a < y->a || (x->a == y->a && x->b < y->b);
}

void grazei_sweep_flush(grazei_sweep_question *question)
{
    if (question->impact_count &&
        !question->report(question->user, question->impacts, question->impact_count))
        question->stopped = true;
    question->impact_count = 0;
}

void grazei_sweep_take(grazei_sweep_question *question, const graze_impact *impact)
{
    if (!question->report) {
        if (graze_impact_is_earlier(impact, &question->best))
            question->best = *impact;
        return;
    }
    question->impacts[question->impact_count++] = *impact;
    if (question->impact_count == sizeof question->impacts / sizeof *question->impacts)
        grazei_sweep_flush(question);
}

void grazei_sweep_triangles(grazei_sweep_question *question, const grazei_moving_triangle *a,
                            uint32_t name_a, const grazei_moving_triangle *b, uint32_t name_b)
{
    grazei_moving_contact contact;
    if (question->self && name_a > name_b) {
        grazei_sweep_triangles(question, b, name_b, a, name_a);
        return;
    }
    if (!grazei_moving_triangles_meet(a, b, grazei_sweep_latest(question), &contact) ||
        (contact.initial && question->only_new))
        return;
    graze_impact impact = {true, contact.initial, contact.time, name_a, name_b, {0}, {0}};
    memcpy(impact.point, contact.point, sizeof impact.point);
    memcpy(impact.normal, contact.normal, sizeof impact.normal);
    grazei_sweep_take(question, &impact);
}

static void put(grazei_sweep_question *question, const graze_motion *a, const graze_motion *b,
                bool only_new, graze_impact_fn report, void *user)
{
    const graze_motion *second = b ? b : a;
    question->base.bodies[0] = a->start;
    question->base.bodies[1] = a->end;
    question->base.bodies[2] = second->start;
    question->base.bodies[3] = second->end;
    question->base.body_count = 4;
    question->self = b == NULL;
    question->only_new = only_new;
    question->best = (graze_impact){.hit = false};
    question->report = report;
    question->user = user;
    question->stopped = false;
    question->impact_count = 0;
}

void grazei_sweep_begin(grazei_sweep_question *question, grazei_agenda *agenda,
                        const graze_motion *a, const graze_motion *b, bool only_new,
                        graze_impact_fn report, void *user, graze_stats *stats)
{
    const grazei_sweep_kernels *kernels = GRAZEI_PICK(a->start->model->isa, sweep_kernels);
    put(question, a, b, only_new, report, user);
    question->base.run = kernels->run;
    grazei_agenda_start(agenda, true);
    kernels->begin(question, agenda, stats);
}

/* names: of the motion, of its start and of its end. */
static graze_status check_motion(const graze_motion *motion, const char *const names[3],
                                 graze_error *error)
{
    if (!motion)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%s is NULL", names[0]);
    graze_status status = grazei_check_body(motion->start, names[1], error);
    if (!status)
        status = grazei_check_body(motion->end, names[2], error);
    if (!status && motion->start->model != motion->end->model)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%s and %s are bodies of different models",
                           names[1], names[2]);
    return status;
}

graze_status grazei_check_motions(const graze_motion *a, const graze_motion *b, graze_error *error)
{
    static const char *const names_a[3] = {"motion a", "the start of a", "the end of a"};
    static const char *const names_b[3] = {"motion b", "the start of b", "the end of b"};
    graze_status status = check_motion(a, names_a, error);
    if (!status && b)
        status = check_motion(b, names_b, error);
    if (!status && b &&
        (a->start == b->start || a->start == b->end || a->end == b->start || a->end == b->end))
        return grazei_fail(error, GRAZE_BAD_INPUT, "a body belongs to both motions");
    return status;
}

static void sweep(const graze_motion *a, const graze_motion *b, bool only_new,
                  graze_impact_fn report, void *user, graze_stats *stats, graze_impact *impact)
{
    grazei_sweep_question question;
    grazei_agenda agenda;
    graze_stats unwanted = {0};
    stats = stats ? stats : &unwanted;
    grazei_sweep_begin(&question, &agenda, a, b, only_new, report, user, stats);
    if (agenda.count)
        question.base.run(&question.base, &agenda, stats);
    if (impact)
        *impact = question.best;
}

graze_status graze_sweep(const graze_motion *a, const graze_motion *b, bool only_new,
                         graze_impact *impact, graze_stats *stats, graze_error *error)
{
    graze_status status = grazei_check_motions(a, b, error);
    if (!status && !impact)
        status = grazei_fail(error, GRAZE_BAD_INPUT, "there is no place for the impact");
    if (!status)
        sweep(a, b, only_new, NULL, NULL, stats, impact);
    return status;
}

static graze_status check_report(const graze_motion *a, const graze_motion *b,
                                 graze_impact_fn report, graze_error *error)
{
    graze_status status = grazei_check_motions(a, b, error);
    if (!status && !report)
        return grazei_fail(error, GRAZE_BAD_INPUT, "there is nobody to report to");
    return status;
}

graze_status graze_sweep_pairs(const graze_motion *a, const graze_motion *b, bool only_new,
                               graze_impact_fn report, void *user, graze_stats *stats,
                               graze_error *error)
{
    graze_status status = check_report(a, b, report, error);
    if (!status)
        sweep(a, b, only_new, report, user, stats, NULL);
    return status;
}

/* ---- all against all ---------------------------------------------------------------------- */

static void load_triangle(graze_body *const ends[2], uint32_t number,
                          grazei_moving_triangle *triangle, grazei_bound *swept)
{
    f4 low = f4_all(INFINITY), high = f4_all(-INFINITY);
    for (int end = 0; end < 2; end++) {
        const uint32_t *vertices = ends[end]->model->mesh.triangles + 3 * (size_t)number;
        for (int c = 0; c < 3; c++) {
            f4 position = f4_load(ends[end]->positions[vertices[c]]);
            f4_store(triangle->corners[end][c], position);
            low = f4_min(low, position);
            high = f4_max(high, position);
        }
    }
    grazei_bound_set_box(swept, low, high);
}

/* One triangle of a against those of b from a number on. */
static void sweep_one(grazei_sweep_question *question, uint32_t i, uint32_t from,
                      graze_stats *stats)
{
    graze_body *const *bodies = question->base.bodies;
    const grazei_mesh *mesh = &bodies[2]->model->mesh;
    grazei_moving_triangle a, b;
    grazei_bound box_a, box_b;
    load_triangle(bodies, i, &a, &box_a);
    grazei_box_probe probe = grazei_probe_box(&box_a);
    for (uint32_t k = from; k < mesh->triangle_count && !question->stopped; k++) {
        load_triangle(bodies + 2, k, &b, &box_b);
        stats->bound_tests++;
        if (!grazei_boxes_overlap(&probe, &box_b) ||
            (question->self && grazei_are_neighbours(mesh, i, k)))
            continue;
        stats->triangle_tests++;
        grazei_sweep_triangles(question, &a, i, &b, k);
    }
}

graze_status graze_sweep_brute(const graze_motion *a, const graze_motion *b, bool only_new,
                               graze_impact_fn report, void *user, graze_stats *stats,
                               graze_error *error)
{
    graze_status status = check_report(a, b, report, error);
    if (status)
        return status;
    grazei_sweep_question question;
    graze_stats unwanted = {0};
    stats = stats ? stats : &unwanted;
    put(&question, a, b, only_new, report, user);
    for (uint32_t i = 0; i < 4; i++)
        grazei_body_pose_all(question.base.bodies[i]);
    uint32_t count = a->start->model->mesh.triangle_count;
    for (uint32_t i = 0; i < count && !question.stopped; i++)
        sweep_one(&question, i, question.self ? i + 1 : 0, stats);
    if (!question.stopped)
        grazei_sweep_flush(&question);
    return GRAZE_OK;
}
