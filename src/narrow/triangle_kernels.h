/* Small sets of triangles, tested many at a time in lanes.
 *
 * A caller makes a set of up to 128 triangles ready once; then, against another set, asks for the
 * pairs whose boxes overlap, and of those for the pairs of triangles that meet:
 *
 *     size_t count = lanes->box_pairs(&a, NULL, 0, &b, NULL, 0, candidates);
 *     size_t hits = lanes->triangle_pairs(&a, &b, candidates, count, candidates, &unsure);
 *
 * The answers are exact and the same with every instruction set: float lanes decide what their
 * error margins allow, grazei_triangles_meet() the rest. Coordinates are finite and below 1e18 in
 * magnitude. Nothing allocates, nothing is read or written outside of what is stated, and sets may
 * be read by any number of threads.
 */
#ifndef GRAZEI_NARROW_TRIANGLE_KERNELS_H
#define GRAZEI_NARROW_TRIANGLE_KERNELS_H

#include "base/assert.h"
#include "math/isa.h"

#include <stddef.h>

#define GRAZEI_SET_TRIANGLES 128 /* the most in one set */

/* To save stack, so many pairs are listed at a time, at most. A whole vector is written behind the
 * last.
 */
#define GRAZEI_CHUNK_PAIRS (48 * 64 + 16)

/* How many triangles, of `left`, may be compared with so many others at a time. */
static inline size_t grazei_chunk(size_t left, size_t others)
{
    size_t rows = (GRAZEI_CHUNK_PAIRS - 16) / ((others + 15) & ~(size_t)15);
    return left < rows ? left : rows;
}

/* What boxes_overlapping may write. */
#define GRAZEI_SET_NUMBERS (GRAZEI_SET_TRIANGLES + 16)

/* Triangles made ready. The memory is the caller's: see grazei_triangle_set_at. */
typedef struct grazei_triangle_set {
    uint32_t count;  /* triangles, at most GRAZEI_SET_TRIANGLES */
    uint32_t stride; /* count rounded up to a multiple of 16 */
    float *bounds;   /* the box of all: least x, y, z, greatest x, y, z */
    /* Six rows of stride floats: least x, y, z, greatest x, y, z. The padding overlaps nothing. */
    float *boxes;
    /* For each of stride triangles its corners: x, y, z and, in the fourth place of the three, the
     * normal divided by the square of the triangle's extent.
     */
    float (*corners)[3][4];
} grazei_triangle_set;

/* A pair is one number: the triangle of the first set in the low byte, of the second in the high.
 */
static inline uint16_t grazei_pair(uint32_t a, uint32_t b)
{
    return (uint16_t)(a | b << 8);
}

static inline uint32_t grazei_pair_first(uint16_t pair)
{
    return pair & 255u;
}

static inline uint32_t grazei_pair_second(uint16_t pair)
{
    return pair >> 8;
}

/* Where those numbers are in the two bytes of a pair. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { GRAZEI_FIRST_BYTE = 1, GRAZEI_SECOND_BYTE = 0 };
#else
enum { GRAZEI_FIRST_BYTE = 0, GRAZEI_SECOND_BYTE = 1 };
#endif

/* How many floats the memory of a set of `count` triangles has. */
#define GRAZEI_TRIANGLE_SET_FLOATS(count) (16 + (size_t)18 * (((count) + 15u) & ~15u))

static inline size_t grazei_triangle_set_floats(uint32_t count)
{
    return GRAZEI_TRIANGLE_SET_FLOATS(count);
}

/* A set of `count` triangles, not ready yet, in memory of grazei_triangle_set_floats(count) floats,
 * aligned to 16 bytes or better (64 is best). A caller that keeps the memory may call this again
 * instead of keeping the struct.
 */
static inline grazei_triangle_set grazei_triangle_set_at(float *memory, uint32_t count)
{
    grazei_triangle_set set;
    GRAZE_ASSERT(count <= GRAZEI_SET_TRIANGLES);
    set.count = count;
    set.stride = (count + 15u) & ~15u;
    set.bounds = memory;
    set.boxes = memory + 16;
    set.corners = (float(*)[3][4])(set.boxes + (size_t)6 * set.stride);
    return set;
}

/* The functions of one instruction set. */
typedef struct grazei_triangle_kernels {
    /* Floats in a lane vector: 4, 8 or 16. */
    uint32_t width;

    /* Makes a set ready: fills the memory behind `set` with boxes and corners. `vertices` are x, y,
     * z and one unused number, aligned to 16 bytes; `corners` has set->count rows of three vertex
     * numbers and one unused.
     */
    void (*triangle_set)(const float (*vertices)[4], const uint8_t (*corners)[4],
                         const grazei_triangle_set *set);

    /* Writes the numbers of the triangles whose closed boxes overlap the closed box, in increasing
     * order, and returns how many. `numbers` has room for set->count + 16.
     */
    size_t (*boxes_overlapping)(const grazei_triangle_set *set, const float least[3],
                                const float greatest[3], uint16_t *numbers);

    /* Writes the pairs whose closed boxes overlap, ordered by the triangle of a, then of b, and
     * returns how many. Only the triangles named in a_numbers and in b_numbers are considered (all,
     * where that is NULL). `pairs` has room for all pairs considered and 16 more.
     */
    size_t (*box_pairs)(const grazei_triangle_set *a, const uint16_t *a_numbers, size_t a_count,
                        const grazei_triangle_set *b, const uint16_t *b_numbers, size_t b_count,
                        uint16_t *pairs);

    /* The same for a few triangles of a and all of b, without the pairs that are masked: bit k of
     * masks[i] (of two words) stands for triangle k of b with triangle a_numbers[i] of a.
     */
    size_t (*box_pairs_but)(const grazei_triangle_set *a, const uint16_t *a_numbers, size_t a_count,
                            const grazei_triangle_set *b, const uint64_t (*masks)[2],
                            uint16_t *pairs);

    /* Of `count` pairs, writes those that meet, in the same order, and returns how many. Exact:
     * touching counts. `hits` has room for count and may be the same array as `pairs`. Adds to
     * *unsure the number of pairs that the lanes left to grazei_triangles_meet().
     */
    size_t (*triangle_pairs)(const grazei_triangle_set *a, const grazei_triangle_set *b,
                             const uint16_t *pairs, size_t count, uint16_t *hits, size_t *unsure);
} grazei_triangle_kernels;

GRAZEI_DECLARE(grazei_triangle_kernels, triangle_kernels);

#endif
