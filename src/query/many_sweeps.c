/* The first impacts of many pairs of motions, over the threads of a pool. */
#include "base/status.h"
#include "query/many.h"
#include "query/sweep.h"

typedef struct many_sweeps {
    grazei_many base;
    const graze_motion_pair *pairs;
    bool only_new;
    graze_impact *impacts;
} many_sweeps;

static graze_body *body_of_motion(const grazei_many *many, size_t question, uint32_t number)
{
    const graze_motion_pair *pair = &((const many_sweeps *)many)->pairs[question];
    const graze_motion *motion = number < 2 ? pair->a : pair->b;
    if (number > 3 || !motion)
        return NULL;
    return number % 2 ? motion->end : motion->start;
}

static void sweep_pairs(grazei_many *many, size_t first, size_t end, graze_stats *stats)
{
    many_sweeps *job = (many_sweeps *)many;
    for (size_t i = first; i < end; i++)
        graze_sweep(job->pairs[i].a, job->pairs[i].b, job->only_new, &job->impacts[i], stats, NULL);
}

graze_status graze_sweep_many(graze_pool *pool, const graze_motion_pair *pairs, size_t count,
                              bool only_new, graze_impact *impacts, graze_stats *stats,
                              graze_error *error)
{
    many_sweeps job = {
        .base = {.count = count, .packet = 1, .answer = sweep_pairs, .body = body_of_motion},
        .pairs = pairs,
        .only_new = only_new,
        .impacts = impacts};
    graze_status status = grazei_check_given(pairs || !count, "the list of pairs", error);
    if (!status)
        status = grazei_check_given(impacts || !count, "impacts", error);
    for (size_t i = 0; i < count && !status; i++) {
        status = grazei_check_motions(pairs[i].a, pairs[i].b, error);
        if (status)
            grazei_fail_of(error, status, "pair", i);
    }
    return status ? status : grazei_many_run(pool, &job.base, "pair", stats, error);
}
