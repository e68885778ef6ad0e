/* Who of the candidates meet, and with which parts. Every question goes to one thread; bodies are
 * shared for the time.
 */
#include "world/ask.h"
#include "base/status.h"
#include "body/body.h"

/* Whether a level looks at the bodies themselves. */
static bool is_close(graze_level level)
{
    return level == GRAZE_LEVEL_PARTS || level == GRAZE_LEVEL_EXACT;
}

static graze_status ask_level(grazei_asked *job, graze_error *error)
{
    bool bodies =
        grazei_thing_of(job->world, job->a)->body || grazei_thing_of(job->world, job->b)->body;
    if (!bodies)
        return grazei_ask_shapes(job, error);
    return job->candidate->level == GRAZE_LEVEL_PARTS ? grazei_ask_volumes(job, error)
                                                      : grazei_ask_triangles(job, error);
}

static graze_status decide(grazei_asked *job, graze_error *error)
{
    grazei_candidate *candidate = job->candidate;
    graze_status status = ask_level(job, error);
    if (!status && (job->out_of_memory || !grazei_tidy_found(job)))
        status = grazei_fail_memory(error);
    candidate->first_part = job->first_part;
    candidate->part_count = (uint32_t)(job->own->parts.count - job->first_part);
    candidate->first_contact = job->first_contact;
    candidate->contact_count = (uint32_t)(job->own->contacts.count - job->first_contact);
    candidate->meets = candidate->part_count > 0;
    if (candidate->level == GRAZE_LEVEL_PARTS)
        candidate->pairs = 0;
    if (!status && !candidate->meets && job->world->solid_count)
        status = grazei_ask_inside(job, &candidate->inside, error);
    candidate->meets |= candidate->inside;
    return status;
}

/* A graze_item_fn. */
static void ask_one(void *user, size_t item, uint32_t thread)
{
    graze_world *world = user;
    grazei_candidate *candidate = (grazei_candidate *)world->candidates.items + item;
    grazei_world_thread *own = (grazei_world_thread *)world->threads.items + thread;
    uint32_t a = (uint32_t)(candidate->key >> 32), b = (uint32_t)candidate->key;
    const grazei_thing *things = world->things.items;
    grazei_asked job = {.world = world,
                        .own = own,
                        .candidate = candidate,
                        .a = a,
                        .b = b,
                        .with_contacts =
                            world->with_contacts[things[a].class_number][things[b].class_number],
                        .triangle_side = -1,
                        .first_part = own->parts.count,
                        .tidy = own->parts.count,
                        .first_contact = own->contacts.count};
    graze_error failure;
    grazei_world_look_ahead(world, item + 1);
    candidate->thread = thread;
    if (!is_close(candidate->level)) {
        candidate->meets = true;
        grazei_world_end_loan(world, candidate);
        return;
    }
    own->touches.count = own->touch_parts.count = 0;
    if (decide(&job, &failure) && item < own->failed) {
        own->failed = item;
        own->failure = failure;
    }
    grazei_world_end_loan(world, candidate);
}

/* Shares the bodies of all candidates that are looked at closely, or ends that. */
static void share(graze_world *world, bool begin)
{
    const grazei_thing *things = world->things.items;
    const grazei_candidate *candidates = world->candidates.items;
    for (size_t i = 0; i < world->candidates.count; i++)
        for (int k = 0; k < 2 && is_close(candidates[i].level); k++) {
            graze_body *body = things[(uint32_t)(candidates[i].key >> 32 * k)].body;
            if (body && begin)
                grazei_body_share(body, world);
            else if (body)
                grazei_body_unshare(body, world);
        }
}

/* That of the first question that failed. */
static graze_status first_failure(const graze_world *world, graze_error *error)
{
    const grazei_world_thread *threads = world->threads.items, *first = NULL;
    for (size_t t = 0; t < world->threads.count; t++)
        if (threads[t].failed != SIZE_MAX && (!first || threads[t].failed < first->failed))
            first = &threads[t];
    return first ? grazei_fail(error, first->failure.status, "%s", first->failure.text) : GRAZE_OK;
}

graze_status grazei_world_ask(graze_world *world, graze_pool *pool, graze_error *error)
{
    bool several = graze_pool_threads(pool) > 1;
    graze_status status = grazei_world_find_shells(world, error);
    if (!status)
        status = grazei_world_pose_volumes(world, pool, error);
    if (!status)
        status = first_failure(world, error);
    if (!status)
        status = grazei_world_begin_loans(world, error);
    if (status)
        return status;
    if (several)
        share(world, true);
    graze_pool_for_each(pool, world->candidates.count, ask_one, world, NULL);
    if (several)
        share(world, false);
    return first_failure(world, error);
}
