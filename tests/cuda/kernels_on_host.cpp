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
    uint32_t current, count, block, blocks;
    uint32_t votes[2][MOST_THREADS / 32];
    int shown[2][MOST_THREADS];
    uint8_t turn[MOST_THREADS]; /* which of both the next vote or exchange of a thread goes to */
    void (*chain)(const cuda_params params);
    void (*self)(const self_params params); /* one of both */
    const kernel_params *params;
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

/* All threads of a warp show a number, then each looks at another's. */
static int show(int value, uint32_t lane)
{
    const uint32_t thread = device->current, turn = device->turn[thread]++ % 2;
    device->shown[turn][thread] = value;
    wait_for_others();
    return device->shown[turn][(thread & ~31u) + lane];
}
static int __nvvm_shfl_sync_bfly_i32(unsigned, int value, int with, int)
{
    return show(value, (device->current & 31) ^ (uint32_t)with);
}
static int __nvvm_shfl_sync_idx_i32(unsigned, int value, int lane, int)
{
    return show(value, (uint32_t)lane);
}
static int __nvvm_shfl_sync_up_i32(unsigned, int value, int by, int)
{
    const uint32_t lane = device->current & 31;
    return show(value, lane < (uint32_t)by ? lane : lane - (uint32_t)by);
}
static void __nvvm_bar_warp_sync(unsigned)
{
    wait_for_others();
}
static int __nvvm_read_ptx_sreg_nctaid_x()
{
    return (int)device->blocks;
}
static long long __nvvm_atom_add_gen_ll(long long *p, long long value)
{
    long long old = *p;
    *p += value;
    return old;
}
static float __nvvm_fmin_f(float a, float b)
{
    return fminf(a, b);
}
static float __nvvm_fmax_f(float a, float b)
{
    return fmaxf(a, b);
}
/* a b + c rounded down, where that is a whole number from 2^23 to 2^24; elsewhere something outside
 * of that range. The product is exact in double, and what the sum loses is known.
 */
static float __nvvm_fma_rm_f(float a, float b, float c)
{
    const double product = (double)a * b, sum = product + c, part = sum - product;
    const double lost = (product - (sum - part)) + (c - part);
    double whole = floor(sum);
    if (whole == sum && lost < 0)
        whole -= 1;
    return whole >= 0x1p23 && whole < 0x1p24 ? (float)whole : 0;
}

#include "kernels.cu"
#include "self_kernels.cu"

alignas(16) float4_t shared_memory[(256 << 10) / 16];

static void run_thread()
{
    if (device->chain)
        device->chain(device->params->chain);
    else
        device->self(device->params->self);
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

static const struct {
    const char *name;
    void (*chain)(const cuda_params params);
    void (*self)(const self_params params);
} kernels[] = {{"few_poses", few_poses, nullptr},
               {"many_poses_4", many_poses_4, nullptr},
               {"many_poses_8", many_poses_8, nullptr},
               {"many_poses_16", many_poses_16, nullptr},
               {"many_poses_any", many_poses_any, nullptr},
               {"many_poses_12_by_3", many_poses_12_by_3, nullptr},
               {"place_joints", nullptr, place_joints},
               {"pose_vertices", nullptr, pose_vertices},
               {"check_loose", nullptr, check_loose},
               {"grid_boxes", nullptr, grid_boxes},
               {"meet_patches", nullptr, meet_patches},
               {"meet_clusters", nullptr, meet_clusters},
               {"meet_triangles", nullptr, meet_triangles},
               {"part_by_planes", nullptr, part_by_planes},
               {"decide_float", nullptr, decide_float},
               {"decide_double", nullptr, decide_double}};

extern "C" size_t kernels_on_host_params(const char *name)
{
    for (const auto &entry : kernels)
        if (strcmp(entry.name, name) == 0)
            return entry.chain ? sizeof(cuda_params) : sizeof(self_params);
    return 0;
}

extern "C" bool kernels_on_host_run(const char *name, uint32_t blocks, uint32_t threads,
                                    size_t shared_bytes, const kernel_params *params)
{
    if (!device) {
        device = (machine *)calloc(1, sizeof *device);
        device->stacks = (char *)malloc((size_t)STACK_BYTES * MOST_THREADS);
    }
    device->chain = nullptr;
    device->self = nullptr;
    for (const auto &entry : kernels)
        if (strcmp(entry.name, name) == 0) {
            device->chain = entry.chain;
            device->self = entry.self;
        }
    if (!(device->chain || device->self) || !device->stacks || threads > MOST_THREADS ||
        shared_bytes > sizeof shared_memory)
        return false;
    device->params = params;
    device->count = threads;
    device->blocks = blocks;
    for (uint32_t b = 0; b < blocks; b++)
        run_block(b, shared_bytes);
    return true;
}
