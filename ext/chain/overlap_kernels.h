/* Which spheres overlap, in lanes: chain_kernel.h's test, operation by operation. */
#ifndef GRAZEI_CHAIN_OVERLAP_KERNELS_H
#define GRAZEI_CHAIN_OVERLAP_KERNELS_H

#include "math/isa.h"

#include <graze/ext/chain.h>

/* Spheres are looked at in blocks of as many as the widest lanes. */
enum { GRAZEI_SPHERE_BLOCK = 16 };

/* A sphere and those of a block that it is compared with. */
typedef struct grazei_overlap_row {
    uint32_t sphere;
    uint16_t block, mask;
    uint32_t before; /* pairs in the rows before */
} grazei_overlap_row;

/* Spheres by coordinate; there is room for whole blocks. */
typedef struct grazei_sphere_lanes {
    const float *x, *y, *z, *r;
} grazei_sphere_lanes;

typedef struct grazei_overlap_kernels {
    /* Writes up to capacity pairs of the rows' that overlap, in order; returns how many there are.
     */
    size_t (*find)(const grazei_sphere_lanes *spheres, const grazei_overlap_row *rows,
                   uint32_t row_count, graze_pair *pairs, size_t capacity);
    /* The same for one sphere, called a, against all of `count` others. */
    size_t (*find_one)(const float sphere[4], uint32_t a, const grazei_sphere_lanes *others,
                       uint32_t count, graze_pair *pairs, size_t capacity);
} grazei_overlap_kernels;

GRAZEI_DECLARE(grazei_overlap_kernels, overlap_kernels);

#endif
