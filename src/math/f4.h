/* Four floats as one value: a point or direction in x y z, and a fourth lane that is free.
 *
 * Built on the compilers' vector types, so that + - * work on SSE2, NEON and wasm alike, lane by
 * lane and rounded as plain floats are.
 */
#ifndef GRAZEI_MATH_F4_H
#define GRAZEI_MATH_F4_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

typedef float f4 __attribute__((vector_size(16)));
typedef int32_t i4 __attribute__((vector_size(16)));

/* The smaller and the larger of two numbers, as one instruction; neither is NaN. */
static inline float f1_min(float a, float b)
{
    return a < b ? a : b;
}
static inline float f1_max(float a, float b)
{
    return a > b ? a : b;
}

static inline f4 f4_set(float x, float y, float z, float w)
{
    return (f4){x, y, z, w};
}
static inline f4 f4_all(float x)
{
    return (f4){x, x, x, x};
}
static inline f4 f4_zero(void)
{
    return f4_all(0.0f);
}

/* p is aligned to 16 bytes. */
static inline f4 f4_load(const float *p)
{
    return *(const f4 *)p;
}
static inline void f4_store(float *p, f4 a)
{
    *(f4 *)p = a;
}

/* p has any alignment. */
static inline f4 f4_load_any(const float *p)
{
    f4 a;
    memcpy(&a, p, sizeof a);
    return a;
}

static inline f4 f4_load3(const float *p)
{
    return f4_set(p[0], p[1], p[2], 0.0f);
}
static inline void f4_store3(float *p, f4 a)
{
    p[0] = a[0];
    p[1] = a[1];
    p[2] = a[2];
}

static inline i4 i4_load_any(const int32_t *p)
{
    i4 a;
    memcpy(&a, p, sizeof a);
    return a;
}

/* Cut towards zero; and the reverse. */
static inline i4 i4_of_f4(f4 a)
{
#if defined(__SSE2__)
    return (i4)_mm_cvttps_epi32((__m128)a);
#else
    return __builtin_convertvector(a, i4);
#endif
}
static inline f4 f4_of_i4(i4 a)
{
#if defined(__SSE2__)
    return (f4)_mm_cvtepi32_ps((__m128i)a);
#else
    return __builtin_convertvector(a, f4);
#endif
}

static inline f4 f4_x(f4 a)
{
    return f4_all(a[0]);
}
static inline f4 f4_y(f4 a)
{
    return f4_all(a[1]);
}
static inline f4 f4_z(f4 a)
{
    return f4_all(a[2]);
}
static inline f4 f4_w(f4 a)
{
    return f4_all(a[3]);
}

static inline f4 f4_min(f4 a, f4 b)
{
#if defined(__SSE2__)
    return (f4)_mm_min_ps((__m128)a, (__m128)b);
#elif defined(__wasm_simd128__)
    return (f4)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
#else
    i4 mask = a < b;
    return (f4)((mask & (i4)a) | (~mask & (i4)b));
#endif
}

static inline f4 f4_max(f4 a, f4 b)
{
#if defined(__SSE2__)
    return (f4)_mm_max_ps((__m128)a, (__m128)b);
#elif defined(__wasm_simd128__)
    return (f4)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
#else
    i4 mask = a > b;
    return (f4)((mask & (i4)a) | (~mask & (i4)b));
#endif
}

static inline f4 f4_sqrt(f4 a)
{
#if defined(__SSE2__)
    return (f4)_mm_sqrt_ps((__m128)a);
#elif defined(__wasm_simd128__)
    return (f4)wasm_f32x4_sqrt((v128_t)a);
#else
    return f4_set(sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3]));
#endif
}

static inline f4 f4_abs(f4 a)
{
    return (f4)((i4)a & 0x7fffffff);
}

/* Bit k is set where lane k of a >= lane k of b. */
static inline unsigned f4_ge_bits(f4 a, f4 b)
{
#if defined(__SSE2__)
    return (unsigned)_mm_movemask_ps((__m128)(a >= b));
#elif defined(__wasm_simd128__)
    return wasm_i32x4_bitmask((v128_t)(a >= b));
#else
    i4 mask = a >= b;
    return (unsigned)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

/* Whether any lane of a comparison holds. */
static inline bool i4_any(i4 mask)
{
#if defined(__SSE2__)
    return _mm_movemask_ps((__m128)mask) != 0;
#elif defined(__wasm_simd128__)
    return wasm_v128_any_true((v128_t)mask);
#else
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

/* Whether the eight floats at p (aligned to 32 bytes) are at least a and b in x y z and x y z. */
static inline bool f4_both_ge(const float *p, f4 a, f4 b)
{
#if defined(__AVX__)
    __m256 limit = _mm256_insertf128_ps(_mm256_castps128_ps256((__m128)a), (__m128)b, 1);
    __m256 greater = _mm256_cmp_ps(_mm256_load_ps(p), limit, _CMP_GE_OQ);
    return (_mm256_movemask_ps(greater) & 0x77) == 0x77;
#else
    return (f4_ge_bits(f4_load(p), a) & f4_ge_bits(f4_load(p + 4), b) & 7u) == 7u;
#endif
}

/* Four rows become four columns. */
static inline void f4_transpose(f4 *a, f4 *b, f4 *c, f4 *d)
{
#if defined(__SSE2__)
    f4 ab_low = (f4)_mm_unpacklo_ps((__m128)*a, (__m128)*b);
    f4 ab_high = (f4)_mm_unpackhi_ps((__m128)*a, (__m128)*b);
    f4 cd_low = (f4)_mm_unpacklo_ps((__m128)*c, (__m128)*d);
    f4 cd_high = (f4)_mm_unpackhi_ps((__m128)*c, (__m128)*d);
    *a = (f4)_mm_movelh_ps((__m128)ab_low, (__m128)cd_low);
    *b = (f4)_mm_movehl_ps((__m128)cd_low, (__m128)ab_low);
    *c = (f4)_mm_movelh_ps((__m128)ab_high, (__m128)cd_high);
    *d = (f4)_mm_movehl_ps((__m128)cd_high, (__m128)ab_high);
#elif defined(__wasm_simd128__)
    f4 ab_low = __builtin_shufflevector(*a, *b, 0, 4, 1, 5);
    f4 ab_high = __builtin_shufflevector(*a, *b, 2, 6, 3, 7);
    f4 cd_low = __builtin_shufflevector(*c, *d, 0, 4, 1, 5);
    f4 cd_high = __builtin_shufflevector(*c, *d, 2, 6, 3, 7);
    *a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    *b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    *c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    *d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
#else
    f4 rows[4] = {*a, *b, *c, *d};
    *a = f4_set(rows[0][0], rows[1][0], rows[2][0], rows[3][0]);
    *b = f4_set(rows[0][1], rows[1][1], rows[2][1], rows[3][1]);
    *c = f4_set(rows[0][2], rows[1][2], rows[2][2], rows[3][2]);
    *d = f4_set(rows[0][3], rows[1][3], rows[2][3], rows[3][3]);
#endif
}

/* The largest lane. */
static inline float f4_max4(f4 a)
{
    return f1_max(f1_max(a[0], a[1]), f1_max(a[2], a[3]));
}

/* Sum of x y z of the product. */
static inline float f4_dot3(f4 a, f4 b)
{
    f4 product = a * b;
    return (product[0] + product[1]) + product[2];
}

static inline float f4_length3(f4 a)
{
    return sqrtf(f4_dot3(a, a));
}

static inline float f4_max3(f4 a)
{
    return f1_max(f1_max(a[0], a[1]), a[2]);
}

/* Four columns of an affine map, x' = c[0] x + c[1] y + c[2] z + c[3]. */
typedef struct f4_map {
    f4 c[4];
} f4_map;

/* The one order of operations in which Graze moves a point: every posed bit depends on it. */
static inline f4 f4_map_point(const f4_map *map, f4 p)
{
    return (map->c[0] * f4_x(p) + map->c[1] * f4_y(p)) + (map->c[2] * f4_z(p) + map->c[3]);
}

/* Half-extents of the box around the image of a box with half-extents h. */
static inline f4 f4_map_extent(const f4_map *map, f4 h)
{
    return (f4_abs(map->c[0]) * f4_x(h) + f4_abs(map->c[1]) * f4_y(h)) +
           f4_abs(map->c[2]) * f4_z(h);
}

static inline uint32_t f4_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}

static inline float f4_from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

#endif
