/* The few vector operations the baseline needs, on the compilers' vector types; intrinsics only
 * where those have no word for it. Compiled once per instruction set.
 */
#ifndef GRAZE_BENCH_EAGER_SIMD_H
#define GRAZE_BENCH_EAGER_SIMD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define EAGER_INLINE static inline __attribute__((always_inline))
#define EAGER_PASTE_(name, isa) eager_##name##_##isa
#define EAGER_PASTE(name, isa) EAGER_PASTE_(name, isa)
#define EAGER_ISA(name) EAGER_PASTE(name, EAGER_ISA_NAME)

typedef float f4 __attribute__((vector_size(16)));
typedef int32_t i4 __attribute__((vector_size(16)));

EAGER_INLINE f4 f4_all(float x)
{
    return (f4){x, x, x, x};
}
/* p is aligned. */
EAGER_INLINE f4 f4_load(const float *p)
{
    return *(const f4 *)p;
}
EAGER_INLINE void f4_store(float *p, f4 a)
{
    *(f4 *)p = a;
}

EAGER_INLINE f4 f4_min(f4 a, f4 b)
{
#if defined(__SSE2__)
    return (f4)_mm_min_ps((__m128)a, (__m128)b);
#else
    i4 mask = a < b;
    return (f4)((mask & (i4)a) | (~mask & (i4)b));
#endif
}
EAGER_INLINE f4 f4_max(f4 a, f4 b)
{
#if defined(__SSE2__)
    return (f4)_mm_max_ps((__m128)a, (__m128)b);
#else
    i4 mask = a > b;
    return (f4)((mask & (i4)a) | (~mask & (i4)b));
#endif
}

/* Bit k is set where lane k of a comparison holds. */
EAGER_INLINE uint32_t i4_bits(i4 mask)
{
#if defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps((__m128)mask);
#else
    return (uint32_t)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

/* Four points become a row of each coordinate. */
EAGER_INLINE void f4_rows(const f4 points[4], float rows[3][4])
{
    f4 a = __builtin_shufflevector(points[0], points[1], 0, 4, 1, 5);
    f4 b = __builtin_shufflevector(points[2], points[3], 0, 4, 1, 5);
    f4 c = __builtin_shufflevector(points[0], points[1], 2, 6, 3, 7);
    f4 d = __builtin_shufflevector(points[2], points[3], 2, 6, 3, 7);
    f4_store(rows[0], __builtin_shufflevector(a, b, 0, 1, 4, 5));
    f4_store(rows[1], __builtin_shufflevector(a, b, 2, 3, 6, 7));
    f4_store(rows[2], __builtin_shufflevector(c, d, 0, 1, 4, 5));
}

/* As many floats as one instruction takes; wide_points turns rows of coordinates into points of
 * four floats, the last zero.
 */
#if defined(__AVX__)

#define EAGER_WIDE 8

typedef float wides __attribute__((vector_size(32)));

EAGER_INLINE wides wide_all(float x)
{
    return (wides){x, x, x, x, x, x, x, x};
}
EAGER_INLINE wides wide_min(wides a, wides b)
{
    return (wides)_mm256_min_ps((__m256)a, (__m256)b);
}
EAGER_INLINE wides wide_max(wides a, wides b)
{
    return (wides)_mm256_max_ps((__m256)a, (__m256)b);
}
EAGER_INLINE void wide_points(wides x, wides y, wides z, float (*points)[4])
{
    wides zero = wide_all(0);
    wides xy_low = __builtin_shufflevector(x, y, 0, 8, 1, 9, 4, 12, 5, 13);
    wides xy_high = __builtin_shufflevector(x, y, 2, 10, 3, 11, 6, 14, 7, 15);
    wides z_low = __builtin_shufflevector(z, zero, 0, 8, 1, 9, 4, 12, 5, 13);
    wides z_high = __builtin_shufflevector(z, zero, 2, 10, 3, 11, 6, 14, 7, 15);
    wides out[4] = {__builtin_shufflevector(xy_low, z_low, 0, 1, 8, 9, 4, 5, 12, 13),
                    __builtin_shufflevector(xy_low, z_low, 2, 3, 10, 11, 6, 7, 14, 15),
                    __builtin_shufflevector(xy_high, z_high, 0, 1, 8, 9, 4, 5, 12, 13),
                    __builtin_shufflevector(xy_high, z_high, 2, 3, 10, 11, 6, 7, 14, 15)};
    for (int k = 0; k < 4; k++) {
        f4_store(points[k], __builtin_shufflevector(out[k], out[k], 0, 1, 2, 3));
        f4_store(points[k + 4], __builtin_shufflevector(out[k], out[k], 4, 5, 6, 7));
    }
}

#else

#define EAGER_WIDE 4

typedef f4 wides;

EAGER_INLINE wides wide_all(float x)
{
    return f4_all(x);
}
EAGER_INLINE wides wide_min(wides a, wides b)
{
    return f4_min(a, b);
}
EAGER_INLINE wides wide_max(wides a, wides b)
{
    return f4_max(a, b);
}
EAGER_INLINE void wide_points(wides x, wides y, wides z, float (*points)[4])
{
    wides zero = wide_all(0);
    wides xy_low = __builtin_shufflevector(x, y, 0, 4, 1, 5);
    wides xy_high = __builtin_shufflevector(x, y, 2, 6, 3, 7);
    wides z_low = __builtin_shufflevector(z, zero, 0, 4, 1, 5);
    wides z_high = __builtin_shufflevector(z, zero, 2, 6, 3, 7);
    f4_store(points[0], __builtin_shufflevector(xy_low, z_low, 0, 1, 4, 5));
    f4_store(points[1], __builtin_shufflevector(xy_low, z_low, 2, 3, 6, 7));
    f4_store(points[2], __builtin_shufflevector(xy_high, z_high, 0, 1, 4, 5));
    f4_store(points[3], __builtin_shufflevector(xy_high, z_high, 2, 3, 6, 7));
}

#endif

/* p is aligned. */
EAGER_INLINE wides wide_load(const float *p)
{
    return *(const wides *)p;
}

#endif
