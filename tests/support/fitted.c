#include "support/fitted.h"

#include "harness.h"
#include "support/own.h"
#include "support/rigs.h"
#include "support/soup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far a point is out of a capsule; long double, written apart from the library. */
static long double out_of(const graze_capsule *c, const float x[3])
{
    long double along = 0, length2 = 0, d2 = 0;
    for (int k = 0; k < 3; k++) {
        long double way = (long double)c->q[k] - c->p[k];
        along += way * ((long double)x[k] - c->p[k]);
        length2 += way * way;
    }
    long double t = along <= 0 ? 0 : along >= length2 ? 1 : along / length2;
    for (int k = 0; k < 3; k++) {
        long double d = (long double)x[k] - (c->p[k] + t * ((long double)c->q[k] - c->p[k]));
        d2 += d * d;
    }
    return sqrtl(d2) - c->radius;
}

bool fitted_open(fitted *f, const graze_model_def *def, uint32_t clusters, const char *name)
{
    return fitted_open_from(f, def, NULL, 0, clusters, name);
}

bool fitted_open_from(fitted *f, const graze_model_def *def, const graze_hitbox_def *volumes,
                      uint32_t volume_count, uint32_t clusters, const char *name)
{
    graze_error error = {.text = ""};
    graze_hitboxes_def fit_def = {0};
    if (clusters)
        fit_def.clusters = clusters;
    fit_def.given = volumes;
    fit_def.given_count = volume_count;
    memset(f, 0, sizeof *f);
    if (!test_check(!graze_model_create(def, &f->model, &error) &&
                        !graze_body_create(f->model, &f->body, &error) &&
                        !graze_hitboxes_create(f->model, &fit_def, &f->fit, &error),
                    __FILE__, __LINE__, "%s: %s", name, error.text))
        return false;
    graze_model_info info = graze_model_get_info(f->model);
    f->count = graze_hitboxes_count(f->fit, NULL);
    f->volumes = calloc(f->count, sizeof *f->volumes);
    f->positions = malloc(3 * sizeof(float) * info.vertex_count);
    if (!f->volumes || !f->positions)
        abort();
    return true;
}

void fitted_close(fitted *f)
{
    graze_hitboxes_destroy(f->fit);
    graze_body_destroy(f->body);
    graze_model_destroy(f->model);
    free(f->volumes);
    free(f->positions);
}

/* Corners of triangles that are outside in the body's pose. */
uint32_t fitted_outside(fitted *f, const char *name)
{
    graze_error error = {.text = ""};
    uint32_t outside = 0, count = graze_model_get_info(f->model).triangle_count;
    if (!test_check(!graze_hitboxes_pose(f->fit, f->body, f->volumes, f->count, &error), __FILE__,
                    __LINE__, "%s: %s", name, error.text))
        return 1;
    graze_body_get_positions(f->body, f->positions);
    for (uint32_t t = 0; t < count; t++) {
        uint32_t volume = graze_hitboxes_owner(f->fit, t), corners[3];
        if (graze_hitboxes_get(f->fit, volume).inner ||
            graze_hitboxes_get(f->fit, volume).part != graze_model_triangle_part(f->model, t))
            return 1;
        graze_model_triangle(f->model, t, corners);
        for (int k = 0; k < 3; k++)
            outside += !(out_of(&f->volumes[volume], f->positions + 3 * (size_t)corners[k]) <= 0);
    }
    return outside;
}

uint32_t fitted_poses_tried;

/* Random poses of the fitted model, kinds of maps in turn; stops at the first that leaves a volume.
 */
bool fitted_try_poses(fitted *f, const float centre[3], double size, uint32_t poses,
                      test_random *random, const char *name)
{
    uint32_t joint_count = graze_model_get_info(f->model).joint_count;
    OWNED float *joints = malloc(12 * sizeof *joints * joint_count);
    float placement[12];
    if (!joints)
        abort();
    bool ok = true;
    for (uint32_t p = 0; ok && p < poses; p++) {
        for (uint32_t j = 0; j < joint_count; j++) {
            uint32_t kind = p % 4 == 3 ? test_random_u32(random) : p / 4;
            map_make((map_kind)(kind % MAP_KIND_COUNT), centre, size, random, joints + 12 * j);
        }
        map_make(p % 3 ? MAP_FAR : MAP_SHEARED, centre, 1, random, placement);
        graze_pose pose = {.joints = joints,
                           .joint_count = joint_count,
                           .placement = test_random_u32(random) % 2 ? placement : NULL};
        if (graze_body_set_pose(f->body, &pose, NULL))
            continue;
        fitted_poses_tried++;
        uint32_t outside = fitted_outside(f, name);
        ok = test_check(outside == 0, __FILE__, __LINE__, "%s, pose %u: %u corners outside", name,
                        p, outside);
    }
    return ok;
}

void fitted_extent(const graze_model_def *def, float centre[3], double *size)
{
    double middle[3];
    *size = test_extent(def->positions, def->vertex_count, middle);
    for (int k = 0; k < 3; k++)
        centre[k] = (float)middle[k];
}
