/* Sixteen integers of 32 bits as one value, and thirty-two of 16 bits, where bytes can be looked up
 * in vectors (GRAZEI_BYTES_LOOK_UP: AVX-512). Elsewhere algorithms are written without.
 */
#ifndef GRAZEI_MATH_WORDS_H
#define GRAZEI_MATH_WORDS_H

#include "math/bytes.h"

#if defined(GRAZEI_BYTES_LOOK_UP)

typedef __m512i word_lanes;

/* Which of sixteen. */
typedef __mmask16 word_mask;

/* The first `count` of sixteen, or all. */
GRAZEI_INLINE word_mask word_mask_of(size_t count)
{
    return count >= 16 ? 0xffff : (word_mask)((1u << count) - 1);
}

/* ---- 32 bits -------------------------------------------------------------------------------- */

/* words_load, _store   any alignment
 * words_left, _right   shifted by a constant; the sign comes in from the left, but for `_clear`
 * words_where_...      done where the mask is set, elsewhere a
 */
#define words_load(p) _mm512_loadu_si512(p)
#define words_store(p, a) _mm512_storeu_si512(p, a)
#define words_set(x) _mm512_set1_epi32(x)
#define words_add(a, b) _mm512_add_epi32(a, b)
#define words_sub(a, b) _mm512_sub_epi32(a, b)
#define words_and(a, b) _mm512_and_si512(a, b)
#define words_min(a, b) _mm512_min_epi32(a, b)
#define words_max(a, b) _mm512_max_epi32(a, b)
#define words_left(a, by) _mm512_slli_epi32(a, by)
#define words_right(a, by) _mm512_srai_epi32(a, by)
#define words_right_clear(a, by) _mm512_srli_epi32(a, by)
#define words_greater(a, b) _mm512_cmpgt_epi32_mask(a, b)
#define words_less(a, b) _mm512_cmplt_epi32_mask(a, b)
#define words_where_add(mask, a, b) _mm512_mask_add_epi32(a, mask, a, b)
#define words_where_sub(mask, a, b) _mm512_mask_sub_epi32(a, mask, a, b)
#define words_where_left(mask, a, by) _mm512_mask_slli_epi32(a, mask, a, by)

/* Zeros where the mask is not set; what lies there is not read. */
#define words_load_where(mask, p) _mm512_maskz_loadu_epi32(mask, p)
#define lanes_load_where(mask, p) _mm512_maskz_loadu_ps(mask, p)

/* Shifted by a number that is known at run time, at most 31. */
GRAZEI_INLINE word_lanes words_right_by(word_lanes a, int by)
{
    return _mm512_sra_epi32(a, _mm_cvtsi32_si128(by));
}

/* From sixteen numbers of 16 bits, with their sign; and back, without looking at what is lost. */
GRAZEI_INLINE word_lanes words_from_shorts(const int16_t *p)
{
    return _mm512_cvtepi16_epi32(_mm256_loadu_si256((const void *)p));
}
GRAZEI_INLINE void words_store_shorts(int16_t *p, word_lanes a)
{
    _mm256_storeu_si256((void *)p, _mm512_cvtepi32_epi16(a));
}

/* From numbers of 16 bits without a sign; zeros where the mask is not set. */
GRAZEI_INLINE word_lanes words_from_codes(word_mask mask, const uint16_t *p)
{
    return _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, p));
}

GRAZEI_INLINE word_lanes words_from_16_codes(const uint16_t *p)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)p));
}

/* Sixteen bytes: numbers from 0 to 255, larger ones cut; and those numbers' lowest bytes. */
GRAZEI_INLINE sixteen words_cut(word_lanes a)
{
    return (sixteen)_mm512_cvtusepi32_epi8(_mm512_max_epi32(a, _mm512_setzero_si512()));
}
GRAZEI_INLINE sixteen words_low_bytes(word_lanes a)
{
    return (sixteen)_mm512_cvtepi32_epi8(a);
}

/* The numbers at places of a row of up to 256, a multiple of 32. */
GRAZEI_INLINE word_lanes words_look_up(const void *row, uint32_t count, word_lanes places)
{
    const int32_t *numbers = (const int32_t *)row;
    word_lanes found =
        _mm512_permutex2var_epi32(words_load(numbers), places, words_load(numbers + 16));
    for (uint32_t k = 32; k < count; k += 32) {
        word_mask here = _mm512_cmpge_epu32_mask(places, words_set((int)k));
        word_lanes more = _mm512_permutex2var_epi32(words_load(numbers + k), places,
                                                    words_load(numbers + k + 16));
        found = _mm512_mask_mov_epi32(found, here, more);
    }
    return found;
}

/* Three fours one behind the other, in this order; at place 12 is zero, as from there on. */
GRAZEI_INLINE word_lanes words_in_order(i4 a, i4 b, i4 c, word_lanes order)
{
    word_lanes all = _mm512_zextsi128_si512((__m128i)a);
    all = _mm512_inserti32x4(all, (__m128i)b, 1);
    all = _mm512_inserti32x4(all, (__m128i)c, 2);
    return _mm512_permutexvar_epi32(order, all);
}

/* At least `least`, at most `most`. */
GRAZEI_INLINE i4 i4_cut(i4 a, int32_t least, int32_t most)
{
    __m128i above =
        _mm_max_epi32(_mm_min_epi32((__m128i)a, _mm_set1_epi32(most)), _mm_set1_epi32(least));
    return (i4)above;
}

/* In each four, the firsts (0 0 1) and the seconds (1 2 2) of the pairs of the first three. */
#define words_firsts(a) _mm512_shuffle_epi32(a, _MM_SHUFFLE(0, 1, 0, 0))
#define words_seconds(a) _mm512_shuffle_epi32(a, _MM_SHUFFLE(1, 2, 2, 1))

/* The least, and the greatest, of the four fours. */
#define GRAZEI_OF_FOURS(reduce, a)                                                                 \
    ((i4)reduce(reduce(_mm512_castsi512_si128(a), _mm512_extracti32x4_epi32(a, 1)),                \
                reduce(_mm512_extracti32x4_epi32(a, 2), _mm512_extracti32x4_epi32(a, 3))))
GRAZEI_INLINE i4 words_least(word_lanes a)
{
    return GRAZEI_OF_FOURS(_mm_min_epi32, a);
}
GRAZEI_INLINE i4 words_most(word_lanes a)
{
    return GRAZEI_OF_FOURS(_mm_max_epi32, a);
}

/* Floats cut towards zero, and rounded down; and integers as floats. */
#define words_of_lanes(a) _mm512_cvttps_epi32(a)
#define words_below_lanes(a) _mm512_cvt_roundps_epi32(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)
#define lanes_of_words(a) _mm512_cvtepi32_ps(a)

/* The floats at sixteen places. */
GRAZEI_INLINE lanes lanes_gather(const float *from, word_lanes places)
{
    return _mm512_i32gather_ps(places, from, 4);
}

/* Four rows of four floats, of which the first `count`; elsewhere the fallback row, aligned to 16
 * bytes.
 */
GRAZEI_INLINE lanes lanes_load_fours(const float *rows, size_t count, const float *fallback)
{
    return _mm512_mask_loadu_ps(_mm512_broadcast_f32x4(_mm_load_ps(fallback)),
                                word_mask_of(4 * count), rows);
}

/* ---- 16 bits -------------------------------------------------------------------------------- */

typedef __m512i short_lanes;

#define shorts_set(x) _mm512_set1_epi16((short)(x))
#define shorts_add(a, b) _mm512_add_epi16(a, b)
#define shorts_sub(a, b) _mm512_sub_epi16(a, b)
#define shorts_mul(a, b) _mm512_mullo_epi16(a, b)
#define shorts_left(a, by) _mm512_slli_epi16(a, by)
#define shorts_right_clear(a, by) _mm512_srli_epi16(a, by)

/* At least `least`, at most `most`. */
#define shorts_cut(a, least, most) _mm512_min_epi16(_mm512_max_epi16(a, least), most)

/* Sixteen and sixteen words become shorts, and 32 and 32 shorts bytes, cut to what fits; quarter by
 * quarter of the vectors.
 */
#define shorts_of_words(front, back) _mm512_packs_epi32(front, back)
#define bytes_of_shorts(front, back) _mm512_packus_epi16(front, back)

/* 32 bytes as shorts, and the reverse, where 255 is the most and 0 the least; first every bit is
 * changed that `before` has, and last those of `after`.
 */
GRAZEI_INLINE short_lanes shorts_load_bytes(const uint8_t *p, uint8_t before)
{
    __m256i row = _mm256_loadu_si256((const void *)p);
    return _mm512_cvtepu8_epi16(_mm256_xor_si256(row, _mm256_set1_epi8((char)before)));
}
GRAZEI_INLINE void shorts_store_bytes(uint8_t *p, short_lanes a, uint8_t after)
{
    __m256i row = _mm512_cvtusepi16_epi8(_mm512_max_epi16(a, _mm512_setzero_si512()));
    _mm256_storeu_si256((void *)p, _mm256_xor_si256(row, _mm256_set1_epi8((char)after)));
}

/* ---- bytes ---------------------------------------------------------------------------------- */

#define bytes_and(a, b) _mm512_and_si512(a, b)
#define bytes_add(a, b) _mm512_add_epi8(a, b)
#define bytes_min(a, b) _mm512_min_epu8(a, b)
#define bytes_max(a, b) _mm512_max_epu8(a, b)

/* Where a bit is set b, elsewhere a. */
#define bytes_select(bits, a, b) _mm512_mask_blend_epi8(bits, b, a)
/* Those whose bits are set, side by side, then zeros. */
#define bytes_pack(bits, a) _mm512_maskz_compress_epi8(bits, a)
/* The numbers at places of 64, and of 128. */
#define bytes_look_up_64(row, places) _mm512_permutexvar_epi8(places, row)
#define bytes_look_up_128(front, back, places) _mm512_permutex2var_epi8(front, places, back)
/* The first half of one and the last half of the other. */
#define bytes_halves(first, last) _mm512_mask_blend_epi64(0xf0, first, last)

/* Pairs of bytes side by side, of half of the lists: writes the first `count`, or all 32. */
GRAZEI_INLINE void bytes_store_pairs(uint16_t *p, byte_lanes low, byte_lanes high, bool second,
                                     size_t count)
{
    __m256i l = second ? _mm512_extracti64x4_epi64(low, 1) : _mm512_castsi512_si256(low);
    __m256i h = second ? _mm512_extracti64x4_epi64(high, 1) : _mm512_castsi512_si256(high);
    __m512i pair =
        _mm512_or_si512(_mm512_cvtepu8_epi16(l), _mm512_slli_epi16(_mm512_cvtepu8_epi16(h), 8));
    _mm512_mask_storeu_epi16(p, count >= 32 ? UINT32_MAX : (1u << count) - 1, pair);
}

/* Two times sixteen bytes as 32: in this order into p, and which of them, so ordered, those of the
 * other two exceed, as bits.
 */
GRAZEI_INLINE uint32_t sixteens_exceeded(const uint8_t order[32], sixteen first, sixteen second,
                                         sixteen other_first, sixteen other_second, uint8_t *p)
{
    __m256i by = _mm256_loadu_si256((const void *)order);
    __m256i own = _mm256_set_m128i((__m128i)second, (__m128i)first);
    __m256i other = _mm256_set_m128i((__m128i)other_second, (__m128i)other_first);
    own = _mm256_permutexvar_epi8(by, own);
    _mm256_storeu_si256((void *)p, own);
    return _mm256_cmpgt_epu8_mask(_mm256_permutexvar_epi8(by, other), own);
}

#endif

#endif
