/* Recorded questions, or one deep pair, over the threads of a pool.
 *
 * Every thread has a range of the list of units (base/ranges.h). When the list is empty, a thread
 * that has nothing to do says so, and one that is at work on a pair of bodies puts half of its
 * agenda on a queue: work is split only where and when a thread is idle, so each thread walks down
 * parts of the trees on its own, and few meet in the same patches. (U. A. Acar, A. Chargueraud and
 * M. Rainey, "Scheduling parallel programs by work stealing with private deques", 2013, with one
 * queue for all in place of requests to chosen victims.)
 */
#include "ask/many.h"

#include "base/assert.h"
#include "base/ranges.h"
#include "base/trace.h"

#include <string.h>

#define MAX_CHUNK_ITEMS 32
#define MAX_QUEUED 16
#define MAX_UNITS_TAKEN 4 /* from a thread's range at once */

/* Pairs of nodes of one pair of bodies, on the way from one thread to another. */
typedef struct chunk {
    size_t record;
    uint32_t count;
    grazei_item items[MAX_CHUNK_ITEMS];
} chunk;

/* What all threads of one call share. */
typedef struct many_job {
    grazei_recorded *records;
    const grazei_unit *units;
    size_t count; /* of units */
    uint32_t threads;
    bool splits;         /* some can be split */
    grazei_pair_fn take; /* what gets the pairs of those */
    graze_stats *stats;
    grazei_failure *failure;

    grazei_lock report_lock __attribute__((aligned(64)));

    /* The queue of chunks, the last one taken first. Changed under its lock; the counts, two of
     * threads and one of chunks, are looked at without.
     */
    grazei_lock queue_lock __attribute__((aligned(64)));
    atomic_uint working, idle, queued;
    chunk queue[MAX_QUEUED];
} many_job;

typedef struct worker {
    many_job *job;
    size_t record; /* that is looked at */
    graze_stats stats;
    grazei_work work;
} worker;

void grazei_note_failure(grazei_failure *failure, size_t number, const graze_error *error)
{
    if (failure->status && number >= failure->number)
        return;
    failure->status = error->status;
    failure->number = number;
    failure->error = *error;
}

static grazei_recorded *record_of(worker *w)
{
    return &w->job->records[w->record];
}

static bool is_stopped(worker *w)
{
    return atomic_load_explicit(&record_of(w)->stopped, memory_order_relaxed);
}

/* Several threads may be answering it. */
static void aim_sink(worker *w)
{
    grazei_recorded *record = record_of(w);
    w->work.sink = (grazei_sink){.list = record->call.kind->list ? record->call.answer : NULL,
                                 .any = record->call.any,
                                 .lock = w->job->threads > 1 ? &w->job->report_lock : NULL,
                                 .stopped = &record->stopped,
                                 .finder = record->call.about.finder,
                                 .heard = record->call.heard};
}

/* ---- pairs, which can be split -------------------------------------------------------------- */

/* In one walk all pairs are wanted. */
static bool can_be_split(const grazei_call *call)
{
    return (call->kind == &grazei_pairs_kind && !call->any && call->method == GRAZE_LAZY);
}

static uint32_t peek(atomic_uint *number)
{
    return atomic_load_explicit(number, memory_order_relaxed);
}

/* Under the queue's lock. */
static void add(atomic_uint *number, int change)
{
    atomic_store_explicit(number, peek(number) + (uint32_t)change, memory_order_relaxed);
}

/* An agenda's stop: there is work to split and an idle thread to take half, or nothing to do. */
static bool should_pause(void *user)
{
    worker *w = user;
    many_job *job = w->job;
    return (peek(&job->idle) > peek(&job->queued) && w->work.agenda.count > 1) || is_stopped(w);
}

/* Puts every second item of the agenda on the queue: the lower ones are larger, and halves that are
 * alike seldom have to be split again.
 */
static void split_work(worker *w)
{
    many_job *job = w->job;
    grazei_agenda *agenda = &w->work.agenda;
    uint32_t kept = 0;
    grazei_lock_take(&job->queue_lock);
    uint32_t queued = peek(&job->queued);
    if (queued < MAX_QUEUED && queued < peek(&job->idle) && agenda->count > 1) {
        chunk *half = &job->queue[queued];
        GRAZE_ASSERT(queued < MAX_QUEUED);
        half->record = w->record;
        half->count = 0;
        for (uint32_t i = 0; i < agenda->count; i++)
            if (i % 2 == 0 && half->count < MAX_CHUNK_ITEMS)
                half->items[half->count++] = agenda->items[i];
            else
                agenda->items[kept++] = agenda->items[i];
        agenda->count = kept;
        add(&job->queued, 1);
    }
    grazei_lock_release(&job->queue_lock);
}

/* Works through the agenda, or through what is left of it. */
static void run_agenda(worker *w)
{
    GRAZEI_ZONE("walk");
    w->work.agenda.stop = should_pause;
    w->work.agenda.stop_user = w;
    while (w->work.agenda.count && !is_stopped(w)) {
        w->work.question.base.run(&w->work.question.base, &w->work.agenda, &w->stats);
        if (w->work.agenda.count)
            split_work(w);
    }
}

static void run_pair(worker *w)
{
    const grazei_call *call = &record_of(w)->call;
    grazei_pair_begin(&w->work.question.pair, &w->work.agenda, call->bodies[0], call->bodies[1],
                      false, w->job->take, &w->work.sink, &w->stats);
    run_agenda(w);
}

static void run_chunk(worker *w, const chunk *c)
{
    GRAZE_ASSERT(c->count <= MAX_CHUNK_ITEMS);
    w->record = c->record;
    const grazei_call *call = &record_of(w)->call;
    GRAZEI_ZONE(call->kind->name);
    aim_sink(w);
    grazei_pair_ask(&w->work.question.pair, call->bodies[0], call->bodies[1], false, w->job->take,
                    &w->work.sink);
    grazei_agenda_start(&w->work.agenda, false);
    w->work.agenda.count = c->count;
    memcpy(w->work.agenda.items, c->items, c->count * sizeof *c->items);
    run_agenda(w);
}

static bool chunk_may_come(many_job *job)
{
    return !peek(&job->queued) && peek(&job->working);
}

/* Waits for a chunk while one may come. The caller was at work, and is again if it gets one. */
static bool next_chunk(many_job *job, chunk *out)
{
    uint32_t rounds = 0;
    grazei_lock_take(&job->queue_lock);
    add(&job->working, -1);
    add(&job->idle, 1);
    while (chunk_may_come(job)) {
        grazei_lock_release(&job->queue_lock);
        while (chunk_may_come(job))
            grazei_wait(&rounds);
        grazei_lock_take(&job->queue_lock);
    }
    bool found = peek(&job->queued) > 0;
    add(&job->idle, -1);
    if (found) {
        add(&job->queued, -1);
        add(&job->working, 1);
        GRAZE_ASSERT(peek(&job->queued) < MAX_QUEUED);
        *out = job->queue[peek(&job->queued)];
    }
    grazei_lock_release(&job->queue_lock);
    return found;
}

/* ---- the rest ------------------------------------------------------------------------------- */

/* Rays of one body go through its tree together. */
static __attribute__((noinline)) void run_rays(worker *w, const grazei_unit *unit)
{
    graze_ray rays[GRAZEI_RAY_PACKET];
    graze_hit hits[GRAZEI_RAY_PACKET];
    grazei_recorded *records = w->job->records + unit->first;
    uint32_t count = 0;
    GRAZE_ASSERT(unit->count <= GRAZEI_RAY_PACKET);
    for (uint32_t i = 0; i < unit->count; i++)
        if (!records[i].settled)
            rays[count++] = *records[i].call.about.rays;
    if (!count)
        return;
    GRAZEI_ZONE(records[0].call.kind->name);
    grazei_cast_packets(records[0].call.bodies[0], rays, count, hits, &w->stats);
    count = 0;
    for (uint32_t i = 0; i < unit->count; i++)
        if (!records[i].settled)
            *(graze_hit *)records[i].call.answer = hits[count++];
}

/* Shapes are made ready anew, in this thread's work. */
static void run_single(worker *w)
{
    graze_error error;
    const grazei_call *call = &record_of(w)->call;
    graze_status status = call->kind->check(call, &w->work, &error);
    if (!status)
        status = grazei_answer_ready(call, &w->work, NULL, &w->stats, &error);
    if (!status)
        return;
    if (call->heard)
        call->heard->status = status;
    grazei_lock_take(&w->job->report_lock);
    grazei_note_failure(w->job->failure, w->record, &error);
    grazei_lock_release(&w->job->report_lock);
}

static void run_unit(worker *w, const grazei_unit *unit)
{
    w->record = unit->first;
    if (unit->count > 1) {
        run_rays(w, unit);
        return;
    }
    if (record_of(w)->settled)
        return;
    GRAZEI_ZONE(record_of(w)->call.kind->name);
    aim_sink(w);
    if (w->job->splits && can_be_split(&record_of(w)->call))
        run_pair(w);
    else
        run_single(w);
}

static void run_thread(void *data, grazei_ranges *ranges, uint32_t thread)
{
    many_job *job = data;
    worker w;
    chunk c;
    size_t first, end;
    w.job = job;
    w.stats = (graze_stats){0};
    grazei_lock_take(&job->queue_lock);
    add(&job->working, 1);
    grazei_lock_release(&job->queue_lock);
    while (grazei_ranges_take(ranges, thread, MAX_UNITS_TAKEN, &first, &end))
        for (size_t i = first; i < end; i++)
            run_unit(&w, &job->units[i]);
    while (job->splits && next_chunk(job, &c))
        run_chunk(&w, &c);
    grazei_lock_take(&job->queue_lock);
    grazei_add_stats(job->stats, &w.stats);
    grazei_lock_release(&job->queue_lock);
}

static void hold(const many_job *job, graze_body *body)
{
    if (job->threads > 1)
        grazei_body_share(body, job);
    else
        grazei_body_enter(body);
}

static void let_go(const many_job *job, graze_body *body)
{
    if (job->threads > 1)
        grazei_body_unshare(body, job);
    else
        grazei_body_leave(body);
}

static void for_all_bodies(const many_job *job, void (*call)(const many_job *job, graze_body *body))
{
    for (size_t u = 0; u < job->count; u++)
        for (size_t i = job->units[u].first; i < job->units[u].first + job->units[u].count; i++)
            for (uint32_t k = 0; k < job->records[i].call.body_count; k++)
                call(job, job->records[i].call.bodies[k]);
}

static void run_job(graze_pool *pool, many_job *job)
{
    for_all_bodies(job, hold);
    grazei_pool_run(pool, job->count, job->splits, run_thread, job);
    GRAZE_ASSERT(!job->splits || (peek(&job->working) == 0 && peek(&job->idle) == 0));
    GRAZE_ASSERT(peek(&job->queued) == 0);
    for_all_bodies(job, let_go);
}

/* Leaves the queue as it is: only what is used of it is ever written. */
static void start_job(many_job *job, graze_pool *pool, grazei_recorded *records,
                      const grazei_unit *units, size_t count, graze_stats *stats)
{
    memset(job, 0, offsetof(many_job, queue));
    job->records = records;
    job->units = units;
    job->count = count;
    job->threads = graze_pool_threads(pool);
    job->take = grazei_take_pairs;
    job->stats = stats;
}

void grazei_answer_units(graze_pool *pool, grazei_recorded *records, const grazei_unit *units,
                         size_t count, graze_stats *stats, grazei_failure *failure)
{
    many_job job;
    start_job(&job, pool, records, units, count, stats);
    job.failure = failure;
    for (size_t i = 0; i < count && !job.splits && job.threads > 1; i++)
        job.splits = can_be_split(&records[units[i].first].call);
    run_job(pool, &job);
}

void grazei_spread_pairs(const grazei_call *call, grazei_sink *sink, grazei_pair_fn take,
                         graze_pool *pool, graze_stats *stats)
{
    many_job job;
    grazei_recorded record = {.call = *call};
    grazei_unit unit = {0, 1};
    record.call.kind = &grazei_pairs_kind;
    record.call.answer = sink->list;
    record.call.method = GRAZE_LAZY; /* what else there was to do is done */
    start_job(&job, pool, &record, &unit, 1, stats);
    job.take = take;
    job.splits = true;
    run_job(pool, &job);
}
