#include "fake_driver.h"

#include "kernels_on_host.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { OK = 0, BAD_VALUE = 1, NOT_FOUND = 500 };
enum { MOST_BLOCKS = 64, MOST_STREAMS = 8, MOST_STEPS = 4096 };

static fake_cuda state = {
    .devices = 1, .capability_major = 9, .block_memory = 232448, .memory = (size_t)1 << 30};

EXPORT fake_cuda *fake_cuda_state(void)
{
    return &state;
}

/* Counts a call; true: it is the one that fails. */
static bool fails(void)
{
    const bool now = ++state.calls == state.fail_at;
    state.failed = state.failed || now;
    return now;
}
/* Calls that free something do not fail. */
#define CALL()                                                                                     \
    do {                                                                                           \
        if (fails())                                                                               \
            return state.failure;                                                                  \
    } while (0)

/* ---- memory --------------------------------------------------------------------------------- */

typedef struct block {
    char *memory;
    size_t bytes;
    bool pinned;
} block;

static block blocks[MOST_BLOCKS];

static bool is_device(uint64_t address, size_t bytes)
{
    for (int i = 0; i < MOST_BLOCKS; i++)
        if (blocks[i].memory && !blocks[i].pinned && address >= (uintptr_t)blocks[i].memory &&
            address + bytes <= (uintptr_t)blocks[i].memory + blocks[i].bytes)
            return true;
    state.misused = true;
    return false;
}

static void *take(size_t bytes, bool pinned)
{
    for (int i = 0; i < MOST_BLOCKS; i++)
        if (!blocks[i].memory) {
            blocks[i] = (block){aligned_alloc(256, (bytes + 255) / 256 * 256), bytes, pinned};
            memset(blocks[i].memory, 0xee, bytes);
            ++*(pinned ? &state.pinned_blocks : &state.device_blocks);
            return blocks[i].memory;
        }
    state.misused = true;
    return NULL;
}

static void give(const void *memory, bool pinned)
{
    for (int i = 0; i < MOST_BLOCKS; i++)
        if (blocks[i].memory == memory && blocks[i].pinned == pinned) {
            free(blocks[i].memory);
            blocks[i].memory = NULL;
            --*(pinned ? &state.pinned_blocks : &state.device_blocks);
            return;
        }
    state.misused = true;
}

EXPORT int cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
    CALL();
    *address = (uintptr_t)take(bytes, false);
    return OK;
}
EXPORT int cuMemFree_v2(uint64_t address)
{
    give((const void *)(uintptr_t)address, false);
    return OK;
}
EXPORT int cuMemAllocHost_v2(void **memory, size_t bytes)
{
    CALL();
    *memory = take(bytes, true);
    return OK;
}
EXPORT int cuMemFreeHost(void *memory)
{
    give(memory, true);
    return OK;
}

/* ---- streams -------------------------------------------------------------------------------- */

typedef enum step_kind { COPY, FILL, LAUNCH, WAIT, MARK } step_kind;

typedef struct step_of {
    step_kind kind;
    void *to;
    const void *from;
    size_t bytes;
    int stream;   /* to be waited for */
    size_t until; /* steps of it */
    char kernel[32];
    unsigned grid, threads;
    kernel_params params;
} step_of;

typedef struct queue_of {
    bool alive;
    size_t count, done;
    step_of steps[MOST_STEPS];
} queue_of;

/* The first is the default stream. */
static queue_of queues[MOST_STREAMS] = {{.alive = true}};

static void run_until(int stream, size_t until);

static void run(const step_of *step)
{
    if (step->kind == COPY)
        memcpy(step->to, step->from, step->bytes);
    else if (step->kind == FILL)
        memset(step->to, (int)step->until, step->bytes);
    else if (step->kind == WAIT)
        run_until(step->stream, step->until);
    else if (step->kind == LAUNCH) {
        if (!kernels_on_host_run(step->kernel, step->grid, step->threads, step->bytes,
                                 &step->params))
            state.misused = true;
        state.launches++;
        memcpy(state.kernel, step->kernel, sizeof state.kernel);
        if ((int)step->threads > state.largest_block)
            state.largest_block = (int)step->threads;
    }
}

static void run_until(int stream, size_t until)
{
    queue_of *queue = &queues[stream];
    while (queue->done < until)
        run(&queue->steps[queue->done++]);
}

static int number_of(const queue_of *stream)
{
    if (stream && (stream < queues || stream >= queues + MOST_STREAMS || !stream->alive))
        state.misused = true;
    return stream ? (int)(stream - queues) : 0;
}

static step_of *add(queue_of *stream, step_kind kind)
{
    queue_of *queue = &queues[number_of(stream)];
    if (queue->count == MOST_STEPS) { /* all that is left is done: start again */
        run_until(number_of(stream), queue->count);
        queue->count = queue->done = 0;
    }
    step_of *step = &queue->steps[queue->count++];
    memset(step, 0, sizeof *step);
    step->kind = kind;
    return step;
}

typedef struct mark {
    int stream;
    size_t until;
} mark;

EXPORT int cuStreamCreate(queue_of **stream, unsigned flags)
{
    (void)flags;
    CALL();
    for (int i = 1; i < MOST_STREAMS; i++)
        if (!queues[i].alive) {
            queues[i].alive = true;
            queues[i].count = queues[i].done = 0;
            *stream = &queues[i];
            state.streams++;
            return OK;
        }
    return BAD_VALUE;
}
EXPORT int cuStreamDestroy_v2(queue_of *stream)
{
    if (number_of(stream) == 0)
        state.misused = true;
    for (; stream->done < stream->count; stream->done++)
        if (stream->steps[stream->done].kind <= LAUNCH)
            state.misused = true;
    stream->alive = false;
    state.streams--;
    return OK;
}
EXPORT int cuStreamSynchronize(queue_of *stream)
{
    CALL();
    int number = number_of(stream);
    run_until(number, queues[number].count);
    return OK;
}
EXPORT int cuStreamWaitEvent(queue_of *stream, const mark *event, unsigned flags)
{
    (void)flags;
    CALL();
    step_of *step = add(stream, WAIT);
    step->stream = event->stream;
    step->until = event->until;
    return OK;
}
EXPORT int cuEventCreate(mark **event, unsigned flags)
{
    (void)flags;
    CALL();
    *event = calloc(1, sizeof **event);
    state.events++;
    return OK;
}
EXPORT int cuEventDestroy_v2(mark *event)
{
    free(event);
    state.events--;
    return OK;
}
EXPORT int cuEventRecord(mark *event, queue_of *stream)
{
    CALL();
    add(stream, MARK);
    event->stream = number_of(stream);
    event->until = queues[event->stream].count;
    return OK;
}
EXPORT int cuEventSynchronize(const mark *event)
{
    CALL();
    run_until(event->stream, event->until);
    return OK;
}
EXPORT int cuEventElapsedTime(float *ms, const mark *from, const mark *to)
{
    CALL();
    if (queues[to->stream].done < to->until || from->stream != to->stream)
        return BAD_VALUE;
    *ms = 0.25f;
    return OK;
}

/* After what the default stream has been given. */
EXPORT int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes)
{
    CALL();
    run_until(0, queues[0].count);
    if (is_device(to, bytes))
        memcpy((void *)(uintptr_t)to, from, bytes);
    return OK;
}
EXPORT int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
    CALL();
    run_until(0, queues[0].count);
    if (is_device(from, bytes))
        memcpy(to, (const void *)(uintptr_t)from, bytes);
    return OK;
}
EXPORT int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, queue_of *stream)
{
    CALL();
    is_device(to, bytes);
    step_of *step = add(stream, COPY);
    step->to = (void *)(uintptr_t)to;
    step->from = from;
    step->bytes = bytes;
    return OK;
}
EXPORT int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, queue_of *stream)
{
    CALL();
    is_device(from, bytes);
    step_of *step = add(stream, COPY);
    step->to = to;
    step->from = (const void *)(uintptr_t)from;
    step->bytes = bytes;
    return OK;
}

EXPORT int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, queue_of *stream)
{
    CALL();
    is_device(to, bytes);
    step_of *step = add(stream, FILL);
    step->to = (void *)(uintptr_t)to;
    step->bytes = bytes;
    step->until = value;
    return OK;
}
EXPORT int cuMemGetInfo_v2(size_t *free_bytes, size_t *all_bytes)
{
    CALL();
    *free_bytes = *all_bytes = state.memory;
    return OK;
}

/* ---- modules -------------------------------------------------------------------------------- */

EXPORT int cuModuleLoadDataEx(const char **module, const void *image, unsigned count, int *options,
                              void **values)
{
    (void)count;
    (void)options;
    if (fails()) {
        strcpy(values[0], "line 7:\nno such thing");
        return state.failure;
    }
    *module = image;
    state.modules++;
    return OK;
}
EXPORT int cuModuleUnload(const char *module)
{
    (void)module;
    state.modules--;
    return OK;
}
/* A function is its name in the text of the module. */
EXPORT int cuModuleGetFunction(const char **function, const char *module, const char *name)
{
    CALL();
    *function = strstr(module, name);
    return *function ? OK : NOT_FOUND;
}
EXPORT int cuFuncSetAttribute(const char *function, int attribute, int value)
{
    (void)function;
    CALL();
    return attribute == 8 && value <= state.block_memory ? OK : BAD_VALUE;
}
EXPORT int cuLaunchKernel(const char *function, unsigned grid, unsigned grid_y, unsigned grid_z,
                          unsigned threads, unsigned threads_y, unsigned threads_z, unsigned shared,
                          queue_of *stream, void **parameters, void **extra)
{
    CALL();
    if (grid_y != 1 || grid_z != 1 || threads_y != 1 || threads_z != 1 || extra || !grid ||
        (int)shared > state.block_memory)
        return BAD_VALUE;
    step_of *step = add(stream, LAUNCH);
    size_t length = strspn(function, "abcdefghijklmnopqrstuvwxyz_0123456789");
    memcpy(step->kernel, function, length < 31 ? length : 31);
    step->grid = grid;
    step->threads = threads;
    step->bytes = shared;
    memcpy(&step->params, parameters[0], kernels_on_host_params(step->kernel));
    return OK;
}

/* ---- devices -------------------------------------------------------------------------------- */

EXPORT int cuInit(unsigned flags)
{
    (void)flags;
    CALL();
    return OK;
}
EXPORT int cuDriverGetVersion(int *version)
{
    CALL();
    *version = 13000;
    return OK;
}
EXPORT int cuGetErrorString(int result, const char **text)
{
    *text = result == 2 ? "out of memory" : result == 719 ? "unspecified launch failure" : NULL;
    return *text ? OK : BAD_VALUE;
}
EXPORT int cuDeviceGetCount(int *count)
{
    CALL();
    *count = state.devices;
    return OK;
}
EXPORT int cuDeviceGet(int *device, int ordinal)
{
    CALL();
    *device = ordinal;
    return OK;
}
EXPORT int cuDeviceGetName(char *name, int size, int device)
{
    (void)device;
    CALL();
    strncpy(name, "the host", (size_t)size - 1);
    return OK;
}
EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    CALL();
    *value = attribute == 75   ? state.capability_major
             : attribute == 16 ? 2
             : attribute == 36 ? 1000
             : attribute == 37 ? 64
             : attribute == 97 ? state.block_memory
                               : 0;
    return OK;
}
EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    (void)device;
    CALL();
    *bytes = state.memory;
    return OK;
}
EXPORT int cuDevicePrimaryCtxRetain(void **context, int device)
{
    (void)device;
    CALL();
    *context = &state;
    state.contexts++;
    return OK;
}
EXPORT int cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    state.contexts--;
    return OK;
}
EXPORT int cuCtxPushCurrent_v2(const void *context)
{
    CALL();
    if (context != &state)
        state.misused = true;
    state.depth++;
    return OK;
}
EXPORT int cuCtxPopCurrent_v2(void **context)
{
    *context = &state;
    state.depth--;
    return OK;
}
