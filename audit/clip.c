/* One clip: its frames in lots, over the threads of a pool; every lot has rows of its own, which
 * are put together in order.
 */
#include "audit/hint.h"
#include "audit/stretches.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { LOT = 8 };

#define MOST_FRAMES 1e7

typedef struct lot {
    grazei_audit_list rows;
    graze_status status;
    graze_error error;
} lot;

typedef struct clip_job {
    const graze_audit_subject *subject;
    const graze_audit_settings *settings;
    uint32_t clip, frames;
    double fps;
    grazei_base base;
    grazei_audit_worker *workers;
    lot *lots;
    atomic_flag telling;
    atomic_bool failed;
} clip_job;

/* ---- pairs ---------------------------------------------------------------------------------- */

/* Where the pairs of a query go. */
typedef struct pair_taker {
    grazei_audit_worker *worker;
    bool full;
} pair_taker;

static bool take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    pair_taker *taker = user;
    grazei_audit_list *list = &taker->worker->pairs;
    taker->full =
        !grazei_audit_reserve(&taker->worker->allocator, list, list->count + count, sizeof *pairs);
    if (taker->full)
        return false;
    memcpy((graze_pair *)list->items + list->count, pairs, count * sizeof *pairs);
    list->count += count;
    return true;
}

static int by_triangles(const void *left, const void *right)
{
    const graze_pair *x = left, *y = right;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

bool grazei_is_in_base(const grazei_base *base, uint32_t a, uint32_t b)
{
    const graze_pair pair = {.a = a < b ? a : b, .b = a < b ? b : a};
    return base->count && bsearch(&pair, base->pairs, base->count, sizeof pair, by_triangles);
}

/* All pairs of the pose: those that do not count, too, are where surfaces are cut. */
static graze_status find_pairs(grazei_audit_worker *worker, graze_error *error)
{
    pair_taker taker = {worker, false};
    graze_pair_list list = {.report = take_pairs, .user = &taker};
    worker->pairs.count = 0;
    graze_status status = graze_self_pairs(worker->body, NULL, &list, NULL, error);
    return taker.full ? grazei_audit_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory") : status;
}

/* ---- a frame -------------------------------------------------------------------------------- */

/* A pair with the ranks of its parts' names, a in the first of them. */
typedef struct grouped {
    uint64_t key; /* UINT64_MAX: it does not count */
    graze_pair pair;
} grouped;

#define DOES_NOT_COUNT UINT64_MAX

static int by_group(const void *left, const void *right)
{
    const grouped *x = left, *y = right;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return by_triangles(&x->pair, &y->pair);
}

static grouped group_of(const clip_job *job, graze_pair pair)
{
    const graze_audit_subject *subject = job->subject;
    const bool turned =
        subject->name_rank[subject->part_of[pair.a]] > subject->name_rank[subject->part_of[pair.b]];
    const bool in_base = job->settings->baseline == GRAZE_AUDIT_REST
                             ? pair.at_rest
                             : grazei_is_in_base(&job->base, pair.a, pair.b);
    return (grouped){in_base ? DOES_NOT_COUNT : grazei_key_of(subject, pair.a, pair.b),
                     {.a = turned ? pair.b : pair.a, .b = turned ? pair.a : pair.b}};
}

bool grazei_audit_counts(const clip_job *job, graze_pair pair)
{
    return group_of(job, pair).key != DOES_NOT_COUNT;
}

/* Sorts the frame's pairs: those that count first, by parts. False when out of memory. */
static bool group_pairs(const clip_job *job, grazei_audit_worker *worker)
{
    const graze_allocator *allocator = &worker->allocator;
    const size_t count = worker->pairs.count;
    graze_pair *pairs = worker->pairs.items;
    uint64_t last = DOES_NOT_COUNT;
    worker->groups.count = 0;
    if (!grazei_audit_reserve(allocator, &worker->sorted, count, sizeof(grouped)))
        return false;
    grouped *sorted = worker->sorted.items;
    for (size_t i = 0; i < count; i++)
        sorted[i] = group_of(job, pairs[i]);
    if (count)
        qsort(sorted, count, sizeof *sorted, by_group);
    for (size_t i = 0; i < count; i++) {
        pairs[i] = sorted[i].pair;
        if (sorted[i].key == DOES_NOT_COUNT)
            continue;
        if (sorted[i].key != last) {
            const uint32_t *part_of = job->subject->part_of;
            grazei_group *group = grazei_audit_add(allocator, &worker->groups, sizeof *group);
            if (!group)
                return false;
            *group = (grazei_group){{part_of[pairs[i].a], part_of[pairs[i].b]}, (uint32_t)i, 0};
            last = sorted[i].key;
        }
        ((grazei_group *)worker->groups.items)[worker->groups.count - 1].count++;
    }
    return true;
}

/* Poses all parts that meet, and finds where they pass through each other. */
static graze_status find_passings(grazei_audit_worker *worker, graze_error *error)
{
    const uint32_t *part_of = worker->subject->part_of;
    const graze_pair *pairs = worker->pairs.items;
    graze_status status = GRAZE_OK;
    for (size_t i = 0; !status && i < worker->pairs.count; i++) {
        status = grazei_audit_pose_part(worker, part_of[pairs[i].a], error);
        if (!status)
            status = grazei_audit_pose_part(worker, part_of[pairs[i].b], error);
    }
    if (!status && !grazei_find_passings(worker, pairs, worker->pairs.count))
        status = grazei_audit_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    return status;
}

graze_status grazei_audit_meetings(const clip_job *job, grazei_audit_worker *worker, uint32_t frame,
                                   grazei_audit_list *rows, graze_error *error)
{
    graze_status status = find_pairs(worker, error);
    if (!status && !group_pairs(job, worker))
        status = grazei_audit_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    if (!status && worker->groups.count)
        status = find_passings(worker, error);
    for (size_t i = 0; !status && i < worker->groups.count; i++) {
        const grazei_group *group = (const grazei_group *)worker->groups.items + i;
        grazei_audit_row *row = grazei_audit_add(&worker->allocator, rows, sizeof *row);
        if (row)
            *row = (grazei_audit_row){
                .parts = {group->parts[0], group->parts[1]}, .frame = frame, .pairs = group->count};
        if (!row || !grazei_audit_measure(worker, group, row))
            status = grazei_audit_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    }
    return status;
}

/* Whether the pose is held since the frame before: then its rows are this frame's, too. What is
 * said of the last frame is set for this one.
 */
static bool is_held(grazei_audit_worker *worker, const grazei_audit_list *rows, uint32_t frame)
{
    const bool held = worker->holds && worker->rows == rows && worker->row_frame + 1 == frame;
    worker->rows = rows;
    worker->row_frame = frame;
    return held;
}

static bool repeat_rows(grazei_audit_worker *worker, grazei_audit_list *rows, uint32_t frame)
{
    const size_t first = worker->first_row, count = rows->count - first;
    worker->first_row = rows->count;
    for (size_t i = 0; i < count; i++) {
        if (((const grazei_audit_row *)rows->items)[first + i].between)
            continue;
        grazei_audit_row *row = grazei_audit_add(&worker->allocator, rows, sizeof *row);
        if (!row)
            return false;
        *row = ((const grazei_audit_row *)rows->items)[first + i];
        row->frame = frame;
    }
    return true;
}

static graze_status audit_frame(const clip_job *job, grazei_audit_worker *worker, uint32_t frame,
                                grazei_audit_list *rows, graze_error *error)
{
    graze_status status = grazei_audit_pose(worker, job->clip, frame / job->fps, error);
    if (!status && is_held(worker, rows, frame))
        return repeat_rows(worker, rows, frame)
                   ? GRAZE_OK
                   : grazei_audit_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    worker->first_row = rows->count;
    return status ? status : grazei_audit_meetings(job, worker, frame, rows, error);
}

/* ---- lots ----------------------------------------------------------------------------------- */

static void tell(clip_job *job, uint32_t frames)
{
    if (!job->settings->progress)
        return;
    while (atomic_flag_test_and_set_explicit(&job->telling, memory_order_acquire)) {
    }
    job->settings->progress(job->settings->user, frames);
    atomic_flag_clear_explicit(&job->telling, memory_order_release);
}

/* The frame, and what meets on the way to it; of the first frame of the next lot that alone. */
static graze_status look_at_frame(const clip_job *job, grazei_audit_worker *worker, uint32_t first,
                                  uint32_t frame, lot *own)
{
    graze_error why = {0};
    graze_body *body = worker->body;
    if (worker->before) {
        worker->body = worker->before;
        worker->before = body;
    }
    graze_status status = frame - first < LOT
                              ? audit_frame(job, worker, frame, &own->rows, &why)
                              : grazei_audit_pose(worker, job->clip, frame / job->fps, &why);
    if (!status && worker->before && frame > first && !worker->holds)
        status = grazei_audit_between(worker, &job->base, frame - 1, &own->rows, &why);
    if (status == GRAZE_BAD_INPUT)
        return grazei_audit_fail(&own->error, status, "frame %u: %.150s", frame, why.text);
    own->error = why;
    return status;
}

static void do_lot(void *user, size_t number, uint32_t thread)
{
    clip_job *job = user;
    lot *own = &job->lots[number];
    grazei_audit_worker *worker = &job->workers[thread];
    const uint32_t first = (uint32_t)number * LOT;
    const uint32_t end = job->frames - first < LOT ? job->frames : first + LOT;
    if (atomic_load_explicit(&job->failed, memory_order_relaxed))
        return;
    if (!worker->subject)
        own->status =
            grazei_audit_worker_open(worker, job->subject, job->settings->continuous, &own->error);
    for (uint32_t frame = first; !own->status && frame < end; frame++)
        own->status = look_at_frame(job, worker, first, frame, own);
    if (!own->status && worker->before && end < job->frames)
        own->status = look_at_frame(job, worker, first, end, own);
    if (own->status)
        atomic_store_explicit(&job->failed, true, memory_order_relaxed);
    else
        tell(job, end - first);
}

static graze_status put_together(clip_job *job, size_t lots, graze_audit_result *result,
                                 graze_error *error)
{
    const graze_allocator *allocator = &job->subject->allocator;
    size_t count = 0;
    for (size_t i = 0; i < lots; i++) {
        if (job->lots[i].status) {
            if (error)
                *error = job->lots[i].error;
            return job->lots[i].status;
        }
        count += job->lots[i].rows.count;
    }
    grazei_audit_row *rows = grazei_audit_room(allocator, count, sizeof *rows);
    if (!rows)
        return grazei_audit_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    count = 0;
    for (size_t i = 0; i < lots; i++) {
        const grazei_audit_list *own = &job->lots[i].rows;
        if (own->count)
            memcpy(rows + count, own->items, own->count * sizeof *rows);
        count += own->count;
    }
    graze_status status =
        grazei_audit_stretch(job->subject, job->settings, job->fps, rows, count, result, error);
    grazei_audit_release(allocator, rows);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

uint32_t graze_audit_frames(const graze_rig *rig, uint32_t clip, double fps)
{
    if (clip >= rig->clip_count)
        return 1;
    const double seconds = (double)rig->clips[clip].seconds, rate = fps > 0 ? fps : 30;
    double last = floor(seconds * rate);
    if (!(last < MOST_FRAMES))
        return (uint32_t)MOST_FRAMES + 1;
    while ((last + 1) / rate <= seconds)
        last++;
    while (last > 0 && last / rate > seconds)
        last--;
    return (uint32_t)last + 1;
}

/* Finds what meets in the baseline's pose, and keeps it in the job. */
static graze_status find_base(clip_job *job, graze_error *error)
{
    const graze_audit_settings *settings = job->settings;
    const graze_allocator *allocator = &job->subject->allocator;
    const bool rest = settings->baseline == GRAZE_AUDIT_REST;
    if (settings->baseline == GRAZE_AUDIT_NONE || (rest && !settings->continuous))
        return GRAZE_OK; /* a pair of the self query knows whether it is one at rest */
    grazei_audit_worker *worker = &job->workers[0];
    graze_status status =
        grazei_audit_worker_open(worker, job->subject, settings->continuous, error);
    if (!status)
        status = grazei_audit_pose(worker, rest ? GRAZE_NONE : settings->baseline_clip,
                                   rest ? 0 : settings->baseline_time, error);
    if (!status)
        status = find_pairs(worker, error);
    if (status)
        return status;
    const size_t count = worker->pairs.count;
    graze_pair *pairs = grazei_audit_room(allocator, count, sizeof *pairs);
    if (!pairs)
        return grazei_audit_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    if (count)
        memcpy(pairs, worker->pairs.items, count * sizeof *pairs);
    qsort(pairs, count, sizeof *pairs, by_triangles);
    job->base = (grazei_base){pairs, count};
    return GRAZE_OK;
}

static graze_status run(clip_job *job, graze_pool *pool, graze_audit_result *result,
                        graze_error *error)
{
    const graze_allocator *allocator = &job->subject->allocator;
    const size_t lots = ((size_t)job->frames + LOT - 1) / LOT;
    const uint32_t threads = graze_pool_threads(pool);
    job->workers = grazei_audit_room(allocator, threads, sizeof *job->workers);
    job->lots = grazei_audit_room(allocator, lots, sizeof *job->lots);
    graze_status status = job->workers && job->lots
                              ? find_base(job, error)
                              : grazei_audit_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    if (!status)
        status = graze_pool_for_each(pool, lots, do_lot, job, error);
    if (!status)
        status = put_together(job, lots, result, error);
    if (!status && job->settings->hints)
        status = grazei_audit_find_hints(
            &(grazei_hints){job, job->subject, job->clip, job->fps, job->workers, result}, pool,
            error);
    for (uint32_t i = 0; job->workers && i < threads; i++)
        grazei_audit_worker_close(&job->workers[i]);
    for (size_t i = 0; job->lots && i < lots; i++)
        grazei_audit_release(allocator, job->lots[i].rows.items);
    grazei_audit_release(allocator, job->workers);
    grazei_audit_release(allocator, job->lots);
    grazei_audit_release(allocator, job->base.pairs);
    return status;
}

graze_status graze_audit_clip(const graze_audit_subject *subject, uint32_t clip,
                              const graze_audit_settings *settings, graze_pool *pool,
                              graze_audit_result *result, graze_error *error)
{
    static const graze_audit_settings usual = {.fps = 0};
    if (!subject || !result)
        return grazei_audit_fail(error, GRAZE_BAD_INPUT, "%s is NULL",
                                 subject ? "where the result goes" : "the subject");
    settings = settings ? settings : &usual;
    if (clip != GRAZE_NONE && clip >= subject->rig->clip_count)
        return grazei_audit_fail(error, GRAZE_BAD_INPUT, "there is no clip %u", clip);
    clip_job job = {.subject = subject,
                    .settings = settings,
                    .clip = clip,
                    .frames = graze_audit_frames(subject->rig, clip, settings->fps),
                    .fps = settings->fps > 0 ? settings->fps : 30,
                    .telling = ATOMIC_FLAG_INIT};
    if (job.frames > MOST_FRAMES)
        return grazei_audit_fail(error, GRAZE_BAD_INPUT, "more than %.0f frames", MOST_FRAMES);
    graze_audit_result found = {.frames = job.frames, .allocator = subject->allocator};
    graze_status status = run(&job, pool, &found, error);
    if (status)
        graze_audit_result_free(&found);
    else
        *result = found;
    return status;
}
