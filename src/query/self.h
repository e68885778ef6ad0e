/* Pairs of triangles of one body that meet and are no neighbours. */
#ifndef GRAZEI_QUERY_SELF_H
#define GRAZEI_QUERY_SELF_H

#include "query/agenda.h"
#include "query/outbox.h"

#include <graze/self.h>

/* An item of the agenda with this bit in its second node is a node against itself, and against its
 * later siblings up to the one that the other bits name. Nodes are numbered from 0, so that a tree
 * has room for 2^31.
 */
#define GRAZEI_SELF_ITEM 0x80000000u

typedef struct grazei_self_question {
    grazei_question base;
    graze_self_which which;
    graze_self_fn report;
    void *user;
    bool first;
    bool skips; /* what cannot have folded */
    grazei_fold_pose pose;
    grazei_outbox outbox;
    grazei_batch batch;
} grazei_self_question;

void grazei_self_begin(grazei_self_question *question, grazei_agenda *agenda, graze_body *body,
                       graze_self_which which, bool first, graze_self_fn report, void *user,
                       graze_stats *stats);

/* Errors for a bad body, or a kind of pairs that does not exist. */
graze_status grazei_check_self(const graze_body *body, graze_self_which which, graze_error *error);

typedef struct grazei_self_kernels {
    void (*run)(grazei_question *question, grazei_agenda *agenda, graze_stats *stats);
} grazei_self_kernels;

GRAZEI_DECLARE(grazei_self_kernels, self_kernels);

#endif
