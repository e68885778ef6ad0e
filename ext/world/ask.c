/* Who of the candidates meet, and with which parts. Every question goes to one thread; bodies are
 * shared for the time.
 */
#include "world/ask.h"
#include "touch/shapes.h"
#include "world/past.h"

#include "base/assert.h"
#include "base/status.h"
#include "body/body.h"
#include <string.h>

/* Whether a level looks at the bodies themselves. */
static bool is_close(graze_level level)
{
    return level == GRAZE_LEVEL_HITBOXES || level == GRAZE_LEVEL_EXACT;
}

static graze_status ask_level(grazei_asked *job, graze_error *error)
{
    bool bodies =
        grazei_thing_of(job->world, job->a)->body || grazei_thing_of(job->world, job->b)->body;
    if (!bodies)
        return grazei_ask_shapes(job, error);
    return job->candidate->level == GRAZE_LEVEL_HITBOXES ? grazei_ask_volumes(job, error)
                                                         : grazei_ask_triangles(job, error);
}

static graze_status decide(grazei_asked *job, graze_error *error)
{
    grazei_candidate *candidate = job->candidate;
    if (!is_close(candidate->level)) {
        candidate->meets = true;
        return GRAZE_OK;
    }
    graze_status status = ask_level(job, error);
    candidate->meets = job->own->parts.count > job->first_part;
    if (candidate->level == GRAZE_LEVEL_HITBOXES)
        candidate->pairs = 0;
    if (!status && !candidate->meets && job->world->solid_count)
        status = grazei_ask_inside(job, &candidate->inside, error);
    candidate->meets |= candidate->inside;
    return status;
}

/* As they are now, and with a motion what happened since, unless they met already. */
static graze_status look_at(grazei_asked *job, graze_error *error)
{
    const graze_world *world = job->world;
    graze_status status = GRAZE_OK;
    job->candidate->time = 1;
    if (!world->has_motion || grazei_world_is_near(world, job->a, job->b))
        status = decide(job, error);
    if (!status && job->motion != GRAZE_MOTION_DISCRETE)
        status = grazei_ask_on_the_way(job, error);
    if (!status && (job->out_of_memory || !grazei_tidy_found(job)))
        status = grazei_fail_memory(error);
    return status;
}

/* A graze_item_fn. */
static void ask_one(void *user, size_t item, uint32_t thread)
{
    graze_world *world = user;
    grazei_candidate *candidate = (grazei_candidate *)world->candidates.items + item;
    grazei_world_thread *own = (grazei_world_thread *)world->threads.items + thread;
    uint32_t a = (uint32_t)(candidate->key >> 32), b = (uint32_t)candidate->key;
    GRAZE_ASSERT(a != b && a < world->things.count && b < world->things.count);
    uint8_t category_a = grazei_thing_of(world, a)->category;
    uint8_t category_b = grazei_thing_of(world, b)->category;
    grazei_asked job = {.world = world,
                        .own = own,
                        .candidate = candidate,
                        .a = a,
                        .b = b,
                        .motion = (graze_motion_rule)world->motions[category_a][category_b],
                        .with_contacts = world->with_contacts[category_a][category_b],
                        .first_part = own->parts.count,
                        .tidy = own->parts.count,
                        .first_contact = own->contacts.count};
    graze_error failure;
    grazei_world_look_ahead(world, item + 1);
    own->touches.count = 0;
    if (look_at(&job, &failure) && item < own->failed) {
        own->failed = item;
        own->failure = failure;
    }
    grazei_world_end_loan(world, candidate);
    GRAZE_ASSERT(own->parts.count >= job.first_part && own->contacts.count >= job.first_contact);
    candidate->thread = thread;
    candidate->first_part = job.first_part;
    candidate->part_count = (uint32_t)(own->parts.count - job.first_part);
    candidate->first_contact = job.first_contact;
    candidate->contact_count = (uint32_t)(own->contacts.count - job.first_contact);
}

bool grazei_world_is_near(const graze_world *world, uint32_t a, uint32_t b)
{
    const grazei_bound *boxes = world->boxes.items;
    bool endless[2] = {grazei_thing_of(world, a)->infinite, grazei_thing_of(world, b)->infinite};
    grazei_shape half_space;
    if (endless[0] && endless[1])
        return true;
    if (endless[0] || endless[1]) {
        grazei_shape_prepare(&half_space, grazei_shape_of(world, endless[0] ? a : b), NULL);
        return grazei_shape_side(&half_space, &boxes[endless[0] ? b : a], false, NULL) !=
               GRAZE_OUTSIDE;
    }
    grazei_box_probe probe = grazei_probe_box(&boxes[a]);
    return grazei_boxes_overlap(&probe, &boxes[b]);
}

/* ---- before and after ----------------------------------------------------------------------- */

static void share_body(graze_world *world, graze_body *body, bool begin)
{
    if (body && begin)
        grazei_body_share(body, world);
    else if (body)
        grazei_body_unshare(body, world);
}

/* Shares the bodies of all candidates that are looked at closely, or ends that. */
static void share(graze_world *world, bool begin)
{
    const grazei_candidate *candidates = world->candidates.items;
    for (size_t i = 0; i < world->candidates.count; i++)
        for (int k = 0; k < 2 && is_close(candidates[i].level); k++) {
            uint32_t index = (uint32_t)(candidates[i].key >> 32 * k);
            share_body(world, grazei_thing_of(world, index)->body, begin);
            if (world->has_motion)
                share_body(world, grazei_world_past_body(world, index), begin);
        }
}

/* A graze_item_fn. */
static void pose_one(void *user, size_t item, uint32_t thread)
{
    graze_world *world = user;
    uint32_t index = ((const uint32_t *)world->to_pose.items)[item];
    grazei_world_thread *own = (grazei_world_thread *)world->threads.items + thread;
    graze_error failure;
    graze_status status = grazei_world_pose_volumes(world, index, &failure);
    if (!status && world->has_motion)
        status = grazei_world_pose_past_volumes(world, index, &failure);
    if (status && item < own->failed) {
        own->failed = item;
        own->failure = failure;
    }
}

/* Lists the bodies with fits in candidates at the level of parts. */
static bool list_fitted(graze_world *world)
{
    const grazei_candidate *candidates = world->candidates.items;
    grazei_list *list = &world->to_pose;
    list->count = 0;
    for (size_t i = 0; i < world->candidates.count; i++)
        for (int k = 0; k < 2 && candidates[i].level == GRAZE_LEVEL_HITBOXES; k++) {
            uint32_t index = (uint32_t)(candidates[i].key >> 32 * k);
            grazei_member *member = grazei_member_of(world, index);
            if (!member->fit || member->listed)
                continue;
            if (!grazei_list_reserve(&world->allocator, list, list->count + 1, sizeof index))
                return false;
            ((uint32_t *)list->items)[list->count++] = index;
            GRAZE_ASSERT(!member->listed);
            member->listed = true;
        }
    return true;
}

static graze_status pose_volumes(graze_world *world, graze_pool *pool, graze_error *error)
{
    bool room = list_fitted(world);
    const uint32_t *list = world->to_pose.items;
    for (size_t i = 0; i < world->to_pose.count; i++)
        grazei_member_of(world, list[i])->listed = false;
    if (!room)
        return grazei_fail_memory(error);
    graze_status status = graze_pool_for_each(pool, world->to_pose.count, pose_one, world, error);
    return status ? status : grazei_world_first_failure(world, error);
}

graze_status grazei_world_first_failure(const graze_world *world, graze_error *error)
{
    const grazei_world_thread *threads = world->threads.items, *first = NULL;
    for (size_t t = 0; t < world->threads.count; t++)
        if (threads[t].failed != SIZE_MAX && (!first || threads[t].failed < first->failed))
            first = &threads[t];
    return first ? grazei_fail(error, first->failure.status, "%s", first->failure.text) : GRAZE_OK;
}

static graze_status make_ready(graze_world *world, graze_pool *pool, graze_error *error)
{
    graze_status status = grazei_world_find_shells(world, error);
    if (!status)
        status = pose_volumes(world, pool, error);
    return status ? status : grazei_world_begin_loans(world, error);
}

graze_status grazei_world_ask(graze_world *world, graze_pool *pool, graze_error *error)
{
    bool several = graze_pool_threads(pool) > 1;
    graze_status status = make_ready(world, pool, error);
    if (status)
        return status;
    if (several)
        share(world, true);
    graze_pool_for_each(pool, world->candidates.count, ask_one, world, NULL);
    if (several)
        share(world, false);
    return grazei_world_first_failure(world, error);
}
