/* Triangle against sphere and capsule: the distance to the centre, or to the axis.
 *
 * Every distance is that of two points which are found first, each a convex combination of corners
 * (of ends of the axis), so that no distance comes out smaller than it is but for roundings of the
 * points, some 2^-50 of the lengths involved (call that length D).
 *
 * Nor does it come out larger. Where edges are nearly parallel, or the triangle is a sliver of
 * height h, normal equations would lose all digits; here the second direction is made orthogonal to
 * the first, so that it is wrong by an angle e of at most 2^-50 D / h, no matter how small h is.
 * Seen from a distance d the nearest point then is missed by no more than d e, and, since points
 * are kept within the triangle, by no more than h. A miss enters squared: it costs at most min(d e,
 * h)^2 / 2d <= h e / 2 <= 2^-51 D. A point that ought to be within and is taken for beyond an edge
 * is as near to that edge, where the edge's own distance takes over at the same cost.
 */
#include "narrow/shapes.h"

#include "narrow/d3.h"
#include "narrow/triangle.h"

#include <math.h>

/* Added to the radius, relative to the lengths involved: sixty times the errors above. */
#define TOLERANCE 0x1p-45

static inline double clamp_unit(double t)
{
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

/* From the nearest point of the segment from a along e, to p. */
static inline d3 from_segment(d3 a, d3 e, d3 p)
{
    d3 w = d3_sub(p, a);
    double square = d3_dot(e, e);
    double t = square > 0 ? clamp_unit(d3_dot(w, e) / square) : 0;
    return d3_along(w, -t, e);
}

static inline double segment_square(d3 a, d3 e, d3 p)
{
    d3 away = from_segment(a, e, p);
    return d3_dot(away, away);
}

/* The square of the distance of p from the triangle's interior, if it is there that p is nearest;
 * else infinity. The base is the longest edge, from a to b.
 */
static double interior_square(d3 a, d3 b, d3 c, d3 p)
{
    d3 base = d3_sub(b, a), side = d3_sub(c, a), w = d3_sub(p, a);
    double square = d3_dot(base, base);
    if (!(square > 0))
        return INFINITY;
    double foot = d3_dot(side, base) / square, under = d3_dot(w, base) / square;
    d3 height = d3_along(side, -foot, base);
    double height_square = d3_dot(height, height);
    if (!(height_square > 0))
        return INFINITY;
    double share_c = d3_dot(d3_along(w, -under, base), height) / height_square;
    double share_b = under - share_c * foot;
    if (!(share_c >= 0 && share_b >= 0 && share_b + share_c <= 1))
        return INFINITY;
    d3 away = d3_along(d3_along(w, -share_b, base), -share_c, side);
    return d3_dot(away, away);
}

/* corners[0] to corners[1] is the longest edge. */
static double point_square(const d3 corners[3], d3 p)
{
    double least = interior_square(corners[0], corners[1], corners[2], p);
    for (int i = 0; i < 3; i++) {
        d3 a = corners[i];
        least = d1_min(least, segment_square(a, d3_sub(corners[(i + 1) % 3], a), p));
    }
    return least;
}

/* The square of the distance between the segments from a along e and from the origin along f, if
 * they are nearest in the interior of both; else at least it.
 */
static double edges_square(d3 a, d3 e, d3 f)
{
    double square = d3_dot(f, f);
    if (!(square > 0))
        return INFINITY;
    d3 across = d3_along(e, -d3_dot(e, f) / square, f);
    d3 start = d3_along(a, -d3_dot(a, f) / square, f);
    double across_square = d3_dot(across, across);
    if (!(across_square > 0))
        return INFINITY;
    double t = clamp_unit(-d3_dot(start, across) / across_square);
    return segment_square((d3){0, 0, 0}, f, d3_along(a, t, e));
}

/* The triangle does not cross the axis: they are nearest at an end of the axis, at a corner, or
 * between two edges.
 */
static double axis_square(const d3 corners[3], d3 axis)
{
    double least = d1_min(point_square(corners, (d3){0, 0, 0}), point_square(corners, axis));
    for (int i = 0; i < 3; i++) {
        d3 a = corners[i], edge = d3_sub(corners[(i + 1) % 3], a);
        least = d1_min(least, segment_square((d3){0, 0, 0}, axis, a));
        least = d1_min(least, edges_square(a, edge, axis));
    }
    return least;
}

static double largest(d3 a)
{
    return d1_max(d1_max(fabs(a.x), fabs(a.y)), fabs(a.z));
}

/* Relative to the origin; returns the length that errors are relative to. */
static double load(const grazei_shape *shape, const float *const corners[3], d3 points[3])
{
    const double *origin = shape->origin;
    double size = 0;
    for (int i = 0; i < 3; i++) {
        const float *corner = corners[i];
        points[i] = (d3){corner[0] - origin[0], corner[1] - origin[1], corner[2] - origin[2]};
        size = d1_max(size, largest(points[i]));
    }
    return size;
}

/* Turns the corners until the longest edge comes first. */
static void turn(d3 points[3])
{
    double longest = -1;
    int first = 0;
    for (int i = 0; i < 3; i++) {
        d3 edge = d3_sub(points[(i + 1) % 3], points[i]);
        double square = d3_dot(edge, edge);
        first = square > longest ? i : first;
        longest = d1_max(square, longest);
    }
    const d3 before[3] = {points[0], points[1], points[2]};
    for (int i = 0; i < 3; i++)
        points[i] = before[(first + i) % 3];
}

/* Most triangles are seen to be apart along the way from the axis to their middle. Any direction
 * that shows it will do, and the limit has more room than this rounds.
 */
static bool clearly_apart(const d3 points[3], d3 axis, double limit)
{
    d3 sum = {points[0].x + points[1].x + points[2].x, points[0].y + points[1].y + points[2].y,
              points[0].z + points[1].z + points[2].z};
    d3 away = from_segment((d3){0, 0, 0}, axis, d3_along((d3){0, 0, 0}, 1.0 / 3, sum));
    double nearest =
        d1_min(d1_min(d3_dot(away, points[0]), d3_dot(away, points[1])), d3_dot(away, points[2]));
    double gap = nearest - d1_max(d3_dot(away, axis), 0);
    return gap > 0 && gap * gap > limit * limit * d3_dot(away, away);
}

bool grazei_round_meets(const grazei_shape *shape, const float *const corners[3])
{
    d3 points[3], axis = {shape->along[0], shape->along[1], shape->along[2]};
    double size = load(shape, corners, points);
    double limit = shape->radius + TOLERANCE * (size + largest(axis));
    if (clearly_apart(points, axis, limit))
        return false;
    turn(points);
    if (shape->kind == GRAZE_SPHERE)
        return point_square(points, (d3){0, 0, 0}) <= limit * limit;
    if (axis_square(points, axis) <= limit * limit)
        return true;
    float triangle[3][3];
    for (int i = 0; i < 9; i++)
        triangle[i / 3][i % 3] = corners[i / 3][i % 3];
    return grazei_triangles_meet(shape->segment, (const float(*)[3])triangle);
}

double grazei_shape_axis_distance(const grazei_shape *shape, const double point[3], double away[3])
{
    d3 axis = {shape->along[0], shape->along[1], shape->along[2]};
    d3 way = from_segment((d3){0, 0, 0}, axis, (d3){point[0], point[1], point[2]});
    away[0] = way.x;
    away[1] = way.y;
    away[2] = way.z;
    return sqrt(d3_dot(way, way));
}
