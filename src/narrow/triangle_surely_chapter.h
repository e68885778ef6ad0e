/* Triangle against triangle by signs of orientations, as in triangle.c, four of them at a time in
 * doubles; where one is not certain, nothing is said. Included by candidate_kernels.c only.
 */
#ifndef GRAZEI_NARROW_TRIANGLE_SURELY_CHAPTER_H
#define GRAZEI_NARROW_TRIANGLE_SURELY_CHAPTER_H

#include "math/doubles.h"

#if defined(GRAZEI_FOUR_DOUBLES)

/* Four points, a coordinate in each. */
typedef struct four_points {
    double4 x, y, z;
} four_points;

/* Which of four orientations are surely positive, and which negative, as bits. */
typedef struct four_signs {
    int positive, negative;
} four_signs;

GRAZEI_INLINE four_points repeat_point(const float *p)
{
    return (four_points){double4_all((double)p[0]), double4_all((double)p[1]),
                         double4_all((double)p[2])};
}

/* All have a fourth number, which does not matter. */
GRAZEI_INLINE four_points gather_points(const float *p, const float *q, const float *r,
                                        const float *s)
{
    double4 at[3];
    double4_columns((const float *const[4]){p, q, r, s}, at);
    return (four_points){at[0], at[1], at[2]};
}

GRAZEI_INLINE four_points from_to(const four_points *d, const four_points *a)
{
    return (four_points){a->x - d->x, a->y - d->y, a->z - d->z};
}

/* The same steps as in grazei_orient3d, so the same bound holds: see exact/orient.c. */
GRAZEI_INLINE four_signs orient_four(four_points a, four_points b, four_points c, four_points d)
{
    four_points ad = from_to(&d, &a), bd = from_to(&d, &b), cd = from_to(&d, &c);
    double4 yz = bd.y * cd.z, zy = bd.z * cd.y, zx = bd.z * cd.x, xz = bd.x * cd.z;
    double4 xy = bd.x * cd.y, yx = bd.y * cd.x;
    double4 determinant = (ad.x * (yz - zy) + ad.y * (zx - xz)) + ad.z * (xy - yx);
    double4 along_x = double4_abs(yz) + double4_abs(zy),
            along_y = double4_abs(zx) + double4_abs(xz);
    double4 along_z = double4_abs(xy) + double4_abs(yx);
    double4 magnitude =
        (double4_abs(ad.x) * along_x + double4_abs(ad.y) * along_y) + double4_abs(ad.z) * along_z;
    double4 bound = double4_all(9 * 0x1p-53) * magnitude;
    return (four_signs){double4_above(determinant, bound), double4_below(determinant, -bound)};
}

/* On which sides of a plane three corners lie, the first one twice. */
GRAZEI_INLINE four_signs sides_of_plane(const float *const plane[3], const float *const points[3])
{
    return orient_four(repeat_point(plane[0]), repeat_point(plane[1]), repeat_point(plane[2]),
                       gather_points(points[0], points[1], points[2], points[0]));
}

/* The corner that is alone on its side, of three that are not all on one. */
GRAZEI_INLINE int lone_corner(four_signs signs)
{
    static const int8_t alone[8] = {0, 0, 1, 2, 2, 1, 0, 0};
    return alone[signs.positive & 7];
}

/* Whether two triangles meet: 1, 0, or -1 where that is not certain. */
static int meet_surely(const float *const a[3], const float *const b[3])
{
    static const int next[5] = {0, 1, 2, 0, 1};
    four_signs of_b = sides_of_plane(a, b), of_a = sides_of_plane(b, a);
    if (of_b.positive == 15 || of_b.negative == 15 || of_a.positive == 15 || of_a.negative == 15)
        return 0;
    if ((of_b.positive | of_b.negative) != 15 || (of_a.positive | of_a.negative) != 15)
        return -1;
    int p = lone_corner(of_a), r = lone_corner(of_b);
    const float *q[2] = {a[next[p + 1]], a[next[p + 2]]}, *s[2] = {b[next[r + 1]], b[next[r + 2]]};
    four_signs crossing = orient_four(repeat_point(a[p]), gather_points(q[0], q[1], q[0], q[1]),
                                      repeat_point(b[r]), gather_points(s[0], s[0], s[1], s[1]));
    if (crossing.positive && crossing.negative)
        return 1;
    return crossing.positive == 15 || crossing.negative == 15 ? 0 : -1;
}

#endif

#endif
