/* Contacts of a frame: what --contacts adds to graze collide. */
#ifndef GRAZE_CLI_CONTACTS_H
#define GRAZE_CLI_CONTACTS_H

#include "cli/parts.h"

#include <graze/contact.h>

/* Makes a finder, or finds the contacts of pairs; both print the error and return false on failure.
 */
bool contacts_open(graze_contacts **contacts, const graze_model *a, const graze_model *b);
bool contacts_take(graze_contacts *contacts, graze_body *a, graze_body *b, const pair_list *pairs,
                   graze_stats *stats);

/* "contacts":[...], with the comma behind it. */
void contacts_print_json(const graze_contacts *contacts, const struct character_pair *characters);

/* A line each, and a row each. */
void contacts_print(const graze_contacts *contacts, const struct character_pair *characters);
#define CONTACT_COLUMNS                                                                            \
    "frame,time,x,y,z,normal_x,normal_y,normal_z,depth,pairs,length,part_a,part_b"
void contacts_write(const graze_contacts *contacts, const struct character_pair *characters,
                    struct csv *csv, uint32_t frame, double time);

#endif
