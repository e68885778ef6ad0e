/* Sphere chains in a pose: where their spheres are now, and which of them overlap.
 *
 *     graze_chain_plan_create(chains, NULL, &plan, &error);            once
 *
 *     graze_chain_pose(plan, body, GRAZE_CHAIN_PIVOTS, spheres, n, &error);
 *     graze_chain_pairs(plan, spheres, GRAZE_CHAIN_CHAINS, NULL, pairs, capacity, &count, &error);
 *
 * Some microseconds for a human of some tens of spheres, no vertex posed but the spheres' pivots,
 * and nothing allocated. Spheres are 4 floats each everywhere: centre x y z, radius.
 *
 * Guarantee: of the overlap, exactly the spheres a < b with (dx dx + dy dy) + dz dz <= (ra + rb)^2
 * in floats, each operation rounded, so that they overlap or touch; the same on every instruction
 * set, with every method and number of threads. What spheres say of the triangles is up to the
 * update: approximate with pivots, conservative else.
 */
#ifndef GRAZE_CHAIN_POSE_H
#define GRAZE_CHAIN_POSE_H

#include <graze/body.h>
#include <graze/chain.h>
#include <graze/pool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What poses of some chains need, found once. Immutable: any number of threads may share it. */
typedef struct graze_chain_plan graze_chain_plan;

#define GRAZE_MAX_PLAN_SPHERES 1024
#define GRAZE_MAX_PLAN_PIVOTS 32

/* How spheres follow a pose. */
typedef enum graze_chain_update {
    /* The centre is the weighted sum of the posed pivots, the radius radius_factor times their mean
     * distance from it. Follows the shape, and may leave triangles outside.
     */
    GRAZE_CHAIN_PIVOTS = 0,
    /* Holds every posed vertex of every triangle that the sphere owns, rounding included, of the
     * overlap's test too: where two such spheres do not overlap, none of their triangles meet.
     * Found from bounds of the pose (docs/bounds.md) without posing a vertex; where there is no
     * such bound (given positions, more than 1024 joints) from the posed vertices.
     */
    GRAZE_CHAIN_CONSERVATIVE = 1
} graze_chain_update;

/* Which pairs are looked at, and how. */
typedef enum graze_chain_method {
    GRAZE_CHAIN_CHAINS = 0, /* those of graze_chains_checked, one by one */
    GRAZE_CHAIN_ALL = 1,    /* those of graze_chains_all_pairs */
    GRAZE_CHAIN_TREE = 2    /* those of graze_chains_checked, by a tree over the spheres */
} graze_chain_method;

typedef struct graze_chain_plan_def {
    /* A conservative sphere is found around all triangles at once, and unless this is 1 also around
     * so many pieces of them, up to 16; the smaller one counts. Pieces are tighter where a sphere's
     * triangles bend, and take time.
     */
    uint32_t clusters;
} graze_chain_plan_def;

/* 1 cluster. */
GRAZE_EXPERIMENTAL graze_chain_plan_def graze_default_chain_plan_def(void);

/* Makes a plan, which keeps nothing of the chains but holds their model; memory comes from the
 * model's allocator. Takes about as long as making the model.
 *   - def may be NULL for the default.
 *   - There are at most GRAZE_MAX_PLAN_SPHERES spheres with at most GRAZE_MAX_PLAN_PIVOTS pivots
 * each, else GRAZE_BAD_INPUT.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_plan_create(const graze_chains *chains,
                                                        const graze_chain_plan_def *def,
                                                        graze_chain_plan **plan,
                                                        graze_error *error);

/* Frees the plan. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_chain_plan_destroy(graze_chain_plan *plan);

/* How many spheres there are, and how many pairs a method looks at. */
GRAZE_EXPERIMENTAL uint32_t graze_chain_plan_sphere_count(const graze_chain_plan *plan);
GRAZE_EXPERIMENTAL uint32_t graze_chain_plan_pair_count(const graze_chain_plan *plan,
                                                        graze_chain_method method);

/* Writes where the spheres of a body are. Its group mask means nothing here. A lean body borrows
 * caches only where vertices have to be posed (GRAZE_CHAIN_CONSERVATIVE).
 *   - The body is of the chains' model.
 *   - spheres has room for capacity spheres, no fewer than there are.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_pose(const graze_chain_plan *plan, graze_body *body,
                                                 graze_chain_update update, float *spheres,
                                                 uint32_t capacity, graze_error *error);

/* The pairs of a method whose spheres overlap or touch, ascending. *count becomes how many there
 * are, and up to capacity of them are written.
 *   - spheres are those of graze_chain_pose, or any others: as many as the plan has, 4 floats each.
 *     One that is not a number overlaps nothing.
 *   - pairs may be NULL if capacity is 0.
 *   - pool NULL: the calling thread alone, which is best below some ten thousand pairs. Threads,
 * and the tree, are used where capacity is at least graze_chain_plan_pair_count.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_pairs(const graze_chain_plan *plan,
                                                  const float *spheres, graze_chain_method method,
                                                  graze_pool *pool, graze_chain_pair *pairs,
                                                  size_t capacity, size_t *count,
                                                  graze_error *error);

/* The same, a pair at a time without lanes or threads, to measure and test against. */
GRAZE_EXPERIMENTAL graze_status graze_chain_pairs_plain(const graze_chain_plan *plan,
                                                        const float *spheres,
                                                        graze_chain_method method,
                                                        graze_chain_pair *pairs, size_t capacity,
                                                        size_t *count, graze_error *error);

/* The same between two bodies: every sphere a of the first with every sphere b of the second, by
 * brute force in lanes, or with GRAZE_CHAIN_TREE by the trees of both. Plans may be the same one.
 * The tree is used where capacity has room for all pairs.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_pairs_between(
    const graze_chain_plan *plan_a, const float *spheres_a, const graze_chain_plan *plan_b,
    const float *spheres_b, graze_chain_method method, graze_chain_pair *pairs, size_t capacity,
    size_t *count, graze_error *error);

/* Two spheres on their way, and when they first touch. */
typedef struct graze_chain_impact {
    uint32_t a, b;
    double time; /* 0 to 1 */
} graze_chain_impact;

/* The pairs of a method whose spheres touch on their way from start to end, ascending: centres go
 * straight, and radii change evenly. With conservative spheres at both ends no triangles meet
 * earlier, or at all, where vertices go straight (graze/sweep.h): what holds points at both ends
 * holds them in between. Computed in doubles; times, and whether spheres that just touch do, are
 * right to about 1e-9 of the way. Pairs that overlap at the start in floats, as graze_chain_pairs
 * has it, are at time 0.
 *   - start and end hold as many spheres as the plan has; radii are not negative.
 *   - Else as graze_chain_pairs.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_sweep(const graze_chain_plan *plan, const float *start,
                                                  const float *end, graze_chain_method method,
                                                  graze_chain_impact *impacts, size_t capacity,
                                                  size_t *count, graze_error *error);

/* The same between two bodies, every sphere with every sphere. */
GRAZE_EXPERIMENTAL graze_status graze_chain_sweep_between(
    const graze_chain_plan *plan_a, const float *start_a, const float *end_a,
    const graze_chain_plan *plan_b, const float *start_b, const float *end_b,
    graze_chain_impact *impacts, size_t capacity, size_t *count, graze_error *error);

/* Words of 32 bits in what graze_chain_exact_rows writes. */
GRAZE_EXPERIMENTAL size_t graze_chain_exact_words(const graze_chain_plan *plan);

/* What is left for the exact query: a row of bits for each sphere, bit b of row a (and a of b) for
 * the pairs given, usually those that overlap, and for all pairs that the method does not look at:
 * neighbours, a sphere with itself, and what the chains skip. As graze_self_between.rows, for a
 * body of a model whose triangle groups are the spheres (graze_chains_triangle_sphere; give groups
 * of vertices too, or there are as many groups as joints), this asks for exactly the pairs of
 * graze_collide_self if the spheres were conservative.
 *   - rows has room for capacity words, at least graze_chain_exact_words.
 *   - Spheres of the pairs are in range; with count 0 pairs may be NULL.
 */
GRAZE_EXPERIMENTAL graze_status graze_chain_exact_rows(const graze_chain_plan *plan,
                                                       graze_chain_method method,
                                                       const graze_chain_pair *pairs, size_t count,
                                                       uint32_t *rows, size_t capacity,
                                                       graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
