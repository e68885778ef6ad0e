/* Words that are not there: which one was meant, and which there are. */
#ifndef GRAZE_CLI_NAMES_H
#define GRAZE_CLI_NAMES_H

#include <stddef.h>

/* Looks for the name that a word with a slip of the fingers was meant to be. */
typedef struct name_search {
    const char *word;
    const char *near; /* the nearest so far, or NULL: none is near enough */
    size_t distance;
    char all[320]; /* of the names: as many as fit on a line */
    size_t used, left_out;
    char told[400];
} name_search;

/* One of the names there are; NULL is none. Or one that is only to be listed. */
void name_search_offer(name_search *search, const char *name);
void name_search_list(name_search *search, const char *name);

/* "did you mean walk?", else what stands before, and all: "there are walk, run and 7 more". */
const char *name_search_tell(name_search *search, const char *before);

/* "walk, run and 7 more". */
const char *name_search_all(name_search *search);

#endif
