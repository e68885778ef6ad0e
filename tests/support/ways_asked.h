/* Every way to ask a question of support/ways.h. */
#ifndef GRAZE_TESTS_SUPPORT_WAYS_ASKED_H
#define GRAZE_TESTS_SUPPORT_WAYS_ASKED_H

#include "support/ways.h"

/* clang-format off */
#define WAYS(X, q)                                                                                 \
    X(q, array) X(q, small) X(q, counted) X(q, callback) X(q, stopping)                            \
    X(q, any) X(q, only_new) X(q, eager) X(q, brute) X(q, statistics)                              \
    X(q, resumed) X(q, told_to_stop) X(q, dropped) X(q, other) X(q, budget_of_others)              \
    X(q, history) X(q, pool) X(q, batch) X(q, mixed_batch) X(q, masked) X(q, lean) X(q, shared)
/* clang-format on */

#define WAYS_WAY(question, way) WAY_##way,
typedef enum ways_way { WAYS(WAYS_WAY, ) WAY_COUNT } ways_way;
#undef WAYS_WAY

extern uint32_t ways_unfinished; /* calls that were not finished; the caller sets it to 0 */
extern uint32_t ways_most_left;  /* the most that a budget left over; likewise */

#define EXPECT(s, condition) CHECK_MSG((condition), "%s: %s", (s)->label, #condition)

/* Asks in that way, and says what is wrong with the answer. */
void ways_ask_in(ways_scene *scene, ways_question question, ways_way way);

/* Every question plainly and eagerly, then in so many ways by lot. */
void ways_ask_all(ways_scene *scene, uint32_t some, test_random *random);

/* How often a question was asked, and had an answer. */
typedef struct ways_tally {
    uint32_t asked, answered;
} ways_tally;

void ways_count(ways_scene *scene, ways_tally tallies[ASK_COUNT]);

/* Prints them; each question has to have answers, and lists sometimes none. */
void ways_check_tallies(const ways_tally tallies[ASK_COUNT]);

/* Calls that must be refused, and leave what is to be answered as it was. */
bool ways_is_refused(graze_status status, graze_status wanted, const graze_error *error);
void ways_expect_refused(ways_scene *scene, const ways_bodies *bodies, ways_question question,
                         const graze_options *options, graze_status wanted);

#endif
