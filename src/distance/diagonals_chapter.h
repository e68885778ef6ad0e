/* How far apart posed patches are at least, by their extents along face diagonals.
 *
 * Boxes are poor where the shortest way is askew: it is then longer by the depth of both patches.
 * The diagonals x + y and x - y and the axis z are at right angles to each other, and so are the
 * two others of their kind, so that gaps along three directions add up as those along the axes do:
 * an 18-DOP, read as four boxes, each turned another way.
 *
 * Rounding. Coordinates are seen from an origin within the bodies, so they are at most R, the
 * longest side of the box around both. A difference is off by u R, u = 2^-24, and a sum or
 * difference of two by 4 u R; gaps between two of those, up to 4 R, by 12 u R. The margin of 32 u R
 * taken off each gap covers that and its own rounding. Squares, sums, root and underflow as in
 * query/distance_bounds.h; the half is exact.
 */
#ifndef GRAZEI_DISTANCE_DIAGONALS_CHAPTER_H
#define GRAZEI_DISTANCE_DIAGONALS_CHAPTER_H

#include "body/patches.h"
#include "math/points.h"
#include "query/distance_bounds.h"

#define GRAZEI_DIAGONAL_MARGIN 0x1p-19f

/* Of x + y, y + z and z + x, and of x - y, y - z and z - x: least ones negated, and greatest. */
typedef struct grazei_diagonals {
    f4 least_sums, sums, least_differences, differences;
} grazei_diagonals;

/* y z x */
static inline f4 grazei_yzx(f4 p)
{
    return f4_set(p[1], p[2], p[0], p[3]);
}

/* Several points at a time. The last ones may be looked at twice, which changes no greatest one. */
static inline grazei_diagonals grazei_find_diagonals(const grazei_posed_patch *patch, f4 origin)
{
    const uint32_t width = GRAZEI_POINTS, count = patch->point_count;
    points none = points_all(f4_all(-INFINITY)), from = points_all(origin);
    points least_sums = none, sums = none, least_differences = none, differences = none;
    for (uint32_t i = 0; i < count; i += width) {
        points point = i + width <= count ? points_load(patch->points + i)
                                          : points_all(f4_load(patch->points[count - 1]));
        point = point - from;
        points turned = points_yzx(point), sum = point + turned, difference = point - turned;
        least_sums = points_max(least_sums, -sum);
        sums = points_max(sums, sum);
        least_differences = points_max(least_differences, -difference);
        differences = points_max(differences, difference);
    }
    return (grazei_diagonals){points_most(least_sums), points_most(sums),
                              points_most(least_differences), points_most(differences)};
}

static inline f4 grazei_gaps(f4 least_a, f4 a, f4 least_b, f4 b)
{
    return f4_max(-f4_min(least_a + b, least_b + a), f4_zero());
}

/* How far apart two patches are, at least. margin: GRAZEI_DIAGONAL_MARGIN of the longest side of
 * the box around both bodies.
 */
static inline float grazei_diagonal_distance(const grazei_diagonals *a, const grazei_diagonals *b,
                                             const grazei_bound *box_a, const grazei_bound *box_b,
                                             float margin)
{
    f4 zero = f4_zero(), off = f4_all(margin);
    f4 sums = grazei_gaps(a->least_sums, a->sums, b->least_sums, b->sums) - off;
    f4 differences =
        grazei_gaps(a->least_differences, a->differences, b->least_differences, b->differences) -
        off;
    f4 axes = grazei_gaps(grazei_bound_first(box_a), grazei_bound_second(box_a),
                          grazei_bound_first(box_b), grazei_bound_second(box_b));
    f4 across = grazei_yzx(grazei_yzx(axes)); /* z x y */
    sums = f4_max(sums, zero);
    differences = f4_max(differences, zero);
    f4 squares = (sums * sums + differences * differences) * f4_all(0.5f) + across * across;
    float distance = sqrtf(f4_max3(squares)) * GRAZEI_SHORTER - GRAZEI_LEAST_LENGTH;
    return f1_max(distance, 0);
}

/* What is known of a posed patch: its diagonals, and how far it reaches along one direction
 * (distance/reaches_chapter.h), which has the fourth lanes. Each may be of another patch.
 */
typedef union grazei_extents {
    grazei_diagonals diagonals;
    struct {
        float least_sums[3];
        uint32_t number; /* of the patch whose diagonals these are */
        float sums[3];
        uint32_t reach_number; /* of the patch that reaches so far ... */
        float least_differences[3];
        uint32_t turn; /* ... along the direction of this number */
        float differences[3];
        float reach;
    };
} grazei_extents;

/* Those of both sides, as long as their places are not needed for others. */
enum { GRAZEI_EXTENT_SLOTS = 32 };

typedef struct grazei_extent_slots {
    f4 origin;
    float margin;
    f4 along;      /* the direction, a little shorter than 1; the fourth lane is 0 */
    uint32_t turn; /* its number; 0: there is none yet */
    grazei_extents found[2][GRAZEI_EXTENT_SLOTS];
} grazei_extent_slots;

/* Between two bodies whose roots are bounded. */
static inline void grazei_extents_start(grazei_extent_slots *slots, const grazei_view *a,
                                        const grazei_view *b)
{
    grazei_bound box_a = grazei_view_box(a, 0), box_b = grazei_view_box(b, 0);
    f4 low = f4_max(grazei_bound_first(&box_a), grazei_bound_first(&box_b));
    f4 high = f4_max(grazei_bound_second(&box_a), grazei_bound_second(&box_b));
    slots->origin = (high - low) * f4_all(0.5f);
    slots->margin = GRAZEI_DIAGONAL_MARGIN * f4_max3(high + low) + FLT_MIN;
    slots->turn = 0;
    memset(slots->found, 0xff, sizeof slots->found);
}

static inline grazei_extents *grazei_extents_of(grazei_extent_slots *slots, int side,
                                                const grazei_posed_patch *patch)
{
    return &slots->found[side][patch->number % GRAZEI_EXTENT_SLOTS];
}

static inline const grazei_diagonals *grazei_diagonals_of(grazei_extent_slots *slots, int side,
                                                          const grazei_posed_patch *patch)
{
    grazei_extents *found = grazei_extents_of(slots, side, patch);
    if (found->number != patch->number) {
        grazei_extents made = {.diagonals = grazei_find_diagonals(patch, slots->origin)};
        made.number = patch->number;
        made.reach_number = found->reach_number;
        made.turn = found->turn;
        made.reach = found->reach;
        *found = made;
    }
    return &found->diagonals;
}

/* How far apart two posed patches, one of each side, are at least. */
static inline float grazei_diagonals_between(grazei_extent_slots *slots,
                                             const grazei_posed_patch *a,
                                             const grazei_posed_patch *b)
{
    return grazei_diagonal_distance(grazei_diagonals_of(slots, 0, a),
                                    grazei_diagonals_of(slots, 1, b), grazei_patch_box(a),
                                    grazei_patch_box(b), slots->margin);
}

#endif
