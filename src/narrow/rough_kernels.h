/* Distances of triangles in float, to find out which ones are worth the double. */
#ifndef GRAZEI_NARROW_ROUGH_KERNELS_H
#define GRAZEI_NARROW_ROUGH_KERNELS_H

#include "math/isa.h"
#include "narrow/patch.h"

/* Rough distances differ from the true ones by less than this part of the longest side of the box
 * around both patches, as long as that side is in the range below: the error of
 * GRAZEI_DISTANCE_ERROR in units of float, four times over. What underflows are squares of lengths
 * below 2^-63, so that points are mistaken by less than that, which is less than 2^-22 of the side.
 */
#define GRAZEI_ROUGH_ERROR 0x1p-18f
#define GRAZEI_ROUGH_LEAST 0x1p-40f
#define GRAZEI_ROUGH_MOST 0x1p40f

typedef struct grazei_rough_kernels {
    /* The squares of the distances of count pairs of triangles of two patches that do not meet.
     * Room for whole vectors, that is 16 more. (For those that do meet it is some number.)
     */
    void (*rough_squares)(const grazei_posed_patch *a, const grazei_posed_patch *b,
                          const uint16_t *pairs, size_t count, float *squares);
} grazei_rough_kernels;

GRAZEI_DECLARE(grazei_rough_kernels, rough_kernels);

#endif
