/* Which of four boxes overlap which of four others, and the pairs of their numbers, at once; on
 * AVX-512. A box is its negated low corner and its high corner, eight floats aligned to 32 bytes.
 */
#ifndef GRAZEI_MATH_BOX_PAIRS_H
#define GRAZEI_MATH_BOX_PAIRS_H

#include "math/lanes.h"

#if defined(__AVX512F__)
#define GRAZEI_BOX_PAIRS

/* One by one, as they were written, perhaps just now: the processor would wait for both. */
GRAZEI_INLINE __m512 grazei_two_boxes(const float *first, const float *second)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_load_ps(first)), _mm256_load_ps(second),
                              1);
}

/* As bits, 4 for each of a's; boxes are `step` floats apart. One of b's coordinates a lane, and
 * what it has to reach of each of a's in four lanes.
 */
GRAZEI_INLINE uint32_t grazei_overlapping_sixteen(const float *a, const float *b, size_t step)
{
    const __m512 sign = _mm512_set1_ps(-0.0f);
    __m512 a01 = _mm512_xor_ps(grazei_two_boxes(a, a + step), sign);
    __m512 a23 = _mm512_xor_ps(grazei_two_boxes(a + 2 * step, a + 3 * step), sign);
    __m512 b01 = grazei_two_boxes(b, b + step);
    __m512 b23 = grazei_two_boxes(b + 2 * step, b + 3 * step);
    __m512 a_first = _mm512_shuffle_f32x4(a01, a23, 0x88);
    __m512 a_second = _mm512_shuffle_f32x4(a01, a23, 0xdd);
    __m512 b_first = _mm512_shuffle_f32x4(b01, b23, 0x88);
    __m512 b_second = _mm512_shuffle_f32x4(b01, b23, 0xdd);
    __m512i x = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 4, 8, 12));
    __m512i y = _mm512_broadcast_i32x4(_mm_setr_epi32(1, 5, 9, 13));
    __m512i z = _mm512_broadcast_i32x4(_mm_setr_epi32(2, 6, 10, 14));
#define REACHES(b_side, axis, a_side, k)                                                           \
    _mm512_cmp_ps_mask(_mm512_permutexvar_ps(axis, b_side), _mm512_permute_ps(a_side, 0x55 * (k)), \
                       _CMP_GE_OQ)
    __mmask16 along_x = REACHES(b_first, x, a_second, 0) & REACHES(b_second, x, a_first, 0);
    __mmask16 along_y = REACHES(b_first, y, a_second, 1) & REACHES(b_second, y, a_first, 1);
    __mmask16 along_z = REACHES(b_first, z, a_second, 2) & REACHES(b_second, z, a_first, 2);
#undef REACHES
    return (uint32_t)(along_x & along_y & along_z);
}

/* Writes the pairs of numbers (4 by 4, from these on) whose bits are set, one behind the other;
 * returns how many. There is room for 16.
 */
GRAZEI_INLINE size_t grazei_write_pairs(uint32_t bits, uint32_t first_a, uint32_t first_b,
                                        uint32_t (*out)[2])
{
    __m512i first = _mm512_set1_epi64((long long)((uint64_t)first_b << 32 | first_a));
    const __m512i steps = /* of a and b in turn */
        _mm512_setr_epi32(0, 0, 0, 1, 0, 2, 0, 3, 1, 0, 1, 1, 1, 2, 1, 3);
    __m512i front = _mm512_add_epi32(first, steps);
    __m512i back = _mm512_add_epi32(front, _mm512_set1_epi64(2));
    size_t count = (size_t)__builtin_popcount(bits & 255);
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi64((__mmask8)bits, front));
    _mm512_storeu_si512(out + count, _mm512_maskz_compress_epi64((__mmask8)(bits >> 8), back));
    return count + (size_t)__builtin_popcount(bits >> 8);
}

#endif

#endif
