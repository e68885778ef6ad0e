/* When do two convex things that move first meet: points, segments, triangles and boxes, each with
 * a radius around it?
 */
#ifndef GRAZEI_NARROW_MOVING_CORE_H
#define GRAZEI_NARROW_MOVING_CORE_H

#include "narrow/d3.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum grazei_core_kind {
    GRAZEI_CORE_POINT,
    GRAZEI_CORE_SEGMENT,
    GRAZEI_CORE_TRIANGLE,
    GRAZEI_CORE_BOX /* corner i is on the upper side of axis k if bit k of i is set */
} grazei_core_kind;

/* All points within a radius of the convex hull of some corners. Corners and radius change linearly
 * from the start (time 0) to the end (time 1).
 */
typedef struct grazei_core {
    grazei_core_kind kind;
    d3 at[2][8];
    double radius[2];
} grazei_core;

typedef struct grazei_core_contact {
    double time;
    double distance; /* at that time: at most the tolerance, but where no step could be taken */
    d3 on_b;         /* the point of b, without its radius, that is nearest to a */
    d3 normal;       /* of unit length, from b to a; 0 where cores touch */
    uint32_t steps;
} grazei_core_contact;

/* How many corners a core of a kind has. */
int grazei_core_corners(grazei_core_kind kind);

/* The largest coordinate of a corner at either end, and the largest radius besides. */
double grazei_core_reach(const grazei_core *core);

/* Whether they meet between two times in [0, 1]; contacts from the time `too_late` on may be
 * left out.
 * Coordinates are relative to a common origin, which may move, and right to 2^-49 of the reach of
 * both.
 *
 * Guarantee: conservative. They are never missed, the time is never later than they first meet, and
 * then they are no farther apart than GRAZEI_MOVING_TOLERANCE of the reach of both. What comes so
 * near without meeting may be reported. At most 1000 steps are taken; where that does not do, the
 * time reached counts as that of a contact.
 */
bool grazei_cores_meet(const grazei_core *a, const grazei_core *b, double enter, double leave,
                       double too_late, grazei_core_contact *contact);

#endif
