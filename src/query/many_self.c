/* Self-collision of many bodies, over the threads of a pool. */
#include "base/status.h"
#include "query/many.h"
#include "query/self.h"

typedef struct many_selves {
    grazei_many base;
    graze_body *const *bodies;
    graze_self_which which;
    graze_self_many_fn report;
    void *user;
    bool *hits; /* a yes or no is enough; NULL: all pairs are reported */
} many_selves;

/* Who reports: one of the bodies. */
typedef struct self_reporter {
    many_selves *job;
    size_t number;
} self_reporter;

static graze_body *body_of_self(const grazei_many *many, size_t question, uint32_t number)
{
    return number ? NULL : ((const many_selves *)many)->bodies[question];
}

/* A graze_self_fn. */
static bool deliver(void *user, const graze_self_pair *pairs, size_t count)
{
    const self_reporter *from = user;
    many_selves *job = from->job;
    if (!grazei_many_begin_report(&job->base))
        return false;
    bool go_on = job->report(job->user, from->number, pairs, count);
    grazei_many_end_report(&job->base, go_on);
    return go_on;
}

static void ask_selves(grazei_many *many, size_t first, size_t end, graze_stats *stats)
{
    many_selves *job = (many_selves *)many;
    for (size_t i = first; i < end && !grazei_many_is_stopped(many); i++) {
        self_reporter from = {job, i};
        if (job->hits)
            graze_collide_self_first(job->bodies[i], job->which, &job->hits[i], NULL, stats, NULL);
        else
            graze_collide_self(job->bodies[i], job->which, deliver, &from, stats, NULL);
    }
}

/* name: of what is given to get the answers. */
static graze_status ask(graze_pool *pool, many_selves *job, bool given, const char *name,
                        graze_stats *stats, graze_error *error)
{
    size_t count = job->base.count;
    graze_status status = grazei_check_given(job->bodies || !count, "the list of bodies", error);
    if (!status)
        status = grazei_check_given(given, name, error);
    for (size_t i = 0; i < count && !status; i++) {
        status = grazei_check_self(job->bodies[i], job->which, true, error);
        if (status)
            grazei_fail_of(error, status, "body", i);
    }
    if (status)
        return status;
    job->base.packet = 1;
    job->base.answer = ask_selves;
    job->base.body = body_of_self;
    return grazei_many_run(pool, &job->base, "body", stats, error);
}

graze_status graze_collide_self_many(graze_pool *pool, graze_body *const *bodies, size_t count,
                                     graze_self_which which, graze_self_many_fn report, void *user,
                                     graze_stats *stats, graze_error *error)
{
    many_selves job = {
        .base = {.count = count}, .bodies = bodies, .which = which, .report = report, .user = user};
    return ask(pool, &job, report != NULL, "report", stats, error);
}

graze_status graze_collide_self_many_first(graze_pool *pool, graze_body *const *bodies,
                                           size_t count, graze_self_which which, bool *hits,
                                           graze_stats *stats, graze_error *error)
{
    many_selves job = {.base = {.count = count}, .bodies = bodies, .which = which, .hits = hits};
    return ask(pool, &job, hits || !count, "hits", stats, error);
}
