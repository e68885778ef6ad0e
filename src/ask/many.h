/* Many recorded questions, answered by the threads of a pool. */
#ifndef GRAZEI_ASK_MANY_H
#define GRAZEI_ASK_MANY_H

#include "ask/ask.h"

/* A question of a batch. */
typedef struct grazei_recorded {
    grazei_call call;
    atomic_bool stopped; /* its receiver has had enough */
    bool settled;        /* there is nothing left to do for it in this run */
} grazei_recorded;

/* Records that are answered together: one, or rays of one body. */
typedef struct grazei_unit {
    size_t first;
    uint32_t count;
} grazei_unit;

/* Of all that failed, the question with the lowest number. */
typedef struct grazei_failure {
    graze_status status;
    size_t number;
    graze_error error;
} grazei_failure;

void grazei_note_failure(grazei_failure *failure, size_t number, const graze_error *error);

/* Answers count units of records that are ready: their lists are empty, their bodies have caches.
 * The bodies are shared meanwhile if the pool has several threads.
 */
void grazei_answer_units(graze_pool *pool, grazei_recorded *records, const grazei_unit *units,
                         size_t count, graze_stats *stats, grazei_failure *failure);

#endif
