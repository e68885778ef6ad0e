/* Small integers: numbers from 0 to 255, GRAZEI_BYTES of them, as many as the widest vectors hold,
 * to be compared with one number; and eight numbers of 16 bits as one value on every machine.
 */
#ifndef GRAZEI_MATH_BYTES_H
#define GRAZEI_MATH_BYTES_H

#include "math/f4.h"
#include "math/lanes.h"

#include <stdbool.h>

/* ---- numbers of 16 bits --------------------------------------------------------------------- */

typedef int16_t eight __attribute__((vector_size(16)));
typedef uint16_t unsigned_eight __attribute__((vector_size(16)));

GRAZEI_INLINE eight eight_load_any(const int16_t *p)
{
    eight a;
    memcpy(&a, p, sizeof a);
    return a;
}

GRAZEI_INLINE eight eight_all(int x)
{
    int16_t s = (int16_t)x;
    return (eight){s, s, s, s, s, s, s, s};
}

/* At least `least`, at most `most`. */
GRAZEI_INLINE eight eight_cut(eight a, eight least, eight most)
{
#if defined(__SSE2__)
    return (eight)_mm_min_epi16(_mm_max_epi16((__m128i)a, (__m128i)least), (__m128i)most);
#else
    eight below = a<least, above = a> most;
    return (least & below) | (most & above) | (a & ~(below | above));
#endif
}

/* ---- sixteen bytes -------------------------------------------------------------------------- */

typedef uint8_t sixteen __attribute__((vector_size(16)));

GRAZEI_INLINE sixteen sixteen_load_any(const uint8_t *p)
{
    sixteen a;
    memcpy(&a, p, sizeof a);
    return a;
}
GRAZEI_INLINE void sixteen_store_any(uint8_t *p, sixteen a)
{
    memcpy(p, &a, sizeof a);
}
GRAZEI_INLINE sixteen sixteen_all(uint8_t x)
{
    return (sixteen){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}

GRAZEI_INLINE sixteen sixteen_min(sixteen a, sixteen b)
{
#if defined(__SSE2__)
    return (sixteen)_mm_min_epu8((__m128i)a, (__m128i)b);
#elif defined(__wasm_simd128__)
    return (sixteen)wasm_u8x16_min((v128_t)a, (v128_t)b);
#else
    sixteen mask = (sixteen)(a < b);
    return (mask & a) | (~mask & b);
#endif
}

/* What a is above b, at least 0. */
GRAZEI_INLINE sixteen sixteen_above(sixteen a, sixteen b)
{
#if defined(__SSE2__)
    return (sixteen)_mm_subs_epu8((__m128i)a, (__m128i)b);
#elif defined(__wasm_simd128__)
    return (sixteen)wasm_u8x16_sub_sat((v128_t)a, (v128_t)b);
#else
    return (a - b) & (sixteen)(a > b);
#endif
}

/* Eight and eight numbers from 0 to 255. */
GRAZEI_INLINE sixteen sixteen_from(eight low, eight high)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_shufflevector((sixteen)low, (sixteen)high, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19,
                                   21, 23, 25, 27, 29, 31);
#elif defined(__SSE2__)
    return (sixteen)_mm_packus_epi16((__m128i)low, (__m128i)high);
#else
    return __builtin_shufflevector((sixteen)low, (sixteen)high, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18,
                                   20, 22, 24, 26, 28, 30);
#endif
}

/* Half of them. */
GRAZEI_INLINE eight sixteen_half(sixteen a, bool second)
{
    const sixteen no = {0};
    eight low, high;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    low = (eight)__builtin_shufflevector(no, a, 0, 16, 0, 17, 0, 18, 0, 19, 0, 20, 0, 21, 0, 22, 0,
                                         23);
    high = (eight)__builtin_shufflevector(no, a, 0, 24, 0, 25, 0, 26, 0, 27, 0, 28, 0, 29, 0, 30, 0,
                                          31);
#else
    low = (eight)__builtin_shufflevector(a, no, 0, 16, 1, 16, 2, 16, 3, 16, 4, 16, 5, 16, 6, 16, 7,
                                         16);
    high = (eight)__builtin_shufflevector(a, no, 8, 16, 9, 16, 10, 16, 11, 16, 12, 16, 13, 16, 14,
                                          16, 15, 16);
#endif
    return second ? high : low;
}

/* Columns 2 k and 2 k + 1 of eight rows are put side by side, in r[k]. */
GRAZEI_INLINE void sixteen_transpose(sixteen r[8])
{
    sixteen t[8];
    for (int step = 0; step < 3; ++step) {
        for (int k = 0; k < 4; ++k) {
            t[2 * k] = __builtin_shufflevector(r[k], r[k + 4], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5,
                                               21, 6, 22, 7, 23);
            t[2 * k + 1] = __builtin_shufflevector(r[k], r[k + 4], 8, 24, 9, 25, 10, 26, 11, 27, 12,
                                                   28, 13, 29, 14, 30, 15, 31);
        }
        memcpy(r, t, sizeof t);
    }
}

/* ---- as many as there is room for ----------------------------------------------------------- */

/* bytes_load, _store   GRAZEI_BYTES numbers, aligned or not
 * bytes_set            all the same
 * bytes_or, bytes_not
 * bytes_above          what a is above b, at least 0
 * bytes_sum            a + b, at most 255
 * bytes_zeros          bit k where number k is 0
 */
#if GRAZEI_LANES == 16 && !defined(GRAZEI_LANES_SCALAR)
#define GRAZEI_BYTES 64
typedef __m512i byte_lanes;
#define bytes_load(p) _mm512_loadu_si512(p)
#define bytes_store(p, a) _mm512_storeu_si512(p, a)
#define bytes_set(x) _mm512_set1_epi8((char)(x))
#define bytes_or(a, b) _mm512_or_si512(a, b)
#define bytes_not(a) _mm512_ternarylogic_epi32(a, a, a, 0x55)
#define bytes_above(a, b) _mm512_subs_epu8(a, b)
#define bytes_sum(a, b) _mm512_adds_epu8(a, b)
#define bytes_zeros(a) ((uint64_t)_mm512_testn_epi8_mask(a, a))

/* The numbers at places of a row of up to 256, a multiple of 64. */
#define GRAZEI_BYTES_LOOK_UP
GRAZEI_INLINE byte_lanes bytes_look_up(const uint8_t *row, size_t stride, byte_lanes places)
{
    if (stride <= 64)
        return _mm512_permutexvar_epi8(places, bytes_load(row));
    byte_lanes found = _mm512_permutex2var_epi8(bytes_load(row), places, bytes_load(row + 64));
    if (stride > 128) {
        byte_lanes last = stride > 192 ? bytes_load(row + 192) : bytes_load(row + 128);
        byte_lanes more = _mm512_permutex2var_epi8(bytes_load(row + 128), places, last);
        found = _mm512_mask_blend_epi8(_mm512_movepi8_mask(places), found, more);
    }
    return found;
}

#elif GRAZEI_LANES == 8 && !defined(GRAZEI_LANES_SCALAR)
#define GRAZEI_BYTES 32
typedef __m256i byte_lanes;
#define bytes_load(p) _mm256_loadu_si256((const __m256i *)(p))
#define bytes_store(p, a) _mm256_storeu_si256((__m256i *)(p), a)
#define bytes_set(x) _mm256_set1_epi8((char)(x))
#define bytes_or(a, b) _mm256_or_si256(a, b)
#define bytes_not(a) _mm256_xor_si256(a, _mm256_set1_epi8(-1))
#define bytes_above(a, b) _mm256_subs_epu8(a, b)
#define bytes_sum(a, b) _mm256_adds_epu8(a, b)
#define bytes_zeros(a)                                                                             \
    ((uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, _mm256_setzero_si256())))

#else
#define GRAZEI_BYTES 16
typedef sixteen byte_lanes;
#define bytes_load(p) sixteen_load_any(p)
#define bytes_store(p, a) sixteen_store_any(p, a)
#define bytes_set(x) sixteen_all((uint8_t)(x))
#define bytes_or(a, b) ((a) | (b))
#define bytes_not(a) (~(a))
#define bytes_above(a, b) sixteen_above(a, b)
#define bytes_sum(a, b) (~sixteen_above(~(a), b))

GRAZEI_INLINE uint32_t bytes_zeros(byte_lanes a)
{
#if defined(GRAZEI_LANES_SCALAR)
    uint32_t bits = 0;
    for (int k = 0; k < 16; ++k)
        bits |= (uint32_t)(a[k] == 0) << k;
    return bits;
#elif defined(__SSE2__)
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8((__m128i)a, _mm_setzero_si128()));
#elif defined(__wasm_simd128__)
    return wasm_i8x16_bitmask((v128_t)(a == 0));
#elif defined(__aarch64__)
    const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t set = vandq_u8((uint8x16_t)(a == 0), weights);
    return vaddv_u8(vget_low_u8(set)) | (uint32_t)vaddv_u8(vget_high_u8(set)) << 8;
#else
    uint32_t bits = 0;
    for (int k = 0; k < 16; ++k)
        bits |= (uint32_t)(a[k] == 0) << k;
    return bits;
#endif
}
#endif

#define GRAZEI_BYTES_ALL (UINT64_MAX >> (64 - GRAZEI_BYTES))

#endif
