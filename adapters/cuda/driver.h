/* The CUDA driver, loaded at run time: the entry points that are used, without its headers. */
#ifndef GRAZEI_CUDA_DRIVER_H
#define GRAZEI_CUDA_DRIVER_H

#include <graze/base.h>

/* The driver's types: numbers and pointers that only it looks into. */
typedef int cuda_result;
typedef int cuda_device;
typedef uint64_t cuda_address;
typedef struct cuda_context_of *cuda_context;
typedef struct cuda_module_of *cuda_module;
typedef struct cuda_function_of *cuda_function;
typedef struct cuda_stream_of *cuda_stream;
typedef struct cuda_event_of *cuda_event;

/* Numbers from the driver's documentation. */
enum {
    CUDA_OUT_OF_MEMORY = 2,

    CUDA_MULTIPROCESSORS = 16,
    CUDA_MEMORY_CLOCK = 36, /* kHz */
    CUDA_BUS_WIDTH = 37,    /* bits */
    CUDA_CAPABILITY_MAJOR = 75,
    CUDA_CAPABILITY_MINOR = 76,
    CUDA_BLOCK_MEMORY = 97, /* that a kernel may ask for */

    CUDA_FUNCTION_MEMORY = 8, /* attribute: shared memory that a launch may ask for */
    CUDA_JIT_ERROR_LOG = 5,
    CUDA_JIT_ERROR_LOG_SIZE = 6,
    CUDA_STREAM_APART = 1 /* does not wait for the default stream */
};

/* X(name, exported name, parameters) of every entry point. */
#define CUDA_ENTRIES(X)                                                                            \
    X(init, "cuInit", (unsigned flags))                                                            \
    X(driver_version, "cuDriverGetVersion", (int *version))                                        \
    X(error_text, "cuGetErrorString", (cuda_result result, const char **text))                     \
    X(device_count, "cuDeviceGetCount", (int *count))                                              \
    X(device_get, "cuDeviceGet", (cuda_device * device, int ordinal))                              \
    X(device_name, "cuDeviceGetName", (char *name, int size, cuda_device device))                  \
    X(device_attribute, "cuDeviceGetAttribute", (int *value, int attribute, cuda_device device))   \
    X(device_memory, "cuDeviceTotalMem_v2", (size_t * bytes, cuda_device device))                  \
    X(context_retain, "cuDevicePrimaryCtxRetain", (cuda_context * context, cuda_device device))    \
    X(context_release, "cuDevicePrimaryCtxRelease_v2", (cuda_device device))                       \
    X(context_push, "cuCtxPushCurrent_v2", (cuda_context context))                                 \
    X(context_pop, "cuCtxPopCurrent_v2", (cuda_context * context))                                 \
    X(module_load, "cuModuleLoadDataEx",                                                           \
      (cuda_module * module, const void *image, unsigned count, int *options, void **values))      \
    X(module_unload, "cuModuleUnload", (cuda_module module))                                       \
    X(module_function, "cuModuleGetFunction",                                                      \
      (cuda_function * function, cuda_module module, const char *name))                            \
    X(function_attribute, "cuFuncSetAttribute",                                                    \
      (cuda_function function, int attribute, int value))                                          \
    X(allocate, "cuMemAlloc_v2", (cuda_address * address, size_t bytes))                           \
    X(release, "cuMemFree_v2", (cuda_address address))                                             \
    X(allocate_pinned, "cuMemAllocHost_v2", (void **memory, size_t bytes))                         \
    X(release_pinned, "cuMemFreeHost", (void *memory))                                             \
    X(upload_now, "cuMemcpyHtoD_v2", (cuda_address to, const void *from, size_t bytes))            \
    X(download_now, "cuMemcpyDtoH_v2", (void *to, cuda_address from, size_t bytes))                \
    X(upload, "cuMemcpyHtoDAsync_v2",                                                              \
      (cuda_address to, const void *from, size_t bytes, cuda_stream stream))                       \
    X(download, "cuMemcpyDtoHAsync_v2",                                                            \
      (void *to, cuda_address from, size_t bytes, cuda_stream stream))                             \
    X(fill, "cuMemsetD8Async",                                                                     \
      (cuda_address to, unsigned char value, size_t bytes, cuda_stream stream))                    \
    X(memory_info, "cuMemGetInfo_v2", (size_t * free_bytes, size_t * all_bytes))                   \
    X(stream_create, "cuStreamCreate", (cuda_stream * stream, unsigned flags))                     \
    X(stream_destroy, "cuStreamDestroy_v2", (cuda_stream stream))                                  \
    X(stream_wait, "cuStreamSynchronize", (cuda_stream stream))                                    \
    X(stream_wait_event, "cuStreamWaitEvent",                                                      \
      (cuda_stream stream, cuda_event event, unsigned flags))                                      \
    X(event_create, "cuEventCreate", (cuda_event * event, unsigned flags))                         \
    X(event_destroy, "cuEventDestroy_v2", (cuda_event event))                                      \
    X(event_record, "cuEventRecord", (cuda_event event, cuda_stream stream))                       \
    X(event_wait, "cuEventSynchronize", (cuda_event event))                                        \
    X(event_elapsed, "cuEventElapsedTime", (float *ms, cuda_event from, cuda_event to))            \
    X(launch, "cuLaunchKernel",                                                                    \
      (cuda_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,                  \
       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,                \
       cuda_stream stream, void **parameters, void **extra))

typedef struct cuda_driver {
    void *library;
#define CUDA_FIELD(name, exported, parameters) cuda_result(*name) parameters;
    CUDA_ENTRIES(CUDA_FIELD)
#undef CUDA_FIELD
} cuda_driver;

/* Their exported names, for error texts. */
typedef struct cuda_names {
#define CUDA_FIELD(name, exported, parameters) const char *name;
    CUDA_ENTRIES(CUDA_FIELD)
#undef CUDA_FIELD
} cuda_names;

extern const cuda_names grazei_cuda_names;

/* Loads the library by its name and finds all entry points; GRAZE_UNSUPPORTED, with what is
 * missing, else.
 */
graze_status grazei_cuda_driver_load(const char *library, cuda_driver *driver, graze_error *error);

void grazei_cuda_driver_unload(cuda_driver *driver);

/* Writes status and a formatted text into error (may be NULL) and returns status. */
graze_status grazei_cuda_fail(graze_error *error, graze_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The status of a call of the driver, `call` its name. */
graze_status grazei_cuda_check(const cuda_driver *driver, cuda_result result, const char *call,
                               graze_error *error);

#endif
