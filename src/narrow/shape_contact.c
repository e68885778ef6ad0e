/* In double, relative to the shape's origin, so that nothing is lost far from the origin of
 * coordinates. Whether shape and triangle meet is decided elsewhere (narrow/shapes.h); here they
 * do.
 */
#include "narrow/shape_contact.h"

#include "narrow/d3.h"

#include <math.h>
#include <string.h>

static const d3 zero = {0, 0, 0};

/* Two points that are near each other, and the square of their distance. */
typedef struct nearest {
    d3 on_axis, on_triangle;
    double square;
} nearest;

static double clamp_unit(double t)
{
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

static d3 on_segment(d3 a, d3 e, d3 p)
{
    double square = d3_dot(e, e);
    return d3_along(a, square > 0 ? clamp_unit(d3_dot(d3_sub(p, a), e) / square) : 0, e);
}

static void take_nearer(nearest *best, d3 on_axis, d3 on_triangle)
{
    d3 way = d3_sub(on_axis, on_triangle);
    double square = d3_dot(way, way);
    if (square < best->square)
        *best = (nearest){on_axis, on_triangle, square};
}

/* A triangle as a corner, two edges and its normal, of any length. */
typedef struct face {
    d3 corners[3], normal;
    double normal_square;
} face;

static face make_face(const grazei_shape *shape, const float *const corners[3])
{
    face f;
    const double *o = shape->origin;
    for (int i = 0; i < 3; i++)
        f.corners[i] = (d3){corners[i][0] - o[0], corners[i][1] - o[1], corners[i][2] - o[2]};
    f.normal = d3_cross(d3_sub(f.corners[1], f.corners[0]), d3_sub(f.corners[2], f.corners[0]));
    f.normal_square = d3_dot(f.normal, f.normal);
    return f;
}

/* Whether a point of the triangle's plane lies in it. */
static bool is_within(const face *f, d3 p)
{
    for (int i = 0; i < 3; i++) {
        d3 edge = d3_sub(f->corners[(i + 1) % 3], f->corners[i]);
        if (d3_dot(d3_cross(edge, d3_sub(p, f->corners[i])), f->normal) < 0)
            return false;
    }
    return true;
}

/* From a point straight down to the plane, where that is in the triangle. */
static void try_foot(const face *f, d3 p, nearest *best)
{
    if (!(f->normal_square > 0))
        return;
    double height = d3_dot(d3_sub(p, f->corners[0]), f->normal) / f->normal_square;
    d3 foot = d3_along(p, -height, f->normal);
    if (is_within(f, foot))
        take_nearer(best, p, foot);
}

/* Where the axis passes through the triangle. */
static void try_crossing(const face *f, d3 axis, nearest *best)
{
    double slope = d3_dot(axis, f->normal), height = d3_dot(f->corners[0], f->normal);
    double t = height / slope; /* not a number, or infinite, where they are parallel */
    if (t >= 0 && t <= 1) {
        d3 at = d3_scale(axis, t);
        if (is_within(f, at))
            take_nearer(best, at, at);
    }
}

/* Nearest points of the segments from 0 along axis and from a along e. */
static void try_edges(d3 axis, d3 a, d3 e, nearest *best)
{
    double square = d3_dot(axis, axis);
    d3 across = square > 0 ? d3_along(e, -d3_dot(e, axis) / square, axis) : e;
    d3 start = square > 0 ? d3_along(a, -d3_dot(a, axis) / square, axis) : a;
    double across_square = d3_dot(across, across);
    double t = across_square > 0 ? clamp_unit(-d3_dot(start, across) / across_square) : 0;
    d3 there = d3_along(a, t, e), here = on_segment(zero, axis, there);
    take_nearer(best, here, on_segment(a, e, here));
}

static nearest find_nearest(const face *f, d3 axis)
{
    nearest best = {zero, zero, INFINITY};
    try_foot(f, zero, &best);
    try_foot(f, axis, &best);
    for (int i = 0; i < 3; i++) {
        d3 corner = f->corners[i], edge = d3_sub(f->corners[(i + 1) % 3], corner);
        take_nearer(&best, on_segment(zero, axis, corner), corner);
        take_nearer(&best, zero, on_segment(corner, edge, zero));
        take_nearer(&best, axis, on_segment(corner, edge, axis));
        try_edges(axis, corner, edge, &best);
    }
    if (f->normal_square > 0)
        try_crossing(f, axis, &best);
    return best;
}

static grazei_shape_contact make_contact(d3 point, d3 normal, double depth)
{
    return (grazei_shape_contact){
        {point.x, point.y, point.z}, {normal.x, normal.y, normal.z}, depth > 0 ? depth : 0};
}

/* In front of the triangle, away from the nearest point; from behind, and where the axis passes
 * through it, out along the triangle's normal until nothing is behind its plane.
 */
static grazei_shape_contact round_triangle(const grazei_shape *shape, const face *f)
{
    d3 axis = {shape->along[0], shape->along[1], shape->along[2]};
    nearest best = find_nearest(f, axis);
    d3 way = d3_sub(best.on_axis, best.on_triangle);
    double distance = sqrt(best.square);
    bool has_area = f->normal_square > 0;
    if (distance > 0 && (!has_area || d3_dot(way, f->normal) > 0))
        return make_contact(best.on_triangle, d3_scale(way, 1 / distance),
                            shape->radius - distance);
    if (!has_area)
        return make_contact(best.on_triangle, zero, shape->radius);
    d3 out = d3_scale(f->normal, 1 / sqrt(f->normal_square));
    double first = d3_dot(out, d3_sub(zero, best.on_triangle));
    double second = d3_dot(out, d3_sub(axis, best.on_triangle));
    return make_contact(best.on_triangle, out, shape->radius - d1_min(first, second));
}

/* ---- boxes and half-spaces ------------------------------------------------------------------ */

/* The least way out so far. */
typedef struct way_out {
    d3 direction;
    double depth;
} way_out;

/* A box as its three half edges. Its planes come in pairs, one axis after the other. */
typedef struct box_edges {
    d3 half[3];
} box_edges;

static d3 box_axis(const grazei_shape *box, int i)
{
    const double *n = box->planes[2 * i].normal;
    return (d3){n[0], n[1], n[2]};
}

/* Axes are at right angles to a part in a thousand, so edges are not quite along them. */
static box_edges find_edges(const grazei_shape *box)
{
    box_edges edges;
    for (int i = 0; i < 3; i++) {
        d3 cross = d3_cross(box_axis(box, (i + 1) % 3), box_axis(box, (i + 2) % 3));
        double scale = box->planes[2 * i].offset / d3_dot(cross, box_axis(box, i));
        edges.half[i] = d3_scale(cross, scale);
    }
    return edges;
}

/* How far the box must go along a direction of any length until a plane across it has box and
 * triangle on different sides. If that is to the triangle's back, the box goes along the triangle's
 * plane instead, and further, until the same plane does.
 */
static void try_plane(const box_edges *box, const face *f, d3 across, way_out *best)
{
    double reach = 0, most = -INFINITY, side = d3_dot(across, f->normal);
    for (int i = 0; i < 3; i++) {
        reach += fabs(d3_dot(across, box->half[i]));
        most = d1_max(most, d3_dot(across, f->corners[i]));
    }
    d3 way = side < 0 ? d3_along(across, -side / f->normal_square, f->normal) : across;
    double square = d3_dot(way, way);
    if (!(square > 0x1p-60 * d3_dot(across, across)))
        return;
    double length = sqrt(square), depth = (reach + most) / length;
    if (depth < best->depth)
        *best = (way_out){d3_scale(way, 1 / length), depth};
}

static void try_both_sides(const box_edges *box, const face *f, d3 across, way_out *best)
{
    try_plane(box, f, across, best);
    try_plane(box, f, d3_scale(across, -1), best);
}

/* The shortest way out that is not towards the triangle's back: across one of the planes that can
 * be the last to touch, which are those of the triangle, of the box, and through an edge of each.
 * A box whose centre is behind the triangle leaves along the triangle's normal.
 */
static grazei_shape_contact box_triangle(const grazei_shape *box, const face *f,
                                         const float *const corners[3])
{
    box_edges edges = find_edges(box);
    way_out best = {zero, INFINITY};
    double middle[3];
    try_plane(&edges, f, f->normal, &best);
    bool behind = f->normal_square > 0 && d3_dot(f->corners[0], f->normal) > 0;
    for (int i = 0; i < 3 && !behind; i++) {
        d3 edge = d3_sub(f->corners[(i + 1) % 3], f->corners[i]);
        try_both_sides(&edges, f, box_axis(box, i), &best);
        for (int k = 0; k < 3; k++)
            try_both_sides(&edges, f, d3_cross(edges.half[k], edge), &best);
    }
    grazei_convex_middle(box, corners, middle);
    return make_contact((d3){middle[0], middle[1], middle[2]}, best.direction, best.depth);
}

/* The half-space leaves against its own normal; the deepest corner is the point. */
static grazei_shape_contact half_space_triangle(const grazei_shape *shape, const face *f)
{
    const double *n = shape->planes[0].normal;
    d3 normal = {n[0], n[1], n[2]}, deepest = f->corners[0];
    for (int i = 1; i < 3; i++)
        if (d3_dot(normal, f->corners[i]) < d3_dot(normal, deepest))
            deepest = f->corners[i];
    double length = sqrt(d3_dot(normal, normal));
    double depth = (shape->planes[0].offset - d3_dot(normal, deepest)) / length;
    return make_contact(deepest, d3_scale(normal, -1 / length), depth);
}

bool grazei_shape_has_contacts(graze_shape_kind kind)
{
    return kind == GRAZE_SPHERE || kind == GRAZE_CAPSULE || kind == GRAZE_BOX ||
           kind == GRAZE_HALF_SPACE;
}

grazei_shape_contact grazei_shape_triangle_contact(const grazei_shape *shape,
                                                   const float *const corners[3])
{
    face f = make_face(shape, corners);
    if (shape->kind == GRAZE_BOX)
        return box_triangle(shape, &f, corners);
    if (shape->kind == GRAZE_HALF_SPACE)
        return half_space_triangle(shape, &f);
    return round_triangle(shape, &f);
}

/* ---- round shapes --------------------------------------------------------------------------- */

/* The order in which two shapes are looked at, whichever is called the first, so that an exchange
 * changes nothing but signs.
 */
static bool comes_second(const grazei_shape *a, const grazei_shape *b)
{
    double first[7], second[7];
    for (int k = 0; k < 3; k++) {
        first[k] = a->origin[k];
        second[k] = b->origin[k];
        first[3 + k] = a->along[k];
        second[3 + k] = b->along[k];
    }
    first[6] = a->radius;
    second[6] = b->radius;
    for (int k = 0; k < 7; k++)
        if (first[k] != second[k])
            return first[k] > second[k];
    return false;
}

/* The middle of where two segments lie side by side: s along e, from 0 to 1. */
static double middle_beside(d3 e, d3 from, d3 f)
{
    double square = d3_dot(e, e);
    double s = d3_dot(from, e) / square, t = d3_dot(d3_along(from, 1, f), e) / square;
    return 0.5 * (clamp_unit(d1_min(s, t)) + clamp_unit(d1_max(s, t)));
}

/* Nearest points of the axes of a and b, both relative to a's origin. */
static void nearest_of_axes(const grazei_shape *a, const grazei_shape *b, d3 *on_a, d3 *on_b)
{
    d3 e = {a->along[0], a->along[1], a->along[2]}, f = {b->along[0], b->along[1], b->along[2]};
    d3 from = {b->origin[0] - a->origin[0], b->origin[1] - a->origin[1],
               b->origin[2] - a->origin[2]};
    double e_square = d3_dot(e, e), f_square = d3_dot(f, f);
    d3 cross = d3_cross(e, f);
    bool parallel = !(d3_dot(cross, cross) > 0x1p-60 * e_square * f_square);
    if (parallel && e_square > 0 && f_square > 0) {
        *on_a = d3_scale(e, middle_beside(e, from, f));
        *on_b = on_segment(from, f, *on_a);
        return;
    }
    nearest best = {zero, from, INFINITY};
    take_nearer(&best, on_segment(zero, e, from), from);
    take_nearer(&best, on_segment(zero, e, d3_along(from, 1, f)), d3_along(from, 1, f));
    take_nearer(&best, zero, on_segment(from, f, zero));
    take_nearer(&best, e, on_segment(from, f, e));
    try_edges(e, from, f, &best);
    *on_a = best.on_axis;
    *on_b = best.on_triangle;
}

/* Any direction across both axes; up where there is a choice. */
static d3 across(const grazei_shape *a, const grazei_shape *b)
{
    d3 e = {a->along[0], a->along[1], a->along[2]}, f = {b->along[0], b->along[1], b->along[2]};
    d3 up = {0, 1, 0}, side = d3_cross(e, f);
    d3 longest = d3_dot(e, e) >= d3_dot(f, f) ? e : f;
    double square = d3_dot(longest, longest);
    if (d3_dot(side, side) > 0x1p-60 * d3_dot(e, e) * d3_dot(f, f))
        return d3_scale(side, 1 / sqrt(d3_dot(side, side)));
    if (!(square > 0))
        return up;
    d3 tries[2] = {d3_along(up, -longest.y / square, longest), {1, 0, 0}};
    tries[1] = d3_along(tries[1], -longest.x / square, longest);
    d3 best = d3_dot(tries[0], tries[0]) > 0.01 ? tries[0] : tries[1];
    return d3_scale(best, 1 / sqrt(d3_dot(best, best)));
}

bool grazei_round_contact(const grazei_shape *a, const grazei_shape *b,
                          grazei_shape_contact *contact)
{
    bool turned = comes_second(a, b);
    const grazei_shape *first = turned ? b : a, *second = turned ? a : b;
    d3 on_first, on_second;
    nearest_of_axes(first, second, &on_first, &on_second);
    d3 way = d3_sub(on_first, on_second);
    double distance = sqrt(d3_dot(way, way)), depth = first->radius + second->radius - distance;
    if (!(depth >= 0))
        return false;
    d3 normal = distance > 0 ? d3_scale(way, 1 / distance) : across(first, second);
    /* Half way between where either surface is deepest in the other. */
    d3 point = d3_along(on_second, second->radius - 0.5 * depth, normal);
    point = d3_along(point, 1, (d3){first->origin[0], first->origin[1], first->origin[2]});
    if (turned)
        normal = d3_scale(normal, -1);
    *contact = make_contact(point, normal, depth);
    return true;
}
