/* Many rays, of one body or of many, over the threads of a pool. */
#include "base/status.h"
#include "query/many.h"
#include "query/ray.h"

/* ---- of one body ---------------------------------------------------------------------------- */

typedef struct many_rays {
    grazei_many base;
    graze_body *body;
    const graze_ray *rays;
    graze_ray_hit *hits;
} many_rays;

static graze_body *the_body(const grazei_many *many, size_t question, uint32_t number)
{
    return question || number ? NULL : ((const many_rays *)many)->body;
}

static void cast_rays(grazei_many *many, size_t first, size_t end, graze_stats *stats)
{
    many_rays *job = (many_rays *)many;
    grazei_cast_packets(job->body, job->rays + first, end - first, job->hits + first, stats);
}

graze_status graze_cast_many_parallel(graze_pool *pool, graze_body *body, const graze_ray *rays,
                                      size_t count, graze_ray_hit *hits, graze_stats *stats,
                                      graze_error *error)
{
    many_rays job = {.base = {.count = count,
                              .packet = GRAZEI_RAY_PACKET,
                              .answer = cast_rays,
                              .body = the_body},
                     .body = body,
                     .rays = rays,
                     .hits = hits};
    graze_status status = grazei_check_cast_many(body, rays, count, hits, error);
    return status ? status : grazei_many_run(pool, &job.base, "ray", stats, error);
}

/* ---- of many bodies ------------------------------------------------------------------------- */

typedef struct each_ray {
    grazei_many base;
    const graze_body_ray *questions;
    graze_ray_hit *hits;
} each_ray;

static graze_body *body_of_each(const grazei_many *many, size_t question, uint32_t number)
{
    return number ? NULL : ((const each_ray *)many)->questions[question].body;
}

/* Rays of one body that follow each other go through its tree together. */
static void cast_each(grazei_many *many, size_t first, size_t end, graze_stats *stats)
{
    each_ray *job = (each_ray *)many;
    graze_ray rays[GRAZEI_RAY_PACKET];
    while (first < end) {
        graze_body *body = job->questions[first].body;
        size_t count = 0;
        while (count < GRAZEI_RAY_PACKET && first + count < end &&
               job->questions[first + count].body == body) {
            rays[count] = job->questions[first + count].ray;
            count++;
        }
        grazei_cast_packets(body, rays, count, job->hits + first, stats);
        first += count;
    }
}

graze_status graze_cast_each(graze_pool *pool, const graze_body_ray *questions, size_t count,
                             graze_ray_hit *hits, graze_stats *stats, graze_error *error)
{
    each_ray job = {.base = {.count = count,
                             .packet = GRAZEI_RAY_PACKET,
                             .answer = cast_each,
                             .body = body_of_each},
                    .questions = questions,
                    .hits = hits};
    graze_status status = grazei_check_given(questions || !count, "the list of questions", error);
    if (!status)
        status = grazei_check_given(hits || !count, "hits", error);
    for (size_t i = 0; i < count && !status; i++) {
        status = grazei_check_cast(questions[i].body, &questions[i].ray, error);
        if (status)
            grazei_fail_of(error, status, "question", i);
    }
    return status ? status : grazei_many_run(pool, &job.base, "question", stats, error);
}
