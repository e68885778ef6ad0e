/* All or some pairs of triangles of two bodies that meet. */
#ifndef GRAZEI_QUERY_PAIR_H
#define GRAZEI_QUERY_PAIR_H

#include "narrow/candidate_kernels.h"
#include "query/outbox.h"
#include "query/pair_front.h"

typedef struct grazei_pair_question {
    grazei_question base;
    grazei_outbox outbox;
    grazei_candidates batch;
    grazei_walk_log *log; /* NULL: nothing is written down */
    bool goes_on;         /* it is run again: candidates may wait until it is finished */
} grazei_pair_question;

/* Puts the question without an agenda. */
void grazei_pair_ask(grazei_pair_question *question, graze_body *a, graze_body *b, bool first,
                     graze_pair_fn report, void *user);

/* The same from the roots; the agenda is empty afterwards if even the roots are apart. first: looks
 * where most is shared first and stops at the first pair.
 */
void grazei_pair_begin(grazei_pair_question *question, grazei_agenda *agenda, graze_body *a,
                       graze_body *b, bool first, graze_pair_fn report, void *user,
                       graze_stats *stats);

/* Asks to the end. */
void grazei_pair_collide(graze_body *a, graze_body *b, bool first, graze_pair_fn report, void *user,
                         graze_stats *stats);

/* Bounds both roots; whether they overlap. */
bool grazei_roots_overlap(graze_body *a, graze_body *b, graze_stats *stats);

/* Errors for bodies that are NULL or the same, and for a missing callback. */
graze_status grazei_check_pair_report(graze_body *a, graze_body *b, bool has_report,
                                      graze_error *error);

/* The first pair that was reported. */
typedef struct grazei_first_pair {
    graze_pair pair;
    bool found;
} grazei_first_pair;

/* A graze_pair_fn that keeps one; user is a grazei_first_pair. */
bool grazei_keep_first(void *user, const graze_pair *pairs, size_t count);

typedef struct grazei_pair_kernels {
    void (*run)(grazei_question *question, grazei_agenda *agenda, graze_stats *stats);
    void (*finish)(grazei_pair_question *question); /* one that has gone on */
} grazei_pair_kernels;

GRAZEI_DECLARE(grazei_pair_kernels, pair_kernels);

#endif
