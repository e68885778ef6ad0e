/* Quaternions and rotations in lanes: every lane computes what math/quat.h does, bit for bit. */
#ifndef GRAZEI_MATH_QUAT_LANES_H
#define GRAZEI_MATH_QUAT_LANES_H

#include "math/lanes.h"

/* Quaternions, one a lane. */
typedef struct lanes4 {
    lanes x, y, z, w;
} lanes4;

/* Linear maps by their columns, one a lane. */
typedef struct lanes_columns {
    lanes3 x, y, z;
} lanes_columns;

GRAZEI_INLINE lanes4 lanes4_scale(lanes4 a, lanes s)
{
    return (lanes4){lanes_mul(a.x, s), lanes_mul(a.y, s), lanes_mul(a.z, s), lanes_mul(a.w, s)};
}

GRAZEI_INLINE lanes4 lanes4_add(lanes4 a, lanes4 b)
{
    return (lanes4){lanes_add(a.x, b.x), lanes_add(a.y, b.y), lanes_add(a.z, b.z),
                    lanes_add(a.w, b.w)};
}

GRAZEI_INLINE lanes4 lanes4_select(lanes_mask mask, lanes4 a, lanes4 b)
{
    return (lanes4){lanes_select(mask, a.x, b.x), lanes_select(mask, a.y, b.y),
                    lanes_select(mask, a.z, b.z), lanes_select(mask, a.w, b.w)};
}

/* As f4_dot4. */
GRAZEI_INLINE lanes lanes4_dot(lanes4 a, lanes4 b)
{
    return lanes_add(lanes_add(lanes_mul(a.x, b.x), lanes_mul(a.y, b.y)),
                     lanes_add(lanes_mul(a.z, b.z), lanes_mul(a.w, b.w)));
}

GRAZEI_INLINE lanes3 lanes3_add(lanes3 a, lanes3 b)
{
    return (lanes3){lanes_add(a.x, b.x), lanes_add(a.y, b.y), lanes_add(a.z, b.z)};
}

GRAZEI_INLINE lanes3 lanes3_scale(lanes3 a, lanes s)
{
    return (lanes3){lanes_mul(a.x, s), lanes_mul(a.y, s), lanes_mul(a.z, s)};
}

/* A factor that makes quaternions unit ones. */
GRAZEI_INLINE lanes quats_to_unit(lanes4 q)
{
    return lanes_div(lanes_set(1), lanes_sqrt(lanes4_dot(q, q)));
}

/* As quat_turn. */
GRAZEI_INLINE lanes3 quats_turn(lanes4 q, lanes3 v)
{
    lanes3 axis = {q.x, q.y, q.z};
    lanes3 t = lanes3_add(lanes3_cross(axis, v), lanes3_scale(v, q.w));
    lanes3 u = lanes3_cross(axis, t);
    return lanes3_add(v, lanes3_add(u, u));
}

/* As quat_of_map: of four candidates the one whose first sum of diagonal entries is large. */
GRAZEI_INLINE lanes4 quats_of_maps(lanes_columns m)
{
    lanes one = lanes_set(1), trace = lanes_add(lanes_add(m.x.x, m.y.y), m.z.z);
    lanes zy = lanes_sub(m.y.z, m.z.y), xz = lanes_sub(m.z.x, m.x.z), yx = lanes_sub(m.x.y, m.y.x);
    lanes xy = lanes_add(m.x.y, m.y.x), zx = lanes_add(m.x.z, m.z.x), yz = lanes_add(m.y.z, m.z.y);
    lanes4 by_w = {zy, xz, yx, lanes_add(one, trace)};
    lanes4 by_x = {lanes_sub(lanes_sub(lanes_add(one, m.x.x), m.y.y), m.z.z), xy, zx, zy};
    lanes4 by_y = {xy, lanes_sub(lanes_sub(lanes_add(one, m.y.y), m.z.z), m.x.x), yz, xz};
    lanes4 by_z = {zx, yz, lanes_sub(lanes_sub(lanes_add(one, m.z.z), m.x.x), m.y.y), yx};
    lanes_mask w_leads =
        mask_and(mask_and(lanes_less_equal(m.x.x, trace), lanes_less_equal(m.y.y, trace)),
                 lanes_less_equal(m.z.z, trace));
    lanes_mask x_leads = mask_and(lanes_less_equal(m.y.y, m.x.x), lanes_less_equal(m.z.z, m.x.x));
    lanes4 q = lanes4_select(lanes_less_equal(m.z.z, m.y.y), by_y, by_z);
    q = lanes4_select(w_leads, by_w, lanes4_select(x_leads, by_x, q));
    return lanes4_scale(q, quats_to_unit(q));
}

/* As quat_to_map. */
GRAZEI_INLINE lanes_columns quats_to_maps(lanes4 q)
{
    lanes one = lanes_set(1), two = lanes_set(2);
    lanes xx = lanes_mul(q.x, q.x), yy = lanes_mul(q.y, q.y), zz = lanes_mul(q.z, q.z);
    lanes xy = lanes_mul(q.x, q.y), xz = lanes_mul(q.x, q.z), yz = lanes_mul(q.y, q.z);
    lanes wx = lanes_mul(q.w, q.x), wy = lanes_mul(q.w, q.y), wz = lanes_mul(q.w, q.z);
    lanes_columns m;
    m.x = (lanes3){lanes_sub(one, lanes_mul(two, lanes_add(yy, zz))),
                   lanes_mul(two, lanes_add(xy, wz)), lanes_mul(two, lanes_sub(xz, wy))};
    m.y = (lanes3){lanes_mul(two, lanes_sub(xy, wz)),
                   lanes_sub(one, lanes_mul(two, lanes_add(xx, zz))),
                   lanes_mul(two, lanes_add(yz, wx))};
    m.z = (lanes3){lanes_mul(two, lanes_add(xz, wy)), lanes_mul(two, lanes_sub(yz, wx)),
                   lanes_sub(one, lanes_mul(two, lanes_add(xx, yy)))};
    return m;
}

/* As quat_multiply. */
GRAZEI_INLINE lanes4 quats_multiply(lanes4 a, lanes4 b)
{
    lanes4 first = lanes4_scale(b, a.w), product;
    lanes minus = lanes_set(-1), last = lanes_mul(lanes_mul(a.x, b.x), minus);
    product.x = lanes_add(lanes_add(first.x, lanes_mul(a.x, b.w)),
                          lanes_sub(lanes_mul(a.y, b.z), lanes_mul(a.z, b.y)));
    product.y = lanes_add(lanes_add(first.y, lanes_mul(a.y, b.w)),
                          lanes_sub(lanes_mul(a.z, b.x), lanes_mul(a.x, b.z)));
    product.z = lanes_add(lanes_add(first.z, lanes_mul(a.z, b.w)),
                          lanes_sub(lanes_mul(a.x, b.y), lanes_mul(a.y, b.x)));
    product.w = lanes_add(lanes_add(first.w, last),
                          lanes_sub(lanes_mul(lanes_mul(a.y, b.y), minus), lanes_mul(a.z, b.z)));
    return product;
}

#endif
