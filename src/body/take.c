/* Another body in the same pose: for those who keep where a body was. */
#include "body/body.h"

#include "base/assert.h"
#include "base/status.h"

#include <string.h>

graze_status grazei_body_make_room(const graze_body *body, graze_body **like, graze_error *error)
{
    graze_status status = GRAZE_OK;
    if (!*like)
        status = body->pool ? graze_body_create_lean(body->pool, like, error)
                            : graze_body_create(body->model, like, error);
    if (!status && body->given && !grazei_body_reserve_positions(*like))
        status = grazei_fail_memory(error);
    return status;
}

void grazei_body_take_pose(graze_body *body, const graze_body *from)
{
    grazei_tell_change(body, (grazei_change){.kind = GRAZEI_TAKES_OTHERS});
    if (from->given) {
        grazei_body_take_positions(body, from->pool ? from->own_positions : from->cache.positions);
        return;
    }
    GRAZE_ASSERT(from->model == body->model && !body->users);
    grazei_body_give_back(body);
    grazei_joints_copy(&body->model->skin, &body->joints[body->current], grazei_body_joints(from));
    body->given = body->coherent = false;
    grazei_body_forget_earlier(body);
    grazei_body_count_pose(body);
    grazei_body_new_stamp(body);
    grazei_body_renew_box(body);
}
