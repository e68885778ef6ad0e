/* Triangle against triangle in float lanes: a vector of pairs at a time, each lane with its own two
 * triangles. A lane answers only what its error margins prove; the rest goes to the exact test.
 *
 * This is the library's test as it was when the figures of docs/results.md were first measured
 * against the baseline. It is kept as it was: a change of the library's does not change what it is
 * compared with.
 *
 * The steps are those of triangle.h (after Guigue and Devillers 2003): corners against planes, then
 * four orientations of pairs of edges.
 *
 * Margins. u = 2^-24 and gamma(k) = k u / (1 - k u); floats round to nearest, unfused. Every vector
 * below is one difference of two input points, so each coordinate has a relative error of at most
 * u, however far from the origin the triangles are. R, the reach of the two sets, is the longest
 * side of the box around both; no difference of coordinates is greater.
 *
 * PLANE_MARGIN. A set stores n = (e x f) s, rounded, where e and f are edges of the triangle, E is
 * its extent (the longest side of its box) and s = 1 / E^2, rounded: a common positive factor that
 * changes no sign. For a point at the difference w from the first corner, n . w is a sum of six
 * products e_i f_j w_k s. Each passes at most 9 roundings: two edges, their product, a difference,
 * the factor s, w, a product, two sums. As |e_i|, |f_j| <= E and |w_k| <= R, the error is at most
 * gamma(9) 6 E^2 s R <= 54 u (1 + 20 u) R, where 20 u covers gamma, E^2 s <= 1 + 5 u, and the
 * rounding of R. We take 56 u R. The 2 u R left over cover underflow, even flushed to zero, that is
 * by at most 2^-126: in the products of edges it counts 6 s R <= 2^61 R times (E >= 2^-29, R >= E),
 * in n and in n . w less.
 *
 * EDGE_MARGIN. An orientation det(w, e, f) of a pair of edges passes at most 8 roundings for each
 * product: three differences, a product, a difference, a product, two sums. With E and F now the
 * greatest coordinates of the edges at hand, the error is at most gamma(8) 6 E F R <
 * 48 u (1 + 10 u) E F R, and E F R as computed is short of the truth by at most 5 u. We take
 * 50 u E F R. E, F and R are at least 2^-30, so underflow costs 2^-126 (6 F + 3) and is covered.
 * E, F <= 2^36 and R <= 2^44 keep everything below 2^120.
 *
 * Sizes outside of these limits get a NaN normal or a NaN margin, and nothing is certain then: NaN
 * is neither above nor below. As lanes_min and lanes_max may lose a NaN, no minimum or maximum is
 * taken over distances to different planes.
 */
#ifndef GRAZE_BENCH_EAGER_TRIANGLE_WIDE_H
#define GRAZE_BENCH_EAGER_TRIANGLE_WIDE_H

#include "bench/eager/lanes.h"

#define PLANE_MARGIN 0x1.cp-19f /* 56 u */
#define EDGE_MARGIN 0x1.9p-19f  /* 50 u */
#define LEAST_EXTENT 0x1p-29f
#define GREATEST_EXTENT 0x1p36f
#define GREATEST_REACH 0x1p44f

/* One triangle per lane: where its corners are. */
typedef struct wide_source {
    const float *row[EAGER_LANE_COUNT];
} wide_source;

EAGER_INLINE lanes3 load_corner(const wide_source *rows, int number, lanes *fourth)
{
    lanes column[4];
    lanes_load_rows(rows->row, (size_t)(4 * number), column);
    *fourth = column[3];
    return (lanes3){column[0], column[1], column[2]};
}

/* The corners of a pair of triangles per lane. */
typedef struct wide_corners {
    lanes3 a[3], b[3];
} wide_corners;

typedef struct wide_answer {
    uint32_t hit, unsure;
} wide_answer;

/* What has to be exceeded to be certain; edge is for edges of unit extent. */
typedef struct wide_margins {
    lanes plane, minus_plane, edge;
} wide_margins;

/* The distances of the corners of each triangle to the plane of the other, in units of that plane.
 */
typedef struct wide_sides {
    lanes of_a[3], of_b[3];
} wide_sides;

/* Loads the triangles and finds the sides on the way. In this order, with the normal of b coming in
 * a coordinate at a time, most of it stays in 16 registers.
 */
EAGER_INLINE wide_sides load_sides(const wide_source *a_rows, const wide_source *b_rows,
                                   wide_corners *corners)
{
    lanes3 *a = corners->a, *b = corners->b, normal, from_b[3];
    lanes zero = lanes_set(0), b_normal;
    wide_sides both;
    a[0] = load_corner(a_rows, 0, &normal.x);
    a[1] = load_corner(a_rows, 1, &normal.y);
    a[2] = load_corner(a_rows, 2, &normal.z);
    b[0] = load_corner(b_rows, 0, &b_normal);
    lanes3 between = lanes3_sub(b[0], a[0]);
    both.of_b[0] = lanes3_dot(normal, between);
    from_b[0] = (lanes3){lanes_sub(zero, between.x), lanes_sub(zero, between.y),
                         lanes_sub(zero, between.z)};
    from_b[1] = lanes3_sub(a[1], b[0]);
    from_b[2] = lanes3_sub(a[2], b[0]);
    for (int i = 0; i < 3; ++i)
        both.of_a[i] = lanes_mul(from_b[i].x, b_normal);
    b[1] = load_corner(b_rows, 1, &b_normal);
    both.of_b[1] = lanes3_dot(normal, lanes3_sub(b[1], a[0]));
    for (int i = 0; i < 3; ++i)
        both.of_a[i] = lanes_add(both.of_a[i], lanes_mul(from_b[i].y, b_normal));
    b[2] = load_corner(b_rows, 2, &b_normal);
    both.of_b[2] = lanes3_dot(normal, lanes3_sub(b[2], a[0]));
    for (int i = 0; i < 3; ++i)
        both.of_a[i] = lanes_add(both.of_a[i], lanes_mul(from_b[i].z, b_normal));
    return both;
}

/* For sets of triangles that reach so far together. */
EAGER_INLINE wide_margins wide_margins_of(float reach)
{
    if (!(reach <= GREATEST_REACH))
        reach = NAN;
    return (wide_margins){lanes_set(reach * PLANE_MARGIN), lanes_set(-reach * PLANE_MARGIN),
                          lanes_set(reach * EDGE_MARGIN)};
}

/* Where all three distances are certainly on the same side. */
EAGER_INLINE lanes_mask on_one_side(const lanes distance[3], const wide_margins *margins)
{
    lanes least = lanes_min3(distance[0], distance[1], distance[2]);
    lanes greatest = lanes_max3(distance[0], distance[1], distance[2]);
    return mask_or(lanes_less(margins->plane, least), lanes_less(greatest, margins->minus_plane));
}

/* Where the signs of three distances are certain. */
EAGER_INLINE lanes_mask certain_signs(const lanes distance[3], lanes margin)
{
    return lanes_less(
        margin, lanes_min3(lanes_abs(distance[0]), lanes_abs(distance[1]), lanes_abs(distance[2])));
}

/* The corner that is alone on its side, and the edges from it to the others. */
typedef struct wide_fan {
    lanes3 apex, left, right;
} wide_fan;

EAGER_INLINE wide_fan fan_from_lone_corner(const lanes3 corner[3], const lanes distance[3])
{
    lanes zero = lanes_set(0);
    lanes_mask first = lanes_less(zero, distance[0]);
    lanes_mask second = lanes_less(zero, distance[1]);
    lanes_mask third = lanes_less(zero, distance[2]);
    lanes_mask not_first = mask_xor(second, third), not_second = mask_xor(first, third);
    lanes_mask is_third = mask_and(not_first, not_second);
    lanes3 apex =
        lanes3_select(not_first, lanes3_select(not_second, corner[2], corner[1]), corner[0]);
    lanes3 left = lanes3_select(not_first, corner[0], corner[1]);
    lanes3 right = lanes3_select(is_third, corner[1], corner[2]);
    return (wide_fan){apex, lanes3_sub(left, apex), lanes3_sub(right, apex)};
}

EAGER_INLINE lanes fan_reach(const wide_fan *fan)
{
    return lanes_max(lanes3_reach(fan->left), lanes3_reach(fan->right));
}

/* The four orientations of an edge of a and an edge of b: where they all have one sign, the
 * triangles miss each other, and where they have both, they meet.
 */
EAGER_INLINE void cross_fans(const wide_fan *a, const wide_fan *b, const wide_margins *margins,
                             lanes_mask *miss, lanes_mask *meet)
{
    lanes3 between = lanes3_sub(b->apex, a->apex);
    lanes3 left = lanes3_cross(between, a->left), right = lanes3_cross(between, a->right);
    lanes d0 = lanes3_dot(left, b->left), d1 = lanes3_dot(left, b->right);
    lanes d2 = lanes3_dot(right, b->left), d3 = lanes3_dot(right, b->right);
    lanes least = lanes_min(lanes_min(d0, d1), lanes_min(d2, d3));
    lanes greatest = lanes_max(lanes_max(d0, d1), lanes_max(d2, d3));
    lanes margin = lanes_mul(lanes_mul(fan_reach(a), fan_reach(b)), margins->edge);
    lanes minus_margin = lanes_sub(lanes_set(0), margin);
    *miss = mask_or(lanes_less(margin, least), lanes_less(greatest, minus_margin));
    *meet = mask_and(lanes_less(margin, greatest), lanes_less(least, minus_margin));
}

/* What is certain about triangles that no plane certainly separates. */
EAGER_INLINE wide_answer meet_in_lanes(const wide_source *a, const wide_source *b,
                                       const wide_margins *margins)
{
    lanes_mask miss, meet;
    wide_corners corners;
    wide_sides both = load_sides(a, b, &corners);
    /* The fans are right only where all six signs are certain. */
    lanes_mask certain = mask_and(certain_signs(both.of_a, margins->plane),
                                  certain_signs(both.of_b, margins->plane));
    wide_fan a_fan = fan_from_lone_corner(corners.a, both.of_a);
    wide_fan b_fan = fan_from_lone_corner(corners.b, both.of_b);
    cross_fans(&a_fan, &b_fan, margins, &miss, &meet);
    uint32_t hit = mask_bits(mask_and(certain, meet));
    uint32_t sure = mask_bits(mask_and(certain, mask_or(miss, meet)));
    return (wide_answer){hit, EAGER_LANE_COUNT_ALL & ~sure};
}

/* The bits of those of EAGER_LANE_COUNT pairs that no plane certainly separates. */
EAGER_INLINE uint32_t not_separated_in_lanes(const wide_source *a, const wide_source *b,
                                             const wide_margins *margins)
{
    wide_corners corners;
    wide_sides both = load_sides(a, b, &corners);
    lanes_mask apart = mask_or(on_one_side(both.of_a, margins), on_one_side(both.of_b, margins));
    return EAGER_LANE_COUNT_ALL & ~mask_bits(apart);
}

/* The normal as the margins want it: divided by the square of the extent, or NaN. */
EAGER_INLINE lanes3 scaled_normal(const lanes3 corner[3], lanes extent)
{
    lanes3 normal =
        lanes3_cross(lanes3_sub(corner[1], corner[0]), lanes3_sub(corner[2], corner[0]));
    lanes_mask in_range = mask_and(lanes_less_equal(lanes_set(LEAST_EXTENT), extent),
                                   lanes_less_equal(extent, lanes_set(GREATEST_EXTENT)));
    lanes scale =
        lanes_select(in_range, lanes_div(lanes_set(1), lanes_mul(extent, extent)), lanes_set(NAN));
    return (lanes3){lanes_mul(normal.x, scale), lanes_mul(normal.y, scale),
                    lanes_mul(normal.z, scale)};
}

#endif
