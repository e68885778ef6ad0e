/* One pair of triangles: the reference for the lanes, and the points, which are needed once. */
#include "narrow/distance.h"

#include "narrow/triangle.h"

#define GRAZEI_WIDE double
#define GRAZEI_WIDE_MASK int64_t
#define GRAZEI_WIDTH 1
#include "narrow/distance_wide.h"

#include <float.h>

static void load_triangle(const float corners[3][3], wide3 out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = (wide3){wide_set((double)corners[i][0]), wide_set((double)corners[i][1]),
                         wide_set((double)corners[i][2])};
}

static int swapped(const float a[3][3], const float b[3][3])
{
    return comes_second(a[0], b[0], 3);
}

double grazei_triangle_distance_square(const float a[3][3], const float b[3][3])
{
    wide3 wide_a[3], wide_b[3];
    if (grazei_triangles_meet(a, b))
        return 0;
    load_triangle(swapped(a, b) ? b : a, wide_a);
    load_triangle(swapped(a, b) ? a : b, wide_b);
    return find_square(wide_a, wide_b, DBL_MIN)[0];
}

/* corner + s e + t f */
static wide3 point_on(wide3 corner, wide s, wide3 e, wide t, wide3 f)
{
    return wide3_less(wide3_less(corner, -s, e), -t, f);
}

static void find_points(const wide3 a[3], const wide3 b[3], const wide_nearest *nearest,
                        wide3 points[2])
{
    int feature = (int)nearest->feature[0];
    wide s = nearest->s, t = nearest->t, zero = wide_set(0);
    if (feature >= 9) {
        const wide3 *face = feature < 12 ? a : b;
        points[feature < 12] = feature < 12 ? b[feature - 9] : a[feature - 12];
        points[feature >= 12] =
            point_on(face[0], s, wide3_sub(face[1], face[0]), t, wide3_sub(face[2], face[0]));
        return;
    }
    int i = feature / 3, j = feature % 3;
    wide3 e = wide3_sub(a[(i + 1) % 3], a[i]), f = wide3_sub(b[(j + 1) % 3], b[j]);
    points[0] = point_on(a[i], s, e, zero, f);
    points[1] = point_on(b[j], zero, e, t, f);
}

/* Where the edges of one triangle cross the plane of the other, if one of those points is nearer to
 * the other triangle than `square`.
 */
static void try_crossings(const wide3 edges[3], const wide3 face[3], double *square,
                          wide3 points[2])
{
    wide3 e = wide3_sub(face[1], face[0]), f = wide3_sub(face[2], face[0]);
    wide3 normal = {e.y * f.z - e.z * f.y, e.z * f.x - e.x * f.z, e.x * f.y - e.y * f.x};
    for (int i = 0; i < 3; i++) {
        wide3 start = edges[i], side = wide3_sub(edges[(i + 1) % 3], start), zero = {{0}, {0}, {0}};
        wide s = wide3_dot(normal, wide3_sub(face[0], start)) / wide3_dot(normal, side);
        if (!(s[0] >= 0 && s[0] <= 1))
            continue;
        wide3 crossing = point_on(start, s, side, wide_set(0), zero);
        wide3 point[3] = {crossing, crossing, crossing};
        wide_nearest nearest = find_nearest(point, face);
        if (nearest.square[0] < *square) {
            *square = nearest.square[0];
            find_points(point, face, &nearest, points);
        }
    }
}

static void store_point(wide3 point, float out[3])
{
    out[0] = (float)point.x[0];
    out[1] = (float)point.y[0];
    out[2] = (float)point.z[0];
}

void grazei_triangle_nearest_points(const float a[3][3], const float b[3][3], float points[2][3])
{
    wide3 wide_a[3], wide_b[3], found[2];
    int second = swapped(a, b);
    load_triangle(second ? b : a, wide_a);
    load_triangle(second ? a : b, wide_b);
    wide_nearest nearest = find_nearest(wide_a, wide_b);
    find_points(wide_a, wide_b, &nearest, found);
    if (grazei_triangles_meet(a, b)) {
        double square = nearest.square[0];
        try_crossings(wide_a, wide_b, &square, found);
        try_crossings(wide_b, wide_a, &square, found);
        found[0] = found[1] =
            point_on(found[0], wide_set(0.5), wide3_sub(found[1], found[0]), wide_set(0), found[0]);
    }
    store_point(found[second], points[0]);
    store_point(found[!second], points[1]);
}
