/* Opening a device: driver, context, kernels; its memory. */
#include "self.h"

#include <stdio.h>
#include <string.h>

static const char *const kernel_names[CUDA_KERNELS] = {"few_poses",          "many_poses_4",
                                                       "many_poses_8",       "many_poses_16",
                                                       "many_poses_12_by_3", "many_poses_any"};

graze_status grazei_cuda_enter(graze_cuda *cuda, graze_error *error)
{
    return CUDA_TRY(cuda, error, context_push, cuda->context);
}

void grazei_cuda_leave(graze_cuda *cuda)
{
    cuda_context ours;
    cuda->driver.context_pop(&ours);
}

static graze_status get_info(graze_cuda *cuda, graze_error *error)
{
    graze_cuda_info *info = &cuda->info;
    int version = 0, major = 0, minor = 0, processors = 0, block = 0, clock = 0, width = 0;
    const struct {
        int attribute, *value;
    } wanted[] = {{CUDA_CAPABILITY_MAJOR, &major},     {CUDA_CAPABILITY_MINOR, &minor},
                  {CUDA_MULTIPROCESSORS, &processors}, {CUDA_BLOCK_MEMORY, &block},
                  {CUDA_MEMORY_CLOCK, &clock},         {CUDA_BUS_WIDTH, &width}};
    size_t memory = 0;
    graze_status status = CUDA_TRY(cuda, error, driver_version, &version);
    if (!status)
        status = CUDA_TRY(cuda, error, device_name, info->name, sizeof info->name, cuda->device);
    if (!status)
        status = CUDA_TRY(cuda, error, device_memory, &memory, cuda->device);
    for (size_t i = 0; !status && i < sizeof wanted / sizeof *wanted; i++)
        status = CUDA_TRY(cuda, error, device_attribute, wanted[i].value, wanted[i].attribute,
                          cuda->device);
    if (status)
        return status;
    info->driver_version = (uint32_t)version;
    info->capability = (uint32_t)(10 * major + minor);
    info->multiprocessors = (uint32_t)processors;
    info->block_memory = (uint32_t)block;
    info->memory = memory;
    info->bandwidth = 2.0 * 1e3 * clock * (width / 8.0); /* two transfers a tick */
    if (info->capability < 70)
        return grazei_cuda_fail(error, GRAZE_UNSUPPORTED,
                                "CUDA device %d, %s, has compute capability %d.%d: 7.0 is needed",
                                cuda->device, info->name, major, minor);
    return GRAZE_OK;
}

static graze_status find_device(graze_cuda *cuda, uint32_t number, graze_error *error)
{
    int count = 0;
    graze_status status = CUDA_TRY(cuda, error, init, 0);
    if (!status)
        status = CUDA_TRY(cuda, error, device_count, &count);
    if (!status && (count < 0 || number >= (uint32_t)count))
        status = grazei_cuda_fail(error, GRAZE_UNSUPPORTED,
                                  "there is no CUDA device %u: the driver has %d", number, count);
    if (!status)
        status = CUDA_TRY(cuda, error, device_get, &cuda->device, (int)number);
    if (!status)
        status = get_info(cuda, error);
    return status;
}

/* Makes machine code of a text, and finds its kernels; the context is current. */
static graze_status load_module(graze_cuda *cuda, const char *ptx, const char *const *names,
                                int count, cuda_module *module, cuda_function *kernels,
                                graze_error *error)
{
    char log[160] = "";
    int options[] = {CUDA_JIT_ERROR_LOG, CUDA_JIT_ERROR_LOG_SIZE};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    graze_error failure = {0};
    graze_status status = CUDA_TRY(cuda, &failure, module_load, module, ptx, 2, options, values);
    if (status) {
        *module = NULL;
        log[sizeof log - 1] = 0;
        for (char *c = log; *c; c++)
            if (*c == '\n')
                *c = ' ';
        return grazei_cuda_fail(error, status, "%.80s %s", failure.text, log);
    }
    for (int k = 0; !status && k < count; k++)
        status = CUDA_TRY(cuda, error, module_function, &kernels[k], *module, names[k]);
    return status;
}

static graze_status load_kernels(graze_cuda *cuda, graze_error *error)
{
    graze_status status = load_module(cuda, grazei_cuda_ptx, kernel_names, CUDA_KERNELS,
                                      &cuda->module, cuda->kernels, error);
    /* As much shared memory as there is may be asked for at a launch. */
    for (int k = 0; !status && k < CUDA_KERNELS; k++)
        status = CUDA_TRY(cuda, error, function_attribute, cuda->kernels[k], CUDA_FUNCTION_MEMORY,
                          (int)cuda->info.block_memory);
    return status;
}

graze_status grazei_cuda_load_self(graze_cuda *cuda, graze_error *error)
{
    static const char *const names[SELF_KERNELS] = {
        "place_joints",  "pose_vertices",  "check_loose",    "grid_boxes",   "meet_patches",
        "meet_clusters", "meet_triangles", "part_by_planes", "decide_float", "decide_double"};
    cuda_module module = NULL;
    if (cuda->self_module)
        return GRAZE_OK;
    const char *ptx = cuda->info.capability < 80 ? grazei_cuda_self_ptx : grazei_cuda_self_80_ptx;
    graze_status status =
        load_module(cuda, ptx, names, SELF_KERNELS, &module, cuda->self_kernels, error);
    if (status && module)
        cuda->driver.module_unload(module);
    else
        cuda->self_module = module;
    return status;
}

static graze_status open_device(graze_cuda *cuda, const char *library, uint32_t device,
                                graze_error *error)
{
    graze_status status = grazei_cuda_driver_load(library, &cuda->driver, error);
    if (!status)
        status = find_device(cuda, device, error);
    if (!status)
        status = CUDA_TRY(cuda, error, context_retain, &cuda->context, cuda->device);
    if (status)
        return status;
    status = grazei_cuda_enter(cuda, error);
    if (status)
        return status;
    status = load_kernels(cuda, error);
    grazei_cuda_leave(cuda);
    return status;
}

graze_status grazei_cuda_open_library(const char *library, uint32_t device,
                                      const graze_allocator *allocator, graze_cuda **cuda,
                                      graze_error *error)
{
    if (!cuda)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT, "where the device goes is NULL");
    const graze_allocator from = allocator ? *allocator : graze_default_allocator();
    graze_cuda *made = from.allocate(from.user, sizeof *made, 16);
    if (!made)
        return grazei_cuda_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    memset(made, 0, sizeof *made);
    made->allocator = from;
    graze_status status = open_device(made, library, device, error);
    if (status)
        graze_cuda_close(made);
    else
        *cuda = made;
    return status;
}

graze_status graze_cuda_open(uint32_t device, const graze_allocator *allocator, graze_cuda **cuda,
                             graze_error *error)
{
    return grazei_cuda_open_library("libcuda.so.1", device, allocator, cuda, error);
}

void graze_cuda_close(graze_cuda *cuda)
{
    if (!cuda)
        return;
    if (cuda->context) {
        const bool entered = !grazei_cuda_enter(cuda, NULL);
        if (cuda->module)
            cuda->driver.module_unload(cuda->module);
        if (cuda->self_module)
            cuda->driver.module_unload(cuda->self_module);
        if (entered)
            grazei_cuda_leave(cuda);
        cuda->driver.context_release(cuda->device);
    }
    grazei_cuda_driver_unload(&cuda->driver);
    cuda->allocator.release(cuda->allocator.user, cuda);
}

graze_cuda_info graze_cuda_get_info(const graze_cuda *cuda)
{
    return cuda ? cuda->info : (graze_cuda_info){.name = ""};
}

graze_status graze_cuda_allocate(graze_cuda *cuda, graze_memory_place place, size_t bytes,
                                 void **memory, graze_error *error)
{
    if (!cuda || !memory)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT, "%s is NULL",
                                cuda ? "where the memory goes" : "the device");
    if (place != GRAZE_DEVICE && place != GRAZE_PINNED)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT,
                                "memory is allocated on the device or pinned, not in place %d",
                                (int)place);
    if (!bytes)
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT, "0 bytes of memory");
    graze_status status = grazei_cuda_enter(cuda, error);
    if (status)
        return status;
    cuda_address address = 0;
    void *pinned = NULL;
    if (place == GRAZE_DEVICE)
        status = CUDA_TRY(cuda, error, allocate, &address, bytes);
    else
        status = CUDA_TRY(cuda, error, allocate_pinned, &pinned, bytes);
    if (!status)
        *memory = place == GRAZE_DEVICE ? (void *)(uintptr_t)address : pinned;
    grazei_cuda_leave(cuda);
    return status;
}

void graze_cuda_free(graze_cuda *cuda, graze_memory_place place, void *memory)
{
    if (!cuda || !memory || grazei_cuda_enter(cuda, NULL))
        return;
    if (place == GRAZE_DEVICE)
        cuda->driver.release((uintptr_t)memory);
    else if (place == GRAZE_PINNED)
        cuda->driver.release_pinned(memory);
    grazei_cuda_leave(cuda);
}

static graze_status check_copy(const graze_cuda *cuda, const void *to, const void *from,
                               size_t bytes, graze_error *error)
{
    if (!cuda || (bytes && (!to || !from)))
        return grazei_cuda_fail(error, GRAZE_BAD_INPUT, "%s is NULL",
                                !cuda ? "the device"
                                : !to ? "where the copy goes"
                                      : "what is to be copied");
    return GRAZE_OK;
}

graze_status graze_cuda_upload(graze_cuda *cuda, void *to, const void *from, size_t bytes,
                               graze_error *error)
{
    graze_status status = check_copy(cuda, to, from, bytes, error);
    if (!status && bytes)
        status = grazei_cuda_enter(cuda, error);
    if (status || !bytes)
        return status;
    status = CUDA_TRY(cuda, error, upload_now, (uintptr_t)to, from, bytes);
    grazei_cuda_leave(cuda);
    return status;
}

graze_status graze_cuda_download(graze_cuda *cuda, void *to, const void *from, size_t bytes,
                                 graze_error *error)
{
    graze_status status = check_copy(cuda, to, from, bytes, error);
    if (!status && bytes)
        status = grazei_cuda_enter(cuda, error);
    if (status || !bytes)
        return status;
    status = CUDA_TRY(cuda, error, download_now, to, (uintptr_t)from, bytes);
    grazei_cuda_leave(cuda);
    return status;
}
