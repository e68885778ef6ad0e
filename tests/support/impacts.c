#include "support/impacts.h"

#include <stdlib.h>
#include <string.h>

bool impact_set_take(void *user, const graze_impact *impacts, size_t count)
{
    impact_set *set = user;
    if (set->count + count > set->capacity) {
        set->capacity = 2 * (set->count + count);
        set->impacts = realloc(set->impacts, set->capacity * sizeof *impacts);
        if (!set->impacts)
            abort();
    }
    memcpy(set->impacts + set->count, impacts, count * sizeof *impacts);
    set->count += count;
    return !set->stop || set->count < set->stop;
}

void impact_set_free(impact_set *set)
{
    free(set->impacts);
    *set = (impact_set){0};
}

static int compare(const void *left, const void *right)
{
    const graze_impact *x = left, *y = right;
    const uint32_t *s = x->triangles, *t = y->triangles;
    if (s[0] != t[0])
        return s[0] < t[0] ? -1 : 1;
    return s[1] < t[1] ? -1 : s[1] > t[1];
}

void impact_set_sort(impact_set *set)
{
    if (set->count)
        qsort(set->impacts, set->count, sizeof *set->impacts, compare);
}

const graze_impact *impact_set_find(const impact_set *set, uint32_t a, uint32_t b)
{
    const graze_impact key = {.triangles = {a, b}};
    return set->count ? bsearch(&key, set->impacts, set->count, sizeof key, compare) : NULL;
}

bool impact_same(const graze_impact *x, const graze_impact *y)
{
    return x->found == y->found && x->initial == y->initial &&
           !memcmp(&x->time, &y->time, sizeof x->time) &&
           !memcmp(x->triangles, y->triangles, sizeof x->triangles) &&
           !memcmp(x->parts, y->parts, sizeof x->parts) &&
           !memcmp(x->point, y->point, sizeof x->point) &&
           !memcmp(x->normal, y->normal, sizeof x->normal);
}

bool impact_set_equal(impact_set *x, impact_set *y, size_t *odd)
{
    size_t i = 0;
    impact_set_sort(x);
    impact_set_sort(y);
    while (i < x->count && i < y->count && impact_same(&x->impacts[i], &y->impacts[i]))
        i++;
    if (odd)
        *odd = i;
    return i == x->count && i == y->count;
}

graze_impact impact_set_earliest(const impact_set *set)
{
    graze_impact best = {.found = false};
    for (size_t i = 0; i < set->count; i++)
        if (graze_impact_is_earlier(&set->impacts[i], &best))
            best = set->impacts[i];
    return best;
}
