/* Contacts as queries report them, with the finder that knows their details. */
#ifndef GRAZE_TESTS_SUPPORT_CONTACTS_H
#define GRAZE_TESTS_SUPPORT_CONTACTS_H

#include "support/own.h"

#include <graze/touch.h>

typedef struct contact_set {
    graze_contact_finder *finder; /* of the set; NULL of contacts with shapes */
    graze_contact *contacts;
    graze_contact_details *details; /* by contact_set_find */
    size_t count, capacity;
    size_t calls; /* of the callback */
    size_t stop;  /* the callback says stop at this call; 0: never */
} contact_set;

/* The callback of a contact list; user is a contact_set. */
bool contact_set_take(void *user, const graze_contact *contacts, size_t count);

/* A list that goes to a contact_set. */
#define TO_CONTACT_SET(set) (&(graze_contact_list){.report = contact_set_take, .user = (set)})

/* An empty set with a finder; def may be NULL. Records a failure and returns false if there is
 * none.
 */
bool contact_set_open(contact_set *set, const graze_model *a, const graze_model *b,
                      const graze_contact_finder_def *def);

/* Puts all contacts of two bodies, and their details, into the emptied set. */
graze_status contact_set_find(contact_set *set, graze_body *a, graze_body *b, graze_stats *stats,
                              graze_error *error);

/* The same from pairs. */
graze_status contact_set_from_pairs(contact_set *set, graze_body *a, graze_body *b,
                                    const graze_pair *pairs, size_t count, graze_error *error);

/* Empties the set but keeps its memory. */
void contact_set_clear(contact_set *set);
void contact_set_free(contact_set *set);
OWN_VALUE(contact_set, contact_set_free)

#endif
