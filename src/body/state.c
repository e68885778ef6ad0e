/* What was set of a body, so that another one can be made to stand in the same way. */
#include "body/mask.h"

grazei_standing grazei_body_standing(const graze_body *body)
{
    grazei_standing standing = {.mask = grazei_body_mask(body), .begun = body->pose_count > 0};
    if (body->given)
        standing.positions =
            (const float(*)[4])(body->pool ? body->own_positions : body->cache.positions);
    else
        standing.weights = grazei_body_joints(body)->morph_weights;
    return standing;
}

/* Blended joints are kept as they came. In the maps of others the linear part of the placement is
 * folded in, and its translation is what is left of it.
 */
void grazei_body_matrix(const graze_body *body, uint32_t joint, float rows[12])
{
    const grazei_joints *joints = grazei_body_joints(body);
    f4_map map = {{f4_set(1, 0, 0, 0), f4_set(0, 1, 0, 0), f4_set(0, 0, 1, 0), f4_zero()}};
    GRAZE_ASSERT(!body->given && joint <= body->model->mesh.joint_count);
    if (joint < body->model->mesh.joint_count) {
        map = joints->given ? joints->given[joint] : joints->maps[joint];
    } else {
        if (joints->placed)
            map = joints->place;
        map.c[3] = joints->translation;
    }
    for (int i = 0; i < 12; i++)
        rows[i] = map.c[i % 4][i / 4];
}
