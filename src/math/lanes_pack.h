/* Codes, for the backends of four lanes: packed by a table, without a branch. */
#ifndef GRAZEI_MATH_LANES_PACK_H
#define GRAZEI_MATH_LANES_PACK_H

#include <stddef.h>
#include <stdint.h>

/* For four bits, which of them are set, and how many. */
static const uint8_t grazei_pack_order[16][4] = {
    {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0},
    {1, 2, 0, 0}, {0, 1, 2, 0}, {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0},
    {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
static const uint8_t grazei_pack_count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

GRAZEI_INLINE size_t lanes_pack(uint16_t *out, const uint16_t *codes, uint16_t extra, uint32_t bits)
{
    const uint8_t *order = grazei_pack_order[bits];
    /* All reads before the first write: out may be where the codes come from. */
    uint16_t first = codes[order[0]], second = codes[order[1]];
    uint16_t third = codes[order[2]], fourth = codes[order[3]];
    out[0] = first | extra;
    out[1] = second | extra;
    out[2] = third | extra;
    out[3] = fourth | extra;
    return grazei_pack_count[bits];
}

#endif
