/* A question asked of all members of a world, or many of its kind at once. */
#ifndef GRAZEI_WORLD_QUESTION_H
#define GRAZEI_WORLD_QUESTION_H

#include "base/threads.h"
#include "world/world.h"

/* A body that is being asked. */
typedef struct grazei_body_use {
    uint32_t index;
    bool lent; /* caches were borrowed for the question */
} grazei_body_use;

typedef struct grazei_world_call grazei_world_call;
struct grazei_world_call {
    graze_world *world;
    const void *asked; /* rays, shapes, points */
    void *answers;
    double limit;
    size_t count;

    /* Asks number `item`, by one thread. On failure nothing was answered. */
    graze_status (*ask)(grazei_world_call *call, size_t item, grazei_world_thread *own,
                        graze_error *error);
    void (*clear)(const grazei_world_call *call, size_t item); /* leaves no answer */

    /* Set by grazei_world_ask_all. */
    graze_world_filter filter;
    graze_options options; /* for bodies, without statistics */
    bool several;          /* threads */
    size_t first;          /* of those that are asked together */
    grazei_lock uses_lock, list_lock;
};

/* Checks filter and options, then asks all, over the threads of a pool. Bodies that were asked give
 * back caches that they borrowed. What is asked, and where answers go, was checked.
 */
graze_status grazei_world_ask_all(grazei_world_call *call, const graze_world_filter *filter,
                                  const graze_options *options, graze_error *error);

/* Visits the members that the walk and the filter let through; all of those where the method is
 * brute force.
 */
graze_status grazei_world_walk(const grazei_world_call *call, grazei_boxes_walk *walk,
                               graze_error *error);

/* Whether the filter lets a member through. */
bool grazei_world_is_asked(const grazei_world_call *call, uint32_t index);

/* Before a body is asked: other threads may be asking it, too. */
void grazei_world_use_body(grazei_world_call *call, uint32_t index);

/* The options for a body. */
graze_options grazei_world_body_options(const grazei_world_call *call, grazei_world_thread *own);

static inline graze_world_id grazei_world_id_of(const graze_world *world, uint32_t index)
{
    return (graze_world_id){index, grazei_thing_of(world, index)->generation};
}

/* ---- shapes --------------------------------------------------------------------------------- */

/* Where a ray meets a solid shape of a world, in double. */
bool grazei_ray_meets_shape(const graze_ray *ray, const graze_shape *shape, graze_hit *hit);

/* The point of a shape's surface that is nearest to another one. */
typedef struct grazei_shape_point {
    double distance, point[3], normal[3];
    bool inside; /* the point is in the shape */
} grazei_shape_point;

grazei_shape_point grazei_nearest_of_shape(const graze_shape *shape, const float point[3]);

#endif
