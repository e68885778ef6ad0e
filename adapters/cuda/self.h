/* Self-collision of batches from the inside. */
#ifndef GRAZEI_CUDA_SELF_H
#define GRAZEI_CUDA_SELF_H

#include "device.h"
#include "self_params.h"

#include <graze/batch_cuda.h>
#include <graze/ext/batch_tables.h>

/* The kernels, as self_kernels.cu names them, in the order of their launches. */
typedef enum self_kernel {
    SELF_PLACE_JOINTS,
    SELF_POSE_VERTICES,
    SELF_CHECK_LOOSE,
    SELF_GRID_BOXES,
    SELF_MEET_PATCHES,
    SELF_MEET_CLUSTERS,
    SELF_MEET_TRIANGLES,
    SELF_PART_BY_PLANES,
    SELF_DECIDE_FLOAT,
    SELF_DECIDE_DOUBLE,
    SELF_KERNELS
} self_kernel;

/* Workspace on the device. */
typedef enum self_buffer {
    SELF_ON_POSITIONS,
    SELF_ON_JOINTS,
    SELF_ON_PLACEMENTS,
    SELF_ON_WEIGHTS,
    SELF_ON_MAPS,
    SELF_ON_COUNTS, /* counters, counts and bad poses, which are zeroed together */
    SELF_ON_ROWS,
    SELF_ON_BOXES,
    SELF_ON_QUEUES,
    SELF_BUFFERS = SELF_ON_QUEUES + SELF_QUEUES
} self_buffer;

typedef struct self_memory {
    cuda_address at;
    size_t bytes;
} self_memory;

/* Memory of the host that only grows. */
typedef struct self_room {
    void *at;
    size_t bytes;
} self_room;

struct graze_pose_cuda {
    graze_cuda *cuda;
    graze_allocator allocator;
    graze_body *body; /* keeps the model, and answers what the device cannot */
    const graze_model *model;
    graze_pose_tables *tables;
    cuda_address block; /* tables on the device */
    self_params params; /* as they are for every call */
    size_t memory;      /* bytes that the workspace may have */
    self_memory buffers[SELF_BUFFERS];
    double rates[SELF_QUEUES]; /* entries that a pose needs, as far as is known */
    cuda_event begun, done;

    self_room words;   /* counters, counts, bad poses */
    self_room open;    /* pairs to be settled, */
    self_room settled; /* and whether they meet */
    self_room found;
    self_room pairs;  /* found ones by pose */
    self_room places; /* where each pose's begin */
};

/* Uploads the tables; fills params. */
graze_status grazei_self_tables(graze_pose_cuda *batch, graze_error *error);

/* Room on the device: what was in it is lost if it grows. */
graze_status grazei_self_take(graze_pose_cuda *batch, int buffer, size_t bytes, graze_error *error);

/* Room on the host; false when out of memory. */
bool grazei_self_reserve(graze_pose_cuda *batch, self_room *room, size_t bytes);

/* A call under way. */
typedef struct self_call {
    graze_pose_cuda *batch;
    graze_pose_cuda_call *asked;
    self_params params; /* of the piece at hand */
    size_t first, count;
    bool posed;  /* joints, not positions */
    bool stored; /* pairs are wanted, not only how many there are */
    bool any;
    uint32_t coarsened;
} self_call;

/* Does a piece that begins at call->first, of at most call->count poses; how many it was goes
 * there. What it found stands on the host then.
 */
graze_status grazei_self_piece(self_call *call, graze_error *error);

/* Settles what is open and writes the results of the piece. */
graze_status grazei_self_write(self_call *call, graze_error *error);

/* Answers the pose at call->first by the CPU; its positions are on the device. */
graze_status grazei_self_on_host(self_call *call, cuda_address positions, graze_error *error);

/* The counters of the last run. */
static inline const uint64_t *grazei_self_counters(const graze_pose_cuda *batch)
{
    return batch->words.at;
}

#endif
