/* Lazy, eager and brute force must give the same pairs: one judge for every query test. */
#ifndef GRAZE_TESTS_SUPPORT_AGREEMENT_H
#define GRAZE_TESTS_SUPPORT_AGREEMENT_H

#include "support/pairs.h"

/* What was compared. */
typedef struct agreement {
    uint64_t scenes; /* pairs of posed bodies */
    uint64_t hits;   /* of them with pairs */
    uint64_t pairs;
    uint64_t queries;
} agreement;

void agreement_print(const char *what, const agreement *seen);

/* The pairs of brute force, sorted. */
void agreement_expect(graze_body *a, graze_body *b, pair_set *expected);

/* Asks in every way (lazy cold and warm, one and both sides refitted bottom-up, eager, the other
 * way round, first hit), with the caches dropped in between, and compares with the sorted pairs
 * expected. Records a failure that starts with the name, and returns false, if one differs.
 */
bool agreement_check(graze_body *a, graze_body *b, const pair_set *expected, const char *name,
                     agreement *seen);

/* Shapes of trees worth comparing: spheres and boxes, all kinds of refit, patches of 1 to 128,
 * two to thirty-two children; numbers below agreement_tree_count().
 */
uint32_t agreement_tree_count(void);
graze_tree_def agreement_tree(uint32_t number);

#endif
