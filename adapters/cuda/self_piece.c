/* A piece of a call: room on the device, launches, and what to do where room or grid were wrong. */
#include "self.h"

#include <string.h>

enum { MOST_COARSENED = 24, ENTRY = 8 };

/* ---- room ----------------------------------------------------------------------------------- */

graze_status grazei_self_take(graze_pose_cuda *batch, int buffer, size_t bytes, graze_error *error)
{
    self_memory *own = &batch->buffers[buffer];
    if (bytes <= own->bytes)
        return GRAZE_OK;
    if (own->at)
        batch->cuda->driver.release(own->at);
    *own = (self_memory){0, 0};
    graze_status status = CUDA_TRY(batch->cuda, error, allocate, &own->at, bytes);
    own->bytes = status ? 0 : bytes;
    return status;
}

static size_t entry_bytes(int queue)
{
    return queue == SELF_OPEN    ? 4 * SELF_OPEN_WORDS
           : queue == SELF_FOUND ? 4 * SELF_FOUND_WORDS
                                 : ENTRY;
}

/* Entries of a queue for so many poses. */
static uint64_t entries(const graze_pose_cuda *batch, int queue, size_t poses)
{
    return (uint64_t)(batch->rates[queue] * (double)poses) + 4096;
}

/* Bytes of each buffer for so many poses. */
static void plan(const self_call *call, size_t poses, size_t bytes[SELF_BUFFERS])
{
    const graze_pose_cuda *batch = call->batch;
    const self_params *p = &batch->params;
    const graze_pose_set *set = &call->asked->poses;
    const bool here = call->asked->poses_place != GRAZE_DEVICE;
    const size_t boxes = 8 * (size_t)p->patch_count * poses;
    memset(bytes, 0, SELF_BUFFERS * sizeof *bytes);
    bytes[SELF_ON_POSITIONS] = call->posed || here ? 12 * (size_t)p->vertex_count * poses : 0;
    bytes[SELF_ON_JOINTS] = here && set->joints ? 48 * (size_t)p->joint_count * poses : 0;
    bytes[SELF_ON_PLACEMENTS] = here && set->placements ? 48 * poses : 0;
    bytes[SELF_ON_WEIGHTS] = here && set->morph_weights ? 4 * (size_t)p->morph_count * poses : 0;
    bytes[SELF_ON_MAPS] = call->posed ? 48 * (size_t)p->joint_count * poses : 0;
    bytes[SELF_ON_COUNTS] = 8 * SELF_COUNTERS + 8 * poses;
    bytes[SELF_ON_BOXES] = boxes * (64 + 8 + 1);
    for (int q = 0; q < SELF_QUEUES; q++)
        if (q != SELF_FOUND || call->stored)
            bytes[SELF_ON_QUEUES + q] = (size_t)entries(batch, q, poses) * entry_bytes(q);
}

static bool fits(const self_call *call, size_t poses)
{
    size_t bytes[SELF_BUFFERS], sum = 0;
    plan(call, poses, bytes);
    for (int i = 0; i < SELF_BUFFERS; i++)
        sum += bytes[i];
    return sum <= call->batch->memory;
}

/* How many poses there is memory for, of at most so many; 0: not even for one. */
static size_t count_fitting(const self_call *call, size_t most)
{
    const self_params *p = &call->batch->params;
    const size_t numbers = (size_t)1 << (32 - p->shift); /* that a queue's entries have room for */
    const size_t blocks = (size_t)INT32_MAX / (p->patch_count + p->vertex_count / 32 + 256);
    size_t good = 0, bad = most;
    bad = bad < numbers ? bad : numbers;
    bad = (bad < blocks ? bad : blocks) + 1;
    while (bad - good > 1) {
        const size_t middle = good + (bad - good) / 2;
        if (fits(call, middle))
            good = middle;
        else
            bad = middle;
    }
    return good;
}

static graze_status take_room(self_call *call, graze_error *error)
{
    graze_pose_cuda *batch = call->batch;
    size_t bytes[SELF_BUFFERS];
    graze_status status = GRAZE_OK;
    plan(call, call->count, bytes);
    for (int i = 0; !status && i < SELF_BUFFERS; i++)
        if (bytes[i])
            status = grazei_self_take(batch, i, bytes[i], error);
    return status;
}

/* ---- a run ---------------------------------------------------------------------------------- */

static uint32_t clamp_split(uint64_t pairs, size_t poses, uint32_t least, uint32_t blocks)
{
    const uint64_t most = (pairs + 31) / 32, wanted = blocks / poses;
    const uint64_t split = wanted > least ? wanted : least;
    return most == 0 ? 1 : (uint32_t)(split < most ? split : most);
}

static uint64_t at(const graze_pose_cuda *batch, int buffer)
{
    return batch->buffers[buffer].at;
}

/* An array of poses, where the device reads it. */
static uint64_t row(const self_call *call, const float *array, size_t floats, int buffer)
{
    if (!array)
        return 0;
    if (call->asked->poses_place == GRAZE_DEVICE)
        return (uintptr_t)array + 4 * floats * call->first;
    return at(call->batch, buffer);
}

static void set_params(self_call *call)
{
    const graze_pose_cuda *batch = call->batch;
    const graze_pose_set *set = &call->asked->poses;
    self_params *p = &call->params;
    const uint64_t n = call->count;
    const uint32_t busy = batch->cuda->info.multiprocessors * 8;
    static const uint32_t least[3] = {6, 2, 1};
    p->pose_count = (uint32_t)n;
    p->joints = row(call, set->joints, 12 * (size_t)p->joint_count, SELF_ON_JOINTS);
    p->placements = row(call, set->placements, 12, SELF_ON_PLACEMENTS);
    p->weights = row(call, set->morph_weights, p->morph_count, SELF_ON_WEIGHTS);
    p->positions = call->posed
                       ? at(batch, SELF_ON_POSITIONS)
                       : row(call, set->positions, 3 * (size_t)p->vertex_count, SELF_ON_POSITIONS);
    p->maps = at(batch, SELF_ON_MAPS);
    p->boxes[0] = at(batch, SELF_ON_BOXES);
    p->boxes[1] = p->boxes[0] + 8 * 64 * n * p->patch_count;
    p->boxes[2] = p->boxes[1] + 8 * 8 * n * p->patch_count;
    p->counters = at(batch, SELF_ON_COUNTS);
    p->counts = p->counters + 8 * SELF_COUNTERS;
    p->bad = p->counts + 4 * n;
    for (int q = 0; q < SELF_QUEUES; q++) {
        const bool wanted = q != SELF_FOUND || call->stored;
        p->queues[q] = wanted ? at(batch, SELF_ON_QUEUES + q) : 0;
        p->capacities[q] = wanted ? entries(batch, q, call->count) : 0;
    }
    for (int level = 0; level < 3; level++) {
        p->splits[level] = clamp_split(p->list_counts[level], call->count, least[level],
                                       busy * 3 / 2 / (level ? 3 * (uint32_t)level : 1));
        p->queue_blocks[level] = level == 2 ? 0 : busy;
    }
}

static graze_status upload(self_call *call, const float *array, size_t floats, int buffer,
                           graze_error *error)
{
    if (!array || call->asked->poses_place == GRAZE_DEVICE)
        return GRAZE_OK;
    return CUDA_TRY(call->batch->cuda, error, upload, at(call->batch, buffer),
                    array + floats * call->first, 4 * floats * call->count, call->asked->stream);
}

static graze_status upload_poses(self_call *call, graze_error *error)
{
    const graze_pose_set *set = &call->asked->poses;
    const self_params *p = &call->params;
    graze_status status =
        upload(call, set->joints, 12 * (size_t)p->joint_count, SELF_ON_JOINTS, error);
    if (!status)
        status = upload(call, set->placements, 12, SELF_ON_PLACEMENTS, error);
    if (!status)
        status = upload(call, set->morph_weights, p->morph_count, SELF_ON_WEIGHTS, error);
    return status ? status
                  : upload(call, set->positions, 3 * (size_t)p->vertex_count, SELF_ON_POSITIONS,
                           error);
}

/* Which part of a level's work a launch does. */
typedef enum self_part { ALL, QUEUE_ALONE, LIST_ALONE } self_part;

static graze_status launch(self_call *call, self_kernel kernel, self_part part, uint64_t blocks,
                           unsigned shared, graze_error *error)
{
    graze_cuda *cuda = call->batch->cuda;
    self_params params = call->params;
    void *parameters[] = {&params};
    if (part == QUEUE_ALONE)
        params.splits[0] = 0;
    if (part == LIST_ALONE)
        params.queue_blocks[0] = 0;
    if (!blocks)
        return GRAZE_OK;
    return CUDA_TRY(cuda, error, launch, cuda->self_kernels[kernel], (unsigned)blocks, 1, 1,
                    SELF_THREADS, 1, 1, shared, call->asked->stream, parameters, NULL);
}

static uint64_t blocks_of(uint64_t threads)
{
    return (threads + SELF_THREADS - 1) / SELF_THREADS;
}

static graze_status launch_all(self_call *call, graze_error *error)
{
    const self_params *p = &call->params;
    const uint64_t n = call->count, listed = n * p->splits[0], queued = p->queue_blocks[0];
    const uint32_t busy = call->batch->cuda->info.multiprocessors;
    const unsigned vertices = SELF_WARPS * SELF_PATCH_VERTICES * 16;
    const unsigned kept = SELF_WARPS * SELF_QUEUE * 16;
    /* Where one pair is enough, triangles that are far from each other on the surface come first:
     * they are few, and poses that they answer need no others.
     */
    const struct {
        self_kernel kernel;
        uint64_t blocks;
        unsigned shared;
        self_part part;
        bool skipped;
    } launches[] = {{SELF_PLACE_JOINTS, blocks_of(n * p->joint_count), 0, ALL, !call->posed},
                    {SELF_POSE_VERTICES, blocks_of(n * p->vertex_count), 0, ALL, !call->posed},
                    {SELF_CHECK_LOOSE, blocks_of(n * p->loose_count), 0, ALL, false},
                    {SELF_GRID_BOXES, n * (p->patch_count / SELF_WARPS), vertices, ALL, false},
                    {SELF_MEET_PATCHES, n * p->splits[2], kept, ALL, false},
                    {SELF_MEET_CLUSTERS, n * p->splits[1] + p->queue_blocks[1], kept, ALL, false},
                    {SELF_MEET_TRIANGLES, queued, kept, QUEUE_ALONE, !call->any},
                    {SELF_PART_BY_PLANES, 8 * busy, kept / 2, ALL, !call->any},
                    {SELF_DECIDE_FLOAT, 4 * busy, 0, ALL, !call->any},
                    {SELF_MEET_TRIANGLES, listed, kept, LIST_ALONE, !call->any},
                    {SELF_MEET_TRIANGLES, listed + queued, kept, ALL, call->any},
                    {SELF_PART_BY_PLANES, 8 * busy, kept / 2, ALL, false},
                    {SELF_DECIDE_FLOAT, 4 * busy, 0, ALL, false},
                    {SELF_DECIDE_DOUBLE, n < busy ? n : busy, 0, ALL, false}};
    graze_status status = GRAZE_OK;
    for (size_t i = 0; !status && i < sizeof launches / sizeof *launches; i++)
        if (!launches[i].skipped)
            status = launch(call, launches[i].kernel, launches[i].part, launches[i].blocks,
                            launches[i].shared, error);
    return status;
}

/* Does the piece once, and waits for its counters. */
static graze_status run_once(self_call *call, graze_error *error)
{
    graze_pose_cuda *batch = call->batch;
    graze_cuda *cuda = batch->cuda;
    cuda_stream stream = call->asked->stream;
    const size_t bytes = 8 * SELF_COUNTERS + 8 * call->count;
    float ms = 0;
    if (!grazei_self_reserve(batch, &batch->words, bytes))
        return grazei_cuda_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    set_params(call);
    graze_status status = upload_poses(call, error);
    if (!status)
        status = CUDA_TRY(cuda, error, event_record, batch->begun, stream);
    if (!status)
        status = CUDA_TRY(cuda, error, fill, call->params.counters, 0, bytes, stream);
    if (!status)
        status = launch_all(call, error);
    if (!status)
        status = CUDA_TRY(cuda, error, event_record, batch->done, stream);
    if (!status)
        status =
            CUDA_TRY(cuda, error, download, batch->words.at, call->params.counters, bytes, stream);
    if (!status)
        status = CUDA_TRY(cuda, error, stream_wait, stream);
    if (status) /* what is still under way reads and writes memory of the host */
        cuda->driver.stream_wait(stream);
    if (!status)
        status = CUDA_TRY(cuda, error, event_elapsed, &ms, batch->begun, batch->done);
    call->asked->did.kernels += ms;
    return status;
}

/* ---- runs that were not enough --------------------------------------------------------------- */

/* A coarser grid where more than one box of so many is too large for it. */
static bool coarsen(self_call *call, uint64_t one_of)
{
    const uint64_t *wide = grazei_self_counters(call->batch) + SELF_WIDE;
    const uint64_t patches = (uint64_t)call->params.patch_count * call->count;
    const bool large[3] = {wide[0] > 8 * patches / one_of, wide[1] > 8 * patches / one_of,
                           wide[2] > patches / one_of};
    if (call->coarsened >= MOST_COARSENED || !(large[0] || large[1] || large[2]))
        return false;
    call->coarsened++;
    if (large[0])
        call->params.scale /= 2;
    for (int level = 1; !large[0] && level < 3; level++)
        if (large[level] && call->params.coarser[level] < 13)
            call->params.coarser[level]++;
    return true;
}

/* Whether a list had too little room; the rates are what it needs. */
static bool ran_over(self_call *call)
{
    const uint64_t *counters = grazei_self_counters(call->batch);
    bool over = false;
    for (int q = 0; q < SELF_QUEUES; q++)
        if (call->params.queues[q] && counters[q] > call->params.capacities[q]) {
            call->batch->rates[q] = 1.25 * (double)counters[q] / (double)call->count;
            over = true;
        }
    return over;
}

static bool any_over(const self_call *call)
{
    const uint64_t *counters = grazei_self_counters(call->batch);
    for (int q = 0; q < SELF_QUEUES; q++)
        if (call->params.queues[q] && counters[q] > call->params.capacities[q])
            return true;
    return false;
}

static graze_status fetch(self_call *call, int queue, self_room *room, graze_error *error)
{
    graze_pose_cuda *batch = call->batch;
    const size_t bytes = (size_t)grazei_self_counters(batch)[queue] * entry_bytes(queue);
    if (!bytes || !call->params.queues[queue])
        return GRAZE_OK;
    if (!grazei_self_reserve(batch, room, bytes))
        return grazei_cuda_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    return CUDA_TRY(batch->cuda, error, download_now, room->at, call->params.queues[queue], bytes);
}

/* The pose that is alone too much for the device. */
static graze_status leave_to_host(self_call *call, graze_error *error)
{
    call->count = 1;
    call->asked->did.on_host++;
    return grazei_self_on_host(call, call->params.positions, error);
}

graze_status grazei_self_piece(self_call *call, graze_error *error)
{
    graze_pose_cuda *batch = call->batch;
    const double rates[SELF_QUEUES] = {batch->rates[0], batch->rates[1], batch->rates[2],
                                       batch->rates[3], batch->rates[4], batch->rates[5],
                                       batch->rates[6]};
    graze_status status;
    size_t most = call->count, planned = 0;
    for (bool again = true; again;) {
        const size_t fitting = count_fitting(call, most);
        if (!fitting && most == 1 && planned) {
            memcpy(batch->rates, rates, sizeof rates);
            return leave_to_host(call, error);
        }
        if (!fitting && !planned)
            return grazei_cuda_fail(error, GRAZE_OUT_OF_MEMORY,
                                    "one pose does not fit into %zu bytes of the device",
                                    batch->memory);
        call->count = most = fitting ? fitting : 1;
        planned = planned ? planned : fitting;
        if (!fitting)
            continue;
        status = take_room(call, error);
        if (!status)
            status = run_once(call, error);
        if (status)
            return status;
        again = (any_over(call) && coarsen(call, 64)) || ran_over(call);
        call->asked->did.repeats += again;
    }
    if (call->count < planned) /* some pose needed far more than others */
        memcpy(batch->rates, rates, sizeof rates);
    coarsen(call, 8);
    status = fetch(call, SELF_OPEN, &batch->open, error);
    if (!status)
        status = fetch(call, SELF_FOUND, &batch->found, error);
    return status ? status : grazei_self_write(call, error);
}
