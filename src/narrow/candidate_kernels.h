/* Pairs of triangles that may meet, collected from anywhere until they fill lanes, then tested
 * together: planes first, which part most of them, then the edges of the rest.
 *
 * The answers are exact and the same with every instruction set: float lanes decide what their
 * error margins allow (triangle_wide.h), grazei_triangles_meet() the rest.
 */
#ifndef GRAZEI_NARROW_CANDIDATE_KERNELS_H
#define GRAZEI_NARROW_CANDIDATE_KERNELS_H

#include "math/isa.h"

#include <stddef.h>

#define GRAZEI_CANDIDATES 384

/* Corners are where they are: points of four floats, aligned to 16 bytes, that stay as they are
 * until the test. Coordinates are finite and below 1e18 in magnitude.
 */
typedef struct grazei_candidates {
    uint32_t count;
    const float *points[2];                 /* of either side */
    const uint32_t *called[2];              /* the caller's, not looked at; so are the names */
    uint32_t at[6][GRAZEI_CANDIDATES + 16]; /* three corners of a's, of b's: in floats from there */
    float reach[GRAZEI_CANDIDATES + 16];    /* at least the longest side of the box around both */
    uint32_t names[2][GRAZEI_CANDIDATES + 16];
} grazei_candidates;

typedef struct grazei_candidate_kernels {
    /* Writes which candidates meet, in order, and returns how many; touching counts. Candidates are
     * as they were, and as many; the room behind the last is written to.
     */
    size_t (*test)(grazei_candidates *candidates, uint16_t hits[GRAZEI_CANDIDATES + 16]);
} grazei_candidate_kernels;

GRAZEI_DECLARE(grazei_candidate_kernels, candidate_kernels);

#endif
