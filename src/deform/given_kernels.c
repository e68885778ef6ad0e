/* One pass that looks for numbers which must not be there, one that copies. They are two because
 * what a body has must stay if it refuses.
 */
#include "deform/given.h"

#include "math/points.h"

enum { BLOCK = 512 };

static int32_t size_bits(float number)
{
    int32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits & INT32_MAX;
}

/* Sizes are ordered as their bits are, infinities and NaN behind all numbers. Loops of a fixed
 * length become lanes.
 */
static bool block_is_good(const float numbers[BLOCK])
{
    int32_t most = 0;
    for (int i = 0; i < BLOCK; i++) {
        int32_t bits = size_bits(numbers[i]);
        most = bits > most ? bits : most;
    }
    return most < size_bits(GRAZEI_MOST_GIVEN);
}

static bool vertex_is_good(const grazei_given *given, uint32_t vertex)
{
    float position[3];
    memcpy(position, given->from + vertex * given->stride, sizeof position);
    int32_t limit = size_bits(GRAZEI_MOST_GIVEN);
    return size_bits(position[0]) < limit && size_bits(position[1]) < limit &&
           size_bits(position[2]) < limit;
}

/* Of vertices that lie one behind the other, how many are in blocks from the first on that are
 * good.
 */
static uint32_t skip_good_blocks(const grazei_given *given)
{
    float numbers[BLOCK];
    size_t count = 3 * (size_t)given->count / BLOCK, i = 0;
    if (given->stride != sizeof(float[3]))
        return 0;
    for (; i < count; i++) {
        memcpy(numbers, given->from + i * sizeof numbers, sizeof numbers);
        if (!block_is_good(numbers))
            break;
    }
    return (uint32_t)(i * BLOCK / 3);
}

static uint32_t find_bad(const grazei_given *given)
{
    uint32_t vertex = skip_good_blocks(given);
    while (vertex < given->count && vertex_is_good(given, vertex))
        vertex++;
    return vertex;
}

/* Of a vertex that is not the last: reads four bytes behind it. The fourth lane is 0. */
GRAZEI_INLINE f4 load_before_last(const unsigned char *from)
{
    const i4 three = {-1, -1, -1, 0};
    i4 position;
    memcpy(&position, from, sizeof position);
    return (f4)(position & three);
}

static f4 load_one(const unsigned char *from)
{
    float position[4] = {0, 0, 0, 0};
    memcpy(position, from, sizeof(float[3]));
    return f4_load_any(position);
}

enum { CHAINS = 4 }; /* boxes that grow side by side: one would wait for itself */

static void take(const grazei_given *given, float (*positions)[4], f4 *low, f4 *high)
{
    const unsigned char *from = given->from;
    const size_t stride = given->stride, step = (size_t)CHAINS * GRAZEI_POINTS;
    size_t v = 0, count = given->count;
    points lows[CHAINS], highs[CHAINS];
    for (int i = 0; i < CHAINS; i++)
        lows[i] = highs[i] = points_all(load_one(from));
    for (; v + step < count; v += step, from += step * stride) {
#pragma GCC unroll 4
        for (size_t i = 0; i < CHAINS; i++) {
            const unsigned char *first = from + i * GRAZEI_POINTS * stride;
            points some = points_of(load_before_last(first),
                                    load_before_last(first + (GRAZEI_POINTS - 1) * stride));
            points_store(positions + v + i * GRAZEI_POINTS, some);
            lows[i] = points_min(lows[i], some);
            highs[i] = points_max(highs[i], some);
        }
    }
    for (; v < count; v++, from += stride) {
        f4 one = load_one(from);
        f4_store(positions[v], one);
        lows[0] = points_min(lows[0], points_all(one));
        highs[0] = points_max(highs[0], points_all(one));
    }
    points least = points_min(points_min(lows[0], lows[1]), points_min(lows[2], lows[3]));
    points most = points_max(points_max(highs[0], highs[1]), points_max(highs[2], highs[3]));
    *low = f4_min(points_first(least), points_last(least));
    *high = f4_max(points_first(most), points_last(most));
}

const grazei_given_kernels GRAZEI_ISA(given_kernels) = {find_bad, take};
