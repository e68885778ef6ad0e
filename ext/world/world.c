/* Making and freeing worlds, the rules, and what the last update left. */
#include "world/past.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

bool grazei_list_reserve(const graze_allocator *allocator, grazei_list *list, size_t need,
                         size_t size)
{
    if (need <= list->capacity)
        return true;
    void *items = grazei_grow(allocator, list->items, &list->capacity, need, size);
    if (items)
        list->items = items;
    return items != NULL;
}

graze_status graze_world_create(const graze_allocator *allocator, graze_world **world,
                                graze_error *error)
{
    graze_status status = grazei_check_pointer(world, "where the world goes", error);
    if (status)
        return status;
    graze_allocator used = allocator ? *allocator : graze_default_allocator();
    graze_world *made = GRAZEI_ALLOCATE_ZERO(&used, 1, graze_world);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = used;
    made->first_free = made->first_free_model = GRAZEI_NOBODY;
    memset(made->rules, GRAZE_LEVEL_EXACT, sizeof made->rules);
    *world = made;
    return GRAZE_OK;
}

void graze_world_destroy(graze_world *world)
{
    if (!world)
        return;
    graze_allocator allocator = world->allocator;
    grazei_world_thread *threads = world->threads.items;
    grazei_world_release_models(world);
    for (size_t t = 0; t < world->threads.count; t++) {
        grazei_list *own[] = {&threads[t].parts,   &threads[t].contacts,   &threads[t].scratch,
                              &threads[t].touches, &threads[t].touch_keys, &threads[t].gathered,
                              &threads[t].keys,    &threads[t].hits,       &threads[t].touched};
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            grazei_release(&allocator, own[i]->items);
    }
    for (uint32_t i = 0; i < world->things.count; i++) {
        grazei_world_release_volumes(world, i);
        grazei_world_release_past(world, i);
    }
    grazei_list *lists[] = {
        &world->things,      &world->boxes,       &world->shapes,        &world->members,
        &world->order,       &world->infinite,    &world->strips,        &world->in_strips,
        &world->keys,        &world->key_scratch, &world->to_pose,       &world->candidates,
        &world->met,         &world->met_next,    &world->events,        &world->parts,
        &world->contacts,    &world->threads,     &world->uses,          &world->past_boxes,
        &world->past_shapes, &world->reaches,     &world->question_uses, &world->use_marks};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        grazei_release(&allocator, lists[i]->items);
    grazei_boxes_release(world);
    grazei_index_release(&allocator, &world->bodies);
    grazei_release(&allocator, world);
}

graze_status grazei_check_category(uint32_t number, graze_error *error)
{
    if (number < GRAZE_MAX_CATEGORIES)
        return GRAZE_OK;
    return grazei_fail(error, GRAZE_BAD_INPUT, "category %u: categories are numbered 0 to %d",
                       number, GRAZE_MAX_CATEGORIES - 1);
}

static graze_status check_rule(const graze_world_rule *rule, graze_error *error)
{
    graze_status status = grazei_check_pointer(rule, "the rule", error);
    if (status)
        return status;
    if ((unsigned)rule->level > GRAZE_LEVEL_IGNORE)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%d is no level of a rule", (int)rule->level);
    if ((unsigned)rule->motion > GRAZE_MOTION_CONTINUOUS)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%d is no motion of a rule", (int)rule->motion);
    return GRAZEI_CHECK_RESERVED(rule, "the rule", error);
}

graze_status graze_world_set_rule(graze_world *world, uint32_t category_a, uint32_t category_b,
                                  const graze_world_rule *rule, graze_error *error)
{
    graze_status status = grazei_check_pointer(world, "the world", error);
    if (!status)
        status = grazei_check_category(category_a, error);
    if (!status)
        status = grazei_check_category(category_b, error);
    if (!status)
        status = check_rule(rule, error);
    if (status)
        return status;
    world->rules[category_a][category_b] = world->rules[category_b][category_a] =
        (uint8_t)rule->level;
    world->motions[category_a][category_b] = world->motions[category_b][category_a] =
        (uint8_t)rule->motion;
    world->with_contacts[category_a][category_b] = world->with_contacts[category_b][category_a] =
        rule->contacts;
    grazei_world_find_moving(world);
    return GRAZE_OK;
}

size_t graze_world_candidate_count(const graze_world *world)
{
    return world ? world->candidates.count : 0;
}

const graze_world_event *graze_world_events(const graze_world *world, size_t *count)
{
    if (count)
        *count = world ? world->events.count : 0;
    return world && count && world->events.count ? world->events.items : NULL;
}
