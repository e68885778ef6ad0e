/* The box functions of grazei_triangle_kernels, for the instruction set being compiled. */
#ifndef GRAZEI_NARROW_BOX_KERNELS_H
#define GRAZEI_NARROW_BOX_KERNELS_H

#include "math/isa.h"
#include "narrow/triangle_kernels.h"

size_t GRAZEI_ISA(boxes_overlapping)(const grazei_triangle_set *set, const float least[3],
                                     const float greatest[3], uint16_t *numbers);

size_t GRAZEI_ISA(box_pairs)(const grazei_triangle_set *a, const uint16_t *a_numbers,
                             size_t a_count, const grazei_triangle_set *b,
                             const uint16_t *b_numbers, size_t b_count, uint16_t *pairs);

size_t GRAZEI_ISA(box_pairs_but)(const grazei_triangle_set *a, const uint16_t *a_numbers,
                                 size_t a_count, const grazei_triangle_set *b,
                                 const uint64_t (*masks)[2], uint16_t *pairs);

#endif
