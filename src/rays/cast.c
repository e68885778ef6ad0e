/* Rays of every sort: making them, many at once, and brute force. */
#include <graze/ray.h>

#include "base/assert.h"
#include "base/status.h"
#include "query/reference.h"
#include "rays/ray.h"

#include <stdio.h>

graze_ray graze_ray_from(const float origin[3], const float dir[3])
{
    graze_ray ray = {.t_max = INFINITY};
    for (int k = 0; k < 3 && origin && dir; k++) {
        ray.origin[k] = origin[k];
        ray.dir[k] = dir[k];
    }
    return ray;
}

graze_ray graze_ray_between(const float from[3], const float to[3])
{
    if (!from || !to)
        return (graze_ray){.t_max = 1}; /* without a direction: queries refuse it */
    return (graze_ray){.origin = {from[0], from[1], from[2]},
                       .dir = {to[0] - from[0], to[1] - from[1], to[2] - from[2]},
                       .t_max = 1};
}

graze_status grazei_check_cast_many(const graze_body *body, const graze_ray *rays, size_t count,
                                    graze_error *error)
{
    graze_status status = grazei_check_outside(body, "the body", error);
    if (!status)
        status = grazei_check_given(rays || !count, "rays", error);
    if (status)
        return status;
    const grazei_ray_kernels *kernels = GRAZEI_PICK(grazei_body_model(body)->isa, ray_kernels);
    if (kernels->are_fine && kernels->are_fine(rays, count))
        return GRAZE_OK;
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

/* In the order of the rays that is given; NULL: as they are. */
static void cast_in_order(graze_body *body, const graze_ray *rays, size_t count,
                          const uint16_t *order, graze_hit *hits, graze_stats *stats)
{
    const grazei_ray_kernels *kernels = GRAZEI_PICK(grazei_body_model(body)->isa, ray_kernels);
    graze_ray some[GRAZEI_RAY_PACKET];
    graze_hit found[GRAZEI_RAY_PACKET];
    GRAZE_ASSERT(kernels->packet != NULL);
    for (size_t first = 0; first < count; first += GRAZEI_RAY_PACKET) {
        size_t left = count - first < GRAZEI_RAY_PACKET ? count - first : GRAZEI_RAY_PACKET;
        for (size_t i = 0; order && i < left; i++)
            some[i] = rays[order[first + i]];
        kernels->packet(body, order ? some : rays + first, (uint32_t)left,
                        order ? found : hits + first, stats);
        for (size_t i = 0; order && i < left; i++)
            hits[order[first + i]] = found[i];
    }
}

/* Up to GRAZEI_ORDERED_RAYS. */
static void cast_some(graze_body *body, const graze_ray *rays, size_t count, graze_hit *hits,
                      graze_stats *stats)
{
    uint16_t order[GRAZEI_ORDERED_RAYS];
    grazei_body_bound(body, 0, 1, stats);
    grazei_view view = grazei_body_view(body);
    bool empty = grazei_view_is_empty(&view, 0), ordered = false;
    if (!empty && count > GRAZEI_RAY_PACKET) {
        grazei_bound box = grazei_view_box(&view, 0);
        ordered = grazei_order_rays(rays, (uint32_t)count, &box, order);
    }
    cast_in_order(body, rays, count, ordered ? order : NULL, hits, stats);
}

void grazei_cast_packets(graze_body *body, const graze_ray *rays, size_t count, graze_hit *hits,
                         graze_stats *stats)
{
    for (size_t first = 0; first < count; first += GRAZEI_ORDERED_RAYS) {
        size_t left = count - first < GRAZEI_ORDERED_RAYS ? count - first : GRAZEI_ORDERED_RAYS;
        cast_some(body, rays + first, left, hits + first, stats);
    }
}

/* With a budget a packet at a time: what is cast is cast in the caller's order. */
static void run(grazei_question *base, grazei_agenda *agenda, graze_stats *stats)
{
    grazei_rays_question *question = (grazei_rays_question *)base;
    size_t most = grazei_agenda_has_budget(agenda) ? GRAZEI_RAY_PACKET : GRAZEI_ORDERED_RAYS;
    while (question->done < question->count) {
        size_t left = question->count - question->done;
        left = left < most ? left : most;
        grazei_cast_packets(base->bodies[0], question->rays + question->done, left,
                            question->hits + question->done, stats);
        question->done += left;
        if (question->done < question->count && grazei_agenda_spent(agenda, stats))
            return;
    }
    agenda->count = 0;
}

void grazei_rays_begin(grazei_rays_question *question, grazei_agenda *agenda, graze_body *body,
                       const graze_ray *rays, size_t count, graze_hit *hits)
{
    *question = (grazei_rays_question){.base = {.run = run, .bodies = {body}, .body_count = 1},
                                       .rays = rays,
                                       .hits = hits,
                                       .count = count};
    grazei_agenda_start(agenda, false);
    agenda->items[0].node = 0; /* stands for all rays that are left */
    agenda->count = count > 0;
}

void grazei_ray_brute(grazei_ray_question *question, grazei_agenda *agenda, graze_body *body,
                      const graze_ray *ray, grazei_ray_kind kind, grazei_hit_fn report, void *user,
                      graze_stats *stats)
{
    grazei_ray_begin(question, agenda, body, ray, kind, report, user, stats);
    grazei_posed_mesh mesh = grazei_body_mesh_posed(body, stats);
    stats->triangle_tests += mesh.triangle_count;
    for (uint32_t t = 0; t < mesh.triangle_count && !question->stopped; t++) {
        grazei_ray_found found = {.found = true, .triangle = t};
        if (!grazei_mesh_takes(&mesh, t))
            continue;
        grazei_reference_triangle(&mesh, t, found.corners);
        if (grazei_ray_meets(ray, (const float(*)[3])found.corners, &found.at))
            grazei_ray_take(question, &found);
    }
    grazei_ray_flush(question);
    agenda->count = 0;
}
