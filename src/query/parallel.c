/* Many pairs of bodies, or one deep pair, over the threads of a pool.
 *
 * Every thread has a stretch of the list of pairs, the same in every call, so that bodies and what
 * they cache stay with it; at its end it takes half of what another one has left. When the list is
 * empty, a thread that has nothing to do says so, and one that is at work lays half of its agenda
 * on a shelf: work is split only where and when somebody is idle, so each thread walks down parts
 * of the trees on its own, and few meet in the same patches.
 * (U. A. Acar, A. Chargueraud and M. Rainey, "Scheduling parallel programs by work stealing with
 * private deques", 2013, with a shelf for all in place of requests to chosen victims.)
 */
#include <graze/threads.h>

#include "base/status.h"
#include "query/pair.h"

#include <string.h>

#define PARCEL_ITEMS 32
#define SHELF_PARCELS 16
#define MAX_TAKEN 4

/* Pairs of bodies that nobody has begun yet. */
typedef struct stretch {
    size_t next, end;
} stretch;

/* Pairs of nodes of one pair of bodies, on the way from one thread to another. */
typedef struct parcel {
    size_t pair;
    uint32_t count;
    grazei_item items[PARCEL_ITEMS];
} parcel;

typedef struct crowd {
    const graze_body_pair *pairs;
    size_t count;
    uint32_t threads;
    graze_many_fn report;
    void *user;
    bool *hits; /* a yes or no is enough; NULL: all pairs of triangles are reported */
    graze_stats *stats;

    grazei_lock report_lock __attribute__((aligned(64)));
    atomic_bool stopped; /* the receiver has had enough */

    /* The list and the shelf. Changed under their lock; the counts are looked at without. */
    grazei_lock shelf_lock __attribute__((aligned(64)));
    atomic_uint working, hungry, shelved;
    stretch stretches[GRAZEI_MAX_THREADS];
    parcel shelf[SHELF_PARCELS];
} crowd;

typedef struct worker {
    crowd *crowd;
    size_t pair; /* that is looked at */
    graze_stats stats;
    grazei_pair_question question;
    grazei_agenda agenda;
} worker;

static bool is_stopped(crowd *c)
{
    return atomic_load_explicit(&c->stopped, memory_order_relaxed);
}

/* A graze_pair_fn: one thread at a time, and never after the receiver said stop. */
static bool deliver(void *user, const graze_pair *triangles, size_t count)
{
    worker *w = user;
    crowd *c = w->crowd;
    grazei_lock_take(&c->report_lock);
    bool go_on = !is_stopped(c) && c->report(c->user, w->pair, triangles, count);
    if (!go_on)
        atomic_store_explicit(&c->stopped, true, memory_order_relaxed);
    grazei_lock_release(&c->report_lock);
    return go_on;
}

static uint32_t seen(atomic_uint *number)
{
    return atomic_load_explicit(number, memory_order_relaxed);
}

/* Under the shelf's lock. */
static void count_in(atomic_uint *number, int change)
{
    atomic_store_explicit(number, seen(number) + (uint32_t)change, memory_order_relaxed);
}

/* An agenda's stop: there is something to hand over and somebody to take it, or nothing to do. */
static bool is_asked(void *user)
{
    worker *w = user;
    crowd *c = w->crowd;
    return (seen(&c->hungry) > seen(&c->shelved) && w->agenda.count > 1) || is_stopped(c);
}

/* Lays every second item of the agenda on the shelf: the lower ones are larger, and with halves
 * that are alike little has to be handed over again.
 */
static void hand_over(worker *w)
{
    crowd *c = w->crowd;
    grazei_agenda *agenda = &w->agenda;
    uint32_t kept = 0;
    grazei_lock_take(&c->shelf_lock);
    uint32_t shelved = seen(&c->shelved);
    if (shelved < SHELF_PARCELS && shelved < seen(&c->hungry) && agenda->count > 1) {
        parcel *p = &c->shelf[shelved];
        p->pair = w->pair;
        p->count = 0;
        for (uint32_t i = 0; i < agenda->count; i++)
            if (i % 2 == 0 && p->count < PARCEL_ITEMS)
                p->items[p->count++] = agenda->items[i];
            else
                agenda->items[kept++] = agenda->items[i];
        agenda->count = kept;
        count_in(&c->shelved, 1);
    }
    grazei_lock_release(&c->shelf_lock);
}

/* Works through the agenda, or through what is left of it. */
static void finish(worker *w)
{
    w->agenda.stop = is_asked;
    w->agenda.stop_user = w;
    while (w->agenda.count && !is_stopped(w->crowd)) {
        w->question.base.run(&w->question.base, &w->agenda, &w->stats);
        if (w->agenda.count)
            hand_over(w);
    }
}

static void look_at_pair(worker *w, size_t number)
{
    crowd *c = w->crowd;
    const graze_body_pair *pair = &c->pairs[number];
    w->pair = number;
    if (!c->hits) {
        grazei_pair_begin(&w->question, &w->agenda, pair->a, pair->b, false, deliver, w, &w->stats);
        finish(w);
        return;
    }
    grazei_first_pair first = {.found = false};
    grazei_pair_begin(&w->question, &w->agenda, pair->a, pair->b, true, grazei_keep_first, &first,
                      &w->stats);
    grazei_run(&w->question.base, &w->agenda, &w->stats);
    c->hits[number] = first.found;
}

static void look_at_parcel(worker *w, const parcel *p)
{
    const graze_body_pair *pair = &w->crowd->pairs[p->pair];
    w->pair = p->pair;
    grazei_pair_ask(&w->question, pair->a, pair->b, false, deliver, w);
    grazei_agenda_start(&w->agenda, false);
    w->agenda.count = p->count;
    memcpy(w->agenda.items, p->items, p->count * sizeof *p->items);
    finish(w);
}

/* Half of the longest stretch that is left, rounded up. */
static stretch halve_longest(crowd *c)
{
    stretch *longest = &c->stretches[0];
    for (uint32_t t = 1; t < c->threads; t++)
        if (c->stretches[t].end - c->stretches[t].next > longest->end - longest->next)
            longest = &c->stretches[t];
    stretch half = {longest->next + (longest->end - longest->next) / 2, longest->end};
    longest->end = half.next;
    return half;
}

/* Some pairs to begin with now. */
static bool next_pairs(crowd *c, uint32_t thread, size_t *first, size_t *end)
{
    stretch *own = &c->stretches[thread];
    grazei_lock_take(&c->shelf_lock);
    if (own->next == own->end)
        *own = halve_longest(c);
    size_t left = own->end - own->next, taken = left < MAX_TAKEN ? (left + 1) / 2 : MAX_TAKEN;
    *first = own->next;
    *end = own->next += taken;
    grazei_lock_release(&c->shelf_lock);
    return taken > 0;
}

static bool may_come(crowd *c)
{
    return !seen(&c->shelved) && seen(&c->working) && !is_stopped(c);
}

/* Waits for a parcel while one may come. The caller was at work, and is again if it gets one. */
static bool next_parcel(crowd *c, parcel *p)
{
    uint32_t rounds = 0;
    grazei_lock_take(&c->shelf_lock);
    count_in(&c->working, -1);
    count_in(&c->hungry, 1);
    while (may_come(c)) {
        grazei_lock_release(&c->shelf_lock);
        while (may_come(c))
            grazei_wait(&rounds);
        grazei_lock_take(&c->shelf_lock);
    }
    bool found = seen(&c->shelved) > 0;
    count_in(&c->hungry, -1);
    if (found) {
        count_in(&c->shelved, -1);
        count_in(&c->working, 1);
        *p = c->shelf[seen(&c->shelved)];
    }
    grazei_lock_release(&c->shelf_lock);
    return found;
}

static void work(void *job, uint32_t thread)
{
    crowd *c = job;
    worker w;
    parcel p;
    size_t first, end;
    w.crowd = c;
    w.stats = (graze_stats){0};
    grazei_lock_take(&c->shelf_lock);
    count_in(&c->working, 1);
    grazei_lock_release(&c->shelf_lock);
    while (next_pairs(c, thread, &first, &end))
        for (size_t i = first; i < end && !is_stopped(c); i++)
            look_at_pair(&w, i);
    while (!c->hits && next_parcel(c, &p))
        look_at_parcel(&w, &p);
    grazei_lock_take(&c->shelf_lock);
    grazei_add_stats(c->stats, &w.stats);
    grazei_lock_release(&c->shelf_lock);
}

static graze_status check_pairs(const graze_body_pair *pairs, size_t count, graze_error *error)
{
    graze_error found;
    if (!pairs && count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the list of pairs is NULL");
    for (size_t i = 0; i < count; i++)
        if (grazei_check_pair(pairs[i].a, pairs[i].b, &found))
            return grazei_fail(error, found.status, "pair %zu: %s", i, found.text);
    return GRAZE_OK;
}

/* Looks at all pairs, which are checked. */
static void run(graze_pool *pool, crowd *c, graze_stats *stats)
{
    graze_stats unwanted = {0};
    uint32_t threads = graze_pool_threads(pool);
    c->threads = threads;
    for (uint32_t t = 0; t < threads; t++)
        c->stretches[t] = (stretch){c->count * t / threads, c->count * (t + 1) / threads};
    c->stats = stats ? stats : &unwanted;
    for (size_t i = 0; threads > 1 && i < c->count; i++) {
        grazei_body_share(c->pairs[i].a);
        grazei_body_share(c->pairs[i].b);
    }
    grazei_pool_run(pool, work, c);
    for (size_t i = 0; threads > 1 && i < c->count; i++) {
        grazei_body_unshare(c->pairs[i].a);
        grazei_body_unshare(c->pairs[i].b);
    }
}

/* Only what is used of the shelf is ever written. */
static void start(crowd *c, const graze_body_pair *pairs, size_t count)
{
    memset(c, 0, offsetof(crowd, stretches));
    c->pairs = pairs;
    c->count = count;
}

graze_status graze_collide_many(graze_pool *pool, const graze_body_pair *pairs, size_t count,
                                graze_many_fn report, void *user, graze_stats *stats,
                                graze_error *error)
{
    crowd c;
    graze_status status = check_pairs(pairs, count, error);
    if (!status)
        status = grazei_check_given(report != NULL, "report", error);
    if (status)
        return status;
    start(&c, pairs, count);
    c.report = report;
    c.user = user;
    run(pool, &c, stats);
    return GRAZE_OK;
}

graze_status graze_collide_many_first(graze_pool *pool, const graze_body_pair *pairs, size_t count,
                                      bool *hits, graze_stats *stats, graze_error *error)
{
    crowd c;
    graze_status status = check_pairs(pairs, count, error);
    if (!status)
        status = grazei_check_given(hits || !count, "hits", error);
    if (status)
        return status;
    start(&c, pairs, count);
    c.hits = hits;
    run(pool, &c, stats);
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
