/* Doubles side by side, two or four as one value: + - * work on them lane by lane, rounded as plain
 * doubles are.
 */
#ifndef GRAZEI_MATH_DOUBLES_H
#define GRAZEI_MATH_DOUBLES_H

#include "math/f4.h"
#include "math/lanes.h"

typedef double double2 __attribute__((vector_size(16)));
typedef double double4 __attribute__((vector_size(32)));
typedef int64_t long4 __attribute__((vector_size(32)));

GRAZEI_INLINE double2 double2_load(const double *p)
{
    double2 a;
    memcpy(&a, p, sizeof a);
    return a;
}

/* Rounded to floats. */
GRAZEI_INLINE f4 f4_of_doubles(double2 low, double2 high)
{
#if defined(__SSE2__)
    return (f4)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)low), _mm_cvtpd_ps((__m128d)high));
#else
    return f4_set((float)low[0], (float)low[1], (float)high[0], (float)high[1]);
#endif
}

/* The lesser of each two, of which b is taken where either is not a number; where the compiler does
 * not find that by itself.
 */
#if defined(__SSE2__)
#define double2_lesser(a, b) ((double2)_mm_min_pd((__m128d)(a), (__m128d)(b)))
#endif
#if defined(__AVX__)
#define double4_lesser(a, b) ((double4)_mm256_min_pd((__m256d)(a), (__m256d)(b)))
#endif
#if defined(__AVX512F__)
#define double8_lesser(a, b) _mm512_min_pd((__m512d)(a), (__m512d)(b))
#endif

/* *b becomes the greater, or the lesser, of each two numbers. (Through pointers: how such a value
 * is handed over differs between instruction sets.)
 */
GRAZEI_INLINE void double4_most(const double4 *a, double4 *b)
{
#if defined(__AVX__)
    *b = (double4)_mm256_max_pd((__m256d)*a, (__m256d)*b);
#else
    long4 more = *a > *b;
    *b = (double4)((more & (long4)*a) | (~more & (long4)*b));
#endif
}

GRAZEI_INLINE void double4_least(const double4 *a, double4 *b)
{
#if defined(__AVX__)
    *b = double4_lesser(*a, *b);
#else
    long4 less = *a < *b;
    *b = (double4)((less & (long4)*a) | (~less & (long4)*b));
#endif
}

#if defined(__AVX2__)
#define GRAZEI_FOUR_DOUBLES

GRAZEI_INLINE double4 double4_all(double x)
{
    return (double4)_mm256_set1_pd(x);
}

GRAZEI_INLINE double4 double4_abs(double4 a)
{
    return (double4)_mm256_andnot_pd(_mm256_set1_pd(-0.0), (__m256d)a);
}

/* Lane k in bit k: a above b, and a below b. */
GRAZEI_INLINE int double4_above(double4 a, double4 b)
{
    return _mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_GT_OQ));
}
GRAZEI_INLINE int double4_below(double4 a, double4 b)
{
    return _mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_LT_OQ));
}

/* The first three numbers of four rows of four, which are not aligned: out[k] has those of column
 * k.
 */
GRAZEI_INLINE void double4_columns(const float *const rows[4], double4 out[3])
{
    __m128 x = _mm_loadu_ps(rows[0]), y = _mm_loadu_ps(rows[1]);
    __m128 z = _mm_loadu_ps(rows[2]), w = _mm_loadu_ps(rows[3]);
    _MM_TRANSPOSE4_PS(x, y, z, w);
    out[0] = (double4)_mm256_cvtps_pd(x);
    out[1] = (double4)_mm256_cvtps_pd(y);
    out[2] = (double4)_mm256_cvtps_pd(z);
}
#endif

#endif
