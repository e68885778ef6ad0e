/* Lanes on 128-bit WebAssembly SIMD. */
#ifndef GRAZEI_MATH_LANES_WASM_H
#define GRAZEI_MATH_LANES_WASM_H

#include "math/lanes_pack.h"

#include <wasm_simd128.h>

#define GRAZEI_LANES 4

typedef v128_t lanes;
typedef v128_t lanes_mask;

GRAZEI_INLINE lanes lanes_set(float x)
{
    return wasm_f32x4_splat(x);
}
GRAZEI_INLINE lanes lanes_load(const float *p)
{
    return wasm_v128_load(p);
}
GRAZEI_INLINE void lanes_store(float *p, lanes a)
{
    wasm_v128_store(p, a);
}

GRAZEI_INLINE lanes lanes_add(lanes a, lanes b)
{
    return wasm_f32x4_add(a, b);
}
GRAZEI_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return wasm_f32x4_sub(a, b);
}
GRAZEI_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return wasm_f32x4_mul(a, b);
}
GRAZEI_INLINE lanes lanes_div(lanes a, lanes b)
{
    return wasm_f32x4_div(a, b);
}
GRAZEI_INLINE lanes lanes_abs(lanes a)
{
    return wasm_f32x4_abs(a);
}

/* pmin(x, y) is y < x ? y : x, and pmax(x, y) is x < y ? y : x: hence the order. */
GRAZEI_INLINE lanes lanes_min(lanes a, lanes b)
{
    return wasm_f32x4_pmin(b, a);
}
GRAZEI_INLINE lanes lanes_max(lanes a, lanes b)
{
    return wasm_f32x4_pmax(b, a);
}

GRAZEI_INLINE lanes_mask lanes_less(lanes a, lanes b)
{
    return wasm_f32x4_lt(a, b);
}
GRAZEI_INLINE lanes_mask lanes_less_equal(lanes a, lanes b)
{
    return wasm_f32x4_le(a, b);
}

GRAZEI_INLINE lanes_mask mask_and(lanes_mask a, lanes_mask b)
{
    return wasm_v128_and(a, b);
}
GRAZEI_INLINE lanes_mask mask_or(lanes_mask a, lanes_mask b)
{
    return wasm_v128_or(a, b);
}
GRAZEI_INLINE lanes_mask mask_xor(lanes_mask a, lanes_mask b)
{
    return wasm_v128_xor(a, b);
}
GRAZEI_INLINE uint32_t mask_bits(lanes_mask a)
{
    return (uint32_t)wasm_i32x4_bitmask(a);
}

GRAZEI_INLINE lanes lanes_select(lanes_mask mask, lanes a, lanes b)
{
    return wasm_v128_bitselect(a, b, mask);
}

GRAZEI_INLINE void grazei_transpose(lanes r[4])
{
    lanes xy01 = wasm_i32x4_shuffle(r[0], r[1], 0, 4, 1, 5);
    lanes zw01 = wasm_i32x4_shuffle(r[0], r[1], 2, 6, 3, 7);
    lanes xy23 = wasm_i32x4_shuffle(r[2], r[3], 0, 4, 1, 5);
    lanes zw23 = wasm_i32x4_shuffle(r[2], r[3], 2, 6, 3, 7);
    r[0] = wasm_i32x4_shuffle(xy01, xy23, 0, 1, 4, 5);
    r[1] = wasm_i32x4_shuffle(xy01, xy23, 2, 3, 6, 7);
    r[2] = wasm_i32x4_shuffle(zw01, zw23, 0, 1, 4, 5);
    r[3] = wasm_i32x4_shuffle(zw01, zw23, 2, 3, 6, 7);
}

GRAZEI_INLINE void lanes_load_rows(const float *const rows[4], size_t offset, lanes out[4])
{
    for (int k = 0; k < 4; ++k)
        out[k] = wasm_v128_load(rows[k] + offset);
    grazei_transpose(out);
}

GRAZEI_INLINE void lanes_store_rows(float *const rows[4], size_t offset, const lanes in[4])
{
    lanes r[4] = {in[0], in[1], in[2], in[3]};
    grazei_transpose(r);
    for (int k = 0; k < 4; ++k)
        wasm_v128_store(rows[k] + offset, r[k]);
}

#endif
