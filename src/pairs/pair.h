/* All or some pairs of triangles of two bodies that meet. */
#ifndef GRAZEI_PAIRS_PAIR_H
#define GRAZEI_PAIRS_PAIR_H

#include "narrow/candidate_kernels.h"
#include "query/agenda.h"
#include "query/outbox.h"

typedef struct grazei_pair_question {
    grazei_question base;
    grazei_outbox outbox;
    grazei_candidates batch;
    grazei_pair_item *last_leaves; /* where the last leaves that were compared go; or NULL */
} grazei_pair_question;

/* Puts the question without an agenda. */
void grazei_pair_ask(grazei_pair_question *question, graze_body *a, graze_body *b, bool first,
                     grazei_pair_fn report, void *user);

/* The same from the roots; the agenda is empty afterwards if even the roots are apart. first: looks
 * where most is shared first and stops at the first pair.
 */
void grazei_pair_begin(grazei_pair_question *question, grazei_agenda *agenda, graze_body *a,
                       graze_body *b, bool first, grazei_pair_fn report, void *user,
                       graze_stats *stats);

/* All triangles of a against all of b. */
void grazei_pair_brute(graze_body *a, graze_body *b, grazei_pair_fn report, void *user,
                       graze_stats *stats);

/* Bounds both roots; whether they overlap. */
bool grazei_roots_overlap(graze_body *a, graze_body *b, graze_stats *stats);

/* Whether lean bodies that have no caches are so far apart that they need none. */
bool grazei_pair_is_apart(graze_body *a, graze_body *b, graze_stats *stats);

typedef struct grazei_pair_kernels {
    void (*run)(grazei_question *question, grazei_agenda *agenda, graze_stats *stats);
} grazei_pair_kernels;

GRAZEI_DECLARE(grazei_pair_kernels, pair_kernels);

#endif
