/* A list that grows, for what queries find. */
#ifndef GRAZE_CLI_LIST_H
#define GRAZE_CLI_LIST_H

#include <graze/pairs.h>

typedef struct item_list {
    void *items;
    size_t count, capacity;
} item_list;

/* Puts items of a size behind those there are. */
void list_add(item_list *list, const void *items, size_t count, size_t size);
void list_free(item_list *list);

/* Where pairs go that a query finds: behind those in the list. */
graze_pair_list list_of_pairs(item_list *list);

/* Sorts by the first number (uint32_t) of each item, or the first two. */
void list_sort(item_list *list, size_t size, int numbers);

#endif
