/* What moves between two updates, as shapes where it is not triangles: for motion.c and
 * motion_sampled.c.
 */
#ifndef GRAZEI_WORLD_MOVERS_H
#define GRAZEI_WORLD_MOVERS_H

#include "world/motion.h"

#include <graze/sweep.h>

/* A shape, or a volume of a fit, then and now. */
typedef struct grazei_moved {
    graze_shape from, to;
    uint32_t group;
} grazei_moved;

/* A ball that holds all of a mover at any time on its way, as it goes from one sphere to the other
 * like a shape. Of a half-space there is none: `endless`.
 */
typedef struct grazei_ball {
    graze_sphere from, to;
    bool endless;
} grazei_ball;

/* Whether its triangles count: it has no shapes. */
static inline bool grazei_mover_is_mesh(const grazei_mover *mover)
{
    return mover->start && !mover->volumes_from;
}

static inline uint32_t grazei_mover_shapes(const grazei_mover *mover)
{
    return mover->volumes_from ? mover->volume_count : mover->from ? 1 : 0;
}

/* One of them; false if it is to be left out. */
static inline bool grazei_mover_shape(const grazei_mover *mover, uint32_t number,
                                      grazei_moved *moved)
{
    if (!mover->volumes_from) {
        *moved = (grazei_moved){*mover->from, *mover->to, 0};
        return true;
    }
    moved->from =
        (graze_shape){.kind = GRAZE_CAPSULE, .as = {.capsule = mover->volumes_from[number]}};
    moved->to = (graze_shape){.kind = GRAZE_CAPSULE, .as = {.capsule = mover->volumes_to[number]}};
    moved->group = mover->volume_parts[number];
    return moved->group != UINT32_MAX;
}

static inline graze_motion grazei_mover_motion(const grazei_mover *mover)
{
    return (graze_motion){.start = mover->start, .end = mover->end};
}

/* A shape as it is at a time in [0, 1]. Axes of a box that turns are made unit vectors at right
 * angles again.
 */
graze_shape grazei_shape_between(const grazei_moved *moved, double time);

/* Two shapes on their way: when they first meet, where, and the way from b to a. False: never, or
 * not in a way that can be told, of two half-spaces and of those that turn. *known then says which.
 */
bool grazei_moved_meet(const grazei_moved *a, const grazei_moved *b, grazei_motion_answer *answer,
                       bool *known);

/* What they do at some times on the way: steps of at most an eighth of the smaller ball's radius,
 * up to GRAZEI_MOST_STEPS of them. in_full: that many.
 */
#define GRAZEI_MOST_STEPS 64
void grazei_motion_sample(const grazei_mover *a, const grazei_mover *b, const grazei_ball balls[2],
                          bool in_full, grazei_motion_answer *answer, graze_stats *stats);

#endif
