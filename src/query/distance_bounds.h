/* How far apart bounds are, at least.
 *
 * Rounding. A gap along an axis, or a difference of centres, is one rounding; with squares, sums
 * and root the result has a relative error below 8 u, u = 2^-24, but for squares that underflow,
 * which cost less than GRAZEI_LEAST_LENGTH. Taking off 16 u and that length makes it a lower bound.
 */
#ifndef GRAZEI_QUERY_DISTANCE_BOUNDS_H
#define GRAZEI_QUERY_DISTANCE_BOUNDS_H

#include "body/bounds.h"
#include "math/rounding.h"

#define GRAZEI_SHORTER (1 - 0x1p-20f)
#define GRAZEI_LONGER (1 + 0x1p-20f)

/* The distance of two boxes, at least; 0 where they overlap. */
static inline float grazei_box_distance(const grazei_bound *a, const grazei_bound *b)
{
    f4 inside = f4_min(grazei_bound_first(a) + grazei_bound_second(b),
                       grazei_bound_second(a) + grazei_bound_first(b));
    f4 gap = f4_max(-inside, f4_zero());
    float distance = f4_length3(gap) * GRAZEI_SHORTER - GRAZEI_LEAST_LENGTH;
    return f1_max(distance, 0);
}

/* The square of that, not made a lower bound: see grazei_most_square(). */
static inline float grazei_box_gap_square(const grazei_bound *a, const grazei_bound *b)
{
    f4 inside = f4_min(grazei_bound_first(a) + grazei_bound_second(b),
                       grazei_bound_second(a) + grazei_bound_first(b));
    f4 gap = f4_max(-inside, f4_zero()), square = gap * gap;
    return (square[0] + square[1]) + square[2];
}

/* Four siblings by axis: boxes as negated lows, then highs, or spheres as centres, then radii. */
typedef struct grazei_four {
    bool spheres;
    f4 x, y, z, u, v, w;
} grazei_four;

/* Siblings as they are tested against the nodes of `other`: as spheres if both trees have them. */
static inline grazei_four grazei_load_four(const grazei_view *view, uint32_t first, uint32_t count,
                                           const grazei_view *other)
{
    grazei_bound copies[4], b[4];
    const grazei_bound *from = grazei_view_four(view, first, count, copies);
    grazei_four four = {.spheres = view->spheres && other->spheres};
    for (uint32_t i = 0; i < 4; i++)
        b[i] = view->spheres && !four.spheres ? grazei_box_of_sphere(&from[i]) : from[i];
    f4 radii = grazei_bound_first(&b[3]), unused = grazei_bound_second(&b[3]);
    four.x = grazei_bound_first(&b[0]), four.u = grazei_bound_second(&b[0]);
    four.y = grazei_bound_first(&b[1]), four.v = grazei_bound_second(&b[1]);
    four.z = grazei_bound_first(&b[2]), four.w = grazei_bound_second(&b[2]);
    f4_transpose(&four.x, &four.y, &four.z, &radii);
    f4_transpose(&four.u, &four.v, &four.w, &unused);
    if (four.spheres)
        four.u = radii;
    return four;
}

static inline f4 grazei_four_lengths(f4 x, f4 y, f4 z)
{
    return f4_sqrt((x * x + y * y) + z * z);
}

/* How far boxes reach into each other along each axis, from either side. */
static inline void grazei_four_overlaps(const grazei_four *four, const grazei_bound *box,
                                        f4 first[3], f4 second[3])
{
    f4 low = grazei_bound_first(box), high = grazei_bound_second(box);
    first[0] = four->x + f4_x(high), second[0] = four->u + f4_x(low);
    first[1] = four->y + f4_y(high), second[1] = four->v + f4_y(low);
    first[2] = four->z + f4_z(high), second[2] = four->w + f4_z(low);
}

/* The distances of four siblings and a node of the other tree (a box or sphere, as they are);
 * negative where they overlap, of boxes then by how much along the shallowest axis.
 */
static inline f4 grazei_four_distances(const grazei_four *four, const grazei_bound *node)
{
    f4 zero = f4_zero(), first[3], second[3];
    if (four->spheres) {
        f4 centre = grazei_bound_first(node);
        f4 length = grazei_four_lengths(four->x - f4_x(centre), four->y - f4_y(centre),
                                        four->z - f4_z(centre)) *
                    f4_all(GRAZEI_SHORTER);
        f4 reach = (four->u + f4_w(centre)) * f4_all(GRAZEI_LONGER);
        /* the difference is rounded once more */
        return (length - reach) - (length + reach) * f4_all(GRAZEI_UNIT) -
               f4_all(GRAZEI_LEAST_LENGTH);
    }
    grazei_four_overlaps(four, node, first, second);
    f4 x = -f4_min(first[0], second[0]), y = -f4_min(first[1], second[1]);
    f4 z = -f4_min(first[2], second[2]), depth = f4_min(f4_max(f4_max(x, y), z), zero);
    f4 length = grazei_four_lengths(f4_max(x, zero), f4_max(y, zero), f4_max(z, zero));
    return length * f4_all(GRAZEI_SHORTER) + depth - f4_all(GRAZEI_LEAST_LENGTH);
}

/* The squares of the distances of four siblings and a node, of boxes, not made lower bounds. */
static inline f4 grazei_four_squares(const grazei_four *four, const grazei_bound *box)
{
    f4 zero = f4_zero(), first[3], second[3];
    grazei_four_overlaps(four, box, first, second);
    f4 x = f4_max(-f4_min(first[0], second[0]), zero),
       y = f4_max(-f4_min(first[1], second[1]), zero);
    f4 z = f4_max(-f4_min(first[2], second[2]), zero);
    return (x * x + y * y) + z * z;
}

/* The most that such a square can be of what is at most `limit` apart: it is off by less than 8 u,
 * and by what underflows.
 */
static inline float grazei_most_square(float limit)
{
    float most = (limit + GRAZEI_LEAST_LENGTH) * GRAZEI_LONGER;
    return f1_min(most * most * GRAZEI_LONGER + FLT_MIN, FLT_MAX); /* what is empty is beyond */
}

/* How far points of them are apart at most. Where denormals are flushed squares are gone that come
 * to less than GRAZEI_LEAST_RADIUS.
 */
static inline f4 grazei_four_farthest(const grazei_four *four, const grazei_bound *node)
{
    f4 first[3], second[3], least = f4_all(GRAZEI_LEAST_RADIUS), longer = f4_all(GRAZEI_LONGER);
    if (four->spheres) {
        f4 centre = grazei_bound_first(node);
        f4 length = grazei_four_lengths(four->x - f4_x(centre), four->y - f4_y(centre),
                                        four->z - f4_z(centre));
        /* -infinity is that of nothing */
        return f4_abs(length + (four->u + f4_w(centre)) * longer) * (longer * longer) + least;
    }
    grazei_four_overlaps(four, node, first, second);
    f4 length = grazei_four_lengths(f4_max(first[0], second[0]), f4_max(first[1], second[1]),
                                    f4_max(first[2], second[2]));
    return length * longer + least;
}

#endif
