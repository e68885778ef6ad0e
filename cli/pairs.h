/* A growing list of pairs, as a receiver for queries. */
#ifndef GRAZE_CLI_PAIRS_H
#define GRAZE_CLI_PAIRS_H

#include <graze/query.h>

typedef struct pair_list {
    graze_pair *pairs;
    size_t count, capacity;
    bool failed; /* out of memory */
} pair_list;

/* graze_pair_fn with a pair_list as user; the second one stops after a pair. */
bool pair_list_take(void *list, const graze_pair *pairs, size_t count);
bool pair_list_take_first(void *list, const graze_pair *pairs, size_t count);

/* By a, then by b. */
void pair_list_sort(pair_list *list);
void pair_list_free(pair_list *list);

#endif
