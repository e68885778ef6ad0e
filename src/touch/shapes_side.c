/* Bounds against shapes.
 *
 * Everything is in double, from floats, with some ten roundings of 2^-53 each. Margins are
 * GRAZEI_SHAPE_SLACK, 2^-40, of a length (or, for planes, a sum of products) that is at least the
 * one the test of any triangle within the bound is relative to; that test finds nothing beyond
 * 2^-44 of it (narrow/shapes.h). So a bound that is outside by the margin holds no triangle that is
 * found, and one that is inside by the margin holds only triangles in the shape, which all are.
 */
#include "touch/shapes.h"

#include "math/vector.h"

#define SLACK GRAZEI_SHAPE_SLACK

/* A bound relative to the shape's origin; half has the radius of a sphere on every axis. */
typedef struct volume {
    bool round;
    double middle[3], half[3];
    double size; /* at least the distance of any point of it */
} volume;

static volume volume_of(const grazei_shape *shape, const grazei_bound *bound, bool is_sphere)
{
    volume v = {.round = is_sphere};
    for (int k = 0; k < 3; k++) {
        if (is_sphere) {
            v.middle[k] = bound->centre[k] - shape->origin[k];
            v.half[k] = bound->radius;
        } else {
            double low = -(double)bound->low_negated[k] - shape->origin[k];
            double high = bound->high[k] - shape->origin[k];
            v.middle[k] = 0.5 * (low + high);
            v.half[k] = 0.5 * (high - low);
        }
        v.size += fabs(v.middle[k]) + v.half[k];
    }
    return v;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* How far the volume reaches from its middle in a direction, times the direction's length. */
static double support(const volume *v, const double direction[3])
{
    if (v->round)
        return v->half[0] * grazei_length(direction);
    return v->half[0] * fabs(direction[0]) + v->half[1] * fabs(direction[1]) +
           v->half[2] * fabs(direction[2]);
}

static bool boxes_apart(const grazei_shape *shape, const volume *v)
{
    double margin = SLACK * v->size;
    for (int k = 0; k < 3; k++)
        if (v->middle[k] - v->half[k] > shape->high[k] + SLACK * shape->high[k] + margin ||
            v->middle[k] + v->half[k] < shape->low[k] + SLACK * shape->low[k] - margin)
            return true;
    return false;
}

/* For a box, the nearest and the farthest point by axes; the sphere's centre is the origin. Squares
 * are compared, which are off by 2^-51 of themselves at most: far within the margin. The middle is
 * for what is not outside.
 */
static graze_side sphere_side(const grazei_shape *shape, const volume *v, double *middle)
{
    double margin = SLACK * (v->size + shape->radius), near, far;
    double beyond = shape->radius + margin, within = shape->radius - margin;
    if (v->round) {
        double distance = grazei_length(v->middle);
        near = larger(distance - v->half[0], 0);
        far = distance + v->half[0];
        near *= near;
        far *= far;
    } else {
        double nearest[3], farthest[3];
        for (int k = 0; k < 3; k++) {
            nearest[k] = larger(fabs(v->middle[k]) - v->half[k], 0);
            farthest[k] = fabs(v->middle[k]) + v->half[k];
        }
        near = grazei_dot(nearest, nearest);
        far = grazei_dot(farthest, farthest);
    }
    if (near > beyond * beyond)
        return GRAZE_OUTSIDE;
    *middle = grazei_length(v->middle) - shape->radius;
    return within >= 0 && far <= within * within ? GRAZE_INSIDE : GRAZE_CROSSING;
}

/* Along the way from the axis to the middle the volume may be apart from both ends of the axis: any
 * direction that shows it will do, however it was rounded.
 */
static graze_side capsule_side(const grazei_shape *shape, const volume *v, double *middle)
{
    double away[3], distance = grazei_shape_axis_distance(shape, v->middle, away);
    double margin = SLACK * (v->size + shape->radius + fabs(shape->along[0]) +
                             fabs(shape->along[1]) + fabs(shape->along[2]));
    double gap =
        grazei_dot(away, v->middle) - support(v, away) - larger(grazei_dot(away, shape->along), 0);
    double radius = v->round ? v->half[0] : grazei_length(v->half);
    *middle = distance - shape->radius;
    if (gap > (shape->radius + margin) * distance)
        return GRAZE_OUTSIDE;
    return distance + radius <= shape->radius - margin ? GRAZE_INSIDE : GRAZE_CROSSING;
}

static graze_side planes_side(const grazei_shape *shape, const volume *v, double *middle)
{
    graze_side side = GRAZE_INSIDE;
    *middle = -INFINITY;
    for (uint32_t p = 0; p < shape->plane_count; p++) {
        const grazei_shape_plane *plane = &shape->planes[p];
        double height = grazei_dot(plane->normal, v->middle) - plane->offset;
        double reach = support(v, plane->normal), size = fabs(plane->offset);
        for (int k = 0; k < 3; k++)
            size += fabs(plane->normal[k]) * (fabs(v->middle[k]) + v->half[k]);
        *middle = larger(*middle, height / grazei_length(plane->normal));
        if (height - reach > SLACK * size)
            return GRAZE_OUTSIDE;
        if (height + reach >= -SLACK * size)
            side = GRAZE_CROSSING;
        if (shape->kind == GRAZE_PLANE)
            return side == GRAZE_INSIDE ? GRAZE_OUTSIDE : GRAZE_CROSSING; /* below, or not */
    }
    return side;
}

graze_side grazei_shape_side(const grazei_shape *shape, const grazei_bound *bound, bool is_sphere,
                             float *middle)
{
    volume v = volume_of(shape, bound, is_sphere);
    if (v.half[0] < 0) /* nothing */
        return GRAZE_OUTSIDE;
    double distance = 0;
    graze_side side;
    if (shape->kind == GRAZE_SPHERE)
        side = sphere_side(shape, &v, &distance);
    else if (boxes_apart(shape, &v))
        side = GRAZE_OUTSIDE;
    else if (shape->kind == GRAZE_CAPSULE)
        side = capsule_side(shape, &v, &distance);
    else
        side = planes_side(shape, &v, &distance);
    if (middle)
        *middle = (float)(shape->kind == GRAZE_PLANE ? fabs(distance) : distance);
    return side;
}
