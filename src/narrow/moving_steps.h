/* What the steps of moving.c and moving_core.c are made of: where edges are nearest, directions
 * that turn as what is nearest turns, and for how long they part two things.
 */
#ifndef GRAZEI_NARROW_MOVING_STEPS_H
#define GRAZEI_NARROW_MOVING_STEPS_H

#include "narrow/d3.h"

#include <math.h>

static inline double clamp(double x)
{
    return d1_max(0, d1_min(x, 1));
}

/* Edges p to p + d and q to q + e (Ericson 2004, section 5.1.9), with a last projection each way,
 * which mends what nearly parallel edges lose.
 */
static inline void nearest_on_edges(d3 p, d3 d, d3 q, d3 e, double *s, double *t)
{
    d3 r = d3_sub(p, q);
    double dd = d3_dot(d, d), ee = d3_dot(e, e), de = d3_dot(d, e), dr = d3_dot(d, r),
           er = d3_dot(e, r);
    double area = dd * ee - de * de, per_area = area > 0 ? 1 / area : 0;
    double per_dd = dd > 0 ? 1 / dd : 0, per_ee = ee > 0 ? 1 / ee : 0;
    *s = clamp((de * er - dr * ee) * per_area);
    *t = clamp((de * *s + er) * per_ee);
    *s = clamp((de * *t - dr) * per_dd);
    *t = clamp((de * *s + er) * per_ee);
}

/* A direction that turns: n + x turn + x^2 bend at the time x from now. */
typedef struct turning {
    d3 n, turn, bend;
} turning;

/* The product of two edges, which is normal to both at any time. */
static inline turning normal_to(d3 d, d3 e, d3 d_speed, d3 e_speed)
{
    return (turning){d3_cross(d, e), d3_along(d3_cross(d_speed, e), 1, d3_cross(d, e_speed)),
                     d3_cross(d_speed, e_speed)};
}

/* w without its part along e, if there is an e, and how it turns now; its length stays. */
static inline turning normal_part(d3 w, d3 e, d3 w_speed, d3 e_speed)
{
    double ee = d3_dot(e, e), we = d3_dot(w, e);
    d3 n = w, turn = w_speed;
    if (ee > 0) {
        n = d3_along(w, -we / ee, e);
        turn = d3_along(
            turn, (2 * we * d3_dot(e, e_speed) / ee - d3_dot(w_speed, e) - d3_dot(w, e_speed)) / ee,
            e);
        turn = d3_along(turn, -we / ee, e_speed);
    }
    turn = d3_along(turn, -d3_dot(n, turn) / d3_dot(n, n), n);
    return (turning){n, turn, {0, 0, 0}};
}

/* The smallest x > 0 with a + b x + c x^2 = 0, where a > 0; infinity if there is none. */
static inline double first_root(double a, double b, double c)
{
    double square = b * b - 4 * a * c;
    if (square < 0)
        return INFINITY;
    double divisor = sqrt(square) - b;
    if (divisor <= 0)
        return INFINITY;
    return divisor > 0 ? 2 * a / divisor : 0;
}

/* A time up to `most` until which a + b x + c x^2 + d x^3 >= 0, where a > 0: that of a quadratic
 * below it, d x^3 being at least d m x^2 up to the time m, or 0. A smaller m allows more.
 */
static inline double falls_after(double a, double b, double c, double d, double most)
{
    double least = 0, until = most;
    if (d >= 0)
        return d1_min(most, first_root(a, b, c));
    for (int i = 0; i < 4; i++) {
        double root = first_root(a, b, c + d * until);
        least = d1_max(least, d1_min(root, until));
        if (root >= until)
            break;
        until = d1_min(4 * root, 0.5 * (until + root));
    }
    return least;
}

#endif
