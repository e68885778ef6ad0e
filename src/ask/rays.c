/* Questions about rays. */
#include "ask/ask.h"

#include "base/ranges.h"
#include "base/trace.h"

static graze_status check_ray(const grazei_call *call, grazei_work *work, graze_error *error)
{
    (void)work;
    return grazei_check_cast_outside(call->bodies[0], call->about.rays, error);
}

static bool passes(const grazei_call *call, const grazei_work *work, graze_stats *stats)
{
    (void)work;
    return grazei_ray_passes(call->bodies[0], call->about.rays, stats);
}

static grazei_ray_kind kind_of(const grazei_call *call)
{
    if (call->any)
        return GRAZEI_RAY_ANY;
    return call->kind->list ? GRAZEI_RAY_ALL : GRAZEI_RAY_NEAREST;
}

static void begin_ray(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    grazei_ray_begin(&work->question.ray, &work->agenda, call->bodies[0], call->about.rays,
                     kind_of(call), grazei_take_hits, &work->sink, stats);
}

static void cast_by_brute_force(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    grazei_ray_brute(&work->question.ray, &work->agenda, call->bodies[0], call->about.rays,
                     kind_of(call), grazei_take_hits, &work->sink, stats);
}

static graze_status finish_ray(const grazei_call *call, grazei_work *work, bool finished,
                               graze_stats *stats, graze_error *error)
{
    (void)finished, (void)stats, (void)error;
    *(graze_hit *)call->answer = grazei_ray_hit_of(call->bodies[0], &work->question.ray.best);
    return GRAZE_OK;
}

/* All hits were reported on the way, any one is now. */
static graze_status finish_all(const grazei_call *call, grazei_work *work, bool finished,
                               graze_stats *stats, graze_error *error)
{
    (void)finished, (void)stats, (void)error;
    const grazei_ray_found *best = &work->question.ray.best;
    if (call->any && best->found && !work->delivered) {
        graze_hit hit = grazei_ray_hit_of(call->bodies[0], best);
        grazei_take_hits(&work->sink, &hit, 1);
    }
    work->delivered = best->found;
    return GRAZE_OK;
}

const grazei_kind grazei_cast_kind = {.name = "graze_cast",
                                      .answer_size = sizeof(graze_hit),
                                      .one_tree = true,
                                      .check = check_ray,
                                      .apart = passes,
                                      .begin = begin_ray,
                                      .brute = GRAZEI_WHOLE(cast_by_brute_force),
                                      .finish = finish_ray};

const grazei_kind grazei_cast_all_kind = {.name = "graze_cast_all",
                                          .list = GRAZEI_HITS,
                                          .one_tree = true,
                                          .check = check_ray,
                                          .apart = passes,
                                          .begin = begin_ray,
                                          .brute = GRAZEI_WHOLE(cast_by_brute_force),
                                          .finish = finish_all};

graze_status graze_cast(graze_body *body, const graze_ray *ray, graze_hit *hit,
                        const graze_options *options, graze_error *error)
{
    grazei_call call = grazei_call_of(&grazei_cast_kind, body, NULL, hit);
    call.about.rays = ray;
    call.about.ray_count = 1;
    return grazei_ask(&call, options, error);
}

graze_status graze_cast_all(graze_body *body, const graze_ray *ray, graze_hit_list *hits,
                            const graze_options *options, graze_error *error)
{
    grazei_call call = grazei_call_of(&grazei_cast_all_kind, body, NULL, hits);
    call.about.rays = ray;
    call.about.ray_count = 1;
    return grazei_ask(&call, options, error);
}

/* ---- many ----------------------------------------------------------------------------------- */

static graze_status check_many(const grazei_call *call, grazei_work *work, graze_error *error)
{
    (void)work;
    return grazei_check_cast_many(call->bodies[0], call->about.rays, call->about.ray_count, error);
}

static void begin_many(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    graze_hit *hits = call->answer;
    (void)stats;
    for (size_t i = 0; i < call->about.ray_count && !work->to_the_end; i++)
        hits[i] = (graze_hit){.found = false};
    grazei_rays_begin(&work->question.rays, &work->agenda, call->bodies[0], call->about.rays,
                      call->about.ray_count, call->answer);
}

static void cast_many_by_brute_force(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    graze_hit *hits = call->answer;
    for (size_t i = 0; i < call->about.ray_count; i++) {
        grazei_ray_brute(&work->question.ray, &work->agenda, call->bodies[0], &call->about.rays[i],
                         kind_of(call), NULL, NULL, stats);
        hits[i] = grazei_ray_hit_of(call->bodies[0], &work->question.ray.best);
    }
}

/* Packets of rays over the threads of a pool. */
typedef struct ray_job {
    const grazei_call *call;
    graze_stats *stats;
    grazei_lock lock;
} ray_job;

static void cast_on_thread(void *data, grazei_ranges *ranges, uint32_t thread)
{
    enum { PACKETS = 4 };
    ray_job *job = data;
    const grazei_about *about = &job->call->about;
    graze_hit *hits = job->call->answer;
    graze_stats done = {0};
    size_t first, end;
    GRAZEI_ZONE(job->call->kind->name);
    while (grazei_ranges_take(ranges, thread, PACKETS, &first, &end)) {
        first *= GRAZEI_RAY_PACKET;
        end *= GRAZEI_RAY_PACKET;
        end = end < about->ray_count ? end : about->ray_count;
        grazei_cast_packets(job->call->bodies[0], about->rays + first, end - first, hits + first,
                            &done);
    }
    grazei_lock_take(&job->lock);
    grazei_add_stats(job->stats, &done);
    grazei_lock_release(&job->lock);
}

static void spread_rays(const grazei_call *call, grazei_work *work, graze_pool *pool,
                        graze_stats *stats)
{
    (void)work;
    ray_job job = {.call = call, .stats = stats};
    size_t count = call->about.ray_count;
    size_t packets = count / GRAZEI_RAY_PACKET + (count % GRAZEI_RAY_PACKET > 0);
    grazei_body_share(call->bodies[0], &job);
    grazei_pool_run(pool, packets, false, cast_on_thread, &job);
    grazei_body_unshare(call->bodies[0], &job);
}

const grazei_kind grazei_cast_many_kind = {.name = "graze_cast_many",
                                           .one_tree = true,
                                           .check = check_many,
                                           .begin = begin_many,
                                           .brute = GRAZEI_WHOLE(cast_many_by_brute_force),
                                           .spread = GRAZEI_WHOLE(spread_rays)};

/* A batch takes them one by one, and puts them together again. */
static graze_status record_many(graze_body *body, const graze_ray *rays, size_t count,
                                graze_hit *hits, const graze_options *options, graze_error *error)
{
    graze_status status = grazei_check_cast_many(body, rays, count, error);
    for (size_t i = 0; i < count && !status; i++)
        status = graze_cast(body, &rays[i], &hits[i], options, error);
    return status;
}

graze_status graze_cast_many(graze_body *body, const graze_ray *rays, size_t count, graze_hit *hits,
                             const graze_options *options, graze_error *error)
{
    graze_hit nowhere;
    grazei_call call = grazei_call_of(&grazei_cast_many_kind, body, NULL, count ? hits : &nowhere);
    call.about.rays = rays;
    call.about.ray_count = count;
    if (options && options->batch && hits)
        return record_many(body, rays, count, hits, options, error);
    return grazei_ask(&call, options, error);
}
