/* Small sets of moving triangles: which pairs certainly stay apart, many at a time in lanes. */
#ifndef GRAZEI_NARROW_MOVING_KERNELS_H
#define GRAZEI_NARROW_MOVING_KERNELS_H

#include "math/isa.h"
#include "narrow/triangle_kernels.h"

/* The same triangles at the start and at the end. */
typedef struct grazei_moving_set {
    grazei_triangle_set start, end;
} grazei_moving_set;

/* What the memory of swept boxes holds. */
#define GRAZEI_SWEPT_BOXES (6 * GRAZEI_SET_TRIANGLES)

typedef struct grazei_moving_kernels {
    /* The boxes around what each triangle sweeps, as a set without corners for boxes_overlapping
     * and box_pairs; the memory has GRAZEI_SWEPT_BOXES floats.
     */
    grazei_triangle_set (*swept_boxes)(const grazei_moving_set *set, float *memory);

    /* Of `count` pairs, writes those that may meet until the time `latest`, in the same order, and
     * for each a time before which it does not; returns how many. grazei_moving_triangles_meet()
     * finds no contact in the others up to `latest`, and none in these before their times. `open`
     * and `times` have room for count, and `open` may be the same array as `pairs`.
     */
    size_t (*open_pairs)(const grazei_moving_set *a, const grazei_moving_set *b,
                         const uint16_t *pairs, size_t count, float latest, uint16_t *open,
                         float *times);
} grazei_moving_kernels;

GRAZEI_DECLARE(grazei_moving_kernels, moving_kernels);

#endif
