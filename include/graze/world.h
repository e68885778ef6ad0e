/* A world: many bodies and simple shapes, and who meets whom, with which parts, since when.
 *
 *     graze_world_create(NULL, &world, &error);
 *     graze_world_set_rule(world, PLAYER, SCENERY, GRAZE_LEVEL_BOUNDS, &error);
 *     graze_world_add_body(world, body, PLAYER, &id, &error);
 *     every frame:
 *         ... pose the bodies, graze_world_set_shape for shapes that moved
 *         graze_world_update(world, pool, &stats, &error);
 *         events = graze_world_events(world, &count);
 *
 * Guarantee: at GRAZE_LEVEL_EXACT two bodies meet if graze_collide finds a pair, a body and a shape
 * if graze_touch finds a triangle; two shapes are decided in double. At GRAZE_LEVEL_BOUNDS
 * conservative: boxes around them overlap. Events are the same for any number of threads.
 *
 * One thread at a time uses a world. Bodies are surfaces: what lies wholly inside one does not meet
 * it. Shapes are solid.
 */
#ifndef GRAZE_WORLD_H
#define GRAZE_WORLD_H

#include <graze/body.h>
#include <graze/pool.h>
#include <graze/shape.h>
#include <graze/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_world graze_world;

#define GRAZE_MAX_CLASSES 64

/* A body or shape in a world. An index is used again after a removal, with another generation, so
 * that an old id is refused; generations start at 1, and all zero is nobody's.
 */
typedef struct graze_world_id {
    uint32_t index;
    uint32_t generation;
} graze_world_id;

/* How closely two are looked at. */
typedef enum graze_level {
    GRAZE_LEVEL_IGNORE = 0,
    GRAZE_LEVEL_BOUNDS = 1,
    GRAZE_LEVEL_EXACT = 2
} graze_level;

typedef enum graze_event_kind {
    GRAZE_EVENT_BEGIN = 0, /* they meet, and did not at the update before */
    GRAZE_EVENT_STAY = 1,  /* they meet, and did */
    GRAZE_EVENT_END = 2    /* they did and do not, or one was removed */
} graze_event_kind;

/* Group a of the first meets group b of the second (graze_model_triangle_group; 0 of a shape). */
typedef struct graze_part_pair {
    uint32_t a;
    uint32_t b;
} graze_part_pair;

typedef struct graze_world_event {
    graze_event_kind kind;
    graze_level level;
    graze_world_id a, b; /* a's index is the smaller one */
    uint64_t pairs; /* of triangles that meet, exact level: of a body and a shape the triangles,
                       of two shapes 0; 0 at an end */
    uint32_t part_count;          /* 0 at an end and at the level of bounds */
    const graze_part_pair *parts; /* each once, sorted by a, then b */
} graze_world_event;

/* Makes an empty world. Everything meets everything at GRAZE_LEVEL_EXACT until rules say otherwise.
 * allocator NULL: graze_default_allocator(); updates may use it from the threads of their pool.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_create(const graze_allocator *allocator,
                                                   graze_world **world, graze_error *error);

/* Frees the world, not the bodies in it. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_world_destroy(graze_world *world);

/* What two classes mean to each other, whichever comes first; class_a may be class_b.
 *   - Both are below GRAZE_MAX_CLASSES, and level is one of graze_level, else GRAZE_BAD_INPUT.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_set_rule(graze_world *world, uint32_t class_a,
                                                     uint32_t class_b, graze_level level,
                                                     graze_error *error);

/* Puts a body into the world, as it is posed at each update; masks and given positions count.
 *   - The body is in the world once, and stays until it is removed or the world is gone.
 *   - class_number is below GRAZE_MAX_CLASSES.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_add_body(graze_world *world, graze_body *body,
                                                     uint32_t class_number, graze_world_id *id,
                                                     graze_error *error);

/* The same for a shape, which is copied.
 *   - A sphere, capsule, box or half-space, else GRAZE_UNSUPPORTED; numbers as in graze/shapes.h.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_add_shape(graze_world *world, const graze_shape *shape,
                                                      uint32_t class_number, graze_world_id *id,
                                                      graze_error *error);

/* Moves a shape, or makes another of it. GRAZE_BAD_INPUT, and the old one stays, if the id is not
 * that of a shape in the world.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_set_shape(graze_world *world, graze_world_id id,
                                                      const graze_shape *shape, graze_error *error);

/* Takes a body or shape out. Whom it met, it ends to meet at the next update. GRAZE_BAD_INPUT for
 * an id that is not, or no more, in the world.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_remove(graze_world *world, graze_world_id id,
                                                   graze_error *error);

/* Finds who meets whom now. pool NULL: on the calling thread. The bodies are the call's until it
 * returns, as in graze/threads.h. Takes memory only for more than there ever was. With an error
 * there are no events, and the next update compares with the last one that succeeded.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_update(graze_world *world, graze_pool *pool,
                                                   graze_stats *stats, graze_error *error);

/* The events of the last update, sorted by the indices of a, then b; an end comes before the begin
 * of others with the same indices. They stay until the next update. NULL if there are none.
 */
GRAZE_EXPERIMENTAL const graze_world_event *graze_world_events(const graze_world *world,
                                                               size_t *count);

/* Pairs in the last update whose boxes overlapped and that no rule ignored. */
GRAZE_EXPERIMENTAL size_t graze_world_candidate_count(const graze_world *world);

#ifdef __cplusplus
}
#endif

#endif
