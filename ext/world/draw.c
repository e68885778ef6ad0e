/* Drawing a world. */
#include "draw/draw.h"

#include "base/status.h"
#include "body/body.h"
#include "world/world.h"

static void draw_box(const graze_draw *draw, const grazei_bound *box)
{
    float centre[3], half[3];
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5f * (box->high[k] - box->low_negated[k]);
        half[k] = 0.5f * (box->high[k] + box->low_negated[k]);
    }
    if (!grazei_bound_is_empty(box, false))
        grazei_draw_box(draw, centre, half, GRAZE_DRAW_MEMBER);
}

static graze_status draw_member(const graze_draw *draw, const graze_world *world, uint32_t index,
                                uint32_t members, graze_error *error)
{
    const grazei_thing *thing = grazei_thing_of(world, index);
    const graze_shape *shape = grazei_shape_of(world, index);
    const bool is_body = thing->kind == GRAZEI_BODY;
    graze_stats unwanted = {0};
    if (members & GRAZE_DRAW_BOXES && !thing->infinite) {
        grazei_bound box =
            is_body ? grazei_body_box(thing->body, &unwanted) : grazei_world_shape_box(shape);
        draw_box(draw, &box);
    }
    if (is_body)
        return members & GRAZE_DRAW_BODIES ? graze_draw_body(draw, thing->body, error) : GRAZE_OK;
    return members & GRAZE_DRAW_SHAPES ? graze_draw_shape(draw, shape, error) : GRAZE_OK;
}

graze_status graze_draw_world(const graze_draw *draw, graze_world *world, uint32_t members,
                              graze_error *error)
{
    size_t count;
    graze_status status = grazei_draw_check(draw, error);
    if (!status)
        status = grazei_check_pointer(world, "the world", error);
    for (uint32_t i = 0; !status && i < world->things.count; i++)
        if (grazei_thing_of(world, i)->kind != GRAZEI_FREE)
            status = draw_member(draw, world, i, members ? members : UINT32_MAX, error);
    if (status || (members && !(members & GRAZE_DRAW_CONTACTS)))
        return status;
    const graze_world_event *events = graze_world_events(world, &count);
    for (size_t e = 0; e < count; e++)
        graze_draw_contacts(draw, events[e].contacts, events[e].contact_count, NULL);
    return GRAZE_OK;
}
