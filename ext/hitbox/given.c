/* Hitboxes written by hand: checking them, and who owns which triangle. */
#include "base/memory.h"
#include "base/status.h"
#include "hitbox/fit.h"

#include <math.h>
#include <string.h>

static bool is_bad(float x)
{
    return !(fabsf(x) < 1e15f);
}

static graze_status check_rest(const graze_capsule *rest, uint32_t number, graze_error *error)
{
    for (int k = 0; k < 3; k++)
        if (is_bad(rest->p[k]) || is_bad(rest->q[k]))
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "hitbox %u: a coordinate is not finite, or not below 1e15", number);
    if (is_bad(rest->radius))
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "hitbox %u: the radius is not finite, or not below 1e15", number);
    if (rest->radius < 0)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "hitbox %u: the radius is %g, and may not be negative", number,
                           (double)rest->radius);
    return GRAZE_OK;
}

static graze_status check_volume(const grazei_mesh *mesh, const graze_hitbox_def *v,
                                 uint32_t number, graze_error *error)
{
    if (v->part >= mesh->part_count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "hitbox %u: part %u, the model has %u", number,
                           v->part, mesh->part_count);
    if (v->joint >= mesh->joint_count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "hitbox %u: joint %u, the model has %u", number,
                           v->joint, mesh->joint_count);
    if (v->triangle_count && !v->triangles)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "hitbox %u: %u triangles announced, but triangles is NULL", number,
                           v->triangle_count);
    if (v->inner && v->triangles)
        return grazei_fail(error, GRAZE_BAD_INPUT, "hitbox %u: an inner hitbox owns no triangles",
                           number);
    return check_rest(&v->rest, number, error);
}

/* Gives a triangle to part `owner`, which is volume `number`. */
static graze_status own(graze_hitboxes *fit, uint32_t triangle, uint32_t owner, uint32_t number,
                        const uint32_t *numbers, graze_error *error)
{
    uint32_t before = fit->owners[triangle];
    if (before != UINT32_MAX)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "hitbox %u: triangle %u belongs to hitbox %u already", number, triangle,
                           before == owner ? number : numbers[before]);
    fit->owners[triangle] = owner;
    return GRAZE_OK;
}

static graze_status own_listed(graze_hitboxes *fit, const graze_hitbox_def *v, uint32_t owner,
                               uint32_t number, const uint32_t *numbers, graze_error *error)
{
    const grazei_mesh *mesh = &fit->model->mesh;
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < v->triangle_count && !status; i++) {
        uint32_t t = v->triangles[i];
        if (t >= mesh->triangle_count)
            return grazei_fail(error, GRAZE_BAD_INPUT, "hitbox %u: triangle %u, the model has %u",
                               number, t, mesh->triangle_count);
        if (mesh->triangle_parts[t] != v->part)
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "hitbox %u: triangle %u is of part %u, the hitbox of part %u",
                               number, t, mesh->triangle_parts[t], v->part);
        status = own(fit, t, owner, number, numbers, error);
    }
    if (!status && !v->triangle_count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "hitbox %u: it owns no triangles", number);
    return status;
}

/* The triangles of every part, as a list of each. */
typedef struct part_lists {
    uint32_t *first; /* part_count + 1 */
    uint32_t *triangles;
} part_lists;

static bool list_parts(const graze_hitboxes *fit, part_lists *lists)
{
    const grazei_mesh *mesh = &fit->model->mesh;
    lists->first = GRAZEI_ALLOCATE_ZERO(&fit->allocator, (size_t)mesh->part_count + 2, uint32_t);
    lists->triangles = GRAZEI_ALLOCATE(&fit->allocator, mesh->triangle_count, uint32_t);
    if (!lists->first || !lists->triangles)
        return false;
    /* Counted two places on, so that filling moves each start to where it belongs. */
    uint32_t *place = lists->first + 1;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        lists->first[mesh->triangle_parts[t] + 2]++;
    for (uint32_t g = 0; g < mesh->part_count; g++)
        lists->first[g + 2] += lists->first[g + 1];
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        lists->triangles[place[mesh->triangle_parts[t]]++] = t;
    return true;
}

static graze_status take_one(graze_hitboxes *fit, const graze_hitbox_def *v, uint32_t number,
                             const part_lists *lists, uint32_t *numbers, graze_error *error)
{
    graze_status status = check_volume(&fit->model->mesh, v, number, error);
    if (status)
        return status;
    uint32_t first = lists->first[v->part], end = lists->first[v->part + 1];
    if (first == end)
        return grazei_fail(error, GRAZE_BAD_INPUT, "hitbox %u: part %u has no triangles", number,
                           v->part);
    graze_hitbox volume = {.inner = v->inner, .part = v->part, .joint = v->joint, .rest = v->rest};
    if (v->inner)
        return grazei_fit_put_fine(fit, &volume) ? GRAZE_OK : grazei_fail_memory(error);
    uint32_t owner = fit->part_count++;
    fit->parts[owner].volume = volume;
    numbers[owner] = number;
    if (v->triangles)
        return own_listed(fit, v, owner, number, numbers, error);
    for (uint32_t i = first; i < end && !status; i++)
        status = own(fit, lists->triangles[i], owner, number, numbers, error);
    return status;
}

bool grazei_fit_put_fine(graze_hitboxes *fit, const graze_hitbox *volume)
{
    graze_hitbox *grown = grazei_grow(&fit->allocator, fit->fine, &fit->fine_capacity,
                                      fit->fine_count + 1, sizeof *fit->fine);
    if (!grown)
        return false;
    fit->fine = grown;
    fit->fine[fit->fine_count++] = *volume;
    return true;
}

graze_status grazei_fit_take_given(graze_hitboxes *fit, const graze_hitbox_def *volumes,
                                   uint32_t count, graze_error *error)
{
    const graze_allocator *a = &fit->allocator;
    uint32_t triangle_count = fit->model->mesh.triangle_count;
    fit->owners = GRAZEI_ALLOCATE(a, triangle_count, uint32_t);
    if (!fit->owners)
        return grazei_fail_memory(error);
    memset(fit->owners, 0xff, triangle_count * sizeof *fit->owners);
    if (!count)
        return GRAZE_OK;
    part_lists lists = {NULL, NULL};
    uint32_t *numbers = GRAZEI_ALLOCATE(a, count, uint32_t); /* of parts, among the volumes */
    fit->parts = GRAZEI_ALLOCATE_ZERO(a, count, grazei_fit_part);
    bool room = numbers && fit->parts && list_parts(fit, &lists);
    graze_status status = room ? GRAZE_OK : grazei_fail_memory(error);
    for (uint32_t i = 0; i < count && !status; i++)
        status = take_one(fit, &volumes[i], i, &lists, numbers, error);
    grazei_release(a, lists.first);
    grazei_release(a, lists.triangles);
    grazei_release(a, numbers);
    return status;
}
