/* Patches: small pieces of surface, up to 128 triangles, of which two are tested against each other
 * in lanes.
 */
#ifndef GRAZEI_NARROW_PATCH_H
#define GRAZEI_NARROW_PATCH_H

#include <stddef.h>
#include <stdint.h>

#define GRAZEI_PATCH_POINTS 256
#define GRAZEI_PATCH_TRIANGLES 128

/* Pointers into what the caller keeps. */
typedef struct grazei_posed_patch {
    uint32_t number;          /* among the caller's patches */
    const uint32_t *names;    /* what the caller calls each triangle; neither is looked at here */
    const float (*points)[4]; /* x, y, z and an unused number, aligned to 16 bytes */
    const uint8_t (*corners)[4]; /* of each triangle; 32 more rows must be readable */
    uint32_t point_count, triangle_count;
    const float *low_negated, *high; /* the box of the points, 3 floats each */
} grazei_posed_patch;

#endif
