/* Contacts that a callback was given, one after the other. */
#ifndef GRAZE_TESTS_CONTACT_STORE_H
#define GRAZE_TESTS_CONTACT_STORE_H

#include <graze/contact.h>

typedef struct contact_store {
    graze_contact *items;
    size_t count, capacity;
} contact_store;

/* Empties the store and returns the list that fills it. */
graze_contact_list contact_store_start(contact_store *store);
void contact_store_free(contact_store *store);

#endif
