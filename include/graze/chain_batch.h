/* Many poses of one model at once: which spheres of its chains meet, pose by pose.
 *
 * For pose estimation and the generation of motions: thousands of poses in one call, over threads
 * and wide instructions here, on a GPU by graze/chain_cuda.h. Both give the same bits, and those of
 * posing a body and asking graze/chain_pose.h one by one.
 *
 * Linear skinning without morph targets only; spheres follow their pivots.
 */
#ifndef GRAZE_CHAIN_BATCH_H
#define GRAZE_CHAIN_BATCH_H

#include <graze/chain.h>
#include <graze/pool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is found of a pose, in its flag. */
enum {
    GRAZE_CHAIN_APART = 0, /* no checked pair of spheres overlaps or touches */
    GRAZE_CHAIN_MEETS = 1, /* one does */
    GRAZE_CHAIN_BAD_POSE =
        2 /* a sphere is not finite or beyond 1e18: nothing is said of the pose */
};

/* Where the results of a call go; any pointer may be NULL. Of a bad pose the count is 0, no pair is
 * written, and its spheres are as they came out.
 */
typedef struct graze_chain_results {
    uint8_t *flags;         /* one a pose: GRAZE_CHAIN_APART and so on */
    uint32_t *counts;       /* one a pose: pairs that overlap or touch */
    uint32_t *pairs;        /* pair_capacity a pose: the first of them, ascending, as numbers in the
                               list of pairs (graze_chain_batch_tables); what is behind the last one
                               is not written */
    uint32_t pair_capacity; /* of a pose; more pairs are counted only */
    float *spheres;         /* x y z r of each sphere, sphere after sphere, pose after pose */
} graze_chain_results;

/* What is checked, and with what. Start from graze_default_chain_batch_def(). */
typedef struct graze_chain_batch_def {
    const graze_chains *chains;
    bool all_pairs;   /* every pair but neighbours (M2) in place of the chains' (M1) */
    graze_pool *pool; /* NULL: the calling thread alone; else stays until the batch is gone */
} graze_chain_batch_def;

GRAZE_EXPERIMENTAL graze_chain_batch_def graze_default_chain_batch_def(void);

typedef struct graze_chain_batch graze_chain_batch;

/* Makes a batch: the tables that all poses share, and room for every thread to work in, from the
 * model's allocator. It holds the model, not the chains. One call at a time may use it.
 *   - def, def->chains and batch are not NULL.
 *   - The model's skinning is linear, and it has no morph targets, else GRAZE_UNSUPPORTED.
 *   - At most 65,535 spheres, 255 influences a pivot's vertex and 16,777,215 of them in all, else
 *     GRAZE_UNSUPPORTED.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_batch_create(const graze_chain_batch_def *def,
                                                         graze_chain_batch **batch,
                                                         graze_error *error);

/* Frees the batch. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_chain_batch_destroy(graze_chain_batch *batch);

/* Finds the spheres of every pose and which checked pairs of them overlap or touch: the same bits
 * as one by one. Allocates nothing.
 *
 * joints: pose_count times the model's joints, 12 floats each, three rows of four, translation last
 * in each row: as graze_body_set_pose takes them. Values that pivots do not see are not looked at.
 * NULL with pose_count 0 is fine.
 *   - batch, joints and results are not NULL.
 *   - pairs comes with a capacity of at least 1.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_batch_run(graze_chain_batch *batch, const float *joints,
                                                      size_t pose_count,
                                                      const graze_chain_results *results,
                                                      graze_error *error);

/* A vertex of a pivot at rest. */
typedef struct graze_chain_vertex {
    float rest[3];
    uint32_t influences; /* the first one's number times 256, and how many: 1 to 255 */
} graze_chain_vertex;

/* One joint's share in such a vertex; the joint's number is one in the tables' list of joints. */
typedef struct graze_chain_influence {
    uint32_t joint;
    float weight;
} graze_chain_influence;

/* How a sphere follows its pivots. */
typedef struct graze_chain_follower {
    float scale; /* the radius is scale times the sum of the pivots' distances to the centre */
    uint32_t first_pivot;
    uint32_t pivot_count; /* at least 1 */
} graze_chain_follower;

/* What a batch knows of its chains, in the form in which other devices take it: read-only, and gone
 * with the batch. Pivot p has the vertices from p x vertices_per_pivot on.
 */
typedef struct graze_chain_tables {
    uint32_t joint_count;        /* of the model */
    uint32_t used_joint_count;   /* of those that move pivots */
    uint32_t vertices_per_pivot; /* 1 or 3 */
    uint32_t vertex_count;
    uint32_t influence_count;
    uint32_t pivot_count;
    uint32_t sphere_count;
    uint32_t pair_count;
    uint32_t most_pivots; /* of a sphere */

    const uint32_t *used_joints; /* their numbers in the model, ascending */
    const graze_chain_vertex *vertices;
    const graze_chain_influence *influences;
    const float *pivot_weights;
    const graze_chain_follower *spheres;
    const uint32_t *pairs; /* i + 65,536 j of spheres i < j, in the chains' order */
} graze_chain_tables;

/* The tables of a batch; NULL of NULL. */
GRAZE_EXPERIMENTAL const graze_chain_tables *
graze_chain_batch_tables(const graze_chain_batch *batch);

#ifdef __cplusplus
}
#endif

#endif
