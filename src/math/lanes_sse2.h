/* Lanes on SSE2: what every x86-64 has. */
#ifndef GRAZEI_MATH_LANES_SSE2_H
#define GRAZEI_MATH_LANES_SSE2_H

#include "math/lanes_pack.h"

#include <emmintrin.h>

#define GRAZEI_LANES 4

typedef __m128 lanes;
typedef __m128 lanes_mask;

GRAZEI_INLINE lanes lanes_set(float x)
{
    return _mm_set1_ps(x);
}
GRAZEI_INLINE lanes lanes_load(const float *p)
{
    return _mm_loadu_ps(p);
}
GRAZEI_INLINE void lanes_store(float *p, lanes a)
{
    _mm_storeu_ps(p, a);
}

GRAZEI_INLINE lanes lanes_add(lanes a, lanes b)
{
    return _mm_add_ps(a, b);
}
GRAZEI_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return _mm_sub_ps(a, b);
}
GRAZEI_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return _mm_mul_ps(a, b);
}
GRAZEI_INLINE lanes lanes_div(lanes a, lanes b)
{
    return _mm_div_ps(a, b);
}
GRAZEI_INLINE lanes lanes_min(lanes a, lanes b)
{
    return _mm_min_ps(a, b);
}
GRAZEI_INLINE lanes lanes_max(lanes a, lanes b)
{
    return _mm_max_ps(a, b);
}
GRAZEI_INLINE lanes lanes_abs(lanes a)
{
    return _mm_andnot_ps(_mm_set1_ps(-0.0f), a);
}

GRAZEI_INLINE lanes_mask lanes_less(lanes a, lanes b)
{
    return _mm_cmplt_ps(a, b);
}
GRAZEI_INLINE lanes_mask lanes_less_equal(lanes a, lanes b)
{
    return _mm_cmple_ps(a, b);
}

GRAZEI_INLINE lanes_mask mask_and(lanes_mask a, lanes_mask b)
{
    return _mm_and_ps(a, b);
}
GRAZEI_INLINE lanes_mask mask_or(lanes_mask a, lanes_mask b)
{
    return _mm_or_ps(a, b);
}
GRAZEI_INLINE lanes_mask mask_xor(lanes_mask a, lanes_mask b)
{
    return _mm_xor_ps(a, b);
}
GRAZEI_INLINE uint32_t mask_bits(lanes_mask a)
{
    return (uint32_t)_mm_movemask_ps(a);
}

GRAZEI_INLINE lanes lanes_select(lanes_mask mask, lanes a, lanes b)
{
    return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
}

GRAZEI_INLINE void lanes_load_rows(const float *const rows[4], size_t offset, lanes out[4])
{
    for (int k = 0; k < 4; ++k)
        out[k] = _mm_load_ps(rows[k] + offset);
    _MM_TRANSPOSE4_PS(out[0], out[1], out[2], out[3]);
}

GRAZEI_INLINE void lanes_store_rows(float *const rows[4], size_t offset, const lanes in[4])
{
    lanes r0 = in[0], r1 = in[1], r2 = in[2], r3 = in[3];
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    _mm_store_ps(rows[0] + offset, r0);
    _mm_store_ps(rows[1] + offset, r1);
    _mm_store_ps(rows[2] + offset, r2);
    _mm_store_ps(rows[3] + offset, r3);
}

#endif
