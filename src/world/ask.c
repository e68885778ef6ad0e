/* Who of the candidates meet, and with which parts. Every question goes to one thread; bodies are
 * shared for the time.
 */
#include "base/memory.h"
#include "base/status.h"
#include "body/body.h"
#include "query/agenda.h"
#include "world/world.h"

#include <graze/query.h>
#include <graze/shapes.h>

/* Parts that may be there more than once are sorted out when there are so many more. */
enum { MANY_PARTS = 4096 };

typedef struct asked {
    graze_world *world;
    grazei_world_thread *own;
    const graze_model *a, *b; /* b NULL: a shape */
    uint64_t pairs, last;     /* the last part that was put, or none */
    size_t first_part, tidy;  /* parts up to there are sorted, each once */
    bool shape_first;         /* the shape has the smaller index */
    bool out_of_memory;
} asked;

/* Sorts the parts of this question, each once. */
static bool tidy_parts(asked *job)
{
    grazei_list *parts = &job->own->parts;
    size_t count = parts->count - job->first_part, kept = 0;
    if (!count)
        return true;
    uint64_t *keys = (uint64_t *)parts->items + job->first_part;
    if (!grazei_sort_keys(&job->world->allocator, keys, count, &job->own->scratch))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!i || keys[i] != keys[i - 1])
            keys[kept++] = keys[i];
    parts->count = job->tidy = job->first_part + kept;
    return true;
}

static bool put_part(asked *job, uint32_t a, uint32_t b)
{
    grazei_list *parts = &job->own->parts;
    uint64_t key = (uint64_t)a << 32 | b;
    if (key == job->last && parts->count > job->first_part)
        return true;
    job->last = key;
    if ((parts->count - job->tidy >= MANY_PARTS && !tidy_parts(job)) ||
        !grazei_list_reserve(&job->world->allocator, parts, parts->count + 1, sizeof key)) {
        job->out_of_memory = true;
        return false;
    }
    ((uint64_t *)parts->items)[parts->count++] = key;
    return true;
}

/* A graze_pair_fn. */
static bool take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    asked *job = user;
    job->pairs += count;
    for (size_t i = 0; i < count; i++)
        if (!put_part(job, graze_model_triangle_group(job->a, pairs[i].a),
                      graze_model_triangle_group(job->b, pairs[i].b)))
            return false;
    return true;
}

/* A graze_triangle_fn. */
static bool take_triangles(void *user, const uint32_t *triangles, size_t count)
{
    asked *job = user;
    job->pairs += count;
    for (size_t i = 0; i < count; i++) {
        uint32_t group = graze_model_triangle_group(job->a, triangles[i]);
        if (!put_part(job, job->shape_first ? 0 : group, job->shape_first ? group : 0))
            return false;
    }
    return true;
}

static graze_status ask_body(asked *job, grazei_candidate *candidate, graze_error *error)
{
    const grazei_thing *things = job->world->things.items;
    const graze_shape *shapes = job->world->shapes.items;
    uint32_t a = (uint32_t)(candidate->key >> 32), b = (uint32_t)candidate->key;
    graze_status status;
    if (things[a].kind == GRAZEI_BODY && things[b].kind == GRAZEI_BODY) {
        job->a = grazei_body_model(things[a].body);
        job->b = grazei_body_model(things[b].body);
        status =
            graze_collide(things[a].body, things[b].body, take_pairs, job, &job->own->stats, error);
    } else {
        job->shape_first = things[a].kind == GRAZEI_SHAPE;
        graze_body *body = things[job->shape_first ? b : a].body;
        job->a = grazei_body_model(body);
        status = graze_touch(body, &shapes[job->shape_first ? a : b], take_triangles, job,
                             &job->own->stats, error);
    }
    candidate->pairs = job->pairs;
    candidate->meets = job->pairs > 0;
    return status;
}

static graze_status ask_shapes(asked *job, grazei_candidate *candidate, graze_error *error)
{
    const graze_shape *shapes = job->world->shapes.items;
    graze_status status = grazei_shapes_meet(
        &shapes[candidate->key >> 32], &shapes[(uint32_t)candidate->key], &candidate->meets, error);
    if (!status && candidate->meets)
        put_part(job, 0, 0);
    return status;
}

/* A graze_item_fn. */
static void ask_one(void *user, size_t item, uint32_t thread)
{
    graze_world *world = user;
    const grazei_thing *things = world->things.items;
    grazei_candidate *candidate = (grazei_candidate *)world->candidates.items + item;
    grazei_world_thread *own = (grazei_world_thread *)world->threads.items + thread;
    asked job = {
        .world = world, .own = own, .first_part = own->parts.count, .tidy = own->parts.count};
    graze_error failure;
    if (candidate->level == GRAZE_LEVEL_BOUNDS) {
        candidate->meets = true;
        grazei_world_end_loan(world, candidate);
        return;
    }
    bool bodies = things[candidate->key >> 32].kind == GRAZEI_BODY ||
                  things[(uint32_t)candidate->key].kind == GRAZEI_BODY;
    graze_status status =
        bodies ? ask_body(&job, candidate, &failure) : ask_shapes(&job, candidate, &failure);
    if (!status && (job.out_of_memory || !tidy_parts(&job)))
        status = grazei_fail_memory(&failure);
    if (status && item < own->failed) {
        own->failed = item;
        own->failure = failure;
    }
    grazei_world_end_loan(world, candidate);
    candidate->thread = thread;
    candidate->first_part = job.first_part;
    candidate->part_count = (uint32_t)(own->parts.count - job.first_part);
}

/* Shares the bodies of all exact candidates, or ends that. */
static void share(graze_world *world, bool begin)
{
    const grazei_thing *things = world->things.items;
    const grazei_candidate *candidates = world->candidates.items;
    for (size_t i = 0; i < world->candidates.count; i++)
        for (int k = 0; k < 2 && candidates[i].level == GRAZE_LEVEL_EXACT; k++) {
            graze_body *body = things[(uint32_t)(candidates[i].key >> 32 * k)].body;
            if (body && begin)
                grazei_body_share(body, world);
            else if (body)
                grazei_body_unshare(body, world);
        }
}

graze_status grazei_world_ask(graze_world *world, graze_pool *pool, graze_error *error)
{
    bool several = graze_pool_threads(pool) > 1;
    grazei_world_thread *threads = world->threads.items, *first = NULL;
    graze_status status = grazei_world_begin_loans(world, error);
    if (status)
        return status;
    if (several)
        share(world, true);
    graze_pool_for_each(pool, world->candidates.count, ask_one, world, NULL);
    if (several)
        share(world, false);
    for (size_t t = 0; t < world->threads.count; t++)
        if (threads[t].failed != SIZE_MAX && (!first || threads[t].failed < first->failed))
            first = &threads[t];
    return first ? grazei_fail(error, first->failure.status, "%s", first->failure.text) : GRAZE_OK;
}
