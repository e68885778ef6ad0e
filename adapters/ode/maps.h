/* Rotations and affine maps in double, as small values. */
#ifndef GRAZE_ADAPTERS_ODE_MAPS_H
#define GRAZE_ADAPTERS_ODE_MAPS_H

#include <math.h>
#include <string.h>

/* x -> r x + t; r has three rows. */
typedef struct map {
    double r[9], t[3];
} map;

static inline double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross3(const double a[3], const double b[3], double out[3])
{
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
}

static inline double length3(const double a[3])
{
    return sqrt(dot3(a, a));
}

/* Makes a unit vector; false, and it stays, if it has no direction. */
static inline int unit3(double a[3])
{
    double length = length3(a);
    if (!(length > 1e-12))
        return 0;
    for (int k = 0; k < 3; k++)
        a[k] /= length;
    return 1;
}

/* r x, and the transpose of r times x. */
static inline void turn3(const double r[9], const double x[3], double out[3])
{
    double y[3];
    for (int i = 0; i < 3; i++)
        y[i] = r[3 * i] * x[0] + r[3 * i + 1] * x[1] + r[3 * i + 2] * x[2];
    memcpy(out, y, sizeof y);
}

static inline void turn_back3(const double r[9], const double x[3], double out[3])
{
    double y[3];
    for (int i = 0; i < 3; i++)
        y[i] = r[i] * x[0] + r[3 + i] * x[1] + r[6 + i] * x[2];
    memcpy(out, y, sizeof y);
}

static inline void apply(const map *m, const double x[3], double out[3])
{
    turn3(m->r, x, out);
    for (int k = 0; k < 3; k++)
        out[k] += m->t[k];
}

static inline map identity_map(void)
{
    return (map){{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
}

/* First b, then a. */
static inline map join(const map *a, const map *b)
{
    map m;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m.r[3 * i + j] = a->r[3 * i] * b->r[j] + a->r[3 * i + 1] * b->r[3 + j] +
                             a->r[3 * i + 2] * b->r[6 + j];
    apply(a, b->t, m.t);
    return m;
}

/* Of any affine map that has one; of one that has none all is 0. */
static inline map inverse(const map *m)
{
    map out;
    const double *r = m->r;
    double c[9] = {r[4] * r[8] - r[5] * r[7], r[2] * r[7] - r[1] * r[8], r[1] * r[5] - r[2] * r[4],
                   r[5] * r[6] - r[3] * r[8], r[0] * r[8] - r[2] * r[6], r[2] * r[3] - r[0] * r[5],
                   r[3] * r[7] - r[4] * r[6], r[1] * r[6] - r[0] * r[7], r[0] * r[4] - r[1] * r[3]};
    double det = r[0] * c[0] + r[1] * c[3] + r[2] * c[6];
    double scale = det != 0 ? 1 / det : 0;
    for (int i = 0; i < 9; i++)
        out.r[i] = scale * c[i];
    turn3(out.r, m->t, out.t);
    for (int k = 0; k < 3; k++)
        out.t[k] = 0 - out.t[k];
    return out;
}

static inline map map_of_rows(const float rows[12])
{
    map m;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            m.r[3 * i + j] = rows[4 * i + j];
        m.t[i] = rows[4 * i + 3];
    }
    return m;
}

static inline void rows_of_map(const map *m, float rows[12])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            rows[4 * i + j] = (float)m->r[3 * i + j];
        rows[4 * i + 3] = (float)m->t[i];
    }
}

/* ---- quaternions, x y z w ------------------------------------------------------------------- */

static inline void unit_quaternion(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0)) {
        q[0] = q[1] = q[2] = 0;
        q[3] = 1;
        return;
    }
    for (int k = 0; k < 4; k++)
        q[k] /= length;
}

static inline void rotation_of(const double q[4], double r[9])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    const double rows[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
        2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
        2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memcpy(r, rows, sizeof rows);
}

static inline void quaternion_of(const double r[9], double q[4])
{
    double trace = r[0] + r[4] + r[8];
    if (trace > 0) {
        q[3] = trace + 1;
        q[0] = r[7] - r[5];
        q[1] = r[2] - r[6];
        q[2] = r[3] - r[1];
    } else {
        int i = r[0] >= r[4] && r[0] >= r[8] ? 0 : r[4] >= r[8] ? 1 : 2;
        int j = (i + 1) % 3, k = (i + 2) % 3;
        q[i] = 1 + r[4 * i] - r[4 * j] - r[4 * k];
        q[j] = r[3 * i + j] + r[3 * j + i];
        q[k] = r[3 * i + k] + r[3 * k + i];
        q[3] = r[3 * k + j] - r[3 * j + k];
    }
    unit_quaternion(q);
}

/* First b, then a. */
static inline void join_quaternions(const double a[4], const double b[4], double out[4])
{
    double q[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                   a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                   a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                   a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(out, q, sizeof q);
}

/* From a to b by a share t, along the shorter way, normalised. */
static inline void blend_quaternions(const double a[4], const double b[4], double t, double out[4])
{
    double q[4], side = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    for (int k = 0; k < 4; k++)
        q[k] = (1 - t) * a[k] + (side < 0 ? -t : t) * b[k];
    unit_quaternion(q);
    memcpy(out, q, sizeof q);
}

/* The turn from one rotation to another as a vector: its axis times radians, at most pi. */
static inline void turn_between(const double from[4], const double to[4], double vector[3])
{
    double back[4] = {-from[0], -from[1], -from[2], from[3]}, q[4];
    join_quaternions(to, back, q);
    double sine = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    double angle = 2 * atan2(sine, fabs(q[3]));
    double scale = sine > 1e-300 ? (q[3] < 0 ? -angle : angle) / sine : 0;
    for (int k = 0; k < 3; k++)
        vector[k] = scale * q[k];
}

/* The rotation of a map, from its columns made unit and at right angles; *stretch becomes how far
 * its columns are from that, relative.
 */
static inline void nearest_rotation(const double r[9], double out[9], double *stretch)
{
    double x[3] = {r[0], r[3], r[6]}, y[3] = {r[1], r[4], r[7]}, z[3];
    double worst = 0;
    unit3(x);
    double along = dot3(x, y);
    for (int k = 0; k < 3; k++)
        y[k] -= along * x[k];
    unit3(y);
    cross3(x, y, z);
    const double *made[3] = {x, y, z};
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) {
            out[3 * k + c] = made[c][k];
            double off = fabs(made[c][k] - r[3 * k + c]);
            worst = off > worst ? off : worst;
        }
    if (stretch)
        *stretch = worst;
}

#endif
