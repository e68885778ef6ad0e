/* Lists of impacts as queries report them. */
#ifndef GRAZE_TESTS_SUPPORT_IMPACTS_H
#define GRAZE_TESTS_SUPPORT_IMPACTS_H

#include "support/own.h"

#include <graze/sweep.h>

typedef struct impact_set {
    graze_impact *impacts;
    size_t count, capacity;
    size_t stop; /* the callback says stop at so many impacts; 0: never */
} impact_set;

/* The callback of an impact list; user is an impact_set. */
bool impact_set_take(void *user, const graze_impact *impacts, size_t count);

/* A list that goes to an impact_set. */
#define TO_IMPACT_SET(set) (&(graze_impact_list){.report = impact_set_take, .user = (set)})

void impact_set_free(impact_set *set);
OWN_VALUE(impact_set, impact_set_free)

/* Sorts by the triangles of a, then b. */
void impact_set_sort(impact_set *set);

/* Sorted: the impact of these triangles, or NULL. */
const graze_impact *impact_set_find(const impact_set *set, uint32_t a, uint32_t b);

/* Whether impacts are the same, bit for bit. */
bool impact_same(const graze_impact *x, const graze_impact *y);

/* Sorts both. The same impacts? If not, *odd (may be NULL) is the number of the first that differs.
 */
bool impact_set_equal(impact_set *x, impact_set *y, size_t *odd);

/* The earliest of the set; none of an empty one. */
graze_impact impact_set_earliest(const impact_set *set);

#endif
