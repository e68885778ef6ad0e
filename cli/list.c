#include "cli/list.h"

#include "cli/room.h"

void list_add(item_list *list, const void *items, size_t count, size_t size)
{
    if (count == 0)
        return; /* items may be NULL, and so may the list's */
    if (list->count + count > list->capacity) {
        list->capacity = 2 * (list->count + count) + 64;
        list->items = more_room(list->items, list->capacity, size);
    }
    memcpy((char *)list->items + list->count * size, items, count * size);
    list->count += count;
}

void list_free(item_list *list)
{
    free(list->items);
    *list = (item_list){.items = NULL};
}

static bool take_pairs(void *list, const graze_pair *pairs, size_t count)
{
    list_add(list, pairs, count, sizeof *pairs);
    return true;
}

graze_pair_list list_of_pairs(item_list *list)
{
    return (graze_pair_list){.report = take_pairs, .user = list};
}

static int by_one(const void *left, const void *right)
{
    const uint32_t *x = left, *y = right;
    return *x < *y ? -1 : *x > *y;
}

static int by_two(const void *left, const void *right)
{
    int first = by_one(left, right);
    return first ? first : by_one((const uint32_t *)left + 1, (const uint32_t *)right + 1);
}

void list_sort(item_list *list, size_t size, int numbers)
{
    if (list->count)
        qsort(list->items, list->count, size, numbers == 1 ? by_one : by_two);
}
