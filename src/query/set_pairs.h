/* The triangles of a posed patch that may meet another one. Included by *_kernels.c only. */
#ifndef GRAZEI_QUERY_SET_PAIRS_H
#define GRAZEI_QUERY_SET_PAIRS_H

#include "body/patches.h"
#include "math/isa.h"

/* The triangles whose boxes overlap a box. */
static inline size_t grazei_set_within(const grazei_triangle_set *set, const grazei_bound *box,
                                       uint16_t numbers[GRAZEI_SET_NUMBERS])
{
    float low[3] = {-box->low_negated[0], -box->low_negated[1], -box->low_negated[2]};
    return GRAZEI_ISA(triangle_kernels).boxes_overlapping(set, low, box->high, numbers);
}

#endif
