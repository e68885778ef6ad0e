/* Four of many points, so that a thing on them stands as on all of them. */
#include "world/points.h"

#include "base/assert.h"

static double square_between(const grazei_point *a, const grazei_point *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double d = (double)a->point[k] - b->point[k];
        sum += d * d;
    }
    return sum;
}

/* Four times the squared area of a triangle. */
static double square_area(const grazei_point *a, const grazei_point *b, const grazei_point *c)
{
    double u[3], v[3], sum = 0;
    for (int k = 0; k < 3; k++) {
        u[k] = (double)b->point[k] - a->point[k];
        v[k] = (double)c->point[k] - a->point[k];
    }
    for (int k = 0; k < 3; k++) {
        int x = (k + 1) % 3, y = (k + 2) % 3;
        double across = u[x] * v[y] - u[y] * v[x];
        sum += across * across;
    }
    return sum;
}

/* How much a point adds to those that are chosen. */
static double gain_of(const grazei_point *points, uint32_t chosen, const grazei_point *point)
{
    if (chosen == 0)
        return point->depth;
    if (chosen == 1)
        return square_between(&points[0], point);
    if (chosen == 2)
        return square_area(&points[0], &points[1], point);
    double least = square_between(&points[0], point);
    GRAZE_ASSERT(chosen < GRAZE_MAX_CONTACT_POINTS);
    for (uint32_t i = 1; i < chosen; i++) {
        double other = square_between(&points[i], point);
        least = other < least ? other : least;
    }
    return least;
}

uint32_t grazei_choose_points(grazei_point *points, size_t count)
{
    uint32_t chosen = 0;
    while (chosen < GRAZE_MAX_CONTACT_POINTS && chosen < count) {
        size_t best = chosen;
        double gain = gain_of(points, chosen, &points[chosen]);
        for (size_t i = chosen + 1; i < count; i++) {
            double other = gain_of(points, chosen, &points[i]);
            if (other > gain) {
                gain = other;
                best = i;
            }
        }
        if (chosen && !(gain > 0))
            break; /* the rest is where chosen ones are */
        grazei_point swapped = points[chosen];
        points[chosen++] = points[best];
        points[best] = swapped;
    }
    return chosen;
}
