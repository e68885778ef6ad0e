/* When does a moving sphere, capsule, box or half-space first meet a moving triangle, or another
 * moving shape?
 *
 * Every point of a shape moves along a straight line at constant speed, as corners of triangles do:
 * centres, ends of capsules, corners of boxes, radii and offsets change linearly from the start
 * (time 0) to the end (time 1).
 */
#ifndef GRAZEI_NARROW_MOVING_SHAPE_H
#define GRAZEI_NARROW_MOVING_SHAPE_H

#include "math/rounding.h"
#include "narrow/moving.h"
#include "narrow/moving_core.h"
#include "narrow/shapes.h"

/* A moving shape made ready. */
typedef struct grazei_moving_shape {
    grazei_shape ends[2];
    grazei_core core; /* relative to the origin of the shape at either end; not of half-spaces */
} grazei_moving_shape;

/* Checks the shapes at the start and at the end and makes them ready. GRAZE_BAD_INPUT if they are
 * of different kinds, GRAZE_UNSUPPORTED for kinds that cannot be asked and for half-spaces that
 * turn.
 */
graze_status grazei_moving_shape_prepare(grazei_moving_shape *made, const graze_shape *from,
                                         const graze_shape *to, graze_error *error);

/* A time as a float, rounded down; none that processors may take for zero. */
static inline float grazei_round_time(double time)
{
    return time < (double)FLT_MIN ? 0 : grazei_round_down(time);
}

/* Slack for the two users of grazei_moving_shape_reaches. */
#define GRAZEI_MOVING_SHAPE_TRIANGLES 0x1p-40
#define GRAZEI_MOVING_SHAPE_NODES 0x1p-38

/* False if the shape and what moves from one box to another are certainly apart at all times; else
 * the times before *enter and after *leave, at which they certainly are. Boxes have x, y, z and an
 * unused number, the low corner negated.
 *
 * With the slack of nodes no tree can rule out a triangle, or a time, that the box of the triangle
 * leaves open; see moving_shape.c.
 */
bool grazei_moving_shape_reaches(const grazei_moving_shape *shape,
                                 const float *const low_negated[2], const float *const high[2],
                                 double slack, double *enter, double *leave);

/* Whether the shape and the triangle meet, and when: contact->point is on the triangle, the normal
 * leads from there to the shape. Coordinates are finite and below 1e18 in magnitude.
 *
 * Guarantee: as grazei_moving_triangles_meet, with the reach measured from the shape's origin (the
 * centre, a capsule's p) to all corners and to the farthest of the shape. `initial` is decided as
 * by grazei_shape_meets. What grazei_shape_meets finds at the end is always found.
 */
bool grazei_moving_shape_meets(const grazei_moving_shape *shape,
                               const grazei_moving_triangle *triangle, float latest,
                               grazei_moving_contact *contact);

/* The same for two shapes, at most one of them a half-space: contact->point is on b (on the other
 * where b is a half-space), the normal from b to a. `initial` stays false.
 */
bool grazei_moving_shapes_meet(const grazei_moving_shape *a, const grazei_moving_shape *b,
                               grazei_moving_contact *contact);

#endif
