/* Triangle against triangle in float lanes: a vector of pairs at a time, each lane with its own two
 * triangles. A lane answers only what its error margins prove; the rest goes to the exact test.
 *
 * The steps are those of triangle.c (after Guigue and Devillers 2003): corners against planes, then
 * four orientations of pairs of edges.
 *
 * Margins. u = 2^-24 and gamma(k) = k u / (1 - k u); floats round to nearest, unfused. Every vector
 * below is one difference of two input points, so each coordinate has a relative error of at most
 * u, however far from the origin the triangles are. R, the reach of the two sets, is the longest
 * side of the box around both; no difference of coordinates is greater.
 *
 * PLANE_MARGIN. n = e x f, where e and f are the edges from a triangle's first corner and E is
 * their greatest coordinate. For a point at the difference w from that corner, n . w is a sum of
 * six products e_i f_j w_k. Each passes at most 8 roundings: two edges, their product, a
 * difference, w, a product, two sums. As |e_i|, |f_j| <= E and |w_k| <= R, the error is at most
 * gamma(8) 6 E^2 R < 48 u (1 + 10 u) E^2 R, and E^2 R as computed is short of the truth by at most
 * 6 u. We take 56 u E^2 R. The 7 u E^2 R left over cover underflow, even flushed to zero, that is
 * by at most 2^-126: in n it counts 6 R times, where E^2 >= 2^-58, and in n . w 5 times, where E^2
 * R >= 2^-87.
 *
 * EDGE_MARGIN. An orientation det(w, e, f) of a pair of edges passes at most 8 roundings for each
 * product: three differences, a product, a difference, a product, two sums. With E and F now the
 * greatest coordinates of the edges at hand, the error is at most gamma(8) 6 E F R <
 * 48 u (1 + 10 u) E F R, and E F R as computed is short of the truth by at most 5 u. We take
 * 50 u E F R. E, F and R are at least 2^-30, so underflow costs 2^-126 (6 F + 3) and is covered.
 * E, F <= 2^36 and R <= 2^44 keep everything below 2^120.
 *
 * SPAN_MARGIN. Along any direction d whose greatest coordinate is D, a reach is a sum of three
 * products d_k w_k, each of at most D R and after at most 4 roundings, so it is off by less than 12
 * u (1 + 4 u) D R; a gap is a difference of two reaches of at most 3 D R (1 + 4 u) each, one
 * rounding more: 30 u D R with some to spare. D R as computed is short of the truth by less than 3
 * u of it. We take 40 u D R, and SPAN_LEAST for what underflows, which is at most 2^-126 for each
 * of six products and for D R. What overflows is no number, or has a margin that is infinite, and
 * then nothing is certain. How d came about does not matter.
 *
 * Sizes outside of these limits get a NaN margin, and nothing is certain then: NaN is neither above
 * nor below.
 */
#ifndef GRAZEI_NARROW_TRIANGLE_WIDE_H
#define GRAZEI_NARROW_TRIANGLE_WIDE_H

#include "math/lanes.h"

#include <math.h>

#define PLANE_MARGIN 0x1.cp-19f /* 56 u */
#define EDGE_MARGIN 0x1.9p-19f  /* 50 u */
#define SPAN_MARGIN 0x1.4p-19f  /* 40 u */
#define SPAN_LEAST 0x1p-120f
#define LEAST_EXTENT 0x1p-29f
#define GREATEST_EXTENT 0x1p36f
#define GREATEST_REACH 0x1p44f

/* The corners of a pair of triangles per lane. */
typedef struct wide_corners {
    lanes3 a[3], b[3];
} wide_corners;

typedef struct wide_answer {
    uint32_t hit, unsure;
} wide_answer;

/* The plane of a triangle: what its distances have to exceed to be certain, in units of its normal,
 * which is not of unit length.
 */
typedef struct wide_plane {
    lanes3 origin, normal;
    lanes margin;
} wide_plane;

GRAZEI_INLINE wide_plane find_plane(const lanes3 corner[3], lanes reach)
{
    lanes3 e = lanes3_sub(corner[1], corner[0]), f = lanes3_sub(corner[2], corner[0]);
    lanes extent = lanes_max(lanes3_reach(e), lanes3_reach(f));
    lanes margin = lanes_mul(lanes_mul(lanes_mul(extent, extent), reach), lanes_set(PLANE_MARGIN));
    lanes_mask in_range = mask_and(mask_and(lanes_less_equal(lanes_set(LEAST_EXTENT), extent),
                                            lanes_less_equal(extent, lanes_set(GREATEST_EXTENT))),
                                   lanes_less_equal(reach, lanes_set(GREATEST_REACH)));
    return (wide_plane){corner[0], lanes3_cross(e, f),
                        lanes_select(in_range, margin, lanes_set(NAN))};
}

GRAZEI_INLINE void find_distances(const wide_plane *plane, const lanes3 corner[3], lanes out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = lanes3_dot(plane->normal, lanes3_sub(corner[i], plane->origin));
}

/* Where all three distances are certainly on the same side. */
GRAZEI_INLINE lanes_mask on_one_side(const lanes distance[3], lanes margin)
{
    lanes least = lanes_min3(distance[0], distance[1], distance[2]);
    lanes greatest = lanes_max3(distance[0], distance[1], distance[2]);
    return mask_or(lanes_less(margin, least),
                   lanes_less(greatest, lanes_sub(lanes_set(0), margin)));
}

/* Where the signs of three distances are certain. */
GRAZEI_INLINE lanes_mask certain_signs(const lanes distance[3], lanes margin)
{
    return lanes_less(
        margin, lanes_min3(lanes_abs(distance[0]), lanes_abs(distance[1]), lanes_abs(distance[2])));
}

/* The corner that is alone on its side, and the edges from it to the others. */
typedef struct wide_fan {
    lanes3 apex, left, right;
} wide_fan;

GRAZEI_INLINE wide_fan fan_from_lone_corner(const lanes3 corner[3], const lanes distance[3])
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

GRAZEI_INLINE lanes fan_reach(const wide_fan *fan)
{
    return lanes_max(lanes3_reach(fan->left), lanes3_reach(fan->right));
}

/* The four orientations of an edge of a and an edge of b: where they all have one sign, the
 * triangles miss each other, and where they have both, they meet.
 */
GRAZEI_INLINE void cross_fans(const wide_fan *a, const wide_fan *b, lanes reach, lanes_mask *miss,
                              lanes_mask *meet)
{
    lanes3 between = lanes3_sub(b->apex, a->apex);
    lanes3 left = lanes3_cross(between, a->left), right = lanes3_cross(between, a->right);
    lanes d0 = lanes3_dot(left, b->left), d1 = lanes3_dot(left, b->right);
    lanes d2 = lanes3_dot(right, b->left), d3 = lanes3_dot(right, b->right);
    lanes least = lanes_min(lanes_min(d0, d1), lanes_min(d2, d3));
    lanes greatest = lanes_max(lanes_max(d0, d1), lanes_max(d2, d3));
    lanes margin =
        lanes_mul(lanes_mul(fan_reach(a), fan_reach(b)), lanes_mul(reach, lanes_set(EDGE_MARGIN)));
    lanes minus_margin = lanes_sub(lanes_set(0), margin);
    *miss = mask_or(lanes_less(margin, least), lanes_less(greatest, minus_margin));
    *meet = mask_and(lanes_less(margin, greatest), lanes_less(least, minus_margin));
}

/* What is certain about triangles that no plane certainly separates. */
GRAZEI_INLINE wide_answer meet_in_lanes(const wide_corners *corners, lanes reach)
{
    lanes_mask miss, meet;
    lanes of_a[3], of_b[3];
    wide_plane a_plane = find_plane(corners->a, reach), b_plane = find_plane(corners->b, reach);
    find_distances(&b_plane, corners->a, of_a);
    find_distances(&a_plane, corners->b, of_b);
    /* The fans are right only where all six signs are certain. */
    lanes_mask certain =
        mask_and(certain_signs(of_a, b_plane.margin), certain_signs(of_b, a_plane.margin));
    wide_fan a_fan = fan_from_lone_corner(corners->a, of_a);
    wide_fan b_fan = fan_from_lone_corner(corners->b, of_b);
    cross_fans(&a_fan, &b_fan, reach, &miss, &meet);
    uint32_t hit = mask_bits(mask_and(certain, meet));
    uint32_t sure = mask_bits(mask_and(certain, mask_or(miss, meet)));
    return (wide_answer){hit, GRAZEI_LANES_ALL & ~sure};
}

/* The bits of those of GRAZEI_LANES pairs that no plane certainly separates. */
GRAZEI_INLINE uint32_t not_separated_in_lanes(const wide_corners *corners, lanes reach)
{
    lanes of_a[3], of_b[3];
    wide_plane a_plane = find_plane(corners->a, reach);
    find_distances(&a_plane, corners->b, of_b);
    wide_plane b_plane = find_plane(corners->b, reach);
    find_distances(&b_plane, corners->a, of_a);
    lanes_mask apart =
        mask_or(on_one_side(of_a, b_plane.margin), on_one_side(of_b, a_plane.margin));
    return GRAZEI_LANES_ALL & ~mask_bits(apart);
}

/* ---- in one plane --------------------------------------------------------------------------- */

/* How far corners reach along a direction, from an origin. */
typedef struct wide_span {
    lanes low, high;
} wide_span;

GRAZEI_INLINE wide_span find_span(lanes3 direction, lanes3 origin, const lanes3 corner[3])
{
    lanes a = lanes3_dot(direction, lanes3_sub(corner[0], origin));
    lanes b = lanes3_dot(direction, lanes3_sub(corner[1], origin));
    lanes c = lanes3_dot(direction, lanes3_sub(corner[2], origin));
    return (wide_span){lanes_min3(a, b, c), lanes_max3(a, b, c)};
}

/* Where two triangles are certainly apart along a direction. See SPAN_MARGIN. */
GRAZEI_INLINE lanes_mask apart_along(lanes3 direction, const wide_corners *corners, lanes reach)
{
    wide_span a = find_span(direction, corners->a[0], corners->a);
    wide_span b = find_span(direction, corners->a[0], corners->b);
    lanes margin = lanes_mul(lanes_mul(lanes3_reach(direction), reach), lanes_set(SPAN_MARGIN));
    margin = lanes_add(margin, lanes_set(SPAN_LEAST));
    return mask_or(lanes_less(margin, lanes_sub(b.low, a.high)),
                   lanes_less(margin, lanes_sub(a.low, b.high)));
}

/* Where boxes along the axes are apart, however little. */
GRAZEI_INLINE lanes_mask boxes_are_apart(const wide_corners *corners)
{
    const lanes3 *a = corners->a, *b = corners->b;
#define APART(x)                                                                                   \
    mask_or(lanes_less(lanes_max3(a[0].x, a[1].x, a[2].x), lanes_min3(b[0].x, b[1].x, b[2].x)),    \
            lanes_less(lanes_max3(b[0].x, b[1].x, b[2].x), lanes_min3(a[0].x, a[1].x, a[2].x)))
    return mask_or(mask_or(APART(x), APART(y)), APART(z));
#undef APART
}

/* Of pairs that lie nearly in one plane, the bits of those that are certainly apart in it: by
 * boxes, or across an edge.
 */
static __attribute__((noinline, unused)) uint32_t apart_in_plane(const wide_corners *corners,
                                                                 lanes reach)
{
    const lanes3 *a = corners->a, *b = corners->b;
    lanes3 normals[2], edges[6];
    lanes_mask apart = boxes_are_apart(corners);
    for (int i = 0; i < 3; ++i) {
        edges[i] = lanes3_sub(a[i < 2 ? i + 1 : 0], a[i]);
        edges[i + 3] = lanes3_sub(b[i < 2 ? i + 1 : 0], b[i]);
    }
    normals[0] = lanes3_cross(edges[0], edges[1]);
    normals[1] = lanes3_cross(edges[3], edges[4]);
    lanes_mask first = lanes_less(lanes3_reach(normals[1]), lanes3_reach(normals[0]));
    lanes3 normal = lanes3_select(first, normals[0], normals[1]);
    for (int i = 0; i < 6; ++i)
        apart = mask_or(apart, apart_along(lanes3_cross(normal, edges[i]), corners, reach));
    return mask_bits(apart);
}

#endif
