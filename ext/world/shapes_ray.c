/* Rays and points against the shapes of a world, which are solid. In double.
 *
 * A ray's line meets a convex shape along an interval of t. A sphere's and a cylinder's is found
 * from the point of the line that is nearest to the middle, so that no digits are lost where the
 * ray starts far away; a capsule is the union of two spheres and a cylinder between two planes.
 */
#include "world/question.h"

#include <math.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Where a line is in a shape, and the outward normal where it enters, of any length. */
typedef struct stretch {
    double enter, exit; /* enter > exit: nowhere */
    double normal[3];
} stretch;

static const stretch nowhere = {.enter = INFINITY, .exit = -INFINITY};

/* ---- intervals ------------------------------------------------------------------------------ */

static stretch cross_sphere(const double from[3], const double dir[3], double radius)
{
    double square = dot(dir, dir), middle = -dot(from, dir) / square, at[3];
    stretch found = nowhere;
    for (int k = 0; k < 3; k++)
        at[k] = from[k] + middle * dir[k];
    double left = radius * radius - dot(at, at);
    if (!(left >= 0))
        return found;
    double half = sqrt(left / square);
    found.enter = middle - half;
    found.exit = middle + half;
    for (int k = 0; k < 3; k++)
        found.normal[k] = at[k] - half * dir[k];
    return found;
}

/* Keeps what is between the planes low <= from + t dir <= high along an axis. */
static void clip(stretch *s, double from, double dir, double low, double high, const double axis[3])
{
    if (dir == 0) {
        if (from < low || from > high)
            *s = nowhere;
        return;
    }
    double a = (low - from) / dir, b = (high - from) / dir;
    if (fmin(a, b) > s->enter) {
        s->enter = fmin(a, b);
        for (int k = 0; k < 3; k++)
            s->normal[k] = dir > 0 ? -axis[k] : axis[k];
    }
    s->exit = fmin(s->exit, fmax(a, b));
}

/* Along the axis from the origin, which is not zero. */
static stretch cross_cylinder(const double from[3], const double dir[3], const double axis[3],
                              double radius)
{
    double square = dot(axis, axis), out[3], across[3];
    double along = dot(from, axis) / square, pace = dot(dir, axis) / square;
    for (int k = 0; k < 3; k++) {
        out[k] = from[k] - along * axis[k];
        across[k] = dir[k] - pace * axis[k];
    }
    stretch found = {.enter = -INFINITY, .exit = INFINITY};
    /* A line that is as good as parallel leaves the axis by less than rounding moves it. */
    if (dot(across, across) > 1e-24 * dot(dir, dir))
        found = cross_sphere(out, across, radius);
    else if (dot(out, out) > radius * radius)
        found = nowhere;
    clip(&found, along, pace, 0, 1, axis);
    return found;
}

static void unite(stretch *whole, const stretch *piece)
{
    double exit = fmax(whole->exit, piece->exit);
    if (piece->enter > piece->exit)
        return;
    if (piece->enter < whole->enter)
        *whole = *piece;
    whole->exit = exit;
}

static stretch cross_capsule(const double from[3], const double dir[3], const graze_capsule *c)
{
    double axis[3], other[3];
    for (int k = 0; k < 3; k++) {
        axis[k] = (double)c->q[k] - c->p[k];
        other[k] = from[k] - axis[k];
    }
    const stretch pieces[3] = {
        cross_sphere(from, dir, c->radius), cross_sphere(other, dir, c->radius),
        dot(axis, axis) > 0 ? cross_cylinder(from, dir, axis, c->radius) : nowhere};
    stretch whole = nowhere;
    for (int i = 0; i < 3; i++)
        unite(&whole, &pieces[i]);
    return whole;
}

static stretch cross_box(const double from[3], const double dir[3], const graze_box *box)
{
    stretch found = {.enter = -INFINITY, .exit = INFINITY};
    for (int i = 0; i < 3; i++) {
        const double axis[3] = {box->axes[i][0], box->axes[i][1], box->axes[i][2]};
        clip(&found, dot(from, axis), dot(dir, axis), -(double)box->half[i], box->half[i], axis);
    }
    return found;
}

static stretch cross_shape(const double dir[3], const graze_shape *shape, const float origin[3])
{
    const graze_half_space *plane = &shape->as.plane;
    const float *base = shape->kind == GRAZE_SPHERE    ? shape->as.sphere.centre
                        : shape->kind == GRAZE_CAPSULE ? shape->as.capsule.p
                                                       : shape->as.box.centre;
    double from[3], normal[3];
    for (int k = 0; k < 3; k++) {
        from[k] = (double)origin[k] - (shape->kind == GRAZE_HALF_SPACE ? 0 : base[k]);
        normal[k] = plane->normal[k];
    }
    if (shape->kind == GRAZE_SPHERE)
        return cross_sphere(from, dir, shape->as.sphere.radius);
    if (shape->kind == GRAZE_CAPSULE)
        return cross_capsule(from, dir, &shape->as.capsule);
    if (shape->kind == GRAZE_BOX)
        return cross_box(from, dir, &shape->as.box);
    stretch found = {.enter = -INFINITY, .exit = INFINITY};
    clip(&found, dot(from, normal), dot(dir, normal), -INFINITY, plane->offset, normal);
    return found;
}

bool grazei_ray_meets_shape(const graze_ray *ray, const graze_shape *shape, graze_hit *hit)
{
    const double dir[3] = {ray->dir[0], ray->dir[1], ray->dir[2]};
    stretch found = cross_shape(dir, shape, ray->origin);
    if (!(found.enter <= found.exit) || !(found.exit >= ray->t_min) || !(found.enter <= ray->t_max))
        return false;
    bool starts_inside = found.enter < ray->t_min;
    double t = starts_inside ? ray->t_min : found.enter,
           length = sqrt(dot(found.normal, found.normal));
    *hit = (graze_hit){.found = true, .triangle = GRAZE_NONE, .t = (float)t};
    if (hit->t < ray->t_min || hit->t > ray->t_max) /* by rounding */
        return false;
    for (int k = 0; k < 3; k++) {
        hit->point[k] = (float)(ray->origin[k] + t * dir[k]);
        if (!starts_inside && length > 0)
            hit->normal[k] = (float)(found.normal[k] / length);
    }
    return true;
}

/* ---- the nearest point ---------------------------------------------------------------------- */

/* `away` leads from the axis to the point. */
static grazei_shape_point nearest_of_round(const double point[3], double away[3], double radius)
{
    double length = sqrt(dot(away, away));
    grazei_shape_point found = {.distance = fabs(length - radius), .inside = length <= radius};
    for (int k = 0; k < 3; k++) {
        found.normal[k] = length > 0 ? away[k] / length : k == 0;
        found.point[k] = point[k] + (radius - length) * found.normal[k];
    }
    return found;
}

static grazei_shape_point nearest_of_capsule(const graze_capsule *c, const double point[3])
{
    double axis[3], from[3];
    for (int k = 0; k < 3; k++) {
        axis[k] = (double)c->q[k] - c->p[k];
        from[k] = point[k] - c->p[k];
    }
    double square = dot(axis, axis);
    double t = square > 0 ? fmin(fmax(dot(from, axis) / square, 0), 1) : 0;
    for (int k = 0; k < 3; k++)
        from[k] -= t * axis[k];
    return nearest_of_round(point, from, c->radius);
}

static grazei_shape_point nearest_of_box(const graze_box *box, const double point[3])
{
    double local[3], out[3], from[3];
    int least = 0;
    for (int k = 0; k < 3; k++)
        from[k] = point[k] - box->centre[k];
    for (int i = 0; i < 3; i++) {
        const double axis[3] = {box->axes[i][0], box->axes[i][1], box->axes[i][2]};
        local[i] = dot(from, axis);
        out[i] = fmax(fabs(local[i]) - box->half[i], 0) * (local[i] < 0 ? -1 : 1);
        if (box->half[i] - fabs(local[i]) < box->half[least] - fabs(local[least]))
            least = i;
    }
    double length = sqrt(dot(out, out));
    grazei_shape_point found = {.distance = length, .inside = length == 0};
    if (found.inside) { /* straight to the nearest side */
        found.distance = box->half[least] - fabs(local[least]);
        out[least] = local[least] < 0 ? found.distance : -found.distance;
    }
    for (int k = 0; k < 3; k++) {
        found.point[k] = point[k];
        for (int i = 0; i < 3; i++) {
            double side = i == least ? (local[i] < 0 ? -1.0 : 1.0) : 0;
            found.point[k] -= out[i] * box->axes[i][k];
            found.normal[k] += (found.inside ? side : out[i] / length) * box->axes[i][k];
        }
    }
    return found;
}

grazei_shape_point grazei_nearest_of_shape(const graze_shape *shape, const float point[3])
{
    const double at[3] = {point[0], point[1], point[2]};
    if (shape->kind == GRAZE_CAPSULE)
        return nearest_of_capsule(&shape->as.capsule, at);
    if (shape->kind == GRAZE_BOX)
        return nearest_of_box(&shape->as.box, at);
    double away[3], length;
    if (shape->kind == GRAZE_SPHERE) {
        for (int k = 0; k < 3; k++)
            away[k] = at[k] - shape->as.sphere.centre[k];
        return nearest_of_round(at, away, shape->as.sphere.radius);
    }
    for (int k = 0; k < 3; k++)
        away[k] = shape->as.plane.normal[k];
    length = sqrt(dot(away, away));
    double height = (dot(away, at) - shape->as.plane.offset) / length;
    grazei_shape_point found = {.distance = fabs(height), .inside = height <= 0};
    for (int k = 0; k < 3; k++) {
        found.normal[k] = away[k] / length;
        found.point[k] = at[k] - height * found.normal[k];
    }
    return found;
}
