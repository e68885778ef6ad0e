/* Triangle against triangle, one pair at a time: after Guigue and Devillers, "Fast and Robust
 * Triangle-Triangle Overlap Test Using Orientation Predicates", Journal of Graphics Tools 8(1),
 * 2003, in float, where nearly all signs are certain; the exact test decides the others.
 *
 * Planes and edges are two steps, so that each can be a loop that misses no branch. Both steps in
 * one, in double or in float, took 1.5 times as long.
 *
 * Margin. u = 2^-24. With R the longest side of the box around both, every difference of
 * coordinates is at most R, and an orientation is a sum of six products of three differences that
 * pass at most 8 roundings each: it is off by at most gamma(8) 6 R^3 < 49 u R^3 < 2^-18 R^3.
 * R from 2^-30 to 2^40 keeps all of it far from underflow and overflow.
 */
#ifndef GRAZE_BENCH_EAGER_TRIANGLE_H
#define GRAZE_BENCH_EAGER_TRIANGLE_H

#include "bench/eager/simd.h"

#include "narrow/triangle.h"

#include <stdbool.h>

/* On which side of each other's planes the corners certainly are, a bit for each. The last corner
 * counts twice, so that certain or all is 15.
 */
typedef struct sides {
    f4 margin;
    uint32_t a_above, a_below; /* of the plane of b */
    uint32_t b_above, b_below;
} sides;

EAGER_INLINE f4 cross(f4 a, f4 b)
{
    f4 a_turned = __builtin_shufflevector(a, a, 1, 2, 0, 3);
    f4 b_turned = __builtin_shufflevector(b, b, 1, 2, 0, 3);
    f4 turned = a * b_turned - a_turned * b;
    return __builtin_shufflevector(turned, turned, 1, 2, 0, 3);
}

/* The scalar products of n with four vectors. */
EAGER_INLINE f4 dots(f4 n, const f4 vectors[4])
{
    _Alignas(16) float rows[3][4];
    f4_rows(vectors, rows);
    return n[0] * f4_load(rows[0]) + n[1] * f4_load(rows[1]) + n[2] * f4_load(rows[2]);
}

EAGER_INLINE f4 find_margin(const f4 a[3], const f4 b[3])
{
    f4 low = f4_min(f4_min(f4_min(a[0], a[1]), f4_min(a[2], b[0])), f4_min(b[1], b[2]));
    f4 high = f4_max(f4_max(f4_max(a[0], a[1]), f4_max(a[2], b[0])), f4_max(b[1], b[2]));
    f4 extent = high - low;
    float reach = extent[0] > extent[1] ? extent[0] : extent[1];
    reach = extent[2] > reach ? extent[2] : reach;
    bool in_range = reach >= 0x1p-30f && reach <= 0x1p40f;
    return f4_all(in_range ? reach * reach * reach * 0x1p-18f : INFINITY);
}

EAGER_INLINE f4 distances(const f4 plane[3], const f4 points[3])
{
    f4 normal = cross(plane[1] - plane[0], plane[2] - plane[0]), last = points[2] - plane[0];
    return dots(normal, (const f4[4]){points[0] - plane[0], points[1] - plane[0], last, last});
}

EAGER_INLINE sides find_sides(const f4 a[3], const f4 b[3])
{
    f4 margin = find_margin(a, b), of_a = distances(b, a), of_b = distances(a, b);
    return (sides){margin, i4_bits(of_a > margin), i4_bits(of_a < -margin), i4_bits(of_b > margin),
                   i4_bits(of_b < -margin)};
}

/* Whether a plane certainly separates them. */
EAGER_INLINE bool are_separated(const sides *s)
{
    return (s->a_above == 15) | (s->a_below == 15) | (s->b_above == 15) | (s->b_below == 15);
}

static bool meet_exactly(const f4 a[3], const f4 b[3])
{
    float corners[2][3][3];
    for (int i = 0; i < 3; i++) {
        memcpy(corners[0][i], &a[i], sizeof corners[0][i]);
        memcpy(corners[1][i], &b[i], sizeof corners[1][i]);
    }
    return grazei_triangles_meet(corners[0], corners[1]);
}

/* Whether closed triangles that no plane separates meet. The corner that is alone on its side is
 * told by the bits of those above.
 */
EAGER_INLINE bool triangles_meet(const f4 a[3], const f4 b[3], const sides *s)
{
    static const uint8_t lone[8] = {0, 0, 1, 2, 2, 1, 0, 0}, next[4] = {1, 2, 0, 1};
    if (((s->a_above | s->a_below) & (s->b_above | s->b_below)) != 15)
        return meet_exactly(a, b);
    uint32_t p = lone[s->a_above & 7], q = next[p], r = lone[s->b_above & 7], t = next[r];
    f4 between = b[r] - a[p], b_left = b[t] - b[r], b_right = b[next[t]] - b[r];
    f4 left = cross(between, a[q] - a[p]), right = cross(between, a[next[q]] - a[p]);
    f4 products[4] = {left * b_left, left * b_right, right * b_left, right * b_right};
    f4 d = dots(f4_all(1), products);
    uint32_t above = i4_bits(d > s->margin), below = i4_bits(d < -s->margin);
    if (above == 15 || below == 15)
        return false;
    return (above && below) || meet_exactly(a, b);
}

#endif
