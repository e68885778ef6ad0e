/* Lists of triangle pairs as queries report them. */
#ifndef GRAZE_TESTS_SUPPORT_PAIRS_H
#define GRAZE_TESTS_SUPPORT_PAIRS_H

#include "support/own.h"

#include <graze/pairs.h>
#include <graze/touch.h>

typedef struct pair_set {
    graze_pair *pairs;
    size_t count, capacity;
    size_t calls; /* of the callback */
    size_t stop;  /* the callback says stop at this call; 0: never */
} pair_set;

/* The callback of a pair list; user is a pair_set. */
bool pair_set_take(void *user, const graze_pair *pairs, size_t count);

/* A list that goes to a pair_set. */
#define TO_PAIR_SET(set) (&(graze_pair_list){.report = pair_set_take, .user = (set)})

/* Empties the set but keeps its memory. */
void pair_set_clear(pair_set *set);
void pair_set_free(pair_set *set);
OWN_VALUE(pair_set, pair_set_free)

/* Sorts by a, then b. False if a pair is in it twice. */
bool pair_set_sort(pair_set *set);

/* Both sorted: the same pairs, and the same of them at rest? If not, *odd is the first that
 * differs.
 */
bool pair_set_equal(const pair_set *x, const pair_set *y, graze_pair *odd);

/* Sorted: the pair of these triangles, or NULL. */
const graze_pair *pair_set_find(const pair_set *set, graze_pair pair);

/* How many pairs meet. */
size_t test_count_pairs(graze_body *a, graze_body *b);

/* Whether bodies meet, and whether a body meets a shape. Count in stats, unless that is NULL. */
bool test_meets(graze_body *a, graze_body *b, graze_stats *stats);
bool test_touches(graze_body *body, const graze_shape *shape, graze_stats *stats);

#endif
