/* One update: candidates, questions, and events from who met before and who meets now. */
#include "base/memory.h"
#include "base/status.h"
#include "base/trace.h"
#include "math/rounding.h"
#include "parts/lists.h"
#include "query/agenda.h"
#include "world/past.h"

#include <string.h>

graze_status grazei_world_start_threads(graze_world *world, graze_pool *pool, graze_error *error)
{
    size_t count = graze_pool_threads(pool);
    if (!grazei_list_reserve(&world->allocator, &world->threads, count,
                             sizeof(grazei_world_thread)))
        return grazei_fail_memory(error);
    grazei_world_thread *threads = world->threads.items;
    for (; world->threads.count < count; world->threads.count++)
        memset(&threads[world->threads.count], 0, sizeof *threads);
    for (size_t t = 0; t < world->threads.count; t++) {
        threads[t].parts.count = threads[t].contacts.count = 0;
        threads[t].stats = (graze_stats){0};
        threads[t].failed = SIZE_MAX;
    }
    return GRAZE_OK;
}

static graze_world_id id_of(const graze_world *world, uint32_t index)
{
    return (graze_world_id){index, ((const grazei_thing *)world->things.items)[index].generation};
}

static uint64_t key_of(const grazei_met *met)
{
    return grazei_world_key(met->a.index, met->b.index);
}

static bool is_same(const grazei_met *x, const grazei_met *y)
{
    return x->a.generation == y->a.generation && x->b.generation == y->b.generation;
}

/* Room for all events, their parts and contacts, so that these do not move. */
static graze_status reserve(graze_world *world, graze_error *error)
{
    const grazei_candidate *candidates = world->candidates.items;
    size_t meeting = 0, parts = 0, contacts = 0;
    for (size_t i = 0; i < world->candidates.count; i++)
        if (candidates[i].meets || candidates[i].passes) {
            meeting++;
            parts += candidates[i].part_count;
            contacts += candidates[i].contact_count;
        }
    if (!grazei_list_reserve(&world->allocator, &world->met_next, meeting, sizeof(grazei_met)) ||
        !grazei_list_reserve(&world->allocator, &world->parts, parts, sizeof(graze_pair)) ||
        !grazei_list_reserve(&world->allocator, &world->contacts, contacts,
                             sizeof(graze_contact)) ||
        !grazei_list_reserve(&world->allocator, &world->events, 2 * meeting + world->met.count,
                             sizeof(graze_world_event)))
        return grazei_fail_memory(error);
    world->met_next.count = world->parts.count = world->contacts.count = 0;
    return GRAZE_OK;
}

/* What a candidate found goes from its thread's lists to the world's. */
static void copy_found(graze_world *world, const grazei_candidate *candidate,
                       graze_world_event *event)
{
    const grazei_world_thread *own =
        (const grazei_world_thread *)world->threads.items + candidate->thread;
    if (candidate->part_count) {
        const uint64_t *keys = (const uint64_t *)own->parts.items + candidate->first_part;
        graze_pair *parts = (graze_pair *)world->parts.items + world->parts.count;
        for (uint32_t i = 0; i < candidate->part_count; i++)
            parts[i] = (graze_pair){.a = (uint32_t)(keys[i] >> 32), .b = (uint32_t)keys[i]};
        GRAZE_ASSERT(world->parts.count + candidate->part_count <= world->parts.capacity);
        world->parts.count += candidate->part_count;
        event->part_count = candidate->part_count;
        event->parts = parts;
    }
    if (candidate->contact_count) {
        graze_contact *contacts = (graze_contact *)world->contacts.items + world->contacts.count;
        memcpy(contacts, (const graze_contact *)own->contacts.items + candidate->first_contact,
               candidate->contact_count * sizeof *contacts);
        GRAZE_ASSERT(world->contacts.count + candidate->contact_count <= world->contacts.capacity);
        world->contacts.count += candidate->contact_count;
        event->contact_count = candidate->contact_count;
        event->contacts = contacts;
    }
}

static void put_event(graze_world *world, graze_event_kind kind, const grazei_met *met,
                      const grazei_candidate *candidate)
{
    GRAZE_ASSERT(world->events.count < world->events.capacity);
    graze_world_event *event = (graze_world_event *)world->events.items + world->events.count++;
    *event = (graze_world_event){.kind = kind,
                                 .level = met->level,
                                 .motion = met->motion,
                                 .a = met->a,
                                 .b = met->b,
                                 .time = 1};
    if (!candidate)
        return;
    event->time = candidate->time;
    event->capped = candidate->capped;
    event->pair_count = candidate->pairs;
    event->inside = candidate->inside;
    copy_found(world, candidate, event);
}

static grazei_met met_of(const graze_world *world, const grazei_candidate *candidate)
{
    uint32_t a = (uint32_t)(candidate->key >> 32), b = (uint32_t)candidate->key;
    uint8_t category_a = grazei_thing_of(world, a)->category;
    uint8_t category_b = grazei_thing_of(world, b)->category;
    return (grazei_met){id_of(world, a), id_of(world, b), candidate->level,
                        (graze_motion_rule)world->motions[category_a][category_b]};
}

bool grazei_world_has_met(const graze_world *world, uint64_t key)
{
    const grazei_met *met = world->met.items;
    size_t low = 0, high = world->met.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (key_of(&met[middle]) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < world->met.count && key_of(&met[low]) == key &&
           met[low].a.generation == id_of(world, (uint32_t)(key >> 32)).generation &&
           met[low].b.generation == id_of(world, (uint32_t)key).generation;
}

/* Both lists are sorted: one pass. */
static void make_events(graze_world *world)
{
    const grazei_candidate *candidates = world->candidates.items;
    const grazei_met *old = world->met.items; /* NULL while there are none */
    const grazei_met *old_end = world->met.count ? old + world->met.count : old;
    for (size_t i = 0; i < world->candidates.count; i++) {
        const grazei_candidate *now = &candidates[i];
        if (!now->meets && !now->passes)
            continue;
        grazei_met met = met_of(world, now);
        GRAZE_ASSERT(i == 0 || candidates[i - 1].key < now->key);
        for (; old < old_end && key_of(old) < now->key; old++)
            put_event(world, GRAZE_EVENT_END, old, NULL);
        bool stays = old < old_end && key_of(old) == now->key && is_same(old, &met);
        if (old < old_end && key_of(old) == now->key && !stays)
            put_event(world, GRAZE_EVENT_END, old, NULL);
        if (old < old_end && key_of(old) == now->key)
            old++;
        put_event(world, stays ? GRAZE_EVENT_STAY : GRAZE_EVENT_BEGIN, &met, now);
        if (now->meets)
            ((grazei_met *)world->met_next.items)[world->met_next.count++] = met;
        else
            put_event(world, GRAZE_EVENT_END, &met, NULL);
    }
    for (; old < old_end; old++)
        put_event(world, GRAZE_EVENT_END, old, NULL);
    grazei_list swapped = world->met;
    world->met = world->met_next;
    world->met_next = swapped;
}

/* ---- phases --------------------------------------------------------------------------------- */

static graze_status find_candidates(graze_world *world, graze_pool *pool, graze_error *error)
{
    GRAZEI_ZONE("broad");
    return grazei_world_find_candidates(world, pool, error);
}

static graze_status ask(graze_world *world, graze_pool *pool, graze_error *error)
{
    GRAZEI_ZONE("ask");
    return grazei_world_ask(world, pool, error);
}

static graze_status find_events(graze_world *world, graze_pool *pool, graze_error *error)
{
    GRAZEI_ZONE("events");
    graze_status status = reserve(world, error);
    if (!status)
        status = grazei_world_remember(world, pool, error);
    if (!status)
        make_events(world);
    return status;
}

graze_status graze_world_update(graze_world *world, const graze_options *options,
                                graze_error *error)
{
    graze_pool *pool = options ? options->pool : NULL;
    graze_stats *stats = options ? options->stats : NULL;
    graze_status status = grazei_check_pointer(world, "the world", error);
    if (!status)
        status = grazei_check_lazy_options(options, error);
    if (!status)
        status = grazei_check_rounding(error);
    if (status)
        return status;
    GRAZEI_ZONE("graze_world_update");
    world->events.count = world->candidates.count = 0;
    status = grazei_world_start_threads(world, pool, error);
    if (!status)
        status = find_candidates(world, pool, error);
    if (!status)
        status = ask(world, pool, error);
    if (!status)
        status = find_events(world, pool, error);
    if (status)
        return status;
    const grazei_world_thread *threads = world->threads.items;
    for (size_t t = 0; stats && t < world->threads.count; t++)
        grazei_add_stats(stats, &threads[t].stats);
    return GRAZE_OK;
}
