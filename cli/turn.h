/* Turning a vector by a unit quaternion, x y z w. */
#ifndef GRAZE_CLI_TURN_H
#define GRAZE_CLI_TURN_H

static inline void turn_vector(const double q[4], const double v[3], double out[3])
{
    double t[3];
    for (int k = 0; k < 3; k++)
        t[k] = 2 * (q[(k + 1) % 3] * v[(k + 2) % 3] - q[(k + 2) % 3] * v[(k + 1) % 3]);
    for (int k = 0; k < 3; k++)
        out[k] =
            v[k] + q[3] * t[k] + q[(k + 1) % 3] * t[(k + 2) % 3] - q[(k + 2) % 3] * t[(k + 1) % 3];
}

#endif
