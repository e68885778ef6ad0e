/* Is a point inside a body? */
#ifndef GRAZEI_TOUCH_INSIDE_H
#define GRAZEI_TOUCH_INSIDE_H

#include "query/agenda.h"

#include <graze/touch.h>

typedef struct grazei_inside_question {
    grazei_question base;
    float point[3];
    bool on_surface;
    int32_t winding; /* crossings found so far; the number itself when the agenda is empty */
} grazei_inside_question;

/* Puts the question; the agenda is empty afterwards if the ray misses the root. */
void grazei_inside_begin(grazei_inside_question *question, grazei_agenda *agenda, graze_body *body,
                         const float point[3], graze_stats *stats);

/* Errors for a bad body, and for a point that is NULL, not finite or too far away. */
graze_status grazei_check_point(const graze_body *body, const float point[3], graze_error *error);

/* Answers the question by all triangles. */
void grazei_inside_brute(grazei_inside_question *question, graze_body *body, const float point[3],
                         graze_stats *stats);

/* The answer when the agenda is empty. */
graze_point_side grazei_inside_answer(const grazei_inside_question *question);

#endif
