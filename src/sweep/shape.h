/* When a moving shape first meets the triangles of a moving body. */
#ifndef GRAZEI_SWEEP_SHAPE_H
#define GRAZEI_SWEEP_SHAPE_H

#include "narrow/moving_shape.h"
#include "query/agenda.h"
#include "query/take.h"

enum { GRAZEI_SHAPE_IMPACTS = 16 };

typedef struct grazei_shape_sweep_question {
    grazei_question base; /* bodies: start and end */
    grazei_moving_shape shape;
    bool only_new, any, stopped;
    graze_impact best; /* so far, where there is no report */
    grazei_impact_fn report;
    void *user;
    uint32_t count;
    graze_impact impacts[GRAZEI_SHAPE_IMPACTS]; /* on their way to report */
} grazei_shape_sweep_question;

/* Errors for a bad motion or shape; makes the shape ready. */
graze_status grazei_shape_sweep_check(grazei_shape_sweep_question *q, const graze_motion *motion,
                                      const graze_shape *from, const graze_shape *to,
                                      graze_error *error);

/* Puts the question; the shape is ready. report NULL: the earliest impact comes to be in best. */
void grazei_shape_sweep_put(grazei_shape_sweep_question *q, const graze_motion *motion,
                            bool only_new, bool any, grazei_impact_fn report, void *user);

/* Puts the root on the agenda, unless it stays apart. */
void grazei_shape_sweep_begin(grazei_shape_sweep_question *q, grazei_agenda *agenda,
                              graze_stats *stats);

/* Answers the question by all triangles. */
void grazei_shape_sweep_brute(grazei_shape_sweep_question *q, graze_stats *stats);

#endif
