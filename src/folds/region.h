/* A region of a body, while its record is made: two patches that are near each other, or one.
 *
 * Its weights are fitted by mean and gradient (region_fit.c); any fit will do, a good one leaves
 * little over. What is left over, r = w - m - g . (x - c) and q = (w - m) (x - c), is four numbers
 * a vertex and joint, linear within triangles. How much it differs between two points, per
 * distance, is measured pair by pair where triangles are close (region_close.c), and between groups
 * of triangles for all others (region_groups.c).
 */
#ifndef GRAZEI_FOLDS_REGION_H
#define GRAZEI_FOLDS_REGION_H

#include "folds/build.h"

#define GRAZEI_NO_SLOT UINT32_MAX

typedef struct grazei_region {
    uint32_t patches[2]; /* which may be one */
    bool morphed;
    uint32_t joint_count;
    uint32_t joints[GRAZEI_MAX_REGION_JOINTS];
    uint32_t main_slot;
    double centre[3], radius;
    double mean[GRAZEI_MAX_REGION_JOINTS], gradient[GRAZEI_MAX_REGION_JOINTS][3];
    double steepness[GRAZEI_MAX_REGION_JOINTS]; /* |gradient| */
    float shortest_edge;                        /* of its patches' */
    uint32_t first_vertex[2];                   /* of a patch, among the region's values */
    float most[GRAZEI_MAX_REGION_JOINTS][2];    /* of |r| and |q| */
    float bend[GRAZEI_MAX_REGION_JOINTS], spread[GRAZEI_MAX_REGION_JOINTS]; /* found so far */
} grazei_region;

static inline uint32_t grazei_region_patch_count(const grazei_region *r)
{
    return r->patches[0] == r->patches[1] ? 1 : 2;
}

/* Triangles that are not close are at least so far apart. */
static inline double grazei_region_reach(const grazei_region *r)
{
    return GRAZEI_CLOSE_PART * (double)r->shortest_edge;
}

/* Above what a few operations in float lose, relative to the largest number in them. */
#define GRAZEI_FLOAT_LOSS 1e-6f

static inline float grazei_length_of_q(f4 value)
{
    return sqrtf((value[1] * value[1] + value[2] * value[2]) + value[3] * value[3]);
}

/* Finds mean, centre, gradients and the main joint, rounded to the floats that are kept; and, where
 * there are several joints, the deviations of all vertices: weights less their means, and the place
 * less the centre. False if there are too many joints. They have slots until they are forgotten, in
 * either case.
 */
bool grazei_region_fit(grazei_fold_builder *b, grazei_region *r);
void grazei_region_forget_joints(grazei_fold_builder *b, const grazei_region *r);

/* Finds the values, and raises bend and spread by all groups of triangles, as far as those are not
 * close; false if a record is then of no use.
 */
bool grazei_region_measure(grazei_fold_builder *b, grazei_region *r);

/* Raises bend and spread by the close triangles; false if a record is then of no use. */
bool grazei_region_measure_close(grazei_fold_builder *b, grazei_region *r);

/* Whether bend and spread leave a record of use. */
bool grazei_region_is_useful(const grazei_region *r);

/* Begins a region: whether it may have a record. Its joints are to be forgotten in either case. */
bool grazei_region_begin(grazei_fold_builder *b, grazei_region *r);

/* Makes its record. False when out of memory. */
bool grazei_region_record(grazei_fold_builder *b, const grazei_region *r, uint32_t *number);

#endif
