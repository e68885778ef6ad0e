/* Triangle against triangle by signs of orientations, as in triangle.c, four of them at a time in
 * doubles; where one is not certain, nothing is said. Included by candidate_kernels.c only.
 */
#ifndef GRAZEI_NARROW_TRIANGLE_SURELY_H
#define GRAZEI_NARROW_TRIANGLE_SURELY_H

#if defined(__AVX2__)

#include "math/lanes.h"

/* Four points, a coordinate in each. */
typedef struct four_points {
    __m256d x, y, z;
} four_points;

/* Which of four orientations are surely positive, and which negative, as bits. */
typedef struct four_signs {
    int positive, negative;
} four_signs;

GRAZEI_INLINE four_points repeat_point(const float *p)
{
    return (four_points){_mm256_set1_pd((double)p[0]), _mm256_set1_pd((double)p[1]),
                         _mm256_set1_pd((double)p[2])};
}

/* All have a fourth number, which does not matter. */
GRAZEI_INLINE four_points gather_points(const float *p, const float *q, const float *r,
                                        const float *s)
{
    __m128 x = _mm_loadu_ps(p), y = _mm_loadu_ps(q), z = _mm_loadu_ps(r), w = _mm_loadu_ps(s);
    _MM_TRANSPOSE4_PS(x, y, z, w);
    return (four_points){_mm256_cvtps_pd(x), _mm256_cvtps_pd(y), _mm256_cvtps_pd(z)};
}

GRAZEI_INLINE four_points from_to(const four_points *d, const four_points *a)
{
    return (four_points){_mm256_sub_pd(a->x, d->x), _mm256_sub_pd(a->y, d->y),
                         _mm256_sub_pd(a->z, d->z)};
}

GRAZEI_INLINE __m256d magnitude_of(__m256d x)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
}

/* The same steps as in grazei_orient3d, so the same bound holds: see exact/orient.c. */
GRAZEI_INLINE four_signs orient_four(four_points a, four_points b, four_points c, four_points d)
{
    four_points ad = from_to(&d, &a), bd = from_to(&d, &b), cd = from_to(&d, &c);
    __m256d yz = _mm256_mul_pd(bd.y, cd.z), zy = _mm256_mul_pd(bd.z, cd.y);
    __m256d zx = _mm256_mul_pd(bd.z, cd.x), xz = _mm256_mul_pd(bd.x, cd.z);
    __m256d xy = _mm256_mul_pd(bd.x, cd.y), yx = _mm256_mul_pd(bd.y, cd.x);
    __m256d determinant = _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(ad.x, _mm256_sub_pd(yz, zy)),
                                                      _mm256_mul_pd(ad.y, _mm256_sub_pd(zx, xz))),
                                        _mm256_mul_pd(ad.z, _mm256_sub_pd(xy, yx)));
    __m256d along_x = _mm256_add_pd(magnitude_of(yz), magnitude_of(zy));
    __m256d along_y = _mm256_add_pd(magnitude_of(zx), magnitude_of(xz));
    __m256d along_z = _mm256_add_pd(magnitude_of(xy), magnitude_of(yx));
    __m256d magnitude = _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(magnitude_of(ad.x), along_x),
                                                    _mm256_mul_pd(magnitude_of(ad.y), along_y)),
                                      _mm256_mul_pd(magnitude_of(ad.z), along_z));
    __m256d bound = _mm256_mul_pd(_mm256_set1_pd(9 * 0x1p-53), magnitude);
    __m256d below = _mm256_xor_pd(bound, _mm256_set1_pd(-0.0));
    return (four_signs){_mm256_movemask_pd(_mm256_cmp_pd(determinant, bound, _CMP_GT_OQ)),
                        _mm256_movemask_pd(_mm256_cmp_pd(determinant, below, _CMP_LT_OQ))};
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
