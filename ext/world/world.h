/* Many bodies and shapes together.
 *
 *     world.c    the world and its rules       members.c  who is in it
 *     models.c   their models, and finders     index.c    from pointers to numbers
 *     broad.c    whose boxes overlap           ask.c      who of them meet, over threads
 *     exact.c    by triangles                  volumes.c  by volumes of fits
 *     inside.c   in what is solid              found.c    the parts and contacts of a pair
 *     shapes_meet.c, shapes_contact.c  two shapes
 *     past.c     where they were               on_the_way.c  what happened since
 *     motion.c   when two first meet           update.c   events
 *     loans.c    caches of lean bodies
 *     boxes.c    a tree over members, for      question.c questions asked of all of them:
 *     rays.c, near.c, shapes_ray.c             rays; shapes and points; those of a shape
 *     points.c   points of contacts            points_choose.c  which of many
 *     points_shapes.c  points of two shapes
 *     surface.c  surfaces that move            reactions.c  which reaction is shown
 *
 * Pairs are keys, the smaller index in the upper half.
 */
#ifndef GRAZEI_WORLD_WORLD_H
#define GRAZEI_WORLD_WORLD_H

#include "base/assert.h"
#include "deform/bound.h"
#include "world/boxes.h"
#include "world/index.h"

#include <graze/contact.h>
#include <graze/ext/hitbox.h>
#include <graze/ext/world.h>
#include <graze/touch.h>

typedef enum grazei_thing_kind { GRAZEI_FREE, GRAZEI_BODY, GRAZEI_SHAPE } grazei_thing_kind;

/* A body or shape, or a place for one. */
typedef struct grazei_thing {
    graze_body *body;
    uint32_t generation;
    uint32_t next_free;
    uint32_t pose_number; /* of the body, when its box was found */
    uint8_t kind, category;
    bool infinite; /* a half-space */
    bool listed;   /* in the broad phase's order */
    bool has_box;  /* of a body: it was found */
} grazei_thing;

/* What else comes with one, and is seldom looked at. */
typedef struct grazei_member {
    const graze_hitboxes *fit;
    void *user_data;
    uint32_t model; /* of a body: its number among the world's models */
    bool solid;

    /* Of a body with a fit, for the level of parts: the fit's first ones, of level 1. */
    graze_capsule *volumes; /* room for those of level 3, too */
    grazei_bound *volume_boxes;
    uint32_t *volume_parts; /* UINT32_MAX: not in the mask */
    uint32_t volume_count;
    uint32_t volumes_pose; /* number of the pose that they are in */
    bool has_volumes;      /* they are in one */
    bool listed;           /* among those to be posed */

    /* At the update before. */
    graze_body *past;            /* in the pose of then; NULL until it is needed */
    graze_capsule *past_volumes; /* likewise */
    uint32_t past_pose;          /* the body's number of that pose, and of that of the volumes */
    uint32_t past_volumes_pose;
    bool has_past, has_past_volumes;
} grazei_member;

/* A model of bodies in the world. */
typedef struct grazei_world_model {
    const graze_model *model;
    uint32_t body_count, next_free;
    struct grazei_shell *shells; /* NULL until they are needed */
    uint32_t shell_count;
    atomic_uint closed; /* 0: not known yet, 1: it is open, 2: closed */
} grazei_world_model;

/* Triangles of one part that hang together at rest: where one corner of theirs is. */
typedef struct grazei_shell {
    uint32_t patch, point; /* the point's number in the patch */
    uint32_t group;
} grazei_shell;

/* A pair whose boxes overlap, and what came of it. */
typedef struct grazei_candidate {
    uint64_t key, pairs;
    graze_level level;
    bool meets;
    bool passes; /* they do not meet now, but did on the way */
    bool inside, capped;
    float time;
    uint32_t thread, part_count; /* whose lists have the parts and contacts */
    uint32_t contact_count;
    size_t first_part, first_contact;
} grazei_candidate;

/* A pair that met at the last update. */
typedef struct grazei_met {
    graze_world_id a, b;
    graze_level level;
    graze_motion_rule motion;
} grazei_met;

/* Finds contacts between bodies of two of the world's models. */
typedef struct grazei_finder {
    uint32_t models[2];
    graze_contact_finder *contacts;
} grazei_finder;

/* What a thread found, and works with. */
struct grazei_world_thread {
    grazei_list parts;                /* keys of groups, of one pair after the other */
    grazei_list contacts;             /* graze_contact, likewise */
    grazei_list scratch;              /* for sorting */
    grazei_list touches;              /* graze_contact, of this pair, to be combined */
    grazei_list touch_keys;           /* uint64_t, of those */
    grazei_list gathered;             /* touches of one pair of parts */
    grazei_list finders;              /* grazei_finder */
    grazei_index finder_index;        /* from a pair of models */
    graze_hitbox_finder *part_finder; /* NULL until it is needed */
    grazei_list keys;                 /* of candidates */
    bool out_of_keys;                 /* there was no memory for more */
    graze_stats stats;
    graze_error failure; /* of its first question that failed */
    size_t failed;
    grazei_list hits, touched; /* graze_world_hit and graze_world_touched, answers of a question */
};

/* Slices of the world across an axis. */
typedef struct grazei_strips {
    uint32_t axis, count;
    float low, per_unit;
} grazei_strips;

struct graze_world {
    graze_allocator allocator;
    grazei_list things;
    grazei_list boxes;   /* grazei_bound, one a thing */
    grazei_list shapes;  /* graze_shape, one a thing */
    grazei_list members; /* grazei_member, one a thing */
    grazei_index bodies; /* from a body to its index */
    grazei_list models;  /* grazei_world_model, or places for them */
    grazei_index model_index;
    uint32_t first_free_model;
    uint32_t solid_count; /* bodies that are solid */
    uint32_t first_free;
    uint8_t rules[GRAZE_MAX_CATEGORIES][GRAZE_MAX_CATEGORIES]; /* levels */
    uint8_t motions[GRAZE_MAX_CATEGORIES][GRAZE_MAX_CATEGORIES];
    bool with_contacts[GRAZE_MAX_CATEGORIES][GRAZE_MAX_CATEGORIES];
    bool category_moves[GRAZE_MAX_CATEGORIES]; /* some rule of it has a motion */
    bool has_motion;                           /* any has */
    bool has_pasts;                            /* and had at the update before */
    grazei_list past_boxes;                    /* grazei_bound, of the update before */
    grazei_list past_shapes;                   /* graze_shape, likewise */
    grazei_list reaches;                       /* grazei_bound, of past and present */

    /* The broad phase. */
    uint32_t axis;        /* that the order is sorted along */
    grazei_list order;    /* grazei_bound, of all finite things, the index of each in `spare` */
    grazei_list infinite; /* uint32_t, found anew every time */
    grazei_strips chosen;
    grazei_list strips;            /* size_t, where each strip starts in the next */
    grazei_list in_strips;         /* as in the order */
    grazei_list keys, key_scratch; /* uint64_t */

    grazei_list to_pose; /* uint32_t, bodies whose volumes are wanted */
    grazei_list uses;    /* atomic_uint, one a thing: candidates that are not decided yet */
    grazei_list candidates, met, met_next, events, parts, contacts;
    grazei_list threads;

    grazei_box_tree tree;      /* for questions */
    grazei_list question_uses; /* grazei_body_use, bodies that one is asking */
    grazei_list use_marks;     /* atomic_uint, one a thing: 1 if it is there */
};

#define GRAZEI_NOBODY UINT32_MAX

static inline uint64_t grazei_world_key(uint32_t x, uint32_t y)
{
    GRAZE_ASSERT(x != y);
    return x < y ? (uint64_t)x << 32 | y : (uint64_t)y << 32 | x;
}

/* Makes room for `need` items in all; false when out of memory. */
bool grazei_list_reserve(const graze_allocator *allocator, grazei_list *list, size_t need,
                         size_t size);

/* Categories are below GRAZE_MAX_CATEGORIES. */
graze_status grazei_check_category(uint32_t number, graze_error *error);

/* Ascending; the scratch list is made as large as needed. False when out of memory. */
bool grazei_sort_keys(const graze_allocator *allocator, uint64_t *keys, size_t count,
                      grazei_list *scratch);

/* The same by the upper halves; those that are equal there stand in any order. */
bool grazei_sort_halves(const graze_allocator *allocator, uint64_t *keys, size_t count,
                        grazei_list *scratch);

static inline grazei_member *grazei_member_of(const graze_world *world, uint32_t index)
{
    GRAZE_ASSERT(index < world->things.count || index < world->members.capacity);
    return (grazei_member *)world->members.items + index;
}

static inline grazei_thing *grazei_thing_of(const graze_world *world, uint32_t index)
{
    GRAZE_ASSERT(index < world->things.count);
    return (grazei_thing *)world->things.items + index;
}

static inline const graze_shape *grazei_shape_of(const graze_world *world, uint32_t index)
{
    return (const graze_shape *)world->shapes.items + index;
}

/* Counts one more body of a model, which gets a number, or one less; with the last one goes what
 * the world keeps of the model.
 */
graze_status grazei_world_hold_model(graze_world *world, const graze_model *model, uint32_t *number,
                                     graze_error *error);
void grazei_world_let_go_model(graze_world *world, uint32_t number);

/* Whether the surface of a body's model is closed; any thread may ask. */
graze_status grazei_world_is_closed(const graze_world *world, uint32_t index, bool *closed,
                                    graze_error *error);

/* Finds the shells of all models, if there is anything solid. */
graze_status grazei_world_find_shells(graze_world *world, graze_error *error);

/* Frees all that is kept of models and threads. */
void grazei_world_release_models(graze_world *world);

/* Volumes of a body that was added with a fit, and of one that is removed. */
graze_status grazei_world_make_volumes(graze_world *world, uint32_t index, graze_error *error);
void grazei_world_release_volumes(graze_world *world, uint32_t index);

/* Poses the volumes of a body with a fit, unless they are in its pose already. */
graze_status grazei_world_pose_volumes(graze_world *world, uint32_t index, graze_error *error);

/* Boxes of past and present, where there are motions; else a world's boxes serve. And whether a box
 * is not outside a half-space where it was then.
 */
graze_status grazei_world_find_reaches(graze_world *world, graze_error *error);
bool grazei_world_was_near(const graze_world *world, uint32_t half_space, const grazei_bound *box);

static inline const grazei_bound *grazei_world_reaches(const graze_world *world)
{
    return world->has_motion ? world->reaches.items : world->boxes.items;
}

/* Whether boxes of a candidate overlap now. */
bool grazei_world_is_near(const graze_world *world, uint32_t a, uint32_t b);

/* Whether the pair with a key met at the update before. */
bool grazei_world_has_met(const graze_world *world, uint64_t key);

/* The failure of a thread whose question has the lowest number. */
graze_status grazei_world_first_failure(const graze_world *world, graze_error *error);

/* Room for what the threads of a pool find, and nothing found. */
graze_status grazei_world_start_threads(graze_world *world, graze_pool *pool, graze_error *error);

/* The box of a thing as it is now. */
void grazei_world_find_box(graze_world *world, uint32_t index, graze_stats *stats);

/* The thing with an id. */
graze_status grazei_world_find(const graze_world *world, graze_world_id id, grazei_thing **thing,
                               graze_error *error);

/* Whether a world takes such a shape. */
graze_status grazei_world_check_shape(const graze_shape *shape, graze_error *error);

/* Boxes of all things, then the candidates, sorted, with their levels. */
graze_status grazei_world_find_candidates(graze_world *world, graze_pool *pool, graze_error *error);

/* Before the candidates are decided; while the one or two before this one are, which makes memory
 * that nobody has touched for long less slow; and when one of them has been, on any thread.
 */
graze_status grazei_world_begin_loans(graze_world *world, graze_error *error);
void grazei_world_look_ahead(const graze_world *world, size_t item);
void grazei_world_end_loan(graze_world *world, const grazei_candidate *candidate);

/* Decides every candidate. */
graze_status grazei_world_ask(graze_world *world, graze_pool *pool, graze_error *error);

/* Whether two shapes meet, decided in double; both are of kinds that a world takes. */
graze_status grazei_shapes_meet(const graze_shape *a, const graze_shape *b, bool *meet,
                                graze_error *error);

/* Where two shapes that meet do so; false where half-spaces leave no way out. With a and b
 * exchanged it is the same bits, but for the sign of the normal.
 */
bool grazei_shapes_contact(const graze_shape *a, const graze_shape *b, graze_contact *contact);

/* A point of a finite shape; NULL of a half-space. */
const float *grazei_point_in_shape(const graze_shape *shape);

/* A box around a finite shape that was checked. */
grazei_bound grazei_world_shape_box(const graze_shape *shape);

#endif
