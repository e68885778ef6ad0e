/* Caches that are lent to lean bodies, of one model.
 *
 * The one given back last is lent first: it is the likeliest to be in the processor's own memory
 * still. Nothing in it is cleared; its next borrower goes on with its stamps, so that every mark in
 * it is old.
 */
#include "body/body.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"

#include <string.h>

struct graze_cache_pool {
    const graze_model *model;
    atomic_uint holders; /* the caller and every lean body */
    uint32_t most;
    grazei_lock lock;       /* of what follows */
    grazei_lent *free_ones; /* the last one first */
    uint32_t made, lent;
    grazei_spare *spares; /* as many as ever were in use at a time, and at least one */
};

/* ---- caches -------------------------------------------------------------------------------- */

static void release_lent(const graze_allocator *allocator, grazei_lent *lent)
{
    grazei_cache_release(allocator, &lent->cache);
    grazei_release(allocator, lent);
}

/* NULL when out of memory. */
static grazei_lent *make_lent(const graze_model *model)
{
    grazei_lent *made = GRAZEI_ALLOCATE_ZERO(&model->allocator, 1, grazei_lent);
    if (!made)
        return NULL;
    if (grazei_cache_allocate(model, &made->cache))
        return made;
    release_lent(&model->allocator, made);
    return NULL;
}

static void put(graze_cache_pool *pool, grazei_lent *lent)
{
    grazei_lock_take(&pool->lock);
    lent->next = pool->free_ones;
    pool->free_ones = lent;
    pool->lent--;
    grazei_lock_release(&pool->lock);
}

/* One that is free, or else leave to make one: then *make is true. */
static grazei_lent *take(graze_cache_pool *pool, bool *make)
{
    grazei_lock_take(&pool->lock);
    grazei_lent *lent = pool->free_ones;
    *make = !lent && pool->made < pool->most;
    if (lent)
        pool->free_ones = lent->next;
    pool->made += *make;
    GRAZE_ASSERT(pool->made <= pool->most);
    pool->lent += lent || *make;
    grazei_lock_release(&pool->lock);
    return lent;
}

static grazei_lent *take_or_make(graze_cache_pool *pool, graze_error *error)
{
    bool make;
    grazei_lent *lent = take(pool, &make);
    if (lent)
        return lent;
    if (!make) {
        grazei_fail(error, GRAZE_OUT_OF_MEMORY,
                    "all %u caches of the pool are lent to other lean bodies", pool->most);
        return NULL;
    }
    lent = make_lent(pool->model);
    if (lent)
        return lent;
    grazei_lock_take(&pool->lock);
    pool->made--;
    pool->lent--;
    grazei_lock_release(&pool->lock);
    grazei_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory for the caches of a lean body");
    return NULL;
}

/* ---- room for poses ------------------------------------------------------------------------- */

static grazei_spare *make_spare(const graze_model *model)
{
    grazei_spare *made = GRAZEI_ALLOCATE_ZERO(&model->allocator, 1, grazei_spare);
    if (!made || grazei_joints_allocate(&model->skin, &made->joints, &model->allocator))
        return made;
    grazei_joints_release(&made->joints, &model->allocator);
    grazei_release(&model->allocator, made);
    return NULL;
}

static void put_spare(graze_cache_pool *pool, grazei_spare *spare)
{
    grazei_lock_take(&pool->lock);
    spare->next = pool->spares;
    pool->spares = spare;
    grazei_lock_release(&pool->lock);
}

grazei_spare *grazei_body_take_spare(graze_body *body)
{
    graze_cache_pool *pool = body->pool;
    grazei_lock_take(&pool->lock);
    grazei_spare *spare = pool->spares;
    if (spare)
        pool->spares = spare->next;
    grazei_lock_release(&pool->lock);
    return spare ? spare : make_spare(pool->model);
}

void grazei_body_put_spare(graze_body *body, grazei_spare *spare, bool exchange)
{
    if (exchange) {
        grazei_joints old = body->joints[0];
        body->joints[0] = spare->joints;
        spare->joints = old;
    }
    put_spare(body->pool, spare);
}

/* ---- life ----------------------------------------------------------------------------------- */

static void let_go(graze_cache_pool *pool)
{
    if (atomic_fetch_sub_explicit(&pool->holders, 1, memory_order_acq_rel) > 1)
        return;
    const graze_model *model = pool->model;
    while (pool->spares) {
        grazei_spare *next = pool->spares->next;
        grazei_joints_release(&pool->spares->joints, &model->allocator);
        grazei_release(&model->allocator, pool->spares);
        pool->spares = next;
    }
    while (pool->free_ones) {
        grazei_lent *next = pool->free_ones->next;
        release_lent(&model->allocator, pool->free_ones);
        pool->free_ones = next;
    }
    grazei_release(&model->allocator, pool);
    grazei_model_let_go(model);
}

static graze_status check_def(const graze_cache_pool_def *def, graze_error *error)
{
    if (def->max_caches && def->ready > def->max_caches)
        return grazei_fail(error, GRAZE_BAD_INPUT, "ready is %u, but max_caches is %u", def->ready,
                           def->max_caches);
    return GRAZEI_CHECK_RESERVED(def, "the def", error);
}

graze_status graze_cache_pool_create(const graze_model *model, const graze_cache_pool_def *def,
                                     graze_cache_pool **pool, graze_error *error)
{
    const graze_cache_pool_def usual = {0};
    def = def ? def : &usual;
    graze_status status = grazei_check_pointer(model, "the model", error);
    if (!status)
        status = grazei_check_pointer(pool, "where the pool goes", error);
    if (!status)
        status = check_def(def, error);
    if (status)
        return status;
    graze_cache_pool *made = GRAZEI_ALLOCATE_ZERO(&model->allocator, 1, graze_cache_pool);
    if (!made)
        return grazei_fail_memory(error);
    made->model = grazei_model_hold(model);
    made->most = def->max_caches ? def->max_caches : UINT32_MAX;
    atomic_init(&made->holders, 1);
    made->spares = make_spare(model);
    if (!made->spares) {
        let_go(made);
        return grazei_fail_memory(error);
    }
    for (; made->made < def->ready; made->made++) {
        grazei_lent *lent = make_lent(model);
        if (!lent) {
            let_go(made);
            return grazei_fail_memory(error);
        }
        lent->next = made->free_ones;
        made->free_ones = lent;
    }
    *pool = made;
    return GRAZE_OK;
}

void graze_cache_pool_destroy(graze_cache_pool *pool)
{
    if (pool)
        let_go(pool);
}

graze_cache_pool_info graze_cache_pool_get_info(graze_cache_pool *pool)
{
    if (!pool)
        return (graze_cache_pool_info){0};
    grazei_lock_take(&pool->lock);
    graze_cache_pool_info info = {.made = pool->made, .lent = pool->lent};
    grazei_lock_release(&pool->lock);
    info.body_bytes = grazei_lean_bytes(pool->model);
    info.cache_bytes = sizeof(grazei_lent) + grazei_cache_bytes(pool->model);
    return info;
}

/* ---- bodies --------------------------------------------------------------------------------- */

graze_status graze_body_create_lean(graze_cache_pool *pool, graze_body **body, graze_error *error)
{
    graze_status status = grazei_check_pointer(pool, "the pool of caches", error);
    if (!status)
        status = grazei_check_pointer(body, "where the body goes", error);
    if (!status)
        status = grazei_body_make(pool->model, pool, body, error);
    if (!status)
        atomic_fetch_add_explicit(&pool->holders, 1, memory_order_relaxed);
    return status;
}

/* Takes over what was lent: marks of the body's own and spheres of earlier weights mean nothing any
 * more.
 */
static void take_over(graze_body *body, grazei_lent *lent)
{
    atomic_uint *const marks[] = {&body->positions_mark, &body->refit_mark, &body->folds_mark};
    GRAZE_ASSERT(!body->lent && !grazei_body_has_cache(body));
    GRAZE_ASSERT(lent->stamp % 2 == 0);
    body->lent = lent;
    body->cache = lent->cache;
    body->stamp = lent->stamp;
    body->coherent_epoch = lent->coherent_epoch;
    grazei_body_forget_earlier(body);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        atomic_store_explicit(marks[i], 0, memory_order_relaxed);
    grazei_body_next_stamp(body);
    if (!body->given)
        return;
    body->cache.positions = body->own_positions;
    grazei_body_keep(body, &body->positions_mark);
}

void grazei_lent_keeps_folds(graze_body *body)
{
    grazei_cache *cache = &body->lent->cache;
    GRAZE_ASSERT(!cache->fold_pairs && !cache->fold_pieces);
    cache->fold_pairs = body->cache.fold_pairs;
    cache->fold_pieces = body->cache.fold_pieces;
    cache->fold_maps = body->cache.fold_maps;
    cache->fold_sums = body->cache.fold_sums;
}

graze_status grazei_body_borrow(graze_body *body, graze_error *error)
{
    graze_status status = GRAZE_OK;
    grazei_lock_take(&body->borrowing);
    if (!atomic_load_explicit(&body->has_cache, memory_order_relaxed)) {
        grazei_lent *lent = take_or_make(body->pool, error);
        if (lent) {
            take_over(body, lent);
            atomic_store_explicit(&body->has_cache, 1, memory_order_release);
        } else {
            status = GRAZE_OUT_OF_MEMORY;
        }
    }
    grazei_lock_release(&body->borrowing);
    return status;
}

void grazei_body_give_back(graze_body *body)
{
    if (!body->lent)
        return;
    grazei_lent *lent = body->lent;
    GRAZE_ASSERT(body->pool && body->stamp % 2 == 0);
    lent->stamp = body->stamp;
    lent->coherent_epoch = body->coherent_epoch;
    body->lent = NULL;
    body->cache = (grazei_cache){0};
    body->drop_count++;
    atomic_store_explicit(&body->has_cache, 0, memory_order_relaxed);
    put(body->pool, lent);
}

void grazei_body_end_loan(graze_body *body, const void *call)
{
    if (body->users == (body->shared_by == call))
        grazei_body_give_back(body);
}

void grazei_body_leave_pool(graze_body *body)
{
    grazei_body_give_back(body);
    let_go(body->pool);
}

graze_status graze_body_borrow_caches(graze_body *body, graze_error *error)
{
    graze_status status = grazei_check_pointer(body, "the body", error);
    return status ? status : grazei_body_ready(body, error);
}

void graze_body_give_back_caches(graze_body *body)
{
    if (body && !body->users)
        grazei_body_give_back(body);
}

bool graze_body_has_caches(const graze_body *body)
{
    return body && grazei_body_has_cache(body);
}
