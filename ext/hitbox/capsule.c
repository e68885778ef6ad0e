#include "hitbox/capsule.h"

#include "math/rounding.h"
#include "math/vector.h"

enum { ROUNDS = 48 };

/* A point within the balls from which the farthest one is nearly as near as can be, by steps
 * towards the farthest (Badoiu & Clarkson 2003).
 */
static void find_middle(const grazei_ball *balls, uint32_t count, double middle[3])
{
    for (int k = 0; k < 3; k++)
        middle[k] = balls[0].centre[k];
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        uint32_t worst = 0;
        double most = -1;
        for (uint32_t i = 0; i < count; i++) {
            double reach = grazei_distance(balls[i].centre, middle) + balls[i].radius;
            if (reach > most) {
                most = reach;
                worst = i;
            }
        }
        for (int k = 0; k < 3; k++)
            middle[k] += (balls[worst].centre[k] - middle[k]) / (round + 1.0);
    }
}

/* What is left of a point's way from the origin without its part along a unit axis. */
static void flatten(const double point[3], const double origin[3], const double axis[3],
                    double flat[3])
{
    for (int k = 0; k < 3; k++)
        flat[k] = point[k] - origin[k];
    double along = grazei_dot(flat, axis);
    for (int k = 0; k < 3; k++)
        flat[k] -= along * axis[k];
}

/* As find_middle, seen along the axis. */
static void find_line(const grazei_ball *balls, uint32_t count, const double axis[3],
                      double on_line[3])
{
    for (int k = 0; k < 3; k++)
        on_line[k] = balls[0].centre[k];
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        double most = -1, way[3] = {0, 0, 0};
        for (uint32_t i = 0; i < count; i++) {
            double flat[3];
            flatten(balls[i].centre, on_line, axis, flat);
            double reach = grazei_length(flat) + balls[i].radius;
            if (reach > most) {
                most = reach;
                for (int k = 0; k < 3; k++)
                    way[k] = flat[k];
            }
        }
        for (int k = 0; k < 3; k++)
            on_line[k] += way[k] / (round + 1.0);
    }
}

graze_capsule grazei_capsule_along(const grazei_ball *balls, uint32_t count,
                                   const double direction[3])
{
    double length = grazei_length(direction), on_line[3], radius = 0;
    const double axis[3] = {direction[0] / length, direction[1] / length, direction[2] / length};
    find_line(balls, count, axis, on_line);
    for (uint32_t i = 0; i < count; i++) {
        double flat[3];
        flatten(balls[i].centre, on_line, axis, flat);
        radius = fmax(radius, grazei_length(flat) + balls[i].radius);
    }
    /* A ball fits in at t where a larger one, of the radius, at t +- half holds it. */
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        double flat[3], slack = radius - balls[i].radius, way[3];
        flatten(balls[i].centre, on_line, axis, flat);
        for (int k = 0; k < 3; k++)
            way[k] = balls[i].centre[k] - on_line[k];
        double t = grazei_dot(way, axis),
               half = sqrt(fmax(0, slack * slack - grazei_dot(flat, flat)));
        low = fmin(low, t + half);
        high = fmax(high, t - half);
    }
    if (low > high)
        low = high = (low + high) / 2;
    graze_capsule capsule = {.radius = 0};
    for (int k = 0; k < 3; k++) {
        capsule.p[k] = (float)(on_line[k] + low * axis[k]);
        capsule.q[k] = (float)(on_line[k] + high * axis[k]);
    }
    return capsule;
}

graze_capsule grazei_capsule_middle(const grazei_ball *balls, uint32_t count)
{
    double middle[3];
    graze_capsule capsule = {.radius = 0};
    find_middle(balls, count, middle);
    for (int k = 0; k < 3; k++)
        capsule.p[k] = capsule.q[k] = (float)middle[k];
    return capsule;
}

bool grazei_capsule_direction(const grazei_ball *balls, uint32_t count, double direction[3])
{
    double mean[3] = {0, 0, 0}, c[3][3] = {{0}}, largest = 0;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            mean[k] += balls[i].centre[k] / count;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++)
                c[k][l] += (balls[i].centre[k] - mean[k]) * (balls[i].centre[l] - mean[l]);
    int start = 0;
    for (int k = 0; k < 3; k++)
        if (c[k][k] > largest) {
            largest = c[k][k];
            start = k;
        }
    if (!(largest > 1e-60)) /* also where squares are not finite */
        return false;
    for (int k = 0; k < 3; k++)
        direction[k] = c[start][k] / largest;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const double next[3] = {grazei_dot(c[0], direction), grazei_dot(c[1], direction),
                                grazei_dot(c[2], direction)};
        double most = fmax(fabs(next[0]), fmax(fabs(next[1]), fabs(next[2])));
        for (int k = 0; k < 3; k++)
            direction[k] = next[k] / most;
    }
    return isfinite(direction[0] + direction[1] + direction[2]);
}

double grazei_capsule_distance(const graze_capsule *capsule, const double point[3])
{
    double way[3], to[3], rest[3];
    for (int k = 0; k < 3; k++) {
        way[k] = (double)capsule->q[k] - (double)capsule->p[k];
        to[k] = point[k] - (double)capsule->p[k];
    }
    /* Any t from 0 to 1 gives the distance of a point of the segment: never too small. */
    double length2 = grazei_dot(way, way), t = length2 > 0 ? grazei_dot(to, way) / length2 : 0;
    t = t > 0 ? fmin(t, 1) : 0;
    for (int k = 0; k < 3; k++)
        rest[k] = to[k] - t * way[k];
    return grazei_length(rest);
}

double grazei_capsule_radius(const graze_capsule *segment, const grazei_ball *balls, uint32_t count)
{
    double radius = 0;
    for (uint32_t i = 0; i < count; i++)
        radius = fmax(radius, grazei_capsule_distance(segment, balls[i].centre) + balls[i].radius);
    return radius;
}

double grazei_capsule_volume(const graze_capsule *capsule)
{
    double length2 = 0, r = (double)capsule->radius;
    for (int k = 0; k < 3; k++) {
        double d = (double)capsule->q[k] - (double)capsule->p[k];
        length2 += d * d;
    }
    return 3.14159265358979 * r * r * (sqrt(length2) + 4 * r / 3);
}

void grazei_capsule_offer(graze_capsule *best, graze_capsule segment, double radius)
{
    double largest = radius;
    for (int k = 0; k < 3; k++)
        largest = fmax(largest, fmax(fabs((double)segment.p[k]), fabs((double)segment.q[k])));
    segment.radius = grazei_round_up(radius + 1e-12 * largest + (double)GRAZEI_LEAST_RADIUS);
    if (grazei_capsule_volume(&segment) < grazei_capsule_volume(best))
        *best = segment;
}
