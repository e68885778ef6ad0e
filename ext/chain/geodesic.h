/* Distances along the skin of a body or of a part of it. */
#ifndef GRAZEI_CHAIN_GEODESIC_H
#define GRAZEI_CHAIN_GEODESIC_H

#include "chain/regions.h"

/* Triangles, and places: one for all vertices that lie together. */
typedef struct grazei_geodesic {
    const grazei_mesh *mesh;
    const float *positions;
    const uint32_t *welds;
    const graze_allocator *allocator;
    uint32_t *triangles, triangle_count;
    uint32_t *local; /* of each of the model's places; UINT32_MAX: not here */
    double (*at)[3];
    uint32_t count;
    double *far;     /* distance, 1e300 where nothing has come yet */
    uint32_t *first; /* neighbours of v: next[first[v] .. first[v + 1]) */
    uint32_t *next;
    uint32_t *heap, *place; /* vertices by distance; where each is, or UINT32_MAX */
    uint32_t heap_count;
} grazei_geodesic;

/* The triangles of a region, or of the whole body for GRAZE_NONE. False when out of memory;
 * release in any case.
 */
bool grazei_geodesic_make(grazei_geodesic *skin, const grazei_regions *regions, uint32_t region);
void grazei_geodesic_release(grazei_geodesic *skin);

/* No distance is known. */
void grazei_geodesic_forget(grazei_geodesic *skin);

/* A place where distances begin, or that is nearer than was known. */
void grazei_geodesic_offer(grazei_geodesic *s, uint32_t v, double far);

/* Spreads distances along edges (Dijkstra 1959), as far as the surface hangs together. */
void grazei_geodesic_march(grazei_geodesic *skin);

/* The same, and on to pieces that were not reached, each across the shortest gap, until all are.
 * False when out of memory.
 */
bool grazei_geodesic_march_on(grazei_geodesic *skin);

uint32_t grazei_geodesic_farthest(const grazei_geodesic *skin);

/* The place of a corner of a triangle of the skin. */
uint32_t grazei_geodesic_corner(const grazei_geodesic *skin, uint32_t triangle, uint32_t k);

/* The line of equal distance in a triangle, from end to end: its length; 0 if there is none. */
double grazei_geodesic_cut(const grazei_geodesic *skin, uint32_t triangle, double far,
                           double ends[2][3]);

#endif
