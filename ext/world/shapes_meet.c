/* Two simple shapes, decided in double. */
#include "world/world.h"

#include "narrow/shapes.h"

#include <graze/touch.h>

#include <math.h>

static double dot(const float a[3], const double b[3])
{
    return (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2];
}

static double length(const float v[3])
{
    return sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
}

static void widen(const float v[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = v[k];
}

/* How far a shape reaches against a direction: the least dot product with its points. */
static double least_along(const graze_shape *shape, const float n[3])
{
    double p[3], q[3];
    if (shape->kind == GRAZE_SPHERE) {
        widen(shape->as.sphere.centre, p);
        return dot(n, p) - shape->as.sphere.radius * length(n);
    }
    if (shape->kind == GRAZE_CAPSULE) {
        widen(shape->as.capsule.p, p);
        widen(shape->as.capsule.q, q);
        return fmin(dot(n, p), dot(n, q)) - shape->as.capsule.radius * length(n);
    }
    const graze_box *box = &shape->as.box;
    widen(box->centre, p);
    double least = dot(n, p);
    for (int i = 0; i < 3; i++) {
        widen(box->axes[i], q);
        least -= fabs(dot(n, q)) * box->half[i];
    }
    return least;
}

/* Half-spaces that do not face away from each other always do. */
static bool half_spaces_meet(const graze_half_space *a, const graze_half_space *b)
{
    double n[3];
    widen(b->normal, n);
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        if (a->normal[k] * n[next] != a->normal[next] * n[k])
            return true;
    }
    return dot(a->normal, n) > 0 ||
           a->offset * length(b->normal) + b->offset * length(a->normal) >= 0;
}

/* A point in the coordinates of a box. */
static void to_box(const graze_box *box, const float point[3], double out[3])
{
    double from[3];
    for (int k = 0; k < 3; k++)
        from[k] = (double)point[k] - box->centre[k];
    for (int i = 0; i < 3; i++)
        out[i] = dot(box->axes[i], from);
}

/* The squared distance of p + t d from a box around the origin, and half its slope in t. */
static double square_at(const float half[3], const double p[3], const double d[3], double t,
                        double *slope)
{
    double sum = 0;
    *slope = 0;
    for (int k = 0; k < 3; k++) {
        double x = p[k] + t * d[k];
        double beyond = x > half[k] ? x - half[k] : x < -half[k] ? x + half[k] : 0;
        sum += beyond * beyond;
        *slope += beyond * d[k];
    }
    return sum;
}

/* The squared distance of a segment from a box. Its slope grows with t, so that the least is where
 * the slope changes sign: bisection, down to the last bits.
 */
static double segment_square(const graze_box *box, const float from[3], const float to[3])
{
    double p[3], q[3], d[3], slope, low = 0, high = 1;
    to_box(box, from, p);
    to_box(box, to, q);
    for (int k = 0; k < 3; k++)
        d[k] = q[k] - p[k];
    double least = square_at(box->half, p, d, 0, &slope);
    if (slope >= 0)
        return least;
    least = fmin(least, square_at(box->half, p, d, 1, &slope));
    if (slope <= 0)
        return least;
    for (int step = 0; step < 60; step++) {
        double middle = 0.5 * (low + high);
        least = fmin(least, square_at(box->half, p, d, middle, &slope));
        if (slope > 0)
            high = middle;
        else
            low = middle;
    }
    return least;
}

static bool round_meets_box(const graze_shape *round, const graze_box *box)
{
    const graze_sphere *sphere = &round->as.sphere;
    const graze_capsule *capsule = &round->as.capsule;
    bool is_sphere = round->kind == GRAZE_SPHERE;
    double radius = is_sphere ? sphere->radius : capsule->radius;
    return (is_sphere ? segment_square(box, sphere->centre, sphere->centre)
                      : segment_square(box, capsule->p, capsule->q)) <= radius * radius;
}

/* Whether an axis keeps two boxes apart that are `between` from each other. */
static bool is_apart_along(const graze_box *a, const graze_box *b, const double between[3],
                           const double axis[3])
{
    double reach = 0;
    for (int i = 0; i < 3; i++)
        reach +=
            fabs(dot(a->axes[i], axis)) * a->half[i] + fabs(dot(b->axes[i], axis)) * b->half[i];
    return fabs(axis[0] * between[0] + axis[1] * between[1] + axis[2] * between[2]) > reach;
}

/* By the 15 axes that can keep boxes apart. */
static bool boxes_meet(const graze_box *a, const graze_box *b)
{
    double between[3], u[3], v[3];
    for (int k = 0; k < 3; k++)
        between[k] = (double)b->centre[k] - a->centre[k];
    for (int i = 0; i < 3; i++) {
        widen(a->axes[i], u);
        widen(b->axes[i], v);
        if (is_apart_along(a, b, between, u) || is_apart_along(a, b, between, v))
            return false;
        for (int j = 0; j < 3; j++) {
            widen(b->axes[j], v);
            double cross[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                               u[0] * v[1] - u[1] * v[0]};
            if (is_apart_along(a, b, between, cross))
                return false;
        }
    }
    return true;
}

graze_status grazei_shapes_meet(const graze_shape *a, const graze_shape *b, bool *meet,
                                graze_error *error)
{
    if (b->kind == GRAZE_HALF_SPACE || (b->kind == GRAZE_BOX && a->kind != GRAZE_HALF_SPACE)) {
        const graze_shape *other = a;
        a = b;
        b = other;
    }
    if (a->kind == GRAZE_HALF_SPACE)
        *meet = b->kind == GRAZE_HALF_SPACE
                    ? half_spaces_meet(&a->as.plane, &b->as.plane)
                    : least_along(b, a->as.plane.normal) <= a->as.plane.offset;
    else if (a->kind == GRAZE_BOX)
        *meet = b->kind == GRAZE_BOX ? boxes_meet(&a->as.box, &b->as.box)
                                     : round_meets_box(b, &a->as.box);
    else
        return graze_shapes_contact(a, b, meet, NULL, error);
    return GRAZE_OK;
}

grazei_bound grazei_world_shape_box(const graze_shape *shape)
{
    grazei_shape made;
    grazei_bound box = {0};
    grazei_shape_prepare(&made, shape, NULL);
    for (int k = 0; k < 3; k++) {
        double margin = 0x1p-48 * (fabs(made.origin[k]) + made.high[k] - made.low[k]);
        float low = (float)(made.origin[k] + made.low[k] - margin);
        float high = (float)(made.origin[k] + made.high[k] + margin);
        box.low_negated[k] = -nextafterf(low, -INFINITY);
        box.high[k] = nextafterf(high, INFINITY);
    }
    return box;
}
