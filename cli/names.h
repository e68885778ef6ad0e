/* Words that are not there: which one was meant, and which there are. */
#ifndef GRAZE_CLI_NAMES_H
#define GRAZE_CLI_NAMES_H

#include <stddef.h>

/* Looks for the name that a word with a slip of the fingers was meant to be. */
typedef struct suggestion {
    const char *word;
    const char *name; /* the nearest so far, or NULL: none is near enough */
    size_t distance;
} suggestion;

void suggestion_offer(suggestion *search, const char *name);

/* "walk, run and 7 more": as many as fit on a line. */
typedef struct name_list {
    char text[320];
    size_t used;
    size_t left_out;
} name_list;

void name_list_add(name_list *list, const char *name);

/* The text, ended. */
const char *name_list_end(name_list *list);

#endif
