/* The kernels of adapters/cuda on the host: one block after the other, its threads as contexts that
 * take turns from barrier to barrier. Slow, and the very source that the device runs.
 *
 * Compiled by the clang that makes their PTX, without a C++ library.
 */
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "kernels_on_host.h"

namespace
{

enum { MOST_THREADS = 1024, STACK_BYTES = 64 << 10 };

struct machine {
    /* Contexts start threads; jumps go on with them, without a call of the system. */
    ucontext_t start;
    jmp_buf scheduler, threads[MOST_THREADS];
    bool begun[MOST_THREADS], ended[MOST_THREADS];
    uint32_t current, count, block;
    uint32_t votes[2][MOST_THREADS / 32];
    uint8_t turn[MOST_THREADS]; /* which of both the next vote of a thread goes to */
    void (*kernel)(const cuda_params params);
    const cuda_params *params;
    char *stacks;
};

machine *device;

void wait_for_others()
{
    if (!_setjmp(device->threads[device->current]))
        _longjmp(device->scheduler, 1);
}

} // namespace

typedef float host_float4 __attribute__((ext_vector_type(4)));
typedef uint32_t host_uint2 __attribute__((ext_vector_type(2)));
typedef uint32_t host_uint4 __attribute__((ext_vector_type(4)));

/* What the kernels take from the compiler. */
static int __nvvm_read_ptx_sreg_tid_x()
{
    return (int)device->current;
}
static int __nvvm_read_ptx_sreg_ntid_x()
{
    return (int)device->count;
}
static int __nvvm_read_ptx_sreg_ctaid_x()
{
    return (int)device->block;
}
static uint32_t __nvvm_ldg_ui(const uint32_t *p)
{
    return *p;
}
static float __nvvm_ldg_f(const float *p)
{
    return *p;
}
static host_uint2 __nvvm_ldg_ui2(const host_uint2 *p)
{
    return *p;
}
static host_uint4 __nvvm_ldg_ui4(const host_uint4 *p)
{
    return *p;
}
static host_float4 __nvvm_ldg_f4(const host_float4 *p)
{
    return *p;
}
static void __syncthreads()
{
    wait_for_others();
}
static int __nvvm_atom_or_gen_i(int *p, int value)
{
    int old = *p;
    *p |= value;
    return old;
}
static int __nvvm_atom_add_gen_i(int *p, int value)
{
    int old = *p;
    *p += value;
    return old;
}
/* All threads of a warp vote, then all look: two votes take turns, so that a fast thread's next one
 * does not spoil what a slow one still has to read.
 */
static unsigned __nvvm_vote_ballot_sync(unsigned, bool yes)
{
    const uint32_t thread = device->current, turn = device->turn[thread]++ % 2;
    uint32_t *votes = &device->votes[turn][thread / 32];
    if (thread % 32 == 0)
        *votes = 0;
    *votes |= (uint32_t)yes << thread % 32;
    wait_for_others();
    return *votes;
}

#include "kernels.cu"

alignas(16) float4_t shared_memory[(256 << 10) / 16];

static void run_thread()
{
    device->kernel(*device->params);
    device->ended[device->current] = true;
    _longjmp(device->scheduler, 1);
}

static void run_turn(uint32_t thread)
{
    device->current = thread;
    if (_setjmp(device->scheduler))
        return;
    if (device->begun[thread])
        _longjmp(device->threads[thread], 1);
    device->begun[thread] = true;
    getcontext(&device->start);
    device->start.uc_stack.ss_sp = device->stacks + (size_t)STACK_BYTES * thread;
    device->start.uc_stack.ss_size = STACK_BYTES;
    device->start.uc_link = nullptr;
    makecontext(&device->start, run_thread, 0);
    setcontext(&device->start);
}

static void run_block(uint32_t block, size_t shared_bytes)
{
    device->block = block;
    /* What a kernel does not write is no number. */
    memset(shared_memory, 0xff, shared_bytes);
    memset(device->begun, 0, sizeof device->begun);
    memset(device->ended, 0, sizeof device->ended);
    memset(device->turn, 0, sizeof device->turn);
    for (bool some = true; some;) {
        some = false;
        for (uint32_t t = 0; t < device->count; t++)
            if (!device->ended[t]) {
                run_turn(t);
                some = true;
            }
    }
}

extern "C" bool kernels_on_host_run(const char *name, uint32_t blocks, uint32_t threads,
                                    size_t shared_bytes, const cuda_params *params)
{
    static const struct {
        const char *name;
        void (*kernel)(const cuda_params params);
    } kernels[] = {{"few_poses", few_poses},           {"many_poses_4", many_poses_4},
                   {"many_poses_8", many_poses_8},     {"many_poses_16", many_poses_16},
                   {"many_poses_any", many_poses_any}, {"many_poses_12_by_3", many_poses_12_by_3}};
    if (!device) {
        device = (machine *)calloc(1, sizeof *device);
        device->stacks = (char *)malloc((size_t)STACK_BYTES * MOST_THREADS);
    }
    device->kernel = nullptr;
    for (const auto &entry : kernels)
        if (strcmp(entry.name, name) == 0)
            device->kernel = entry.kernel;
    if (!device->kernel || !device->stacks || threads > MOST_THREADS ||
        shared_bytes > sizeof shared_memory)
        return false;
    device->params = params;
    device->count = threads;
    for (uint32_t b = 0; b < blocks; b++)
        run_block(b, shared_bytes);
    return true;
}
