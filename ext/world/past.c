/* Where things were at the update before, for rules with a motion; only those of categories that
 * have one are kept. A thing that is new, or a shape that became one of another kind, has no past:
 * it is looked at as it stands.
 */
#include "world/past.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/mask.h"
#include "touch/shapes.h"

#include <string.h>

bool grazei_world_moves(const graze_world *world, uint32_t index)
{
    return world->category_moves[grazei_thing_of(world, index)->category];
}

void grazei_world_find_moving(graze_world *world)
{
    memset(world->category_moves, 0, sizeof world->category_moves);
    world->has_motion = false;
    for (uint32_t a = 0; a < GRAZE_MAX_CATEGORIES; a++)
        for (uint32_t b = 0; b < GRAZE_MAX_CATEGORIES; b++)
            if (world->rules[a][b] != GRAZE_LEVEL_IGNORE &&
                world->motions[a][b] != GRAZE_MOTION_DISCRETE)
                world->category_moves[a] = world->has_motion = true;
}

/* ---- boxes of past and present -------------------------------------------------------------- */

static void join(grazei_bound *box, const grazei_bound *other)
{
    f4_store(box->low_negated, f4_max(grazei_bound_first(box), grazei_bound_first(other)));
    f4_store(box->high, f4_max(grazei_bound_second(box), grazei_bound_second(other)));
}

/* On its way a box that turns and grows may reach farther than at either end, by no more than with
 * the larger of its sides and the larger of its axes' components.
 */
static void join_turning(grazei_bound *box, const graze_box *from, const graze_box *to)
{
    for (int k = 0; k < 3; k++) {
        double reach = 0;
        for (int i = 0; i < 3; i++)
            reach += fmax(fabs((double)from->axes[i][k]), fabs((double)to->axes[i][k])) *
                     fmax((double)from->half[i], (double)to->half[i]);
        reach *= 1 + 1e-6;
        double low = fmin((double)from->centre[k], (double)to->centre[k]) - reach;
        double high = fmax((double)from->centre[k], (double)to->centre[k]) + reach;
        box->low_negated[k] = fmaxf(box->low_negated[k], -nextafterf((float)low, -INFINITY));
        box->high[k] = fmaxf(box->high[k], nextafterf((float)high, INFINITY));
    }
}

static bool stood_still(const graze_world *world, uint32_t index)
{
    return grazei_member_of(world, index)->past_pose ==
           grazei_body_pose_number(grazei_thing_of(world, index)->body);
}

/* What takes part of a body now is what took part then. */
static graze_status mask_past(graze_world *world, uint32_t index, graze_error *error)
{
    const grazei_member *member = grazei_member_of(world, index);
    const graze_body *body = grazei_thing_of(world, index)->body;
    grazei_world_thread *own = world->threads.items;
    if (!body || stood_still(world, index) || grazei_bodies_mask_alike(member->past, body))
        return GRAZE_OK;
    graze_status status = graze_body_set_part_mask(member->past, grazei_body_mask(body),
                                                   grazei_body_mesh(body)->part_count, error);
    if (!status)
        ((grazei_bound *)world->past_boxes.items)[index] =
            grazei_body_box(member->past, &own->stats);
    return status;
}

graze_status grazei_world_find_reaches(graze_world *world, graze_error *error)
{
    size_t count = world->things.count;
    const grazei_bound *boxes = world->boxes.items, *past = world->past_boxes.items;
    const graze_shape *past_shapes = world->past_shapes.items;
    graze_status status = GRAZE_OK;
    if (!world->has_motion || !count)
        return GRAZE_OK;
    if (!grazei_list_reserve(&world->allocator, &world->reaches, count, sizeof *boxes))
        return grazei_fail_memory(error);
    grazei_bound *reaches = world->reaches.items;
    for (uint32_t i = 0; i < count && !status; i++) {
        const grazei_thing *thing = grazei_thing_of(world, i);
        reaches[i] = boxes[i];
        if (thing->kind == GRAZEI_FREE || thing->infinite || !grazei_world_has_past(world, i))
            continue;
        status = mask_past(world, i, error);
        join(&reaches[i], &past[i]);
        const graze_shape *shape = grazei_shape_of(world, i);
        if (!thing->body && shape->kind == GRAZE_BOX)
            join_turning(&reaches[i], &past_shapes[i].as.box, &shape->as.box);
    }
    return status;
}

bool grazei_world_has_past(const graze_world *world, uint32_t index)
{
    const grazei_member *member = grazei_member_of(world, index);
    if (!member->has_past || !grazei_world_moves(world, index))
        return false;
    const graze_shape *past = (const graze_shape *)world->past_shapes.items + index;
    return grazei_thing_of(world, index)->body || past->kind == grazei_shape_of(world, index)->kind;
}

bool grazei_world_was_near(const graze_world *world, uint32_t half_space, const grazei_bound *box)
{
    grazei_shape made;
    if (!world->has_motion || !grazei_world_has_past(world, half_space))
        return false;
    grazei_shape_prepare(&made, (const graze_shape *)world->past_shapes.items + half_space, NULL);
    return grazei_shape_side(&made, box, false, NULL) != GRAZE_OUTSIDE;
}

/* ---- getting ready -------------------------------------------------------------------------- */

graze_status grazei_world_pose_past_volumes(graze_world *world, uint32_t index, graze_error *error)
{
    grazei_member *member = grazei_member_of(world, index);
    if (!member->fit || !grazei_world_has_past(world, index) || stood_still(world, index) ||
        (member->has_past_volumes && member->past_volumes_pose == member->past_pose))
        return GRAZE_OK;
    uint32_t count = graze_hitboxes_count(member->fit, NULL);
    if (!member->past_volumes)
        member->past_volumes = GRAZEI_ALLOCATE(&world->allocator, count, graze_capsule);
    if (!member->past_volumes)
        return grazei_fail_memory(error);
    graze_status status =
        graze_hitboxes_pose(member->fit, member->past, member->past_volumes, count, error);
    member->has_past_volumes = !status;
    member->past_volumes_pose = member->past_pose;
    return status;
}

graze_body *grazei_world_past_body(const graze_world *world, uint32_t index)
{
    const grazei_thing *thing = grazei_thing_of(world, index);
    if (!thing->body || !grazei_world_has_past(world, index) || stood_still(world, index))
        return NULL;
    return grazei_member_of(world, index)->past;
}

grazei_mover grazei_world_mover(const graze_world *world, uint32_t index, graze_level level)
{
    const grazei_member *member = grazei_member_of(world, index);
    graze_body *body = grazei_thing_of(world, index)->body;
    if (!body)
        return (grazei_mover){.from = (const graze_shape *)world->past_shapes.items + index,
                              .to = grazei_shape_of(world, index)};
    bool still = stood_still(world, index);
    grazei_mover mover = {.start = still ? body : member->past, .end = body};
    if (level == GRAZE_LEVEL_HITBOXES && member->fit) {
        mover.volumes_from = still ? member->volumes : member->past_volumes;
        mover.volumes_to = member->volumes;
        mover.volume_parts = member->volume_parts;
        mover.volume_count = member->volume_count;
    }
    return mover;
}

/* ---- remembering ---------------------------------------------------------------------------- */

/* An update that fails leaves all pasts as they were: first memory is taken for all of them, then
 * they move, which cannot fail.
 */
enum { AT_ONCE = 32 };

/* Whether this thing's past is kept, and is not yet where the thing is. */
static bool falls_behind(const graze_world *world, uint32_t index)
{
    return grazei_thing_of(world, index)->kind != GRAZEI_FREE && grazei_world_moves(world, index) &&
           !(grazei_thing_of(world, index)->body && grazei_member_of(world, index)->has_past &&
             stood_still(world, index));
}

static uint32_t end_of(const graze_world *world, size_t item)
{
    size_t end = (item + 1) * AT_ONCE;
    return (uint32_t)(end < world->things.count ? end : world->things.count);
}

/* A graze_item_fn. */
static void make_room_for_some(void *user, size_t item, uint32_t thread)
{
    graze_world *world = user;
    grazei_world_thread *own = (grazei_world_thread *)world->threads.items + thread;
    for (uint32_t i = (uint32_t)(item * AT_ONCE); i < end_of(world, item); i++) {
        const graze_body *body = grazei_thing_of(world, i)->body;
        graze_error failure;
        if (body && falls_behind(world, i) && i < own->failed &&
            grazei_body_make_room(body, &grazei_member_of(world, i)->past, &failure)) {
            own->failed = i;
            own->failure = failure;
        }
    }
}

static void remember(graze_world *world, uint32_t index)
{
    grazei_member *member = grazei_member_of(world, index);
    const graze_body *body = grazei_thing_of(world, index)->body;
    if (body) {
        GRAZE_ASSERT(member->past && grazei_body_model(member->past) == grazei_body_model(body));
        grazei_body_take_pose(member->past, body);
        member->past_pose = grazei_body_pose_number(body);
        member->has_past_volumes = false;
    } else {
        ((graze_shape *)world->past_shapes.items)[index] = *grazei_shape_of(world, index);
    }
    ((grazei_bound *)world->past_boxes.items)[index] = ((grazei_bound *)world->boxes.items)[index];
    member->has_past = true;
}

/* A graze_item_fn. */
static void remember_some(void *user, size_t item, uint32_t thread)
{
    graze_world *world = user;
    (void)thread;
    for (uint32_t i = (uint32_t)(item * AT_ONCE); i < end_of(world, item); i++) {
        if (falls_behind(world, i))
            remember(world, i);
        else if (!grazei_world_moves(world, i))
            grazei_member_of(world, i)->has_past = false;
    }
}

graze_status grazei_world_remember(graze_world *world, graze_pool *pool, graze_error *error)
{
    size_t count = world->things.count, items = (count + AT_ONCE - 1) / AT_ONCE;
    graze_status status = GRAZE_OK;
    if (world->has_motion && count) {
        if (!grazei_list_reserve(&world->allocator, &world->past_boxes, count,
                                 sizeof(grazei_bound)) ||
            !grazei_list_reserve(&world->allocator, &world->past_shapes, count,
                                 sizeof(graze_shape)))
            return grazei_fail_memory(error);
        status = graze_pool_for_each(pool, items, make_room_for_some, world, error);
        if (!status)
            status = grazei_world_first_failure(world, error);
        if (!status)
            status = graze_pool_for_each(pool, items, remember_some, world, error);
    }
    if (status)
        return status;
    for (uint32_t i = 0; !world->has_motion && world->has_pasts && i < count; i++)
        grazei_member_of(world, i)->has_past = false;
    world->has_pasts = world->has_motion;
    return GRAZE_OK;
}

void grazei_world_release_past(graze_world *world, uint32_t index)
{
    grazei_member *member = grazei_member_of(world, index);
    graze_body_destroy(member->past);
    grazei_release(&world->allocator, member->past_volumes);
    member->past = NULL;
    member->past_volumes = NULL;
    member->has_past = member->has_past_volumes = false;
}
