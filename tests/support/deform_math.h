/* Quaternions and matrices in double, as textbooks have them. */
#ifndef GRAZE_TESTS_SUPPORT_DEFORM_MATH_H
#define GRAZE_TESTS_SUPPORT_DEFORM_MATH_H

#include <math.h>
#include <string.h>

typedef struct quaternion {
    double w, x, y, z;
} quaternion;

static inline quaternion multiply(quaternion p, quaternion q)
{
    return (quaternion){p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
                        p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                        p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                        p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}

static inline double dot(quaternion p, quaternion q)
{
    return p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z;
}

static inline void add_times(quaternion *sum, quaternion q, double factor)
{
    sum->w += factor * q.w;
    sum->x += factor * q.x;
    sum->y += factor * q.y;
    sum->z += factor * q.z;
}

static inline quaternion conjugate(quaternion q)
{
    return (quaternion){q.w, -q.x, -q.y, -q.z};
}

static inline quaternion times(quaternion q, double factor)
{
    return (quaternion){factor * q.w, factor * q.x, factor * q.y, factor * q.z};
}

static inline double determinant(double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Higham's iteration X <- (X + X^-T) / 2, whose limit is the rotation nearest to a matrix with
 * positive determinant.
 */
static inline void nearest_rotation(double a[3][3], double x[3][3])
{
    memcpy(x, a, 9 * sizeof(double));
    for (int step = 0; step < 60; step++) {
        double next[3][3], d = determinant(x);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
                double cofactor = x[i1][k1] * x[i2][k2] - x[i1][k2] * x[i2][k1];
                next[i][k] = 0.5 * (x[i][k] + cofactor / d);
            }
        memcpy(x, next, sizeof next);
    }
}

static inline quaternion quaternion_of(double m[3][3])
{
    double squares[4] = {1 + m[0][0] + m[1][1] + m[2][2], 1 + m[0][0] - m[1][1] - m[2][2],
                         1 - m[0][0] + m[1][1] - m[2][2], 1 - m[0][0] - m[1][1] + m[2][2]};
    double sums[4][4] = {{squares[0], m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]},
                         {m[2][1] - m[1][2], squares[1], m[0][1] + m[1][0], m[0][2] + m[2][0]},
                         {m[0][2] - m[2][0], m[0][1] + m[1][0], squares[2], m[1][2] + m[2][1]},
                         {m[1][0] - m[0][1], m[0][2] + m[2][0], m[1][2] + m[2][1], squares[3]}};
    int best = 0;
    for (int i = 1; i < 4; i++)
        if (squares[i] > squares[best])
            best = i;
    quaternion q = {sums[best][0], sums[best][1], sums[best][2], sums[best][3]};
    return times(q, 1 / sqrt(dot(q, q)));
}

static inline void turn(quaternion q, const double v[3], double out[3])
{
    quaternion turned = multiply(multiply(q, (quaternion){0, v[0], v[1], v[2]}), conjugate(q));
    out[0] = turned.x;
    out[1] = turned.y;
    out[2] = turned.z;
}

static inline void apply(double m[3][3], const double v[3], double out[3])
{
    double r[3];
    for (int i = 0; i < 3; i++)
        r[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    memcpy(out, r, sizeof r);
}

static inline double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static inline double norm(double m[3][3])
{
    double sum = 0;
    for (int i = 0; i < 9; i++)
        sum += m[i / 3][i % 3] * m[i / 3][i % 3];
    return sqrt(sum);
}

#endif
