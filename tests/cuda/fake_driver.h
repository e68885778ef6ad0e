/* A CUDA driver that is none: a library with its entry points, whose device is the host. Streams do
 * nothing until somebody waits for them, so that work in the wrong order shows. Tests look into its
 * state.
 */
#ifndef GRAZE_TESTS_CUDA_FAKE_DRIVER_H
#define GRAZE_TESTS_CUDA_FAKE_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fake_cuda {
    /* What it is to be. */
    int devices, capability_major, block_memory;
    size_t memory;    /* that is free */
    uint64_t fail_at; /* the call that fails, counted from 1; 0: none */
    int failure;      /* with what */

    /* What happened. */
    uint64_t calls;
    bool failed;                                                          /* the one that was to */
    int device_blocks, pinned_blocks, streams, events, modules, contexts; /* alive */
    int depth;         /* of contexts that are current */
    int launches;      /* that were run */
    int largest_block; /* threads */
    char kernel[32];   /* the last one */
    bool misused;      /* an address, size or handle that is wrong, or something freed too early */
} fake_cuda;

/* Exported by the library. */
fake_cuda *fake_cuda_state(void);

#endif
