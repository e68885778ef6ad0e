/* When triangles of moving bodies first meet. */
#ifndef GRAZEI_SWEEP_SWEEP_H
#define GRAZEI_SWEEP_SWEEP_H

#include "math/isa.h"
#include "narrow/moving.h"
#include "query/agenda.h"
#include "query/take.h"

#include <graze/sweep.h>

typedef struct grazei_sweep_question {
    grazei_question base; /* bodies: start and end of a, start and end of b */
    bool self;            /* b is a: items are of self/self.h */
    bool only_new;
    bool any;          /* one impact is enough */
    graze_impact best; /* so far, where there is no report */
    grazei_impact_fn report;
    void *user;
    bool stopped;
    uint32_t impact_count;
    graze_impact impacts[16]; /* on their way to report, empty between runs */
} grazei_sweep_question;

/* Puts the question; the agenda is empty afterwards if even the roots stay apart. The motions were
 * checked; b may be NULL. report NULL: the earliest impact comes to be in question->best.
 */
void grazei_sweep_begin(grazei_sweep_question *question, grazei_agenda *agenda,
                        const graze_motion *a, const graze_motion *b, bool only_new, bool any,
                        grazei_impact_fn report, void *user, graze_stats *stats);

/* The same without an agenda. */
void grazei_sweep_put(grazei_sweep_question *question, const graze_motion *a, const graze_motion *b,
                      bool only_new, bool any, grazei_impact_fn report, void *user);

/* Errors for one motion; names: of the motion, of its start and of its end. */
graze_status grazei_check_motion(const graze_motion *motion, const char *const names[3],
                                 graze_error *error);

/* The same for two motions of bodies; b may be NULL. */
graze_status grazei_check_motions(const graze_motion *a, const graze_motion *b, graze_error *error);

/* Answers the question, which was put, by all triangles against all. */
void grazei_sweep_brute(grazei_sweep_question *question, graze_stats *stats);

/* Impacts later than this do not matter any more. */
static inline float grazei_sweep_latest(const grazei_sweep_question *question)
{
    return question->report || !question->best.found ? 1 : question->best.time;
}

/* Tests two moving triangles with these public numbers, and takes over their impact. */
void grazei_sweep_triangles(grazei_sweep_question *question, const grazei_moving_triangle *a,
                            uint32_t name_a, const grazei_moving_triangle *b, uint32_t name_b);

/* Takes over an impact. */
void grazei_sweep_take(grazei_sweep_question *question, const graze_impact *impact);

/* Hands over the impacts that are waiting. */
void grazei_sweep_flush(grazei_sweep_question *question);

typedef struct grazei_sweep_kernels {
    void (*begin)(grazei_sweep_question *question, grazei_agenda *agenda, graze_stats *stats);
    void (*run)(grazei_question *question, grazei_agenda *agenda, graze_stats *stats);
} grazei_sweep_kernels;

GRAZEI_DECLARE(grazei_sweep_kernels, sweep_kernels);

#endif
