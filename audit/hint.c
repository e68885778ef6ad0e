/* The smallest turn of one joint that takes two parts out of each other, in the worst frame: all
 * turns that may help are tried at growing angles, by asking the pose that each gives. Those that
 * help first are narrowed down.
 */
#include "audit/hint.h"

#include <math.h>
#include <string.h>

#define TO_RADIANS (3.14159265358979323846 / 180)
/* A turn is told in tenths of a degree, and goes on past the last touch by at least half of one. */
#define STEP 0.1

/* Angles that are tried, degrees. */
static const double ladder[] = {0.5, 1, 2, 3, 4.5, 6.5, 9, 12, 16, 21, 27, 35, 45};
enum { RUNGS = sizeof ladder / sizeof *ladder, HALVINGS = 6, MOST_STEPS = 4 };

typedef struct hint_search {
    const struct clip_job *job;
    const graze_audit_subject *subject;
    grazei_audit_worker *worker;
    graze_status status;
    uint32_t parts[2], frame;

    graze_rig_local *locals;  /* of the frame */
    uint32_t *sets[2];        /* of the model's parts, in which the two parts are */
    grazei_audit_list before; /* grazei_audit_row: what meets in the frame */
    grazei_audit_list after;  /* and in a turned pose */
    grazei_audit_list turns;  /* grazei_turn */
} hint_search;

static void fail(hint_search *search)
{
    search->status = GRAZE_OUT_OF_MEMORY;
}

/* ---- a turned pose -------------------------------------------------------------------------- */

void graze_audit_turn(const double rotation[4], const double axis[3], double degrees,
                      double turned[4])
{
    const double half = degrees * TO_RADIANS / 2, s = sin(half), *a = rotation;
    const double b[4] = {s * axis[0], s * axis[1], s * axis[2], cos(half)};
    const double q[4] = {a[3] * b[0] + b[3] * a[0] + a[1] * b[2] - a[2] * b[1],
                         a[3] * b[1] + b[3] * a[1] + a[2] * b[0] - a[0] * b[2],
                         a[3] * b[2] + b[3] * a[2] + a[0] * b[1] - a[1] * b[0],
                         a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(turned, q, sizeof q);
}

static void pose(hint_search *search, const grazei_turn *turn, double degrees)
{
    grazei_audit_worker *worker = search->worker;
    double *rotation = search->locals[turn->node].rotation, before[4];
    memcpy(before, rotation, sizeof before);
    graze_audit_turn(before, turn->axis, degrees, rotation);
    search->status = graze_rig_compose(search->subject->rig, search->locals, worker->joints, NULL);
    memcpy(rotation, before, sizeof before);
    if (!search->status)
        search->status = grazei_audit_take_pose(worker, NULL);
}

typedef struct meeting {
    const hint_search *search;
    bool met;
} meeting;

static bool take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    meeting *m = user;
    const uint32_t *part_of = m->search->subject->part_of, *parts = m->search->parts;
    for (size_t i = 0; i < count && !m->met; i++) {
        const uint32_t a = part_of[pairs[i].a], b = part_of[pairs[i].b];
        m->met = ((a == parts[0] && b == parts[1]) || (a == parts[1] && b == parts[0])) &&
                 grazei_audit_counts(m->search->job, pairs[i]);
    }
    return !m->met;
}

/* Whether the two parts meet in the pose. */
static bool meet(hint_search *search)
{
    const graze_part_sets sets = {search->sets[0], search->sets[1]};
    const graze_part_filter filter = {.pairs = &sets,
                                      .pair_count = 1,
                                      .part_count =
                                          graze_model_get_info(search->subject->model).part_count};
    meeting m = {search, false};
    graze_pair_list list = {.report = take_pairs, .user = &m};
    search->status = graze_self_pairs(search->worker->body, &filter, &list, NULL, NULL);
    return m.met || search->status;
}

/* ---- what a turn may not do ----------------------------------------------------------------- */

static const grazei_audit_row *find_row(const grazei_audit_list *rows, const uint32_t parts[2])
{
    const grazei_audit_row *all = rows->items;
    for (size_t i = 0; i < rows->count; i++)
        if (all[i].parts[0] == parts[0] && all[i].parts[1] == parts[1])
            return &all[i];
    return NULL;
}

/* Whether two parts come to meet, or meet deeper or in clearly more pairs than before. */
static bool is_worse(const grazei_audit_row *before, const grazei_audit_row *after)
{
    return !before || after->depth > before->depth ||
           after->pairs > before->pairs + before->pairs / 10 + 1;
}

/* Whether the turn takes the two parts out of each other, and makes nothing worse. Folds are what a
 * turn of a joint makes.
 */
static bool helps(hint_search *search, const grazei_turn *turn, double degrees)
{
    const grazei_audit_row *rows;
    pose(search, turn, degrees);
    if (search->status || meet(search))
        return false;
    search->after.count = 0;
    search->status =
        grazei_audit_meetings(search->job, search->worker, search->frame, &search->after, NULL);
    rows = search->after.items;
    for (size_t i = 0; !search->status && i < search->after.count; i++)
        if (is_worse(find_row(&search->before, rows[i].parts), &rows[i]) &&
            !grazei_is_fold(search->subject, rows[i].parts[0], rows[i].parts[1]))
            return false;
    return !search->status;
}

/* ---- the smallest --------------------------------------------------------------------------- */

/* The smallest of angles from low, which does not help, to high, which does. */
static double narrow(hint_search *search, const grazei_turn *turn, double sign, double low,
                     double high)
{
    for (int i = 0; i < HALVINGS && !search->status; i++) {
        const double middle = (low + high) / 2;
        if (helps(search, turn, sign * middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* As it is told, if it helps so. */
static bool round_up(hint_search *search, const grazei_turn *turn, double degrees,
                     graze_audit_hint *hint)
{
    const double sign = degrees < 0 ? -1 : 1;
    double told = ceil(fabs(degrees) / STEP + 0.5);
    grazei_turn rounded = {turn->node, {0, 0, 0}};
    for (int k = 0; k < 3; k++)
        rounded.axis[k] = (double)(hint->axis[k] = (float)turn->axis[k]);
    hint->node = turn->node;
    for (int i = 0; i < MOST_STEPS && !search->status; i++, told++) {
        hint->degrees = (float)(sign * told * STEP);
        if (helps(search, &rounded, (double)hint->degrees))
            return true;
    }
    return false;
}

/* Narrows down the turns that help at this rung; false if none does. */
static bool try_rung(hint_search *search, int rung, graze_audit_hint *hint)
{
    const grazei_turn *turns = search->turns.items;
    const double low = rung ? ladder[rung - 1] : 0;
    double least = ladder[rung];
    bool found = false;
    for (size_t i = 0; i < 2 * search->turns.count && !search->status; i++) {
        const grazei_turn *turn = &turns[i / 2];
        const double sign = i % 2 ? -1 : 1;
        graze_audit_hint told;
        if (found && least - STEP <= low)
            break;
        if (!helps(search, turn, sign * (found ? least - STEP : least)))
            continue;
        const double angle = narrow(search, turn, sign, low, found ? least - STEP : least);
        if (search->status || !round_up(search, turn, sign * angle, &told))
            continue;
        *hint = told;
        least = fabs((double)told.degrees);
        found = true;
    }
    return found;
}

/* ---- one finding ---------------------------------------------------------------------------- */

static void fill_set(hint_search *search, int side)
{
    const graze_audit_subject *subject = search->subject;
    const uint32_t part = search->parts[side];
    for (uint32_t i = subject->part_first[part]; i < subject->part_first[part + 1]; i++) {
        uint32_t own = graze_model_triangle_part(subject->model, subject->part_triangles[i]);
        search->sets[side][own / 32] |= 1u << own % 32;
    }
}

static bool take_parts(hint_search *search, const graze_audit_finding *finding)
{
    const graze_audit_subject *subject = search->subject;
    const size_t words = (graze_model_get_info(subject->model).part_count + 31) / 32;
    for (int side = 0; side < 2; side++) {
        uint32_t part = 0;
        while (strcmp(subject->names[part], finding->parts[side]) != 0)
            part++;
        search->parts[side] = part;
        search->sets[side] =
            grazei_audit_room(&subject->allocator, words, sizeof *search->sets[side]);
        if (!search->sets[side])
            return false;
        fill_set(search, side);
    }
    search->locals =
        grazei_audit_room(&subject->allocator, subject->rig->node_count, sizeof *search->locals);
    return search->locals != NULL;
}

/* The frame as it is, and what may be turned. */
static void begin(hint_search *search, const grazei_hints *hints, const graze_audit_worst *worst)
{
    grazei_audit_worker *worker = search->worker;
    const grazei_group *groups;
    search->status = grazei_audit_pose(worker, hints->clip, worst->time, NULL);
    if (!search->status)
        search->status = graze_rig_sample_locals(search->subject->rig, hints->clip, worst->time,
                                                 search->locals, NULL, NULL);
    if (!search->status)
        search->status =
            grazei_audit_meetings(search->job, worker, search->frame, &search->before, NULL);
    groups = worker->groups.items;
    for (size_t i = 0; !search->status && i < worker->groups.count; i++)
        if (groups[i].parts[0] == search->parts[0] && groups[i].parts[1] == search->parts[1] &&
            !grazei_audit_turns(worker, &groups[i], worst->point, search->locals, &search->turns))
            fail(search);
}

static bool copy_name(const graze_audit_subject *subject, graze_audit_hint *hint)
{
    const char *name = subject->rig->nodes[hint->node].name;
    const size_t size = name ? strlen(name) : 0;
    hint->joint = grazei_audit_room(&subject->allocator, size, 1); /* with its end */
    if (hint->joint && name)
        memcpy(hint->joint, name, size);
    return hint->joint != NULL;
}

static graze_status find_hint(const grazei_hints *hints, grazei_audit_worker *worker,
                              graze_audit_finding *finding)
{
    const graze_allocator *allocator = &hints->subject->allocator;
    hint_search search = {.job = hints->job,
                          .subject = hints->subject,
                          .worker = worker,
                          .frame = finding->worst.frame};
    graze_audit_hint hint;
    if (take_parts(&search, finding))
        begin(&search, hints, &finding->worst);
    else
        fail(&search);
    for (int rung = 0; !search.status && search.turns.count && rung < RUNGS; rung++)
        if (try_rung(&search, rung, &hint)) {
            if (copy_name(hints->subject, &hint))
                finding->hint = hint;
            else
                fail(&search);
            break;
        }
    void *const owned[] = {search.locals,       search.sets[0],     search.sets[1],
                           search.before.items, search.after.items, search.turns.items};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        grazei_audit_release(allocator, owned[i]);
    return search.status;
}

/* ---- all of them ---------------------------------------------------------------------------- */

typedef struct hint_task {
    const grazei_hints *hints;
    graze_status *statuses; /* of findings */
} hint_task;

static void do_finding(void *user, size_t number, uint32_t thread)
{
    const hint_task *task = user;
    const grazei_hints *hints = task->hints;
    grazei_audit_worker *worker = &hints->workers[thread];
    graze_audit_finding *finding = &hints->result->findings[number];
    graze_status status = GRAZE_OK;
    if (finding->fold || finding->between)
        return;
    if (!worker->subject)
        status = grazei_audit_worker_open(worker, hints->subject, false, NULL);
    if (!status)
        status = find_hint(hints, worker, finding);
    task->statuses[number] = status;
}

graze_status grazei_audit_find_hints(const grazei_hints *hints, graze_pool *pool,
                                     graze_error *error)
{
    const graze_allocator *allocator = &hints->subject->allocator;
    const size_t count = hints->result->count;
    hint_task task = {hints, grazei_audit_room(allocator, count, sizeof *task.statuses)};
    graze_status status = task.statuses
                              ? graze_pool_for_each(pool, count, do_finding, &task, error)
                              : grazei_audit_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    for (size_t i = 0; !status && i < count; i++)
        if (task.statuses[i])
            status = grazei_audit_fail(error, task.statuses[i], "no hint could be looked for");
    grazei_audit_release(allocator, task.statuses);
    return status;
}
