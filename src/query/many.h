/* Many questions of one kind, over the threads of a pool: what all of graze/threads.h share but
 * pairs of triangles, whose work can be split further (pair_parallel.c). Concrete ones have this as
 * their first member.
 */
#ifndef GRAZEI_QUERY_MANY_H
#define GRAZEI_QUERY_MANY_H

#include "base/threads.h"
#include "query/agenda.h"

#include <graze/threads.h>

typedef struct grazei_many grazei_many;

struct grazei_many {
    size_t count;  /* of questions, which are checked */
    size_t packet; /* how many are best answered together */

    /* Answers questions [first, end), on any thread. */
    void (*answer)(grazei_many *many, size_t first, size_t end, graze_stats *stats);

    /* The bodies of a question, numbered from 0 on; NULL: there are no more. */
    graze_body *(*body)(const grazei_many *many, size_t question, uint32_t number);

    /* many.c's own. */
    graze_stats *stats;
    bool shares;
    grazei_lock lock;     /* for callbacks, statistics and errors */
    atomic_bool stopped;  /* the receiver has had enough */
    graze_status failure; /* of the lowest question that could not be answered */
    size_t failed;
    graze_error *error; /* of the caller's, with its text */
};

/* Answers all questions; their bodies are shared meanwhile. stats may be NULL. Returns the error of
 * the first question that failed on the way, with its number; the others are answered.
 */
graze_status grazei_many_run(graze_pool *pool, grazei_many *many, const char *name,
                             graze_stats *stats, graze_error *error);

/* A question cannot be answered. */
void grazei_many_fail(grazei_many *many, size_t question, const graze_error *failure);

/* Around a callback, which comes from one thread at a time. False: it is not to be called, because
 * one before has said stop.
 */
bool grazei_many_begin_report(grazei_many *many);
void grazei_many_end_report(grazei_many *many, bool go_on);

bool grazei_many_is_stopped(grazei_many *many);

/* Puts the number of its question before the text of an error: "NAME NUMBER: TEXT". */
graze_status grazei_fail_of(graze_error *error, graze_status status, const char *name,
                            size_t number);

/* Errors for a list that is missing, and for pairs that graze_collide would refuse. */
graze_status grazei_check_pairs(const graze_body_pair *pairs, size_t count, graze_error *error);

#endif
