/* One pass that looks for numbers which must not be there, one that copies. They are two because
 * what a body has must stay if it refuses.
 */
#include "deform/given.h"

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
    return (size_bits(position[0]) < limit) & (size_bits(position[1]) < limit) &
           (size_bits(position[2]) < limit);
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

/* Of all vertices but the last: reads four bytes behind it. */
static inline f4 load_with_next(const unsigned char *from)
{
    const i4 three = {-1, -1, -1, 0};
    i4 position;
    memcpy(&position, from, sizeof position);
    return (f4)(position & three);
}

static inline f4 load_last(const unsigned char *from)
{
    float position[4] = {0, 0, 0, 0};
    memcpy(position, from, sizeof(float[3]));
    return f4_load_any(position);
}

/* Four boxes grow side by side: one would wait for itself. */
static void take(const grazei_given *given, float (*positions)[4], f4 *low, f4 *high)
{
    const unsigned char *from = given->from;
    uint32_t last = given->count - 1, v = 0;
    size_t stride = given->stride;
    f4 lows[4], highs[4], end = load_last(from + last * stride);
    for (int i = 0; i < 4; i++)
        lows[i] = highs[i] = end;
    for (; v + 4 <= last; v += 4, from += 4 * stride) {
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++) {
            f4 position = load_with_next(from + i * stride);
            f4_store(positions[v + i], position);
            lows[i] = f4_min(lows[i], position);
            highs[i] = f4_max(highs[i], position);
        }
    }
    for (; v < last; v++, from += stride) {
        f4 position = load_with_next(from);
        f4_store(positions[v], position);
        lows[0] = f4_min(lows[0], position);
        highs[0] = f4_max(highs[0], position);
    }
    f4_store(positions[last], end);
    *low = f4_min(f4_min(lows[0], lows[1]), f4_min(lows[2], lows[3]));
    *high = f4_max(f4_max(highs[0], highs[1]), f4_max(highs[2], highs[3]));
}

const grazei_given_kernels GRAZEI_ISA(given_kernels) = {find_bad, take};
