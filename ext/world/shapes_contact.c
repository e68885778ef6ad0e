/* Where two simple shapes that meet do so, which way apart and how deep, in double. Round ones are
 * narrow/shape_contact.c's; here are those with a box or a half-space.
 *
 * The way out is the shortest one. Of a box and an axis inside it, and of two boxes, it is along
 * one of the directions that can keep them apart: normals of faces, and cross products of edges.
 */
#include "narrow/shapes.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* Directions shorter than this are of edges that are parallel. */
#define PARALLEL 1e-6

typedef struct found {
    double point[3], normal[3], depth;
} found;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++) {
        int x = (k + 1) % 3, y = (k + 2) % 3;
        out[k] = a[x] * b[y] - a[y] * b[x];
    }
}

static void widen(const float v[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = v[k];
}

/* Makes a unit vector; false if there is no direction. */
static bool to_unit(double v[3])
{
    double length = sqrt(dot(v, v));
    if (!(length > PARALLEL))
        return false;
    for (int k = 0; k < 3; k++)
        v[k] /= length;
    return true;
}

/* ---- half-spaces ---------------------------------------------------------------------------- */

/* The unit normal, and how far the plane is along it. */
static double unit_plane(const graze_half_space *plane, double normal[3])
{
    widen(plane->normal, normal);
    double length = sqrt(dot(normal, normal));
    for (int k = 0; k < 3; k++)
        normal[k] /= length;
    return plane->offset / length;
}

static bool half_spaces(const graze_half_space *a, const graze_half_space *b, found *out)
{
    double other[3], across[3], from = unit_plane(a, other), to = unit_plane(b, out->normal);
    cross(other, out->normal, across);
    if (dot(across, across) > 1e-28 || dot(other, out->normal) > 0)
        return false;
    out->depth = from + to;
    for (int k = 0; k < 3; k++)
        out->point[k] = out->normal[k] * (to - from) / 2;
    return true;
}

/* The point, or the middle of the points, of a finite shape that go farthest against a direction.
 */
static void deepest(const graze_shape *shape, const double n[3], double point[3])
{
    double p[3], q[3];
    if (shape->kind == GRAZE_BOX) {
        const graze_box *box = &shape->as.box;
        widen(box->centre, point);
        for (int i = 0; i < 3; i++) {
            widen(box->axes[i], q);
            double along = dot(q, n), way = fabs(along) < PARALLEL ? 0 : along > 0 ? -1 : 1;
            for (int k = 0; k < 3; k++)
                point[k] += way * box->half[i] * q[k];
        }
        return;
    }
    bool sphere = shape->kind == GRAZE_SPHERE;
    widen(sphere ? shape->as.sphere.centre : shape->as.capsule.p, p);
    widen(sphere ? shape->as.sphere.centre : shape->as.capsule.q, q);
    double radius = sphere ? shape->as.sphere.radius : shape->as.capsule.radius, along[3];
    for (int k = 0; k < 3; k++)
        along[k] = q[k] - p[k];
    double rise = dot(along, n), level = PARALLEL * sqrt(dot(along, along));
    double t = fabs(rise) <= level ? 0.5 : rise > 0 ? 0 : 1;
    for (int k = 0; k < 3; k++)
        point[k] = p[k] + t * along[k] - radius * n[k];
}

static bool in_half_space(const graze_shape *shape, const graze_half_space *plane, found *out)
{
    double offset = unit_plane(plane, out->normal);
    deepest(shape, out->normal, out->point);
    out->depth = offset - dot(out->point, out->normal);
    return true;
}

/* ---- a box and an axis ---------------------------------------------------------------------- */

/* From p to q = p + along, in the coordinates of a box. */
typedef struct axis {
    double p[3], along[3], radius, half[3];
} axis;

static axis axis_in_box(const graze_shape *round, const graze_box *box)
{
    bool sphere = round->kind == GRAZE_SPHERE;
    const float *ends[2] = {sphere ? round->as.sphere.centre : round->as.capsule.p,
                            sphere ? round->as.sphere.centre : round->as.capsule.q};
    axis a = {.radius = sphere ? round->as.sphere.radius : round->as.capsule.radius};
    for (int i = 0; i < 3; i++) {
        a.half[i] = box->half[i];
        for (int k = 0; k < 3; k++) {
            a.p[i] += (double)box->axes[i][k] * ((double)ends[0][k] - box->centre[k]);
            a.along[i] += (double)box->axes[i][k] * ((double)ends[1][k] - ends[0][k]);
        }
    }
    return a;
}

/* Half the slope of the squared distance from the box at a point of the axis; it never falls. */
static double slope_at(const axis *a, double t, double beyond[3])
{
    for (int k = 0; k < 3; k++) {
        double x = a->p[k] + t * a->along[k];
        beyond[k] = x > a->half[k] ? x - a->half[k] : x < -a->half[k] ? x + a->half[k] : 0;
    }
    return dot(beyond, a->along);
}

/* Where the slope first is above a limit, or last is not. */
static double where_slope_is(const axis *a, double limit)
{
    double low = 0, high = 1, beyond[3];
    if (slope_at(a, 0, beyond) > limit)
        return 0;
    if (slope_at(a, 1, beyond) <= limit)
        return 1;
    for (int step = 0; step < 60; step++) {
        double middle = 0.5 * (low + high);
        if (slope_at(a, middle, beyond) > limit)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

/* The middle of the part of the axis that is inside. */
static double middle_inside(const axis *a)
{
    double from = 0, to = 1;
    for (int k = 0; k < 3; k++) {
        if (a->along[k] == 0)
            continue;
        double x = (-a->half[k] - a->p[k]) / a->along[k], y = (a->half[k] - a->p[k]) / a->along[k];
        from = fmax(from, fmin(x, y));
        to = fmin(to, fmax(x, y));
    }
    return fmin(1, fmax(0, 0.5 * (from + to)));
}

/* Whether going along a unit vector, or against it, is shorter than the best way so far. */
static void offer_way(const axis *a, const double n[3], found *best)
{
    double reach = a->radius, from = dot(a->p, n), to = from + dot(a->along, n);
    for (int k = 0; k < 3; k++)
        reach += a->half[k] * fabs(n[k]);
    double ahead = reach - fmin(from, to), back = reach + fmax(from, to);
    double depth = fmin(ahead, back);
    if (!(depth < best->depth))
        return;
    best->depth = depth;
    for (int k = 0; k < 3; k++)
        best->normal[k] = ahead <= back ? n[k] : -n[k];
}

/* The axis passes through the box. */
static void leave_box(const axis *a, found *out)
{
    double t = middle_inside(a);
    out->depth = INFINITY;
    for (int k = 0; k < 3; k++) {
        double n[3] = {k == 0, k == 1, k == 2}, across[3];
        offer_way(a, n, out);
        cross(n, a->along, across);
        if (to_unit(across))
            offer_way(a, across, out);
    }
    for (int k = 0; k < 3; k++)
        out->point[k] = a->p[k] + t * a->along[k];
}

static bool in_box(const graze_shape *round, const graze_box *box, found *out)
{
    axis a = axis_in_box(round, box);
    double beyond[3], local[2][3];
    double t = where_slope_is(&a, 0), slack;
    slope_at(&a, t, beyond);
    double distance = sqrt(dot(beyond, beyond));
    slack = 1e-9 * distance * sqrt(dot(a.along, a.along));
    /* Of an axis along a face, the middle of what is nearest. */
    t = 0.5 * (where_slope_is(&a, -slack) + where_slope_is(&a, slack));
    slope_at(&a, t, beyond);
    distance = sqrt(dot(beyond, beyond));
    if (distance > 0) {
        out->depth = a.radius - distance;
        for (int k = 0; k < 3; k++) {
            out->normal[k] = beyond[k] / distance;
            out->point[k] = a.p[k] + t * a.along[k] - out->normal[k] * 0.5 * (distance + a.radius);
        }
    } else {
        leave_box(&a, out);
    }
    memcpy(local[0], out->point, sizeof local[0]);
    memcpy(local[1], out->normal, sizeof local[1]);
    for (int k = 0; k < 3; k++) {
        out->point[k] = box->centre[k];
        out->normal[k] = 0;
        for (int i = 0; i < 3; i++) {
            out->point[k] += local[0][i] * box->axes[i][k];
            out->normal[k] += local[1][i] * box->axes[i][k];
        }
    }
    return to_unit(out->normal);
}

/* ---- two boxes ------------------------------------------------------------------------------ */

static double reach_of(const graze_box *box, const double n[3])
{
    double sum = 0, axis_of_box[3];
    for (int i = 0; i < 3; i++) {
        widen(box->axes[i], axis_of_box);
        sum += fabs(dot(axis_of_box, n)) * box->half[i];
    }
    return sum;
}

/* `between` leads from the second box to the first. */
static void offer_direction(const graze_box *a, const graze_box *b, const double between[3],
                            const double n[3], found *best)
{
    double apart = dot(between, n), depth = reach_of(a, n) + reach_of(b, n) - fabs(apart);
    if (!(depth < best->depth))
        return;
    best->depth = depth;
    for (int k = 0; k < 3; k++)
        best->normal[k] = apart < 0 ? -n[k] : n[k];
}

static void corners_of(const graze_box *box, float corners[8][4])
{
    for (uint32_t c = 0; c < 8; c++)
        for (int k = 0; k < 3; k++) {
            double x = box->centre[k];
            for (uint32_t i = 0; i < 3; i++)
                x += (c >> i & 1 ? 1.0 : -1.0) * box->half[i] * (double)box->axes[i][k];
            corners[c][k] = (float)x;
            corners[c][3] = 0;
        }
}

/* Adds up the middles of what of a box's faces, two triangles each, is inside another box. */
static uint32_t add_middles(const graze_shape *box, const graze_shape *other, double sum[3])
{
    grazei_shape made;
    float corners[8][4];
    uint32_t codes[8], count = 0;
    double middle[3];
    grazei_shape_prepare(&made, other, NULL);
    corners_of(&box->as.box, corners);
    grazei_shape_codes(&made, (const float(*)[4])corners, 8, codes);
    for (uint32_t n = 0; n < 12; n++) {
        uint32_t i = n / 4, from = n % 4 / 2 << i, u = 1u << (i + 1) % 3, v = 1u << (i + 2) % 3;
        uint32_t own[3] = {from, from | u | v, from | (n % 2 ? u : v)};
        const float *const points[3] = {corners[own[0]], corners[own[1]], corners[own[2]]};
        const uint32_t own_codes[3] = {codes[own[0]], codes[own[1]], codes[own[2]]};
        if (!grazei_shape_meets(&made, points, own_codes))
            continue;
        grazei_convex_middle(&made, points, middle);
        for (int k = 0; k < 3; k++)
            sum[k] += made.origin[k] + middle[k];
        count++;
    }
    return count;
}

static bool boxes(const graze_shape *a, const graze_shape *b, found *out)
{
    const graze_box *first = &a->as.box, *second = &b->as.box;
    double between[3], u[3], v[3], across[3];
    out->depth = INFINITY;
    for (int k = 0; k < 3; k++)
        between[k] = (double)first->centre[k] - second->centre[k];
    for (int i = 0; i < 3; i++) {
        widen(first->axes[i], u);
        widen(second->axes[i], v);
        offer_direction(first, second, between, u, out);
        offer_direction(first, second, between, v, out);
        for (int j = 0; j < 3; j++) {
            widen(second->axes[j], v);
            cross(u, v, across);
            if (to_unit(across))
                offer_direction(first, second, between, across, out);
        }
    }
    memset(out->point, 0, sizeof out->point);
    uint32_t count = add_middles(a, b, out->point) + add_middles(b, a, out->point);
    double size_a = (double)first->half[0] * first->half[1] * first->half[2];
    double size_b = (double)second->half[0] * second->half[1] * second->half[2];
    for (int k = 0; k < 3; k++)
        out->point[k] = count             ? out->point[k] / count
                        : size_a < size_b ? (double)first->centre[k]
                                          : (double)second->centre[k];
    return true;
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* Whether they are to be taken the other way round, so that only the normal's sign depends on it.
 */
static bool are_turned(const graze_shape *a, const graze_shape *b)
{
    if (a->kind != b->kind)
        return a->kind > b->kind;
    return a->kind == GRAZE_BOX ? memcmp(&a->as.box, &b->as.box, sizeof a->as.box) > 0
                                : memcmp(&a->as.plane, &b->as.plane, sizeof a->as.plane) > 0;
}

bool grazei_shapes_contact(const graze_shape *a, const graze_shape *b, graze_contact *contact)
{
    found out = {.depth = 0};
    bool hit = false, turned = are_turned(a, b);
    if (a->kind <= GRAZE_CAPSULE && b->kind <= GRAZE_CAPSULE)
        return !graze_shapes_contact(a, b, &hit, contact, NULL) && hit;
    const graze_shape *first = turned ? b : a, *second = turned ? a : b;
    if (second->kind == GRAZE_HALF_SPACE)
        hit = first->kind == GRAZE_HALF_SPACE
                  ? half_spaces(&first->as.plane, &second->as.plane, &out)
                  : in_half_space(first, &second->as.plane, &out);
    else
        hit = first->kind == GRAZE_BOX ? boxes(first, second, &out)
                                       : in_box(first, &second->as.box, &out);
    *contact =
        (graze_contact){.depth = (float)fmax(0, out.depth), .triangles = {GRAZE_NONE, GRAZE_NONE}};
    for (int k = 0; k < 3; k++) {
        contact->point[k] = (float)out.point[k];
        contact->normal[k] = (float)(turned ? 0 - out.normal[k] : 0 + out.normal[k]);
    }
    return hit;
}
