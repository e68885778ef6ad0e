/* Batches of poses over threads. */
#include "chain/batch.h"
#include "base/memory.h"
#include "base/status.h"
#include "math/rounding.h"
#include "model/model.h"

static graze_status fill(graze_chain_batch *batch, const graze_chain_batch_def *def,
                         graze_error *error)
{
    graze_status status = grazei_chain_tables_build(&batch->tables, def->chains, def->which, error);
    if (status)
        return status;
    batch->kernels = GRAZEI_PICK(batch->model->isa, chain_kernels);
    const size_t size = grazei_chain_work_size(&batch->tables) * batch->kernels->lanes;
    batch->work_size = (size + 15) / 16 * 16;
    batch->work = GRAZEI_ALLOCATE(&batch->model->allocator,
                                  batch->work_size * graze_pool_threads(def->pool), float);
    return batch->work ? GRAZE_OK : grazei_fail_memory(error);
}

graze_status graze_chain_batch_create(const graze_chain_batch_def *def, graze_chain_batch **batch,
                                      graze_error *error)
{
    graze_status status = grazei_check_pointer(def, "the def", error);
    if (!status)
        status = grazei_check_pointer(def->chains, "chains", error);
    if (!status)
        status = grazei_check_pointer(batch, "where the batch goes", error);
    if (!status)
        status = GRAZEI_CHECK_RESERVED(def, "the def", error);
    if (!status && def->which != GRAZE_CHAIN_PAIRS && def->which != GRAZE_ALL_PAIRS)
        status = grazei_fail(error, GRAZE_BAD_INPUT, "pairs %d are unknown", (int)def->which);
    if (!status)
        status = grazei_check_rounding(error);
    if (status)
        return status;
    const graze_model *model = graze_chains_get_info(def->chains).model;
    graze_chain_batch *made = GRAZEI_ALLOCATE_ZERO(&model->allocator, 1, graze_chain_batch);
    if (!made)
        return grazei_fail_memory(error);
    made->model = grazei_model_hold(model);
    made->pool = def->pool;
    status = fill(made, def, error);
    if (status)
        graze_chain_batch_destroy(made);
    else
        *batch = made;
    return status;
}

void graze_chain_batch_destroy(graze_chain_batch *batch)
{
    if (!batch)
        return;
    const graze_model *model = batch->model;
    const graze_allocator allocator = model->allocator;
    grazei_chain_tables_release(&batch->tables, &allocator);
    grazei_release(&allocator, batch->work);
    grazei_release(&allocator, batch);
    grazei_model_let_go(model);
}

const graze_chain_tables *graze_chain_batch_tables(const graze_chain_batch *batch)
{
    return batch ? &batch->tables : NULL;
}

/* A call under way. */
typedef struct running {
    graze_chain_batch *batch;
    const float *joints;
    size_t pose_count;
    const graze_chain_results *results;
} running;

/* Item i is the i-th group of poses, as many as there are lanes. */
static void run_group(void *user, size_t item, uint32_t thread)
{
    const running *call = user;
    const graze_chain_batch *batch = call->batch;
    const graze_chain_tables *tables = &batch->tables;
    const size_t first = item * batch->kernels->lanes, left = call->pose_count - first;
    const uint32_t count = left < batch->kernels->lanes ? (uint32_t)left : batch->kernels->lanes;
    graze_chain_results to = *call->results;
    if (to.flags)
        to.flags += first;
    if (to.counts)
        to.counts += first;
    if (to.pairs)
        to.pairs += first * to.pair_capacity;
    if (to.spheres)
        to.spheres += first * 4 * tables->sphere_count;
    batch->kernels->run(tables, call->joints + first * 12 * tables->joint_count, count,
                        batch->work + thread * batch->work_size, &to);
}

graze_status graze_chain_batch_run(graze_chain_batch *batch, const float *joints, size_t pose_count,
                                   const graze_chain_results *results, graze_error *error)
{
    graze_status status = grazei_check_pointer(batch, "the batch", error);
    if (!status && pose_count)
        status = grazei_check_pointer(joints, "joints", error);
    if (!status)
        status = grazei_check_pointer(results, "where the results go", error);
    if (!status && results->pairs && !results->pair_capacity)
        status = grazei_fail(error, GRAZE_BAD_INPUT, "there is room for no pairs");
    if (!status)
        status = grazei_check_rounding(error);
    if (status || !pose_count)
        return status;
    running call = {batch, joints, pose_count, results};
    const size_t lanes = batch->kernels->lanes;
    return graze_pool_for_each(batch->pool, (pose_count - 1) / lanes + 1, run_group, &call, error);
}
