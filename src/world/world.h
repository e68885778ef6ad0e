/* Many bodies and shapes together. world.c: the world and its rules; members.c: who is in it;
 * broad.c: whose boxes overlap; ask.c: who of them meet, over threads; shapes_meet.c: two shapes;
 * motion.c: what happens between two updates; update.c: events.
 *
 * Pairs are keys, the smaller index in the upper half.
 */
#ifndef GRAZEI_WORLD_WORLD_H
#define GRAZEI_WORLD_WORLD_H

#include "deform/bound.h"
#include "world/table.h"

#include <graze/world.h>

typedef enum grazei_thing_kind { GRAZEI_FREE, GRAZEI_BODY, GRAZEI_SHAPE } grazei_thing_kind;

/* A body or shape, or a place for one. */
typedef struct grazei_thing {
    graze_body *body;
    uint32_t generation;
    uint32_t next_free;
    uint32_t pose_number; /* of the body, when its box was found */
    uint8_t kind, class_number;
    bool infinite; /* a half-space */
    bool listed;   /* in the broad phase's order */
    bool has_box;  /* of a body: it was found */
} grazei_thing;

/* What else comes with one, and is seldom looked at. */
typedef struct grazei_member {
    const graze_fit *fit;
    void *user_data;
    bool solid;
} grazei_member;

/* A list that only grows. */
typedef struct grazei_list {
    void *items;
    size_t count, capacity;
} grazei_list;

/* A pair whose boxes overlap, and what came of it. */
typedef struct grazei_candidate {
    uint64_t key, pairs;
    graze_level level;
    bool meets;
    uint32_t thread, part_count; /* whose list has the parts */
    size_t first_part;
} grazei_candidate;

/* A pair that met at the last update. */
typedef struct grazei_met {
    graze_world_id a, b;
    graze_level level;
} grazei_met;

/* What a thread found. */
typedef struct grazei_world_thread {
    grazei_list parts;   /* keys of groups, of one pair after the other */
    grazei_list scratch; /* for sorting */
    graze_stats stats;
    graze_error failure; /* of its first question that failed */
    size_t failed;
} grazei_world_thread;

struct graze_world {
    graze_allocator allocator;
    grazei_list things;
    grazei_list boxes;   /* grazei_bound, one a thing */
    grazei_list shapes;  /* graze_shape, one a thing */
    grazei_list members; /* grazei_member, one a thing */
    grazei_table bodies; /* from a body to its index */
    uint32_t first_free;
    uint8_t rules[GRAZE_MAX_CLASSES][GRAZE_MAX_CLASSES]; /* levels */
    uint8_t motions[GRAZE_MAX_CLASSES][GRAZE_MAX_CLASSES];
    bool with_contacts[GRAZE_MAX_CLASSES][GRAZE_MAX_CLASSES];

    /* The broad phase. */
    uint32_t axis;        /* that the order is sorted along */
    grazei_list order;    /* uint32_t, all finite things */
    grazei_list infinite; /* uint32_t, found anew every time */
    grazei_list strips;   /* uint32_t, where each strip starts in the next */
    grazei_list in_strips;
    grazei_list keys, key_scratch; /* uint64_t */

    grazei_list uses; /* atomic_uint, one a thing: candidates that are not decided yet */
    grazei_list candidates, met, met_next, events, parts;
    grazei_list threads;
};

#define GRAZEI_NOBODY UINT32_MAX

static inline uint64_t grazei_world_key(uint32_t x, uint32_t y)
{
    return x < y ? (uint64_t)x << 32 | y : (uint64_t)y << 32 | x;
}

/* Makes room for `need` items in all; false when out of memory. */
bool grazei_list_reserve(const graze_allocator *allocator, grazei_list *list, size_t need,
                         size_t size);

/* Classes are below GRAZE_MAX_CLASSES. */
graze_status grazei_check_class(uint32_t number, graze_error *error);

/* Ascending; the scratch list is made as large as needed. False when out of memory. */
bool grazei_sort_keys(const graze_allocator *allocator, uint64_t *keys, size_t count,
                      grazei_list *scratch);

static inline grazei_member *grazei_member_of(const graze_world *world, uint32_t index)
{
    return (grazei_member *)world->members.items + index;
}

/* Boxes of all things, then the candidates, sorted, with their levels. */
graze_status grazei_world_find_candidates(graze_world *world, graze_pool *pool, graze_error *error);

/* Before the candidates are decided; and when one of them has been, on any thread. */
graze_status grazei_world_begin_loans(graze_world *world, graze_error *error);
void grazei_world_end_loan(graze_world *world, const grazei_candidate *candidate);

/* Decides every candidate. */
graze_status grazei_world_ask(graze_world *world, graze_pool *pool, graze_error *error);

/* Whether two shapes meet, decided in double; both are of kinds that a world takes. */
graze_status grazei_shapes_meet(const graze_shape *a, const graze_shape *b, bool *meet,
                                graze_error *error);

/* A box around a finite shape that was checked. */
grazei_bound grazei_world_shape_box(const graze_shape *shape);

#endif
