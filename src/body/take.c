/* Another body in the same pose: for those who keep where a body was. */
#include "body/body.h"

#include "base/status.h"

#include <string.h>

graze_status grazei_body_make_like(const graze_body *body, graze_body **made, graze_error *error)
{
    return body->pool ? graze_body_create_lean(body->pool, made, error)
                      : graze_body_create(body->model, made, error);
}

/* What is found on demand of joint-sets is left out: a new epoch makes it old. */
static void start_epoch(const graze_model *model, grazei_joints *joints, uint32_t epoch)
{
    joints->epoch = epoch + 2;
    if (joints->epoch)
        return;
    if (joints->made)
        atomic_store_explicit(&joints->made->mark, 0, memory_order_relaxed);
    for (uint32_t s = 0; joints->set_poses && s < model->mesh.set_count; s++)
        atomic_store_explicit(&joints->set_poses[s].mark, 0, memory_order_relaxed);
    if (joints->pair_poses)
        atomic_store_explicit(&joints->pair_poses->mark, 0, memory_order_relaxed);
    joints->epoch = 2;
}

static void copy_array(void *to, const void *from, size_t count, size_t size)
{
    if (to)
        memcpy(to, from, count * size);
}

/* Nor is what was put off copied: it is made of the maps that came, as it was or will be there. */
static void copy_joints(const graze_model *model, grazei_joints *to, const grazei_joints *from)
{
    const grazei_joints own = *to;
    size_t count = model->mesh.joint_count;
    *to = *from;
    to->maps = own.maps;
    to->stretch = own.stretch;
    to->morph_weights = own.morph_weights;
    to->rotations = own.rotations;
    to->duals = own.duals;
    to->given = own.given;
    to->scales = own.scales;
    to->scale_stretch = own.scale_stretch;
    to->made = own.made;
    to->set_poses = own.set_poses;
    to->set_images = own.set_images;
    to->pair_poses = own.pair_poses;
    copy_array(to->stretch, from->stretch, count, sizeof *to->stretch);
    copy_array(to->morph_weights, from->morph_weights, model->mesh.morph_count,
               sizeof *to->morph_weights);
    copy_array(to->given, from->given, count, sizeof *to->given);
    if (!to->put_off) {
        copy_array(to->maps, from->maps, count, sizeof *to->maps);
        copy_array(to->rotations, from->rotations, count, sizeof *to->rotations);
        copy_array(to->duals, from->duals, count, sizeof *to->duals);
        if (to->made)
            to->made->rigid_error = from->made->rigid_error;
    }
    copy_array(to->scales, from->scales, count, sizeof *to->scales);
    copy_array(to->scale_stretch, from->scale_stretch, count, sizeof *to->scale_stretch);
    start_epoch(model, to, own.epoch);
}

graze_status grazei_body_take_pose(graze_body *body, const graze_body *from, graze_error *error)
{
    const graze_model *model = body->model;
    if (from->given) {
        const float(*positions)[4] =
            (const float(*)[4])(from->pool ? from->own_positions : from->cache.positions);
        return graze_body_set_positions(body, positions[0], sizeof *positions,
                                        model->mesh.vertex_count, error);
    }
    grazei_body_give_back(body);
    copy_joints(model, &body->joints[body->current], grazei_body_joints(from));
    body->given = body->coherent = false;
    grazei_body_forget_earlier(body);
    body->pose_count++;
    grazei_body_new_stamp(body);
    grazei_body_renew_box(body);
    return GRAZE_OK;
}
