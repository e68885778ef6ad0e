/* Where two shapes overlap that turn a face or a side towards each other: the one's corners or
 * ends, cut off where the other does not go on.
 */
#include "world/points.h"

#include <math.h>
#include <string.h>

/* A face or side is met if the way apart is within 45 degrees of its own normal. */
#define FACING 0.7

typedef struct face {
    double points[4][3];
    uint32_t count;     /* 4 of a box, 2 of a capsule, 1 of a sphere, 0 of a half-space */
    double sides[4][4]; /* what is beyond normal . x <= offset is not over it */
    uint32_t side_count;
    bool bounded; /* the sides say where it ends */
    double reach; /* how far the shape goes along the direction */
} face;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void add_side(face *f, const double at[3], const double normal[3], double beyond)
{
    double *side = f->sides[f->side_count++];
    memcpy(side, normal, 3 * sizeof *side);
    side[3] = dot(normal, at) + beyond;
}

static void face_of_box(const graze_box *box, const double way[3], face *f)
{
    double axes[3][3], along[3], centre[3];
    int own = 0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            axes[i][k] = box->axes[i][k];
        along[i] = dot(axes[i], way);
        if (fabs(along[i]) > fabs(along[own]))
            own = i;
        f->reach += fabs(along[i]) * box->half[i];
    }
    int u = (own + 1) % 3, v = (own + 2) % 3;
    double out = along[own] < 0 ? -(double)box->half[own] : (double)box->half[own];
    for (int k = 0; k < 3; k++)
        centre[k] = box->centre[k] + out * axes[own][k];
    f->reach += box->centre[0] * way[0] + box->centre[1] * way[1] + box->centre[2] * way[2];
    f->bounded = fabs(along[own]) > FACING;
    f->count = 4;
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 3; k++)
            f->points[c][k] = centre[k] +
                              (c == 0 || c == 3 ? -1.0 : 1.0) * box->half[u] * axes[u][k] +
                              (c < 2 ? -1.0 : 1.0) * box->half[v] * axes[v][k];
    for (int side = 0; side < 4; side++) {
        const double *axis = axes[side < 2 ? u : v];
        double turned[3] = {-axis[0], -axis[1], -axis[2]};
        add_side(f, centre, side % 2 ? turned : axis, box->half[side < 2 ? u : v]);
    }
}

static void face_of_capsule(const graze_capsule *capsule, const double way[3], face *f)
{
    double along[3], length = 0;
    for (int k = 0; k < 3; k++) {
        f->points[0][k] = capsule->p[k] + capsule->radius * way[k];
        f->points[1][k] = capsule->q[k] + capsule->radius * way[k];
        along[k] = (double)capsule->q[k] - capsule->p[k];
        length += along[k] * along[k];
    }
    f->count = 2;
    f->reach = fmax(dot(f->points[0], way), dot(f->points[1], way));
    length = sqrt(length);
    if (!(length > 0)) {
        f->count = 1;
        return;
    }
    double turned[3];
    for (int k = 0; k < 3; k++) {
        along[k] /= length;
        turned[k] = -along[k];
    }
    f->bounded = fabs(dot(along, way)) < FACING;
    add_side(f, f->points[1], along, 0);
    add_side(f, f->points[0], turned, 0);
}

/* What a shape turns towards a direction (unit). */
static face face_of(const graze_shape *shape, const double way[3])
{
    face f;
    memset(&f, 0, sizeof f);
    if (shape->kind == GRAZE_BOX)
        face_of_box(&shape->as.box, way, &f);
    if (shape->kind == GRAZE_CAPSULE)
        face_of_capsule(&shape->as.capsule, way, &f);
    if (shape->kind == GRAZE_SPHERE)
        f.count = 1;
    if (shape->kind == GRAZE_HALF_SPACE) {
        double normal[3] = {shape->as.plane.normal[0], shape->as.plane.normal[1],
                            shape->as.plane.normal[2]};
        f.reach = shape->as.plane.offset / sqrt(dot(normal, normal));
        f.bounded = true; /* and goes on everywhere */
    }
    return f;
}

/* Cuts a polygon, or a segment, at a plane; returns how many points are left. */
static uint32_t cut(double (*points)[3], uint32_t count, const double side[4])
{
    double left[GRAZEI_MAX_FACE_POINTS][3];
    uint32_t used = 0, edges = count == 2 ? 1 : count;
    for (uint32_t i = 0; i < count; i++) {
        const double *from = points[i], *to = points[(i + 1) % count];
        double a = dot(side, from) - side[3], b = dot(side, to) - side[3];
        if (a <= 0 && used < GRAZEI_MAX_FACE_POINTS)
            memcpy(left[used++], from, sizeof left[0]);
        if (i < edges && (a < 0) != (b < 0) && a != 0 && b != 0 && used < GRAZEI_MAX_FACE_POINTS) {
            for (int k = 0; k < 3; k++)
                left[used][k] = from[k] + (to[k] - from[k]) * (a / (a - b));
            used++;
        }
    }
    memcpy(points, left, used * sizeof left[0]);
    return used;
}

uint32_t grazei_shapes_points(const graze_shape *a, const graze_shape *b, const float normal[3],
                              grazei_point points[GRAZEI_MAX_FACE_POINTS])
{
    const double n[3] = {normal[0], normal[1], normal[2]}, back[3] = {-n[0], -n[1], -n[2]};
    face of_a = face_of(a, back), of_b = face_of(b, n);
    /* The corners are the one's that ends sooner: of a box on the ground, and of a capsule on a
     * box. */
    bool first = of_b.count == 0 || (of_a.count && of_a.count <= of_b.count);
    const face *own = first ? &of_a : &of_b, *other = first ? &of_b : &of_a;
    double corners[GRAZEI_MAX_FACE_POINTS][3];
    uint32_t count = own->count, used = 0;
    if (count < 2 || !other->bounded)
        return 0;
    memcpy(corners, own->points, count * sizeof corners[0]);
    for (uint32_t i = 0; i < other->side_count && count; i++)
        count = cut(corners, count, other->sides[i]);
    const double *way = first ? n : back; /* out of the other one */
    for (uint32_t i = 0; i < count; i++) {
        double depth = other->reach - dot(way, corners[i]);
        if (depth < 0)
            continue;
        points[used] = (grazei_point){.depth = (float)depth, .triangle = UINT32_MAX};
        for (int k = 0; k < 3; k++) {
            points[used].point[k] = (float)(corners[i][k] + 0.5 * depth * way[k]);
            points[used].normal[k] = normal[k];
        }
        used++;
    }
    return used;
}
