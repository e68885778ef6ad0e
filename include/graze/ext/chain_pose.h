/* Sphere chains in a pose: where the spheres are, and which of them overlap.
 *
 *     graze_chain_tracker_create(chains, NULL, &tracker, &error);                 once
 *     graze_chain_pose(tracker, body, GRAZE_CHAIN_PIVOTS, spheres, n, &error);    every pose
 *     graze_posed_chains posed = {tracker, spheres};
 *     graze_chain_pairs(&posed, NULL, GRAZE_CHAIN_PAIRS, &found, NULL, &error);
 *
 * Spheres are 4 floats each: centre x y z, radius. A human takes some microseconds.
 *
 * Guarantee: exactly the pairs with (dx dx + dy dy) + dz dz <= (ra + rb)^2, each operation rounded
 * to float, by every method and number of threads. What this says about triangles depends on
 * graze_chain_update.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_EXT_CHAIN_POSE_H
#define GRAZE_EXT_CHAIN_POSE_H

#include <graze/ext/chain.h>
#include <graze/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tables that poses of some chains need. Never changes: any number of threads may share it. */
typedef struct graze_chain_tracker graze_chain_tracker;

#define GRAZE_MAX_TRACKED_SPHERES 1024
#define GRAZE_MAX_TRACKED_PIVOTS 32

typedef struct graze_chain_tracker_def {
    uint32_t clusters; /* 1 to 16; 0: 1. A conservative sphere is also found around so many pieces
                          of its triangles, and the smaller one is used: tighter and slower */
    uintptr_t reserved[2];
} graze_chain_tracker_def;

/* Makes a tracker. Takes about as long as making the model, with memory from its allocator. Keeps
 * the model alive, not the chains. def NULL: all zero.
 *   - At most GRAZE_MAX_TRACKED_SPHERES spheres with GRAZE_MAX_TRACKED_PIVOTS pivots each.
 *   - *tracker is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_tracker_create(const graze_chains *chains,
                                                           const graze_chain_tracker_def *def,
                                                           graze_chain_tracker **tracker,
                                                           graze_error *error);

/* Frees the tracker. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_chain_tracker_destroy(graze_chain_tracker *tracker);

/* Returns how many spheres there are. *pair_count, which may be NULL, is how many pairs `which`
 * has.
 */
GRAZE_EXPERIMENTAL uint32_t graze_chain_tracker_size(const graze_chain_tracker *tracker,
                                                     graze_chain_pairs_of which,
                                                     uint32_t *pair_count);

typedef enum graze_chain_update {
    GRAZE_CHAIN_PIVOTS = 0,      /* approximate: follows the pivots; may leave triangles outside */
    GRAZE_CHAIN_CONSERVATIVE = 1 /* holds every posed vertex of its triangles: if two spheres do not
                                    overlap, none of their triangles meet. Poses no vertex, except
                                    of given positions or above 1024 joints */
} graze_chain_update;

/* Writes the spheres of a body. Its part mask has no effect.
 *   - The body is of the chains' model. spheres has room for capacity spheres, at least all.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_pose(const graze_chain_tracker *tracker,
                                                 graze_body *body, graze_chain_update update,
                                                 float *spheres, uint32_t capacity,
                                                 graze_error *error);

/* Spheres of a body in one pose, and in the pose at the end of a motion. */
typedef struct graze_posed_chains {
    const graze_chain_tracker *tracker;
    const float *spheres;     /* as many as the tracker has, from graze_chain_pose or elsewhere */
    const float *end_spheres; /* only for graze_chain_sweep */
} graze_posed_chains;

/* Finds pairs of spheres that overlap or touch, ascending. A sphere that is not a number overlaps
 * nothing. Allocates nothing.
 *   - b NULL: pairs of a with itself, of those that `which` names. Otherwise every sphere of a with
 *     every sphere of b, which may have the same tracker; `which` is then ignored.
 *   - options.method: GRAZE_LAZY tests many pairs at once (SIMD). GRAZE_EAGER uses a tree over the
 *     spheres, which is faster from some hundred spheres on; GRAZE_ALL_PAIRS of one body are still
 *     tested as by GRAZE_LAZY. GRAZE_BRUTE tests one pair at a time. options.pool is faster from
 *     ten thousand pairs on, if b is NULL. Other options are GRAZE_UNSUPPORTED, except history,
 *     which changes nothing.
 *   - Tree and threads need a list with room for all pairs; otherwise pairs are tested in lanes.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_pairs(const graze_posed_chains *a,
                                                  const graze_posed_chains *b,
                                                  graze_chain_pairs_of which,
                                                  graze_pair_list *pairs,
                                                  const graze_options *options, graze_error *error);

/* Finds pairs of spheres that touch on the path from spheres to end_spheres, ascending. Centres
 * move straight, radii change evenly. An impact has the two spheres in `triangles`, and a time that
 * is right to about 1e-9 and rounded down; parts, point and normal are 0. Initial pairs are those
 * of graze_chain_pairs. With conservative spheres no triangles meet earlier, or at all.
 *   - Arguments as above. Radii are not negative. Every method is one at a time, on this thread.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_sweep(const graze_posed_chains *a,
                                                  const graze_posed_chains *b,
                                                  graze_chain_pairs_of which,
                                                  graze_impact_list *impacts,
                                                  const graze_options *options, graze_error *error);

/* Writes what is left for the exact query, as graze_part_filter.rows: a set for each sphere, with
 * the given pairs (usually those that overlap) and all pairs that `which` does not test. For a body
 * whose triangle parts are the spheres, graze_self_pairs with these rows finds all its pairs, if
 * the spheres were conservative.
 *   - rows has room for capacity words, at least n x ((n + 31) / 32) for n spheres.
 *   - Spheres of the pairs are in range; pairs may be NULL if count is 0.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_filter_rows(const graze_chain_tracker *tracker,
                                                        graze_chain_pairs_of which,
                                                        const graze_pair *pairs, size_t count,
                                                        uint32_t *rows, size_t capacity,
                                                        graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
