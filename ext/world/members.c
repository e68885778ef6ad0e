/* Who is in a world. */
#include "world/past.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/body.h"
#include "hitbox/fit.h"
#include "narrow/shapes.h"

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
    if (count >= GRAZEI_NOBODY || !grazei_boxes_reserve(world, (uint32_t)count) ||
        !grazei_list_reserve(&world->allocator, &world->things, count + 1, sizeof *things) ||
        !grazei_list_reserve(&world->allocator, &world->boxes, count + 1, sizeof(grazei_bound)) ||
        !grazei_list_reserve(&world->allocator, &world->shapes, count + 1, sizeof(graze_shape)) ||
        !grazei_list_reserve(&world->allocator, &world->members, count + 1, sizeof(grazei_member)))
        return NULL;
    things = world->things.items;
    things[count] = (grazei_thing){.generation = 1};
    *grazei_member_of(world, (uint32_t)count) = (grazei_member){.fit = NULL};
    *index = (uint32_t)count;
    world->things.count++;
    return &things[count];
}

/* Gives a place back, and what was taken for who was there. Whoever had an id has it no more. */
static void leave_place(graze_world *world, uint32_t index, bool had_id)
{
    grazei_thing *thing = grazei_thing_of(world, index);
    const grazei_member *member = grazei_member_of(world, index);
    if (thing->body) {
        grazei_index_remove(&world->bodies, grazei_pointer_key(thing->body));
        grazei_world_let_go_model(world, member->model);
        GRAZE_ASSERT(world->solid_count >= member->solid);
        world->solid_count -= member->solid;
    }
    grazei_world_release_volumes(world, index);
    grazei_world_release_past(world, index);
    grazei_boxes_forget(world, index);
    GRAZE_ASSERT(thing->kind != GRAZEI_FREE);
    thing->kind = GRAZEI_FREE;
    thing->body = NULL;
    thing->generation += had_id;
    thing->generation += thing->generation == 0;
    thing->next_free = world->first_free;
    world->first_free = index;
}

/* A body's own: its model is counted last, as nothing can fail any more behind that. */
static graze_status take_body(graze_world *world, uint32_t index, graze_body *body,
                              graze_error *error)
{
    grazei_member *member = grazei_member_of(world, index);
    graze_status status = GRAZE_OK;
    if (!grazei_index_reserve(&world->allocator, &world->bodies))
        status = grazei_fail_memory(error);
    if (!status)
        status = grazei_world_make_volumes(world, index, error);
    if (!status)
        status = grazei_world_hold_model(world, grazei_body_model(body), &member->model, error);
    if (status)
        return status;
    grazei_thing_of(world, index)->body = body;
    grazei_body_keep_box(body);
    grazei_index_put(&world->bodies, grazei_pointer_key(body), index);
    world->solid_count += member->solid;
    return GRAZE_OK;
}

static graze_status add(graze_world *world, graze_body *body, const graze_shape *shape,
                        const graze_world_member_def *def, graze_world_id *id, graze_error *error)
{
    uint32_t index;
    grazei_thing *thing = take_place(world, &index);
    if (!thing)
        return grazei_fail_memory(error);
    thing->kind = body ? GRAZEI_BODY : GRAZEI_SHAPE;
    thing->category = (uint8_t)def->category;
    thing->body = NULL;
    thing->has_box = false;
    thing->infinite = shape && shape->kind == GRAZE_HALF_SPACE;
    *grazei_member_of(world, index) = (grazei_member){
        .fit = def->hitboxes, .user_data = def->user_data, .solid = body && def->solid};
    if (shape)
        ((graze_shape *)world->shapes.items)[index] = *shape;
    graze_status status = body ? take_body(world, index, body, error) : GRAZE_OK;
    if (status)
        leave_place(world, index, false);
    else
        grazei_boxes_watch(world, index, body);
    if (!status)
        *id = (graze_world_id){index, thing->generation};
    return status;
}

static graze_status check_def(const graze_world_member_def *def, graze_error *error)
{
    graze_status status = grazei_check_category(def->category, error);
    return status ? status : GRAZEI_CHECK_RESERVED(def, "the def", error);
}

static graze_status check_body(const graze_world *world, const graze_body *body,
                               const graze_world_member_def *def, graze_error *error)
{
    bool closed = true;
    graze_status status = check_def(def, error);
    uint32_t there = grazei_index_get(&world->bodies, grazei_pointer_key(body));
    if (!status && there != GRAZEI_NOT_THERE)
        status = grazei_fail(error, GRAZE_BAD_INPUT,
                             "the body is in the world already, with index %u", there);
    if (!status && def->hitboxes && def->hitboxes->model != grazei_body_model(body))
        status =
            grazei_fail(error, GRAZE_BAD_INPUT, "the hitboxes are of another model than the body");
    if (!status && def->solid)
        status = graze_model_is_closed(grazei_body_model(body), &closed, error);
    if (!status && !closed)
        status = grazei_fail(error, GRAZE_BAD_INPUT,
                             "a solid body is closed, and the surface of this one is open");
    return status;
}

graze_status graze_world_add_body(graze_world *world, graze_body *body,
                                  const graze_world_member_def *def, graze_world_id *id,
                                  graze_error *error)
{
    const graze_world_member_def plain = {0};
    graze_status status = grazei_check_pointer(world, "the world", error);
    if (!status)
        status = grazei_check_pointer(body, "the body", error);
    if (!status)
        status = grazei_check_pointer(id, "id", error);
    if (!status)
        status = check_body(world, body, def ? def : &plain, error);
    return status ? status : add(world, body, NULL, def ? def : &plain, id, error);
}

graze_status grazei_world_check_shape(const graze_shape *shape, graze_error *error)
{
    grazei_shape unwanted;
    graze_status status = grazei_shape_prepare(&unwanted, shape, error);
    if (!status && (shape->kind == GRAZE_PLANE || shape->kind == GRAZE_FRUSTUM))
        status = grazei_fail(error, GRAZE_UNSUPPORTED,
                             "a world takes spheres, capsules, boxes and half-spaces");
    return status;
}

graze_status graze_world_add_shape(graze_world *world, const graze_shape *shape,
                                   const graze_world_member_def *def, graze_world_id *id,
                                   graze_error *error)
{
    const graze_world_member_def plain = {0};
    def = def ? def : &plain;
    graze_status status = grazei_check_pointer(world, "the world", error);
    if (!status)
        status = grazei_check_pointer(id, "id", error);
    if (!status)
        status = check_def(def, error);
    if (!status && def->hitboxes)
        status = grazei_fail(error, GRAZE_BAD_INPUT, "a shape has no hitboxes: it is its own");
    if (!status)
        status = grazei_world_check_shape(shape, error);
    return status ? status : add(world, NULL, shape, def, id, error);
}

/* The thing with an id, or NULL. */
static grazei_thing *thing_of(const graze_world *world, graze_world_id id)
{
    if (id.index >= world->things.count)
        return NULL;
    grazei_thing *thing = (grazei_thing *)world->things.items + id.index;
    return thing->kind != GRAZEI_FREE && thing->generation == id.generation ? thing : NULL;
}

graze_status grazei_world_find(const graze_world *world, graze_world_id id, grazei_thing **thing,
                               graze_error *error)
{
    graze_status status = grazei_check_pointer(world, "the world", error);
    if (status)
        return status;
    *thing = thing_of(world, id);
    if (!*thing)
        return grazei_fail(error, GRAZE_BAD_INPUT, "id %u.%u is not in the world", id.index,
                           id.generation);
    return GRAZE_OK;
}

void *graze_world_user_data(const graze_world *world, graze_world_id id)
{
    return world && thing_of(world, id) ? grazei_member_of(world, id.index)->user_data : NULL;
}

graze_status graze_world_set_shape(graze_world *world, graze_world_id id, const graze_shape *shape,
                                   graze_error *error)
{
    grazei_thing *thing;
    graze_status status = grazei_world_find(world, id, &thing, error);
    if (!status && thing->kind != GRAZEI_SHAPE)
        status = grazei_fail(error, GRAZE_BAD_INPUT, "id %u.%u is a body, not a shape", id.index,
                             id.generation);
    if (!status)
        status = grazei_world_check_shape(shape, error);
    if (status)
        return status;
    thing->infinite = shape->kind == GRAZE_HALF_SPACE;
    ((graze_shape *)world->shapes.items)[id.index] = *shape;
    grazei_boxes_note(world, id.index);
    return GRAZE_OK;
}

graze_status graze_world_teleport_shape(graze_world *world, graze_world_id id,
                                        const graze_shape *shape, graze_error *error)
{
    graze_status status = graze_world_set_shape(world, id, shape, error);
    if (status || !grazei_member_of(world, id.index)->has_past)
        return status;
    ((graze_shape *)world->past_shapes.items)[id.index] = *shape;
    if (shape->kind != GRAZE_HALF_SPACE)
        ((grazei_bound *)world->past_boxes.items)[id.index] = grazei_world_shape_box(shape);
    return GRAZE_OK;
}

graze_status graze_world_remove(graze_world *world, graze_world_id id, graze_error *error)
{
    grazei_thing *thing;
    graze_status status = grazei_world_find(world, id, &thing, error);
    if (!status)
        leave_place(world, id.index, true);
    return status;
}
