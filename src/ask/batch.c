/* Batches: questions that are recorded, and asked together. */
#include "ask/many.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/trace.h"
#include "pairs/history.h"

#include <math.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 15 };

/* Memory for what questions are about. It does not move. */
typedef struct block {
    struct block *next;
    size_t used;
    unsigned char bytes[BLOCK_BYTES];
} block;

struct graze_batch {
    graze_allocator allocator;
    grazei_lock lock; /* for recording */
    bool running;
    grazei_recorded *records;
    size_t count, capacity;
    grazei_unit *units;
    size_t unit_count, unit_capacity;
    size_t next_unit;       /* where a run that ran out of its budget left off */
    grazei_failure failure; /* of this run and those that it goes on with */
    block *first, *last;
};

graze_status graze_batch_create(const graze_allocator *allocator, graze_batch **batch,
                                graze_error *error)
{
    graze_status status = grazei_check_pointer(batch, "where the batch goes", error);
    if (status)
        return status;
    graze_allocator used = allocator ? *allocator : graze_default_allocator();
    graze_batch *made = GRAZEI_ALLOCATE_ZERO(&used, 1, graze_batch);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = used;
    *batch = made;
    return GRAZE_OK;
}

void graze_batch_clear(graze_batch *batch)
{
    if (!batch || batch->running)
        return;
    batch->count = batch->unit_count = batch->next_unit = 0;
    batch->failure.status = GRAZE_OK;
    for (block *b = batch->first; b; b = b->next)
        b->used = 0;
    batch->last = batch->first;
}

void graze_batch_destroy(graze_batch *batch)
{
    if (!batch)
        return;
    graze_allocator allocator = batch->allocator;
    for (block *b = batch->first, *next; b; b = next) {
        next = b->next;
        grazei_release(&allocator, b);
    }
    grazei_release(&allocator, batch->records);
    grazei_release(&allocator, batch->units);
    grazei_release(&allocator, batch);
}

/* ---- recording ------------------------------------------------------------------------------ */

/* The next block, which may be there from before a clear. */
static bool next_block(graze_batch *batch)
{
    block *next = batch->last ? batch->last->next : batch->first;
    if (!next) {
        next = GRAZEI_ALLOCATE(&batch->allocator, 1, block);
        if (!next)
            return false;
        next->next = NULL;
        next->used = 0;
        *(batch->last ? &batch->last->next : &batch->first) = next;
    }
    batch->last = next;
    return true;
}

/* A grazei_keep_fn; user is a batch. */
static void *keep(void *user, const void *bytes, size_t size)
{
    graze_batch *batch = user;
    size_t rounded = (size + 7) / 8 * 8;
    GRAZE_ASSERT(rounded <= BLOCK_BYTES);
    if ((!batch->last || batch->last->used + rounded > BLOCK_BYTES) && !next_block(batch))
        return NULL;
    void *at = batch->last->bytes + batch->last->used;
    batch->last->used += rounded;
    return memcpy(at, bytes, size);
}

static bool make_room(graze_batch *batch)
{
    void *records = batch->records, *units = batch->units;
    if (batch->count == batch->capacity)
        records = grazei_grow(&batch->allocator, records, &batch->capacity, batch->count + 1,
                              sizeof *batch->records);
    batch->records = records ? records : batch->records;
    if (batch->unit_count == batch->unit_capacity)
        units = grazei_grow(&batch->allocator, units, &batch->unit_capacity, batch->unit_count + 1,
                            sizeof *batch->units);
    batch->units = units ? units : batch->units;
    return records && units;
}

static bool is_plain_ray(const grazei_call *call)
{
    return call->kind == &grazei_cast_kind && call->method == GRAZE_LAZY && !call->any;
}

/* Whether a call goes through a tree together with those of a unit. */
static bool joins(const graze_batch *batch, const grazei_unit *unit, const grazei_call *call)
{
    const grazei_call *first = &batch->records[unit->first].call;
    return is_plain_ray(call) && is_plain_ray(first) && first->bodies[0] == call->bodies[0] &&
           unit->count < GRAZEI_RAY_PACKET;
}

static graze_status record(graze_batch *batch, const grazei_call *call, graze_error *error)
{
    if (batch->running)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "the batch is running: callbacks of its questions may not use it");
    grazei_recorded made = {.call = *call};
    if (!make_room(batch) || !grazei_keep_about(&made.call.about, keep, batch))
        return grazei_fail_memory(error);
    grazei_unit *last = batch->unit_count ? &batch->units[batch->unit_count - 1] : NULL;
    if (last && joins(batch, last, call))
        last->count++;
    else
        batch->units[batch->unit_count++] = (grazei_unit){batch->count, 1};
    memcpy(&batch->records[batch->count++], &made, sizeof made);
    return GRAZE_OK;
}

graze_status grazei_batch_add(graze_batch *batch, const grazei_call *call, graze_error *error)
{
    grazei_lock_take(&batch->lock);
    graze_status status = record(batch, call, error);
    grazei_lock_release(&batch->lock);
    return status;
}

/* ---- running -------------------------------------------------------------------------------- */

static bool mark(const grazei_call *call, bool take)
{
    bool was_taken = false;
    if (call->about.finder) {
        was_taken |= call->about.finder->taken;
        call->about.finder->taken = take;
    }
    if (call->history && call->any)
        was_taken |= grazei_history_take(call->history, take);
    return was_taken;
}

/* Finders and histories can be in one question each. */
static graze_status check_taken(const graze_batch *batch, graze_error *error)
{
    size_t twice = batch->count;
    for (size_t i = 0; i < batch->count; i++)
        if (mark(&batch->records[i].call, true))
            twice = twice < i ? twice : i;
    for (size_t i = 0; i < batch->count; i++)
        mark(&batch->records[i].call, false);
    if (twice == batch->count)
        return GRAZE_OK;
    return grazei_fail(error, GRAZE_BAD_INPUT,
                       "question %zu: its finder or history is in another question, too", twice);
}

/* Empties the list, and lends caches to the bodies. */
static graze_status prepare(grazei_recorded *made, grazei_work *work, graze_stats *stats,
                            graze_error *error)
{
    const grazei_call *call = &made->call;
    graze_status status = GRAZE_OK;
    atomic_store_explicit(&made->stopped, false, memory_order_relaxed);
    made->settled = true;
    if (call->kind->list)
        status = grazei_list_open(call->answer, call->kind->list, error);
    if (!status)
        status = call->kind->check(call, work, error);
    if (!status) {
        grazei_tell_question(&made->call, true);
        status = grazei_call_settle(call, work, &made->settled, stats, error);
    }
    if (call->heard)
        call->heard->status = status;
    if (!status && !made->settled && call->method == GRAZE_EAGER) {
        GRAZEI_ZONE("refit");
        grazei_call_refit(call, stats);
    }
    made->settled |= status != GRAZE_OK;
    return status;
}

/* By itself, so that the work's stack is free again when the units are answered. */
static __attribute__((noinline)) void prepare_units(graze_batch *batch, const grazei_unit *units,
                                                    size_t count, graze_stats *stats,
                                                    grazei_failure *failure)
{
    grazei_work work;
    graze_error error;
    for (size_t u = 0; u < count; u++)
        for (size_t i = units[u].first; i < units[u].first + units[u].count; i++)
            if (prepare(&batch->records[i], &work, stats, &error))
                grazei_note_failure(failure, i, &error);
}

/* Asks the units from the next one on, most of them at most. */
static void ask_some(graze_batch *batch, size_t most, graze_pool *pool, graze_stats *stats,
                     grazei_failure *failure)
{
    size_t left = batch->unit_count - batch->next_unit, count = left < most ? left : most;
    if (count == 0)
        return; /* an empty batch has no units to point to */
    const grazei_unit *units = batch->units + batch->next_unit;
    prepare_units(batch, units, count, stats, failure);
    grazei_answer_units(pool, batch->records, units, count, stats, failure);
    for (size_t u = 0; u < count; u++)
        for (size_t i = units[u].first; i < units[u].first + units[u].count; i++)
            grazei_tell_answer(&batch->records[i].call);
    batch->next_unit += count;
}

static void tell_rest(graze_batch *batch, graze_budget *budget)
{
    bool finished = batch->next_unit == batch->unit_count;
    size_t next = finished ? batch->count : batch->units[batch->next_unit].first;
    budget->finished = finished;
    budget->remaining = (uint32_t)(batch->count - next);
    budget->depth = 0;
    budget->nearest = finished ? INFINITY : 0;
}

static void run(graze_batch *batch, const graze_options *options, graze_stats *stats)
{
    GRAZEI_ZONE("graze_batch_run");
    graze_budget *budget = options->budget;
    graze_stats done = {0};
    size_t most = budget ? 4 * (size_t)graze_pool_threads(options->pool) : SIZE_MAX;
    batch->running = true;
    do
        ask_some(batch, most, options->pool, &done, &batch->failure);
    while (batch->next_unit < batch->unit_count && !grazei_budget_is_spent(budget, &done));
    batch->running = false;
    if (budget)
        tell_rest(batch, budget);
    grazei_add_stats(stats, &done);
}

graze_status graze_batch_run(graze_batch *batch, const graze_options *options, graze_error *error)
{
    static const graze_options plainly = {.any = false};
    const graze_options *how = options ? options : &plainly;
    graze_stats unwanted = {0};
    graze_status status = grazei_check_pointer(batch, "the batch", error);
    if (!status)
        status = GRAZEI_CHECK_RESERVED(how, "the options", error);
    if (!status && how->budget)
        status = GRAZEI_CHECK_RESERVED(how->budget, "the budget", error);
    if (!status && batch->running)
        status = grazei_fail(error, GRAZE_BAD_INPUT, "the batch is running");
    if (!status)
        status = check_taken(batch, error);
    if (status)
        return status;
    run(batch, how, how->stats ? how->stats : &unwanted);
    bool finished = batch->next_unit == batch->unit_count;
    if (!finished)
        return GRAZE_UNFINISHED;
    grazei_failure failure = batch->failure;
    batch->next_unit = 0;
    batch->failure.status = GRAZE_OK;
    if (!failure.status)
        return GRAZE_OK;
    return grazei_fail(error, failure.status, "question %zu: %s", failure.number,
                       failure.error.text);
}
