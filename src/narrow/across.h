/* Directions across long thin triangles. */
#ifndef GRAZEI_NARROW_ACROSS_H
#define GRAZEI_NARROW_ACROSS_H

#include "narrow/d3.h"

#include <stdbool.h>

/* Edges, as the sum of e e' of each: what is most along it is where edges are long. Starts as zero.
 */
typedef struct grazei_edges {
    d3 sums[3];
} grazei_edges;

static inline d3 grazei_wide_point(const float at[4])
{
    return (d3){(double)at[0], (double)at[1], (double)at[2]};
}

static inline void grazei_add_edge(grazei_edges *edges, const float from[4], const float to[4])
{
    d3 e = d3_sub(grazei_wide_point(to), grazei_wide_point(from));
    edges->sums[0] = d3_along(edges->sums[0], e.x, e);
    edges->sums[1] = d3_along(edges->sums[1], e.y, e);
    edges->sums[2] = d3_along(edges->sums[2], e.z, e);
}

/* Two directions at right angles to that along which edges are longest, and to each other: along
 * the second they are shortest, which is off the plane if all lie in one. False: there are no edges
 * to speak of.
 */
bool grazei_find_across(const grazei_edges *edges, d3 directions[2]);

#endif
