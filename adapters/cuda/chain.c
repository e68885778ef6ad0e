/* Chains on a device: making them, and calls that stay on it. */
#include "device.h"

#include <string.h>

enum {
    FEW_THREADS = 128,
    MANY_THREADS = 320,       /* fastest on an H200, by a little: docs/cuda.md */
    MANY_LARGE_THREADS = 256, /* of kernels that keep more than four vertices */
    PIECE_BYTES = 8 << 20,
    MANY_FROM = 8192 /* poses: from here on a lane a pose is faster than a block a pose */
};

size_t grazei_cuda_few_memory(const cuda_params *params)
{
    return 4 * (12 * (size_t)params->used_joint_count + 4 * (size_t)params->sphere_count +
                3 * (size_t)params->vertex_count + (params->pair_count + 31) / 32 + 2);
}

size_t grazei_cuda_many_memory(const cuda_params *params, uint32_t threads)
{
    size_t words = 12 * CUDA_PAD * (size_t)params->used_joint_count +
                   4 * CUDA_POSES * (size_t)params->sphere_count + threads + CUDA_POSES;
    if (params->pairs)
        words += CUDA_POSES * (size_t)((params->pair_count + 31) / 32);
    return 4 * words;
}

static graze_status check_fits(const graze_chain_cuda *chains, graze_error *error)
{
    const size_t needed = grazei_cuda_few_memory(&chains->params);
    const size_t most = chains->cuda->info.block_memory;
    if (needed > most)
        return grazei_cuda_fail(error, GRAZE_UNSUPPORTED,
                                "the joints, spheres and pivots of a pose take %zu bytes, of which "
                                "a block of this device has %zu",
                                needed, most);
    return GRAZE_OK;
}

graze_status graze_chain_cuda_create(graze_cuda *cuda, const graze_chain_tables *tables,
                                     graze_chain_cuda **chains, graze_error *error)
{
    if (!cuda || !tables || !chains)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT, "%s is NULL",
                                !cuda     ? "the device"
                                : !tables ? "the tables"
                                          : "where the chains go");
    graze_chain_cuda *made = cuda->allocator.allocate(cuda->allocator.user, sizeof *made, 16);
    if (!made)
        return grazei_cuda_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    memset(made, 0, sizeof *made);
    made->cuda = cuda;
    made->piece_bytes = PIECE_BYTES;
    graze_status status = grazei_cuda_enter(cuda, error);
    if (!status) {
        status = grazei_cuda_tables_upload(made, tables, error);
        if (!status)
            status = check_fits(made, error);
        grazei_cuda_leave(cuda);
    }
    if (status)
        graze_chain_cuda_destroy(made);
    else
        *chains = made;
    return status;
}

void graze_chain_cuda_destroy(graze_chain_cuda *chains)
{
    if (!chains)
        return;
    graze_cuda *cuda = chains->cuda;
    /* Without its context the driver refuses, and nothing is worse. */
    const bool entered = !grazei_cuda_enter(cuda, NULL);
    grazei_cuda_slots_release(chains);
    if (chains->tables)
        cuda->driver.release(chains->tables);
    if (entered)
        grazei_cuda_leave(cuda);
    cuda->allocator.release(cuda->allocator.user, chains);
}

/* Which kernel, and with what. */
typedef struct way {
    cuda_kernel kernel;
    uint32_t threads, blocks;
    size_t memory;
} way;

static way choose(const graze_chain_cuda *chains, const cuda_params *params,
                  const cuda_launch *launch)
{
    const cuda_kernel kernel =
        launch->kernel == GRAZE_KERNEL_LANE_PLAIN ? CUDA_MANY_ANY : chains->many;
    const uint32_t usual =
        kernel == CUDA_MANY_4 || kernel == CUDA_MANY_ANY ? MANY_THREADS : MANY_LARGE_THREADS;
    const uint32_t threads = launch->threads ? launch->threads : usual;
    const size_t memory = grazei_cuda_many_memory(params, threads);
    const bool many = launch->kernel == GRAZE_KERNEL_LANE_A_POSE ||
                      launch->kernel == GRAZE_KERNEL_LANE_PLAIN ||
                      (launch->kernel == GRAZE_KERNEL_BEST && params->pose_count >= MANY_FROM);
    if (many && memory <= chains->cuda->info.block_memory)
        return (way){kernel, threads, (uint32_t)((params->pose_count - 1) / CUDA_POSES + 1),
                     memory};
    return (way){CUDA_FEW, launch->threads ? launch->threads : FEW_THREADS,
                 (uint32_t)params->pose_count, grazei_cuda_few_memory(params)};
}

/* One launch takes no more poses than a grid has blocks. */
enum { MOST_BLOCKS = INT32_MAX };

static graze_status launch_some(graze_chain_cuda *chains, const cuda_launch *launch, size_t first,
                                size_t count, graze_error *error)
{
    const graze_chain_results *results = &launch->results;
    cuda_params params = chains->params;
    params.joints = launch->joints + 48 * (uint64_t)params.joint_count * first;
    params.flags = results->flags ? (uintptr_t)(results->flags + first) : 0;
    params.counts = results->counts ? (uintptr_t)(results->counts + first) : 0;
    params.pairs =
        results->pairs ? (uintptr_t)(results->pairs + results->pair_capacity * first) : 0;
    params.spheres = results->spheres
                         ? (uintptr_t)(results->spheres + 4 * (size_t)params.sphere_count * first)
                         : 0;
    params.pair_capacity = results->pair_capacity;
    params.pose_count = count;
    params.thread_per_sphere = launch->kernel == GRAZE_KERNEL_SPHERE_A_THREAD;
    const way choice = choose(chains, &params, launch);
    void *parameters[] = {&params};
    return CUDA_TRY(chains->cuda, error, launch, chains->cuda->kernels[choice.kernel],
                    choice.blocks, 1, 1, choice.threads, 1, 1, (unsigned)choice.memory,
                    launch->stream, parameters, NULL);
}

graze_status grazei_cuda_launch(graze_chain_cuda *chains, const cuda_launch *launch,
                                graze_error *error)
{
    graze_status status = GRAZE_OK;
    for (size_t first = 0; !status && first < launch->pose_count; first += MOST_BLOCKS) {
        const size_t left = launch->pose_count - first;
        status = launch_some(chains, launch, first, left < MOST_BLOCKS ? left : MOST_BLOCKS, error);
    }
    return status;
}

static graze_status check_results(const graze_chain_cuda_call *call, graze_error *error)
{
    const graze_chain_results *results = &call->results;
    if (results->pairs && !results->pair_capacity)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT, "there is room for no pairs");
    if (call->results_place != GRAZE_DEVICE)
        return GRAZE_OK;
    if ((uintptr_t)results->spheres % 16 || (uintptr_t)results->counts % 4 ||
        (uintptr_t)results->pairs % 4)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT,
                                "results on the device are not aligned: spheres to 16 bytes, "
                                "counts and pairs to 4");
    return GRAZE_OK;
}

static graze_status check_call(const graze_chain_cuda *chains, const graze_chain_cuda_call *call,
                               graze_error *error)
{
    if (!chains || !call)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT, "%s NULL",
                                chains ? "the call is" : "the chains are");
    if (call->pose_count && !call->joints)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT, "joints is NULL");
    if ((unsigned)call->joints_place > GRAZE_PINNED || (unsigned)call->results_place > GRAZE_PINNED)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT, "memory place %d is unknown",
                                (int)((unsigned)call->joints_place > GRAZE_PINNED
                                          ? call->joints_place
                                          : call->results_place));
    if (call->joints_place == GRAZE_DEVICE && (uintptr_t)call->joints % 16)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT,
                                "joints on the device are not aligned to 16 bytes");
    if ((unsigned)call->kernel > GRAZE_KERNEL_LANE_PLAIN)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT, "kernel %d is unknown", (int)call->kernel);
    if (call->threads % 32 || call->threads > 1024)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT,
                                "%u threads: a multiple of 32 up to 1024 is needed", call->threads);
    if (call->pose_count > SIZE_MAX / 48 / chains->params.joint_count)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT, "%zu poses are too many", call->pose_count);
    return check_results(call, error);
}

/* All on the device: one launch on the caller's stream. */
static graze_status run_there(graze_chain_cuda *chains, const graze_chain_cuda_call *call,
                              graze_error *error)
{
    graze_cuda *cuda = chains->cuda;
    cuda_event begun = chains->slots[0].begun, done = chains->slots[0].done;
    const cuda_launch launch = {(uintptr_t)call->joints, call->results,
                                call->pose_count,        call->kernel,
                                call->threads,           call->stream};
    graze_status status = GRAZE_OK;
    if (call->times)
        status = CUDA_TRY(cuda, error, event_record, begun, call->stream);
    if (!status)
        status = grazei_cuda_launch(chains, &launch, error);
    if (status || !call->times)
        return status;
    status = CUDA_TRY(cuda, error, event_record, done, call->stream);
    if (!status)
        status = CUDA_TRY(cuda, error, event_wait, done);
    if (!status)
        status = CUDA_TRY(cuda, error, event_elapsed, &call->times->kernel, begun, done);
    return status;
}

graze_status graze_chain_cuda_run(graze_chain_cuda *chains, const graze_chain_cuda_call *call,
                                  graze_error *error)
{
    graze_status status = check_call(chains, call, error);
    if (status)
        return status;
    if (call->times)
        *call->times = (graze_chain_cuda_times){0, 0, 0};
    if (!call->pose_count)
        return GRAZE_OK;
    status = grazei_cuda_enter(chains->cuda, error);
    if (status)
        return status;
    status = grazei_cuda_slots_make(chains, error);
    if (!status && call->joints_place == GRAZE_DEVICE && call->results_place == GRAZE_DEVICE)
        status = run_there(chains, call, error);
    else if (!status)
        status = grazei_cuda_run_pieces(chains, call, error);
    grazei_cuda_leave(chains->cuda);
    return status;
}
