/* Small integers, 16 bits each: eight of them as one value on every machine, and GRAZEI_SHORTS of
 * them, as many as the widest vectors hold, to be compared with one number.
 */
#ifndef GRAZEI_MATH_SHORTS_H
#define GRAZEI_MATH_SHORTS_H

#include "math/lanes.h"

#include <stdbool.h>

/* ---- eight ---------------------------------------------------------------------------------- */

typedef int16_t eight __attribute__((vector_size(16)));
typedef uint16_t unsigned_eight __attribute__((vector_size(16)));

/* p is aligned to 16 bytes. */
GRAZEI_INLINE eight eight_load(const int16_t *p)
{
    return *(const eight *)p;
}
GRAZEI_INLINE void eight_store(int16_t *p, eight a)
{
    *(eight *)p = a;
}
GRAZEI_INLINE eight eight_load_any(const int16_t *p)
{
    eight a;
    memcpy(&a, p, sizeof a);
    return a;
}
GRAZEI_INLINE void eight_store_any(int16_t *p, eight a)
{
    memcpy(p, &a, sizeof a);
}
GRAZEI_INLINE eight eight_all(int x)
{
    int16_t s = (int16_t)x;
    return (eight){s, s, s, s, s, s, s, s};
}

GRAZEI_INLINE eight eight_min(eight a, eight b)
{
#if defined(__SSE2__)
    return (eight)_mm_min_epi16((__m128i)a, (__m128i)b);
#else
    eight mask = a < b;
    return (mask & a) | (~mask & b);
#endif
}

GRAZEI_INLINE eight eight_max(eight a, eight b)
{
#if defined(__SSE2__)
    return (eight)_mm_max_epi16((__m128i)a, (__m128i)b);
#else
    eight mask = a > b;
    return (mask & a) | (~mask & b);
#endif
}

/* Rows become columns. */
GRAZEI_INLINE void eight_transpose(eight r[8])
{
    eight t[8];
    for (int k = 0; k < 4; ++k) {
        t[2 * k] = __builtin_shufflevector(r[k], r[k + 4], 0, 8, 1, 9, 2, 10, 3, 11);
        t[2 * k + 1] = __builtin_shufflevector(r[k], r[k + 4], 4, 12, 5, 13, 6, 14, 7, 15);
    }
    for (int k = 0; k < 4; ++k) {
        r[2 * k] = __builtin_shufflevector(t[k], t[k + 4], 0, 8, 1, 9, 2, 10, 3, 11);
        r[2 * k + 1] = __builtin_shufflevector(t[k], t[k + 4], 4, 12, 5, 13, 6, 14, 7, 15);
    }
    for (int k = 0; k < 4; ++k) {
        t[2 * k] = __builtin_shufflevector(r[k], r[k + 4], 0, 8, 1, 9, 2, 10, 3, 11);
        t[2 * k + 1] = __builtin_shufflevector(r[k], r[k + 4], 4, 12, 5, 13, 6, 14, 7, 15);
    }
    memcpy(r, t, sizeof t);
}

/* ---- as many as there is room for ----------------------------------------------------------- */

/* shorts_load, _store   GRAZEI_SHORTS numbers, aligned or not
 * shorts_set            all the same
 * shorts_add, _sub, _min, _max
 * shorts_shift_up       times 2^count
 * shorts_excess         the greater of `before` and what a is above b, which may be cut to 16 bits
 * shorts_not_positive   bit k where number k is not above zero
 */
#if defined(GRAZEI_LANES_SCALAR)
#define GRAZEI_SHORTS_PLAIN

#elif GRAZEI_LANES == 16
#define GRAZEI_SHORTS 32
typedef __m512i shorts;
#define shorts_load(p) _mm512_loadu_si512(p)
#define shorts_store(p, a) _mm512_storeu_si512(p, a)
#define shorts_set(x) _mm512_set1_epi16(x)
#define shorts_add(a, b) _mm512_add_epi16(a, b)
#define shorts_sub(a, b) _mm512_sub_epi16(a, b)
#define shorts_min(a, b) _mm512_min_epi16(a, b)
#define shorts_max(a, b) _mm512_max_epi16(a, b)
#define shorts_shift_up(a, count) _mm512_sll_epi16(a, _mm_cvtsi32_si128(count))
#define shorts_excess(before, a, b) _mm512_max_epi16(before, _mm512_subs_epi16(a, b))
#define shorts_not_positive(a) ((uint32_t)_mm512_cmple_epi16_mask(a, _mm512_setzero_si512()))

/* The numbers at places of a row of up to 256, a multiple of 32. */
#define GRAZEI_SHORTS_LOOK_UP
GRAZEI_INLINE shorts shorts_look_up(const int16_t *row, size_t stride, shorts places)
{
    if (stride == 32)
        return _mm512_permutexvar_epi16(places, shorts_load(row));
    shorts found = _mm512_permutex2var_epi16(shorts_load(row), places, shorts_load(row + 32));
    for (size_t k = 64; k < stride; k += 64) {
        shorts low = shorts_load(row + k), high = k + 32 < stride ? shorts_load(row + k + 32) : low;
        __mmask32 here = _mm512_cmpge_epi16_mask(places, shorts_set((short)k));
        found = _mm512_mask_blend_epi16(here, found, _mm512_permutex2var_epi16(low, places, high));
    }
    return found;
}

#elif GRAZEI_LANES == 8
#define GRAZEI_SHORTS 16
typedef __m256i shorts;
#define shorts_load(p) _mm256_loadu_si256((const __m256i *)(p))
#define shorts_store(p, a) _mm256_storeu_si256((__m256i *)(p), a)
#define shorts_set(x) _mm256_set1_epi16(x)
#define shorts_add(a, b) _mm256_add_epi16(a, b)
#define shorts_sub(a, b) _mm256_sub_epi16(a, b)
#define shorts_min(a, b) _mm256_min_epi16(a, b)
#define shorts_max(a, b) _mm256_max_epi16(a, b)
#define shorts_shift_up(a, count) _mm256_sll_epi16(a, _mm_cvtsi32_si128(count))
#define shorts_excess(before, a, b) _mm256_max_epi16(before, _mm256_subs_epi16(a, b))

GRAZEI_INLINE uint32_t shorts_not_positive(shorts a)
{
    __m256i above = _mm256_cmpgt_epi16(a, _mm256_setzero_si256());
    __m128i bytes =
        _mm_packs_epi16(_mm256_castsi256_si128(above), _mm256_extracti128_si256(above, 1));
    return (uint32_t)_mm_movemask_epi8(bytes) ^ 0xffffu;
}

#elif defined(__SSE2__)
#define GRAZEI_SHORTS 8
typedef __m128i shorts;
#define shorts_load(p) _mm_loadu_si128((const __m128i *)(p))
#define shorts_store(p, a) _mm_storeu_si128((__m128i *)(p), a)
#define shorts_set(x) _mm_set1_epi16(x)
#define shorts_add(a, b) _mm_add_epi16(a, b)
#define shorts_sub(a, b) _mm_sub_epi16(a, b)
#define shorts_min(a, b) _mm_min_epi16(a, b)
#define shorts_max(a, b) _mm_max_epi16(a, b)
#define shorts_shift_up(a, count) _mm_sll_epi16(a, _mm_cvtsi32_si128(count))
#define shorts_excess(before, a, b) _mm_max_epi16(before, _mm_subs_epi16(a, b))

GRAZEI_INLINE uint32_t shorts_not_positive(shorts a)
{
    __m128i above = _mm_cmpgt_epi16(a, _mm_setzero_si128());
    return ~(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(above, above)) & 255u;
}

#else
#define GRAZEI_SHORTS_PLAIN
#endif

/* With the compilers' own vectors; only where masks become bits they need help. */
#if defined(GRAZEI_SHORTS_PLAIN)
#define GRAZEI_SHORTS 8
typedef eight shorts;
#define shorts_load(p) eight_load_any(p)
#define shorts_store(p, a) eight_store_any(p, a)
#define shorts_set(x) eight_all(x)
#define shorts_add(a, b) ((a) + (b))
#define shorts_sub(a, b) ((eight)((unsigned_eight)(a) - (unsigned_eight)(b))) /* may wrap */
#define shorts_min(a, b) eight_min(a, b)
#define shorts_max(a, b) eight_max(a, b)
#define shorts_shift_up(a, count) ((eight)((unsigned_eight)(a) << (unsigned_eight)eight_all(count)))
#define shorts_excess(before, a, b) eight_max(before, (eight)((a) > (b)) & eight_all(1))

GRAZEI_INLINE uint32_t shorts_not_positive(shorts a)
{
    eight mask = a <= eight_all(0);
#if defined(__aarch64__) && !defined(GRAZEI_LANES_SCALAR)
    const uint16x8_t weights = {1, 2, 4, 8, 16, 32, 64, 128};
    return vaddvq_u16(vandq_u16((uint16x8_t)mask, weights));
#elif defined(__wasm_simd128__) && !defined(GRAZEI_LANES_SCALAR)
    return wasm_i16x8_bitmask((v128_t)mask);
#else
    uint32_t bits = 0;
    for (int k = 0; k < 8; ++k)
        bits |= (mask[k] & 1u) << k;
    return bits;
#endif
}
#endif

#define GRAZEI_SHORTS_ALL ((uint32_t)(((uint64_t)1 << GRAZEI_SHORTS) - 1))

#endif
