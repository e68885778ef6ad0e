/* Making a batch on a device, and its calls piece by piece. */
#include "self.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PARTS = 16384 };

static graze_status make_events(graze_pose_cuda *batch, graze_error *error)
{
    graze_status status = CUDA_TRY(batch->cuda, error, event_create, &batch->begun, 0);
    return status ? status : CUDA_TRY(batch->cuda, error, event_create, &batch->done, 0);
}

/* With the device's context current. */
static graze_status fill_there(graze_pose_cuda *batch, size_t memory, graze_error *error)
{
    size_t free_bytes = 0, all = 0;
    graze_status status = grazei_cuda_load_self(batch->cuda, error);
    if (!status)
        status = grazei_self_tables(batch, error);
    if (!status)
        status = make_events(batch, error);
    if (!status)
        status = CUDA_TRY(batch->cuda, error, memory_info, &free_bytes, &all);
    batch->memory = memory ? memory : free_bytes / 4 * 3;
    return status;
}

static graze_status fill(graze_pose_cuda *batch, const graze_pose_cuda_def *def, graze_error *error)
{
    const double triangles = graze_model_get_info(def->model).triangle_count;
    const double rates[SELF_QUEUES] = {triangles / 8, triangles / 2,  triangles,
                                       triangles / 8, triangles / 64, triangles / 256,
                                       triangles / 32};
    memcpy(batch->rates, rates, sizeof rates);
    graze_status status = graze_body_create(def->model, &batch->body, error);
    if (!status)
        status = graze_pose_tables_create(def->model, &batch->tables, error);
    if (!status)
        status = grazei_cuda_enter(batch->cuda, error);
    if (status)
        return status;
    status = fill_there(batch, def->memory, error);
    grazei_cuda_leave(batch->cuda);
    return status;
}

graze_status graze_pose_cuda_create(graze_cuda *cuda, const graze_pose_cuda_def *def,
                                    graze_pose_cuda **batch, graze_error *error)
{
    if (!cuda || !def || !def->model || !batch)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT, "%s is NULL",
                                !cuda         ? "the device"
                                : !def        ? "the def"
                                : !def->model ? "the model"
                                              : "where the batch goes");
    for (int i = 0; i < 4; i++)
        if (def->reserved[i])
            return grazei_cuda_fail(error, GRAZE_BAD_INPUT,
                                    "reserved words of the def are not zero");
    graze_pose_cuda *made = cuda->allocator.allocate(cuda->allocator.user, sizeof *made, 16);
    if (!made)
        return grazei_cuda_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    memset(made, 0, sizeof *made);
    made->cuda = cuda;
    made->allocator = cuda->allocator;
    made->model = def->model;
    graze_status status = fill(made, def, error);
    if (status)
        graze_pose_cuda_destroy(made);
    else
        *batch = made;
    return status;
}

void graze_pose_cuda_destroy(graze_pose_cuda *batch)
{
    if (!batch)
        return;
    graze_cuda *cuda = batch->cuda;
    const bool entered = !grazei_cuda_enter(cuda, NULL);
    for (int i = 0; i < SELF_BUFFERS; i++)
        if (batch->buffers[i].at)
            cuda->driver.release(batch->buffers[i].at);
    if (batch->block)
        cuda->driver.release(batch->block);
    if (batch->begun)
        cuda->driver.event_destroy(batch->begun);
    if (batch->done)
        cuda->driver.event_destroy(batch->done);
    if (entered)
        grazei_cuda_leave(cuda);
    void *const rooms[] = {batch->words.at, batch->open.at,  batch->settled.at,
                           batch->found.at, batch->pairs.at, batch->places.at};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
        if (rooms[i])
            batch->allocator.release(batch->allocator.user, rooms[i]);
    graze_pose_tables_destroy(batch->model, batch->tables);
    graze_body_destroy(batch->body);
    batch->allocator.release(batch->allocator.user, batch);
}

bool grazei_self_reserve(graze_pose_cuda *batch, self_room *room, size_t bytes)
{
    if (bytes <= room->bytes)
        return true;
    if (room->at)
        batch->allocator.release(batch->allocator.user, room->at);
    *room = (self_room){batch->allocator.allocate(batch->allocator.user, bytes, 64), bytes};
    room->bytes = room->at ? bytes : 0;
    return room->at != NULL;
}

/* ---- which parts count ---------------------------------------------------------------------- */

static bool has(const uint32_t *bits, uint32_t part)
{
    return bits[part / 32] >> (part % 32) & 1;
}

static bool counts(const graze_part_filter *filter, uint32_t words, uint32_t p, uint32_t q)
{
    if (!filter)
        return true;
    if (filter->rows)
        return has(filter->rows + (size_t)p * words, q) || has(filter->rows + (size_t)q * words, p);
    for (uint32_t i = 0; i < filter->pair_count; i++)
        if ((has(filter->pairs[i].a, p) && has(filter->pairs[i].b, q)) ||
            (has(filter->pairs[i].b, p) && has(filter->pairs[i].a, q)))
            return true;
    return false;
}

/* Filter and mask as one table of bits. */
static graze_status take_filter(self_call *call, graze_error *error)
{
    graze_pose_cuda *batch = call->batch;
    const uint32_t parts = batch->tables->part_count, words = (parts + 31) / 32;
    const uint32_t *mask = call->asked->part_mask;
    const size_t bytes = 4 * (size_t)parts * words;
    call->params.part_rows = 0;
    if (!call->asked->filter && !mask)
        return GRAZE_OK;
    if (parts > MOST_PARTS)
        return grazei_cuda_fail(error, GRAZE_UNSUPPORTED,
                                "a filter or mask of %u parts: on a device at most %d are possible",
                                parts, MOST_PARTS);
    if (!grazei_self_reserve(batch, &batch->places, bytes))
        return grazei_cuda_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    uint32_t *rows = batch->places.at;
    memset(rows, 0, bytes);
    for (uint32_t p = 0; p < parts; p++)
        for (uint32_t q = 0; q < parts; q++)
            if ((!mask || (has(mask, p) && has(mask, q))) &&
                counts(call->asked->filter, words, p, q))
                rows[(size_t)p * words + q / 32] |= 1u << (q % 32);
    graze_status status = grazei_self_take(batch, SELF_ON_ROWS, bytes, error);
    call->params.part_rows = batch->buffers[SELF_ON_ROWS].at;
    call->params.part_words = words;
    return status ? status
                  : CUDA_TRY(batch->cuda, error, upload_now, call->params.part_rows, rows, bytes);
}

/* ---- calls ---------------------------------------------------------------------------------- */

static graze_status check_call(const graze_pose_cuda *batch, const graze_pose_cuda_call *call,
                               graze_error *error)
{
    if (!batch || !call)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT, "the %s is NULL", batch ? "call" : "batch");
    if (call->reserved[0] || call->reserved[1])
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT, "reserved words of the call are not zero");
    if ((unsigned)call->poses_place > GRAZE_PINNED)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT, "memory place %d is unknown",
                                (int)call->poses_place);
    graze_status status =
        graze_pose_check(batch->body, &call->poses, call->filter, &call->results, error);
    if (!status && !call->poses.positions && !batch->tables->positions)
        status = grazei_cuda_fail(error, GRAZE_UNSUPPORTED,
                                  "the device skins linearly alone: pose this model on the CPU and "
                                  "hand over positions");
    return status;
}

static graze_status run_pieces(self_call *call, graze_error *error)
{
    graze_pose_results *results = &call->asked->results;
    const size_t all = call->asked->poses.count;
    graze_status status = take_filter(call, error);
    while (!status && results->done < all) {
        call->first = results->done;
        call->count = all - results->done;
        status = grazei_self_piece(call, error);
        if (status)
            break;
        results->done += call->count;
        call->asked->did.pieces++;
        if (results->progress && !results->progress(results->user, results->done, all))
            break;
    }
    for (size_t n = results->done; !status && n < all; n++)
        graze_pose_write(call->batch->tables, call->batch->model, results, n, GRAZE_POSE_LEFT_OUT,
                         NULL, 0);
    return !status && results->done < all ? GRAZE_UNFINISHED : status;
}

graze_status graze_pose_cuda_self(graze_pose_cuda *batch, graze_pose_cuda_call *asked,
                                  graze_error *error)
{
    graze_status status = check_call(batch, asked, error);
    if (status)
        return status;
    graze_pose_results *results = &asked->results;
    asked->did = (graze_pose_cuda_did){0};
    results->done = results->bad = results->first_bad = 0;
    results->total = results->not_stored = 0;
    results->why = (graze_error){GRAZE_OK, ""};
    self_call call = {.batch = batch,
                      .asked = asked,
                      .params = batch->params,
                      .posed = !asked->poses.positions,
                      .stored = results->pairs || results->matrix,
                      .any = !results->pairs && !results->matrix && !results->counts};
    call.params.any = call.any;
    call.params.only_new = asked->only_new;
    status = grazei_cuda_enter(batch->cuda, error);
    if (status)
        return status;
    status = run_pieces(&call, error);
    grazei_cuda_leave(batch->cuda);
    return status;
}
