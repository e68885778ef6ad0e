/* Self-collision in every way must give what plain testing of all triangles gives. */
#ifndef GRAZE_TESTS_SUPPORT_SELF_JUDGE_H
#define GRAZE_TESTS_SUPPORT_SELF_JUDGE_H

#include "support/pairs.h"

/* What was compared. */
typedef struct self_tally {
    uint64_t poses;
    uint64_t hits; /* of them with pairs */
    uint64_t pairs, rest_pairs;
    uint64_t queries;
} self_tally;

void self_tally_print(const char *what, const self_tally *seen);

/* The pairs that meet, sorted: neighbours told by comparing the rest positions of the def, boxes
 * swept along x, triangles by the exact test for two. Shares nothing else with the queries.
 */
void self_expect(graze_body *body, const graze_model_def *def, pair_set *expected);

/* Asks in every way (lazy cold and warm, from bounds made bottom-up, eager; brute force if wanted;
 * all, new ones and the first; stopped by the callback; in steps), and compares.
 * Records a failure that starts with the name, and returns false, if one differs.
 */
bool self_agree(graze_body *body, const pair_set *expected, bool brute, const char *name,
                self_tally *seen);

#endif
