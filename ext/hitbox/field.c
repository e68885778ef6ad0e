#include "hitbox/field.h"

#include "touch/inside.h"
#include "touch/nearest_point.h"

#include <math.h>

typedef struct place {
    bool found, inside;
    double distance;  /* from the surface */
    d3 point, normal; /* of the surface, nearest; outwards, where the distance is 0 */
    uint32_t triangle;
} place;

/* ---- bodies --------------------------------------------------------------------------------- */

/* Whether a point is inside a closed body. */
static bool is_inside(const grazei_field *field, d3 at)
{
    const float point[3] = {(float)at.x, (float)at.y, (float)at.z};
    grazei_inside_question question;
    grazei_agenda agenda;
    grazei_inside_begin(&question, &agenda, field->body, point, field->stats);
    grazei_run(&question.base, &agenda, field->stats);
    return grazei_inside_answer(&question).inside;
}

/* Where a point is, if it is inside, or within the limit of the surface. Of a body that is not
 * closed nothing beyond the limit is known.
 */
static place place_in_body(const grazei_field *field, d3 at, double limit)
{
    bool inside = field->closed && is_inside(field, at);
    grazei_surface_point nearest =
        grazei_nearest_point(field->body, at, inside ? INFINITY : limit, field->stats);
    return (place){.found = nearest.found,
                   .inside = field->closed ? inside : nearest.behind,
                   .distance = nearest.distance,
                   .point = nearest.point,
                   .normal = nearest.normal,
                   .triangle = nearest.triangle};
}

/* ---- simple shapes -------------------------------------------------------------------------- */

static d3 widen(const float v[3])
{
    return (d3){v[0], v[1], v[2]};
}

/* Any unit vector at right angles to another, or at all. */
static d3 any_across(d3 axis)
{
    d3 other = fabs(axis.x) <= fabs(axis.y) && fabs(axis.x) <= fabs(axis.z) ? (d3){1, 0, 0}
               : fabs(axis.y) <= fabs(axis.z)                               ? (d3){0, 1, 0}
                                                                            : (d3){0, 0, 1};
    d3 across = d3_cross(axis, other);
    double length = sqrt(d3_dot(across, across));
    return length > 0 ? d3_scale(across, 1 / length) : other;
}

static place place_in_round(d3 p, d3 q, double radius, d3 at)
{
    d3 axis = d3_sub(q, p), to = d3_sub(at, p);
    double square = d3_dot(axis, axis), t = square > 0 ? d3_dot(to, axis) / square : 0;
    d3 on_axis = d3_along(p, t > 0 ? d1_min(t, 1) : 0, axis), away = d3_sub(at, on_axis);
    double length = sqrt(d3_dot(away, away));
    d3 normal = length > 0 ? d3_scale(away, 1 / length) : any_across(axis);
    return (place){.found = true,
                   .inside = length < radius,
                   .distance = fabs(length - radius),
                   .point = d3_along(on_axis, radius, normal),
                   .normal = normal};
}

static place place_in_half_space(const graze_half_space *half_space, d3 at)
{
    d3 normal = widen(half_space->normal);
    double length = sqrt(d3_dot(normal, normal));
    normal = d3_scale(normal, 1 / length);
    double height = d3_dot(normal, at) - half_space->offset / length;
    return (place){.found = true,
                   .inside = height < 0,
                   .distance = fabs(height),
                   .point = d3_along(at, -height, normal),
                   .normal = normal};
}

static place place_in_box(const graze_box *box, d3 at)
{
    d3 from = d3_sub(at, widen(box->centre)), out = {0, 0, 0};
    double least = INFINITY;
    int nearest = 0;
    bool negative = false;
    for (int i = 0; i < 3; i++) {
        d3 axis = widen(box->axes[i]);
        double x = d3_dot(axis, from), beyond = fabs(x) - box->half[i];
        if (beyond > 0)
            out = d3_along(out, x < 0 ? -beyond : beyond, axis);
        if (-beyond < least) {
            least = -beyond;
            nearest = i;
            negative = x < 0;
        }
    }
    place found = {.found = true, .inside = least > 0};
    found.normal = d3_scale(widen(box->axes[nearest]), negative ? -1 : 1);
    found.distance = found.inside ? least : sqrt(d3_dot(out, out));
    found.point = found.inside ? d3_along(at, least, found.normal) : d3_sub(at, out);
    return found;
}

static place place_in_shape(const graze_shape *shape, d3 at)
{
    switch (shape->kind) {
    case GRAZE_SPHERE: {
        d3 centre = widen(shape->as.sphere.centre);
        return place_in_round(centre, centre, shape->as.sphere.radius, at);
    }
    case GRAZE_CAPSULE:
        return place_in_round(widen(shape->as.capsule.p), widen(shape->as.capsule.q),
                              shape->as.capsule.radius, at);
    case GRAZE_BOX:
        return place_in_box(&shape->as.box, at);
    default:
        return place_in_half_space(&shape->as.plane, at);
    }
}

/* ---- balls ---------------------------------------------------------------------------------- */

static place place_of(const grazei_field *field, d3 at, double limit)
{
    return field->body ? place_in_body(field, at, limit) : place_in_shape(&field->shape, at);
}

/* How deep a point is, beside another that is inside: no deeper than the limit. By as much as is
 * free around the other, the way between them meets no surface.
 */
static double depth_at(const grazei_field *field, d3 at, double limit, bool is_free)
{
    if (field->body && field->closed) {
        if (!is_free && !is_inside(field, at))
            return 0;
        grazei_surface_point nearest =
            grazei_nearest_point(field->body, at, limit * (1 + 1e-6), field->stats);
        return nearest.found ? nearest.distance : 0;
    }
    place found = place_of(field, at, limit);
    return found.found && found.inside ? found.distance : 0;
}

/* How deep the surface of a ball goes whose centre is inside. Its point farthest from where the
 * centre is nearest to the surface is the deepest, unless it is near to the surface elsewhere: then
 * points around it are tried as well.
 */
static double deepest_of(const grazei_field *field, d3 centre, double radius, const place *at,
                         d3 normal)
{
    double most = at->distance + radius;
    bool is_free = radius * (1 + 1e-6) < at->distance;
    double deepest = depth_at(field, d3_along(centre, -radius, normal), most, is_free);
    if (deepest >= most * (1 - 1e-3))
        return deepest;
    d3 u = any_across(normal), v = d3_cross(normal, u);
    static const double turns[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (int i = 0; i < 4; i++) {
        d3 side = d3_along(d3_scale(u, turns[i][0]), turns[i][1], v);
        d3 back = d3_scale(d3_along(side, -1, normal), 0.70710678118654752);
        deepest = d1_max(deepest, depth_at(field, d3_along(centre, radius, side), most, is_free));
        deepest = d1_max(deepest, depth_at(field, d3_along(centre, radius, back), most, is_free));
    }
    return deepest;
}

grazei_ball_contact grazei_field_measure(const grazei_field *field, d3 centre, double radius)
{
    grazei_ball_contact contact = {.depth = -1};
    place at = place_of(field, centre, radius);
    if (!at.found || (!at.inside && at.distance > radius))
        return contact;
    d3 way = at.inside ? d3_sub(at.point, centre) : d3_sub(centre, at.point);
    double length = sqrt(d3_dot(way, way));
    contact.normal = length > 0 ? d3_scale(way, 1 / length) : at.normal;
    contact.point = at.point;
    contact.triangle = at.triangle;
    contact.depth =
        at.inside ? deepest_of(field, centre, radius, &at, contact.normal) : radius - at.distance;
    return contact;
}
