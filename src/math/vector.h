/* Three doubles as a vector. */
#ifndef GRAZEI_MATH_VECTOR_H
#define GRAZEI_MATH_VECTOR_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline double grazei_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void grazei_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double grazei_length(const double a[3])
{
    return sqrt(grazei_dot(a, a));
}

static inline double grazei_distance(const double a[3], const double b[3])
{
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return grazei_length(d);
}

/* to becomes at + by * along. */
static inline void grazei_along(const double at[3], double by, const double along[3], double to[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = at[k] + by * along[k];
}

/* Makes a vector of length 1; false, and it stays, if it has hardly any. */
static inline bool grazei_normalise(double a[3])
{
    double length = grazei_length(a);
    if (!(length > 1e-300))
        return false;
    for (int k = 0; k < 3; k++)
        a[k] /= length;
    return true;
}

/* Takes out of a what goes along a unit vector. */
static inline void grazei_reject(double a[3], const double unit[3])
{
    grazei_along(a, -grazei_dot(a, unit), unit, a);
}

/* A unit vector across a unit vector, the one with the coordinate axis that it goes along least. */
static inline void grazei_across(const double unit[3], double out[3])
{
    int least = fabs(unit[0]) <= fabs(unit[1]) ? 0 : 1;
    if (fabs(unit[2]) < fabs(unit[least]))
        least = 2;
    out[0] = out[1] = out[2] = 0;
    out[least] = 1;
    grazei_reject(out, unit);
    grazei_normalise(out);
}

static inline void grazei_position(const float *positions, uint32_t vertex, double out[3])
{
    for (uint32_t k = 0; k < 3; k++)
        out[k] = (double)positions[3 * (size_t)vertex + k];
}

#endif
