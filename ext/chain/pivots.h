/* Choosing the points of the skin that a sphere follows. */
#ifndef GRAZEI_CHAIN_PIVOTS_H
#define GRAZEI_CHAIN_PIVOTS_H

#include "chain/sphere_fit.h"

#include <graze/ext/chain.h>

enum { GRAZEI_MOST_PIVOTS = 16 };

/* Points that may become pivots: vertices, or centroids of triangles. */
typedef struct grazei_pivot_points {
    const double (*at)[3];
    uint32_t count; /* at least 1 */
} grazei_pivot_points;

typedef struct grazei_pivot_choice {
    uint32_t points[GRAZEI_MOST_PIVOTS];
    double weights[GRAZEI_MOST_PIVOTS];
    uint32_t count;
    double score; /* less is better */
    double miss;  /* how far the centre that they give is from the sphere's, by its radius */
} grazei_pivot_choice;

/* Picks `wanted` points around a sphere (fewer where there are not so many). With weights of the
 * least norm that sum to 1 and give back the centre; or plain, each of the same weight, where the
 * centre and radius that they give are as near as they can be. along: the way of the limb.
 */
grazei_pivot_choice grazei_choose_pivots(const grazei_pivot_points *points, const grazei_ball *ball,
                                         const double along[3], uint32_t wanted, bool plain);

#endif
