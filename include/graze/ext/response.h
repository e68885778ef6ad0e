/* From contacts to motion: points for a physics engine, and the velocity of a surface. Knows no
 * engine; graze/ode.h builds on it, docs/motion.md has a loop of thirty lines that is another.
 *
 *     graze_world_update(world, &options, &error);
 *     events = graze_world_events(world, &event_count);
 *     for each event:
 *         graze_contact_points(finder, world, &events[i], 0, &points, &error);
 *         for each point: push a and b apart there
 *
 * Guarantee: approximate. The same bits on every tree, instruction set and number of threads.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_EXT_RESPONSE_H
#define GRAZE_EXT_RESPONSE_H

#include <graze/ext/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- points --------------------------------------------------------------------------------- */

#define GRAZE_MAX_CONTACT_POINTS 4

/* Memory of the two queries below, for worlds and bodies of any models. One thread at a time. */
typedef struct graze_point_finder graze_point_finder;

/* Makes a finder. allocator NULL: graze_default_allocator(). *finder is set on success only. */
GRAZE_EXPERIMENTAL graze_status graze_point_finder_create(const graze_allocator *allocator,
                                                          graze_point_finder **finder,
                                                          graze_error *error);

/* Frees the finder. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_point_finder_destroy(graze_point_finder *finder);

/* Finds at most GRAZE_MAX_CONTACT_POINTS points for each contact of an event: the deepest, the one
 * farthest from it, and those that enlarge the area. Sorted by contact, whose number in the event
 * is `number`, the deepest first.
 *
 *   body and shape, exact  points of single triangles, each with its own normal; a box is left
 *                          through the nearest face
 *   two shapes             corners of a box, ends of a capsule, each with its own depth
 *   all others             the contact itself, as one point; also if they only met on the path
 *
 * Ends, contacts without a normal, and members that are inside without touching have none.
 *
 * margin above 0: a shape and what it met may have been moved since the update. They are compared
 * again as they are now, and points up to margin apart count, with a negative depth. Farther apart,
 * the contacts of the event count.
 *
 *   - The event is of the world's last update, and neither member was removed since.
 *   - margin is finite and not negative.
 *   - Allocates only if a buffer exceeds its previous maximum.
 */
GRAZE_EXPERIMENTAL graze_status graze_contact_points(graze_point_finder *finder,
                                                     const graze_world *world,
                                                     const graze_world_event *event, float margin,
                                                     graze_contact_list *points,
                                                     graze_error *error);

/* The same for a body and a shape without a world: the body is a, with one contact for each part,
 * numbered from 0.
 *   - A sphere, capsule, box or half-space, otherwise GRAZE_UNSUPPORTED.
 */
GRAZE_EXPERIMENTAL graze_status graze_touch_points(graze_point_finder *finder, graze_body *body,
                                                   const graze_shape *shape, float margin,
                                                   graze_contact_list *points, graze_error *error);

/* ---- moving surfaces ------------------------------------------------------------------------ */

/* Finds the velocity of a body's surface at a point: where the point of the triangle nearest to it
 * is now, less where it was, divided by seconds. Poses the triangle's patch in both bodies.
 *   - before is a body of the same model in the earlier pose, or `now` itself: it stands still.
 *   - seconds is above 0.
 */
GRAZE_EXPERIMENTAL graze_status graze_surface_velocity(graze_body *now, graze_body *before,
                                                       uint32_t triangle, const float point[3],
                                                       float seconds, float velocity[3],
                                                       graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
