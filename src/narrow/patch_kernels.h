/* Patches: small pieces of surface, up to 128 triangles, of which two are tested against each other
 * in lanes.
 *
 * A piece of a smooth surface is nearly flat, so besides its box it has a slab: a direction, mostly
 * its normal, and how far its points reach along it. Where two patches lie side by side their boxes
 * overlap and their slabs do not. Of patches that are not apart as a whole only those triangles are
 * looked at whose corners are not all beyond one side of the other's box or slab (the outcodes of
 * Cohen and Sutherland, eight bits a point); what is left is copied together, so that it fills
 * vectors and stays in the nearest cache.
 */
#ifndef GRAZEI_NARROW_PATCH_KERNELS_H
#define GRAZEI_NARROW_PATCH_KERNELS_H

#include "math/isa.h"

#include <stddef.h>

#define GRAZEI_PATCH_POINTS 256
#define GRAZEI_PATCH_TRIANGLES 128

/* Rows of numbers are padded to whole vectors. */
static inline size_t grazei_patch_stride(uint32_t count)
{
    return (count + 15u) & ~(size_t)15;
}

/* Points v with low <= normal . (v - origin) <= high, as computed in float. Coordinates of the
 * normal are at most 2; all zero: there is no slab.
 */
typedef struct grazei_slab {
    float normal[3], low;
    float origin[3], high;
} grazei_slab;

/* Pointers into what the caller keeps. */
typedef struct grazei_posed_patch {
    uint32_t number;          /* among the caller's patches */
    const uint32_t *names;    /* what the caller calls each triangle; neither is looked at here */
    const float (*points)[4]; /* x, y, z and an unused number, aligned to 16 bytes */
    const uint8_t (*corners)[4]; /* of each triangle; 16 more rows must be readable */
    uint32_t point_count, triangle_count;
    const float *low_negated, *high; /* the box of the points, 3 floats each */
    grazei_slab *slab;
    float *rows; /* the points again: rows of x, y and z */
} grazei_posed_patch;

/* How far a computed place along a slab may be off, together with the slab's own ends. reach is at
 * least the longest side of the box around both patches. A difference, a product and two sums leave
 * gamma(4) of 3 products of at most 2 reach, that is below 25 u reach, twice, and adding the margin
 * to an end rounds by less than 7 u reach; underflow is below the constant.
 */
static inline float grazei_slab_margin(float reach)
{
    return reach * 0x1p-18f + 0x1p-120f; /* 64 u */
}

/* Takes pairs of triangles; count is at least 1. False: no more of them are wanted. */
typedef bool (*grazei_take_pairs)(void *user, const uint16_t *pairs, size_t count);

/* The functions of one instruction set. */
typedef struct grazei_patch_kernels {
    /* Fills rows and slab, the latter across two diagonals: points spread[0] to [2], [1] to [3]. */
    void (*prepare)(const grazei_posed_patch *patch, const uint8_t spread[4]);

    /* Finds the pairs of triangles of two prepared patches that meet. Exact: touching counts. Hands
     * them to take (the number of a's in the low byte, of b's in the high), some at a time and each
     * once. Adds the number of pairs whose boxes overlap to *tests.
     */
    void (*meet)(const grazei_posed_patch *a, const grazei_posed_patch *b, grazei_take_pairs take,
                 void *user, uint64_t *tests);
} grazei_patch_kernels;

GRAZEI_DECLARE(grazei_patch_kernels, patch_kernels);

#endif
