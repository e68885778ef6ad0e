/* Small sets of moving triangles: which pairs certainly stay apart, many at a time in lanes. */
#ifndef GRAZEI_NARROW_MOVING_KERNELS_H
#define GRAZEI_NARROW_MOVING_KERNELS_H

#include "math/isa.h"
#include "narrow/triangle_kernels.h"

/* The same triangles at the start and at the end. */
typedef struct grazei_moving_set {
    grazei_triangle_set start, end;
} grazei_moving_set;

/* The tolerance of contacts as a part of the reach, and what double arithmetic leaves. */
#define GRAZEI_MOVED_TOLERANCE (0x1p-22f * (1 + 0x1p-6f))

/* What the memory of swept boxes holds. */
#define GRAZEI_SWEPT_BOXES (6 * GRAZEI_SET_TRIANGLES)

#define GRAZEI_MOVED_TRIANGLES 16

/* A point of each triangle at both ends, the first corner or the middle, and how far corners are
 * from there along any axis.
 */
typedef struct grazei_places {
    float at[2][GRAZEI_MOVED_TRIANGLES][4] __attribute__((aligned(16)));
} grazei_places;

typedef struct grazei_moving_kernels {
    /* The boxes around what each triangle sweeps, as a set without corners for boxes_overlapping
     * and box_pairs. `way` is taken off all that is at the end: what two sets have in common of
     * their motions. Boxes are larger by `pads` along each axis, at the start and at the end. The
     * memory has 6 x stride floats.
     *
     * Where pads are 0, boxes that do not overlap belong to triangles whose boxes are apart, on one
     * axis and side, at both ends: rounding a difference is monotonic, so that it puts nothing in
     * another order.
     */
    grazei_triangle_set (*swept_boxes)(const grazei_moving_set *set, const float way[3],
                                       const float (*pads)[4], float *memory);

    /* Of `count` pairs, writes those that may meet until the time `latest`, in the same order, and
     * for each a time before which it does not; returns how many. grazei_moving_triangles_meet()
     * finds no contact in the others up to `latest`, and none in these before their times. `open`
     * and `times` have room for count, and `open` may be the same array as `pairs`.
     */
    size_t (*open_pairs)(const grazei_moving_set *a, const grazei_moving_set *b,
                         const uint16_t *pairs, size_t count, float latest, uint16_t *open,
                         float *times);

    /* The same between two times, for triangles that were moved there, whose places at the start
     * and at the end of the motion are given: of those of a first corners. Times are parts of the
     * time between, all of which matters. rounding: what grazei_moving_patches has.
     */
    size_t (*open_moved)(const grazei_moving_set *const moved[2],
                         const grazei_places *const places[2], const float (*rounding)[4],
                         const uint16_t *pairs, size_t count, uint16_t *open, float *times);
} grazei_moving_kernels;

GRAZEI_DECLARE(grazei_moving_kernels, moving_kernels);

#endif
