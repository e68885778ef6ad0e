/* The point of a body's surface that is nearest to a given one. */
#ifndef GRAZEI_TOUCH_NEAREST_POINT_H
#define GRAZEI_TOUCH_NEAREST_POINT_H

#include "narrow/d3.h"
#include "query/agenda.h"

typedef struct grazei_surface_point {
    bool found;  /* within the limit; else the rest means nothing */
    bool behind; /* the given point is behind the surface there, by the normals of all triangles
                    that the nearest point is on, weighted by angle (Baerentzen & Aanaes 2005) */
    double distance;
    d3 point;
    d3 normal;         /* unit, of the triangle; 0 without area */
    uint32_t triangle; /* of several that are equally near the one with the smallest number */
} grazei_surface_point;

/* Walks the tree, nearest nodes first. limit may be INFINITY. In double. */
grazei_surface_point grazei_nearest_point(graze_body *body, d3 point, double limit,
                                          graze_stats *stats);

#endif
