/* Self-collision in every way must give what plain testing of all triangles gives. */
#ifndef GRAZE_TESTS_SUPPORT_SELF_JUDGE_H
#define GRAZE_TESTS_SUPPORT_SELF_JUDGE_H

#include <graze/graze.h>

typedef struct self_set {
    graze_self_pair *pairs;
    size_t count, capacity;
    size_t calls; /* of the callback */
    size_t stop;  /* the callback says stop at this call; 0: never */
} self_set;

/* A graze_self_fn; user is a self_set. */
bool self_set_take(void *user, const graze_self_pair *pairs, size_t count);
void self_set_free(self_set *set);

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
void self_expect(graze_body *body, const graze_model_def *def, self_set *expected);

/* Asks in every way (lazy cold and warm, from bounds made bottom-up, eager; brute force if wanted;
 * all, new ones and the first; stopped by the callback; in the steps of a search), and compares.
 * Records a failure that starts with the name, and returns false, if one differs.
 */
bool self_agree(graze_body *body, const self_set *expected, bool brute, const char *name,
                self_tally *seen);

#endif
