/* What a query has still to look at: nodes or pairs of nodes, the next one on top.
 *
 * Every query is a question that works through an agenda. It may stop between two items when its
 * budget is spent; what lies on the agenda then is all that it has not ruled out, and running it
 * again goes on from there.
 */
#ifndef GRAZEI_QUERY_AGENDA_H
#define GRAZEI_QUERY_AGENDA_H

#include "body/body.h"

#include <graze/search.h>

/* Depth first: each opened node leaves at most its other children behind, on every level of two
 * trees. Four siblings may be written at a time.
 */
#define GRAZEI_AGENDA_ITEMS (2 * GRAZEI_MAX_LEVELS * (GRAZEI_MAX_ARITY - 1) + GRAZEI_MAX_ARITY + 4)

typedef struct grazei_item {
    uint32_t node[2]; /* of either side; questions about one tree use the first alone */
} grazei_item;

typedef struct grazei_agenda {
    uint64_t last_bound_test, last_triangle_test; /* counts of the statistics at which to stop */
    bool (*stop)(void *user);
    void *stop_user;
    bool keyed; /* keys are in use */
    uint32_t count;
    grazei_item items[GRAZEI_AGENDA_ITEMS];
    float keys[GRAZEI_AGENDA_ITEMS]; /* at most the distance, t or time of anything below */
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

/* Errors for bodies that are NULL or whose model is gone. `name` is what the caller calls it. */
graze_status grazei_check_body(const graze_body *body, const char *name, graze_error *error);

/* The same for bodies a and b, which must be two. */
graze_status grazei_check_pair(const graze_body *a, const graze_body *b, graze_error *error);

/* Adds up what two parts of a query did. */
void grazei_add_stats(graze_stats *to, const graze_stats *from);

#endif
