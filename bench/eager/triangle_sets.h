/* Triangles made ready, and pairs of them tested many at a time in lanes: the library's test as it
 * was. The answers are exact.
 */
#ifndef GRAZE_BENCH_EAGER_TRIANGLE_SETS_H
#define GRAZE_BENCH_EAGER_TRIANGLE_SETS_H

#include "bench/eager/simd.h"

#include <stddef.h>

/* For each triangle its corners: x, y, z and, in the fourth place of the three, the normal divided
 * by the square of the triangle's extent.
 */
typedef float eager_ready[3][4];

/* Makes 16 triangles ready, of which the first `count` are there: corners are places in positions.
 */
void EAGER_ISA(make_ready)(const float (*positions)[4], const uint32_t (*corners)[3],
                           uint32_t count, eager_ready *ready);

/* A pair is one number: the triangle of the first set in the low byte, of the second in the high.
 */
EAGER_INLINE uint32_t eager_pair_first(uint16_t pair)
{
    return pair & 255u;
}
EAGER_INLINE uint32_t eager_pair_second(uint16_t pair)
{
    return pair >> 8;
}

/* Of `count` pairs, keeps those that meet, in the same order, and returns how many. Touching
 * counts. reach: the longest side of the box around all. A whole vector may be written behind the
 * last.
 */
size_t EAGER_ISA(keep_meeting)(const eager_ready *a, const eager_ready *b, float reach,
                               uint16_t *pairs, size_t count);

#endif
