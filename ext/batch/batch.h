/* A batch from the inside: a body of each model for every thread. */
#ifndef GRAZEI_BATCH_BATCH_H
#define GRAZEI_BATCH_BATCH_H

#include <graze/ext/batch.h>

/* What a thread has done of a call. */
typedef struct grazei_pose_tally {
    size_t bad, first_bad;
    uint64_t total, not_stored;
    graze_error why;   /* of the first bad one */
    size_t failed;     /* the lowest pose at which the call failed, */
    graze_error error; /* unless this is GRAZE_OK */
} grazei_pose_tally;

struct graze_pose_batch {
    graze_allocator allocator;
    graze_pool *pool;
    uint32_t threads;
    const graze_model *models[2]; /* the second may be NULL */
    graze_body **bodies;          /* thread t has 2t and 2t + 1 */
    grazei_pose_tally *tallies;
};

/* Errors for poses whose arrays are not the model's. name: "poses". */
graze_status grazei_check_poses(const graze_model *model, const graze_pose_set *poses,
                                const char *name, graze_error *error);

/* Brings a body into pose n. */
graze_status grazei_take_pose(graze_body *body, const graze_pose_set *poses, size_t n,
                              graze_error *error);

#endif
