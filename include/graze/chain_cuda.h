/* Batches of poses on a CUDA device: graze/ext/chain_batch.h on a GPU, with the same bits.
 *
 * The kernels are inside the library; a user needs the NVIDIA driver (libcuda.so.1), which is
 * loaded when a device is opened, and no CUDA toolkit. Where there is no driver or no device,
 * graze_cuda_open says so and everything else goes on without it. Library graze::cuda.
 *
 *     graze_cuda_open(0, NULL, &cuda, &error);
 *     graze_chain_cuda_create(cuda, graze_chain_batch_tables(batch), &chains, &error);
 *     graze_chain_cuda_call call = {0};
 *     call.joints = poses; call.pose_count = 100000; call.results.flags = flags;
 *     graze_chain_cuda_run(chains, &call, &error);
 *
 * The device's primary context is used, which programs with the CUDA runtime (PyTorch, CuPy, JAX)
 * share: their device pointers and streams can be given as they are. No call leaves another context
 * current than it found.
 *
 * Everything a call of the driver refuses is a status, and the text names the call and the driver's
 * own words: GRAZE_OUT_OF_MEMORY where memory is short, else GRAZE_UNSUPPORTED. One thread at a
 * time may use a graze_cuda and what was made of it.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_CHAIN_CUDA_H
#define GRAZE_CHAIN_CUDA_H

#include <graze/ext/chain_batch.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_cuda graze_cuda;

/* Loads the driver, takes hold of a device (0 is the first) and loads the kernels, which takes some
 * tenths of a second. allocator NULL: graze_default_allocator(). GRAZE_UNSUPPORTED without a
 * driver, without that device, or where it is older than compute capability 7.0.
 *   - cuda is not NULL.
 */
GRAZE_EXPERIMENTAL graze_status graze_cuda_open(uint32_t device, const graze_allocator *allocator,
                                                graze_cuda **cuda, graze_error *error);

/* Closes the device. NULL is fine.
 *   - Nothing that was made of it is left.
 */
GRAZE_EXPERIMENTAL void graze_cuda_close(graze_cuda *cuda);

typedef struct graze_cuda_info {
    char name[64];
    uint32_t driver_version; /* 1000 x major + 10 x minor, of CUDA */
    uint32_t capability;     /* 10 x major + minor */
    uint32_t multiprocessors;
    uint32_t block_memory; /* bytes of shared memory that a block may have */
    uint64_t memory;       /* bytes */
    double bandwidth;      /* bytes per second of its memory, as its clock and bus width have it */
} graze_cuda_info;

/* All zero of NULL. */
GRAZE_EXPERIMENTAL graze_cuda_info graze_cuda_get_info(const graze_cuda *cuda);

/* Where memory is. */
typedef enum graze_memory_place {
    GRAZE_HOST = 0,
    GRAZE_DEVICE = 1,
    GRAZE_PINNED = 2 /* on the host, where the device reads it by itself: uploads are faster */
} graze_memory_place;

/* Memory on the device or pinned; GRAZE_HOST is GRAZE_BAD_INPUT. graze_cuda_free takes both, and
 * NULL.
 *   - cuda and memory are not NULL; bytes is not 0.
 */
GRAZE_EXPERIMENTAL graze_status graze_cuda_allocate(graze_cuda *cuda, graze_memory_place place,
                                                    size_t bytes, void **memory,
                                                    graze_error *error);
GRAZE_EXPERIMENTAL void graze_cuda_free(graze_cuda *cuda, graze_memory_place place, void *memory);

/* Copies to the device, or from it, and waits until it is done.
 *   - cuda, to and from are not NULL, unless bytes is 0.
 */
GRAZE_EXPERIMENTAL graze_status graze_cuda_upload(graze_cuda *cuda, void *to, const void *from,
                                                  size_t bytes, graze_error *error);
GRAZE_EXPERIMENTAL graze_status graze_cuda_download(graze_cuda *cuda, void *to, const void *from,
                                                    size_t bytes, graze_error *error);

/* Chains on a device: their tables, and the workspace of calls. */
typedef struct graze_chain_cuda graze_chain_cuda;

/* Takes the tables of a batch to the device. They may go when the call returns.
 *   - cuda, tables and chains are not NULL.
 *   - The joints, spheres and pivots of one pose fit into a block's shared memory (227 kB on an
 *     H200: some thousands of joints), else GRAZE_UNSUPPORTED.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_cuda_create(graze_cuda *cuda,
                                                        const graze_chain_tables *tables,
                                                        graze_chain_cuda **chains,
                                                        graze_error *error);

/* Frees them, on the device too. NULL is fine. Waits for nothing: calls that are asynchronous must
 * have ended.
 */
GRAZE_EXPERIMENTAL void graze_chain_cuda_destroy(graze_chain_cuda *chains);

/* How poses are shared out on the device. Changes speed, never a result. */
typedef enum graze_chain_cuda_kernel {
    GRAZE_KERNEL_BEST = 0,            /* by the number of poses */
    GRAZE_KERNEL_BLOCK_A_POSE = 1,    /* a thread a pair */
    GRAZE_KERNEL_SPHERE_A_THREAD = 2, /* a block a pose, a thread does all pairs of a sphere: the
                                         paper's way */
    GRAZE_KERNEL_LANE_A_POSE = 3,     /* 32 poses a block */
    GRAZE_KERNEL_LANE_PLAIN = 4 /* the same, without keeping a sphere's vertices in registers */
} graze_chain_cuda_kernel;

/* Milliseconds by the device's clock. Uploads overlap kernels, so their sum may be more than the
 * call took.
 */
typedef struct graze_chain_cuda_times {
    float upload, kernel, download;
} graze_chain_cuda_times;

/* What is asked. */
typedef struct graze_chain_cuda_call {
    /* As graze_chain_batch_run takes them. On the device they are aligned to 16 bytes, and nobody
     * writes them meanwhile.
     */
    const void *joints;
    size_t pose_count;
    graze_memory_place joints_place;

    /* As graze_chain_batch_run fills them, all in one place. On the device counts and pairs are
     * aligned to 4 bytes, spheres to 16.
     */
    graze_chain_results results;
    graze_memory_place results_place;

    void *stream;                  /* a CUstream or cudaStream_t; NULL: the default stream */
    graze_chain_cuda_times *times; /* may be NULL; else filled, and the call waits for the end */
    graze_pool *pool;              /* copies host memory to where the device reads it; NULL: the
                                      calling thread does */

    graze_chain_cuda_kernel kernel;
    uint32_t threads; /* of a block: a multiple of 32 up to 1024; 0: what was best */
} graze_chain_cuda_call;

/* Does a batch of poses: graze_chain_batch_run's results, bit for bit (the spheres of a bad pose
 * apart). It begins after what the stream has been given before, and what the stream is given
 * later begins after it.
 *
 * With joints and results on the device the call returns at once, and the results are there when
 * the stream has come so far. Else it goes through the poses in pieces, uploads the next one while
 * the device works on another, and returns when all is done. Host memory that is not pinned is
 * copied once more on the way. The first such call takes memory, on the device and pinned, which
 * later ones use again.
 *   - chains and call are not NULL; joints is not, unless pose_count is 0.
 *   - pairs comes with a capacity of at least 1.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_cuda_run(graze_chain_cuda *chains,
                                                     const graze_chain_cuda_call *call,
                                                     graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
