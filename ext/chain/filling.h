/* Filling regions with spheres. */
#ifndef GRAZEI_CHAIN_FILLING_H
#define GRAZEI_CHAIN_FILLING_H

#include "chain/regions.h"
#include "chain/sphere_fit.h"

/* A sphere on its way. */
typedef struct grazei_seed {
    grazei_ball ball;
    double along[3]; /* the way that disk or circumference went there, a unit vector */
    double leeway;   /* how far it may be moved across that */
    uint32_t region; /* of the regions */
    uint32_t band;   /* of a trunk: from left to right, below spheres_per_level */
    double level;    /* of a trunk: along its axis, from 0 at its lower end to 1; of a tube: from
                        0 where it hangs to 1 */
    uint32_t number; /* in its region, or its band */
    uint32_t first_hit, hit_count;
} grazei_seed;

typedef struct grazei_filling {
    const grazei_regions *regions;
    const graze_chain_def *def;
    const graze_allocator *allocator;
    double step;
    double wanted; /* overlap of spheres where they are left, before they settle */
    grazei_seed *seeds;
    size_t count, capacity;
    double (*hits)[3]; /* where rays met the skin */
    size_t hit_count, hit_capacity;
    double trunk_low, trunk_high; /* of its vertices, along the axis, from the regions' middle */
} grazei_filling;

/* Adds spheres for a region. False when out of memory. */
bool grazei_fill_tube(grazei_filling *filling, uint32_t region);
bool grazei_fill_trunk(grazei_filling *filling);

/* One sphere for a region that is too small for anything else. */
bool grazei_fill_small(grazei_filling *filling, uint32_t region);

bool grazei_filling_add(grazei_filling *filling, const grazei_seed *seed);
bool grazei_filling_hit(grazei_filling *filling, const double at[3]);

/* 1 - distance / (r1 + r2). */
double grazei_overlap(const grazei_ball *a, const grazei_ball *b);

/* Which of several places, given by its overlap with the sphere before and how badly its sphere
 * fits there, is the best: the best fit within 0.05 of the wanted overlap, else the nearest to it.
 */
typedef struct grazei_choice {
    double wanted;
    double best_overlap, best_misfit;
    uint32_t best; /* UINT32_MAX: none yet */
} grazei_choice;

void grazei_choose(grazei_choice *choice, uint32_t place, double overlap, double misfit);

#endif
