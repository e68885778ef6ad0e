/* Wide floats for the triangle test: 4, 8 or 16 that move together. Each lane computes what a plain
 * float would, unfused; minimum and maximum mean a < b ? a : b and a > b ? a : b. Compiled once per
 * instruction set.
 *
 * The baseline's own, so that it stays what it was while the library's lanes and triangle test
 * change.
 */
#ifndef GRAZE_BENCH_EAGER_LANE_COUNT_H
#define GRAZE_BENCH_EAGER_LANE_COUNT_H

#include "bench/eager/simd.h"

#include <stddef.h>

#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512BW__)

#define EAGER_LANE_COUNT 16

typedef __m512 lanes;
typedef __mmask16 lanes_mask;

EAGER_INLINE lanes lanes_set(float x)
{
    return _mm512_set1_ps(x);
}
EAGER_INLINE void lanes_store(float *p, lanes a)
{
    _mm512_storeu_ps(p, a);
}

EAGER_INLINE lanes lanes_add(lanes a, lanes b)
{
    return _mm512_add_ps(a, b);
}
EAGER_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return _mm512_sub_ps(a, b);
}
EAGER_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return _mm512_mul_ps(a, b);
}
EAGER_INLINE lanes lanes_div(lanes a, lanes b)
{
    return _mm512_div_ps(a, b);
}
EAGER_INLINE lanes lanes_min(lanes a, lanes b)
{
    return _mm512_min_ps(a, b);
}
EAGER_INLINE lanes lanes_max(lanes a, lanes b)
{
    return _mm512_max_ps(a, b);
}
EAGER_INLINE lanes lanes_abs(lanes a)
{
    return _mm512_abs_ps(a);
}

EAGER_INLINE lanes_mask lanes_less(lanes a, lanes b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}
EAGER_INLINE lanes_mask lanes_less_equal(lanes a, lanes b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

EAGER_INLINE lanes_mask mask_and(lanes_mask a, lanes_mask b)
{
    return (lanes_mask)(a & b);
}
EAGER_INLINE lanes_mask mask_or(lanes_mask a, lanes_mask b)
{
    return (lanes_mask)(a | b);
}
EAGER_INLINE lanes_mask mask_xor(lanes_mask a, lanes_mask b)
{
    return (lanes_mask)(a ^ b);
}
EAGER_INLINE uint32_t mask_bits(lanes_mask a)
{
    return a;
}

EAGER_INLINE lanes lanes_select(lanes_mask mask, lanes a, lanes b)
{
    return _mm512_mask_blend_ps(mask, b, a);
}

EAGER_INLINE void transpose_quarters(lanes r[4])
{
    lanes xy01 = _mm512_unpacklo_ps(r[0], r[1]), zw01 = _mm512_unpackhi_ps(r[0], r[1]);
    lanes xy23 = _mm512_unpacklo_ps(r[2], r[3]), zw23 = _mm512_unpackhi_ps(r[2], r[3]);
    r[0] = _mm512_shuffle_ps(xy01, xy23, _MM_SHUFFLE(1, 0, 1, 0));
    r[1] = _mm512_shuffle_ps(xy01, xy23, _MM_SHUFFLE(3, 2, 3, 2));
    r[2] = _mm512_shuffle_ps(zw01, zw23, _MM_SHUFFLE(1, 0, 1, 0));
    r[3] = _mm512_shuffle_ps(zw01, zw23, _MM_SHUFFLE(3, 2, 3, 2));
}

EAGER_INLINE void lanes_load_rows(const float *const rows[16], size_t offset, lanes out[4])
{
    for (int k = 0; k < 4; ++k) {
        lanes r = _mm512_castps128_ps512(_mm_load_ps(rows[k] + offset));
        r = _mm512_insertf32x4(r, _mm_load_ps(rows[k + 4] + offset), 1);
        r = _mm512_insertf32x4(r, _mm_load_ps(rows[k + 8] + offset), 2);
        out[k] = _mm512_insertf32x4(r, _mm_load_ps(rows[k + 12] + offset), 3);
    }
    transpose_quarters(out);
}

EAGER_INLINE void lanes_store_rows(float *const rows[16], size_t offset, const lanes in[4])
{
    lanes r[4] = {in[0], in[1], in[2], in[3]};
    transpose_quarters(r);
    for (int k = 0; k < 4; ++k) {
        _mm_store_ps(rows[k] + offset, _mm512_castps512_ps128(r[k]));
        _mm_store_ps(rows[k + 4] + offset, _mm512_extractf32x4_ps(r[k], 1));
        _mm_store_ps(rows[k + 8] + offset, _mm512_extractf32x4_ps(r[k], 2));
        _mm_store_ps(rows[k + 12] + offset, _mm512_extractf32x4_ps(r[k], 3));
    }
}

/* Compressing in a register: compressing into memory is microcoded on some processors. */
EAGER_INLINE size_t lanes_pack(uint16_t *out, const uint16_t *codes, uint32_t bits)
{
    __m512i spread = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)codes));
    spread = _mm512_maskz_compress_epi32((__mmask16)bits, spread);
    __m256i packed = _mm512_cvtepi32_epi16(spread);
    _mm256_storeu_si256((__m256i *)out, packed);
    return (size_t)_mm_popcnt_u32(bits);
}

#elif defined(__AVX2__)

#define EAGER_LANE_COUNT 8

typedef __m256 lanes;
typedef __m256 lanes_mask;

EAGER_INLINE lanes lanes_set(float x)
{
    return _mm256_set1_ps(x);
}
EAGER_INLINE void lanes_store(float *p, lanes a)
{
    _mm256_storeu_ps(p, a);
}

EAGER_INLINE lanes lanes_add(lanes a, lanes b)
{
    return _mm256_add_ps(a, b);
}
EAGER_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return _mm256_sub_ps(a, b);
}
EAGER_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return _mm256_mul_ps(a, b);
}
EAGER_INLINE lanes lanes_div(lanes a, lanes b)
{
    return _mm256_div_ps(a, b);
}
EAGER_INLINE lanes lanes_min(lanes a, lanes b)
{
    return _mm256_min_ps(a, b);
}
EAGER_INLINE lanes lanes_max(lanes a, lanes b)
{
    return _mm256_max_ps(a, b);
}
EAGER_INLINE lanes lanes_abs(lanes a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}

EAGER_INLINE lanes_mask lanes_less(lanes a, lanes b)
{
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}
EAGER_INLINE lanes_mask lanes_less_equal(lanes a, lanes b)
{
    return _mm256_cmp_ps(a, b, _CMP_LE_OQ);
}

EAGER_INLINE lanes_mask mask_and(lanes_mask a, lanes_mask b)
{
    return _mm256_and_ps(a, b);
}
EAGER_INLINE lanes_mask mask_or(lanes_mask a, lanes_mask b)
{
    return _mm256_or_ps(a, b);
}
EAGER_INLINE lanes_mask mask_xor(lanes_mask a, lanes_mask b)
{
    return _mm256_xor_ps(a, b);
}
EAGER_INLINE uint32_t mask_bits(lanes_mask a)
{
    return (uint32_t)_mm256_movemask_ps(a);
}

EAGER_INLINE lanes lanes_select(lanes_mask mask, lanes a, lanes b)
{
    return _mm256_blendv_ps(b, a, mask);
}

EAGER_INLINE void transpose_halves(lanes r[4])
{
    lanes xy01 = _mm256_unpacklo_ps(r[0], r[1]), zw01 = _mm256_unpackhi_ps(r[0], r[1]);
    lanes xy23 = _mm256_unpacklo_ps(r[2], r[3]), zw23 = _mm256_unpackhi_ps(r[2], r[3]);
    r[0] = _mm256_shuffle_ps(xy01, xy23, _MM_SHUFFLE(1, 0, 1, 0));
    r[1] = _mm256_shuffle_ps(xy01, xy23, _MM_SHUFFLE(3, 2, 3, 2));
    r[2] = _mm256_shuffle_ps(zw01, zw23, _MM_SHUFFLE(1, 0, 1, 0));
    r[3] = _mm256_shuffle_ps(zw01, zw23, _MM_SHUFFLE(3, 2, 3, 2));
}

EAGER_INLINE void lanes_load_rows(const float *const rows[8], size_t offset, lanes out[4])
{
    for (int k = 0; k < 4; ++k) {
        out[k] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(rows[k] + offset)),
                                      _mm_load_ps(rows[k + 4] + offset), 1);
    }
    transpose_halves(out);
}

EAGER_INLINE void lanes_store_rows(float *const rows[8], size_t offset, const lanes in[4])
{
    lanes r[4] = {in[0], in[1], in[2], in[3]};
    transpose_halves(r);
    for (int k = 0; k < 4; ++k) {
        _mm_store_ps(rows[k] + offset, _mm256_castps256_ps128(r[k]));
        _mm_store_ps(rows[k + 4] + offset, _mm256_extractf128_ps(r[k], 1));
    }
}

/* For four bits, the bytes of the 16-bit codes that are set. */
#define EAGER_C(k) 2 * k, 2 * k + 1
static const uint8_t pack_bytes[16][8] = {
    {0},
    {EAGER_C(0)},
    {EAGER_C(1)},
    {EAGER_C(0), EAGER_C(1)},
    {EAGER_C(2)},
    {EAGER_C(0), EAGER_C(2)},
    {EAGER_C(1), EAGER_C(2)},
    {EAGER_C(0), EAGER_C(1), EAGER_C(2)},
    {EAGER_C(3)},
    {EAGER_C(0), EAGER_C(3)},
    {EAGER_C(1), EAGER_C(3)},
    {EAGER_C(0), EAGER_C(1), EAGER_C(3)},
    {EAGER_C(2), EAGER_C(3)},
    {EAGER_C(0), EAGER_C(2), EAGER_C(3)},
    {EAGER_C(1), EAGER_C(2), EAGER_C(3)},
    {EAGER_C(0), EAGER_C(1), EAGER_C(2), EAGER_C(3)},
};
#undef EAGER_C

EAGER_INLINE size_t lanes_pack(uint16_t *out, const uint16_t *codes, uint32_t bits)
{
    uint32_t low_bits = bits & 15, high_bits = bits >> 4;
    __m128i low_order = _mm_loadl_epi64((const __m128i *)pack_bytes[low_bits]);
    __m128i high_order = _mm_loadl_epi64((const __m128i *)pack_bytes[high_bits]);
    __m128i low = _mm_loadl_epi64((const __m128i *)codes);
    __m128i high = _mm_loadl_epi64((const __m128i *)(codes + 4));
    size_t low_count = (size_t)_mm_popcnt_u32(low_bits);
    _mm_storel_epi64((__m128i *)out, _mm_shuffle_epi8(low, low_order));
    _mm_storel_epi64((__m128i *)(out + low_count), _mm_shuffle_epi8(high, high_order));
    return low_count + (size_t)_mm_popcnt_u32(high_bits);
}

#else

/* For four bits, which of them are set, and how many. */
static const uint8_t pack_order[16][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0},
                                          {2, 0, 0, 0}, {0, 2, 0, 0}, {1, 2, 0, 0}, {0, 1, 2, 0},
                                          {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0},
                                          {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
static const uint8_t pack_count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

EAGER_INLINE size_t lanes_pack(uint16_t *out, const uint16_t *codes, uint32_t bits)
{
    const uint8_t *order = pack_order[bits];
    /* All reads before the first write: out may be where the codes come from. */
    uint16_t first = codes[order[0]], second = codes[order[1]];
    uint16_t third = codes[order[2]], fourth = codes[order[3]];
    out[0] = first;
    out[1] = second;
    out[2] = third;
    out[3] = fourth;
    return pack_count[bits];
}

#if defined(__SSE2__)

#define EAGER_LANE_COUNT 4

typedef __m128 lanes;
typedef __m128 lanes_mask;

EAGER_INLINE lanes lanes_set(float x)
{
    return _mm_set1_ps(x);
}
EAGER_INLINE void lanes_store(float *p, lanes a)
{
    _mm_storeu_ps(p, a);
}

EAGER_INLINE lanes lanes_add(lanes a, lanes b)
{
    return _mm_add_ps(a, b);
}
EAGER_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return _mm_sub_ps(a, b);
}
EAGER_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return _mm_mul_ps(a, b);
}
EAGER_INLINE lanes lanes_div(lanes a, lanes b)
{
    return _mm_div_ps(a, b);
}
EAGER_INLINE lanes lanes_min(lanes a, lanes b)
{
    return _mm_min_ps(a, b);
}
EAGER_INLINE lanes lanes_max(lanes a, lanes b)
{
    return _mm_max_ps(a, b);
}
EAGER_INLINE lanes lanes_abs(lanes a)
{
    return _mm_andnot_ps(_mm_set1_ps(-0.0f), a);
}

EAGER_INLINE lanes_mask lanes_less(lanes a, lanes b)
{
    return _mm_cmplt_ps(a, b);
}
EAGER_INLINE lanes_mask lanes_less_equal(lanes a, lanes b)
{
    return _mm_cmple_ps(a, b);
}

EAGER_INLINE lanes_mask mask_and(lanes_mask a, lanes_mask b)
{
    return _mm_and_ps(a, b);
}
EAGER_INLINE lanes_mask mask_or(lanes_mask a, lanes_mask b)
{
    return _mm_or_ps(a, b);
}
EAGER_INLINE lanes_mask mask_xor(lanes_mask a, lanes_mask b)
{
    return _mm_xor_ps(a, b);
}
EAGER_INLINE uint32_t mask_bits(lanes_mask a)
{
    return (uint32_t)_mm_movemask_ps(a);
}

EAGER_INLINE lanes lanes_select(lanes_mask mask, lanes a, lanes b)
{
    return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
}

EAGER_INLINE void lanes_load_rows(const float *const rows[4], size_t offset, lanes out[4])
{
    for (int k = 0; k < 4; ++k)
        out[k] = _mm_load_ps(rows[k] + offset);
    _MM_TRANSPOSE4_PS(out[0], out[1], out[2], out[3]);
}

EAGER_INLINE void lanes_store_rows(float *const rows[4], size_t offset, const lanes in[4])
{
    lanes r0 = in[0], r1 = in[1], r2 = in[2], r3 = in[3];
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    _mm_store_ps(rows[0] + offset, r0);
    _mm_store_ps(rows[1] + offset, r1);
    _mm_store_ps(rows[2] + offset, r2);
    _mm_store_ps(rows[3] + offset, r3);
}

#else /* plain C: four floats in an array */

#define EAGER_LANE_COUNT 4

typedef struct lanes {
    float v[4];
} lanes;

typedef uint32_t lanes_mask;

#define EAGER_EACH_LANE(expression)                                                                \
    lanes r;                                                                                       \
    for (int k = 0; k < 4; ++k)                                                                    \
        r.v[k] = (expression);                                                                     \
    return r

EAGER_INLINE lanes lanes_set(float x)
{
    return (lanes){{x, x, x, x}};
}
EAGER_INLINE void lanes_store(float *p, lanes a)
{
    memcpy(p, a.v, sizeof a.v);
}

EAGER_INLINE lanes lanes_add(lanes a, lanes b)
{
    EAGER_EACH_LANE(a.v[k] + b.v[k]);
}
EAGER_INLINE lanes lanes_sub(lanes a, lanes b)
{
    EAGER_EACH_LANE(a.v[k] - b.v[k]);
}
EAGER_INLINE lanes lanes_mul(lanes a, lanes b)
{
    EAGER_EACH_LANE(a.v[k] * b.v[k]);
}
EAGER_INLINE lanes lanes_div(lanes a, lanes b)
{
    EAGER_EACH_LANE(a.v[k] / b.v[k]);
}
EAGER_INLINE lanes lanes_abs(lanes a)
{
    EAGER_EACH_LANE(fabsf(a.v[k]));
}
EAGER_INLINE lanes lanes_min(lanes a, lanes b)
{
    EAGER_EACH_LANE(a.v[k] < b.v[k] ? a.v[k] : b.v[k]);
}
EAGER_INLINE lanes lanes_max(lanes a, lanes b)
{
    EAGER_EACH_LANE(a.v[k] > b.v[k] ? a.v[k] : b.v[k]);
}

EAGER_INLINE lanes_mask lanes_less(lanes a, lanes b)
{
    lanes_mask mask = 0;
    for (int k = 0; k < 4; ++k)
        mask |= (lanes_mask)(a.v[k] < b.v[k]) << k;
    return mask;
}
EAGER_INLINE lanes_mask lanes_less_equal(lanes a, lanes b)
{
    lanes_mask mask = 0;
    for (int k = 0; k < 4; ++k)
        mask |= (lanes_mask)(a.v[k] <= b.v[k]) << k;
    return mask;
}

EAGER_INLINE lanes_mask mask_and(lanes_mask a, lanes_mask b)
{
    return a & b;
}
EAGER_INLINE lanes_mask mask_or(lanes_mask a, lanes_mask b)
{
    return a | b;
}
EAGER_INLINE lanes_mask mask_xor(lanes_mask a, lanes_mask b)
{
    return a ^ b;
}
EAGER_INLINE uint32_t mask_bits(lanes_mask a)
{
    return a;
}

EAGER_INLINE lanes lanes_select(lanes_mask mask, lanes a, lanes b)
{
    EAGER_EACH_LANE(mask >> k & 1 ? a.v[k] : b.v[k]);
}

EAGER_INLINE void lanes_load_rows(const float *const rows[4], size_t offset, lanes out[4])
{
    for (int c = 0; c < 4; ++c) {
        for (int k = 0; k < 4; ++k)
            out[c].v[k] = rows[k][offset + (size_t)c];
    }
}
EAGER_INLINE void lanes_store_rows(float *const rows[4], size_t offset, const lanes in[4])
{
    for (int c = 0; c < 4; ++c) {
        for (int k = 0; k < 4; ++k)
            rows[k][offset + (size_t)c] = in[c].v[k];
    }
}

#undef EAGER_EACH_LANE

#endif
#endif

/* The mask bits of a full vector. */
#define EAGER_LANE_COUNT_ALL ((1u << EAGER_LANE_COUNT) - 1u)

/* Points, one per lane. */
typedef struct lanes3 {
    lanes x, y, z;
} lanes3;

EAGER_INLINE lanes3 lanes3_sub(lanes3 a, lanes3 b)
{
    return (lanes3){lanes_sub(a.x, b.x), lanes_sub(a.y, b.y), lanes_sub(a.z, b.z)};
}

EAGER_INLINE lanes lanes3_dot(lanes3 a, lanes3 b)
{
    return lanes_add(lanes_add(lanes_mul(a.x, b.x), lanes_mul(a.y, b.y)), lanes_mul(a.z, b.z));
}

EAGER_INLINE lanes3 lanes3_cross(lanes3 a, lanes3 b)
{
    return (lanes3){lanes_sub(lanes_mul(a.y, b.z), lanes_mul(a.z, b.y)),
                    lanes_sub(lanes_mul(a.z, b.x), lanes_mul(a.x, b.z)),
                    lanes_sub(lanes_mul(a.x, b.y), lanes_mul(a.y, b.x))};
}

EAGER_INLINE lanes3 lanes3_select(lanes_mask mask, lanes3 a, lanes3 b)
{
    return (lanes3){lanes_select(mask, a.x, b.x), lanes_select(mask, a.y, b.y),
                    lanes_select(mask, a.z, b.z)};
}

/* The greatest magnitude of a coordinate. */
EAGER_INLINE lanes lanes3_reach(lanes3 a)
{
    return lanes_max(lanes_max(lanes_abs(a.x), lanes_abs(a.y)), lanes_abs(a.z));
}

EAGER_INLINE lanes lanes_min3(lanes a, lanes b, lanes c)
{
    return lanes_min(lanes_min(a, b), c);
}

EAGER_INLINE lanes lanes_max3(lanes a, lanes b, lanes c)
{
    return lanes_max(lanes_max(a, b), c);
}

#endif
