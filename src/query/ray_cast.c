/* The public functions that cast rays. */
#include <graze/ray.h>
#include <graze/reference.h>

#include "base/status.h"
#include "query/ray.h"
#include "query/reference.h"

#include <stdio.h>

graze_ray graze_default_ray(void)
{
    return (graze_ray){.dir = {0, 0, 1}, .t_max = INFINITY};
}

graze_ray graze_ray_between(const float from[3], const float to[3])
{
    if (!from || !to)
        return (graze_ray){.t_max = 1}; /* without a direction: queries refuse it */
    return (graze_ray){.origin = {from[0], from[1], from[2]},
                       .dir = {to[0] - from[0], to[1] - from[1], to[2] - from[2]},
                       .t_max = 1};
}

static graze_status cast(graze_body *body, const graze_ray *ray, grazei_ray_kind kind,
                         graze_ray_hit *hit, graze_ray_hit_fn report, void *user,
                         graze_stats *stats, graze_error *error)
{
    grazei_ray_question question;
    grazei_agenda agenda;
    graze_stats unwanted = {0};
    graze_status status = grazei_check_cast_outside(body, ray, error);
    if (!status)
        status =
            grazei_check_given(hit || report, kind == GRAZEI_RAY_ALL ? "report" : "hit", error);
    if (status)
        return status;
    stats = stats ? stats : &unwanted;
    if (grazei_ray_passes(body, ray, stats)) {
        if (hit)
            *hit = (graze_ray_hit){.found = false};
        return GRAZE_OK;
    }
    status = grazei_body_ready(body, error);
    if (status)
        return status;
    grazei_ray_begin(&question, &agenda, body, ray, kind, report, user, stats);
    grazei_run(&question.base, &agenda, stats);
    if (hit)
        *hit = grazei_ray_hit_of(body, &question.best);
    return GRAZE_OK;
}

graze_status graze_cast(graze_body *body, const graze_ray *ray, graze_ray_hit *hit,
                        graze_stats *stats, graze_error *error)
{
    return cast(body, ray, GRAZEI_RAY_NEAREST, hit, NULL, NULL, stats, error);
}

graze_status graze_cast_any(graze_body *body, const graze_ray *ray, graze_ray_hit *hit,
                            graze_stats *stats, graze_error *error)
{
    return cast(body, ray, GRAZEI_RAY_ANY, hit, NULL, NULL, stats, error);
}

graze_status graze_cast_all(graze_body *body, const graze_ray *ray, graze_ray_hit_fn report,
                            void *user, graze_stats *stats, graze_error *error)
{
    return cast(body, ray, GRAZEI_RAY_ALL, NULL, report, user, stats, error);
}

graze_status grazei_check_cast_many(graze_body *body, const graze_ray *rays, size_t count,
                                    const graze_ray_hit *hits, graze_error *error)
{
    graze_status status = grazei_check_body(body, "the body", error);
    if (!status)
        status = grazei_check_given(rays || !count, "rays", error);
    if (!status)
        status = grazei_check_given(hits || !count, "hits", error);
    for (size_t i = 0; i < count && !status; i++) {
        status = grazei_check_ray(&rays[i], "a ray", NULL);
        if (status) { /* once more, by its name */
            char name[32];
            snprintf(name, sizeof name, "ray %zu", i);
            status = grazei_check_ray(&rays[i], name, error);
        }
    }
    return status;
}

void grazei_cast_packets(graze_body *body, const graze_ray *rays, size_t count, graze_ray_hit *hits,
                         graze_stats *stats)
{
    const grazei_ray_kernels *kernels = GRAZEI_PICK(grazei_body_model(body)->isa, ray_kernels);
    for (size_t first = 0; first < count; first += GRAZEI_RAY_PACKET) {
        size_t left = count - first < GRAZEI_RAY_PACKET ? count - first : GRAZEI_RAY_PACKET;
        kernels->packet(body, rays + first, (uint32_t)left, hits + first, stats);
    }
}

graze_status graze_cast_many(graze_body *body, const graze_ray *rays, size_t count,
                             graze_ray_hit *hits, graze_stats *stats, graze_error *error)
{
    graze_stats unwanted = {0};
    graze_status status = grazei_check_cast_many(body, rays, count, hits, error);
    if (!status)
        grazei_cast_packets(body, rays, count, hits, stats ? stats : &unwanted);
    return status;
}

graze_status graze_cast_brute(graze_body *body, const graze_ray *ray, graze_ray_hit_fn report,
                              void *user, graze_stats *stats, graze_error *error)
{
    graze_status status = grazei_check_cast(body, ray, error);
    if (!status)
        status = grazei_check_given(report != NULL, "report", error);
    if (status)
        return status;
    grazei_posed_mesh mesh = grazei_body_mesh_posed(body, stats);
    if (stats)
        stats->triangle_tests += mesh.triangle_count;
    grazei_body_enter(body);
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        grazei_ray_found found = {.found = true, .triangle = t};
        if (!grazei_mesh_takes(&mesh, t))
            continue;
        grazei_reference_triangle(&mesh, t, found.corners);
        if (!grazei_ray_meets(ray, (const float(*)[3])found.corners, &found.at))
            continue;
        graze_ray_hit hit = grazei_ray_hit_of(body, &found);
        if (!report(user, &hit, 1))
            break;
    }
    grazei_body_leave(body);
    return GRAZE_OK;
}
