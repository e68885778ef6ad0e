/* Pairs of triangles of one body that meet and are no neighbours. */
#ifndef GRAZEI_QUERY_SELF_H
#define GRAZEI_QUERY_SELF_H

#include "body/patches.h"
#include "narrow/candidate_kernels.h"
#include "query/agenda.h"
#include "query/outbox.h"

#include <graze/self.h>

/* What is known of a pair that is tested, as marks on its second triangle (batch_kernels.h): it
 * meets at rest, or that has to be found out. Without either it does not.
 */
#define GRAZEI_MET_AT_REST 0x80000000u
#define GRAZEI_REST_UNKNOWN 0x40000000u

/* Pairs that meet at rest, and surely do in this pose: nothing but to be handed on. */
typedef struct grazei_known_pairs {
    uint32_t count;
    graze_self_pair pairs[128];
} grazei_known_pairs;

typedef struct grazei_self_question {
    grazei_question base;
    graze_self_which which;
    graze_self_fn report;
    void *user;
    bool first;
    bool whole;                        /* all of it is asked in one go, without a budget */
    const graze_self_between *between; /* NULL: all triangles count */
    const grazei_fold_pose
        *folds; /* what cannot have folded is skipped; NULL: look at everything */
    grazei_outbox outbox;
    grazei_known_pairs known;
    grazei_candidates batch;
} grazei_self_question;

void grazei_self_begin(grazei_self_question *question, grazei_agenda *agenda, graze_body *body,
                       graze_self_which which, bool first, graze_self_fn report, void *user,
                       graze_stats *stats);

/* Errors for a bad body, a kind of pairs that does not exist, a missing callback. */
graze_status grazei_check_self(graze_body *body, graze_self_which which, bool has_report,
                               graze_error *error);

/* A graze_pair_fn, user a question: puts pairs in order and hands on those wanted. */
bool grazei_self_hand_on(void *user, const graze_pair *pairs, size_t count);

/* Hands on the known pairs. If no more are wanted, what is waiting is not wanted either. */
static inline void grazei_self_flush_known(grazei_self_question *question)
{
    size_t count = question->known.count;
    question->known.count = 0;
    if (question->report(question->user, question->known.pairs, count) && !question->first)
        return;
    question->outbox.stopped = true;
    question->outbox.count = 0;
}

/* Reports a pair that meets at rest and in this pose. */
static inline void grazei_self_report_known(grazei_self_question *question, uint32_t a, uint32_t b)
{
    grazei_known_pairs *known = &question->known;
    known->pairs[known->count++] =
        (graze_self_pair){.a = a < b ? a : b, .b = a < b ? b : a, .rest = true};
    if (question->first || known->count == sizeof known->pairs / sizeof *known->pairs)
        grazei_self_flush_known(question);
}

/* A node against itself, and against its later siblings up to `last`. */
static inline grazei_self_item grazei_itself(uint32_t node, uint32_t last)
{
    return (grazei_self_item){node, GRAZEI_ITSELF | last};
}

static inline bool grazei_is_itself(grazei_self_item item)
{
    return item.other & GRAZEI_ITSELF;
}

static inline uint32_t grazei_last_sibling(grazei_self_item item)
{
    return item.other & ~GRAZEI_ITSELF;
}

/* Asks to the end. skips: what cannot have folded. */
void grazei_collide_self(graze_body *body, graze_self_which which, bool first, bool skips,
                         graze_self_fn report, void *user, graze_stats *stats);

typedef struct grazei_self_kernels {
    void (*run)(grazei_question *question, grazei_agenda *agenda, graze_stats *stats);
} grazei_self_kernels;

GRAZEI_DECLARE(grazei_self_kernels, self_kernels);

#endif
