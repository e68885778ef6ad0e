/* Bodies on their way from one pose to another, as they are at a time: every vertex is at (1 -
 * time) start + time end, computed in double and rounded once to float. What is found is what
 * graze_touch and graze_pairs find of bodies with those positions.
 *
 * Of several answers the one with the lowest numbers is given, so that it depends on no tree.
 */
#ifndef GRAZEI_SWEEP_AT_TIME_H
#define GRAZEI_SWEEP_AT_TIME_H

#include "narrow/shapes.h"

#include <graze/sweep.h>

typedef struct grazei_triangle_at {
    uint32_t number;
    float corners[3][4]; /* at the time; the fourth is free */
} grazei_triangle_at;

/* Whether a shape meets the body, and which triangle. The motion was checked, and its bodies have
 * caches.
 */
bool grazei_touch_at(const graze_motion *motion, double time, const grazei_shape *shape,
                     grazei_triangle_at *triangle, graze_stats *stats);

/* Whether two bodies meet: the lowest triangle of a, and of those that it meets the lowest of b. */
bool grazei_collide_at(const graze_motion *a, const graze_motion *b, double time,
                       grazei_triangle_at triangles[2], graze_stats *stats);

/* The triangle whose box is nearest to a point, of equal ones the lowest. UINT32_MAX: none takes
 * part.
 */
uint32_t grazei_triangle_near(const graze_motion *motion, double time, const float point[3],
                              graze_stats *stats);

#endif
