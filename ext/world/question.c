/* Asking: options, filters, threads, and caches of lean bodies.
 *
 * Questions are asked some hundred at a time. Bodies that they need are shared, if there are
 * several threads, when the first of these needs them, and give their caches back behind them.
 */
#include "world/question.h"

#include "base/status.h"
#include "math/rounding.h"
#include "parts/lists.h"
#include "query/agenda.h"

#include <string.h>

enum { AT_ONCE = 512 };

graze_options grazei_world_body_options(const grazei_world_call *call, grazei_world_thread *own)
{
    graze_options options = call->options;
    options.stats = &own->stats;
    return options;
}

bool grazei_world_is_asked(const grazei_world_call *call, uint32_t index)
{
    const grazei_thing *thing = grazei_thing_of(call->world, index);
    const graze_world_filter *filter = &call->filter;
    return thing->kind != GRAZEI_FREE &&
           (!filter->categories || filter->categories >> thing->category & 1) &&
           !(filter->except.generation && filter->except.index == index);
}

/* ---- bodies --------------------------------------------------------------------------------- */

void grazei_world_use_body(grazei_world_call *call, uint32_t index)
{
    graze_world *world = call->world;
    atomic_uint *mark = (atomic_uint *)world->use_marks.items + index;
    if (atomic_load_explicit(mark, memory_order_acquire))
        return;
    grazei_lock_take(&call->uses_lock);
    if (!atomic_load_explicit(mark, memory_order_relaxed)) {
        graze_body *body = grazei_thing_of(world, index)->body;
        GRAZE_ASSERT(body && world->question_uses.count < world->question_uses.capacity);
        ((grazei_body_use *)world->question_uses.items)[world->question_uses.count++] =
            (grazei_body_use){index, grazei_body_is_lean(body) && !grazei_body_has_cache(body)};
        if (call->several)
            grazei_body_share(body, world);
        atomic_store_explicit(mark, 1, memory_order_release);
    }
    grazei_lock_release(&call->uses_lock);
}

static void end_uses(graze_world *world)
{
    const grazei_body_use *uses = world->question_uses.items;
    for (size_t i = 0; i < world->question_uses.count; i++) {
        graze_body *body = grazei_thing_of(world, uses[i].index)->body;
        grazei_body_unshare(body, world);
        if (uses[i].lent)
            grazei_body_end_loan(body, world);
        atomic_store_explicit((atomic_uint *)world->use_marks.items + uses[i].index, 0,
                              memory_order_relaxed);
    }
    world->question_uses.count = 0;
}

static bool reserve_uses(graze_world *world)
{
    grazei_list *marks = &world->use_marks;
    size_t count = world->things.count;
    if (!grazei_list_reserve(&world->allocator, marks, count, sizeof(atomic_uint)) ||
        !grazei_list_reserve(&world->allocator, &world->question_uses, count,
                             sizeof(grazei_body_use)))
        return false;
    for (; marks->count < count; marks->count++)
        atomic_init((atomic_uint *)marks->items + marks->count, 0);
    return true;
}

/* ---- walks ---------------------------------------------------------------------------------- */

graze_status grazei_world_walk(const grazei_world_call *call, grazei_boxes_walk *walk,
                               graze_error *error)
{
    graze_status status = GRAZE_OK;
    if (call->options.method != GRAZE_BRUTE)
        return grazei_boxes_visit(call->world, walk, error);
    for (uint32_t i = 0; i < call->world->things.count && !status && !walk->done; i++)
        if (grazei_thing_of(call->world, i)->kind != GRAZEI_FREE)
            status = walk->visit(walk, i, error);
    return status;
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* A graze_item_fn. */
static void ask_one(void *user, size_t item, uint32_t thread)
{
    grazei_world_call *call = user;
    grazei_world_thread *own = (grazei_world_thread *)call->world->threads.items + thread;
    graze_error failure;
    item += call->first;
    if (call->ask(call, item, own, &failure) && item < own->failed) {
        own->failed = item;
        own->failure = failure;
    }
}

static graze_status check_filter(grazei_world_call *call, const graze_world_filter *filter,
                                 graze_error *error)
{
    grazei_thing *thing;
    call->filter = (graze_world_filter){0};
    if (!filter)
        return GRAZE_OK;
    graze_status status = GRAZEI_CHECK_RESERVED(filter, "the filter", error);
    if (!status && (filter->except.generation || filter->except.index))
        status = grazei_world_find(call->world, filter->except, &thing, error);
    call->filter = *filter;
    return status;
}

static graze_status check_options(grazei_world_call *call, const graze_options *options,
                                  graze_error *error)
{
    graze_options plain = options ? *options : (graze_options){0};
    call->options = (graze_options){.any = plain.any, .method = plain.method};
    plain.any = false;
    graze_status status = grazei_check_plain_options(&plain, error);
    return status ? status : grazei_check_rounding(error);
}

/* Boxes, and room. */
static graze_status make_ready(grazei_world_call *call, graze_pool *pool, graze_error *error)
{
    graze_world *world = call->world;
    graze_status status = grazei_world_start_threads(world, pool, error);
    if (!status && !reserve_uses(world))
        status = grazei_fail_memory(error);
    grazei_world_thread *own = world->threads.items;
    return status ? status : grazei_boxes_refresh(world, &own->stats, error);
}

graze_status grazei_world_ask_all(grazei_world_call *call, const graze_world_filter *filter,
                                  const graze_options *options, graze_error *error)
{
    graze_world *world = call->world;
    graze_pool *pool = options && call->count > 1 ? options->pool : NULL;
    graze_status status = check_filter(call, filter, error);
    if (!status)
        status = check_options(call, options, error);
    if (!status)
        status = make_ready(call, pool, error);
    call->several = graze_pool_threads(pool) > 1;
    for (call->first = 0; call->first < call->count && !status; call->first += AT_ONCE) {
        size_t left = call->count - call->first;
        graze_pool_for_each(pool, left < AT_ONCE ? left : AT_ONCE, ask_one, call, NULL);
        end_uses(world);
        status = grazei_world_first_failure(world, error);
    }
    for (size_t i = 0; i < call->count && status; i++)
        call->clear(call, i);
    const grazei_world_thread *threads = world->threads.items;
    for (size_t t = 0; options && options->stats && !status && t < world->threads.count; t++)
        grazei_add_stats(options->stats, &threads[t].stats);
    return status;
}
