#include "support/pairs.h"

#include "harness.h"

#include <stdlib.h>
#include <string.h>

bool pair_set_take(void *user, const graze_pair *pairs, size_t count)
{
    pair_set *set = user;
    if (set->count + count > set->capacity) {
        set->capacity = 2 * (set->count + count) + 256;
        set->pairs = realloc(set->pairs, set->capacity * sizeof *set->pairs);
        if (!set->pairs)
            abort();
    }
    memcpy(set->pairs + set->count, pairs, count * sizeof *pairs);
    set->count += count;
    set->calls++;
    return set->calls != set->stop;
}

void pair_set_clear(pair_set *set)
{
    set->count = set->calls = 0;
}

void pair_set_free(pair_set *set)
{
    free(set->pairs);
    *set = (pair_set){0};
}

static int compare(const void *left, const void *right)
{
    const graze_pair *x = left, *y = right;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

bool pair_set_sort(pair_set *set)
{
    if (set->count)
        qsort(set->pairs, set->count, sizeof *set->pairs, compare);
    for (size_t i = 1; i < set->count; i++)
        if (compare(&set->pairs[i - 1], &set->pairs[i]) == 0)
            return false;
    return true;
}

bool pair_set_equal(const pair_set *x, const pair_set *y, graze_pair *odd)
{
    for (size_t i = 0; i < x->count || i < y->count; i++) {
        int order = i == x->count ? 1 : i == y->count ? -1 : compare(&x->pairs[i], &y->pairs[i]);
        if (order == 0 && x->pairs[i].at_rest == y->pairs[i].at_rest)
            continue;
        *odd = order <= 0 ? x->pairs[i] : y->pairs[i];
        return false;
    }
    return true;
}

const graze_pair *pair_set_find(const pair_set *set, graze_pair pair)
{
    return set->count ? bsearch(&pair, set->pairs, set->count, sizeof pair, compare) : NULL;
}

size_t test_count_pairs(graze_body *a, graze_body *b)
{
    graze_pair_list found = {0};
    CHECK(graze_pairs(a, b, &found, NULL, NULL) == GRAZE_OK);
    return found.total;
}

bool test_meets(graze_body *a, graze_body *b, graze_stats *stats)
{
    graze_pair_list found = {0};
    const graze_options options = {.any = true, .stats = stats};
    CHECK(graze_pairs(a, b, &found, &options, NULL) == GRAZE_OK && found.total <= 1);
    return found.total > 0;
}

bool test_touches(graze_body *body, const graze_shape *shape, graze_stats *stats)
{
    graze_triangle_list found = {0};
    const graze_options options = {.any = true, .stats = stats};
    CHECK(graze_touch(body, shape, &found, &options, NULL) == GRAZE_OK && found.total <= 1);
    return found.total > 0;
}
