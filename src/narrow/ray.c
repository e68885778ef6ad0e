/* Exact ray against triangle, by the sides on which the line passes the edges.
 *
 * The three determinants that say so are also the barycentric weights of the point where the line
 * meets the plane, as in Segura and Feito, "Algorithms to Test Ray-Triangle Intersection", WSCG
 * 2001. Their signs are exact and their values accurate (exact/line.h), so the point is found in
 * the triangle, and t from the point: t is good even where the ray nearly runs within the plane.
 */
#include "narrow/ray.h"

#include "base/assert.h"
#include "exact/line.h"
#include "exact/orient.h"

#include <float.h>
#include <math.h>

typedef const float (*corners)[3];

static const int next_corner[3] = {1, 2, 0};

/* A point on the line and in the triangle. */
typedef struct line_point {
    float t;
    double u, v;
} line_point;

/* The t of the point of these weights. The weights are off by at most 2^-29 each, so the point
 * moves by at most 2^-28 of the triangle's extent.
 */
static double t_of(const graze_ray *ray, corners triangle, double u, double v)
{
    int axis = grazei_ray_axis(ray->dir);
    double start = triangle[0][axis];
    double along = (start - ray->origin[axis]) + u * (triangle[1][axis] - start) +
                   v * (triangle[2][axis] - start);
    return along / ray->dir[axis];
}

/* t rounded to float, with the sign that is known. */
static float with_sign(double t, int sign)
{
    float rounded = (float)t;
    if (sign == 0 || (sign > 0 && rounded < 0))
        return 0;
    return sign < 0 && rounded > -FLT_TRUE_MIN ? -FLT_TRUE_MIN : rounded;
}

static bool answer(const graze_ray *ray, line_point at, grazei_ray_point *point)
{
    if (!(at.t >= ray->t_min && at.t <= ray->t_max))
        return false;
    point->t = at.t;
    point->u = (float)at.u;
    point->v = (float)at.v;
    /* Each is rounded; their sum must not exceed 1 for that. */
    if (point->u + point->v > 1)
        point->v = 1 - point->u;
    return true;
}

/* The line crosses the plane of a proper triangle in one point, inside; weights are all >= 0 or all
 * <= 0, and their sum is dir . normal.
 */
static bool meet_across(const graze_ray *ray, corners triangle, const double weight[3],
                        grazei_ray_point *point)
{
    double sum = (weight[0] + weight[1]) + weight[2];
    int side = grazei_orient3d(triangle[0], triangle[1], triangle[2], ray->origin);
    line_point at = {.u = weight[1] / sum, .v = weight[2] / sum};
    at.t = with_sign(t_of(ray, triangle, at.u, at.v), sum > 0 ? side : -side);
    return answer(ray, at, point);
}

/* A corner that is on the line. */
static line_point point_at_corner(const graze_ray *ray, corners triangle, int corner)
{
    int axis = grazei_ray_axis(ray->dir);
    double along = (double)triangle[corner][axis] - ray->origin[axis];
    return (line_point){.t = with_sign(along / ray->dir[axis],
                                       ((along > 0) - (along < 0)) * (ray->dir[axis] > 0 ? 1 : -1)),
                        .u = corner == 1,
                        .v = corner == 2};
}

/* Where the line crosses the edge from corner a to b, which lie on different sides of it by the
 * given offsets. Without the coordinate `axis`, (b - a) x (origin + t dir - a) = 0 there, and
 * (b - a) x dir has the sign of a's offset.
 */
static line_point point_on_edge(const graze_ray *ray, corners triangle, int a, int b, int axis,
                                const double offset[3])
{
    double share = offset[a] / (offset[a] - offset[b]), weight[3] = {0, 0, 0};
    GRAZE_ASSERT((offset[a] < 0) != (offset[b] < 0) && offset[a] != 0);
    int side = grazei_orient2d(triangle[a], triangle[b], ray->origin, axis);
    weight[a] = 1 - share;
    weight[b] = share;
    line_point at = {.u = weight[1], .v = weight[2]};
    at.t = with_sign(t_of(ray, triangle, at.u, at.v), offset[a] > 0 ? -side : side);
    return at;
}

static void widen(line_point at, bool *any, line_point *first, line_point *last)
{
    if (!*any || at.t < first->t)
        *first = at;
    if (!*any || at.t > last->t)
        *last = at;
    *any = true;
}

/* The line lies in the plane of the triangle, or the triangle is degenerate and one plane holds
 * both: they meet in an interval, which may be a point. The normal of that plane is along all
 * nonzero dir x (corner - origin), so any axis on which one of them is nonzero tells the sides.
 */
static bool meet_within(const graze_ray *ray, corners triangle, grazei_ray_point *point)
{
    double offset[3] = {0, 0, 0};
    line_point first = {0}, last = {0};
    bool any = false;
    int axis = 0;
    for (int tried = 0; tried < 3 && offset[0] == 0 && offset[1] == 0 && offset[2] == 0; ++tried) {
        axis = tried;
        for (int i = 0; i < 3; ++i)
            offset[i] = grazei_line_offset(ray->origin, ray->dir, triangle[i], axis);
    }
    for (int a = 0; a < 3; ++a) {
        int b = next_corner[a];
        if (offset[a] == 0)
            widen(point_at_corner(ray, triangle, a), &any, &first, &last);
        else if ((offset[a] < 0 && offset[b] > 0) || (offset[a] > 0 && offset[b] < 0))
            widen(point_on_edge(ray, triangle, a, b, axis, offset), &any, &first, &last);
    }
    if (!any)
        return false;
    if (first.t < ray->t_min && last.t >= ray->t_min) { /* the ray starts inside */
        double share = ((double)ray->t_min - first.t) / ((double)last.t - first.t);
        first = (line_point){ray->t_min, first.u + share * (last.u - first.u),
                             first.v + share * (last.v - first.v)};
    }
    return answer(ray, first, point);
}

/* If the sides are not all zero and not of both signs, their sum dir . normal is not zero: the line
 * crosses the plane, inside. If they are of both signs it crosses the plane outside, or it is
 * parallel to the plane and outside it, or skew to a degenerate triangle.
 */
bool grazei_ray_meets(const graze_ray *ray, const float triangle[3][3], grazei_ray_point *point)
{
    double weight[3];
    bool left = false, right = false;
    for (int i = 0; i < 3; ++i) {
        int j = next_corner[i], k = next_corner[j];
        weight[i] = grazei_line_side(ray->origin, ray->dir, triangle[j], triangle[k]);
        left |= weight[i] > 0;
        right |= weight[i] < 0;
        if (left && right)
            return false;
    }
    return left || right ? meet_across(ray, triangle, weight, point)
                         : meet_within(ray, triangle, point);
}

void grazei_triangle_normal(const float triangle[3][3], float normal[3])
{
    double e[3], f[3], n[3];
    for (int i = 0; i < 3; ++i) {
        e[i] = (double)triangle[1][i] - triangle[0][i];
        f[i] = (double)triangle[2][i] - triangle[0][i];
    }
    for (int i = 0; i < 3; ++i)
        n[i] = e[next_corner[i]] * f[next_corner[next_corner[i]]] -
               e[next_corner[next_corner[i]]] * f[next_corner[i]];
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int i = 0; i < 3; ++i)
        normal[i] = length > 0 ? (float)(n[i] / length) : 0;
}
