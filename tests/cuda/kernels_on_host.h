/* Runs the kernels of adapters/cuda on the host. */
#ifndef GRAZE_TESTS_CUDA_KERNELS_ON_HOST_H
#define GRAZE_TESTS_CUDA_KERNELS_ON_HOST_H

#include "params.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
#endif
    /* Does a launch; false if there is no such kernel. */
    bool
    kernels_on_host_run(const char *name, uint32_t blocks, uint32_t threads, size_t shared_bytes,
                        const cuda_params *params);

#endif
