/* Points that are asked again and again which of them is nearest: a k-d tree (Bentley 1975). */
#ifndef GRAZEI_HITBOX_POINTS_H
#define GRAZEI_HITBOX_POINTS_H

#include <graze/base.h>

typedef struct grazei_points {
    const double (*at)[3];
    uint32_t *order; /* in the middle of each range the point that it is split at, and so on */
    uint32_t count;
    double low[3], high[3]; /* the box around all */
} grazei_points;

/* Points stay the caller's, count at least 1. False when out of memory. */
bool grazei_points_build(grazei_points *points, const double (*at)[3], uint32_t count,
                         const graze_allocator *allocator);

/* One of the nearest points, always the same, if it is nearer than limit; else UINT32_MAX. */
uint32_t grazei_points_nearest(const grazei_points *points, const double to[3], double limit);

#endif
