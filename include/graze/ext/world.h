/* A world: many bodies and simple shapes; which of them meet, with which body parts, where, when.
 *
 *     graze_world_create(NULL, &world, &error);
 *     graze_world_rule rule = {0};
 *     rule.contacts = true;
 *     graze_world_set_rule(world, PLAYER, SCENERY, &rule, &error);
 *     graze_world_member_def def = {0};
 *     def.category = PLAYER;
 *     graze_world_add_body(world, body, &def, &id, &error);
 *     every frame:
 *         ... pose the bodies, graze_world_set_shape for shapes that moved
 *         graze_world_update(world, &options, &error);
 *         events = graze_world_events(world, &count);
 *
 * Bodies are surfaces unless added as solid: what lies wholly inside a surface does not meet it.
 * Shapes are always solid. One thread at a time.
 *
 * Guarantee: see graze_level and graze_motion_rule. Events are the same bits for any number of
 * threads.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_EXT_WORLD_H
#define GRAZE_EXT_WORLD_H

#include <graze/contact.h>
#include <graze/ext/hitbox.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_world graze_world;

#define GRAZE_MAX_CATEGORIES 64

/* A body or shape in a world. After a removal its index is used again with another generation, so
 * that an old id is refused. All zero is never valid.
 */
typedef struct graze_world_id {
    uint32_t index;
    uint32_t generation;
} graze_world_id;

/* How closely two members are compared. */
typedef enum graze_level {
    GRAZE_LEVEL_EXACT = 0,    /* they meet if graze_pairs or graze_touch finds something; two shapes
                                 are decided in double */
    GRAZE_LEVEL_HITBOXES = 1, /* conservative: they meet if outer hitboxes overlap. A shape is its
                                 own hitbox; a body without hitboxes is compared by triangles */
    GRAZE_LEVEL_BOUNDS = 2,   /* conservative: they meet if boxes around them overlap */
    GRAZE_LEVEL_IGNORE = 3    /* they never meet */
} graze_level;

/* What is compared on the path from the last update to this one. All points move in straight lines,
 * as in sweep.h. All but the first look for members that meet and separate between two updates. New
 * members, and shapes whose kind changed, count as not having moved. At GRAZE_LEVEL_BOUNDS all but
 * the first sweep the boxes.
 */
typedef enum graze_motion_rule {
    GRAZE_MOTION_DISCRETE = 0,  /* only where they are now */
    GRAZE_MOTION_SWEPT = 1,     /* conservative: a sphere around the smaller one, all of the path */
    GRAZE_MOTION_SAMPLED = 2,   /* approximate: up to 64 steps of an eighth of the smaller one's
                                   radius; what happens between two steps is missed */
    GRAZE_MOTION_CONTINUOUS = 3 /* conservative, as graze_sweep; turning half-spaces are sampled */
} graze_motion_rule;

/* What two categories mean to each other. Zero: exact, discrete, without contacts. */
typedef struct graze_world_rule {
    graze_level level;
    graze_motion_rule motion; /* unless discrete, the world keeps a second body for each mover */
    bool contacts;            /* events have contacts; at GRAZE_LEVEL_BOUNDS they never have */
    uintptr_t reserved[2];
} graze_world_rule;

typedef struct graze_world_member_def {
    uint32_t category;              /* below GRAZE_MAX_CATEGORIES */
    bool solid;                     /* a closed body: what lies inside meets it too, unless a part
                                       mask is set. Shapes ignore it */
    const graze_hitboxes *hitboxes; /* of the body's model, for GRAZE_LEVEL_HITBOXES; must outlive
                                       the member. NULL: none */
    void *user_data;                /* returned by graze_world_user_data */
    uintptr_t reserved[2];
} graze_world_member_def;

/* Makes an empty world. Everything meets everything at GRAZE_LEVEL_EXACT until rules say otherwise.
 *   - allocator NULL: graze_default_allocator(). Updates use it from all threads of their pool.
 *   - *world is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_create(const graze_allocator *allocator,
                                                   graze_world **world, graze_error *error);

/* Frees the world, not its bodies. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_world_destroy(graze_world *world);

/* Sets the rule between two categories, which may be the same, from the next update on. After
 * GRAZE_BAD_INPUT the old rule stays.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_set_rule(graze_world *world, uint32_t category_a,
                                                     uint32_t category_b,
                                                     const graze_world_rule *rule,
                                                     graze_error *error);

/* Adds a body, which must outlive its membership. Each update uses its pose, positions and mask of
 * that moment. def NULL: all zero.
 *   - The body is not in this world yet. *id is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_add_body(graze_world *world, graze_body *body,
                                                     const graze_world_member_def *def,
                                                     graze_world_id *id, graze_error *error);

/* Adds a shape, which is copied. def NULL: all zero.
 *   - A sphere, capsule, box or half-space, otherwise GRAZE_UNSUPPORTED. def has no hitboxes.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_add_shape(graze_world *world, const graze_shape *shape,
                                                      const graze_world_member_def *def,
                                                      graze_world_id *id, graze_error *error);

/* Moves or replaces a shape. GRAZE_BAD_INPUT if the id is not that of a shape; the old one stays.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_set_shape(graze_world *world, graze_world_id id,
                                                      const graze_shape *shape, graze_error *error);

/* Teleports the shape: the next update treats it as not having moved. Errors as above. */
GRAZE_EXPERIMENTAL graze_status graze_world_teleport_shape(graze_world *world, graze_world_id id,
                                                           const graze_shape *shape,
                                                           graze_error *error);

/* Removes a body or shape. Pairs it was part of end at the next update. GRAZE_BAD_INPUT if the id
 * is not in the world.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_remove(graze_world *world, graze_world_id id,
                                                   graze_error *error);

/* Returns the user_data of a member; NULL if the id is not in the world. */
GRAZE_EXPERIMENTAL void *graze_world_user_data(const graze_world *world, graze_world_id id);

/* Finds which members meet now.
 *   - options: pool and stats only; the others are GRAZE_UNSUPPORTED.
 *   - Do not touch the bodies until the call returns.
 *   - Allocates only when the world grows beyond its largest size so far.
 * After an error there are no events, and the next update compares with the last that succeeded.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_update(graze_world *world, const graze_options *options,
                                                   graze_error *error);

typedef enum graze_event_kind {
    GRAZE_EVENT_BEGIN = 0, /* they meet, and did not at the last update */
    GRAZE_EVENT_STAY = 1,  /* they meet, and did */
    GRAZE_EVENT_END = 2    /* they did and do not, or one was removed */
} graze_event_kind;

/* Two members that meet, or no longer meet. */
typedef struct graze_world_event {
    graze_event_kind kind;
    graze_level level; /* of the rule; an end has that of the meeting that ends */
    graze_motion_rule motion;
    graze_world_id a, b; /* a has the smaller index */
    float time;          /* begin, if motion is not discrete: when they first met, as a fraction of
                            the time since the last update. Otherwise 1 */
    bool capped;         /* a begin: sampling needed more than 64 steps */
    bool inside;         /* one lies inside the other, which is solid; surfaces do not meet */
    uint64_t pair_count; /* exact level: pairs of triangles that meet; with a shape, triangles that
                            meet it; 1 if they met on the path only. Two shapes, or an end: 0 */
    uint32_t part_count; /* 0 at an end, at GRAZE_LEVEL_BOUNDS, and if inside */
    uint32_t contact_count;        /* 0 unless the rule has contacts */
    const graze_pair *parts;       /* parts of a and b that meet, sorted; 0 of a shape */
    const graze_contact *contacts; /* sorted by parts */
} graze_world_event;

/* Returns the events of the last update, sorted by the indices of a, then b; an end comes before a
 * begin with the same indices. Two members that met and separated between two updates have a begin,
 * then an end; parts and contacts are those of the moment they met. Valid until the next update.
 * *count is set; NULL if there are none.
 *
 * Contacts of two bodies at the exact level are those of graze_contacts, split by part; triangles
 * are those with the longest segment. At the hitbox level, if all hitboxes include inner ones, they
 * are those of graze_hitbox_contacts. All others are combined, one for each pair of parts; two
 * half-spaces have one only if they face each other. If one member is inside the other without
 * touching it, there are none.
 */
GRAZE_EXPERIMENTAL const graze_world_event *graze_world_events(const graze_world *world,
                                                               size_t *count);

/* Returns how many pairs of the last update had overlapping boxes and a rule other than ignore. */
GRAZE_EXPERIMENTAL size_t graze_world_candidate_count(const graze_world *world);

/* Checks what updates rely on: ids, counts, the order of pairs, and that every box holds its body,
 * if the body is in the pose of the last update. For debug builds and bug reports: poses every
 * vertex. The error of GRAZE_CORRUPT names the first thing that is wrong. Allocates nothing and
 * changes no answer.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_validate(const graze_world *world, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
