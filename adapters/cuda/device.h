/* An open device, and a handle's parts. */
#ifndef GRAZEI_CUDA_DEVICE_H
#define GRAZEI_CUDA_DEVICE_H

#include "driver.h"
#include "params.h"

#include <graze/chain_cuda.h>

/* The kernels, as kernels.cu names them. */
typedef enum cuda_kernel {
    CUDA_FEW,
    CUDA_MANY_4, /* by the most vertices of a sphere */
    CUDA_MANY_8,
    CUDA_MANY_16,
    CUDA_MANY_12_BY_3,
    CUDA_MANY_ANY,
    CUDA_KERNELS
} cuda_kernel;

enum { SELF_MOST_KERNELS = 16 };

struct graze_cuda {
    graze_allocator allocator;
    cuda_driver driver;
    cuda_device device;
    cuda_context context; /* the device's primary one, retained */
    cuda_module module;
    cuda_function kernels[CUDA_KERNELS];
    cuda_module self_module; /* of self-collision, loaded when it is first wanted */
    cuda_function self_kernels[SELF_MOST_KERNELS];
    graze_cuda_info info;
};

/* graze_cuda_open with a driver of any name. */
graze_status grazei_cuda_open_library(const char *library, uint32_t device,
                                      const graze_allocator *allocator, graze_cuda **cuda,
                                      graze_error *error);

/* Around calls of the driver: the device's context is current between them. */
graze_status grazei_cuda_enter(graze_cuda *cuda, graze_error *error);
void grazei_cuda_leave(graze_cuda *cuda);

/* For calls of the driver, by their name in the table. */
#define CUDA_TRY(cuda, error, name, ...)                                                           \
    grazei_cuda_check(&(cuda)->driver, (cuda)->driver.name(__VA_ARGS__), grazei_cuda_names.name,   \
                      error)

/* The kernels as PTX, zero-terminated, made from kernels.cu when the library was built. */
extern const char grazei_cuda_ptx[];
extern const char grazei_cuda_self_ptx[];    /* of self_kernels.cu */
extern const char grazei_cuda_self_80_ptx[]; /* for compute capability 8.0 and later */

/* Loads the kernels of self-collision, unless they are there. The context is current. */
graze_status grazei_cuda_load_self(graze_cuda *cuda, graze_error *error);

enum { CUDA_SLOTS = 2 };

/* A piece of a call on its way. */
typedef struct cuda_slot {
    cuda_stream stream;
    cuda_event begun, uploaded, computed, done;
    cuda_address joints, results;
    void *pinned_joints, *pinned_results;
    size_t joints_size, results_size; /* bytes of both, there and here */
    size_t first, count;              /* poses on their way; count 0: none */
} cuda_slot;

struct graze_chain_cuda {
    graze_cuda *cuda;
    cuda_address tables; /* one block, which params points into */
    cuda_params params;  /* without joints and results */
    cuda_kernel many;    /* the best one for these spheres */
    cuda_slot slots[CUDA_SLOTS];
    cuda_event order;   /* between a caller's stream and ours */
    bool ready;         /* streams and events are there */
    size_t piece_bytes; /* of joints, that are uploaded at once, about */
};

/* The tables as the device has them; GRAZE_OK or what went wrong. */
graze_status grazei_cuda_tables_upload(graze_chain_cuda *chains, const graze_chain_tables *tables,
                                       graze_error *error);

/* What one launch does. */
typedef struct cuda_launch {
    cuda_address joints;
    graze_chain_results results; /* device addresses */
    size_t pose_count;
    graze_chain_cuda_kernel kernel;
    uint32_t threads;
    cuda_stream stream;
} cuda_launch;

graze_status grazei_cuda_launch(graze_chain_cuda *chains, const cuda_launch *launch,
                                graze_error *error);

/* Bytes of shared memory that a block needs. */
size_t grazei_cuda_few_memory(const cuda_params *params);
size_t grazei_cuda_many_memory(const cuda_params *params, uint32_t threads);

/* Calls that go through host memory, in pieces. */
graze_status grazei_cuda_run_pieces(graze_chain_cuda *chains, const graze_chain_cuda_call *call,
                                    graze_error *error);
/* Streams and events, once. */
graze_status grazei_cuda_slots_make(graze_chain_cuda *chains, graze_error *error);
void grazei_cuda_slots_release(graze_chain_cuda *chains);

#endif
