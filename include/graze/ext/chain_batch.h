/* Many poses of one model at once: which spheres of its chains meet, pose by pose. For pose
 * estimation and motion generation. On a GPU: graze/chain_cuda.h. The same bits as chain_pose.h.
 *
 * Linear skinning without morph targets only; spheres follow their pivots.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_EXT_CHAIN_BATCH_H
#define GRAZE_EXT_CHAIN_BATCH_H

#include <graze/ext/chain.h>
#include <graze/pool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The flag of a pose. */
enum {
    GRAZE_CHAIN_APART = 0,   /* no tested pair of spheres touches */
    GRAZE_CHAIN_MEETS = 1,   /* one does */
    GRAZE_CHAIN_BAD_POSE = 2 /* a sphere is not finite or beyond 1e18: nothing is known */
};

/* Where the results of a call go. Any pointer may be NULL. A bad pose has count 0 and no pairs. */
typedef struct graze_chain_results {
    uint8_t *flags;         /* one per pose */
    uint32_t *counts;       /* one per pose: pairs that touch */
    uint32_t *pairs;        /* pair_capacity a pose: the first of them, ascending, as numbers in
                               graze_chain_tables.pairs; unused places are not written */
    uint32_t pair_capacity; /* of a pose, at least 1 with pairs; more are counted only */
    float *spheres;         /* x y z r of each sphere, pose after pose */
} graze_chain_results;

typedef struct graze_chain_batch_def {
    const graze_chains *chains;
    graze_chain_pairs_of which;
    graze_pool *pool; /* NULL: the calling thread; otherwise must outlive the batch */
    uintptr_t reserved[2];
} graze_chain_batch_def;

typedef struct graze_chain_batch graze_chain_batch;

/* Makes a batch, with memory from the model's allocator. Keeps the model alive, not the chains. One
 * call at a time.
 *   - GRAZE_UNSUPPORTED: skinning that is not linear, morph targets, above 65,535 spheres, 255
 *     influences of a pivot's vertex or 16,777,215 in all.
 *   - *batch is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_batch_create(const graze_chain_batch_def *def,
                                                         graze_chain_batch **batch,
                                                         graze_error *error);

/* Frees the batch. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_chain_batch_destroy(graze_chain_batch *batch);

/* Finds the spheres of every pose and which tested pairs touch. Allocates nothing.
 *   - joints: for each pose the model's joints, 12 floats each (3 rows of 4). NULL if pose_count is
 *     0.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_batch_run(graze_chain_batch *batch, const float *joints,
                                                      size_t pose_count,
                                                      const graze_chain_results *results,
                                                      graze_error *error);

/* A pivot's vertex at rest. */
typedef struct graze_chain_vertex {
    float rest[3];
    uint32_t influences; /* 256 x the first one's number + how many, 1 to 255 */
} graze_chain_vertex;

/* A joint's share in such a vertex; joint is a number in used_joints. */
typedef struct graze_chain_influence {
    uint32_t joint;
    float weight;
} graze_chain_influence;

/* How a sphere follows its pivots. */
typedef struct graze_chain_follower {
    float scale; /* radius / sum of the pivots' distances from the centre */
    uint32_t first_pivot;
    uint32_t pivot_count; /* at least 1 */
} graze_chain_follower;

/* The tables of a batch, for other devices. Pivot p has the vertices from p x vertices_per_pivot
 * on.
 */
typedef struct graze_chain_tables {
    uint32_t joint_count;        /* of the model */
    uint32_t used_joint_count;   /* that move pivots */
    uint32_t vertices_per_pivot; /* 1 or 3 */
    uint32_t vertex_count;
    uint32_t influence_count;
    uint32_t pivot_count;
    uint32_t sphere_count;
    uint32_t pair_count;
    uint32_t max_pivots; /* of one sphere */

    const uint32_t *used_joints; /* their numbers in the model, ascending */
    const graze_chain_vertex *vertices;
    const graze_chain_influence *influences;
    const float *pivot_weights;
    const graze_chain_follower *spheres;
    const uint32_t *pairs; /* i + 65,536 j of spheres i < j */
} graze_chain_tables;

/* Returns the tables, valid as long as the batch; NULL for NULL. */
GRAZE_EXPERIMENTAL const graze_chain_tables *
graze_chain_batch_tables(const graze_chain_batch *batch);

#ifdef __cplusplus
}
#endif

#endif
