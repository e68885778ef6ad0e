#include "model/later.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/trace.h"
#include "folds/build.h"
#include "records/build.h"

#include <string.h>

/* The outline takes as long to make as some hundred times what it saves a box. */
enum { BOXES_WITHOUT_OUTLINE = 16 };

const grazei_folds grazei_no_folds = {0};

/* Who has the lock makes what is wanted; then it is there, or it failed. */
static bool try_lock(grazei_lock *lock)
{
    return !atomic_exchange_explicit(&lock->held, 1, memory_order_acquire);
}

static void settle(atomic_uint *state, bool ok)
{
    atomic_store_explicit(state, ok ? GRAZEI_IS_THERE : GRAZEI_FAILED, memory_order_release);
}

static uint32_t state_of(const atomic_uint *state)
{
    return atomic_load_explicit(state, memory_order_acquire);
}

/* ---- folds ---------------------------------------------------------------------------------- */

void grazei_model_drop_work(graze_model *model)
{
    if (!model->later.work)
        return;
    grazei_folds_end(model->later.work);
    model->later.work = NULL;
    grazei_folds_release(&model->folds, &model->allocator);
    memset(&model->folds, 0, sizeof model->folds);
}

/* Goes on with the table, or makes all of it. The lock is held. */
static void go_on_with_folds(graze_model *model, bool whole)
{
    GRAZEI_ZONE("folds");
    grazei_fold_builder **work = &model->later.work;
    if (!*work)
        *work = grazei_folds_begin(&model->folds, &model->mesh, &model->tree, model->triangles,
                                   &model->allocator);
    grazei_fold_progress done = *work ? GRAZEI_FOLDS_GO_ON : GRAZEI_FOLDS_FAILED;
    while (done == GRAZEI_FOLDS_GO_ON) {
        done = grazei_folds_go_on(*work);
        if (!whole)
            break;
    }
    if (done == GRAZEI_FOLDS_GO_ON)
        return;
    if (done == GRAZEI_FOLDS_FAILED)
        grazei_model_drop_work(model);
    grazei_folds_end(*work);
    *work = NULL;
    settle(&model->later.folds, done == GRAZEI_FOLDS_DONE);
}

const grazei_folds *grazei_model_want_folds(const graze_model *model)
{
    graze_model *held = grazei_unconst(model);
    if (state_of(&held->later.folds) == GRAZEI_LATER && try_lock(&held->later.lock)) {
        if (state_of(&held->later.folds) == GRAZEI_LATER)
            go_on_with_folds(held, false);
        grazei_lock_release(&held->later.lock);
    }
    return grazei_model_folds(model);
}

/* ---- outline and stream -----------------------------------------------------------------------
 */

static void make_outline(graze_model *model)
{
    grazei_outline *outline = &model->skin.outline;
    bool ok = grazei_outline_build(outline, &model->mesh, model->skin.records[0].error,
                                   &model->allocator);
    if (!ok) {
        grazei_outline_release(outline, &model->allocator);
        *outline = (grazei_outline){0};
    }
    settle(&model->later.outline, ok);
}

const grazei_outline *grazei_model_outline(const graze_model *model)
{
    grazei_later *later = &((graze_model *)grazei_unconst(model))->later;
    if (state_of(&later->outline) == GRAZEI_LATER &&
        atomic_fetch_add_explicit(&later->boxes, 1, memory_order_relaxed) >=
            BOXES_WITHOUT_OUTLINE &&
        try_lock(&later->lock)) {
        if (state_of(&later->outline) == GRAZEI_LATER)
            make_outline(grazei_unconst(model));
        grazei_lock_release(&later->lock);
    }
    bool there = state_of(&later->outline) == GRAZEI_IS_THERE && model->skin.outline.count;
    return there ? &model->skin.outline : NULL;
}

static void make_stream(graze_model *model)
{
    grazei_stream *stream = &model->skin.mesh_stream;
    bool ok = grazei_stream_mesh(stream, &model->mesh, &model->allocator);
    if (!ok) {
        grazei_stream_release(stream, &model->allocator);
        *stream = (grazei_stream){0};
    }
    settle(&model->later.stream, ok);
}

const grazei_stream *grazei_model_stream(const graze_model *model)
{
    grazei_later *later = &((graze_model *)grazei_unconst(model))->later;
    if (state_of(&later->stream) == GRAZEI_LATER && try_lock(&later->lock)) {
        if (state_of(&later->stream) == GRAZEI_LATER)
            make_stream(grazei_unconst(model));
        grazei_lock_release(&later->lock);
    }
    return state_of(&later->stream) == GRAZEI_IS_THERE ? &model->skin.mesh_stream : NULL;
}

/* ---- all of it ------------------------------------------------------------------------------ */

graze_status graze_model_prepare(graze_model *model, graze_error *error)
{
    GRAZEI_ZONE("graze_model_prepare");
    graze_status status = grazei_check_pointer(model, "the model", error);
    if (!status)
        status = grazei_check_rounding(error);
    if (status)
        return status;
    grazei_later *later = &model->later;
    grazei_lock_take(&later->lock);
    if (state_of(&later->outline) != GRAZEI_IS_THERE)
        make_outline(model);
    if (state_of(&later->stream) != GRAZEI_IS_THERE)
        make_stream(model);
    if (state_of(&later->folds) != GRAZEI_IS_THERE)
        go_on_with_folds(model, true);
    bool ok = state_of(&later->outline) == GRAZEI_IS_THERE &&
              state_of(&later->stream) == GRAZEI_IS_THERE &&
              state_of(&later->folds) == GRAZEI_IS_THERE;
    grazei_lock_release(&later->lock);
    return ok ? GRAZE_OK : grazei_fail_memory(error);
}
