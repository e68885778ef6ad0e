/* Lists of triangle pairs as queries report them. */
#ifndef GRAZE_TESTS_SUPPORT_PAIRS_H
#define GRAZE_TESTS_SUPPORT_PAIRS_H

#include <graze/graze.h>

typedef struct pair_set {
    graze_pair *pairs;
    size_t count, capacity;
    size_t calls; /* of the callback */
    size_t stop;  /* the callback says stop at this call; 0: never */
} pair_set;

/* A graze_pair_fn; user is a pair_set. */
bool pair_set_take(void *user, const graze_pair *pairs, size_t count);

/* Empties the set but keeps its memory. */
void pair_set_clear(pair_set *set);
void pair_set_free(pair_set *set);

/* Sorts by a, then b. False if a pair is in it twice. */
bool pair_set_sort(pair_set *set);

/* Both sorted: the same pairs? If not, *odd is the first one that only one of them has. */
bool pair_set_equal(const pair_set *x, const pair_set *y, graze_pair *odd);

/* Sorted: is the pair in it? */
bool pair_set_has(const pair_set *set, graze_pair pair);

#endif
