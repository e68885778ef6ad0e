/* Lanes on NEON (aarch64). */
#ifndef GRAZEI_MATH_LANES_NEON_H
#define GRAZEI_MATH_LANES_NEON_H

#include "math/lanes_pack.h"

#include <arm_neon.h>

#define GRAZEI_LANES 4

typedef float32x4_t lanes;
typedef uint32x4_t lanes_mask;

GRAZEI_INLINE lanes lanes_set(float x)
{
    return vdupq_n_f32(x);
}
GRAZEI_INLINE lanes lanes_load(const float *p)
{
    return vld1q_f32(p);
}
GRAZEI_INLINE void lanes_store(float *p, lanes a)
{
    vst1q_f32(p, a);
}

GRAZEI_INLINE lanes lanes_add(lanes a, lanes b)
{
    return vaddq_f32(a, b);
}
GRAZEI_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return vsubq_f32(a, b);
}
GRAZEI_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return vmulq_f32(a, b);
}
GRAZEI_INLINE lanes lanes_div(lanes a, lanes b)
{
    return vdivq_f32(a, b);
}
GRAZEI_INLINE lanes lanes_abs(lanes a)
{
    return vabsq_f32(a);
}

GRAZEI_INLINE lanes_mask lanes_less(lanes a, lanes b)
{
    return vcltq_f32(a, b);
}
GRAZEI_INLINE lanes_mask lanes_less_equal(lanes a, lanes b)
{
    return vcleq_f32(a, b);
}

GRAZEI_INLINE lanes_mask mask_and(lanes_mask a, lanes_mask b)
{
    return vandq_u32(a, b);
}
GRAZEI_INLINE lanes_mask mask_or(lanes_mask a, lanes_mask b)
{
    return vorrq_u32(a, b);
}
GRAZEI_INLINE lanes_mask mask_xor(lanes_mask a, lanes_mask b)
{
    return veorq_u32(a, b);
}
GRAZEI_INLINE uint32_t mask_bits(lanes_mask a)
{
    static const uint32_t bit[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(a, vld1q_u32(bit)));
}

GRAZEI_INLINE lanes lanes_select(lanes_mask mask, lanes a, lanes b)
{
    return vbslq_f32(mask, a, b);
}

/* vminq and vmaxq treat NaN and zeros otherwise than the other backends. */
GRAZEI_INLINE lanes lanes_min(lanes a, lanes b)
{
    return vbslq_f32(vcltq_f32(a, b), a, b);
}
GRAZEI_INLINE lanes lanes_max(lanes a, lanes b)
{
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}

GRAZEI_INLINE void grazei_transpose(lanes r[4])
{
    lanes even01 = vtrn1q_f32(r[0], r[1]), odd01 = vtrn2q_f32(r[0], r[1]);
    lanes even23 = vtrn1q_f32(r[2], r[3]), odd23 = vtrn2q_f32(r[2], r[3]);
    r[0] = vcombine_f32(vget_low_f32(even01), vget_low_f32(even23));
    r[1] = vcombine_f32(vget_low_f32(odd01), vget_low_f32(odd23));
    r[2] = vcombine_f32(vget_high_f32(even01), vget_high_f32(even23));
    r[3] = vcombine_f32(vget_high_f32(odd01), vget_high_f32(odd23));
}

GRAZEI_INLINE void lanes_load_rows(const float *const rows[4], size_t offset, lanes out[4])
{
    for (int k = 0; k < 4; ++k)
        out[k] = vld1q_f32(rows[k] + offset);
    grazei_transpose(out);
}

GRAZEI_INLINE void lanes_store_rows(float *const rows[4], size_t offset, const lanes in[4])
{
    lanes r[4] = {in[0], in[1], in[2], in[3]};
    grazei_transpose(r);
    for (int k = 0; k < 4; ++k)
        vst1q_f32(rows[k] + offset, r[k]);
}

#endif
