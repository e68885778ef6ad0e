/* Small sets of triangles, tested many at a time in lanes: the library's, as it was
 * (triangle_wide.h). The answers are exact.
 */
#ifndef GRAZE_BENCH_EAGER_TRIANGLE_SETS_H
#define GRAZE_BENCH_EAGER_TRIANGLE_SETS_H

#include "bench/eager/simd.h"

#include <stddef.h>

/* Triangles made ready, in the caller's memory. */
typedef struct eager_triangle_set {
    uint32_t count;  /* triangles, at most 128 */
    uint32_t stride; /* count rounded up to a multiple of 16 */
    float *bounds;   /* the box of all: least x, y, z, greatest x, y, z */
    float *boxes;    /* six rows of stride floats: least x, y, z, greatest x, y, z */
    /* For each of stride triangles its corners: x, y, z and, in the fourth place of the three, the
     * normal divided by the square of the triangle's extent, as the lane test wants it.
     */
    float (*corners)[3][4];
} eager_triangle_set;

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

/* Where those numbers are in the two bytes of a pair. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { EAGER_FIRST_BYTE = 1, EAGER_SECOND_BYTE = 0 };
#else
enum { EAGER_FIRST_BYTE = 0, EAGER_SECOND_BYTE = 1 };
#endif

/* Fills the memory behind the set: vertices are four aligned floats, numbers has count rows of
 * three of them and one unused.
 */
void EAGER_ISA(triangle_set)(const float (*vertices)[4], const uint8_t (*numbers)[4],
                             const eager_triangle_set *set);

/* Of `count` pairs, writes those that meet, in the same order, and returns how many. Touching
 * counts. hits has room for count and may be pairs; of the sets, bounds and corners are looked at.
 */
size_t EAGER_ISA(triangle_pairs)(const eager_triangle_set *a, const eager_triangle_set *b,
                                 const uint16_t *pairs, size_t count, uint16_t *hits);

#endif
