#include "parts/points.h"

#include "base/memory.h"

typedef struct range {
    uint32_t first, count, axis;
    double square; /* at most that of the distance to anything in it */
} range;

enum { MOST_RANGES = 72 }; /* two a level */

static bool is_less(const grazei_points *p, uint32_t a, uint32_t b, uint32_t axis)
{
    double x = p->at[a][axis], y = p->at[b][axis];
    return x < y || (x == y && a < b);
}

/* Puts the point that belongs there by the axis into the middle, smaller ones before it (Hoare). */
static void select_middle(const grazei_points *p, uint32_t *order, uint32_t count, uint32_t axis)
{
    uint32_t low = 0, high = count - 1, middle = count / 2;
    while (low < high) {
        uint32_t pivot = order[low + (high - low) / 2], i = low, k = high;
        for (;;) {
            while (is_less(p, order[i], pivot, axis))
                i++;
            while (is_less(p, pivot, order[k], axis))
                k--;
            if (i >= k)
                break;
            uint32_t swapped = order[i];
            order[i] = order[k];
            order[k] = swapped;
        }
        /* order[i] is the pivot: numbers are all different. */
        if (i == middle)
            return;
        if (i < middle)
            low = i + 1;
        else
            high = i - 1;
    }
}

bool grazei_points_build(grazei_points *points, const double (*at)[3], uint32_t count,
                         const graze_allocator *allocator)
{
    range ranges[MOST_RANGES];
    uint32_t open = 0;
    points->at = at;
    points->count = count;
    points->order = GRAZEI_ALLOCATE(allocator, count, uint32_t);
    if (!points->order)
        return false;
    for (uint32_t i = 0; i < count; i++)
        points->order[i] = i;
    ranges[open++] = (range){0, count, 0, 0};
    while (open) {
        range r = ranges[--open];
        uint32_t half = r.count / 2, next = (r.axis + 1) % 3;
        select_middle(points, points->order + r.first, r.count, r.axis);
        if (half > 1)
            ranges[open++] = (range){r.first, half, next, 0};
        if (r.count - half - 1 > 1)
            ranges[open++] = (range){r.first + half + 1, r.count - half - 1, next, 0};
    }
    return true;
}

uint32_t grazei_points_nearest(const grazei_points *points, const double to[3], double limit)
{
    range ranges[MOST_RANGES];
    uint32_t open = 0, best = UINT32_MAX;
    double least = limit * limit;
    ranges[open++] = (range){0, points->count, 0, 0};
    while (open) {
        range r = ranges[--open];
        if (r.square > least)
            continue;
        uint32_t half = r.count / 2, number = points->order[r.first + half];
        const double *at = points->at[number];
        double square = 0, beyond = to[r.axis] - at[r.axis];
        for (int k = 0; k < 3; k++)
            square += (at[k] - to[k]) * (at[k] - to[k]);
        if (square < least || (square == least && best != UINT32_MAX && number < best)) {
            least = square;
            best = number;
        }
        range low = {r.first, half, (r.axis + 1) % 3, 0};
        range high = {r.first + half + 1, r.count - half - 1, (r.axis + 1) % 3, 0};
        if (beyond > 0)
            low.square = beyond * beyond;
        else
            high.square = beyond * beyond;
        /* The side that it is on is looked at first. */
        range first = beyond > 0 ? low : high, second = beyond > 0 ? high : low;
        if (first.count)
            ranges[open++] = first;
        if (second.count)
            ranges[open++] = second;
    }
    return best;
}
