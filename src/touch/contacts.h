/* Where a shape touches the triangles of a body, which way apart and how deep. */
#ifndef GRAZEI_TOUCH_CONTACTS_H
#define GRAZEI_TOUCH_CONTACTS_H

#include "narrow/shapes.h"
#include "query/agenda.h"
#include "query/take.h"

enum { GRAZEI_TOUCH_CONTACTS = 64 };

typedef struct grazei_touch_contacts_question {
    grazei_question base;
    grazei_shape shape;
    grazei_contact_fn report;
    void *user;
    bool first; /* one is enough */
    bool stopped;
    uint32_t count;
    graze_contact contacts[GRAZEI_TOUCH_CONTACTS]; /* on their way to the caller */
} grazei_touch_contacts_question;

/* Puts the question; its shape is ready, and of a kind that has contacts. */
void grazei_touch_contacts_begin(grazei_touch_contacts_question *question, grazei_agenda *agenda,
                                 graze_body *body, bool first, grazei_contact_fn report, void *user,
                                 graze_stats *stats);

/* Answers it by all triangles. */
void grazei_touch_contacts_brute(grazei_touch_contacts_question *question, graze_body *body,
                                 bool first, grazei_contact_fn report, void *user,
                                 graze_stats *stats);

#endif
