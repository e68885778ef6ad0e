/* From who meets whom to what makes them move: points for a physics engine, how fast a surface
 * moves, and which reaction an animated character shows.
 *
 *     graze_world_update(world, pool, NULL, &error);
 *     events = graze_world_events(world, &event_count);
 *     for each event:
 *         graze_contact_points_find(points, world, &events[i], 0, &error);
 *         found = graze_contact_points_list(points, &count);
 *         for each point: push a and b apart there, in any engine
 *
 * Nothing here knows an engine: graze/ode.h is one that is built on it, docs/response.md has a loop
 * of thirty lines that is another.
 *
 * Guarantee: approximate, as contacts are. The same bits on every tree, instruction set and number
 * of threads.
 */
#ifndef GRAZE_RESPONSE_H
#define GRAZE_RESPONSE_H

#include <graze/part_tree.h>
#include <graze/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- points --------------------------------------------------------------------------------- */

#define GRAZE_MAX_CONTACT_POINTS 4

/* One point of a contact. */
typedef struct graze_contact_point {
    float point[3];
    float normal[3];       /* unit: the way in which a leaves b */
    float depth;           /* how far a must go along it; below 0 with a margin: how far apart */
    graze_part_pair parts; /* groups of a and b; 0 of a shape */
    uint32_t triangles[2]; /* of a and b, that the point is on; UINT32_MAX where there is none */
    uint32_t contact;      /* its number in the event */
} graze_contact_point;

/* Finds points and holds those found last. By one thread at a time. */
typedef struct graze_contact_points graze_contact_points;

/* Makes a finder; *points is set on success only.
 *   - allocator NULL: graze_default_allocator().
 */
GRAZE_EXPERIMENTAL graze_status graze_contact_points_create(const graze_allocator *allocator,
                                                            graze_contact_points **points,
                                                            graze_error *error);

/* Frees the finder. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_contact_points_destroy(graze_contact_points *points);

/* Makes at most GRAZE_MAX_CONTACT_POINTS points of each contact of an event, margin 0, spread as
 * far as the contact goes: the deepest one, the one farthest from it, and those that make the area
 * larger.
 *
 *   a body and a shape, exact    points where single triangles touch, each with its own normal; a
 *                                box is left through the face that is nearest
 *   two shapes                   where what faces the other overlaps: corners of a box, ends of a
 *                                capsule, each with its own depth
 *   all others                   the contact itself, one point; and so of two that met on the way
 *                                and do not now
 *
 * An end, and what is inside without touching, has none. Contacts without a normal are left out.
 *
 * With a margin above 0, a shape and what it met may have been moved since the update (back to
 * where they first met): they are looked at anew, as they are now, also where they are apart by up
 * to so much; depth is then below 0. Where they are farther apart, the contacts of the event count.
 *
 *   - The event is of the world's last update, and nobody in it was removed since.
 *   - margin is finite, not negative.
 * Takes memory only for more than there ever was. After an error there are none.
 */
GRAZE_EXPERIMENTAL graze_status graze_contact_points_find(graze_contact_points *points,
                                                          const graze_world *world,
                                                          const graze_world_event *event,
                                                          float margin, graze_error *error);

/* The same of one body and a shape without a world: as of an event in which the body is a, with a
 * contact for each part.
 *   - A sphere, capsule, box or half-space, else GRAZE_UNSUPPORTED; margin is finite, not negative.
 */
GRAZE_EXPERIMENTAL graze_status graze_contact_points_touch(graze_contact_points *points,
                                                           graze_body *body,
                                                           const graze_shape *shape, float margin,
                                                           graze_error *error);

/* What was found last, sorted by contact, the deepest of each first; valid until the next search.
 * NULL if there is none.
 */
GRAZE_EXPERIMENTAL const graze_contact_point *
graze_contact_points_list(const graze_contact_points *points, size_t *count);

/* ---- surfaces that move --------------------------------------------------------------------- */

/* Velocity of a body's surface at a point of a triangle: where the point of the triangle that is
 * nearest to it is now, less where that was, over the seconds between.
 *   - before is a body of the same model, in the pose of then, or the body itself: it stands still.
 *   - The triangle is one of the model's; seconds are above 0.
 * Poses the patch of the triangle in both. Allocates nothing.
 */
GRAZE_EXPERIMENTAL graze_status graze_surface_velocity(graze_body *now, graze_body *before,
                                                       uint32_t triangle, const float point[3],
                                                       float seconds, float velocity[3],
                                                       graze_error *error);

/* ---- reactions ------------------------------------------------------------------------------ */

/* Where a hit comes from, in the frame of who is hit: +Z is ahead, +X to the left, +Y up. */
typedef enum graze_hit_side {
    GRAZE_HIT_ANYWHERE = 0,
    GRAZE_HIT_FRONT = 1,
    GRAZE_HIT_BACK = 2,
    GRAZE_HIT_LEFT = 3,
    GRAZE_HIT_RIGHT = 4,
    GRAZE_HIT_ABOVE = 5,
    GRAZE_HIT_BELOW = 6
} graze_hit_side;

/* One row of a table of reactions: what to do if a part is hit so. */
typedef struct graze_reaction {
    const char *part;    /* that part or one inside it; NULL: any */
    graze_hit_side side; /* that it comes from */
    float impulse;       /* Ns: at least so much */
    uint32_t action;     /* the caller's: a clip's number, say */
    bool physics;        /* hand over to the engine instead of playing it */
} graze_reaction;

/* The side that a push (the direction in which it moves who is hit, in that one's frame) comes
 * from: that of its largest component. GRAZE_HIT_ANYWHERE if it has none.
 */
GRAZE_EXPERIMENTAL graze_hit_side graze_side_of_push(const float push[3]);

/* *row becomes the number of the first row that fits, or `count` if none does. Put strong and
 * special ones first.
 *   - A part that a row names is one of parts, else GRAZE_BAD_INPUT names the row.
 *   - reactions may be NULL where count is 0.
 */
GRAZE_EXPERIMENTAL graze_status graze_choose_reaction(const graze_parts *parts,
                                                      const graze_reaction *reactions,
                                                      uint32_t count, uint32_t part,
                                                      const float push[3], float impulse,
                                                      uint32_t *row, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
