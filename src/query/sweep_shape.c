/* One moving tree walked against a moving shape, what can meet it earliest first. Whatever cannot
 * meet it before the earliest impact found so far is left out.
 */
#include <graze/sweep_shape.h>

#include "body/patches.h"
#include "narrow/moving_shape.h"
#include "query/agenda.h"
#include "query/sweep.h"

#include <graze/reference.h>

#include <string.h>

enum { BATCH = 16 };

typedef struct shape_question {
    grazei_question base; /* bodies: start and end */
    grazei_moving_shape shape;
    bool only_new, stopped;
    graze_shape_impact best; /* so far, where there is no report */
    graze_shape_impact_fn report;
    void *user;
    uint32_t count;
    graze_shape_impact impacts[BATCH]; /* on their way to report */
} shape_question;

/* Both ends of the body. */
typedef struct shape_walk {
    shape_question *question;
    grazei_view ends[2];
    grazei_agenda *agenda;
    graze_stats *stats;
} shape_walk;

bool graze_shape_impact_is_earlier(const graze_shape_impact *x, const graze_shape_impact *y)
{
    if (!x || !y)
        return false;
    if (!x->found || !y->found)
        return x->found && !y->found;
    if (x->time != y->time)
        return x->time < y->time;
    if (x->initial != y->initial)
        return x->initial;
    return x->triangle < y->triangle;
}

/* ---- triangles ------------------------------------------------------------------------------ */

static void flush(shape_question *q)
{
    if (q->count && !q->stopped && !q->report(q->user, q->impacts, q->count))
        q->stopped = true;
    q->count = 0;
}

static void take(shape_question *q, const graze_shape_impact *impact)
{
    if (!q->report) {
        if (graze_shape_impact_is_earlier(impact, &q->best))
            q->best = *impact;
        return;
    }
    q->impacts[q->count++] = *impact;
    if (q->count == BATCH)
        flush(q);
}

/* Impacts later than this do not matter any more. */
static float latest_of(const shape_question *q)
{
    return q->report || !q->best.found ? 1 : q->best.time;
}

/* The same for a triangle that is no impact yet: of equal times the lowest number wins, and what
 * meets at the start before all others.
 */
static float latest_for(const shape_question *q, uint32_t triangle)
{
    float latest = latest_of(q);
    bool loses = !q->report && q->best.found && q->best.time > 0 && triangle > q->best.triangle;
    return loses ? nextafterf(latest, -1) : latest;
}

static void meet_triangle(shape_question *q, const grazei_moving_triangle *triangle, uint32_t name)
{
    grazei_moving_contact contact;
    if (!grazei_moving_shape_meets(&q->shape, triangle, latest_for(q, name), &contact) ||
        (contact.initial && q->only_new))
        return;
    graze_shape_impact impact = {
        .found = true,
        .initial = contact.initial,
        .time = contact.time,
        .triangle = name,
        .group = graze_model_triangle_group(grazei_body_model(q->base.bodies[0]), name)};
    memcpy(impact.point, contact.point, sizeof impact.point);
    memcpy(impact.normal, contact.normal, sizeof impact.normal);
    take(q, &impact);
}

/* ---- leaves and nodes ----------------------------------------------------------------------- */

/* Whether what moves between two boxes can matter, and from which time on. */
static bool can_meet(shape_walk *w, const grazei_bound *start, const grazei_bound *end,
                     float *enter)
{
    const float *low[2] = {start->low_negated, end->low_negated},
                *high[2] = {start->high, end->high};
    double first, last;
    w->stats->bound_tests++;
    if (!grazei_moving_shape_reaches(&w->question->shape, low, high, GRAZEI_MOVING_SHAPE_NODES,
                                     &first, &last))
        return false;
    *enter = grazei_round_time(first);
    return *enter <= latest_of(w->question);
}

/* Poses the patch at the end only if the box that it has at the start leaves that open. */
static void meet_leaf(shape_walk *w, uint32_t leaf)
{
    grazei_posed_patch ends[2];
    grazei_bound bound = grazei_view_box(&w->ends[1], leaf);
    float enter;
    ends[0] = grazei_view_leaf(&w->ends[0], leaf, w->stats);
    if (!can_meet(w, grazei_patch_box(&ends[0]), &bound, &enter))
        return;
    ends[1] = grazei_view_leaf(&w->ends[1], leaf, w->stats);
    if (!can_meet(w, grazei_patch_box(&ends[0]), grazei_patch_box(&ends[1]), &enter))
        return;
    w->stats->triangle_tests += ends[0].triangle_count;
    for (uint32_t t = 0; t < ends[0].triangle_count && !w->question->stopped; t++) {
        grazei_moving_triangle triangle;
        for (int end = 0; end < 2; end++)
            grazei_patch_triangle(&ends[end], t, triangle.corners[end]);
        meet_triangle(w->question, &triangle, ends[0].names[t]);
    }
}

/* Pushes those of some siblings that can meet the shape, the first one to do so on top. */
static void look_at(shape_walk *w, uint32_t first, uint32_t count)
{
    grazei_agenda *agenda = w->agenda;
    uint32_t base = agenda->count;
    for (int end = 0; end < 2; end++)
        grazei_body_bound(w->ends[end].body, first, count, w->stats);
    for (uint32_t n = first; n < first + count; n++) {
        float enter;
        if (grazei_view_is_empty(&w->ends[0], n))
            continue;
        grazei_bound start = grazei_view_box(&w->ends[0], n), end = grazei_view_box(&w->ends[1], n);
        if (can_meet(w, &start, &end, &enter))
            grazei_agenda_put(agenda, agenda->count++, (grazei_item){.node = n}, enter);
    }
    grazei_agenda_sort(agenda, base);
}

static void run(grazei_question *question, grazei_agenda *agenda, graze_stats *stats)
{
    shape_question *q = (shape_question *)question;
    shape_walk w = {
        .question = q,
        .ends = {grazei_body_view(question->bodies[0]), grazei_body_view(question->bodies[1])},
        .agenda = agenda,
        .stats = stats};
    while (agenda->count && !q->stopped) {
        uint32_t number = agenda->items[--agenda->count].node;
        if (agenda->keys[agenda->count] > latest_of(q))
            continue;
        grazei_node node = w.ends[0].nodes[number];
        if (node.count)
            look_at(&w, node.first, node.count);
        else
            meet_leaf(&w, number);
    }
    flush(q);
}

static void begin(shape_question *q, grazei_agenda *agenda, graze_stats *stats)
{
    shape_walk w = {
        .question = q,
        .ends = {grazei_body_view(q->base.bodies[0]), grazei_body_view(q->base.bodies[1])},
        .agenda = agenda,
        .stats = stats};
    grazei_agenda_start(agenda, true);
    look_at(&w, 0, 1);
}

/* ---- the calls ------------------------------------------------------------------------------ */

static graze_status put(shape_question *q, const graze_motion *motion, const graze_shape *from,
                        const graze_shape *to, graze_error *error)
{
    static const char *const names[3] = {"the motion", "the start of the motion",
                                         "the end of the motion"};
    graze_status status = grazei_check_motion(motion, names, error);
    if (!status)
        status = grazei_moving_shape_prepare(&q->shape, from, to, error);
    if (status)
        return status;
    q->base =
        (grazei_question){.run = run, .bodies = {motion->start, motion->end}, .body_count = 2};
    q->stopped = false;
    q->best = (graze_shape_impact){.found = false};
    q->count = 0;
    return GRAZE_OK;
}

static graze_status sweep(shape_question *q, const graze_motion *motion, const graze_shape *from,
                          const graze_shape *to, graze_stats *stats, graze_error *error)
{
    grazei_agenda agenda;
    graze_stats unwanted = {0};
    graze_status status = put(q, motion, from, to, error);
    if (status)
        return status;
    stats = stats ? stats : &unwanted;
    begin(q, &agenda, stats);
    grazei_run(&q->base, &agenda, stats);
    return GRAZE_OK;
}

graze_status graze_sweep_shape(const graze_motion *motion, const graze_shape *from,
                               const graze_shape *to, bool only_new, graze_shape_impact *impact,
                               graze_stats *stats, graze_error *error)
{
    shape_question question;
    question.only_new = only_new;
    question.report = NULL;
    graze_status status = grazei_check_given(impact != NULL, "impact", error);
    if (!status)
        status = sweep(&question, motion, from, to, stats, error);
    if (!status)
        *impact = question.best;
    return status;
}

graze_status graze_sweep_shape_all(const graze_motion *motion, const graze_shape *from,
                                   const graze_shape *to, bool only_new,
                                   graze_shape_impact_fn report, void *user, graze_stats *stats,
                                   graze_error *error)
{
    shape_question question;
    question.only_new = only_new;
    question.report = report;
    question.user = user;
    graze_status status = grazei_check_given(report != NULL, "report", error);
    return status ? status : sweep(&question, motion, from, to, stats, error);
}

graze_status graze_sweep_shape_brute(const graze_motion *motion, const graze_shape *from,
                                     const graze_shape *to, bool only_new,
                                     graze_shape_impact_fn report, void *user, graze_stats *stats,
                                     graze_error *error)
{
    shape_question question;
    graze_status status = grazei_check_given(report != NULL, "report", error);
    if (!status)
        status = put(&question, motion, from, to, error);
    if (status)
        return status;
    question.only_new = only_new;
    question.report = report;
    question.user = user;
    grazei_posed_mesh ends[2] = {grazei_body_mesh_posed(motion->start, stats),
                                 grazei_body_mesh_posed(motion->end, stats)};
    uint32_t t = 0;
    grazei_enter(question.base.bodies, 2);
    for (; t < ends[0].triangle_count && !question.stopped; t++) {
        grazei_moving_triangle triangle;
        if (!grazei_mesh_takes(&ends[0], t))
            continue;
        for (int end = 0; end < 2; end++)
            grazei_mesh_triangle(&ends[end], t, triangle.corners[end]);
        meet_triangle(&question, &triangle, t);
    }
    flush(&question);
    grazei_leave(question.base.bodies, 2);
    if (stats)
        stats->triangle_tests += t;
    return GRAZE_OK;
}
