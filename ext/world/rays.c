/* Rays against all members: the member whose box the ray enters first is asked first, and with a
 * hit all that begins behind it is left out.
 */
#include "world/question.h"

#include "base/status.h"
#include "parts/lists.h"
#include "rays/ray.h"

#include <stdio.h>
#include <string.h>

typedef struct ray_walk {
    grazei_boxes_walk walk;
    grazei_world_call *call;
    grazei_world_thread *own;
    graze_ray ray; /* its t_max comes down to the best hit's t */
    grazei_ray_probe probe;
    graze_world_hit best;
    uint32_t member; /* being asked */
    bool out_of_memory;
} ray_walk;

static bool meets(const grazei_boxes_walk *walk, const grazei_bound *box, float *key)
{
    const ray_walk *w = (const ray_walk *)walk;
    return grazei_pierces_at(&w->probe, box, key);
}

/* Takes over a hit of a member, if it is nearer. */
static void take_nearest(ray_walk *w, uint32_t index, const graze_hit *hit)
{
    const graze_hit *best = &w->best.hit;
    if (!hit->found ||
        (best->found && (hit->t > best->t || (hit->t == best->t && index > w->best.id.index))))
        return;
    w->best = (graze_world_hit){grazei_world_id_of(w->call->world, index),
                                grazei_thing_of(w->call->world, index)->category, *hit};
    w->ray.t_max = w->probe.t_max = w->walk.limit = hit->t;
    w->walk.done = w->call->options.any;
}

static graze_status visit_nearest(grazei_boxes_walk *walk, uint32_t index, graze_error *error)
{
    ray_walk *w = (ray_walk *)walk;
    grazei_thing *thing = grazei_thing_of(w->call->world, index);
    graze_hit hit = {.found = false};
    graze_status status = GRAZE_OK;
    if (!grazei_world_is_asked(w->call, index))
        return GRAZE_OK;
    if (thing->body) {
        graze_options options = grazei_world_body_options(w->call, w->own);
        grazei_world_use_body(w->call, index);
        status = graze_cast(thing->body, &w->ray, &hit, &options, error);
    } else {
        grazei_ray_meets_shape(&w->ray, grazei_shape_of(w->call->world, index), &hit);
    }
    if (!status)
        take_nearest(w, index, &hit);
    return status;
}

/* ---- all hits ------------------------------------------------------------------------------- */

/* Of a graze_hit_list. */
static bool take_all(void *user, const graze_hit *hits, size_t count)
{
    ray_walk *w = user;
    graze_world *world = w->call->world;
    grazei_list *found = &w->own->hits;
    if (!grazei_list_reserve(&world->allocator, found, found->count + count,
                             sizeof(graze_world_hit))) {
        w->out_of_memory = true;
        return false;
    }
    for (size_t i = 0; i < count; i++)
        ((graze_world_hit *)found->items)[found->count++] =
            (graze_world_hit){grazei_world_id_of(world, w->member),
                              grazei_thing_of(world, w->member)->category, hits[i]};
    w->walk.done = w->call->options.any && found->count;
    return true;
}

static graze_status visit_all(grazei_boxes_walk *walk, uint32_t index, graze_error *error)
{
    ray_walk *w = (ray_walk *)walk;
    graze_body *body = grazei_thing_of(w->call->world, index)->body;
    graze_hit hit;
    graze_status status = GRAZE_OK;
    if (!grazei_world_is_asked(w->call, index))
        return GRAZE_OK;
    w->member = index;
    if (body) {
        graze_hit_list list = {.report = take_all, .user = w};
        graze_options options = grazei_world_body_options(w->call, w->own);
        grazei_world_use_body(w->call, index);
        status = graze_cast_all(body, &w->ray, &list, &options, error);
    } else if (grazei_ray_meets_shape(&w->ray, grazei_shape_of(w->call->world, index), &hit)) {
        take_all(w, &hit, 1);
    }
    return !status && w->out_of_memory ? grazei_fail_memory(error) : status;
}

/* ---- one ray -------------------------------------------------------------------------------- */

static ray_walk walk_of(grazei_world_call *call, size_t item, grazei_world_thread *own)
{
    const graze_ray *ray = (const graze_ray *)call->asked + item;
    ray_walk w = {.walk = {.meets = meets, .limit = ray->t_max, .stats = &own->stats},
                  .call = call,
                  .own = own,
                  .ray = *ray};
    w.probe = grazei_probe_ray(ray, grazei_boxes_root(call->world));
    return w;
}

static graze_status ask_nearest(grazei_world_call *call, size_t item, grazei_world_thread *own,
                                graze_error *error)
{
    ray_walk w = walk_of(call, item, own);
    w.walk.visit = visit_nearest;
    graze_status status = grazei_world_walk(call, &w.walk, error);
    if (!status)
        ((graze_world_hit *)call->answers)[item] = w.best;
    return status;
}

static void clear_hit(const grazei_world_call *call, size_t item)
{
    ((graze_world_hit *)call->answers)[item] = (graze_world_hit){.category = 0};
}

static graze_status ask_every(grazei_world_call *call, size_t item, grazei_world_thread *own,
                              graze_error *error)
{
    ray_walk w = walk_of(call, item, own);
    w.walk.visit = visit_all;
    own->hits.count = 0;
    return grazei_world_walk(call, &w.walk, error);
}

static void clear_nothing(const grazei_world_call *call, size_t item)
{
    (void)call, (void)item;
}

/* ---- public --------------------------------------------------------------------------------- */

graze_status graze_world_cast_many(graze_world *world, const graze_ray *rays, size_t count,
                                   const graze_world_filter *filter, graze_world_hit *hits,
                                   const graze_options *options, graze_error *error)
{
    grazei_world_call call = {.world = world,
                              .asked = rays,
                              .answers = hits,
                              .count = count,
                              .ask = ask_nearest,
                              .clear = clear_hit};
    graze_status status = grazei_check_pointer(world, "the world", error);
    if (!status && count)
        status = grazei_check_pointer(rays, "rays", error);
    if (!status && count)
        status = grazei_check_pointer(hits, "where hits go", error);
    for (size_t i = 0; i < count && !status; i++) {
        char name[32] = "the ray";
        if (!grazei_check_ray(&rays[i], name, NULL))
            continue;
        if (count > 1)
            snprintf(name, sizeof name, "ray %zu", i);
        status = grazei_check_ray(&rays[i], name, error);
    }
    for (size_t i = 0; i < count && hits && status; i++)
        clear_hit(&call, i);
    return status ? status : grazei_world_ask_all(&call, filter, options, error);
}

graze_status graze_world_cast(graze_world *world, const graze_ray *ray,
                              const graze_world_filter *filter, graze_world_hit *hit,
                              const graze_options *options, graze_error *error)
{
    graze_status status = grazei_check_pointer(ray, "the ray", error);
    if (status && hit)
        *hit = (graze_world_hit){.category = 0};
    return status ? status : graze_world_cast_many(world, ray, 1, filter, hit, options, error);
}

graze_status graze_world_cast_all(graze_world *world, const graze_ray *ray,
                                  const graze_world_filter *filter, graze_world_hit_list *hits,
                                  const graze_options *options, graze_error *error)
{
    grazei_world_call call = {
        .world = world, .asked = ray, .count = 1, .ask = ask_every, .clear = clear_nothing};
    graze_status status = grazei_check_pointer(hits, "the list of hits", error);
    if (status)
        return status;
    hits->count = hits->total = 0;
    status = grazei_check_list(hits->items, hits->capacity, hits->report != NULL, error);
    if (!status)
        status = grazei_check_pointer(world, "the world", error);
    if (!status)
        status = grazei_check_pointer(ray, "the ray", error);
    if (!status)
        status = grazei_check_ray(ray, "the ray", error);
    if (!status)
        status = grazei_world_ask_all(&call, filter, options, error);
    if (status)
        return status;
    const grazei_list *found = &((const grazei_world_thread *)world->threads.items)->hits;
    hits->total = found->count;
    if (hits->report && found->count)
        hits->report(hits->user, found->items, found->count);
    if (hits->report)
        return GRAZE_OK;
    hits->count = found->count < hits->capacity ? found->count : hits->capacity;
    if (hits->count)
        memcpy(hits->items, found->items, hits->count * sizeof *hits->items);
    return GRAZE_OK;
}
