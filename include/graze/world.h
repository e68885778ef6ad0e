/* A world: many bodies and simple shapes, and who meets whom, with which parts, where, since when.
 *
 *     graze_world_create(NULL, &world, &error);
 *     graze_world_rule rule = graze_default_world_rule();
 *     rule.contacts = true;
 *     graze_world_set_rule(world, PLAYER, SCENERY, &rule, &error);
 *     graze_world_member_def def = graze_default_world_member_def();
 *     def.class_number = PLAYER;
 *     graze_world_add_body(world, body, &def, &id, &error);
 *     every frame:
 *         ... pose the bodies, graze_world_set_shape for shapes that moved
 *         graze_world_update(world, pool, &stats, &error);
 *         events = graze_world_events(world, &count);
 *
 * Guarantee: what each level promises stands at graze_level, what each motion does at
 * graze_motion_rule. Events, contacts included, are the same bits for any number of threads.
 *
 * One thread at a time uses a world. Bodies are surfaces, unless they were added as solid: what
 * lies wholly inside one does not meet it. Shapes are solid.
 */
#ifndef GRAZE_WORLD_H
#define GRAZE_WORLD_H

#include <graze/body.h>
#include <graze/parts.h>
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
    GRAZE_LEVEL_BOUNDS = 1, /* conservative: they meet where boxes around them overlap */
    GRAZE_LEVEL_PARTS = 2,  /* conservative: they meet where volumes of their fits overlap
                               (graze/parts.h); a shape is its own volume, a body without a fit is
                               looked at with its triangles */
    GRAZE_LEVEL_EXACT = 3   /* two bodies meet if graze_collide finds a pair, a body and a shape if
                               graze_touch finds a triangle; two shapes are decided in double */
} graze_level;

/* What counts of the way from the update before to this one, on which every point moves in a
 * straight line at constant speed: vertices, centres, ends of capsules, corners of boxes; radii and
 * offsets change evenly. All but the first find two that meet and part between two updates. What is
 * new, and a shape that became one of another kind, has no way: it is looked at as it stands. Group
 * masks count as they are now. At the level of bounds boxes are followed all of the way, whatever
 * the motion.
 */
typedef enum graze_motion_rule {
    GRAZE_MOTION_DISCRETE = 0,  /* none of it: where they are now */
    GRAZE_MOTION_SWEPT = 1,     /* conservative: a ball around the smaller one, all of the way */
    GRAZE_MOTION_SAMPLED = 2,   /* approximate: steps of relative motion of at most an eighth of the
                                   smaller one's radius, up to 64; what happens between two steps is
                                   missed */
    GRAZE_MOTION_CONTINUOUS = 3 /* conservative, as graze_sweep and graze_sweep_shape: all of it.
                                   Half-spaces that turn are sampled */
} graze_motion_rule;

/* What two classes mean to each other. Start from graze_default_world_rule(). */
typedef struct graze_world_rule {
    graze_level level;
    graze_motion_rule motion; /* other than discrete, a world keeps where bodies of these classes
                                 were, with a body of its own for each that moves */
    bool contacts;            /* events tell where, which way apart and how deep; there are none at
                                 the level of bounds */
} graze_world_rule;

/* Exact, discrete, without contacts. */
GRAZE_EXPERIMENTAL graze_world_rule graze_default_world_rule(void);

/* What comes with a body or shape. Start from graze_default_world_member_def(). */
typedef struct graze_world_member_def {
    uint32_t class_number; /* below GRAZE_MAX_CLASSES */
    bool solid;            /* of a body, which is closed (graze_model_is_closed): what lies inside
                              meets it too, while no group mask leaves some of it out. Shapes
                              always are */
    const graze_fit *fit;  /* of the body's model: its volumes for GRAZE_LEVEL_PARTS; it stays as
                              long as the body does. NULL: none, as of every shape */
    void *user_data;       /* given back by graze_world_user_data */
} graze_world_member_def;

/* Class 0, not solid, no fit. */
GRAZE_EXPERIMENTAL graze_world_member_def graze_default_world_member_def(void);

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

/* Where two meet. At the exact level two bodies have one for each piece of the intersection
 * (graze/contact.h, split by group). All others have one for each pair of parts, which
 * graze_combine_contacts makes of those of all triangles or volumes; two half-spaces have one only
 * if they face each other. At the level of parts, where all bodies of a pair have fits with volumes
 * of level 3, contacts are those of graze/part_contact.h. What is merely inside has none.
 */
typedef struct graze_world_contact {
    float point[3];
    float normal[3]; /* unit: the way in which a leaves b; 0 if there is no way to tell */
    float depth;     /* how far a must go along it; not negative */
    graze_part_pair parts;
    uint32_t triangles[2]; /* of a and of b, to draw a mark on; UINT32_MAX where there is none */
} graze_world_contact;

typedef struct graze_world_event {
    graze_event_kind kind;
    graze_level level; /* of the rule, and so is the motion; at an end, of the meeting that ends */
    graze_motion_rule motion;
    graze_world_id a, b; /* a's index is the smaller one */
    float time;  /* when, as a fraction of the way from the update before: of a begin, with a motion
                    other than discrete, when they first meet; else 1 */
    bool capped; /* of a begin: sampling would have needed more steps than it takes */
    bool inside; /* one lies inside the other, which is solid, and their surfaces do not meet */
    uint64_t pairs; /* of triangles that meet, exact level: of a body and a shape the triangles,
                       of two shapes 0; 0 at an end; 1 of two that meet and part on the way, and so
                       are parts and contacts those of the moment at which they first meet */
    uint32_t part_count;                 /* 0 at an end, at the level of bounds, and if inside */
    const graze_part_pair *parts;        /* each once, sorted by a, then b */
    uint32_t contact_count;              /* 0 unless the rule wants contacts */
    const graze_world_contact *contacts; /* sorted by parts */
} graze_world_event;

/* Makes an empty world. Everything meets everything at GRAZE_LEVEL_EXACT until rules say otherwise.
 * allocator NULL: graze_default_allocator(); updates may use it from the threads of their pool.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_create(const graze_allocator *allocator,
                                                   graze_world **world, graze_error *error);

/* Frees the world, not the bodies in it. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_world_destroy(graze_world *world);

/* What two classes mean to each other from the next update on, whichever comes first; class_a may
 * be class_b.
 *   - Both are below GRAZE_MAX_CLASSES; level and motion are among their enums; the rule is not
 *     NULL. Else GRAZE_BAD_INPUT, and the old rule stays.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_set_rule(graze_world *world, uint32_t class_a,
                                                     uint32_t class_b, const graze_world_rule *rule,
                                                     graze_error *error);

/* Puts a body into the world, as it is posed at each update; masks and given positions count. def
 * NULL: graze_default_world_member_def(). The body stays until it is removed or the world is gone.
 *   - The body is not in this world, else GRAZE_BAD_INPUT, and so for what def says of each field.
 *   - *id is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_add_body(graze_world *world, graze_body *body,
                                                     const graze_world_member_def *def,
                                                     graze_world_id *id, graze_error *error);

/* The same for a shape, which is copied.
 *   - A sphere, capsule, box or half-space, else GRAZE_UNSUPPORTED; numbers as in graze/shapes.h.
 *   - def has no fit.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_add_shape(graze_world *world, const graze_shape *shape,
                                                      const graze_world_member_def *def,
                                                      graze_world_id *id, graze_error *error);

/* What its def had as user_data; NULL for an id that is not in the world. */
GRAZE_EXPERIMENTAL void *graze_world_user_data(const graze_world *world, graze_world_id id);

/* Moves a shape, or makes another of it. GRAZE_BAD_INPUT, and the old one stays, if the id is not
 * that of a shape in the world.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_set_shape(graze_world *world, graze_world_id id,
                                                      const graze_shape *shape, graze_error *error);

/* The same without a way: the next update takes it that the shape was there at the one before, as
 * if an engine that stopped it on its way had been right.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_put_shape(graze_world *world, graze_world_id id,
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
 * of others with the same indices. Two that meet and part between two updates, by a motion other
 * than discrete, have a begin and behind it an end. They stay until the next update. NULL if there
 * are none.
 */
GRAZE_EXPERIMENTAL const graze_world_event *graze_world_events(const graze_world *world,
                                                               size_t *count);

/* Pairs in the last update whose boxes overlapped and that no rule ignored. */
GRAZE_EXPERIMENTAL size_t graze_world_candidate_count(const graze_world *world);

#ifdef __cplusplus
}
#endif

#endif
