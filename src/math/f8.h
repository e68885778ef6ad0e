/* Four pairs of floats as one value, side by side in memory: a middle, and how far something
 * reaches to either side of it. Rounded as plain floats are.
 */
#ifndef GRAZEI_MATH_F8_H
#define GRAZEI_MATH_F8_H

#include "math/f4.h"
#include "math/lanes.h"

#if defined(__AVX__)

typedef __m256 f8;

/* p is aligned to 32 bytes. */
GRAZEI_INLINE f8 f8_load(const float *p)
{
    return _mm256_load_ps(p);
}

GRAZEI_INLINE f8 f8_add(f8 a, f8 b)
{
    return _mm256_add_ps(a, b);
}
GRAZEI_INLINE f8 f8_mul(f8 a, f8 b)
{
    return _mm256_mul_ps(a, b);
}
GRAZEI_INLINE f8 f8_max(f8 a, f8 b)
{
    return _mm256_max_ps(a, b);
}

/* The same pair four times: x and x, x and |x|, x and 0, -x and x. */
GRAZEI_INLINE f8 f8_all(float x)
{
    return _mm256_set1_ps(x);
}
GRAZEI_INLINE f8 f8_with_size(float x)
{
    return _mm256_and_ps(_mm256_set1_ps(x), _mm256_castsi256_ps(_mm256_set1_epi64x(INT64_MAX)));
}
GRAZEI_INLINE f8 f8_with_zero(float x)
{
    return _mm256_and_ps(_mm256_set1_ps(x), _mm256_castsi256_ps(_mm256_set1_epi64x(UINT32_MAX)));
}
GRAZEI_INLINE f8 f8_with_negated(float x)
{
    return _mm256_addsub_ps(_mm256_setzero_ps(), _mm256_set1_ps(x));
}

/* Middle and reach become the negated low end and the high end. */
GRAZEI_INLINE f8 f8_ends(f8 a)
{
    return _mm256_addsub_ps(_mm256_permute_ps(a, _MM_SHUFFLE(2, 3, 0, 1)), a);
}

/* Pairs along x, y and z become rows: the firsts x y z 0, then the seconds. The first `count` of
 * them are written to p, which is aligned to 32 bytes.
 */
GRAZEI_INLINE void f8_store_rows(float *p, f8 x, f8 y, f8 z, uint32_t count)
{
    f8 zero = _mm256_setzero_ps();
    f8 xy02 = _mm256_unpacklo_ps(x, y), xy13 = _mm256_unpackhi_ps(x, y);
    f8 z02 = _mm256_unpacklo_ps(z, zero), z13 = _mm256_unpackhi_ps(z, zero);
    f8 first02 = _mm256_shuffle_ps(xy02, z02, _MM_SHUFFLE(1, 0, 1, 0));
    f8 second02 = _mm256_shuffle_ps(xy02, z02, _MM_SHUFFLE(3, 2, 3, 2));
    f8 first13 = _mm256_shuffle_ps(xy13, z13, _MM_SHUFFLE(1, 0, 1, 0));
    f8 second13 = _mm256_shuffle_ps(xy13, z13, _MM_SHUFFLE(3, 2, 3, 2));
    _mm256_store_ps(p, _mm256_permute2f128_ps(first02, second02, 0x20));
    if (count > 1)
        _mm256_store_ps(p + 8, _mm256_permute2f128_ps(first13, second13, 0x20));
    if (count > 2)
        _mm256_store_ps(p + 16, _mm256_permute2f128_ps(first02, second02, 0x31));
    if (count > 3)
        _mm256_store_ps(p + 24, _mm256_permute2f128_ps(first13, second13, 0x31));
}

#else

/* Taken apart into the firsts and the seconds of the pairs. */
typedef struct f8 {
    f4 first, second;
} f8;

GRAZEI_INLINE f8 f8_load(const float *p)
{
    f4 a = f4_load(p), b = f4_load(p + 4);
    return (f8){f4_set(a[0], a[2], b[0], b[2]), f4_set(a[1], a[3], b[1], b[3])};
}

GRAZEI_INLINE f8 f8_add(f8 a, f8 b)
{
    return (f8){a.first + b.first, a.second + b.second};
}
GRAZEI_INLINE f8 f8_mul(f8 a, f8 b)
{
    return (f8){a.first * b.first, a.second * b.second};
}
GRAZEI_INLINE f8 f8_max(f8 a, f8 b)
{
    return (f8){f4_max(a.first, b.first), f4_max(a.second, b.second)};
}

GRAZEI_INLINE f8 f8_all(float x)
{
    return (f8){f4_all(x), f4_all(x)};
}
GRAZEI_INLINE f8 f8_with_size(float x)
{
    return (f8){f4_all(x), f4_abs(f4_all(x))};
}
GRAZEI_INLINE f8 f8_with_zero(float x)
{
    return (f8){f4_all(x), f4_zero()};
}
GRAZEI_INLINE f8 f8_with_negated(float x)
{
    return (f8){f4_all(-x), f4_all(x)};
}

GRAZEI_INLINE f8 f8_ends(f8 a)
{
    return (f8){a.second - a.first, a.second + a.first};
}

GRAZEI_INLINE void f8_store_rows(float *p, f8 x, f8 y, f8 z, uint32_t count)
{
    f4 firsts[4] = {x.first, y.first, z.first, f4_zero()};
    f4 seconds[4] = {x.second, y.second, z.second, f4_zero()};
    f4_transpose(&firsts[0], &firsts[1], &firsts[2], &firsts[3]);
    f4_transpose(&seconds[0], &seconds[1], &seconds[2], &seconds[3]);
    for (uint32_t k = 0; k < count; k++) {
        f4_store(p + 8 * (size_t)k, firsts[k]);
        f4_store(p + 8 * (size_t)k + 4, seconds[k]);
    }
}

#endif

#endif
