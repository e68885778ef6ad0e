/* Rays against triangles in lanes of doubles, a pair in each: what is found is what narrow/ray.c
 * finds, bit for bit, by the same operations in the same order. Where those go on to exact
 * arithmetic the pair is left open. Where GRAZEI_WIDE is not defined there is none of this.
 */
#ifndef GRAZEI_NARROW_RAY_WIDE_H
#define GRAZEI_NARROW_RAY_WIDE_H

#include "math/wide.h"
#include "narrow/ray.h"

#include <math.h>

#if defined(GRAZEI_WIDE)

/* All rows are four floats, aligned to 16 bytes; every lane has some. */
typedef struct grazei_ray_pairs {
    const float *origin[GRAZEI_WIDE_DOUBLES]; /* x, y, z and t_min */
    const float *dir[GRAZEI_WIDE_DOUBLES];    /* x, y, z and t_max */
    const float *corners[3][GRAZEI_WIDE_DOUBLES];
} grazei_ray_pairs;

/* Bits say which pairs surely meet, and where: only there t, u and v mean something. And which are
 * left to grazei_ray_meets.
 */
typedef struct grazei_ray_meetings {
    uint32_t met, open;
    float t[GRAZEI_WIDE_DOUBLES], u[GRAZEI_WIDE_DOUBLES], v[GRAZEI_WIDE_DOUBLES];
} grazei_ray_meetings;

/* As grazei_line_side, of a - origin and b - a; *sure: that returns it without an expansion. */
GRAZEI_INLINE doubles grazei_wide_side(const doubles dir[3], const doubles a[3], const doubles b[3],
                                       uint32_t *sure)
{
    doubles ay_bz = a[1] * b[2], az_by = a[2] * b[1];
    doubles az_bx = a[2] * b[0], ax_bz = a[0] * b[2];
    doubles ax_by = a[0] * b[1], ay_bx = a[1] * b[0];
    doubles side = dir[0] * (ay_bz - az_by) + dir[1] * (az_bx - ax_bz) + dir[2] * (ax_by - ay_bx);
    doubles magnitude = doubles_abs(dir[0]) * (doubles_abs(ay_bz) + doubles_abs(az_by)) +
                        doubles_abs(dir[1]) * (doubles_abs(az_bx) + doubles_abs(ax_bz)) +
                        doubles_abs(dir[2]) * (doubles_abs(ax_by) + doubles_abs(ay_bx));
    *sure = doubles_bits(doubles_above(doubles_abs(side), doubles_set(0x1p-20) * magnitude));
    return side;
}

/* Coordinate m of each lane's own m, the axis along which its direction is largest. */
typedef struct grazei_wide_axis {
    doubles_mask first, last; /* x rather than y, that one rather than z */
} grazei_wide_axis;

GRAZEI_INLINE doubles grazei_wide_along(const grazei_wide_axis *axis, const doubles x[3])
{
    return doubles_select(axis->last, doubles_select(axis->first, x[0], x[1]), x[2]);
}

/* As grazei_ray_axis. */
GRAZEI_INLINE grazei_wide_axis grazei_wide_axis_of(const doubles dir[3])
{
    grazei_wide_axis axis;
    doubles x = doubles_abs(dir[0]), y = doubles_abs(dir[1]);
    axis.first = doubles_not_below(x, y);
    axis.last = doubles_not_below(doubles_select(axis.first, x, y), doubles_abs(dir[2]));
    return axis;
}

/* Pairs that meet by the signs of their weights: t, u and v as meet_across finds them; returns
 * where the sign of t is beyond doubt.
 *
 * Let E be |e| + |f|, the triangle's extent along the axis at most twice, and S the way to its
 * first corner. The weights are off by at most 2^-29 each, the sums by four roundings of 2^-53: the
 * way to the point is off by at most 2^-29 E + 2^-51 (S + E), which is less than 2^-20 (E + 2^-20
 * S). Where it is longer than that its sign is right, and so is that of t; with_sign then only
 * changes a t that is no normal float.
 */
GRAZEI_INLINE uint32_t grazei_wide_across(const doubles dir[3], const doubles to_first[3],
                                          const doubles e[3], const doubles f[3],
                                          const doubles weight[3], grazei_ray_meetings *found)
{
    grazei_wide_axis axis = grazei_wide_axis_of(dir);
    doubles sum = (weight[0] + weight[1]) + weight[2];
    doubles u = weight[1] / sum, v = weight[2] / sum;
    doubles start = grazei_wide_along(&axis, to_first);
    doubles along_e = grazei_wide_along(&axis, e), along_f = grazei_wide_along(&axis, f);
    doubles along = start + u * along_e + v * along_f;
    doubles doubt = doubles_set(0x1p-20) * (doubles_abs(along_e) + doubles_abs(along_f) +
                                            doubles_abs(start) * doubles_set(0x1p-20));
    doubles t = along / grazei_wide_along(&axis, dir);
    doubles_to_floats(found->t, t);
    doubles_to_floats(found->u, u);
    doubles_to_floats(found->v, v);
    return doubles_bits(doubles_above(doubles_abs(along), doubt)) &
           doubles_bits(doubles_not_below(doubles_abs(t), doubles_set(0x1p-125)));
}

GRAZEI_INLINE grazei_ray_meetings grazei_rays_meet(const grazei_ray_pairs *pairs)
{
    grazei_ray_meetings found;
    doubles origin[4], dir[4], at[3][4], to[3][3], edge[3][3], last[3], weight[3];
    uint32_t left = 0, right = 0, known = (1u << GRAZEI_WIDE_DOUBLES) - 1, all = known;
    doubles_load_rows(pairs->origin, origin);
    doubles_load_rows(pairs->dir, dir);
    for (int c = 0; c < 3; c++) {
        doubles_load_rows(pairs->corners[c], at[c]);
        for (int k = 0; k < 3; k++)
            to[c][k] = at[c][k] - origin[k];
    }
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++) /* from corner c to the next */
            edge[c][k] = at[(c + 1) % 3][k] - at[c][k];
        last[k] = at[2][k] - at[0][k];
    }
    for (int i = 0; i < 3; i++) {
        uint32_t sure, j = (uint32_t)(i + 1) % 3;
        weight[i] = grazei_wide_side(dir, to[j], edge[j], &sure);
        uint32_t above = doubles_bits(doubles_above(weight[i], doubles_set(0)));
        left |= sure & above;
        right |= sure & ~above;
        known &= sure;
    }
    found.met = known & (left ^ right);
    found.open = all & ~known & ~(left & right);
    if (found.met) {
        uint32_t clear = grazei_wide_across(dir, to[0], edge[0], last, weight, &found);
        found.open |= found.met & ~clear;
        found.met &= clear;
    }
    for (uint32_t bits = found.met; bits; bits &= bits - 1) { /* as answer() in ray.c */
        int i = __builtin_ctz(bits);
        if (!(found.t[i] >= pairs->origin[i][3] && found.t[i] <= pairs->dir[i][3]))
            found.met &= ~(1u << i);
        if (found.u[i] + found.v[i] > 1)
            found.v[i] = 1 - found.u[i];
    }
    return found;
}

/* Points of triangles by the weights of their second and third corners, and unit normals, as
 * grazei_triangle_normal finds them: x, y and z apart.
 */
GRAZEI_INLINE void grazei_wide_points(const float *const corners[3][GRAZEI_WIDE_DOUBLES],
                                      const float *u, const float *v,
                                      float points[3][GRAZEI_WIDE_DOUBLES],
                                      float normals[3][GRAZEI_WIDE_DOUBLES])
{
    doubles at[3][4], e[3], f[3], n[3], share[2];
    float rows[GRAZEI_WIDE_DOUBLES][4] __attribute__((aligned(16)));
    const float *row[GRAZEI_WIDE_DOUBLES];
    for (int i = 0; i < GRAZEI_WIDE_DOUBLES; i++) {
        rows[i][0] = u[i];
        rows[i][1] = v[i];
        rows[i][2] = rows[i][3] = 0;
        row[i] = rows[i];
    }
    doubles of_row[4];
    doubles_load_rows(row, of_row);
    share[0] = of_row[0];
    share[1] = of_row[1];
    for (int c = 0; c < 3; c++)
        doubles_load_rows(corners[c], at[c]);
    for (int k = 0; k < 3; k++) {
        e[k] = at[1][k] - at[0][k];
        f[k] = at[2][k] - at[0][k];
        doubles_to_floats(points[k], at[0][k] + share[0] * e[k] + share[1] * f[k]);
    }
    for (int k = 0; k < 3; k++)
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    doubles length = doubles_sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    doubles_mask proper = doubles_above(length, doubles_set(0));
    for (int k = 0; k < 3; k++)
        doubles_to_floats(normals[k], doubles_select(proper, n[k] / length, doubles_set(0)));
}

#endif

#endif
