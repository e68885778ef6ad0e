/* Opening the driver that is none (GRAZE_FAKE_CUDA), for tests. */
#ifndef GRAZE_TESTS_CUDA_OPEN_FAKE_H
#define GRAZE_TESTS_CUDA_OPEN_FAKE_H

#include "cuda/fake_driver.h"
#include "device.h"
#include "harness.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The driver that is none, as it was when it was loaded. */
static inline fake_cuda *fake(void)
{
    static fake_cuda *(*state)(void);
    static fake_cuda fresh;
    if (!state) {
        void *library = dlopen(GRAZE_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
        void *address = library ? dlsym(library, "fake_cuda_state") : NULL;
        if (!address) {
            fprintf(stderr, "%s\n", dlerror());
            abort();
        }
        memcpy(&state, &address, sizeof address);
        fresh = *state();
    }
    *state() = fresh;
    return state();
}

static inline graze_cuda *open_fake(void)
{
    graze_error error = {GRAZE_OK, ""};
    graze_cuda *cuda = NULL;
    graze_status status = grazei_cuda_open_library(GRAZE_FAKE_CUDA, 0, NULL, &cuda, &error);
    CHECK_MSG(status == GRAZE_OK, "%s", error.text);
    return cuda;
}

static inline bool all_is_given_back(const fake_cuda *driver)
{
    return !driver->device_blocks && !driver->pinned_blocks && !driver->streams &&
           !driver->events && !driver->modules && !driver->contexts && !driver->depth &&
           !driver->misused;
}

#endif
