/* Lanes in plain C: four floats in an array. The reference for the other backends. */
#ifndef GRAZEI_MATH_LANES_SCALAR_H
#define GRAZEI_MATH_LANES_SCALAR_H

#include "math/lanes_pack.h"

#include <math.h>

#define GRAZEI_LANES 4

typedef struct lanes {
    float v[4];
} lanes;

typedef uint32_t lanes_mask;

#define GRAZEI_EACH_LANE(expression)                                                               \
    lanes r;                                                                                       \
    for (int k = 0; k < 4; ++k)                                                                    \
        r.v[k] = (expression);                                                                     \
    return r

GRAZEI_INLINE lanes lanes_set(float x)
{
    return (lanes){{x, x, x, x}};
}
GRAZEI_INLINE lanes lanes_load(const float *p)
{
    return (lanes){{p[0], p[1], p[2], p[3]}};
}
GRAZEI_INLINE void lanes_store(float *p, lanes a)
{
    for (int k = 0; k < 4; ++k)
        p[k] = a.v[k];
}

GRAZEI_INLINE lanes lanes_add(lanes a, lanes b)
{
    GRAZEI_EACH_LANE(a.v[k] + b.v[k]);
}
GRAZEI_INLINE lanes lanes_sub(lanes a, lanes b)
{
    GRAZEI_EACH_LANE(a.v[k] - b.v[k]);
}
GRAZEI_INLINE lanes lanes_mul(lanes a, lanes b)
{
    GRAZEI_EACH_LANE(a.v[k] * b.v[k]);
}
GRAZEI_INLINE lanes lanes_div(lanes a, lanes b)
{
    GRAZEI_EACH_LANE(a.v[k] / b.v[k]);
}
GRAZEI_INLINE lanes lanes_abs(lanes a)
{
    GRAZEI_EACH_LANE(fabsf(a.v[k]));
}
GRAZEI_INLINE lanes lanes_min(lanes a, lanes b)
{
    GRAZEI_EACH_LANE(a.v[k] < b.v[k] ? a.v[k] : b.v[k]);
}
GRAZEI_INLINE lanes lanes_max(lanes a, lanes b)
{
    GRAZEI_EACH_LANE(a.v[k] > b.v[k] ? a.v[k] : b.v[k]);
}

GRAZEI_INLINE lanes_mask lanes_less(lanes a, lanes b)
{
    lanes_mask mask = 0;
    for (int k = 0; k < 4; ++k)
        mask |= (lanes_mask)(a.v[k] < b.v[k]) << k;
    return mask;
}
GRAZEI_INLINE lanes_mask lanes_less_equal(lanes a, lanes b)
{
    lanes_mask mask = 0;
    for (int k = 0; k < 4; ++k)
        mask |= (lanes_mask)(a.v[k] <= b.v[k]) << k;
    return mask;
}

GRAZEI_INLINE lanes_mask mask_and(lanes_mask a, lanes_mask b)
{
    return a & b;
}
GRAZEI_INLINE lanes_mask mask_or(lanes_mask a, lanes_mask b)
{
    return a | b;
}
GRAZEI_INLINE lanes_mask mask_xor(lanes_mask a, lanes_mask b)
{
    return a ^ b;
}
GRAZEI_INLINE uint32_t mask_bits(lanes_mask a)
{
    return a;
}

GRAZEI_INLINE lanes lanes_select(lanes_mask mask, lanes a, lanes b)
{
    GRAZEI_EACH_LANE(mask >> k & 1 ? a.v[k] : b.v[k]);
}

GRAZEI_INLINE void lanes_load_rows(const float *const rows[4], size_t offset, lanes out[4])
{
    for (int c = 0; c < 4; ++c) {
        for (int k = 0; k < 4; ++k)
            out[c].v[k] = rows[k][offset + (size_t)c];
    }
}
GRAZEI_INLINE void lanes_store_rows(float *const rows[4], size_t offset, const lanes in[4])
{
    for (int c = 0; c < 4; ++c) {
        for (int k = 0; k < 4; ++k)
            rows[k][offset + (size_t)c] = in[c].v[k];
    }
}

#undef GRAZEI_EACH_LANE

#endif
