/* Two posed patches parted by planes: if all of one patch lies behind a plane and all of the other
 * beyond a parallel one, they are at least as far apart as the planes.
 *
 * Rounding. A reach is a product of a direction d, |d| <= 1, with differences of coordinates that
 * are at most R, the longest side of the box around both patches: one rounding for the difference,
 * three for products and sums, so it is off by less than 4 u (|d_x| + |d_y| + |d_z|) R < 8 u R, u =
 * 2^-24. Two reaches and a limit are summed up with two more roundings of numbers up to 2 R and the
 * limit. SLAB_MARGIN is 64 u of R, and of the limit; FLT_MIN covers what underflows.
 */
#ifndef GRAZEI_DISTANCE_SLAB_CHAPTER_H
#define GRAZEI_DISTANCE_SLAB_CHAPTER_H

#include "distance/distance.h"
#include "distance/frame_chapter.h"
#include "narrow/distance_kernels.h"
#include "query/distance_bounds.h"

#define SLAB_MARGIN 0x1p-18f

/* So many times a slab is turned, where it may become wider by more than a little. */
#define SLAB_STEPS 2
#define LITTLE 1.03f

_Static_assert(GRAZEI_MAX_POINTS >= GRAZEI_MAX_PATCH_VERTICES, "patches have too many vertices");

/* One side of a pair of posed patches. */
typedef struct patch_side {
    graze_body *body;
    grazei_posed_patch patch;
    const grazei_bound *box; /* exact */
    grazei_points *points;   /* the patch's, for lanes; loaded where the limit is above 0 */
} patch_side;

static inline void load_points(patch_side *side)
{
    GRAZEI_ISA(narrow_distance_kernels)
        .load_points(side->patch.points, side->patch.point_count, side->points);
}

/* How far each vertex of one patch reaches along a direction, and of the other one back. */
typedef struct slab {
    float gap;    /* the patches are at least so far apart; may be negative */
    float extent; /* the longest side of their boxes */
    float margin;
    float around; /* the longest side of the box around both */
    float most[2];
    uint32_t farthest[2]; /* the points that reach so far */
    float along[3];       /* the direction, a little shorter than 1, or 0 */
    float reach[2][GRAZEI_MAX_POINTS + 16];
} slab;

static inline double square_of_points(const float a[3], const float b[3])
{
    double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1];
    double z = (double)a[2] - (double)b[2];
    return (x * x + y * y) + z * z;
}

static inline double distance_of_points(const float a[3], const float b[3])
{
    return sqrt(square_of_points(a, b));
}

/* The vertex of a side nearest to a box. */
static inline const float *find_near_vertex(const patch_side *side, const float *least,
                                            const float *greatest)
{
    uint32_t nearest =
        GRAZEI_ISA(narrow_distance_kernels).nearest_point(side->points, least, greatest);
    return side->patch.points[nearest];
}

/* Two vertices near each other: the vertex of a nearest to b's box, and the vertex of b nearest to
 * that.
 */
static inline void find_near_vertices(const patch_side sides[2], const float *found[2])
{
    const grazei_bound *box = sides[1].box;
    float low[3] = {-box->low_negated[0], -box->low_negated[1], -box->low_negated[2]};
    found[0] = find_near_vertex(&sides[0], low, box->high);
    found[1] = find_near_vertex(&sides[1], found[0], found[0]);
}

static inline float longest_side(const grazei_bound *box)
{
    return f4_max3(grazei_bound_first(box) + grazei_bound_second(box));
}

static inline void make_slab(const patch_side sides[2], const double way[3], slab *out)
{
    float directions[2][3];
    double distance = grazei_length(way), per_distance = distance > 0 ? 1 / distance : 0;
    f4 extent = f4_max(grazei_bound_first(sides[0].box), grazei_bound_first(sides[1].box)) +
                f4_max(grazei_bound_second(sides[0].box), grazei_bound_second(sides[1].box));
    for (int k = 0; k < 3; k++) {
        directions[0][k] = (float)(way[k] * per_distance) * GRAZEI_SHORTER;
        directions[1][k] = -directions[0][k];
    }
    memcpy(out->along, directions[0], sizeof out->along);
    for (int side = 0; side < 2; side++) {
        out->farthest[side] = GRAZEI_ISA(narrow_distance_kernels)
                                  .reaches(sides[side].points, sides[0].patch.points[0],
                                           directions[side], out->reach[side]);
        out->most[side] = out->reach[side][out->farthest[side]];
    }
    out->extent = f1_max(longest_side(sides[0].box), longest_side(sides[1].box));
    out->around = f4_max3(extent);
    out->margin = SLAB_MARGIN * out->around + FLT_MIN;
    out->gap = -(out->most[0] + out->most[1]) - out->margin;
}

static inline void find_way(const float from[3], const float to[3], double way[3])
{
    for (int k = 0; k < 3; k++)
        way[k] = (double)to[k] - (double)from[k];
}

/* What two posed patches tell before their triangles are looked at. */
typedef struct near_vertices {
    const float *points[2];
    slab slab;           /* the widest of those that were tried */
    bool faced;          /* of the triangles only these may count ... */
    uint64_t left[2][2]; /* ... of either patch, as bits */
} near_vertices;

/* Whether planes across another way may part two patches, or part them better by more than a
 * little: the way is between two of their points, so none are farther apart than it is long.
 */
static inline bool can_widen(const double way[3], float gap, float limit)
{
    double square = grazei_dot(way, way), most = (double)(gap > 0 ? LITTLE * gap : 0);
    return gap <= limit && (square > (double)limit * (double)limit || square > most * most);
}

/* Parts two patches by planes across the way between two of their vertices. Where that is not
 * enough, the points that reach farthest say how to turn the way: to the nearest point, from the
 * origin, between it and theirs (Gilbert, "An iterative procedure for computing the minimum of a
 * quadratic form on a convex set", 1966). Returns the widest gap; the slab is there if that is
 * within the limit. Not inlined: what is tried need not stay on the stack.
 */
static __attribute__((noinline)) float find_slab(const patch_side sides[2], float limit, int steps,
                                                 near_vertices *near)
{
    double way[3], other[3];
    slab spare, *widest = &near->slab, *next = &spare;
    find_way(near->points[0], near->points[1], way);
    make_slab(sides, way, widest);
    for (int step = 0; step < steps && can_widen(way, widest->gap, limit); step++) {
        const uint32_t *farthest = widest->farthest;
        find_way(sides[0].patch.points[farthest[0]], sides[1].patch.points[farthest[1]], other);
        double turn[3] = {other[0] - way[0], other[1] - way[1], other[2] - way[2]};
        double share = -grazei_dot(way, turn) / grazei_dot(turn, turn);
        if (!(share > 0))
            break;
        for (int k = 0; k < 3; k++)
            way[k] += turn[k] * (share < 1 ? share : 1);
        make_slab(sides, way, next);
        if (!(next->gap > widest->gap))
            break;
        slab *narrower = widest;
        widest = next;
        next = narrower;
    }
    float gap = widest->gap;
    if (widest == &spare && gap <= limit)
        near->slab = spare;
    return gap;
}

#endif
