/* Batches of poses on a CUDA device: graze_pose_batch_self of graze/ext/batch.h on a GPU, with the
 * same answers. Library graze::cuda; graze/chain_cuda.h opens a device.
 *
 *     graze_cuda_open(0, NULL, &cuda, &error);
 *     graze_pose_cuda_create(cuda, &def, &batch, &error);
 *     graze_pose_cuda_call call = {0};
 *     call.poses.count = 1000;
 *     call.poses.positions = positions;                      N x V x 3 floats on the device
 *     call.poses.vertex_count = V;
 *     call.poses_place = GRAZE_DEVICE;
 *     call.results.counts = counts;                          on the host
 *     graze_pose_cuda_self(batch, &call, &error);
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_BATCH_CUDA_H
#define GRAZE_BATCH_CUDA_H

#include <graze/chain_cuda.h>
#include <graze/ext/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_pose_cuda_def {
    const graze_model *model;
    size_t memory; /* bytes of the device that a call may take; 0: three quarters of what is free
                      when the batch is made */
    uintptr_t reserved[4];
} graze_pose_cuda_def;

typedef struct graze_pose_cuda graze_pose_cuda;

/* Brings the tables of a model to the device. Keeps the model alive; cuda stays open as long as the
 * batch.
 *   - GRAZE_UNSUPPORTED: more than 4,194,304 triangles, or too many around single vertices.
 *   - *batch is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_pose_cuda_create(graze_cuda *cuda,
                                                       const graze_pose_cuda_def *def,
                                                       graze_pose_cuda **batch, graze_error *error);

/* Frees the batch. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_pose_cuda_destroy(graze_pose_cuda *batch);

/* What a call did. */
typedef struct graze_pose_cuda_did {
    float kernels;    /* milliseconds by the device's clock, repeated runs included */
    uint32_t pieces;  /* poses that were done together are a piece */
    uint32_t repeats; /* runs of a piece that had too little room, or too fine a grid */
    size_t on_host;   /* poses that the CPU answered, because the device has too little memory */
    uint64_t settled; /* pairs that the CPU decided, because doubles could not */
} graze_pose_cuda_did;

typedef struct graze_pose_cuda_call {
    graze_pose_set poses;           /* arrays on the host or on the device: */
    graze_memory_place poses_place; /* on the device nobody writes them meanwhile */
    const graze_part_filter *filter;
    const uint32_t *part_mask; /* as graze_body_set_part_mask has it; NULL: all parts */
    bool only_new;
    graze_pose_results results; /* on the host */
    void *stream;               /* a CUstream or cudaStream_t; NULL: the default stream */
    graze_pool *pool;           /* settles and sorts; NULL: the calling thread does */
    uintptr_t reserved[2];

    graze_pose_cuda_did did; /* set by the call */
} graze_pose_cuda_call;

/* Finds where each pose goes through itself: the results of graze_pose_batch_self, byte for byte.
 * Returns when all is done. Begins after what the stream has been given before.
 *   - Positions of any model; joints, placements and morph weights of models with linear skinning.
 *     Of others they are GRAZE_UNSUPPORTED: pose them on the CPU and hand over the positions.
 *   - Poses go in pieces for which there is memory. What does not fit into a list is done again
 *     with more room or in smaller pieces; a pose that does not fit alone is answered by the CPU.
 *   - progress is called after each piece.
 *   - After a call of the driver fails, results of the pieces before it are there, and the others
 *     are not written.
 *   - The first call, and one that is larger than all before, takes memory.
 */
GRAZE_EXPERIMENTAL graze_status graze_pose_cuda_self(graze_pose_cuda *batch,
                                                     graze_pose_cuda_call *call,
                                                     graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
