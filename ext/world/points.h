/* Points of contacts: what points.c, points_shapes.c and points_choose.c share. */
#ifndef GRAZEI_WORLD_POINTS_H
#define GRAZEI_WORLD_POINTS_H

#include "world/world.h"

#include <graze/ext/response.h>

/* A point that may be chosen. */
typedef struct grazei_point {
    float point[3], normal[3], depth;
    uint32_t triangle;
} grazei_point;

/* Moves the four that are deepest and farthest apart to the front, the deepest first, and returns
 * how many there are of them. The order in which they come is the caller's to make the same.
 */
uint32_t grazei_choose_points(grazei_point *points, size_t count);

#define GRAZEI_MAX_FACE_POINTS 8

/* Where what two shapes turn towards each other overlaps, along the normal of their contact (the
 * way in which a leaves b): up to GRAZEI_MAX_FACE_POINTS points; none where one point says it all.
 */
uint32_t grazei_shapes_points(const graze_shape *a, const graze_shape *b, const float normal[3],
                              grazei_point points[GRAZEI_MAX_FACE_POINTS]);

#endif
