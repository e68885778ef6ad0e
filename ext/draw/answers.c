/* Contacts, hits and shapes. */
#include "draw/draw.h"

#include "base/status.h"
#include "narrow/shapes.h"

#include <math.h>

graze_status grazei_draw_check(const graze_draw *draw, graze_error *error)
{
    graze_status status = grazei_check_pointer(draw, "what draws", error);
    if (!status)
        status = GRAZEI_CHECK_RESERVED(draw, "what draws", error);
    if (!status && !(draw->length >= 0 && isfinite(draw->length)))
        return grazei_fail(error, GRAZE_BAD_INPUT, "normals cannot be of length %g", draw->length);
    return status;
}

graze_status graze_draw_contacts(const graze_draw *draw, const graze_contact *contacts,
                                 size_t count, graze_error *error)
{
    graze_status status = grazei_draw_check(draw, error);
    if (!status && count)
        status = grazei_check_pointer(contacts, "the array of contacts", error);
    for (size_t i = 0; i < count && !status; i++) {
        const graze_contact *c = &contacts[i];
        grazei_draw_way(draw, c->point, c->normal, grazei_draw_length(draw), GRAZE_DRAW_NORMAL);
        grazei_draw_way(draw, c->point, c->normal, c->depth, GRAZE_DRAW_DEPTH);
        grazei_draw_point(draw, c->point, GRAZE_DRAW_CONTACT);
    }
    return status;
}

/* How far a ray is drawn that hits nothing. */
static float end_of(const graze_draw *draw, const graze_ray *ray)
{
    return isfinite(ray->t_max) ? ray->t_max : ray->t_min + grazei_draw_length(draw);
}

graze_status graze_draw_hit(const graze_draw *draw, const graze_ray *ray, const graze_hit *hit,
                            graze_error *error)
{
    float start[3];
    graze_status status = grazei_draw_check(draw, error);
    if (!status)
        status = grazei_check_pointer(ray, "the ray", error);
    if (!status)
        status = grazei_check_pointer(hit, "the hit", error);
    if (status)
        return status;
    for (int k = 0; k < 3; k++)
        start[k] = ray->origin[k] + ray->t_min * ray->dir[k];
    if (!hit->found) {
        grazei_draw_way(draw, start, ray->dir, end_of(draw, ray) - ray->t_min, GRAZE_DRAW_RAY);
        return GRAZE_OK;
    }
    grazei_draw_line(draw, start, hit->point, GRAZE_DRAW_RAY);
    grazei_draw_way(draw, hit->point, hit->normal, grazei_draw_length(draw), GRAZE_DRAW_NORMAL);
    grazei_draw_point(draw, hit->point, GRAZE_DRAW_RAY);
    return GRAZE_OK;
}

/* ---- shapes --------------------------------------------------------------------------------- */

static void draw_capsule(const graze_draw *draw, const graze_capsule *capsule)
{
    grazei_draw_sphere(draw, capsule->p, capsule->radius, GRAZE_DRAW_SHAPE);
    grazei_draw_sphere(draw, capsule->q, capsule->radius, GRAZE_DRAW_SHAPE);
    grazei_draw_line(draw, capsule->p, capsule->q, GRAZE_DRAW_SHAPE);
}

/* The first two axes of a box at right angles to its third, a unit vector. */
static void find_sides(float axes[3][3])
{
    const float *n = axes[2];
    int least = fabsf(n[1]) < fabsf(n[0]) ? 1 : 0;
    least = fabsf(n[2]) < fabsf(n[least]) ? 2 : least;
    float length = sqrtf(1 - n[least] * n[least]);
    for (int k = 0; k < 3; k++)
        axes[0][k] = ((k == least ? 1 : 0) - n[least] * n[k]) / length;
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        axes[1][k] = n[l] * axes[0][m] - n[m] * axes[0][l];
    }
}

/* A flat box. */
static void draw_plane(const graze_draw *draw, const graze_half_space *plane)
{
    const float *n = plane->normal, size = grazei_draw_length(draw);
    double length = sqrt((double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2]);
    graze_box box = {.half = {size, size, 0}};
    for (int k = 0; k < 3; k++) {
        box.axes[2][k] = (float)(n[k] / length);
        box.centre[k] = (float)(plane->offset / length * (n[k] / length));
    }
    find_sides(box.axes);
    if (draw->box)
        draw->box(draw->user, &box, GRAZE_DRAW_SHAPE);
    grazei_draw_way(draw, box.centre, box.axes[2], size, GRAZE_DRAW_NORMAL);
}

graze_status graze_draw_shape(const graze_draw *draw, const graze_shape *shape, graze_error *error)
{
    grazei_shape checked;
    graze_status status = grazei_draw_check(draw, error);
    if (!status)
        status = grazei_shape_prepare(&checked, shape, error);
    if (status)
        return status;
    if (shape->kind == GRAZE_SPHERE)
        grazei_draw_sphere(draw, shape->as.sphere.centre, shape->as.sphere.radius,
                           GRAZE_DRAW_SHAPE);
    else if (shape->kind == GRAZE_CAPSULE)
        draw_capsule(draw, &shape->as.capsule);
    else if (shape->kind == GRAZE_BOX && draw->box)
        draw->box(draw->user, &shape->as.box, GRAZE_DRAW_SHAPE);
    else if (shape->kind == GRAZE_PLANE || shape->kind == GRAZE_HALF_SPACE)
        draw_plane(draw, &shape->as.plane);
    for (uint32_t i = 0; shape->kind == GRAZE_FRUSTUM && i < shape->as.frustum.plane_count; i++)
        draw_plane(draw, &shape->as.frustum.planes[i]);
    return GRAZE_OK;
}
