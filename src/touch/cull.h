/* Is a body in view? */
#ifndef GRAZEI_TOUCH_CULL_H
#define GRAZEI_TOUCH_CULL_H

#include "narrow/shapes.h"
#include "query/agenda.h"

#include <graze/touch.h>

typedef struct grazei_cull_question {
    grazei_question base;
    grazei_shape shape;
    uint32_t depth;
    graze_side side; /* the answer */
} grazei_cull_question;

/* Puts the question; its shape is ready. It is answered in one step. */
void grazei_cull_begin(grazei_cull_question *question, grazei_agenda *agenda, graze_body *body,
                       uint32_t depth);

#endif
