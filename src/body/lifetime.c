/* Making and freeing bodies: all the memory a body ever needs, but for a mask, is taken when it is
 * made. A lean one (lean.c) takes its pose alone.
 */
#include "body/mask.h"
#include "body/patches.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"

/* ---- life ----------------------------------------------------------------------------------- */

graze_status grazei_body_make(const graze_model *model, graze_cache_pool *pool, graze_body **body,
                              graze_error *error)
{
    graze_body *made = GRAZEI_ALLOCATE_ZERO(&model->allocator, 1, graze_body);
    if (!made)
        return grazei_fail_memory(error);
    made->model = grazei_model_hold(model);
    made->tree = &model->tree;
    made->stamp = 2;
    made->pool = pool;
    bool ok = grazei_pose_allocate(made) && (pool || grazei_cache_allocate(model, &made->cache));
    const graze_pose rest = {0};
    graze_status status = ok ? graze_body_set_pose(made, &rest, error) : grazei_fail_memory(error);
    if (!status) {
        *body = made;
        return GRAZE_OK;
    }
    made->pool = NULL; /* it does not hold the pool yet */
    graze_body_destroy(made);
    return status;
}

graze_status graze_body_create(const graze_model *model, graze_body **body, graze_error *error)
{
    graze_status status = grazei_check_pointer(model, "the model", error);
    if (!status)
        status = grazei_check_pointer(body, "where the body goes", error);
    return status ? status : grazei_body_make(model, NULL, body, error);
}

void graze_body_destroy(graze_body *body)
{
    if (!body)
        return;
    const graze_model *model = body->model;
    const graze_allocator *allocator = &model->allocator;
    grazei_tell_change(body, (grazei_change){.kind = GRAZEI_IS_FREED});
    while (body->watchers)
        grazei_body_unwatch(body->watchers);
    if (body->pool)
        grazei_body_leave_pool(body);
    else
        grazei_cache_release(allocator, &body->cache);
    grazei_pose_release(body);
    grazei_release(allocator, body->own_positions);
    grazei_mask_release(body->mask, allocator);
    grazei_release(allocator, body);
    grazei_model_let_go(model);
}

const graze_model *graze_body_model(const graze_body *body)
{
    return body ? body->model : NULL;
}

void grazei_body_watch(graze_body *body, grazei_watcher *watcher)
{
    GRAZE_ASSERT(!watcher->body);
    watcher->body = body;
    watcher->next = body->watchers;
    body->watchers = watcher;
}

void grazei_body_unwatch(grazei_watcher *watcher)
{
    if (!watcher->body)
        return;
    grazei_watcher **at = &watcher->body->watchers;
    while (*at != watcher)
        at = &(*at)->next;
    *at = watcher->next;
    watcher->body = NULL;
}

/* ---- threads -------------------------------------------------------------------------------- */

static void count_share(graze_body *body)
{
    if (!body->shared)
        grazei_body_ready_folds(body);
    body->users++;
    body->shared++;
}

static void count_unshare(graze_body *body)
{
    GRAZE_ASSERT(body->shared > 0 && body->users >= body->shared);
    body->shared--;
    body->users--;
}

void grazei_body_share(graze_body *body, const void *call)
{
    if (body->shared)
        return;
    GRAZE_ASSERT(call);
    body->shared_by = call;
    count_share(body);
}

void grazei_body_unshare(graze_body *body, const void *call)
{
    if (body->shared_by != call)
        return;
    body->shared_by = NULL;
    count_unshare(body);
}

graze_status graze_body_share(graze_body *body, graze_error *error)
{
    graze_status status = grazei_check_pointer(body, "the body", error);
    if (status)
        return status;
    if (body->users != body->shared_by_caller)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "the body is in use: a query's callback may not share it");
    count_share(body);
    body->shared_by_caller++;
    return GRAZE_OK;
}

graze_status graze_body_unshare(graze_body *body, graze_error *error)
{
    graze_status status = grazei_check_pointer(body, "the body", error);
    if (status)
        return status;
    if (!body->shared_by_caller)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the body is not shared");
    body->shared_by_caller--;
    count_unshare(body);
    return GRAZE_OK;
}
