/* A region of a body, while its record is made: a node, or two patches that are near each other.
 *
 * Its weights are fitted by mean and gradient (region_fit.c); any fit will do, a good one leaves
 * little over. Then the largest part of what is left over, per distance, is sought among all pairs
 * of its triangles (region_residual.c).
 */
#ifndef GRAZEI_FOLDS_REGION_H
#define GRAZEI_FOLDS_REGION_H

#include "folds/build.h"

#define GRAZEI_MAX_REGION_JOINTS 8   /* the main one included */
#define GRAZEI_MAX_REGION_PATCHES 16 /* where there are several joints */
#define GRAZEI_NO_SLOT UINT32_MAX

/* What is left of a joint's weights, r = w - m - g . (x - c), over a triangle or a patch: it lies
 * in an interval. A triangle also has its values at the corners, their gradient in its plane, and
 * what that misses (all of the change, where the triangle has no area).
 */
typedef struct grazei_residual {
    double middle, radius;
    double values[3], gradient[3], slope, miss;
} grazei_residual;

typedef struct grazei_region {
    uint32_t ranks[2]; /* a node's patches, first and end; or two patches */
    bool is_pair;
    bool morphed;
    uint32_t joint_count;
    uint32_t joints[GRAZEI_MAX_REGION_JOINTS];
    uint32_t main_slot;
    double centre[3], radius;
    double mean[GRAZEI_MAX_REGION_JOINTS], gradient[GRAZEI_MAX_REGION_JOINTS][3];
    double steepness[GRAZEI_MAX_REGION_JOINTS]; /* |gradient| */
    double most[GRAZEI_MAX_REGION_JOINTS];      /* of |r| */
    double bend[GRAZEI_MAX_REGION_JOINTS];      /* of |r(x) - r(y)| / |x - y|, found so far */
    double
        within[GRAZEI_MAX_REGION_JOINTS]; /* of what triangles add by themselves, over distance */
    float shortest_edge;
} grazei_region;

static inline uint32_t grazei_region_patch_count(const grazei_region *r)
{
    if (!r->is_pair)
        return r->ranks[1] - r->ranks[0];
    return r->ranks[0] == r->ranks[1] ? 1 : 2;
}

static inline uint32_t grazei_region_patch(const grazei_fold_builder *b, const grazei_region *r,
                                           uint32_t i)
{
    return b->folds->rank_patches[r->is_pair ? r->ranks[i] : r->ranks[0] + i];
}

/* Finds mean, centre, gradients and the main joint, rounded to the floats that are kept; false if
 * there are too many joints. The joints have slots until they are forgotten, in either case.
 */
bool grazei_region_fit(grazei_fold_builder *b, grazei_region *r);
void grazei_region_forget_joints(grazei_fold_builder *b, const grazei_region *r);

/* Weights of a vertex less their means, and its place less the centre. */
void grazei_region_deviations(const grazei_fold_builder *b, const grazei_region *r, uint32_t vertex,
                              double weights[GRAZEI_MAX_REGION_JOINTS], double place[3]);

/* Finds bend and what else the spread takes, over all pairs of the region's triangles that are no
 * neighbours and not listed; *useful is false if they come to too much. False when out of memory.
 */
bool grazei_region_measure(grazei_fold_builder *b, grazei_region *r, bool *useful);

/* How much (w - m) (x - c) differs between two points of the region, per distance. */
double grazei_region_spread(const grazei_region *r, uint32_t slot);

#endif
