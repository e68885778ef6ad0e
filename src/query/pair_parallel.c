/* Many pairs of bodies, or one deep pair, over the threads of a pool.
 *
 * Every thread has a range of the list of pairs (base/ranges.h). When the list is empty, a thread
 * that has nothing to do says so, and one that is at work puts half of its agenda on a queue: work
 * is split only where and when a thread is idle, so each thread walks down parts of the trees on
 * its own, and few meet in the same patches. (U. A. Acar, A. Chargueraud and M. Rainey, "Scheduling
 * parallel programs by work stealing with private deques", 2013, with one queue for all in place of
 * requests to chosen victims.)
 */
#include <graze/threads.h>

#include "base/ranges.h"
#include "base/status.h"
#include "query/many.h"
#include "query/pair.h"

#include <string.h>

#define MAX_CHUNK_ITEMS 32
#define MAX_QUEUED 16
#define MAX_PAIRS_TAKEN 4 /* from a thread's range at once */

/* Pairs of nodes of one pair of bodies, on the way from one thread to another. */
typedef struct chunk {
    size_t pair;
    uint32_t count;
    grazei_item items[MAX_CHUNK_ITEMS];
} chunk;

/* What all threads of one call share. */
typedef struct pair_job {
    const graze_body_pair *pairs;
    size_t count;
    uint32_t threads;
    graze_many_fn report;
    void *user;
    bool *hits; /* a yes or no is enough; NULL: all pairs of triangles are reported */
    graze_stats *stats;

    grazei_lock report_lock __attribute__((aligned(64)));
    atomic_bool stopped; /* the receiver has had enough */

    /* The queue of chunks, the last one taken first. Changed under its lock; the counts, two of
     * threads and one of chunks, are looked at without.
     */
    grazei_lock queue_lock __attribute__((aligned(64)));
    atomic_uint working, idle, queued;
    chunk queue[MAX_QUEUED];
} pair_job;

typedef struct worker {
    pair_job *job;
    size_t pair; /* that is looked at */
    graze_stats stats;
    grazei_pair_question question;
    grazei_agenda agenda;
} worker;

static bool is_stopped(pair_job *job)
{
    return atomic_load_explicit(&job->stopped, memory_order_relaxed);
}

/* A graze_pair_fn: one thread at a time, and never after the receiver said stop. */
static bool deliver(void *user, const graze_pair *triangles, size_t count)
{
    worker *w = user;
    pair_job *job = w->job;
    grazei_lock_take(&job->report_lock);
    bool go_on = !is_stopped(job) && job->report(job->user, w->pair, triangles, count);
    if (!go_on)
        atomic_store_explicit(&job->stopped, true, memory_order_relaxed);
    grazei_lock_release(&job->report_lock);
    return go_on;
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
    pair_job *job = w->job;
    return (peek(&job->idle) > peek(&job->queued) && w->agenda.count > 1) || is_stopped(job);
}

/* Puts every second item of the agenda on the queue: the lower ones are larger, and halves that are
 * alike seldom have to be split again.
 */
static void split_work(worker *w)
{
    pair_job *job = w->job;
    grazei_agenda *agenda = &w->agenda;
    uint32_t kept = 0;
    grazei_lock_take(&job->queue_lock);
    uint32_t queued = peek(&job->queued);
    if (queued < MAX_QUEUED && queued < peek(&job->idle) && agenda->count > 1) {
        chunk *half = &job->queue[queued];
        half->pair = w->pair;
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
    w->agenda.stop = should_pause;
    w->agenda.stop_user = w;
    while (w->agenda.count && !is_stopped(w->job)) {
        w->question.base.run(&w->question.base, &w->agenda, &w->stats);
        if (w->agenda.count)
            split_work(w);
    }
}

static void run_pair(worker *w, size_t number)
{
    pair_job *job = w->job;
    const graze_body_pair *pair = &job->pairs[number];
    w->pair = number;
    if (!job->hits) {
        grazei_pair_begin(&w->question, &w->agenda, pair->a, pair->b, false, deliver, w, &w->stats);
        run_agenda(w);
        return;
    }
    grazei_first_pair first = {.found = false};
    grazei_pair_begin(&w->question, &w->agenda, pair->a, pair->b, true, grazei_keep_first, &first,
                      &w->stats);
    if (w->agenda.count)
        w->question.base.run(&w->question.base, &w->agenda, &w->stats);
    job->hits[number] = first.found;
}

static void run_chunk(worker *w, const chunk *c)
{
    const graze_body_pair *pair = &w->job->pairs[c->pair];
    w->pair = c->pair;
    grazei_pair_ask(&w->question, pair->a, pair->b, false, deliver, w);
    grazei_agenda_start(&w->agenda, false);
    w->agenda.count = c->count;
    memcpy(w->agenda.items, c->items, c->count * sizeof *c->items);
    run_agenda(w);
}

static bool chunk_may_come(pair_job *job)
{
    return !peek(&job->queued) && peek(&job->working) && !is_stopped(job);
}

/* Waits for a chunk while one may come. The caller was at work, and is again if it gets one. */
static bool next_chunk(pair_job *job, chunk *out)
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
        *out = job->queue[peek(&job->queued)];
    }
    grazei_lock_release(&job->queue_lock);
    return found;
}

static void run_thread(void *data, grazei_ranges *ranges, uint32_t thread)
{
    pair_job *job = data;
    worker w;
    chunk c;
    size_t first, end;
    w.job = job;
    w.stats = (graze_stats){0};
    grazei_lock_take(&job->queue_lock);
    add(&job->working, 1);
    grazei_lock_release(&job->queue_lock);
    while (grazei_ranges_take(ranges, thread, MAX_PAIRS_TAKEN, &first, &end))
        for (size_t i = first; i < end && !is_stopped(job); i++)
            run_pair(&w, i);
    while (!job->hits && next_chunk(job, &c))
        run_chunk(&w, &c);
    grazei_lock_take(&job->queue_lock);
    grazei_add_stats(job->stats, &w.stats);
    grazei_lock_release(&job->queue_lock);
}

static void hold(const pair_job *job, graze_body *body)
{
    if (job->threads > 1)
        grazei_body_share(body, job);
    else
        grazei_body_enter(body);
}

static void let_go(const pair_job *job, graze_body *body)
{
    if (job->threads > 1)
        grazei_body_unshare(body, job);
    else
        grazei_body_leave(body);
}

static void for_all_bodies(const pair_job *job, void (*call)(const pair_job *job, graze_body *body))
{
    for (size_t i = 0; i < job->count; i++) {
        call(job, job->pairs[i].a);
        call(job, job->pairs[i].b);
    }
}

/* All pairs, which are checked. */
static void run_job(graze_pool *pool, pair_job *job, graze_stats *stats)
{
    graze_stats unwanted = {0};
    job->threads = graze_pool_threads(pool);
    job->stats = stats ? stats : &unwanted;
    for_all_bodies(job, hold);
    grazei_pool_run(pool, job->count, !job->hits, run_thread, job);
    for_all_bodies(job, let_go);
}

/* Leaves the queue as it is: only what is used of it is ever written. */
static void start_job(pair_job *job, const graze_body_pair *pairs, size_t count)
{
    memset(job, 0, offsetof(pair_job, queue));
    job->pairs = pairs;
    job->count = count;
}

graze_status graze_collide_many(graze_pool *pool, const graze_body_pair *pairs, size_t count,
                                graze_many_fn report, void *user, graze_stats *stats,
                                graze_error *error)
{
    pair_job job;
    graze_status status = grazei_check_pairs(pairs, count, error);
    if (!status)
        status = grazei_check_given(report != NULL, "report", error);
    if (status)
        return status;
    start_job(&job, pairs, count);
    job.report = report;
    job.user = user;
    run_job(pool, &job, stats);
    return GRAZE_OK;
}

graze_status graze_collide_many_first(graze_pool *pool, const graze_body_pair *pairs, size_t count,
                                      bool *hits, graze_stats *stats, graze_error *error)
{
    pair_job job;
    graze_status status = grazei_check_pairs(pairs, count, error);
    if (!status)
        status = grazei_check_given(hits || !count, "hits", error);
    if (status)
        return status;
    start_job(&job, pairs, count);
    job.hits = hits;
    run_job(pool, &job, stats);
    return GRAZE_OK;
}

/* A graze_many_fn for the one pair; user is a receiver. */
typedef struct receiver {
    graze_pair_fn report;
    void *user;
} receiver;

static bool pass_on(void *user, size_t pair, const graze_pair *triangles, size_t count)
{
    const receiver *to = user;
    (void)pair;
    return to->report(to->user, triangles, count);
}

graze_status graze_collide_parallel(graze_pool *pool, graze_body *a, graze_body *b,
                                    graze_pair_fn report, void *user, graze_stats *stats,
                                    graze_error *error)
{
    graze_body_pair pair = {a, b};
    receiver to = {report, user};
    graze_status status = grazei_check_pair_report(a, b, report != NULL, error);
    return status ? status : graze_collide_many(pool, &pair, 1, pass_on, &to, stats, error);
}
