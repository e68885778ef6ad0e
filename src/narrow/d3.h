/* Vectors of three doubles. */
#ifndef GRAZEI_NARROW_D3_H
#define GRAZEI_NARROW_D3_H

typedef struct d3 {
    double x, y, z;
} d3;

static inline d3 d3_sub(d3 a, d3 b)
{
    return (d3){a.x - b.x, a.y - b.y, a.z - b.z};
}

/* a + t b */
static inline d3 d3_along(d3 a, double t, d3 b)
{
    return (d3){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}

static inline d3 d3_scale(d3 a, double t)
{
    return (d3){t * a.x, t * a.y, t * a.z};
}

static inline double d3_dot(d3 a, d3 b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static inline d3 d3_cross(d3 a, d3 b)
{
    return (d3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* One instruction each, where fmin and fmax are calls. The second is returned where either is not a
 * number.
 */
static inline double d1_min(double a, double b)
{
    return a < b ? a : b;
}

static inline double d1_max(double a, double b)
{
    return a > b ? a : b;
}

#endif
