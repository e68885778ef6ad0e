/* Vectors, quaternions (x y z w) and small matrices in double. */
#ifndef GRAZEI_SIM_VECTOR_H
#define GRAZEI_SIM_VECTOR_H

#include <math.h>

static inline double grazei_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void grazei_cross(const double a[3], const double b[3], double out[3])
{
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
}

static inline void grazei_times(const double m[3][3], const double v[3], double out[3])
{
    double x = grazei_dot(m[0], v), y = grazei_dot(m[1], v), z = grazei_dot(m[2], v);
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

/* The transpose of m. */
static inline void grazei_times_turned(const double m[3][3], const double v[3], double out[3])
{
    double x = m[0][0] * v[0] + m[1][0] * v[1] + m[2][0] * v[2];
    double y = m[0][1] * v[0] + m[1][1] * v[1] + m[2][1] * v[2];
    out[2] = m[0][2] * v[0] + m[1][2] * v[1] + m[2][2] * v[2];
    out[0] = x;
    out[1] = y;
}

static inline void grazei_matrix_of(const double q[4], double m[3][3])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    m[0][0] = 1 - 2 * (y * y + z * z);
    m[0][1] = 2 * (x * y - z * w);
    m[0][2] = 2 * (x * z + y * w);
    m[1][0] = 2 * (x * y + z * w);
    m[1][1] = 1 - 2 * (x * x + z * z);
    m[1][2] = 2 * (y * z - x * w);
    m[2][0] = 2 * (x * z - y * w);
    m[2][1] = 2 * (y * z + x * w);
    m[2][2] = 1 - 2 * (x * x + y * y);
}

/* m of a body's frame, in the world: turn x m x turn's transpose. */
static inline void grazei_turn_matrix(const double turn[3][3], const double m[3][3],
                                      double out[3][3])
{
    double half[3][3];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            half[r][c] = turn[r][0] * m[0][c] + turn[r][1] * m[1][c] + turn[r][2] * m[2][c];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            out[r][c] = grazei_dot(half[r], turn[c]);
}

static inline void grazei_normalise4(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++)
        q[k] /= length;
}

#endif
