/* A surface in the course of being decimated. */
#ifndef GRAZEI_DECIMATE_DECIMATE_H
#define GRAZEI_DECIMATE_DECIMATE_H

#include "model/model.h"

#include <graze/ext/decimate.h>

#define GRAZEI_NO_CORNER UINT32_MAX

/* The sum of weighted squared distances from planes: x'Ax + 2b'x + c (Garland & Heckbert 1997). */
typedef struct grazei_quadric {
    double a[6]; /* xx xy xz yy yz zz */
    double b[3], c;
    double weight;
} grazei_quadric;

/* Vertices are named by the first of those at one place that move alike. Corner 3 t + k is a corner
 * of triangle t; the corners at a vertex are a list.
 */
typedef struct grazei_surface {
    const graze_model *model;
    graze_allocator allocator;
    double (*at)[3];        /* of vertices, relative to the middle */
    uint32_t *triangles;    /* 3 a triangle; the first UINT32_MAX: it is gone */
    uint32_t *first, *next; /* corners at a vertex; the next one */
    uint32_t *names;        /* of the model's vertices */
    uint32_t *merged;       /* the next of the vertices that have become one with this, or itself */
    uint32_t *stamps;       /* go up when a vertex becomes another, or another it */
    grazei_quadric *quadrics;
    uint32_t triangle_count; /* left */
    uint32_t *seen;          /* one a vertex: a mark for finding neighbours */
    uint32_t mark;
    uint32_t *near; /* one a vertex: a corner of the triangle that it was found to be near */
} grazei_surface;

/* False when out of memory. */
bool grazei_surface_make(grazei_surface *surface, const graze_model *model);
void grazei_surface_release(grazei_surface *surface);

/* What it costs to put vertex u where v is. */
double grazei_surface_cost(const grazei_surface *surface, uint32_t u, uint32_t v);

/* Whether that leaves the surface sound. */
bool grazei_surface_allows(grazei_surface *surface, uint32_t u, uint32_t v);

/* Whether all vertices that are gone would then be near the triangles around the one that they have
 * become one with, as far as that changes. limit: the square of how near.
 */
bool grazei_surface_stays_near(grazei_surface *surface, uint32_t u, uint32_t v, double limit);

/* The distance of the farthest of all, as it is. */
double grazei_surface_farthest(const grazei_surface *surface);

/* What is left of it, as arrays; NULL when out of memory. */
graze_decimated *grazei_decimated_make(const grazei_surface *surface);

/* Puts u where v is: triangles with both go. */
void grazei_surface_collapse(grazei_surface *surface, uint32_t u, uint32_t v);

/* The corner that comes `by` later in the same triangle. */
static inline uint32_t grazei_other_corner(uint32_t corner, uint32_t by)
{
    return corner - corner % 3 + (corner + by) % 3;
}

#endif
