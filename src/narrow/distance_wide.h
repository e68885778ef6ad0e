/* The distance of two triangles, GRAZEI_WIDTH pairs at a time: whoever includes this says how many,
 * and of which kind of number (GRAZEI_WIDE, with GRAZEI_WIDE_MASK for an integer of its size).
 * Every lane does the same operations in the same order as one pair alone would, so all widths give
 * the same bits.
 *
 * The nearest points of two triangles that do not meet lie on an edge of each, or on a corner of
 * one and the face of the other (Ericson, "Real-Time Collision Detection", 2005, section 5.1). Each
 * of the 9 pairs of edges and 6 pairs of a corner and a face asks for s and t that make
 * |w - s e - t f| least: a problem of least squares in two unknowns, solved by modified
 * Gram-Schmidt, which is backward stable (Bjorck, "Solving linear least squares problems by
 * Gram-Schmidt orthogonalization", BIT 7, 1967): what is found is the exact solution for vectors
 * that differ from the given ones by a few units in their last place, be the edges parallel or the
 * triangle a sliver. Where it lies outside, the distance is taken on the border: the 18 pairs of a
 * corner and an edge.
 *
 * Error. The distance of two segments, or of a point and a triangle, changes by no more than their
 * points are moved. So each of the distances above, and the least of them, is off by a small
 * multiple of u R, u = 2^-53, with R the longest side of the box around both triangles, as all that
 * enters is differences of coordinates. GRAZEI_DISTANCE_ERROR is many times what tests have seen.
 */
#ifndef GRAZEI_NARROW_DISTANCE_WIDE_H
#define GRAZEI_NARROW_DISTANCE_WIDE_H

#include <math.h>
#include <stdint.h>

#if defined(__OPTIMIZE_SIZE__)
#define WIDE_INLINE static inline
#else
#define WIDE_INLINE static inline __attribute__((always_inline))
#endif

typedef GRAZEI_WIDE wide __attribute__((vector_size(sizeof(GRAZEI_WIDE) * GRAZEI_WIDTH)));
typedef GRAZEI_WIDE_MASK wide_mask
    __attribute__((vector_size(sizeof(GRAZEI_WIDE_MASK) * GRAZEI_WIDTH)));

typedef struct wide3 {
    wide x, y, z;
} wide3;

/* The nearest points so far. With e and f the edges that leave corners i and j (from each corner to
 * the next), feature 3 i + j is the pair a[i] + s e and b[j] + t f; feature 9 + j is the corner
 * b[j] and the point a[0] + s (a[1] - a[0]) + t (a[2] - a[0]) of the face, 12 + i is a[i] and that
 * of b.
 */
typedef struct wide_nearest {
    wide square, s, t, feature;
} wide_nearest;

WIDE_INLINE wide wide_set(GRAZEI_WIDE x)
{
    return x - (wide){0};
}

WIDE_INLINE wide wide_select(wide_mask mask, wide a, wide b)
{
    return (wide)((mask & (wide_mask)a) | (~mask & (wide_mask)b));
}

/* Between 0 and 1; 0 for NaN. */
WIDE_INLINE wide wide_clamp(wide x)
{
    wide zero = wide_set(0), one = wide_set(1);
    x = wide_select(x > zero, x, zero);
    return wide_select(x < one, x, one);
}

WIDE_INLINE wide3 wide3_sub(wide3 a, wide3 b)
{
    return (wide3){a.x - b.x, a.y - b.y, a.z - b.z};
}

/* a - s b */
WIDE_INLINE wide3 wide3_less(wide3 a, wide s, wide3 b)
{
    return (wide3){a.x - s * b.x, a.y - s * b.y, a.z - s * b.z};
}

WIDE_INLINE wide wide3_dot(wide3 a, wide3 b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

/* NaN is never nearer. */
WIDE_INLINE void keep_nearer(wide_nearest *best, wide_mask allowed, wide square, wide s, wide t,
                             int feature)
{
    wide_mask nearer = allowed & (square < best->square);
    best->square = wide_select(nearer, square, best->square);
    best->s = wide_select(nearer, s, best->s);
    best->t = wide_select(nearer, t, best->t);
    best->feature = wide_select(nearer, wide_set((GRAZEI_WIDE)feature), best->feature);
}

/* A corner at w from the start of an edge e. An edge that is a point has an infinite or no s, which
 * becomes 0 or 1, all the same.
 */
WIDE_INLINE wide corner_and_edge(wide3 w, wide3 e, wide s, wide *square)
{
    s = wide_clamp(s);
    wide3 apart = wide3_less(w, s, e);
    *square = wide3_dot(apart, apart);
    return s;
}

/* Corner i of a, corner j of b, w from the one to the other, and the edges e and f that leave them;
 * per_e and per_f are the inverse squares of their lengths.
 */
WIDE_INLINE void try_edges(wide_nearest *best, wide3 w, wide3 e, wide3 f, wide per_e, wide per_f,
                           int feature)
{
    wide zero = wide_set(0), one = wide_set(1), square;
    wide m = wide3_dot(e, w) * per_e, k = wide3_dot(e, f) * per_e;
    wide_mask any = zero < one;
    wide s = corner_and_edge(w, e, m, &square);
    keep_nearer(best, any, square, s, zero, feature);
    wide3 back = {zero - w.x, zero - w.y, zero - w.z};
    wide t = corner_and_edge(back, f, wide3_dot(f, back) * per_f, &square);
    keep_nearer(best, any, square, zero, t, feature);
    /* w - s e + t f = v + t g, where v and g are what is across e of w and f */
    wide3 v = wide3_less(w, m, e), g = wide3_less(f, k, e);
    t = zero - wide3_dot(g, v) / wide3_dot(g, g);
    s = m + k * t;
    wide3 apart = wide3_less(v, zero - t, g);
    wide_mask inside = (s >= zero) & (s <= one) & (t >= zero) & (t <= one);
    keep_nearer(best, inside, wide3_dot(apart, apart), s, t, feature);
}

/* A face with the sides e and f from its first corner, and the other triangle's corners. */
WIDE_INLINE void try_face(wide_nearest *best, const wide3 face[3], const wide3 corners[3],
                          int feature)
{
    wide zero = wide_set(0), one = wide_set(1);
    wide3 e = wide3_sub(face[1], face[0]), f = wide3_sub(face[2], face[0]);
    wide per_e = one / wide3_dot(e, e), k = wide3_dot(e, f) * per_e;
    wide3 g = wide3_less(f, k, e);
    wide per_g = one / wide3_dot(g, g);
    for (int c = 0; c < 3; c++) {
        wide3 w = wide3_sub(corners[c], face[0]);
        wide m = wide3_dot(e, w) * per_e;
        wide3 v = wide3_less(w, m, e);
        wide t = wide3_dot(g, v) * per_g, s = m - k * t;
        wide3 apart = wide3_less(v, t, g);
        wide_mask inside = (s >= zero) & (t >= zero) & (s + t <= one);
        keep_nearer(best, inside, wide3_dot(apart, apart), s, t, feature + c);
    }
}

/* The nearest points of triangles that do not meet, triangles without area included. (Where they
 * do, this is the nearest of the pairs above, and not 0 if an edge passes through a face.)
 */
WIDE_INLINE wide_nearest find_nearest(const wide3 a[3], const wide3 b[3])
{
    static const int next[3] = {1, 2, 0};
    wide3 e[3], f[3];
    wide per_e[3], per_f[3];
    wide_nearest best = {wide_set(INFINITY), wide_set(0), wide_set(0), wide_set(0)};
    for (int i = 0; i < 3; i++) {
        e[i] = wide3_sub(a[next[i]], a[i]);
        f[i] = wide3_sub(b[next[i]], b[i]);
        per_e[i] = wide_set(1) / wide3_dot(e[i], e[i]);
        per_f[i] = wide_set(1) / wide3_dot(f[i], f[i]);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            try_edges(&best, wide3_sub(b[j], a[i]), e[i], f[j], per_e[i], per_f[j], 3 * i + j);
    try_face(&best, a, b, 9);
    try_face(&best, b, a, 12);
    return best;
}

/* The gap between what three numbers and three others span. */
WIDE_INLINE wide gap_between_three(wide a0, wide a1, wide a2, wide b0, wide b1, wide b2)
{
    wide low_a = wide_select(a0 < a1, a0, a1), high_a = wide_select(a0 < a1, a1, a0);
    wide low_b = wide_select(b0 < b1, b0, b1), high_b = wide_select(b0 < b1, b1, b0);
    low_a = wide_select(a2 < low_a, a2, low_a), high_a = wide_select(a2 > high_a, a2, high_a);
    low_b = wide_select(b2 < low_b, b2, low_b), high_b = wide_select(b2 > high_b, b2, high_b);
    wide zero = wide_set(0), first = low_b - high_a, second = low_a - high_b;
    wide gap = wide_select(first > second, first, second);
    return wide_select(gap > zero, gap, zero);
}

/* The square of the distance of the triangles' boxes. Differences, squares and sums of doubles are
 * rounded monotonically, so the same of any boxes around them, computed in this order, is not above
 * it.
 */
WIDE_INLINE wide find_box_square(const wide3 a[3], const wide3 b[3])
{
    wide x = gap_between_three(a[0].x, a[1].x, a[2].x, b[0].x, b[1].x, b[2].x);
    wide y = gap_between_three(a[0].y, a[1].y, a[2].y, b[0].y, b[1].y, b[2].y);
    wide z = gap_between_three(a[0].z, a[1].z, a[2].z, b[0].z, b[1].z, b[2].z);
    return (x * x + y * y) + z * z;
}

/* The square of a distance as it is reported: not below that of the boxes, where rounding would
 * have it so, and never 0. So of many pairs that are equally near those of boxes known to be as far
 * apart need not be looked at.
 */
WIDE_INLINE wide find_square(const wide3 a[3], const wide3 b[3], GRAZEI_WIDE least)
{
    wide square = find_nearest(a, b).square, boxes = find_box_square(a, b);
    boxes = wide_select(boxes > wide_set(least), boxes, wide_set(least));
    return wide_select(square > boxes, square, boxes);
}

/* The order in which two triangles are compared, so that the distance from a to b has the bits of
 * that from b to a. Corners are rows of `stride` floats. True if b comes first.
 */
WIDE_INLINE int comes_second(const float *a, const float *b, int stride)
{
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++) {
            float x = a[i * stride + axis], y = b[i * stride + axis];
            if (x != y)
                return x > y;
        }
    return 0;
}

#endif
