/* Runs the kernels of adapters/cuda on the host. */
#ifndef GRAZE_TESTS_CUDA_KERNELS_ON_HOST_H
#define GRAZE_TESTS_CUDA_KERNELS_ON_HOST_H

#include "params.h"
#include "self_params.h"

#include <stdbool.h>
#include <stddef.h>

/* What any kernel is told. */
typedef union kernel_params {
    cuda_params chain;
    self_params self;
} kernel_params;

#ifdef __cplusplus
extern "C" {
#endif

/* Does a launch; false if there is no such kernel. */
bool kernels_on_host_run(const char *name, uint32_t blocks, uint32_t threads, size_t shared_bytes,
                         const kernel_params *params);

/* Bytes that a kernel is told. */
size_t kernels_on_host_params(const char *name);

#ifdef __cplusplus
}
#endif

#endif
