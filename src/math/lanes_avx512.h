/* Lanes on AVX-512 (F, VL, BW, DQ, VBMI, VBMI2). */
#ifndef GRAZEI_MATH_LANES_AVX512_H
#define GRAZEI_MATH_LANES_AVX512_H

#include <immintrin.h>

#define GRAZEI_LANES 16

typedef __m512 lanes;
typedef __mmask16 lanes_mask;

GRAZEI_INLINE lanes lanes_set(float x)
{
    return _mm512_set1_ps(x);
}
GRAZEI_INLINE lanes lanes_load(const float *p)
{
    return _mm512_loadu_ps(p);
}
GRAZEI_INLINE void lanes_store(float *p, lanes a)
{
    _mm512_storeu_ps(p, a);
}

GRAZEI_INLINE lanes lanes_add(lanes a, lanes b)
{
    return _mm512_add_ps(a, b);
}
GRAZEI_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return _mm512_sub_ps(a, b);
}
GRAZEI_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return _mm512_mul_ps(a, b);
}
GRAZEI_INLINE lanes lanes_div(lanes a, lanes b)
{
    return _mm512_div_ps(a, b);
}
GRAZEI_INLINE lanes lanes_min(lanes a, lanes b)
{
    return _mm512_min_ps(a, b);
}
GRAZEI_INLINE lanes lanes_max(lanes a, lanes b)
{
    return _mm512_max_ps(a, b);
}
GRAZEI_INLINE lanes lanes_abs(lanes a)
{
    return _mm512_abs_ps(a);
}

GRAZEI_INLINE lanes_mask lanes_less(lanes a, lanes b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}
GRAZEI_INLINE lanes_mask lanes_less_equal(lanes a, lanes b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

GRAZEI_INLINE lanes_mask mask_and(lanes_mask a, lanes_mask b)
{
    return (lanes_mask)(a & b);
}
GRAZEI_INLINE lanes_mask mask_or(lanes_mask a, lanes_mask b)
{
    return (lanes_mask)(a | b);
}
GRAZEI_INLINE lanes_mask mask_xor(lanes_mask a, lanes_mask b)
{
    return (lanes_mask)(a ^ b);
}
GRAZEI_INLINE uint32_t mask_bits(lanes_mask a)
{
    return a;
}

GRAZEI_INLINE lanes lanes_select(lanes_mask mask, lanes a, lanes b)
{
    return _mm512_mask_blend_ps(mask, b, a);
}

GRAZEI_INLINE void grazei_transpose_quarters(lanes r[4])
{
    lanes xy01 = _mm512_unpacklo_ps(r[0], r[1]), zw01 = _mm512_unpackhi_ps(r[0], r[1]);
    lanes xy23 = _mm512_unpacklo_ps(r[2], r[3]), zw23 = _mm512_unpackhi_ps(r[2], r[3]);
    r[0] = _mm512_shuffle_ps(xy01, xy23, _MM_SHUFFLE(1, 0, 1, 0));
    r[1] = _mm512_shuffle_ps(xy01, xy23, _MM_SHUFFLE(3, 2, 3, 2));
    r[2] = _mm512_shuffle_ps(zw01, zw23, _MM_SHUFFLE(1, 0, 1, 0));
    r[3] = _mm512_shuffle_ps(zw01, zw23, _MM_SHUFFLE(3, 2, 3, 2));
}

GRAZEI_INLINE void lanes_load_rows(const float *const rows[16], size_t offset, lanes out[4])
{
    for (int k = 0; k < 4; ++k) {
        lanes r = _mm512_castps128_ps512(_mm_load_ps(rows[k] + offset));
        r = _mm512_insertf32x4(r, _mm_load_ps(rows[k + 4] + offset), 1);
        r = _mm512_insertf32x4(r, _mm_load_ps(rows[k + 8] + offset), 2);
        out[k] = _mm512_insertf32x4(r, _mm_load_ps(rows[k + 12] + offset), 3);
    }
    grazei_transpose_quarters(out);
}

GRAZEI_INLINE void lanes_store_rows(float *const rows[16], size_t offset, const lanes in[4])
{
    lanes r[4] = {in[0], in[1], in[2], in[3]};
    grazei_transpose_quarters(r);
    for (int k = 0; k < 4; ++k) {
        _mm_store_ps(rows[k] + offset, _mm512_castps512_ps128(r[k]));
        _mm_store_ps(rows[k + 4] + offset, _mm512_extractf32x4_ps(r[k], 1));
        _mm_store_ps(rows[k + 8] + offset, _mm512_extractf32x4_ps(r[k], 2));
        _mm_store_ps(rows[k + 12] + offset, _mm512_extractf32x4_ps(r[k], 3));
    }
}

/* Compressing in a register: compressing into memory is microcoded on some processors. */
GRAZEI_INLINE size_t lanes_pack(uint16_t *out, const uint16_t *codes, uint16_t extra, uint32_t bits)
{
    __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)codes));
    wide = _mm512_maskz_compress_epi32((__mmask16)bits, wide);
    __m256i packed = _mm512_cvtepi32_epi16(wide);
    packed = _mm256_or_si256(packed, _mm256_set1_epi16((short)extra));
    _mm256_storeu_si256((__m256i *)out, packed);
    return (size_t)_mm_popcnt_u32(bits);
}

#endif
