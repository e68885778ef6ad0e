/* Many poses of one model in one call: which triangles meet, pose by pose. For pose estimation, the
 * generation of motions and robots. On a GPU: graze/batch_cuda.h, with the same structs.
 *
 *     graze_pose_batch_create(&def, &batch, &error);
 *     graze_pose_set poses = {0};
 *     poses.count = 100000;
 *     poses.joints = joints;                          N x J x 12 floats
 *     poses.joint_count = J;
 *     graze_pose_results results = {0};
 *     results.counts = counts;                        N numbers
 *     graze_pose_batch_self(batch, &poses, NULL, false, &results, &error);
 *
 * Answers are those of graze_self_pairs, graze_pairs and graze_cast for a body in each pose, and
 * the same bytes with any number of threads.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_EXT_BATCH_H
#define GRAZE_EXT_BATCH_H

#include <graze/graze.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- poses and results ---------------------------------------------------------------------- */

/* N poses of one model: joints, placements and morph weights, any of which may be NULL as in
 * graze_pose, or positions in place of all of them. Row n of each array is pose n.
 */
typedef struct graze_pose_set {
    size_t count; /* N */

    const float *joints;        /* joint_count x 12 floats a pose: 3 rows of 4 */
    const float *placements;    /* 12 floats a pose */
    const float *morph_weights; /* morph_count floats a pose */
    const float *positions;     /* vertex_count x 3 floats a pose, in world space */

    /* The model's, for each array that is there. */
    uint32_t joint_count;
    uint32_t morph_count;
    uint32_t vertex_count;
    uintptr_t reserved[2];
} graze_pose_set;

/* The mark of a pose. */
enum {
    GRAZE_POSE_APART = 0,    /* nothing meets */
    GRAZE_POSE_MEETS = 1,    /* something does */
    GRAZE_POSE_BAD = 2,      /* not finite, or beyond 1e18: nothing is known */
    GRAZE_POSE_LEFT_OUT = 3, /* the call was stopped before */
};

/* Where the results of a call go. Any pointer may be NULL. With neither counts, matrix nor pairs
 * every pose ends at its first pair.
 */
typedef struct graze_pose_results {
    /* Set by the caller. */
    uint8_t *marks;   /* one a pose */
    uint32_t *counts; /* one a pose: pairs, or rays that hit; at most UINT32_MAX */

    /* P x Q numbers a pose, P and Q the part counts of both models: [p][q] is the number of pairs
     * of part p of the first and part q of the second body. Of one body [p][q] and [q][p] are the
     * same.
     */
    uint32_t *matrix;

    /* A room for each pose: of its pairs the first ones, ascending by a, then b. Places that are
     * not needed are not written. Room n is pairs[n x pair_capacity], pair_capacity pairs long; or
     * with offsets, N + 1 numbers that do not descend, from offsets[n] up to offsets[n + 1].
     */
    graze_pair *pairs;
    size_t pair_capacity;
    const uint64_t *pair_offsets;

    /* Called by the calling thread now and then; false: stop. What is done by then stays. */
    bool (*progress)(void *user, size_t done, size_t count);
    void *user;

    /* Set by the call, unless it fails. */
    size_t done;         /* poses that are answered, bad ones included */
    size_t bad;          /* bad poses */
    size_t first_bad;    /* the lowest of them */
    graze_error why;     /* what is wrong with it */
    uint64_t total;      /* pairs found, or rays that hit, in all poses */
    uint64_t not_stored; /* pairs that had no room */
} graze_pose_results;

/* ---- on the CPU ----------------------------------------------------------------------------- */

typedef struct graze_pose_batch_def {
    const graze_model *model;
    const graze_model *other; /* the second one of graze_pose_batch_pairs; NULL: none. It may be the
                                 same */
    const uint32_t *part_mask; /* graze_body_set_part_mask's bits, for all poses; NULL: all parts */
    const uint32_t *other_part_mask;
    graze_pool *pool; /* NULL: the calling thread; otherwise must outlive the batch */
    uintptr_t reserved[4];
} graze_pose_batch_def;

typedef struct graze_pose_batch graze_pose_batch;

/* Makes a batch, with one body of each model for every thread. Keeps the models alive. One call at
 * a time. Later calls allocate nothing.
 *   - *batch is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_pose_batch_create(const graze_pose_batch_def *def,
                                                        graze_pose_batch **batch,
                                                        graze_error *error);

/* Frees the batch. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_pose_batch_destroy(graze_pose_batch *batch);

/* Finds where each pose goes through itself, as graze_self_pairs does.
 *   - A pose that is not finite is marked, has count 0, no pairs and a matrix of zeros, and spoils
 *     no other. Arrays of the wrong size and a bad filter are GRAZE_BAD_INPUT, and nothing is
 *     written.
 *   - GRAZE_UNFINISHED if progress stopped it.
 */
GRAZE_EXPERIMENTAL graze_status graze_pose_batch_self(graze_pose_batch *batch,
                                                      const graze_pose_set *poses,
                                                      const graze_part_filter *filter,
                                                      bool only_new, graze_pose_results *results,
                                                      graze_error *error);

/* Finds which triangles of the model in pose n of a meet the other model in pose n of b.
 *   - The batch has another model; a and b have the same count.
 */
GRAZE_EXPERIMENTAL graze_status graze_pose_batch_pairs(graze_pose_batch *batch,
                                                       const graze_pose_set *a,
                                                       const graze_pose_set *b,
                                                       graze_pose_results *results,
                                                       graze_error *error);

/* Finds the nearest hit of rays_per_pose rays in each pose: hits[n x rays_per_pose + r] is that of
 * rays[n x rays_per_pose + r] in pose n, as by graze_cast. Of results, matrix and pairs are NULL.
 *   - A pose with a bad ray is bad like one that is not finite; its hits are not found.
 */
GRAZE_EXPERIMENTAL graze_status graze_pose_batch_cast(graze_pose_batch *batch,
                                                      const graze_pose_set *poses,
                                                      const graze_ray *rays, size_t rays_per_pose,
                                                      graze_hit *hits, graze_pose_results *results,
                                                      graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
