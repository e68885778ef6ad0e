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
    float limits[GRAZEI_MAX_REGION_JOINTS][2]; /* at most their squares */
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

/* Finds the values, what is left of weights, and their ranges over all groups. */
void grazei_region_find_values(grazei_fold_builder *b, grazei_region *r);

/* Raises bend and spread by all triangles that are not close; false if a record is then of no use.
 * Quicker after those that are.
 */
bool grazei_region_measure(grazei_fold_builder *b, grazei_region *r);

/* Raises what was found of a joint. */
static inline void grazei_region_raise(grazei_region *r, uint32_t j, const float by[2])
{
    float *const found[2] = {&r->bend[j], &r->spread[j]};
    for (int kind = 0; kind < 2; kind++) {
        *found[kind] = f1_max(*found[kind], by[kind] * (1 + 8 * GRAZEI_FLOAT_LOSS));
        r->limits[j][kind] = *found[kind] * *found[kind] * (1 - 4 * GRAZEI_FLOAT_LOSS);
    }
}

/* What is left of a joint's weights over some triangles; high is larger by GRAZEI_FLOAT_LOSS of the
 * most that there is in the region, of r and of q.
 */
typedef struct grazei_range {
    f4 low, high;
} grazei_range;

/* How much a joint may differ between two ranges, per distance: r, and q by axes. */
static inline f4 grazei_range_between(const grazei_range *x, const grazei_range *y,
                                      float per_distance)
{
    return f4_max(x->high - y->low, y->high - x->low) * f4_all(per_distance);
}

/* Which joints ranges (by joint) may raise, as bits. */
static inline uint32_t grazei_ranges_above(const grazei_region *r, const grazei_range *x,
                                           const grazei_range *y, float per_distance)
{
    uint32_t bits = 0;
    for (uint32_t j = 0; j < r->joint_count; j++) {
        f4 most = grazei_range_between(&x[j], &y[j], per_distance), squares = most * most;
        bool below = (squares[0] <= r->limits[j][0]) &
                     ((squares[1] + squares[2]) + squares[3] <= r->limits[j][1]);
        bits |= (uint32_t)!below << j;
    }
    return bits & ~(1u << r->main_slot);
}

/* The ranges of a group of one of the region's patches, by joint. */
static inline grazei_range *grazei_region_ranges(const grazei_fold_builder *b,
                                                 const grazei_region *r, uint32_t side,
                                                 uint32_t group)
{
    return b->ranges + (size_t)side * GRAZEI_MAX_RANGES + (size_t)group * r->joint_count;
}

/* Vertices of a few triangles, and how they lie along a direction of length 1, to within 2^-20. */
#define GRAZEI_SET_VERTICES (3 * GRAZEI_GROUP_TRIANGLES)

typedef struct grazei_vertex_set {
    uint32_t count, padded;
    const f4 *values[GRAZEI_SET_VERTICES]; /* by joint */
    float along[GRAZEI_SET_VERTICES];
    float high;      /* of the second of two sets: the last of them */
    float least_gap; /* of the first: how far it comes after the second */
} grazei_vertex_set;

/* The values of a vertex of one of the region's patches, by joint. */
static inline const f4 *grazei_region_values(const grazei_fold_builder *b, const grazei_region *r,
                                             uint32_t side, uint32_t vertex)
{
    return b->values + (size_t)GRAZEI_MAX_REGION_JOINTS * (r->first_vertex[side] + vertex);
}

/* False: the first does not come after the second along their direction. */
bool grazei_sets_apart(const grazei_fold_builder *b, grazei_vertex_set *first,
                       grazei_vertex_set *second);

/* If it does: whether that leaves something to raise of a joint. `least` is lowered to what both
 * sets allow, as far as that is more than what was found. range is the second's, of this joint.
 */
bool grazei_sets_differ(const grazei_fold_builder *b, const grazei_region *r,
                        const grazei_vertex_set *first, const grazei_vertex_set *second,
                        const grazei_range *range, uint32_t j, float least[2]);

/* Raises bend and spread by the close triangles; false if a record is then of no use. */
bool grazei_region_measure_close(grazei_fold_builder *b, grazei_region *r);

/* Whether bend and spread leave a record of use. */
bool grazei_region_is_useful(const grazei_region *r);

/* Begins a region: whether it may have a record. Its joints are to be forgotten in either case. */
bool grazei_region_begin(grazei_fold_builder *b, grazei_region *r);

/* Makes its record. False when out of memory. */
bool grazei_region_record(grazei_fold_builder *b, const grazei_region *r, uint32_t *number);

#endif
