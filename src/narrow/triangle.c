/* Exact triangle against triangle, by signs of orientations alone.
 *
 * After Guigue and Devillers, "Fast and Robust Triangle-Triangle Overlap Test Using Orientation
 * Predicates", Journal of Graphics Tools 8(1), 2003. Unlike theirs, the last step does not sort the
 * corners but looks at the four orientations of a pair of edges each, and degenerate triangles are
 * welcome. Every sign comes from exact/orient.h: a double where its error bound allows, an
 * expansion otherwise.
 */
#include "narrow/triangle.h"

#include "exact/orient.h"

typedef const float (*corners)[3];

static const int next_corner[3] = {1, 2, 0};

static bool all_positive(const int signs[3])
{
    return signs[0] > 0 && signs[1] > 0 && signs[2] > 0;
}

static bool all_negative(const int signs[3])
{
    return signs[0] < 0 && signs[1] < 0 && signs[2] < 0;
}

static bool all_zero(const int signs[3])
{
    return signs[0] == 0 && signs[1] == 0 && signs[2] == 0;
}

static bool boxes_apart(corners a, corners b)
{
    for (int axis = 0; axis < 3; ++axis) {
        bool a_below = true, b_below = true;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                a_below &= a[i][axis] < b[j][axis];
                b_below &= b[j][axis] < a[i][axis];
            }
        }
        if (a_below || b_below)
            return true;
    }
    return false;
}

/* On which side of the plane of `plane` each corner of `points` lies; all zero if plane is
 * degenerate.
 */
static void sides(corners plane, corners points, int signs[3])
{
    for (int i = 0; i < 3; ++i)
        signs[i] = grazei_orient3d(plane[0], plane[1], plane[2], points[i]);
}

/* The corner that the plane separates from the other two: one is strictly on a side where the
 * others are not, or it is on the plane and the others are strictly on one side. The signs are
 * neither all zero nor all strictly the same.
 */
static int lone_corner(const int signs[3])
{
    for (int sign = 1; sign >= -1; sign -= 2) {
        int count = 0, last = 0;
        for (int i = 0; i < 3; ++i) {
            if (signs[i] == sign) {
                ++count;
                last = i;
            }
        }
        if (count == 1)
            return last;
    }
    return signs[0] == 0 ? 0 : signs[1] == 0 ? 1 : 2;
}

/* Both triangles are proper, lie in different planes, and each touches the plane of the other.
 *
 * Let p be the lone corner of a, and r the one of b. Each triangle cuts the line L common to both
 * planes in the interval between two points: where the edges from its lone corner cross L. For an
 * edge p q of a and an edge r s of b, cutting L at i and k, the orientation of (p, q, r, s) is
 * det(k - i, q - p, s - r), because (r - p) - (k - i) is a combination of the other two vectors.
 * Its sign is the direction from i to k along L, times a sign that is the same for all four pairs
 * of edges, as all edges of one triangle leave p (or r) towards the same side. The intervals
 * overlap unless k is strictly on the same side of i for all four.
 */
static bool crossing_triangles_meet(corners a, const int a_signs[3], corners b,
                                    const int b_signs[3])
{
    int p = lone_corner(a_signs), r = lone_corner(b_signs);
    bool before = false, after = false;
    for (int i = 0; i < 4; ++i) {
        int q = next_corner[i & 1 ? next_corner[p] : p];
        int s = next_corner[i & 2 ? next_corner[r] : r];
        int sign = grazei_orient3d(a[p], a[q], b[r], b[s]);
        before |= sign <= 0;
        after |= sign >= 0;
        if (before && after)
            return true;
    }
    return false;
}

static bool precedes(const float a[3], const float b[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        if (a[axis] != b[axis])
            return a[axis] < b[axis];
    }
    return false;
}

/* The first and the last corner in lexicographic order: the ends of a degenerate triangle, since
 * that order is monotone along any line.
 */
static void extreme_corners(corners triangle, int *first, int *last)
{
    *first = *last = 0;
    for (int i = 1; i < 3; ++i) {
        if (precedes(triangle[i], triangle[*first]))
            *first = i;
        if (precedes(triangle[*last], triangle[i]))
            *last = i;
    }
}

/* `segment` is a degenerate triangle; it crosses or touches the plane of the proper triangle
 * `triangle` in exactly one point. That point is inside unless the segment's line passes two edges
 * on strictly different sides.
 */
static bool segment_meets_triangle(corners segment, corners triangle)
{
    int p, q;
    bool left = false, right = false;
    extreme_corners(segment, &p, &q);
    for (int i = 0; i < 3; ++i) {
        int sign = grazei_orient3d(segment[p], segment[q], triangle[i], triangle[next_corner[i]]);
        left |= sign > 0;
        right |= sign < 0;
    }
    return !(left && right);
}

static bool ranges_overlap(float a0, float a1, float b0, float b1)
{
    return (a0 <= b0 || a0 <= b1 || a1 <= b0 || a1 <= b1) &&
           (b0 <= a0 || b0 <= a1 || b1 <= a0 || b1 <= a1);
}

/* Closed segments p q and r s without the coordinate `axis`. Each must touch the line of the other;
 * that is enough unless all is on one line, where the boxes decide. A segment may be a point.
 */
static bool projected_segments_meet(const float p[3], const float q[3], const float r[3],
                                    const float s[3], int axis)
{
    for (int i = 0; i < 3; ++i) {
        if (i != axis && !ranges_overlap(p[i], q[i], r[i], s[i]))
            return false;
    }
    return grazei_orient2d(p, q, r, axis) * grazei_orient2d(p, q, s, axis) <= 0 &&
           grazei_orient2d(r, s, p, axis) * grazei_orient2d(r, s, q, axis) <= 0;
}

/* A point in a proper projected triangle; false if the triangle is degenerate: its three signed
 * areas with the point then sum to zero, so they have both signs or are all zero.
 */
static bool projected_triangle_contains(corners triangle, const float point[3], int axis)
{
    int signs[3];
    for (int i = 0; i < 3; ++i)
        signs[i] = grazei_orient2d(triangle[i], triangle[next_corner[i]], point, axis);
    bool left = signs[0] > 0 || signs[1] > 0 || signs[2] > 0;
    bool right = signs[0] < 0 || signs[1] < 0 || signs[2] < 0;
    return left != right;
}

/* Two closed triangles meet in the projection if two edges do, or if one contains the other. */
static bool projected_triangles_meet(corners a, corners b, int axis)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (projected_segments_meet(a[i], a[next_corner[i]], b[j], b[next_corner[j]], axis))
                return true;
        }
    }
    return projected_triangle_contains(a, b[0], axis) || projected_triangle_contains(b, a[0], axis);
}

/* All six corners lie in one plane, or each triangle is degenerate.
 *
 * Two segments in different planes are told by the orientation of their ends. Sets in one plane (or
 * on one line) meet if and only if all three of their projections do: at least one of the
 * projections is injective on that plane (or line), and none can part what meets.
 */
static bool flat_triangles_meet(corners a, corners b)
{
    int p, q, r, s;
    extreme_corners(a, &p, &q);
    extreme_corners(b, &r, &s);
    if (grazei_orient3d(a[p], a[q], b[r], b[s]) != 0)
        return false;
    for (int axis = 0; axis < 3; ++axis) {
        if (!projected_triangles_meet(a, b, axis))
            return false;
    }
    return true;
}

bool grazei_triangles_meet(const float a[3][3], const float b[3][3])
{
    int a_signs[3], b_signs[3];
    if (boxes_apart(a, b))
        return false;
    sides(a, b, b_signs);
    if (all_positive(b_signs) || all_negative(b_signs))
        return false;
    sides(b, a, a_signs);
    if (all_positive(a_signs) || all_negative(a_signs))
        return false;

    /* Signs that are not all zero prove the triangle of the plane proper. */
    bool a_is_flat = all_zero(a_signs), b_is_flat = all_zero(b_signs);
    if (a_is_flat && b_is_flat)
        return flat_triangles_meet(a, b);
    if (a_is_flat)
        return segment_meets_triangle(b, a);
    if (b_is_flat)
        return segment_meets_triangle(a, b);
    return crossing_triangles_meet(a, a_signs, b, b_signs);
}
