/* A region of a body, while its record is made: two patches that are near each other, or one.
 *
 * Its weights are fitted by mean and gradient (region_fit.c); any fit will do, a good one leaves
 * little over. What is left over, r = w - m - g . (x - c) and q = (w - m) (x - c), is four numbers
 * a vertex and joint, linear within triangles. How much it differs between two points, per
 * distance, is measured pair by pair where triangles are close (region_sets.c), and between groups
 * of triangles for all others (region_groups.c).
 */
#ifndef GRAZEI_FOLDS_REGION_H
#define GRAZEI_FOLDS_REGION_H

#include "folds/build.h"

#define GRAZEI_NO_SLOT UINT32_MAX

/* Joints other than the main one are looked at four at a time, one a lane. */
#define GRAZEI_MAX_FOURS ((GRAZEI_MAX_FOLD_ROWS + 3) / 4)
#define GRAZEI_MAX_LANES (4 * GRAZEI_MAX_FOURS)

/* What is known of four joints, of r first, then of q. Lanes without a joint are 0 everywhere, and
 * all that is found of them is infinite.
 */
typedef struct grazei_joint_four {
    f4 most[2];   /* of |r| and |q| */
    f4 found[2];  /* bend and spread so far */
    f4 limits[2]; /* at most their squares */
} grazei_joint_four;

typedef struct grazei_region {
    uint32_t patches[2]; /* which may be one */
    bool morphed;
    uint32_t joint_count;
    uint32_t joints[GRAZEI_MAX_REGION_JOINTS]; /* the main one is the last */
    double centre[3], radius;
    double less[GRAZEI_MAX_REGION_JOINTS];         /* means, less than 0 */
    double gradient[3][GRAZEI_MAX_LANES];          /* by axis; of all but the main one */
    double steepness[GRAZEI_MAX_LANES];            /* |gradient| */
    float shortest_edge;                           /* of its patches' */
    uint32_t first_vertex[2];                      /* of a patch, among the region's values */
    bool known[2][2 * GRAZEI_MAX_PATCH_TRIANGLES]; /* of a patch: groups whose ranges are */
    uint32_t four_count;
    grazei_joint_four fours[GRAZEI_MAX_FOURS];
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

/* What was found of a joint: bend, or spread. */
static inline float *grazei_region_found(grazei_region *r, int kind, uint32_t joint)
{
    return (float *)&r->fours[joint / 4].found[kind] + joint % 4;
}

/* Above what a few operations in float lose, relative to the largest number in them. */
#define GRAZEI_FLOAT_LOSS 1e-6f

/* What is left of four joints' weights at a vertex: r, and q by axes. */
typedef struct grazei_left {
    f4 rq[4];
} grazei_left;

static inline f4 grazei_square_of_q(const grazei_left *value)
{
    const f4 *rq = value->rq;
    return (rq[1] * rq[1] + rq[2] * rq[2]) + rq[3] * rq[3];
}

/* Finds mean, centre, gradients and the main joint, rounded to the floats that are kept; and, where
 * there are several joints, the deviations of all vertices: weights less their means, and the place
 * less the centre. False if there are too many joints. They have slots until they are forgotten, in
 * either case.
 */
bool grazei_region_fit(grazei_fold_builder *b, grazei_region *r);
void grazei_region_forget_joints(grazei_fold_builder *b, const grazei_region *r);

/* Finds the values, what is left of weights. */
void grazei_region_find_values(grazei_fold_builder *b, grazei_region *r);

/* Raises bend and spread by all triangles that are not close; false if a record is then of no use.
 * Quicker after those that are.
 */
bool grazei_region_measure(grazei_fold_builder *b, grazei_region *r);

/* Raises what was found of those joints of four that a mask says. */
static inline void grazei_region_raise(grazei_joint_four *four, i4 joints, const f4 by[2])
{
    for (int kind = 0; kind < 2; kind++) {
        f4 more = by[kind] * f4_all(1 + 8 * GRAZEI_FLOAT_LOSS);
        f4 found = f4_max(four->found[kind], (f4)((i4)more & joints));
        four->found[kind] = found;
        four->limits[kind] = found * found * f4_all(1 - 4 * GRAZEI_FLOAT_LOSS);
    }
}

/* What is left of weights over some triangles; high is larger by GRAZEI_FLOAT_LOSS of the most that
 * there is in the region, of r and of q.
 */
typedef struct grazei_range {
    grazei_left low, high;
} grazei_range;

/* How much joints may differ between two ranges, per distance. */
static inline grazei_left grazei_range_between(const grazei_range *a, const grazei_range *b,
                                               float per_distance)
{
    grazei_left out;
    for (int k = 0; k < 4; k++)
        out.rq[k] = f4_max(a->high.rq[k] - b->low.rq[k], b->high.rq[k] - a->low.rq[k]) *
                    f4_all(per_distance);
    return out;
}

/* Which of four joints ranges may raise. */
static inline i4 grazei_ranges_above(const grazei_joint_four *four, const grazei_range *a,
                                     const grazei_range *b, float per_distance)
{
    grazei_left most = grazei_range_between(a, b, per_distance);
    return ~((most.rq[0] * most.rq[0] <= four->limits[0]) &
             (grazei_square_of_q(&most) <= four->limits[1]));
}

/* Lowers something to by how much they may, of r and of q. */
static inline void grazei_ranges_allow(const grazei_range *a, const grazei_range *b,
                                       float per_distance, f4 least[2])
{
    grazei_left between = grazei_range_between(a, b, per_distance);
    least[0] = f4_min(least[0], between.rq[0]);
    least[1] = f4_min(least[1], f4_sqrt(grazei_square_of_q(&between)));
}

/* The ranges of a patch: all its groups, all fours. */
#define GRAZEI_MAX_RANGES ((size_t)2 * GRAZEI_MAX_PATCH_TRIANGLES * GRAZEI_MAX_FOURS)

static inline grazei_range *grazei_region_ranges_at(const grazei_fold_builder *b,
                                                    const grazei_region *r, uint32_t side,
                                                    uint32_t group)
{
    return b->ranges + (size_t)side * GRAZEI_MAX_RANGES + (size_t)group * r->four_count;
}

void grazei_region_find_ranges(const grazei_fold_builder *b, grazei_region *r, uint32_t side,
                               uint32_t group);

/* The ranges of a small group of one of the region's patches, by fours; found when they are first
 * asked for.
 */
static inline const grazei_range *
grazei_region_ranges(const grazei_fold_builder *b, grazei_region *r, uint32_t side, uint32_t group)
{
    if (!r->known[side][group])
        grazei_region_find_ranges(b, r, side, group);
    return grazei_region_ranges_at(b, r, side, group);
}

/* Vertices of a few triangles, and how they lie along a direction of length 1, to within 2^-20. */
#define GRAZEI_SET_VERTICES (3 * GRAZEI_GROUP_TRIANGLES)
#define GRAZEI_NO_GROUP UINT32_MAX

typedef struct grazei_vertex_set {
    uint32_t group; /* of a patch of the region */
    uint32_t count;
    const uint8_t *vertices;           /* of a patch */
    const grazei_left *values;         /* of all of that patch's, by fours */
    f4 sum;                            /* of their places */
    f4 places[GRAZEI_SET_VERTICES];    /* the last is repeated until lanes are full */
    f4 along[GRAZEI_SET_VERTICES / 4]; /* such that differences are gaps, rounded down */
    float end; /* of the first of two sets, its first one; of the second, its last */
} grazei_vertex_set;

/* The values of the vertices of one of the region's patches, by fours. */
static inline const grazei_left *grazei_region_values(const grazei_fold_builder *b,
                                                      const grazei_region *r, uint32_t side)
{
    return b->values + (size_t)r->four_count * r->first_vertex[side];
}

/* The vertices of a small group of one of the region's patches, unless the set has them already:
 * it begins with GRAZEI_NO_GROUP.
 */
void grazei_set_find(const grazei_fold_builder *b, const grazei_region *r, uint32_t side,
                     uint32_t group, grazei_vertex_set *set);

/* The direction from the second's middle to the first's. */
f4 grazei_sets_way(const grazei_vertex_set *first, const grazei_vertex_set *second);

/* Finds how they lie along a direction. False: the first does not come after the second. */
bool grazei_sets_apart(const grazei_fold_builder *b, grazei_vertex_set *first,
                       grazei_vertex_set *second, f4 direction);

/* If it does: which of some of the joints of a four that leaves to raise. `least` is lowered to
 * what both sets allow, as far as that is more than what was found. Ranges are of the four.
 */
i4 grazei_sets_differ(const grazei_region *r, uint32_t four, const grazei_vertex_set *first,
                      const grazei_vertex_set *second, const grazei_range *of_first,
                      const grazei_range *of_second, i4 joints, f4 least[2]);

/* Raises bend and spread by the close triangles; false if a record is then of no use. */
bool grazei_region_measure_close(grazei_fold_builder *b, grazei_region *r);

/* Whether bend and spread leave a record of use. */
bool grazei_region_is_useful(grazei_region *r);

/* Begins a region: whether it may have a record. Its joints are to be forgotten in either case. */
bool grazei_region_begin(grazei_fold_builder *b, grazei_region *r);

/* Makes its record. False when out of memory. */
bool grazei_region_record(grazei_fold_builder *b, grazei_region *r, uint32_t *number);

#endif
