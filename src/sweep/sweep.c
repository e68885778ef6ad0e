#include "sweep/sweep.h"

#include "base/status.h"
#include "body/mask.h"

#include <math.h>

bool graze_impact_is_earlier(const graze_impact *x, const graze_impact *y)
{
    if (!x || !y)
        return false;
    if (!x->found || !y->found)
        return x->found && !y->found;
    if (x->time != y->time)
        return x->time < y->time;
    if (x->initial != y->initial)
        return x->initial;
    return x->triangles[0] < y->triangles[0] ||
           (x->triangles[0] == y->triangles[0] && x->triangles[1] < y->triangles[1]);
}

static void name_parts(const grazei_sweep_question *question, graze_impact *impact)
{
    for (int side = 0; side < 2; side++)
        impact->parts[side] = graze_model_triangle_part(
            grazei_body_model(question->base.bodies[2 * side]), impact->triangles[side]);
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
        if (graze_impact_is_earlier(impact, &question->best)) {
            question->best = *impact;
            name_parts(question, &question->best);
        }
        question->stopped = question->any;
        return;
    }
    question->impacts[question->impact_count] = *impact;
    name_parts(question, &question->impacts[question->impact_count++]);
    if (question->any ||
        question->impact_count == sizeof question->impacts / sizeof *question->impacts)
        grazei_sweep_flush(question);
}

/* The last time at which a pair that is no impact yet can still be the one that is wanted: of equal
 * times the lowest numbers win, and what meets at the start before all others.
 */
static float latest_for(const grazei_sweep_question *question, uint32_t name_a, uint32_t name_b)
{
    const graze_impact *best = &question->best;
    float latest = grazei_sweep_latest(question);
    bool loses = !question->report && best->found && best->time > 0 &&
                 (name_a > best->triangles[0] ||
                  (name_a == best->triangles[0] && name_b > best->triangles[1]));
    return loses ? nextafterf(latest, -1) : latest;
}

void grazei_sweep_triangles(grazei_sweep_question *question, const grazei_moving_triangle *a,
                            uint32_t name_a, const grazei_moving_triangle *b, uint32_t name_b)
{
    grazei_moving_contact contact;
    if (question->self && name_a > name_b) {
        grazei_sweep_triangles(question, b, name_b, a, name_a);
        return;
    }
    if (!grazei_moving_triangles_meet(a, b, latest_for(question, name_a, name_b), &contact) ||
        (contact.initial && question->only_new))
        return;
    GRAZE_ASSERT(contact.time >= 0 && contact.time <= 1);
    graze_impact impact = {.found = true,
                           .initial = contact.initial,
                           .time = contact.time,
                           .triangles = {name_a, name_b}};
    memcpy(impact.point, contact.point, sizeof impact.point);
    memcpy(impact.normal, contact.normal, sizeof impact.normal);
    grazei_sweep_take(question, &impact);
}

void grazei_sweep_put(grazei_sweep_question *question, const graze_motion *a, const graze_motion *b,
                      bool only_new, bool any, grazei_impact_fn report, void *user)
{
    const graze_motion *second = b ? b : a;
    question->base.bodies[0] = a->start;
    question->base.bodies[1] = a->end;
    question->base.bodies[2] = second->start;
    question->base.bodies[3] = second->end;
    question->base.body_count = 4;
    question->self = b == NULL;
    question->only_new = only_new;
    question->any = any;
    question->best = (graze_impact){.found = false};
    question->report = report;
    question->user = user;
    question->stopped = false;
    question->impact_count = 0;
}

void grazei_sweep_begin(grazei_sweep_question *question, grazei_agenda *agenda,
                        const graze_motion *a, const graze_motion *b, bool only_new, bool any,
                        grazei_impact_fn report, void *user, graze_stats *stats)
{
    const grazei_sweep_kernels *kernels =
        GRAZEI_PICK(grazei_body_model(a->start)->isa, sweep_kernels);
    grazei_sweep_put(question, a, b, only_new, any, report, user);
    question->base.run = kernels->run;
    grazei_agenda_start(agenda, true);
    kernels->begin(question, agenda, stats);
}

graze_status grazei_check_motion(const graze_motion *motion, const char *const names[3],
                                 graze_error *error)
{
    graze_status status = grazei_check_pointer(motion, names[0], error);
    if (!status)
        status = grazei_check_outside(motion->start, names[1], error);
    if (!status)
        status = grazei_check_outside(motion->end, names[2], error);
    if (!status && grazei_body_model(motion->start) != grazei_body_model(motion->end))
        return grazei_fail(error, GRAZE_BAD_INPUT, "%s and %s are bodies of different models",
                           names[1], names[2]);
    if (!status && !grazei_bodies_mask_alike(motion->start, motion->end))
        return grazei_fail(error, GRAZE_BAD_INPUT, "%s and %s have different part masks", names[1],
                           names[2]);
    return status;
}

graze_status grazei_check_motions(const graze_motion *a, const graze_motion *b, graze_error *error)
{
    static const char *const names_a[3] = {"motion a", "the start of a", "the end of a"};
    static const char *const names_b[3] = {"motion b", "the start of b", "the end of b"};
    graze_status status = grazei_check_motion(a, names_a, error);
    if (!status && b)
        status = grazei_check_motion(b, names_b, error);
    if (!status && b &&
        (a->start == b->start || a->start == b->end || a->end == b->start || a->end == b->end))
        return grazei_fail(error, GRAZE_BAD_INPUT, "a body belongs to both motions");
    return status;
}
