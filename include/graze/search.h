/* Searches: any query, taken in steps.
 *
 * A search holds a question and what is still to be looked at. It runs until its budget is spent,
 * says what it has and what the rest could still bring, and goes on from there when it is run again:
 *
 *     graze_search_collide(search, a, b, report, user, &error);
 *     while (graze_search_run(search, &budget, &stats, &rest, &error) == GRAZE_OK && !rest.finished)
 *         do_something_else();
 *
 * Guarantee: the answer of a finished search is that of the plain query. An unfinished one never
 * says "nothing": whatever it has not ruled out is in the rest.
 */
#ifndef GRAZE_SEARCH_H
#define GRAZE_SEARCH_H

#include <graze/query.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How far one run may go. Limits are looked at between steps, and a step is at most one pair of
 * patches, so a count can end a little above its limit. Every run gets on by at least a step.
 */
typedef struct graze_budget {
    uint64_t bound_tests;     /* tests of bounds; 0: no limit */
    uint64_t triangle_tests;  /* tests of triangles; 0: no limit */
    bool (*stop)(void *user); /* asked before every step; true: stop. NULL: never */
    void *user;
} graze_budget;

/* What a run has left over. */
typedef struct graze_rest {
    bool finished;  /* nothing: the answer is complete */
    uint32_t count; /* nodes, or pairs of nodes, that may still hold an answer */
    uint32_t depth; /* all of them lie on this level of their trees or below; the root's is 0 */
    float nearest;  /* nothing in them is nearer than this: a lower bound of the distance, of the
                       ray's t or of the time of impact; 0 for questions that have no such measure,
                       infinity if finished */
} graze_rest;

#ifdef __cplusplus
}
#endif

#endif
