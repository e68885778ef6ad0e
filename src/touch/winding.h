/* How often a surface that need not be closed goes round a point. */
#ifndef GRAZEI_TOUCH_WINDING_H
#define GRAZEI_TOUCH_WINDING_H

#include "query/agenda.h"

typedef struct grazei_winding_question {
    grazei_question base;
    float point[3];
    float winding; /* the answer */
} grazei_winding_question;

/* Puts the question. It is answered in one step. */
void grazei_winding_begin(grazei_winding_question *question, grazei_agenda *agenda,
                          graze_body *body, const float point[3]);

#endif
