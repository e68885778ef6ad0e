/* Surfaces that do not meet, one inside the other: a corner of every shell of the inner one
 * decides, as a shell that does not cross the outer surface is on one side of it as a whole.
 */
#include "base/status.h"
#include "body/mask.h"
#include "body/patches.h"
#include "world/ask.h"

#include <graze/touch.h>

/* The outer one, or NULL where it is not solid, or not closed by its mask. */
static graze_body *solid_body(const graze_world *world, uint32_t index)
{
    graze_body *body = grazei_thing_of(world, index)->body;
    return body && grazei_member_of(world, index)->solid && !grazei_body_is_masked(body) ? body
                                                                                         : NULL;
}

static bool is_in_box(const grazei_bound *box, const float point[3])
{
    for (int k = 0; k < 3; k++)
        if (!(point[k] <= box->high[k] && -point[k] <= box->low_negated[k]))
            return false;
    return true;
}

static graze_status ask_point(grazei_asked *job, uint32_t outer, const float point[3], bool *inside,
                              graze_error *error)
{
    graze_body *body = grazei_thing_of(job->world, outer)->body;
    graze_point_side side = {.inside = false};
    if (!is_in_box((const grazei_bound *)job->world->boxes.items + outer, point))
        return GRAZE_OK;
    const graze_options options = {.stats = &job->own->stats};
    graze_status status = graze_inside(body, point, &side, &options, error);
    *inside |= side.inside;
    return status;
}

static graze_status ask_shells(grazei_asked *job, uint32_t outer, uint32_t inner, bool *inside,
                               graze_error *error)
{
    graze_body *body = grazei_thing_of(job->world, inner)->body;
    GRAZE_ASSERT(body && grazei_member_of(job->world, inner)->model < job->world->models.count);
    const uint32_t *mask = grazei_body_mask(body);
    const grazei_world_model *model = (const grazei_world_model *)job->world->models.items +
                                      grazei_member_of(job->world, inner)->model;
    graze_status status = grazei_body_ready(body, error);
    for (uint32_t i = 0; i < model->shell_count && !*inside && !status; i++) {
        const grazei_shell *shell = &model->shells[i];
        if (mask && !grazei_mask_has(mask, shell->group))
            continue;
        grazei_posed_patch patch = grazei_body_patch(body, shell->patch, &job->own->stats);
        GRAZE_ASSERT(shell->point < patch.point_count);
        status = ask_point(job, outer, patch.points[shell->point], inside, error);
    }
    return status;
}

const float *grazei_point_in_shape(const graze_shape *shape)
{
    return shape->kind == GRAZE_SPHERE    ? shape->as.sphere.centre
           : shape->kind == GRAZE_CAPSULE ? shape->as.capsule.p
           : shape->kind == GRAZE_BOX     ? shape->as.box.centre
                                          : NULL;
}

static graze_status ask_shape(grazei_asked *job, uint32_t outer, uint32_t inner, bool *inside,
                              graze_error *error)
{
    const float *point = grazei_point_in_shape(grazei_shape_of(job->world, inner));
    return point ? ask_point(job, outer, point, inside, error) : GRAZE_OK;
}

graze_status grazei_ask_inside(grazei_asked *job, bool *inside, graze_error *error)
{
    const uint32_t both[2] = {job->a, job->b};
    graze_status status = GRAZE_OK;
    *inside = false;
    for (int k = 0; k < 2 && !*inside && !status; k++) {
        uint32_t outer = both[k], inner = both[!k];
        if (!solid_body(job->world, outer))
            continue;
        status = grazei_thing_of(job->world, inner)->body
                     ? ask_shells(job, outer, inner, inside, error)
                     : ask_shape(job, outer, inner, inside, error);
    }
    return status;
}
