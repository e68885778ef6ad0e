/* Vectors of whole points, four of which are looked at together: as many points in each as the
 * widest vectors hold. Whatever the width, every point gives what it does alone, bit for bit.
 */
#ifndef GRAZEI_MATH_POINT_ROWS_H
#define GRAZEI_MATH_POINT_ROWS_H

#include "math/points.h"

/* GRAZEI_ROW_POINTS    points in a vector; not defined where there is room for one only
 * row_all              all points the same
 * row_load             points side by side
 * row_sums             the sums of the first three lanes of each four: those of four vectors
 * row_max, row_most    the greater of each two lanes, the greatest of all
 */
#if defined(__AVX512F__) && defined(__AVX512DQ__)

#define GRAZEI_ROW_POINTS 4

typedef float point_row __attribute__((vector_size(64)));

GRAZEI_INLINE point_row row_all(f4 a)
{
    return (point_row)_mm512_broadcast_f32x4((__m128)a);
}

GRAZEI_INLINE point_row row_load(const float *rows)
{
    return (point_row)_mm512_loadu_ps(rows);
}

GRAZEI_INLINE point_row row_sums(const point_row rows[4])
{
    __m512 a = (__m512)rows[0], b = (__m512)rows[1], c = (__m512)rows[2], d = (__m512)rows[3];
    __m512d ab_low = (__m512d)_mm512_unpacklo_ps(a, b), ab_high = (__m512d)_mm512_unpackhi_ps(a, b);
    __m512d cd_low = (__m512d)_mm512_unpacklo_ps(c, d), cd_high = (__m512d)_mm512_unpackhi_ps(c, d);
    point_row x = (point_row)_mm512_unpacklo_pd(ab_low, cd_low);
    point_row y = (point_row)_mm512_unpackhi_pd(ab_low, cd_low);
    point_row z = (point_row)_mm512_unpacklo_pd(ab_high, cd_high);
    return (x + y) + z;
}

GRAZEI_INLINE point_row row_max(point_row a, point_row b)
{
    return (point_row)_mm512_max_ps((__m512)a, (__m512)b);
}

GRAZEI_INLINE float row_most(point_row a)
{
    return _mm512_reduce_max_ps((__m512)a);
}

#elif defined(__AVX__)

#define GRAZEI_ROW_POINTS 2

typedef points point_row;

GRAZEI_INLINE point_row row_all(f4 a)
{
    return points_all(a);
}

GRAZEI_INLINE point_row row_load(const float *rows)
{
    return (point_row)_mm256_loadu_ps(rows);
}

GRAZEI_INLINE point_row row_sums(const point_row rows[4])
{
    __m256 a = (__m256)rows[0], b = (__m256)rows[1], c = (__m256)rows[2], d = (__m256)rows[3];
    __m256d ab_low = (__m256d)_mm256_unpacklo_ps(a, b), ab_high = (__m256d)_mm256_unpackhi_ps(a, b);
    __m256d cd_low = (__m256d)_mm256_unpacklo_ps(c, d), cd_high = (__m256d)_mm256_unpackhi_ps(c, d);
    point_row x = (point_row)_mm256_unpacklo_pd(ab_low, cd_low);
    point_row y = (point_row)_mm256_unpackhi_pd(ab_low, cd_low);
    point_row z = (point_row)_mm256_unpacklo_pd(ab_high, cd_high);
    return (x + y) + z;
}

GRAZEI_INLINE point_row row_max(point_row a, point_row b)
{
    return points_max(a, b);
}

GRAZEI_INLINE float row_most(point_row a)
{
    return f4_max4(points_most(a));
}

#endif

#endif
