/* Quaternions and rotations one a lane: each computes what math/quat.h does, bit for bit. */
#ifndef GRAZEI_MATH_QUAT_COLUMNS_H
#define GRAZEI_MATH_QUAT_COLUMNS_H

#include "math/columns.h"

typedef struct column4 {
    column x, y, z, w;
} column4;

/* Linear maps by the images of the axes. */
typedef struct column_maps {
    column3 x, y, z;
} column_maps;

GRAZEI_INLINE column4 column4_add(column4 a, column4 b)
{
    return (column4){a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

GRAZEI_INLINE column4 column4_scale(column4 a, column s)
{
    return (column4){a.x * s, a.y * s, a.z * s, a.w * s};
}

GRAZEI_INLINE column4 column4_select(column_mask mask, column4 a, column4 b)
{
    return (column4){column_select(mask, a.x, b.x), column_select(mask, a.y, b.y),
                     column_select(mask, a.z, b.z), column_select(mask, a.w, b.w)};
}

/* As f4_dot4. */
GRAZEI_INLINE column column4_dot(column4 a, column4 b)
{
    return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
}

GRAZEI_INLINE column4 column4_load_rows(const float *const rows[GRAZEI_COLUMN])
{
    column c[4];
    column_load_rows(rows, 0, c);
    return (column4){c[0], c[1], c[2], c[3]};
}

/* The same four floats in every lane. */
GRAZEI_INLINE column4 column4_all(const float *row)
{
    return (column4){column_all(row[0]), column_all(row[1]), column_all(row[2]),
                     column_all(row[3])};
}

/* What makes quaternions unit ones. */
GRAZEI_INLINE column quats_to_unit(column4 q)
{
    return column_all(1) / column_sqrt(column4_dot(q, q));
}

/* As quat_turn. */
GRAZEI_INLINE column3 quats_turn(column4 q, column3 v)
{
    column3 axis = {q.x, q.y, q.z};
    column3 t = column3_add(column3_cross(axis, v), column3_scale(v, q.w));
    column3 u = column3_cross(axis, t);
    return column3_add(v, column3_add(u, u));
}

/* As quat_of_map: of four candidates the one that starts from the largest sum. */
GRAZEI_INLINE column4 quats_of_maps(column_maps m)
{
    column one = column_all(1), trace = (m.x.x + m.y.y) + m.z.z;
    column zy = m.y.z - m.z.y, xz = m.z.x - m.x.z, yx = m.x.y - m.y.x;
    column xy = m.x.y + m.y.x, zx = m.x.z + m.z.x, yz = m.y.z + m.z.y;
    column4 by_w = {zy, xz, yx, one + trace};
    column4 by_x = {((one + m.x.x) - m.y.y) - m.z.z, xy, zx, zy};
    column4 by_y = {xy, ((one + m.y.y) - m.z.z) - m.x.x, yz, xz};
    column4 by_z = {zx, yz, ((one + m.z.z) - m.x.x) - m.y.y, yx};
    column_mask leads_w = (trace >= m.x.x) & (trace >= m.y.y) & (trace >= m.z.z);
    column_mask leads_x = (m.x.x >= m.y.y) & (m.x.x >= m.z.z);
    column4 q = column4_select(m.y.y >= m.z.z, by_y, by_z);
    q = column4_select(leads_w, by_w, column4_select(leads_x, by_x, q));
    return column4_scale(q, quats_to_unit(q));
}

/* As quat_to_map. */
GRAZEI_INLINE column_maps quats_to_maps(column4 q)
{
    column one = column_all(1), two = column_all(2);
    column xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    column xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    column wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (column_maps){{one - two * (yy + zz), two * (xy + wz), two * (xz - wy)},
                         {two * (xy - wz), one - two * (xx + zz), two * (yz + wx)},
                         {two * (xz + wy), two * (yz - wx), one - two * (xx + yy)}};
}

/* As quat_multiply. */
GRAZEI_INLINE column4 quats_multiply(column4 a, column4 b)
{
    return (column4){(a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
                     (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
                     (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x),
                     (a.w * b.w + -(a.x * b.x)) + (-(a.y * b.y) - a.z * b.z)};
}

#endif
