/* Three doubles: what the generators calculate with. Only + - * / and sqrt, so that every machine
 * gets the same bits.
 */
#ifndef GRAZE_SCENES_VECTOR_H
#define GRAZE_SCENES_VECTOR_H

#include <math.h>

typedef struct grazei_vec {
    double x, y, z;
} grazei_vec;

static inline grazei_vec vec_make(double x, double y, double z)
{
    grazei_vec v = {x, y, z};
    return v;
}

static inline grazei_vec vec_add(grazei_vec a, grazei_vec b)
{
    return vec_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline grazei_vec vec_sub(grazei_vec a, grazei_vec b)
{
    return vec_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline grazei_vec vec_scale(grazei_vec a, double s)
{
    return vec_make(a.x * s, a.y * s, a.z * s);
}

/* a + s b */
static inline grazei_vec vec_along(grazei_vec a, grazei_vec b, double s)
{
    return vec_make(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}

static inline double vec_dot(grazei_vec a, grazei_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline grazei_vec vec_cross(grazei_vec a, grazei_vec b)
{
    return vec_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double vec_length(grazei_vec a)
{
    return sqrt(vec_dot(a, a));
}

/* a with length 1, or zero if it has none. */
static inline grazei_vec vec_unit(grazei_vec a)
{
    double length = vec_length(a);
    return length > 0 ? vec_scale(a, 1 / length) : a;
}

static inline double vec_clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

#endif
