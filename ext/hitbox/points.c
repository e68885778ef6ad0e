#include "hitbox/points.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>

typedef struct range {
    uint32_t first, count, axis;
    double away[3]; /* the way to anything in it, along each axis, is not shorter */
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
    for (int k = 0; k < 3; k++)
        points->low[k] = points->high[k] = at[0][k];
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            points->low[k] = at[i][k] < points->low[k] ? at[i][k] : points->low[k];
            points->high[k] = at[i][k] > points->high[k] ? at[i][k] : points->high[k];
        }
    ranges[open++] = (range){.count = count};
    while (open) {
        range r = ranges[--open];
        uint32_t half = r.count / 2, next = (r.axis + 1) % 3;
        select_middle(points, points->order + r.first, r.count, r.axis);
        if (half > 1)
            ranges[open++] = (range){r.first, half, next, {0}};
        if (r.count - half - 1 > 1)
            ranges[open++] = (range){r.first + half + 1, r.count - half - 1, next, {0}};
    }
    return true;
}

/* As the square of a distance is found: it is at most that of anything that is farther along each
 * axis, rounding included.
 */
static double square_of(const double way[3])
{
    return (way[0] * way[0] + way[1] * way[1]) + way[2] * way[2];
}

static range all_points(const grazei_points *points, const double to[3])
{
    range all = {.count = points->count};
    for (int k = 0; k < 3; k++) {
        double below = points->low[k] - to[k], above = to[k] - points->high[k];
        all.away[k] = below > 0 ? below : above > 0 ? above : 0;
    }
    return all;
}

uint32_t grazei_points_nearest(const grazei_points *points, const double to[3], double limit)
{
    range ranges[MOST_RANGES];
    uint32_t open = 0, best = UINT32_MAX;
    double least = limit * limit;
    ranges[open++] = all_points(points, to);
    while (open) {
        range r = ranges[--open];
        if (square_of(r.away) > least)
            continue;
        uint32_t half = r.count / 2, number = points->order[r.first + half];
        const double *at = points->at[number];
        const double way[3] = {at[0] - to[0], at[1] - to[1], at[2] - to[2]};
        double square = square_of(way), beyond = fabs(way[r.axis]);
        if (square < least || (square == least && best != UINT32_MAX && number < best)) {
            least = square;
            best = number;
        }
        range low = r, high = r;
        low.count = half;
        high.first = r.first + half + 1;
        high.count = r.count - half - 1;
        low.axis = high.axis = (r.axis + 1) % 3;
        bool in_high = to[r.axis] > at[r.axis];
        double *other = in_high ? &low.away[r.axis] : &high.away[r.axis];
        *other = fmax(*other, beyond);
        /* The side that it is on is looked at first. */
        range first = in_high ? low : high, second = in_high ? high : low;
        if (first.count)
            ranges[open++] = first;
        if (second.count)
            ranges[open++] = second;
    }
    return best;
}
