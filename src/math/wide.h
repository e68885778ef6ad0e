/* Doubles, half as many in a vector as floats (GRAZEI_WIDE_DOUBLES), and a little more of lanes,
 * where a vector has eight floats or more (GRAZEI_WIDE). Elsewhere algorithms are written without.
 * Each lane computes what a plain double would.
 *
 *   doubles, doubles_mask      + - * / work on the first
 *   doubles_set                all lanes the same
 *   doubles_abs, doubles_sqrt
 *   doubles_above              false where an operand is NaN
 *   doubles_not_below          true of a >= b
 *   doubles_bits               lane k in bit k
 *   doubles_select             where the mask is set the second operand, elsewhere the third
 *   doubles_load_rows          lane k of out[c] is row[k][c]; rows are 4 floats, aligned to 16
 * bytes doubles_to_floats          stores them rounded lanes_least, lanes_most    of all lanes
 *   eight_in_order             copies eight floats: to[k] is from[order[k]]
 */
#ifndef GRAZEI_MATH_WIDE_H
#define GRAZEI_MATH_WIDE_H

#include "math/lanes.h"

#if !defined(GRAZEI_LANES_SCALAR) && defined(__AVX2__)
#define GRAZEI_WIDE
#define GRAZEI_WIDE_DOUBLES (GRAZEI_LANES / 2)

#if GRAZEI_LANES == 16

typedef __m512d doubles;
typedef __mmask8 doubles_mask;

GRAZEI_INLINE doubles doubles_set(double x)
{
    return _mm512_set1_pd(x);
}
GRAZEI_INLINE doubles doubles_abs(doubles a)
{
    return _mm512_abs_pd(a);
}
GRAZEI_INLINE doubles doubles_sqrt(doubles a)
{
    return _mm512_sqrt_pd(a);
}
GRAZEI_INLINE doubles_mask doubles_above(doubles a, doubles b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ);
}
GRAZEI_INLINE doubles_mask doubles_not_below(doubles a, doubles b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_GE_OQ);
}
GRAZEI_INLINE uint32_t doubles_bits(doubles_mask mask)
{
    return mask;
}
GRAZEI_INLINE doubles doubles_select(doubles_mask mask, doubles a, doubles b)
{
    return _mm512_mask_blend_pd(mask, b, a);
}
GRAZEI_INLINE void doubles_to_floats(float *p, doubles a)
{
    _mm256_storeu_ps(p, _mm512_cvtpd_ps(a));
}

GRAZEI_INLINE void doubles_load_rows(const float *const rows[8], doubles out[4])
{
    __m256 r[4];
    for (int k = 0; k < 4; ++k)
        r[k] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(rows[k])),
                                    _mm_load_ps(rows[k + 4]), 1);
    __m256 xy01 = _mm256_unpacklo_ps(r[0], r[1]), zw01 = _mm256_unpackhi_ps(r[0], r[1]);
    __m256 xy23 = _mm256_unpacklo_ps(r[2], r[3]), zw23 = _mm256_unpackhi_ps(r[2], r[3]);
    out[0] = _mm512_cvtps_pd(_mm256_shuffle_ps(xy01, xy23, _MM_SHUFFLE(1, 0, 1, 0)));
    out[1] = _mm512_cvtps_pd(_mm256_shuffle_ps(xy01, xy23, _MM_SHUFFLE(3, 2, 3, 2)));
    out[2] = _mm512_cvtps_pd(_mm256_shuffle_ps(zw01, zw23, _MM_SHUFFLE(1, 0, 1, 0)));
    out[3] = _mm512_cvtps_pd(_mm256_shuffle_ps(zw01, zw23, _MM_SHUFFLE(3, 2, 3, 2)));
}

GRAZEI_INLINE float lanes_least(lanes a)
{
    return _mm512_reduce_min_ps(a);
}
GRAZEI_INLINE float lanes_most(lanes a)
{
    return _mm512_reduce_max_ps(a);
}

#else

typedef __m256d doubles;
typedef __m256d doubles_mask;

GRAZEI_INLINE doubles doubles_set(double x)
{
    return _mm256_set1_pd(x);
}
GRAZEI_INLINE doubles doubles_abs(doubles a)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}
GRAZEI_INLINE doubles doubles_sqrt(doubles a)
{
    return _mm256_sqrt_pd(a);
}
GRAZEI_INLINE doubles_mask doubles_above(doubles a, doubles b)
{
    return _mm256_cmp_pd(a, b, _CMP_GT_OQ);
}
GRAZEI_INLINE doubles_mask doubles_not_below(doubles a, doubles b)
{
    return _mm256_cmp_pd(a, b, _CMP_GE_OQ);
}
GRAZEI_INLINE uint32_t doubles_bits(doubles_mask mask)
{
    return (uint32_t)_mm256_movemask_pd(mask);
}
GRAZEI_INLINE doubles doubles_select(doubles_mask mask, doubles a, doubles b)
{
    return _mm256_blendv_pd(b, a, mask);
}
GRAZEI_INLINE void doubles_to_floats(float *p, doubles a)
{
    _mm_storeu_ps(p, _mm256_cvtpd_ps(a));
}

GRAZEI_INLINE void doubles_load_rows(const float *const rows[4], doubles out[4])
{
    __m128 x = _mm_load_ps(rows[0]), y = _mm_load_ps(rows[1]);
    __m128 z = _mm_load_ps(rows[2]), w = _mm_load_ps(rows[3]);
    _MM_TRANSPOSE4_PS(x, y, z, w);
    out[0] = _mm256_cvtps_pd(x);
    out[1] = _mm256_cvtps_pd(y);
    out[2] = _mm256_cvtps_pd(z);
    out[3] = _mm256_cvtps_pd(w);
}

#define GRAZEI_OF_ALL(reduce, reduce_one, a)                                                       \
    __m128 four = reduce(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));                  \
    __m128 two = reduce(four, _mm_movehl_ps(four, four));                                          \
    return _mm_cvtss_f32(reduce_one(two, _mm_shuffle_ps(two, two, 1)))
GRAZEI_INLINE float lanes_least(lanes a)
{
    GRAZEI_OF_ALL(_mm_min_ps, _mm_min_ss, a);
}
GRAZEI_INLINE float lanes_most(lanes a)
{
    GRAZEI_OF_ALL(_mm_max_ps, _mm_max_ss, a);
}
#undef GRAZEI_OF_ALL

#endif

GRAZEI_INLINE void eight_in_order(float *to, const float *from, const int32_t order[8])
{
    __m256i places = _mm256_loadu_si256((const __m256i *)(const void *)order);
    _mm256_storeu_ps(to, _mm256_permutevar8x32_ps(_mm256_loadu_ps(from), places));
}

#endif

#endif
