/* Positions that somebody else computed: cloth, caches, simulations. Nothing is known of how they
 * came about, so every bound comes from them, bottom-up (deform/refit.h).
 */
#ifndef GRAZEI_DEFORM_GIVEN_H
#define GRAZEI_DEFORM_GIVEN_H

#include "math/f4.h"
#include "math/isa.h"

#include <stddef.h>

/* Below this, and finite: all that bounds and tests are proven for. */
#define GRAZEI_MOST_GIVEN 1e18f

/* Vertex v is the three floats `stride` x v bytes from `from` on, which may have any alignment;
 * stride is at least 12.
 */
typedef struct grazei_given {
    const unsigned char *from;
    size_t stride;
    uint32_t count; /* at least 1 */
} grazei_given;

typedef struct grazei_given_kernels {
    /* The first vertex with a number that is not finite and below GRAZEI_MOST_GIVEN, or count. */
    uint32_t (*find_bad)(const grazei_given *given);

    /* Copies all of them, each with a fourth number that is 0, and finds the box around them. */
    void (*take)(const grazei_given *given, float (*positions)[4], f4 *low, f4 *high);
} grazei_given_kernels;

GRAZEI_DECLARE(grazei_given_kernels, given_kernels);

#endif
