/* What a query has still to look at: nodes or pairs of nodes, the next one on top.
 *
 * Every query is a question that works through an agenda. It may stop between two items when its
 * budget is spent; what lies on the agenda then is all that it has not ruled out, and running it
 * again goes on from there.
 */
#ifndef GRAZEI_QUERY_AGENDA_H
#define GRAZEI_QUERY_AGENDA_H

#include "base/assert.h"
#include "body/bounds.h"

#include <graze/query.h>

/* Depth first: each opened node leaves at most its other children behind, GRAZEI_MAX_OPEN of them
 * on a way down a tree. Two nodes of four children that are opened together leave 15 pairs behind
 * instead of 6, on every level. Four siblings may be written at a time. Of up to
 * GRAZEI_AGENDA_CHOICE items any may be the next.
 */
#define GRAZEI_AGENDA_CHOICE 64
#define GRAZEI_AGENDA_ITEMS                                                                        \
    (GRAZEI_AGENDA_CHOICE + 2 * GRAZEI_MAX_OPEN + 9 * GRAZEI_MAX_LEVELS + GRAZEI_MAX_ARITY + 4)

/* A node of either side. */
typedef struct grazei_pair_item {
    uint32_t node[2];
} grazei_pair_item;

/* Two nodes of one tree; or, with the highest bit of `other`, a node against itself and against its
 * later siblings up to the one that the other bits name. A tree has fewer than 2^31 nodes.
 */
typedef struct grazei_self_item {
    uint32_t node, other;
} grazei_self_item;

#define GRAZEI_ITSELF 0x80000000u

/* A node, and whether it crosses the shape or is inside (a graze_side). */
typedef struct grazei_shape_item {
    uint32_t node, side;
} grazei_shape_item;

/* What one question puts on its agenda: one of these, the same throughout. */
typedef union grazei_item {
    grazei_pair_item pair;
    grazei_self_item self;
    grazei_shape_item shape;
    uint32_t node; /* rays, points */
} grazei_item;

_Static_assert(sizeof(grazei_item) == 8, "two words an item");

typedef struct grazei_agenda {
    uint64_t last_bound_test, last_triangle_test; /* counts of the statistics at which to stop */
    bool (*stop)(void *user);
    void *stop_user;
    bool keyed; /* keys are in use */
    uint32_t count;
    grazei_item items[GRAZEI_AGENDA_ITEMS];
    float keys[GRAZEI_AGENDA_ITEMS]; /* at most the distance, t or time of anything below; for first
                                      * hits how promising it is */
} grazei_agenda;

/* Empty, without a budget. (The items stay as they are: clearing them would cost more than most
 * queries.)
 */
static inline void grazei_agenda_start(grazei_agenda *agenda, bool keyed)
{
    agenda->last_bound_test = agenda->last_triangle_test = UINT64_MAX;
    agenda->stop = NULL;
    agenda->keyed = keyed;
    agenda->count = 0;
}

/* Whether to stop before the next item. */
static inline bool grazei_agenda_spent(const grazei_agenda *agenda, const graze_stats *stats)
{
    return stats->bound_tests >= agenda->last_bound_test ||
           stats->triangle_tests >= agenda->last_triangle_test ||
           (agenda->stop && agenda->stop(agenda->stop_user));
}

/* Whether it may be spent at all. */
static inline bool grazei_agenda_has_budget(const grazei_agenda *agenda)
{
    return agenda->last_bound_test != UINT64_MAX || agenda->last_triangle_test != UINT64_MAX ||
           agenda->stop;
}

static inline void grazei_agenda_put(grazei_agenda *agenda, uint32_t at, grazei_item item,
                                     float key)
{
    GRAZE_ASSERT(at < GRAZEI_AGENDA_ITEMS);
    agenda->items[at] = item;
    agenda->keys[at] = key;
}

static inline void grazei_agenda_copy(grazei_agenda *agenda, uint32_t to, uint32_t from)
{
    GRAZE_ASSERT(to < GRAZEI_AGENDA_ITEMS && from < GRAZEI_AGENDA_ITEMS);
    agenda->items[to] = agenda->items[from];
    agenda->keys[to] = agenda->keys[from];
}

/* What was put on the agenda from `base` on, in order: the one with the least key on top. */
static inline void grazei_agenda_sort(grazei_agenda *agenda, uint32_t base)
{
    GRAZE_ASSERT(base <= agenda->count);
    for (uint32_t i = base + 1; i < agenda->count; i++) {
        grazei_item item = agenda->items[i];
        float key = agenda->keys[i];
        uint32_t at = i;
        for (; at > base && agenda->keys[at - 1] < key; at--)
            grazei_agenda_copy(agenda, at, at - 1);
        grazei_agenda_put(agenda, at, item, key);
    }
}

/* A question under way; concrete ones have this as their first member. run() takes items from the
 * agenda, looks, pushes what is to be opened, and returns when the agenda is empty, when the
 * question is settled (it then empties the agenda), or, after at least one item, when the agenda's
 * budget is spent.
 */
typedef struct grazei_question {
    void (*run)(struct grazei_question *question, grazei_agenda *agenda, graze_stats *stats);
    graze_body *bodies[4]; /* whose poses must not change while it is under way */
    uint32_t body_count;
} grazei_question;

/* While these hold bodies, their poses cannot be changed (by a callback). */
void grazei_enter(graze_body *const *bodies, uint32_t count);
void grazei_leave(graze_body *const *bodies, uint32_t count);

/* GRAZE_CORRUPT where an item is of a node that is not there, or a key is no number. */
graze_status grazei_agenda_validate(const grazei_agenda *agenda, const grazei_question *question,
                                    graze_error *error);

/* Works through the agenda, if anything is on it. */
void grazei_run(grazei_question *question, grazei_agenda *agenda, graze_stats *stats);

/* Errors for bodies that are NULL, and for rounding that is not to nearest. `name` is what the
 * caller calls it. A lean body has caches afterwards.
 */
graze_status grazei_check_body(graze_body *body, const char *name, graze_error *error);

/* The same for bodies a and b, which must be two. */
graze_status grazei_check_pair(graze_body *a, graze_body *b, graze_error *error);

/* The same for what needs no caches yet: a lean body may turn out to be far from everything. */
graze_status grazei_check_outside(const graze_body *body, const char *name, graze_error *error);
graze_status grazei_check_pair_outside(const graze_body *a, const graze_body *b,
                                       graze_error *error);

/* GRAZE_BAD_INPUT where a callback, or a place for the answer, is missing. (Functions are no
 * objects, so they are told apart by the caller: report != NULL.)
 */
graze_status grazei_check_given(bool given, const char *name, graze_error *error);

/* Adds up what two parts of a query did. */
void grazei_add_stats(graze_stats *to, const graze_stats *from);

#endif
