/* Lanes on AVX-512 (F, VL, BW, DQ, VBMI2). */
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

GRAZEI_INLINE void lanes_outcodes(uint8_t *out, const lanes_mask masks[8])
{
    __m128i codes = _mm_setzero_si128();
    for (int bit = 0; bit < 8; ++bit)
        codes = _mm_mask_add_epi8(codes, masks[bit], codes, _mm_set1_epi8((char)(1 << bit)));
    _mm_storeu_si128((__m128i *)out, codes);
}

GRAZEI_INLINE uint32_t lanes_share_none(const uint8_t *codes, size_t count,
                                        const uint8_t (*corners)[4])
{
    __m512i number = _mm512_loadu_si512(corners), found = _mm512_setzero_si512();
    __m512i high = _mm512_and_si512(number, _mm512_set1_epi8((char)0xf0));
    __m512i low = _mm512_and_si512(number, _mm512_set1_epi8(0x0f));
    for (size_t k = 0; k < count; k += 16) {
        __m512i table = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(codes + k)));
        __mmask64 here = _mm512_cmpeq_epi8_mask(high, _mm512_set1_epi8((char)k));
        found = _mm512_mask_shuffle_epi8(found, here, table, low);
    }
    __m512i shared = _mm512_and_si512(found, _mm512_srli_epi32(found, 8));
    shared = _mm512_and_si512(shared, _mm512_srli_epi32(found, 16));
    return _mm512_testn_epi32_mask(shared, _mm512_set1_epi32(0xff));
}

GRAZEI_INLINE float lanes_least(lanes a)
{
    return _mm512_reduce_min_ps(a);
}
GRAZEI_INLINE float lanes_greatest(lanes a)
{
    return _mm512_reduce_max_ps(a);
}

/* Tables of floats are read by permuting registers: two of them at a time, 32 numbers. */
#define GRAZEI_LANES_TILES

GRAZEI_INLINE lanes grazei_look_up(const float *row, size_t stride, __m512i numbers)
{
    if (stride == 16)
        return _mm512_permutexvar_ps(numbers, _mm512_loadu_ps(row));
    lanes found = _mm512_permutex2var_ps(_mm512_loadu_ps(row), numbers, _mm512_loadu_ps(row + 16));
    for (size_t k = 32; k < stride; k += 32) {
        __mmask16 here = _mm512_cmpge_epi32_mask(numbers, _mm512_set1_epi32((int)k));
        lanes high = k + 16 < stride ? _mm512_loadu_ps(row + k + 16) : _mm512_setzero_ps();
        lanes more = _mm512_permutex2var_ps(_mm512_loadu_ps(row + k), numbers, high);
        found = _mm512_mask_blend_ps(here, found, more);
    }
    return found;
}

typedef __m512i lanes_spots;

GRAZEI_INLINE lanes_spots lanes_find_spots(const uint8_t *pairs)
{
    __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)pairs));
    return _mm512_and_si512(wide, _mm512_set1_epi32(255));
}

GRAZEI_INLINE void lanes_read_tile(const float *tile, size_t stride, const lanes_spots *spots,
                                   size_t row, lanes out[4])
{
    for (size_t c = 0; c < 4; ++c)
        out[c] = grazei_look_up(tile + (4 * row + c) * stride, stride, *spots);
}

GRAZEI_INLINE void lanes_write_tile(float *tile, size_t stride, size_t first, size_t row,
                                    const lanes in[4])
{
    for (size_t c = 0; c < 4; ++c)
        _mm512_storeu_ps(tile + (4 * row + c) * stride + first, in[c]);
}

GRAZEI_INLINE void lanes_read_item(const float *tile, size_t stride, size_t item, size_t row,
                                   float out[3])
{
    for (size_t c = 0; c < 3; ++c)
        out[c] = tile[(4 * row + c) * stride + item];
}

GRAZEI_INLINE void lanes_pick_points(const float (*points)[4], const float *rows, size_t stride,
                                     const uint8_t (*corners)[4], unsigned which, lanes out[3])
{
    __m512i numbers = _mm512_srli_epi32(_mm512_loadu_si512(corners), 8 * which);
    (void)points;
    numbers = _mm512_and_si512(numbers, _mm512_set1_epi32(255));
    for (size_t c = 0; c < 3; ++c)
        out[c] = grazei_look_up(rows + c * stride, stride, numbers);
}

#endif
