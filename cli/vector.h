/* Vectors, and turns by unit quaternions, x y z w. */
#ifndef GRAZE_CLI_VECTOR_H
#define GRAZE_CLI_VECTOR_H

#include <math.h>
#include <stddef.h>

static inline double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double length_of(const double a[3])
{
    return sqrt(dot(a, a));
}

/* Of the distance between two points. */
static inline double square_of(const float *point, const double centre[3])
{
    const double off[3] = {point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]};
    return dot(off, off);
}

static inline void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static inline void turn_vector(const double q[4], const double v[3], double out[3])
{
    double t[3];
    for (int k = 0; k < 3; k++)
        t[k] = 2 * (q[(k + 1) % 3] * v[(k + 2) % 3] - q[(k + 2) % 3] * v[(k + 1) % 3]);
    for (int k = 0; k < 3; k++)
        out[k] =
            v[k] + q[3] * t[k] + q[(k + 1) % 3] * t[(k + 2) % 3] - q[(k + 2) % 3] * t[(k + 1) % 3];
}

/* The box around points. */
static inline void box_of(const float *points, size_t count, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (size_t i = 0; i < 3 * count; i++) {
        double x = points[i];
        low[i % 3] = x < low[i % 3] ? x : low[i % 3];
        high[i % 3] = x > high[i % 3] ? x : high[i % 3];
    }
}

#endif
