/* Lanes on AVX2. Rows are loaded as halves and transposed inside them: gathers are slower. */
#ifndef GRAZEI_MATH_LANES_AVX2_H
#define GRAZEI_MATH_LANES_AVX2_H

#include <immintrin.h>

#define GRAZEI_LANES 8

typedef __m256 lanes;
typedef __m256 lanes_mask;

GRAZEI_INLINE lanes lanes_set(float x)
{
    return _mm256_set1_ps(x);
}
GRAZEI_INLINE lanes lanes_load(const float *p)
{
    return _mm256_loadu_ps(p);
}
GRAZEI_INLINE void lanes_store(float *p, lanes a)
{
    _mm256_storeu_ps(p, a);
}

GRAZEI_INLINE lanes lanes_add(lanes a, lanes b)
{
    return _mm256_add_ps(a, b);
}
GRAZEI_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return _mm256_sub_ps(a, b);
}
GRAZEI_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return _mm256_mul_ps(a, b);
}
GRAZEI_INLINE lanes lanes_div(lanes a, lanes b)
{
    return _mm256_div_ps(a, b);
}
GRAZEI_INLINE lanes lanes_min(lanes a, lanes b)
{
    return _mm256_min_ps(a, b);
}
GRAZEI_INLINE lanes lanes_max(lanes a, lanes b)
{
    return _mm256_max_ps(a, b);
}
GRAZEI_INLINE lanes lanes_abs(lanes a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}

GRAZEI_INLINE lanes_mask lanes_less(lanes a, lanes b)
{
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}
GRAZEI_INLINE lanes_mask lanes_less_equal(lanes a, lanes b)
{
    return _mm256_cmp_ps(a, b, _CMP_LE_OQ);
}

GRAZEI_INLINE lanes_mask mask_and(lanes_mask a, lanes_mask b)
{
    return _mm256_and_ps(a, b);
}
GRAZEI_INLINE lanes_mask mask_or(lanes_mask a, lanes_mask b)
{
    return _mm256_or_ps(a, b);
}
GRAZEI_INLINE lanes_mask mask_xor(lanes_mask a, lanes_mask b)
{
    return _mm256_xor_ps(a, b);
}
GRAZEI_INLINE uint32_t mask_bits(lanes_mask a)
{
    return (uint32_t)_mm256_movemask_ps(a);
}

GRAZEI_INLINE lanes lanes_select(lanes_mask mask, lanes a, lanes b)
{
    return _mm256_blendv_ps(b, a, mask);
}

GRAZEI_INLINE void grazei_transpose_halves(lanes r[4])
{
    lanes xy01 = _mm256_unpacklo_ps(r[0], r[1]), zw01 = _mm256_unpackhi_ps(r[0], r[1]);
    lanes xy23 = _mm256_unpacklo_ps(r[2], r[3]), zw23 = _mm256_unpackhi_ps(r[2], r[3]);
    r[0] = _mm256_shuffle_ps(xy01, xy23, _MM_SHUFFLE(1, 0, 1, 0));
    r[1] = _mm256_shuffle_ps(xy01, xy23, _MM_SHUFFLE(3, 2, 3, 2));
    r[2] = _mm256_shuffle_ps(zw01, zw23, _MM_SHUFFLE(1, 0, 1, 0));
    r[3] = _mm256_shuffle_ps(zw01, zw23, _MM_SHUFFLE(3, 2, 3, 2));
}

GRAZEI_INLINE void lanes_load_rows(const float *const rows[8], size_t offset, lanes out[4])
{
    for (int k = 0; k < 4; ++k) {
        out[k] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(rows[k] + offset)),
                                      _mm_load_ps(rows[k + 4] + offset), 1);
    }
    grazei_transpose_halves(out);
}

GRAZEI_INLINE void lanes_store_rows(float *const rows[8], size_t offset, const lanes in[4])
{
    lanes r[4] = {in[0], in[1], in[2], in[3]};
    grazei_transpose_halves(r);
    for (int k = 0; k < 4; ++k) {
        _mm_store_ps(rows[k] + offset, _mm256_castps256_ps128(r[k]));
        _mm_store_ps(rows[k + 4] + offset, _mm256_extractf128_ps(r[k], 1));
    }
}

/* For four bits, the bytes of the 16-bit codes that are set. */
#define GRAZEI_C(k) 2 * k, 2 * k + 1
static const uint8_t grazei_pack_bytes[16][8] = {
    {0},
    {GRAZEI_C(0)},
    {GRAZEI_C(1)},
    {GRAZEI_C(0), GRAZEI_C(1)},
    {GRAZEI_C(2)},
    {GRAZEI_C(0), GRAZEI_C(2)},
    {GRAZEI_C(1), GRAZEI_C(2)},
    {GRAZEI_C(0), GRAZEI_C(1), GRAZEI_C(2)},
    {GRAZEI_C(3)},
    {GRAZEI_C(0), GRAZEI_C(3)},
    {GRAZEI_C(1), GRAZEI_C(3)},
    {GRAZEI_C(0), GRAZEI_C(1), GRAZEI_C(3)},
    {GRAZEI_C(2), GRAZEI_C(3)},
    {GRAZEI_C(0), GRAZEI_C(2), GRAZEI_C(3)},
    {GRAZEI_C(1), GRAZEI_C(2), GRAZEI_C(3)},
    {GRAZEI_C(0), GRAZEI_C(1), GRAZEI_C(2), GRAZEI_C(3)},
};
#undef GRAZEI_C

GRAZEI_INLINE size_t lanes_pack(uint16_t *out, const uint16_t *codes, uint16_t extra, uint32_t bits)
{
    uint32_t low_bits = bits & 15, high_bits = bits >> 4;
    __m128i extras = _mm_set1_epi16((short)extra);
    __m128i low_order = _mm_loadl_epi64((const __m128i *)grazei_pack_bytes[low_bits]);
    __m128i high_order = _mm_loadl_epi64((const __m128i *)grazei_pack_bytes[high_bits]);
    __m128i low = _mm_loadl_epi64((const __m128i *)codes);
    __m128i high = _mm_loadl_epi64((const __m128i *)(codes + 4));
    size_t low_count = (size_t)_mm_popcnt_u32(low_bits);
    _mm_storel_epi64((__m128i *)out, _mm_or_si128(_mm_shuffle_epi8(low, low_order), extras));
    _mm_storel_epi64((__m128i *)(out + low_count),
                     _mm_or_si128(_mm_shuffle_epi8(high, high_order), extras));
    return low_count + (size_t)_mm_popcnt_u32(high_bits);
}

#endif
