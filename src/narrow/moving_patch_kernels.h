/* Two patches in motion between two times: until when are they certainly apart as a whole?
 *
 * Their points are looked at where they are at those times, relative to the first of a. So a motion
 * that both have in common is gone, and what shrinks to a point, or passes through another surface
 * all at once, is seen as large as it is just then: floats tell apart what they could not tell
 * between start and end.
 */
#ifndef GRAZEI_NARROW_MOVING_PATCH_KERNELS_H
#define GRAZEI_NARROW_MOVING_PATCH_KERNELS_H

#include "math/isa.h"
#include "narrow/moving_kernels.h"
#include "narrow/patch.h"

/* Two patches between two times, 0 <= from <= to <= 1. */
typedef struct grazei_moving_patches {
    double from, to;
    /* Triangles that a direction n parts, at these points, by more than |n|_1 tolerance and, for
     * each axis, |n| rounding certainly have no contact: see the source. Of two triangles with a
     * smaller reach it is enough to take GRAZEI_MOVED_TOLERANCE of that.
     */
    float tolerance;
    float rounding[2][4] __attribute__((aligned(16))); /* at both times, x, y, z */
    float points[2][2][GRAZEI_PATCH_POINTS][4]
        __attribute__((aligned(16))); /* by side, and at both times */
} grazei_moving_patches;

typedef struct grazei_moving_patch_kernels {
    /* Moves two patches, given at the start and at the end, to two times. reach: at least the
     * longest side of the box around both, at the start and at the end.
     */
    void (*move)(const grazei_posed_patch a[2], const grazei_posed_patch b[2], float reach,
                 double from, double to, grazei_moving_patches *moved);

    /* For what part of the time between, from its begin on, the patches are certainly apart: so
     * that grazei_moving_triangles_meet() finds no contact of theirs there. 2: all of it, 0: none.
     */
    float (*part)(const grazei_posed_patch *a, const grazei_posed_patch *b,
                  const grazei_moving_patches *moved);

    /* Which of up to GRAZEI_MOVED_TRIANGLES triangles of one side, as they are at both times, are
     * not certainly apart from all of the other: bits. Their own planes are tried.
     */
    uint32_t (*keep_near)(const grazei_moving_set *triangles, const grazei_posed_patch *other,
                          int other_side, const grazei_moving_patches *moved);
} grazei_moving_patch_kernels;

GRAZEI_DECLARE(grazei_moving_patch_kernels, moving_patch_kernels);

#endif
