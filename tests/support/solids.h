/* Simple rigid bodies: balls, cylinders, capsules, boxes, plates. */
#ifndef GRAZE_TESTS_SUPPORT_SOLIDS_H
#define GRAZE_TESTS_SUPPORT_SOLIDS_H

#include "support/own.h"

#include <graze/graze.h>

typedef struct solid {
    float *positions;
    uint32_t *triangles;
    uint32_t *groups; /* of triangles: the number of the piece, in the order of adding */
    uint32_t vertex_count, triangle_count, part_count;
} solid;

/* Adds a surface that goes around the z axis through `count` points (radius, z), from bottom to
 * top, in so many sectors. Where the radius is 0 it has a pole; elsewhere it ends open.
 */
void solid_add_round(solid *s, const double (*profile)[2], uint32_t count, uint32_t sectors);

/* A ball around the origin, of `rings` rings and twice as many sectors. */
void solid_add_ball(solid *s, double radius, uint32_t rings);

/* A capsule along the z axis: a cylinder of that half length, and half balls. */
void solid_add_capsule(solid *s, double radius, double half, uint32_t rings);

/* A box from low to high, each face a grid of n x n quads with vertices of its own. */
void solid_add_box(solid *s, const double low[3], const double high[3], uint32_t n);

/* A sheet in the plane z = 0 that faces +z, n x n quads. */
void solid_add_sheet(solid *s, double half_x, double half_y, uint32_t n);

void solid_free(solid *s);
OWN_VALUE(solid, solid_free)

/* A body of one joint, its triangles in groups; the solid may go. Aborts when out of memory. */
graze_body *solid_body(const solid *s, const graze_allocator *allocator, graze_model **model);

#endif
