/* Crossings of a ray with signs, by orientations alone.
 *
 * Rays through edges and vertices are decided as if the point were moved by (e, e^2) in y and z for
 * an e smaller than anything (Edelsbrunner & Muecke, "Simulation of Simplicity", 1990). An edge
 * then always passes the ray on one side, the other one for the triangle that uses it the other way
 * round, so a closed surface is crossed once where two of its triangles share the edge.
 */
#include "narrow/shapes_crossing.h"

#include "exact/orient.h"
#include "narrow/triangle.h"

#include <string.h>

/* On which side the edge from u to v passes the point, seen along x. The determinant grows with the
 * point's y by u.z - v.z and with its z by v.y - u.y.
 */
static int edge_side(const float u[3], const float v[3], const float point[3])
{
    int sign = grazei_orient2d(u, v, point, 0);
    if (sign)
        return sign;
    if (u[2] != v[2])
        return u[2] > v[2] ? 1 : -1;
    return u[1] == v[1] ? 0 : v[1] > u[1] ? 1 : -1;
}

static bool beyond_box(const float point[3], const float *const corners[3], int axis)
{
    const float x = point[axis];
    return (corners[0][axis] < x && corners[1][axis] < x && corners[2][axis] < x) ||
           (corners[0][axis] > x && corners[1][axis] > x && corners[2][axis] > x);
}

static bool lies_in(const float point[3], const float *const corners[3])
{
    float here[3][3], triangle[3][3];
    for (int i = 0; i < 3; i++) {
        memcpy(here[i], point, sizeof here[i]);
        memcpy(triangle[i], corners[i], sizeof triangle[i]);
    }
    return grazei_triangles_meet((const float(*)[3])here, (const float(*)[3])triangle);
}

/* Where the moved point is over the triangle, its projection has an area, so the ray crosses the
 * plane once: ahead if the orientation of the triangle with the point is that of the projection. It
 * is zero only if the point lies in the triangle, which was found before.
 */
grazei_ray_crossing grazei_cross_triangle(const float point[3], const float *const corners[3])
{
    grazei_ray_crossing crossing = {false, 0};
    const float *a = corners[0], *b = corners[1], *c = corners[2];
    if (beyond_box(point, corners, 1) || beyond_box(point, corners, 2) ||
        (a[0] < point[0] && b[0] < point[0] && c[0] < point[0]))
        return crossing;
    if (!beyond_box(point, corners, 0) && lies_in(point, corners)) {
        crossing.on_surface = true;
        return crossing;
    }
    int side = edge_side(a, b, point);
    if (side == 0 || edge_side(b, c, point) != side || edge_side(c, a, point) != side)
        return crossing;
    if (grazei_orient3d(a, b, c, point) == side)
        crossing.sign = side;
    return crossing;
}
