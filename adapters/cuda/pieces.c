/* Calls through host memory: in pieces, on two streams, so that one piece is uploaded while the
 * device works on the other.
 */
#include "device.h"

#include <string.h>

enum { COPY_BYTES = 256 << 10 }; /* of host memory that a thread copies at once */

graze_status grazei_cuda_slots_make(graze_chain_cuda *chains, graze_error *error)
{
    graze_cuda *cuda = chains->cuda;
    graze_status status = GRAZE_OK;
    if (chains->ready)
        return GRAZE_OK;
    if (!chains->order)
        status = CUDA_TRY(cuda, error, event_create, &chains->order, 0);
    for (int i = 0; !status && i < CUDA_SLOTS; i++) {
        cuda_slot *slot = &chains->slots[i];
        cuda_event *const events[] = {&slot->begun, &slot->uploaded, &slot->computed, &slot->done};
        if (!slot->stream)
            status = CUDA_TRY(cuda, error, stream_create, &slot->stream, CUDA_STREAM_APART);
        for (int e = 0; !status && e < 4; e++)
            if (!*events[e])
                status = CUDA_TRY(cuda, error, event_create, events[e], 0);
    }
    chains->ready = !status;
    return status;
}

static void release_joints(graze_cuda *cuda, cuda_slot *slot)
{
    if (slot->joints)
        cuda->driver.release(slot->joints);
    if (slot->pinned_joints)
        cuda->driver.release_pinned(slot->pinned_joints);
    slot->joints = 0;
    slot->pinned_joints = NULL;
    slot->joints_size = 0;
}

static void release_results(graze_cuda *cuda, cuda_slot *slot)
{
    if (slot->results)
        cuda->driver.release(slot->results);
    if (slot->pinned_results)
        cuda->driver.release_pinned(slot->pinned_results);
    slot->results = 0;
    slot->pinned_results = NULL;
    slot->results_size = 0;
}

void grazei_cuda_slots_release(graze_chain_cuda *chains)
{
    graze_cuda *cuda = chains->cuda;
    for (int i = 0; i < CUDA_SLOTS; i++) {
        cuda_slot *slot = &chains->slots[i];
        const cuda_event events[] = {slot->begun, slot->uploaded, slot->computed, slot->done};
        release_joints(cuda, slot);
        release_results(cuda, slot);
        for (int e = 0; e < 4; e++)
            if (events[e])
                cuda->driver.event_destroy(events[e]);
        if (slot->stream)
            cuda->driver.stream_destroy(slot->stream);
    }
    if (chains->order)
        cuda->driver.event_destroy(chains->order);
}

/* Memory of a slot, there and here, for so many bytes of either. */
static graze_status make_room(graze_cuda *cuda, cuda_slot *slot, size_t joints, size_t results,
                              graze_error *error)
{
    graze_status status = GRAZE_OK;
    if (joints > slot->joints_size) {
        release_joints(cuda, slot);
        status = CUDA_TRY(cuda, error, allocate, &slot->joints, joints);
        if (!status)
            status = CUDA_TRY(cuda, error, allocate_pinned, &slot->pinned_joints, joints);
        slot->joints_size = status ? 0 : joints;
    }
    if (!status && results > slot->results_size) {
        release_results(cuda, slot);
        status = CUDA_TRY(cuda, error, allocate, &slot->results, results);
        if (!status)
            status = CUDA_TRY(cuda, error, allocate_pinned, &slot->pinned_results, results);
        slot->results_size = status ? 0 : results;
    }
    return status;
}

/* A call under way. */
typedef struct passage {
    graze_chain_cuda *chains;
    const graze_chain_cuda_call *call;
    size_t pose_bytes;   /* of joints */
    size_t piece;        /* poses */
    size_t result_bytes; /* of a pose, all results that are wanted */
    size_t sphere_bytes, pair_bytes;
} passage;

/* The results of a piece stand one kind behind the other, those of larger alignment first. */
static graze_chain_results results_in(const passage *pieces, uintptr_t memory, size_t count)
{
    const graze_chain_results *wanted = &pieces->call->results;
    graze_chain_results in = {.pair_capacity = wanted->pair_capacity};
    if (wanted->spheres) {
        in.spheres = (float *)memory;
        memory += pieces->sphere_bytes * count;
    }
    if (wanted->pairs) {
        in.pairs = (uint32_t *)memory;
        memory += pieces->pair_bytes * count;
    }
    if (wanted->counts || wanted->pairs) { /* pairs are copied by their counts */
        in.counts = (uint32_t *)memory;
        memory += 4 * count;
    }
    if (wanted->flags)
        in.flags = (uint8_t *)memory;
    return in;
}

static graze_chain_results results_from(const passage *pieces, size_t first)
{
    graze_chain_results at = pieces->call->results;
    if (at.flags)
        at.flags += first;
    if (at.counts)
        at.counts += first;
    if (at.pairs)
        at.pairs += first * at.pair_capacity;
    if (at.spheres)
        at.spheres += pieces->sphere_bytes / 4 * first;
    return at;
}

/* Copies the pairs that were found; what is behind the last one stays as the caller had it. */
static void copy_pairs(const graze_chain_results *to, const graze_chain_results *from,
                       const uint32_t *counts, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const size_t n = counts[k] < to->pair_capacity ? counts[k] : to->pair_capacity;
        memcpy(to->pairs + k * to->pair_capacity, from->pairs + k * to->pair_capacity, 4 * n);
    }
}

/* Waits for a slot, and hands over what it found. */
static graze_status finish(const passage *pieces, cuda_slot *slot, graze_error *error)
{
    graze_cuda *cuda = pieces->chains->cuda;
    const graze_chain_cuda_call *call = pieces->call;
    if (!slot->count)
        return GRAZE_OK;
    const size_t count = slot->count;
    graze_status status = CUDA_TRY(cuda, error, event_wait, slot->done);
    if (status)
        return status;
    slot->count = 0;
    if (call->times) {
        float ms[3] = {0, 0, 0};
        status = CUDA_TRY(cuda, error, event_elapsed, &ms[0], slot->begun, slot->uploaded);
        if (!status)
            status = CUDA_TRY(cuda, error, event_elapsed, &ms[1], slot->uploaded, slot->computed);
        if (!status)
            status = CUDA_TRY(cuda, error, event_elapsed, &ms[2], slot->computed, slot->done);
        call->times->upload += ms[0];
        call->times->kernel += ms[1];
        call->times->download += ms[2];
    }
    if (status || call->results_place == GRAZE_DEVICE)
        return status;
    const graze_chain_results from = results_in(pieces, (uintptr_t)slot->pinned_results, count);
    const graze_chain_results to = results_from(pieces, slot->first);
    if (to.flags)
        memcpy(to.flags, from.flags, count);
    if (to.counts)
        memcpy(to.counts, from.counts, 4 * count);
    if (to.pairs)
        copy_pairs(&to, &from, from.counts, count);
    if (to.spheres)
        memcpy(to.spheres, from.spheres, pieces->sphere_bytes * count);
    return GRAZE_OK;
}

/* Copies host memory by the threads of a pool. */
typedef struct copying {
    unsigned char *to;
    const unsigned char *from;
    size_t bytes;
} copying;

static void copy_some(void *user, size_t item, uint32_t thread)
{
    const copying *copy = user;
    const size_t first = item * COPY_BYTES, left = copy->bytes - first;
    (void)thread;
    memcpy(copy->to + first, copy->from + first, left < COPY_BYTES ? left : COPY_BYTES);
}

static graze_status upload(const passage *pieces, cuda_slot *slot, graze_error *error)
{
    const graze_chain_cuda_call *call = pieces->call;
    const size_t bytes = pieces->pose_bytes * slot->count;
    const unsigned char *from =
        (const unsigned char *)call->joints + pieces->pose_bytes * slot->first;
    if (call->joints_place == GRAZE_HOST) {
        copying copy = {slot->pinned_joints, from, bytes};
        graze_status status =
            graze_pool_for_each(call->pool, (bytes - 1) / COPY_BYTES + 1, copy_some, &copy, error);
        if (status)
            return status;
        from = slot->pinned_joints;
    }
    return CUDA_TRY(pieces->chains->cuda, error, upload, slot->joints, from, bytes, slot->stream);
}

static graze_status start(const passage *pieces, cuda_slot *slot, graze_error *error)
{
    graze_cuda *cuda = pieces->chains->cuda;
    const graze_chain_cuda_call *call = pieces->call;
    const bool results_here = call->results_place != GRAZE_DEVICE;
    cuda_launch launch = {(uintptr_t)call->joints + pieces->pose_bytes * slot->first,
                          results_from(pieces, slot->first),
                          slot->count,
                          call->kernel,
                          call->threads,
                          slot->stream};
    graze_status status = CUDA_TRY(cuda, error, event_record, slot->begun, slot->stream);
    if (!status && call->joints_place != GRAZE_DEVICE) {
        launch.joints = slot->joints;
        status = upload(pieces, slot, error);
    }
    if (results_here)
        launch.results = results_in(pieces, (uintptr_t)slot->results, slot->count);
    if (!status)
        status = CUDA_TRY(cuda, error, event_record, slot->uploaded, slot->stream);
    if (!status)
        status = grazei_cuda_launch(pieces->chains, &launch, error);
    if (!status)
        status = CUDA_TRY(cuda, error, event_record, slot->computed, slot->stream);
    if (!status && results_here && pieces->result_bytes)
        status = CUDA_TRY(cuda, error, download, slot->pinned_results, slot->results,
                          pieces->result_bytes * slot->count, slot->stream);
    if (!status)
        status = CUDA_TRY(cuda, error, event_record, slot->done, slot->stream);
    return status;
}

static graze_status prepare(passage *pieces, graze_error *error)
{
    graze_chain_cuda *chains = pieces->chains;
    const graze_chain_cuda_call *call = pieces->call;
    const graze_chain_results *wanted = &call->results;
    pieces->pose_bytes = 48 * (size_t)chains->params.joint_count;
    pieces->sphere_bytes = 16 * (size_t)chains->params.sphere_count;
    pieces->pair_bytes = 4 * (size_t)wanted->pair_capacity;
    pieces->result_bytes = (wanted->spheres ? pieces->sphere_bytes : 0) +
                           (wanted->pairs ? pieces->pair_bytes : 0) +
                           (wanted->counts || wanted->pairs ? 4 : 0) + (wanted->flags ? 1 : 0);
    const size_t largest =
        pieces->pose_bytes > pieces->result_bytes ? pieces->pose_bytes : pieces->result_bytes;
    pieces->piece = chains->piece_bytes / largest / CUDA_POSES * CUDA_POSES;
    if (!pieces->piece)
        pieces->piece = CUDA_POSES;
    if (pieces->piece > call->pose_count)
        pieces->piece = call->pose_count;
    graze_status status = CUDA_TRY(chains->cuda, error, event_record, chains->order, call->stream);
    for (int i = 0; !status && i < CUDA_SLOTS; i++) {
        cuda_slot *slot = &chains->slots[i];
        slot->count = 0;
        status = make_room(
            chains->cuda, slot,
            call->joints_place == GRAZE_DEVICE ? 0 : pieces->pose_bytes * pieces->piece,
            call->results_place == GRAZE_DEVICE ? 0 : pieces->result_bytes * pieces->piece, error);
        if (!status)
            status =
                CUDA_TRY(chains->cuda, error, stream_wait_event, slot->stream, chains->order, 0);
    }
    return status;
}

graze_status grazei_cuda_run_pieces(graze_chain_cuda *chains, const graze_chain_cuda_call *call,
                                    graze_error *error)
{
    graze_chain_cuda_call wanted = *call;
    passage pieces = {.chains = chains, .call = &wanted};
    graze_status status = prepare(&pieces, error);
    uint32_t number = 0;
    for (size_t first = 0; !status && first < call->pose_count; first += pieces.piece, number++) {
        cuda_slot *slot = &chains->slots[number % CUDA_SLOTS];
        status = finish(&pieces, slot, error);
        if (status)
            break;
        const size_t left = call->pose_count - first;
        slot->first = first;
        slot->count = left < pieces.piece ? left : pieces.piece;
        status = start(&pieces, slot, error);
    }
    /* Nothing is under way when the call returns, whatever went wrong: the caller's memory is. */
    for (uint32_t i = 0; i < CUDA_SLOTS; i++) {
        cuda_slot *slot = &chains->slots[(number + i) % CUDA_SLOTS];
        if (!status)
            status = finish(&pieces, slot, error);
        if (status && slot->count)
            chains->cuda->driver.stream_wait(slot->stream);
    }
    return status;
}
