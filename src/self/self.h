/* Pairs of triangles of one body that meet and are no neighbours. */
#ifndef GRAZEI_SELF_SELF_H
#define GRAZEI_SELF_SELF_H

#include "base/assert.h"
#include "body/patches.h"
#include "narrow/candidate_kernels.h"
#include "query/agenda.h"
#include "query/outbox.h"

#include <graze/pairs.h>

/* What is known of a pair that is tested, as marks on its second triangle (batch_kernels.h): it
 * meets at rest, or that has to be found out. Without either it does not.
 */
#define GRAZEI_MET_AT_REST 0x80000000u
#define GRAZEI_REST_UNKNOWN 0x40000000u

/* Pairs that meet at rest, and surely do in this pose: nothing but to be handed on. */
typedef struct grazei_known_pairs {
    uint32_t count;
    graze_pair pairs[128];
} grazei_known_pairs;

typedef struct grazei_self_question {
    grazei_question base;
    bool only_new;
    grazei_pair_fn report;
    void *user;
    bool first;
    bool whole;                       /* all of it is asked in one go, without a budget */
    const graze_part_filter *between; /* NULL: all triangles count */
    const grazei_fold_pose
        *folds;                /* what cannot have folded is skipped; NULL: look at everything */
    const grazei_folds *table; /* that they are of, or an empty one */
    grazei_outbox outbox;
    grazei_known_pairs known;
    grazei_candidates batch;
} grazei_self_question;

void grazei_self_begin(grazei_self_question *question, grazei_agenda *agenda, graze_body *body,
                       bool only_new, bool first, grazei_pair_fn report, void *user,
                       graze_stats *stats);

/* Errors for a filter that is not of the body's parts. */
graze_status grazei_check_filter(const graze_body *body, const graze_part_filter *between,
                                 graze_error *error);

/* All triangles of a body against each other. */
void grazei_self_brute(grazei_self_question *question, graze_body *body, bool only_new, bool first,
                       const graze_part_filter *between, grazei_pair_fn report, void *user,
                       graze_stats *stats);

/* A grazei_pair_fn, user a question: puts pairs in order and hands on those wanted. */
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
    GRAZE_ASSERT(a != b && known->count < sizeof known->pairs / sizeof *known->pairs);
    known->pairs[known->count++] =
        (graze_pair){.a = a < b ? a : b, .b = a < b ? b : a, .at_rest = true};
    if (question->first || known->count == sizeof known->pairs / sizeof *known->pairs)
        grazei_self_flush_known(question);
}

/* A node against itself, and against its later siblings up to `last`. */
static inline grazei_self_item grazei_itself(uint32_t node, uint32_t last)
{
    GRAZE_ASSERT(last < GRAZEI_ITSELF);
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

typedef struct grazei_self_kernels {
    void (*run)(grazei_question *question, grazei_agenda *agenda, graze_stats *stats);
} grazei_self_kernels;

GRAZEI_DECLARE(grazei_self_kernels, self_kernels);

#endif
