/* Unit quaternions x y z w in an f4, and rotations. Scalar code: the same bits everywhere. */
#ifndef GRAZEI_MATH_QUAT_H
#define GRAZEI_MATH_QUAT_H

#include "math/f4.h"

static inline float f4_dot4(f4 a, f4 b)
{
    f4 p = a * b;
    return (p[0] + p[1]) + (p[2] + p[3]);
}

/* Lanes in another order: a[i], a[k], a[l], a[m]. */
#if defined(__SSE2__)
#define f4_order(a, i, k, l, m)                                                                    \
    ((f4)_mm_shuffle_ps((__m128)(a), (__m128)(a), _MM_SHUFFLE(m, l, k, i)))
#else
#define f4_order(a, i, k, l, m) f4_set((a)[i], (a)[k], (a)[l], (a)[m])
#endif

static inline f4 f4_cross(f4 a, f4 b)
{
    return f4_order(a, 1, 2, 0, 3) * f4_order(b, 2, 0, 1, 3) -
           f4_order(a, 2, 0, 1, 3) * f4_order(b, 1, 2, 0, 3);
}

/* v turned by the unit quaternion. */
static inline f4 quat_turn(f4 q, f4 v)
{
    f4 t = f4_cross(q, v) + v * f4_w(q);
    f4 u = f4_cross(q, t);
    return v + (u + u);
}

/* The rotation of a map whose columns are orthonormal, or nearly so (Shepperd 1978). */
static inline f4 quat_of_map(const f4_map *map)
{
    f4 x = map->c[0], y = map->c[1], z = map->c[2], q;
    float trace = x[0] + y[1] + z[2];
    if (trace >= x[0] && trace >= y[1] && trace >= z[2])
        q = f4_set(y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + trace);
    else if (x[0] >= y[1] && x[0] >= z[2])
        q = f4_set(1 + x[0] - y[1] - z[2], x[1] + y[0], x[2] + z[0], y[2] - z[1]);
    else if (y[1] >= z[2])
        q = f4_set(x[1] + y[0], 1 + y[1] - z[2] - x[0], y[2] + z[1], z[0] - x[2]);
    else
        q = f4_set(x[2] + z[0], y[2] + z[1], 1 + z[2] - x[0] - y[1], x[1] - y[0]);
    return q * f4_all(1 / sqrtf(f4_dot4(q, q)));
}

/* The columns of the rotation; the fourth stays. */
static inline void quat_to_map(f4 q, f4_map *map)
{
    float x = q[0], y = q[1], z = q[2], w = q[3];
    map->c[0] = f4_set(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0);
    map->c[1] = f4_set(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0);
    map->c[2] = f4_set(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0);
}

/* The product a b. */
static inline f4 quat_multiply(f4 a, f4 b)
{
    f4 minus_last = f4_set(1, 1, 1, -1);
    f4 first = f4_order(a, 3, 3, 3, 3) * b;
    f4 second = f4_order(a, 0, 1, 2, 0) * f4_order(b, 3, 3, 3, 0) * minus_last;
    f4 third = f4_order(a, 1, 2, 0, 1) * f4_order(b, 2, 0, 1, 1) * minus_last;
    f4 fourth = f4_order(a, 2, 0, 1, 2) * f4_order(b, 1, 2, 0, 2);
    return (first + second) + (third - fourth);
}

/* A rotation near a linear map: its first column, and the second as far as it is across the first.
 */
static inline f4 quat_near_map(const f4_map *map)
{
    f4_map frame = *map;
    float x = f4_length3(map->c[0]);
    f4 across = f4_cross(map->c[0], map->c[1]);
    float z = f4_length3(across);
    if (!(x > 1e-18f) || !(z > 1e-6f * x * f4_length3(map->c[1])) || !(z > 1e-36f))
        return f4_set(0, 0, 0, 1);
    frame.c[0] = map->c[0] * f4_all(1 / x);
    frame.c[2] = across * f4_all(1 / z);
    frame.c[1] = f4_cross(frame.c[2], frame.c[0]);
    return quat_of_map(&frame);
}

/* The rotation nearest to a linear map, by turning towards it step by step (after Mueller, Bender,
 * Chentanez and Macklin, "A robust method to extract the rotational part of deformations", 2016).
 * Where it stops short, what is left goes into the rest of the map.
 */
static inline f4 quat_nearest(const f4_map *map)
{
    f4 q = quat_near_map(map);
    for (int step = 0; step < 200; step++) {
        f4_map turned;
        quat_to_map(q, &turned);
        f4 turn = f4_zero();
        float along = 1e-30f;
        for (int k = 0; k < 3; k++) {
            turn = turn + f4_cross(turned.c[k], map->c[k]);
            along += f4_dot3(turned.c[k], map->c[k]);
        }
        turn = turn * f4_all(0.5f / f1_max(fabsf(along), 1e-30f));
        if (!(f4_dot3(turn, turn) < 1e6f))
            break; /* mirrored or flat: no rotation is nearest */
        turn[3] = 1;
        q = quat_multiply(turn, q);
        q = q * f4_all(1 / sqrtf(f4_dot4(q, q)));
        turn[3] = 0;
        if (f4_dot3(turn, turn) < 1e-15f)
            break;
    }
    return q;
}

#endif
