#include "cli/pairs.h"

#include <stdlib.h>
#include <string.h>

bool pair_list_take(void *user, const graze_pair *pairs, size_t count)
{
    pair_list *list = user;
    if (list->count + count > list->capacity) {
        size_t capacity = 2 * (list->count + count) + 64;
        graze_pair *larger = realloc(list->pairs, capacity * sizeof *larger);
        if (!larger) {
            list->failed = true;
            return false;
        }
        list->pairs = larger;
        list->capacity = capacity;
    }
    memcpy(list->pairs + list->count, pairs, count * sizeof *pairs);
    list->count += count;
    return true;
}

bool pair_list_take_first(void *list, const graze_pair *pairs, size_t count)
{
    (void)count;
    pair_list_take(list, pairs, 1);
    return false;
}

static int compare(const void *left, const void *right)
{
    const graze_pair *x = left, *y = right;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

void pair_list_sort(pair_list *list)
{
    if (list->count)
        qsort(list->pairs, list->count, sizeof *list->pairs, compare);
}

void pair_list_free(pair_list *list)
{
    free(list->pairs);
    *list = (pair_list){0};
}
