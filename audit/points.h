/* Points and vectors of three doubles. */
#ifndef GRAZE_AUDIT_POINTS_H
#define GRAZE_AUDIT_POINTS_H

#include <math.h>

typedef struct point {
    double x, y, z;
} point;

static inline point point_of(const float p[3])
{
    return (point){(double)p[0], (double)p[1], (double)p[2]};
}

static inline point point_at(const double p[3])
{
    return (point){p[0], p[1], p[2]};
}

static inline point minus(point a, point b)
{
    return (point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline point plus(point a, double t, point b)
{
    return (point){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}

static inline double dot(point a, point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline point cross(point a, point b)
{
    return (point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double distance2(point a, point b)
{
    point d = minus(a, b);
    return dot(d, d);
}

/* 0 stays 0. */
static inline point unit(point a)
{
    double length = sqrt(dot(a, a));
    return length > 0 ? (point){a.x / length, a.y / length, a.z / length} : a;
}

#endif
