/* The segment that two triangles share: signs of orientations decide which of the four places where
 * edges cut the line common to both planes are its ends (Guigue & Devillers 2003, as triangle.c),
 * and each end is then computed from one edge and one plane alone. Neighbouring triangles share the
 * edge, so they get the same end.
 */
#include "narrow/segment.h"

#include "base/assert.h"
#include "exact/expansion.h"
#include "exact/orient.h"
#include "narrow/triangle.h"

#include <math.h>
#include <string.h>

typedef const float (*corners)[3];

static const int next_corner[3] = {1, 2, 0};

/* The edges of a triangle that cut the common line, from their common corner to two others, in
 * order along (normal of a) x (normal of b).
 */
typedef struct cut {
    int lone;
    int to[2];
} cut;

static bool precedes(const float a[3], const float b[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (a[axis] != b[axis])
            return a[axis] < b[axis];
    return false;
}

static double exact_height(corners plane, const float point[3])
{
    grazei_exact_sum sum = {.count = 0};
    grazei_exact_add_determinant(&sum, 1, plane[0], plane[1], plane[2]);
    grazei_exact_add_determinant(&sum, -1, point, plane[1], plane[2]);
    grazei_exact_add_determinant(&sum, -1, plane[0], point, plane[2]);
    grazei_exact_add_determinant(&sum, -1, plane[0], plane[1], point);
    return grazei_exact_value(&sum);
}

/* How far behind the plane a point lies, times twice the area of the plane's triangle, to 2^-30 of
 * itself. The error of the first way is below 9 x 2^-53 magnitude (exact/orient.c).
 */
static double height_behind(corners plane, const float point[3])
{
    double rows[3][3], height = 0, magnitude = 0;
    for (int r = 0; r < 3; r++)
        for (int axis = 0; axis < 3; axis++)
            rows[r][axis] = (double)plane[r][axis] - point[axis];
    for (int i = 0; i < 3; i++) {
        int k = next_corner[i], m = next_corner[k];
        double left = rows[1][k] * rows[2][m], right = rows[1][m] * rows[2][k];
        height += rows[0][i] * (left - right);
        magnitude += fabs(rows[0][i]) * (fabs(left) + fabs(right));
    }
    return fabs(height) >= 0x1p-19 * magnitude ? height : exact_height(plane, point);
}

static void copy_point(const float from[3], double to[3])
{
    for (int axis = 0; axis < 3; axis++)
        to[axis] = from[axis];
}

/* Where the edge p q passes the plane, given on which sides of it its ends lie; returns how far
 * along from p. The heights have different signs, so t is as good as they are.
 */
static double pass_plane(const float p[3], const float q[3], const int behind[2], corners plane,
                         double point[3])
{
    if (behind[0] == 0 || behind[1] == 0) {
        copy_point(behind[0] == 0 ? p : q, point);
        return behind[0] == 0 ? 0 : 1;
    }
    bool turned = precedes(q, p);
    const float *from = turned ? q : p, *to = turned ? p : q;
    double height = height_behind(plane, from);
    GRAZE_ASSERT(height != 0);
    double t = height / (height - height_behind(plane, to));
    for (int axis = 0; axis < 3; axis++)
        point[axis] = from[axis] + t * ((double)to[axis] - from[axis]);
    GRAZE_ASSERT(t >= 0 && t <= 1);
    return turned ? 1 - t : t;
}

/* On which side of the plane each corner lies (1: behind); all zero if the plane's triangle has no
 * area. False if all lie strictly on one side.
 */
static bool find_sides(corners plane, corners points, int signs[3])
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        signs[i] = grazei_orient3d(plane[0], plane[1], plane[2], points[i]);
        sum += signs[i];
    }
    return sum != 3 && sum != -3;
}

static bool all_zero(const int signs[3])
{
    return signs[0] == 0 && signs[1] == 0 && signs[2] == 0;
}

/* The corner that the plane separates from the other two, as in triangle.c. Looking at the front of
 * a triangle, the way from the next edge to the one before it has the lone corner on its left; that
 * is the way along n_a x n_b if the corner of a is behind b, and against it for b.
 */
static cut make_cut(const int signs[3], bool is_first)
{
    int lone = signs[0] == 0 ? 0 : signs[1] == 0 ? 1 : 2;
    for (int sign = -1; sign <= 1; sign += 2) {
        int count = 0, last = 0;
        for (int i = 0; i < 3; i++)
            if (signs[i] == sign) {
                count++;
                last = i;
            }
        if (count == 1)
            lone = last;
    }
    int next = next_corner[lone], after = next_corner[next];
    cut c = {lone, {next, after}};
    GRAZE_ASSERT(lone >= 0 && lone < 3);
    if ((signs[lone] > 0) != is_first) {
        c.to[0] = after;
        c.to[1] = next;
    }
    return c;
}

/* Notes that an edge of the cut meets the other triangle, and where. */
static void add_crossing(grazei_segment *segment, int side, corners own, const int signs[3],
                         const cut *c, int which, corners other, double point[3])
{
    int from = c->lone, to = c->to[which], behind[2] = {signs[from], signs[to]};
    grazei_crossing *crossing = &segment->crossings[segment->crossing_count++];
    crossing->side = (uint8_t)side;
    crossing->corners[0] = (uint8_t)from;
    crossing->corners[1] = (uint8_t)to;
    crossing->behind[0] = (int8_t)behind[0];
    crossing->behind[1] = (int8_t)behind[1];
    crossing->at = pass_plane(own[from], own[to], behind, other, point);
}

/* Both triangles are proper and lie in different planes, and each touches the plane of the other.
 * For edges of a and of b that cut the common line at i and k, the orientation of their ends is the
 * direction from i to k, up to a sign common to all four pairs (triangle.c). So i is within b's
 * interval if its two signs differ, and the shared interval starts where the later of the two
 * starts, which is the one that lies within the other.
 */
static bool crossing_segment(corners a, const int a_signs[3], corners b, const int b_signs[3],
                             grazei_segment *segment)
{
    cut cut_a = make_cut(a_signs, true), cut_b = make_cut(b_signs, false);
    int signs[2][2];
    bool any = false;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            signs[i][k] =
                grazei_orient3d(a[cut_a.lone], a[cut_a.to[i]], b[cut_b.lone], b[cut_b.to[k]]);
    for (int end = 0; end < 2; end++) {
        bool b_within = signs[0][end] * signs[1][end] <= 0;
        bool a_within = signs[end][0] * signs[end][1] <= 0;
        if (b_within)
            add_crossing(segment, 1, b, b_signs, &cut_b, end, a, segment->ends[end]);
        if (a_within)
            add_crossing(segment, 0, a, a_signs, &cut_a, end, b, segment->ends[end]);
        any |= a_within || b_within;
    }
    return any;
}

/* The triangle `line` has no area and passes the plane of the proper triangle in one point. */
static void passing_point(corners line, const int signs[3], corners plane, grazei_segment *segment)
{
    for (int i = 0; i < 3; i++) {
        int k = next_corner[i], behind[2] = {signs[i], signs[k]};
        if (behind[0] * behind[1] < 0 || behind[0] == 0)
            pass_plane(line[i], line[k], behind, plane, segment->ends[0]);
    }
    memcpy(segment->ends[1], segment->ends[0], sizeof segment->ends[1]);
}

/* Where the edges p q and r s, which meet, cross; false if they are parallel. */
static bool cross_edges(const float p[3], const float q[3], const float r[3], const float s[3],
                        double point[3])
{
    double pq[3], rs[3], pr[3], normal[3], top = 0, bottom = 0;
    for (int axis = 0; axis < 3; axis++) {
        pq[axis] = (double)q[axis] - p[axis];
        rs[axis] = (double)s[axis] - r[axis];
        pr[axis] = (double)r[axis] - p[axis];
    }
    for (int i = 0; i < 3; i++) {
        int k = next_corner[i], m = next_corner[k];
        normal[i] = pq[k] * rs[m] - pq[m] * rs[k];
        top += (pr[k] * rs[m] - pr[m] * rs[k]) * normal[i];
        bottom += normal[i] * normal[i];
    }
    if (!(bottom > 0))
        return false;
    double t = fmin(fmax(top / bottom, 0), 1);
    for (int axis = 0; axis < 3; axis++)
        point[axis] = p[axis] + t * pq[axis];
    return true;
}

static bool on_triangle(const float point[3], corners triangle)
{
    float dot[3][3];
    for (int c = 0; c < 3; c++)
        memcpy(dot[c], point, sizeof dot[c]);
    return grazei_triangles_meet((corners)dot, triangle);
}

static bool edges_meet(const float p[3], const float q[3], const float r[3], const float s[3])
{
    float edges[2][3][3];
    memcpy(edges[0][0], p, sizeof edges[0][0]);
    memcpy(edges[1][0], r, sizeof edges[1][0]);
    for (int c = 1; c < 3; c++) {
        memcpy(edges[0][c], q, sizeof edges[0][c]);
        memcpy(edges[1][c], s, sizeof edges[1][c]);
    }
    return grazei_triangles_meet((corners)edges[0], (corners)edges[1]);
}

static void keep_farthest(double points[][3], int count, grazei_segment *segment)
{
    double most = -1;
    for (int i = 0; i < count; i++)
        for (int k = i; k < count; k++) {
            double square = 0;
            for (int axis = 0; axis < 3; axis++)
                square += (points[k][axis] - points[i][axis]) * (points[k][axis] - points[i][axis]);
            if (square > most) {
                most = square;
                memcpy(segment->ends[0], points[i], sizeof points[i]);
                memcpy(segment->ends[1], points[k], sizeof points[k]);
            }
        }
}

/* All in one plane, or on one line: the corners of what is shared are corners of one that lie on
 * the other and crossings of edges, and its longest extent is between two of them.
 */
static void flat_segment(corners a, corners b, grazei_segment *segment)
{
    double points[15][3];
    int count = 0;
    segment->flat = true;
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < 3; c++) {
            corners own = side ? b : a, other = side ? a : b;
            if (on_triangle(own[c], other))
                copy_point(own[c], points[count++]);
        }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const float *p = a[i], *q = a[next_corner[i]], *r = b[k], *s = b[next_corner[k]];
            if (edges_meet(p, q, r, s))
                count += cross_edges(p, q, r, s, points[count]);
        }
    keep_farthest(points, count, segment);
}

bool grazei_triangle_segment(const float a[3][3], const float b[3][3], grazei_segment *segment)
{
    int a_signs[3], b_signs[3];
    memset(segment, 0, sizeof *segment);
    if (!find_sides(a, b, b_signs) || !find_sides(b, a, a_signs))
        return false;
    bool a_is_flat = all_zero(a_signs), b_is_flat = all_zero(b_signs);
    if (!a_is_flat && !b_is_flat)
        return crossing_segment(a, a_signs, b, b_signs, segment);
    if (!grazei_triangles_meet(a, b))
        return false;
    if (a_is_flat && b_is_flat)
        flat_segment(a, b, segment);
    else if (a_is_flat)
        passing_point(b, b_signs, a, segment);
    else
        passing_point(a, a_signs, b, segment);
    return true;
}
