/* Wide floats: GRAZEI_LANES numbers that move together, 4, 8 or 16 as the compiler flags allow.
 *
 * Algorithms are written once against this header; one file per backend fills it in, and only with
 * what is used. Each lane computes what a plain float would, bit for bit, on every backend: no
 * fused operations, no approximate reciprocals, and lanes_min and lanes_max mean a < b ? a : b and
 * a > b ? a : b, also for zeros and NaN. GRAZEI_LANES_SCALAR asks for plain C, for tests.
 *
 * A backend has
 *   lanes, lanes_mask      floats, and one truth per lane
 *   lanes_set              all lanes the same
 *   lanes_load, _store     GRAZEI_LANES floats, aligned or not
 *   lanes_add, _sub, _mul, _div, _min, _max, _abs
 *   lanes_less, lanes_less_equal   false where an operand is NaN
 *   mask_and, mask_or, mask_xor
 *   mask_bits              lane k in bit k
 *   lanes_select           where the mask is set the second operand, elsewhere the third
 *   lanes_load_rows        transposes: lane k of out[c] is row[k][c]; rows are 4 aligned floats
 *   lanes_store_rows       the reverse
 *   lanes_pack             writes code[k] | extra for each bit k of bits, packed; returns how many.
 *                          Reads and writes GRAZEI_LANES codes whatever the bits.
 */
#ifndef GRAZEI_MATH_LANES_H
#define GRAZEI_MATH_LANES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* For functions that pass vectors around: left to themselves, compilers call some of them through
 * memory, which costs more than their work.
 */
#if defined(__OPTIMIZE_SIZE__) /* the web's modules, but for what is asked most */
#define GRAZEI_INLINE static inline
#else
#define GRAZEI_INLINE static inline __attribute__((always_inline))
#endif

#if defined(GRAZEI_LANES_SCALAR)
#include "math/lanes_scalar.h"
#elif defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512BW__)
#include "math/lanes_avx512.h"
#elif defined(__AVX2__)
#include "math/lanes_avx2.h"
#elif defined(__SSE2__)
#include "math/lanes_sse2.h"
#elif defined(__aarch64__)
#include "math/lanes_neon.h"
#elif defined(__wasm_simd128__)
#include "math/lanes_wasm.h"
#else
#include "math/lanes_scalar.h"
#endif

/* The mask bits of a full vector. */
#define GRAZEI_LANES_ALL ((1u << GRAZEI_LANES) - 1u)

/* Points, one per lane. */
typedef struct lanes3 {
    lanes x, y, z;
} lanes3;

GRAZEI_INLINE lanes3 lanes3_sub(lanes3 a, lanes3 b)
{
    return (lanes3){lanes_sub(a.x, b.x), lanes_sub(a.y, b.y), lanes_sub(a.z, b.z)};
}

GRAZEI_INLINE lanes lanes3_dot(lanes3 a, lanes3 b)
{
    return lanes_add(lanes_add(lanes_mul(a.x, b.x), lanes_mul(a.y, b.y)), lanes_mul(a.z, b.z));
}

GRAZEI_INLINE lanes3 lanes3_cross(lanes3 a, lanes3 b)
{
    return (lanes3){lanes_sub(lanes_mul(a.y, b.z), lanes_mul(a.z, b.y)),
                    lanes_sub(lanes_mul(a.z, b.x), lanes_mul(a.x, b.z)),
                    lanes_sub(lanes_mul(a.x, b.y), lanes_mul(a.y, b.x))};
}

GRAZEI_INLINE lanes3 lanes3_select(lanes_mask mask, lanes3 a, lanes3 b)
{
    return (lanes3){lanes_select(mask, a.x, b.x), lanes_select(mask, a.y, b.y),
                    lanes_select(mask, a.z, b.z)};
}

/* The greatest magnitude of a coordinate. */
GRAZEI_INLINE lanes lanes3_reach(lanes3 a)
{
    return lanes_max(lanes_max(lanes_abs(a.x), lanes_abs(a.y)), lanes_abs(a.z));
}

GRAZEI_INLINE lanes lanes_min3(lanes a, lanes b, lanes c)
{
    return lanes_min(lanes_min(a, b), c);
}

GRAZEI_INLINE lanes lanes_max3(lanes a, lanes b, lanes c)
{
    return lanes_max(lanes_max(a, b), c);
}

#endif
