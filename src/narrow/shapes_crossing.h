/* A ray along +x through a triangle. */
#ifndef GRAZEI_NARROW_SHAPES_CROSSING_H
#define GRAZEI_NARROW_SHAPES_CROSSING_H

#include <stdbool.h>

typedef struct grazei_ray_crossing {
    bool on_surface; /* the point lies in the closed triangle */
    int sign;        /* 1: out through the front (counterclockwise) face, -1: in, 0: no crossing */
} grazei_ray_crossing;

/* Exact, and consistent: over the triangles of a closed surface the signs add up to its winding
 * number about the point, unless that is on the surface. Coordinates below 1e18.
 */
grazei_ray_crossing grazei_cross_triangle(const float point[3], const float *const corners[3]);

#endif
