/* Distances and contacts of many pairs of bodies, over the threads of a pool. */
#include "base/status.h"
#include "query/contact.h"
#include "query/distance.h"
#include "query/many.h"

#include <math.h>

typedef struct many_pairs {
    grazei_many base;
    const graze_body_pair *pairs;
    const double *limits; /* NULL: none */
    graze_nearest *nearest;
    graze_contacts *const *finders;
} many_pairs;

static graze_body *body_of_pair(const grazei_many *many, size_t question, uint32_t number)
{
    const graze_body_pair *pair = &((const many_pairs *)many)->pairs[question];
    return number == 0 ? pair->a : number == 1 ? pair->b : NULL;
}

static double limit_of(const double *limits, size_t question)
{
    return limits ? limits[question] : INFINITY;
}

static void measure_distances(grazei_many *many, size_t first, size_t end, graze_stats *stats)
{
    many_pairs *job = (many_pairs *)many;
    for (size_t i = first; i < end; i++)
        graze_distance(job->pairs[i].a, job->pairs[i].b, limit_of(job->limits, i), &job->nearest[i],
                       stats, NULL);
}

graze_status graze_distance_many(graze_pool *pool, const graze_body_pair *pairs, size_t count,
                                 const double *limits, graze_nearest *nearest, graze_stats *stats,
                                 graze_error *error)
{
    many_pairs job = {
        .base = {.count = count, .packet = 1, .answer = measure_distances, .body = body_of_pair},
        .pairs = pairs,
        .limits = limits,
        .nearest = nearest};
    graze_status status = grazei_check_pairs(pairs, count, error);
    if (!status)
        status = grazei_check_given(nearest || !count, "nearest", error);
    for (size_t i = 0; i < count && !status; i++) {
        status = grazei_distance_check(pairs[i].a, pairs[i].b, limit_of(limits, i), true, error);
        if (status)
            grazei_fail_of(error, status, "pair", i);
    }
    return status ? status : grazei_many_run(pool, &job.base, "pair", stats, error);
}

static void find_contacts(grazei_many *many, size_t first, size_t end, graze_stats *stats)
{
    many_pairs *job = (many_pairs *)many;
    graze_error failure;
    for (size_t i = first; i < end; i++)
        if (graze_contacts_find(job->finders[i], job->pairs[i].a, job->pairs[i].b, stats, &failure))
            grazei_many_fail(many, i, &failure);
}

/* Takes the finders, so that none can be there twice; *taken says how many. */
static graze_status take_finders(graze_contacts *const *finders, const graze_body_pair *pairs,
                                 size_t count, size_t *taken, graze_error *error)
{
    for (*taken = 0; *taken < count; ++*taken) {
        size_t i = *taken;
        graze_status status = grazei_contacts_check(finders[i], pairs[i].a, pairs[i].b, error);
        if (!status && finders[i]->taken)
            status = grazei_fail(error, GRAZE_BAD_INPUT, "its finder is that of another pair, too");
        if (status)
            return grazei_fail_of(error, status, "pair", i);
        finders[i]->taken = true;
    }
    return GRAZE_OK;
}

graze_status graze_contacts_many(graze_pool *pool, graze_contacts *const *finders,
                                 const graze_body_pair *pairs, size_t count, graze_stats *stats,
                                 graze_error *error)
{
    size_t taken;
    many_pairs job = {
        .base = {.count = count, .packet = 1, .answer = find_contacts, .body = body_of_pair},
        .pairs = pairs,
        .finders = finders};
    graze_status status = grazei_check_pairs(pairs, count, error);
    if (!status)
        status = grazei_check_given(finders || !count, "the list of finders", error);
    if (status)
        return status;
    status = take_finders(finders, pairs, count, &taken, error);
    if (!status)
        status = grazei_many_run(pool, &job.base, "pair", stats, error);
    for (size_t i = 0; i < taken; i++)
        finders[i]->taken = false;
    return status;
}
