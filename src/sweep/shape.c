/* One moving tree walked against a moving shape, what can meet it earliest first. Whatever cannot
 * meet it before the earliest impact found so far is left out.
 */
#include "sweep/shape.h"

#include "body/patches.h"
#include "sweep/sweep.h"

#include <string.h>

/* Both ends of the body. */
typedef struct shape_walk {
    grazei_shape_sweep_question *question;
    grazei_view ends[2];
    grazei_agenda *agenda;
    graze_stats *stats;
} shape_walk;

/* ---- triangles ------------------------------------------------------------------------------ */

static void flush(grazei_shape_sweep_question *q)
{
    if (q->count && !q->stopped && !q->report(q->user, q->impacts, q->count))
        q->stopped = true;
    q->count = 0;
}

static void take(grazei_shape_sweep_question *q, const graze_impact *impact)
{
    if (!q->report) {
        if (graze_impact_is_earlier(impact, &q->best))
            q->best = *impact;
        q->stopped = q->any;
        return;
    }
    q->impacts[q->count++] = *impact;
    if (q->any || q->count == GRAZEI_SHAPE_IMPACTS)
        flush(q);
}

/* Impacts later than this do not matter any more. */
static float latest_of(const grazei_shape_sweep_question *q)
{
    return q->report || !q->best.found ? 1 : q->best.time;
}

/* The same for a triangle that is no impact yet: of equal times the lowest number wins, and what
 * meets at the start before all others.
 */
static float latest_for(const grazei_shape_sweep_question *q, uint32_t triangle)
{
    float latest = latest_of(q);
    bool loses = !q->report && q->best.found && q->best.time > 0 && triangle > q->best.triangles[0];
    return loses ? nextafterf(latest, -1) : latest;
}

static void meet_triangle(grazei_shape_sweep_question *q, const grazei_moving_triangle *triangle,
                          uint32_t name)
{
    grazei_moving_contact contact;
    if (!grazei_moving_shape_meets(&q->shape, triangle, latest_for(q, name), &contact) ||
        (contact.initial && q->only_new))
        return;
    graze_impact impact = {
        .found = true,
        .initial = contact.initial,
        .time = contact.time,
        .triangles = {name, GRAZE_NONE},
        .parts = {graze_model_triangle_part(grazei_body_model(q->base.bodies[0]), name), 0}};
    memcpy(impact.point, contact.point, sizeof impact.point);
    for (int k = 0; k < 3; k++) /* the body is a: turned round, it is the way a leaves the shape */
        impact.normal[k] = -contact.normal[k];
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
    grazei_shape_sweep_question *q = (grazei_shape_sweep_question *)question;
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
        if (grazei_agenda_spent(agenda, stats))
            break;
    }
    flush(q);
    if (q->stopped)
        agenda->count = 0;
}

void grazei_shape_sweep_begin(grazei_shape_sweep_question *q, grazei_agenda *agenda,
                              graze_stats *stats)
{
    shape_walk w = {
        .question = q,
        .ends = {grazei_body_view(q->base.bodies[0]), grazei_body_view(q->base.bodies[1])},
        .agenda = agenda,
        .stats = stats};
    grazei_agenda_start(agenda, true);
    look_at(&w, 0, 1);
}

graze_status grazei_shape_sweep_check(grazei_shape_sweep_question *q, const graze_motion *motion,
                                      const graze_shape *from, const graze_shape *to,
                                      graze_error *error)
{
    static const char *const names[3] = {"motion a", "the start of a", "the end of a"};
    graze_status status = grazei_check_motion(motion, names, error);
    return status ? status : grazei_moving_shape_prepare(&q->shape, from, to, error);
}

void grazei_shape_sweep_put(grazei_shape_sweep_question *q, const graze_motion *motion,
                            bool only_new, bool any, grazei_impact_fn report, void *user)
{
    q->base =
        (grazei_question){.run = run, .bodies = {motion->start, motion->end}, .body_count = 2};
    q->only_new = only_new;
    q->any = any;
    q->stopped = false;
    q->best = (graze_impact){.found = false};
    q->report = report;
    q->user = user;
    q->count = 0;
}

void grazei_shape_sweep_brute(grazei_shape_sweep_question *q, graze_stats *stats)
{
    grazei_posed_mesh ends[2] = {grazei_body_mesh_posed(q->base.bodies[0], stats),
                                 grazei_body_mesh_posed(q->base.bodies[1], stats)};
    stats->triangle_tests += ends[0].triangle_count;
    for (uint32_t t = 0; t < ends[0].triangle_count && !q->stopped; t++) {
        grazei_moving_triangle triangle;
        if (!grazei_mesh_takes(&ends[0], t))
            continue;
        for (int end = 0; end < 2; end++)
            grazei_mesh_triangle(&ends[end], t, triangle.corners[end]);
        meet_triangle(q, &triangle, t);
    }
    flush(q);
}
