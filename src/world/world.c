/* Who is in a world, and the rules. */
#include "world/world.h"

#include "base/memory.h"
#include "base/status.h"
#include "narrow/shapes.h"

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
    made->first_free = GRAZEI_NOBODY;
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
    for (size_t t = 0; t < world->threads.count; t++) {
        grazei_release(&allocator, threads[t].parts.items);
        grazei_release(&allocator, threads[t].scratch.items);
    }
    grazei_list *lists[] = {
        &world->things, &world->boxes,     &world->shapes, &world->order,       &world->infinite,
        &world->strips, &world->in_strips, &world->keys,   &world->key_scratch, &world->candidates,
        &world->met,    &world->met_next,  &world->events, &world->parts,       &world->threads,
        &world->uses};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        grazei_release(&allocator, lists[i]->items);
    grazei_release(&allocator, world);
}

static graze_status check_class(uint32_t number, graze_error *error)
{
    if (number < GRAZE_MAX_CLASSES)
        return GRAZE_OK;
    return grazei_fail(error, GRAZE_BAD_INPUT, "class %u: classes are numbered 0 to %d", number,
                       GRAZE_MAX_CLASSES - 1);
}

graze_status graze_world_set_rule(graze_world *world, uint32_t class_a, uint32_t class_b,
                                  graze_level level, graze_error *error)
{
    graze_status status = grazei_check_pointer(world, "the world", error);
    if (!status)
        status = check_class(class_a, error);
    if (!status)
        status = check_class(class_b, error);
    if (!status && (unsigned)level > GRAZE_LEVEL_EXACT)
        status = grazei_fail(error, GRAZE_BAD_INPUT, "%d is no level of a rule", (int)level);
    if (status)
        return status;
    world->rules[class_a][class_b] = world->rules[class_b][class_a] = (uint8_t)level;
    return GRAZE_OK;
}

/* A place for one more, at the end if none is free. NULL: out of memory. */
static grazei_thing *take_place(graze_world *world, uint32_t *index)
{
    grazei_thing *things = world->things.items;
    if (world->first_free != GRAZEI_NOBODY) {
        *index = world->first_free;
        world->first_free = things[*index].next_free;
        return &things[*index];
    }
    size_t count = world->things.count;
    if (count >= GRAZEI_NOBODY ||
        !grazei_list_reserve(&world->allocator, &world->things, count + 1, sizeof *things) ||
        !grazei_list_reserve(&world->allocator, &world->boxes, count + 1, sizeof(grazei_bound)) ||
        !grazei_list_reserve(&world->allocator, &world->shapes, count + 1, sizeof(graze_shape)))
        return NULL;
    things = world->things.items;
    things[count] = (grazei_thing){.generation = 1};
    *index = (uint32_t)count;
    world->things.count++;
    return &things[count];
}

static graze_status add(graze_world *world, grazei_thing_kind kind, graze_body *body,
                        const graze_shape *shape, uint32_t class_number, graze_world_id *id,
                        graze_error *error)
{
    uint32_t index;
    grazei_thing *thing = take_place(world, &index);
    if (!thing)
        return grazei_fail_memory(error);
    thing->kind = (uint8_t)kind;
    thing->class_number = (uint8_t)class_number;
    thing->body = body;
    thing->has_box = false;
    thing->infinite = shape && shape->kind == GRAZE_HALF_SPACE;
    if (shape)
        ((graze_shape *)world->shapes.items)[index] = *shape;
    *id = (graze_world_id){index, thing->generation};
    return GRAZE_OK;
}

graze_status graze_world_add_body(graze_world *world, graze_body *body, uint32_t class_number,
                                  graze_world_id *id, graze_error *error)
{
    graze_status status = grazei_check_pointer(world, "the world", error);
    if (!status)
        status = grazei_check_pointer(body, "the body", error);
    if (!status)
        status = grazei_check_pointer(id, "id", error);
    if (!status)
        status = check_class(class_number, error);
    return status ? status : add(world, GRAZEI_BODY, body, NULL, class_number, id, error);
}

static graze_status check_shape(const graze_shape *shape, graze_error *error)
{
    grazei_shape unwanted;
    graze_status status = grazei_shape_prepare(&unwanted, shape, error);
    if (!status && (shape->kind == GRAZE_PLANE || shape->kind == GRAZE_FRUSTUM))
        status = grazei_fail(error, GRAZE_UNSUPPORTED,
                             "a world takes spheres, capsules, boxes and half-spaces");
    return status;
}

graze_status graze_world_add_shape(graze_world *world, const graze_shape *shape,
                                   uint32_t class_number, graze_world_id *id, graze_error *error)
{
    graze_status status = grazei_check_pointer(world, "the world", error);
    if (!status)
        status = grazei_check_pointer(id, "id", error);
    if (!status)
        status = check_class(class_number, error);
    if (!status)
        status = check_shape(shape, error);
    return status ? status : add(world, GRAZEI_SHAPE, NULL, shape, class_number, id, error);
}

/* The thing with an id. */
static graze_status find(graze_world *world, graze_world_id id, grazei_thing **thing,
                         graze_error *error)
{
    graze_status status = grazei_check_pointer(world, "the world", error);
    if (status)
        return status;
    bool exists = id.index < world->things.count;
    *thing = exists ? (grazei_thing *)world->things.items + id.index : NULL;
    if (!exists || (*thing)->kind == GRAZEI_FREE || (*thing)->generation != id.generation)
        return grazei_fail(error, GRAZE_BAD_INPUT, "id %u.%u is not in the world", id.index,
                           id.generation);
    return GRAZE_OK;
}

graze_status graze_world_set_shape(graze_world *world, graze_world_id id, const graze_shape *shape,
                                   graze_error *error)
{
    grazei_thing *thing;
    graze_status status = find(world, id, &thing, error);
    if (!status && thing->kind != GRAZEI_SHAPE)
        status = grazei_fail(error, GRAZE_BAD_INPUT, "id %u.%u is a body, not a shape", id.index,
                             id.generation);
    if (!status)
        status = check_shape(shape, error);
    if (status)
        return status;
    thing->infinite = shape->kind == GRAZE_HALF_SPACE;
    ((graze_shape *)world->shapes.items)[id.index] = *shape;
    return GRAZE_OK;
}

graze_status graze_world_remove(graze_world *world, graze_world_id id, graze_error *error)
{
    grazei_thing *thing;
    graze_status status = find(world, id, &thing, error);
    if (status)
        return status;
    thing->kind = GRAZEI_FREE;
    thing->body = NULL;
    thing->generation = thing->generation == UINT32_MAX ? 1 : thing->generation + 1;
    thing->next_free = world->first_free;
    world->first_free = id.index;
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
