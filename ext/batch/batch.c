/* Making a batch, and what its calls have to be given. */
#include "batch/batch.h"

#include "base/memory.h"
#include "base/status.h"
#include "model/model.h"

static graze_status make_body(graze_pose_batch *batch, const uint32_t *mask, uint32_t i,
                              graze_error *error)
{
    const graze_model *model = batch->models[i % 2];
    if (!model)
        return GRAZE_OK;
    graze_status status = graze_body_create(model, &batch->bodies[i], error);
    if (!status && mask)
        status = graze_body_set_part_mask(batch->bodies[i], mask,
                                          graze_model_get_info(model).part_count, error);
    return status;
}

static graze_status check_def(const graze_pose_batch_def *def, graze_error *error)
{
    graze_status status = grazei_check_pointer(def, "the def", error);
    if (!status)
        status = GRAZEI_CHECK_RESERVED(def, "the def", error);
    if (!status)
        status = grazei_check_pointer(def->model, "the model", error);
    if (!status && !def->other && def->other_part_mask)
        status = grazei_fail(error, GRAZE_BAD_INPUT, "a part mask for another model, but no model");
    return status;
}

graze_status graze_pose_batch_create(const graze_pose_batch_def *def, graze_pose_batch **batch,
                                     graze_error *error)
{
    graze_status status = check_def(def, error);
    if (!status)
        status = grazei_check_pointer(batch, "where the batch goes", error);
    if (status)
        return status;
    const graze_allocator allocator = def->model->allocator;
    graze_pose_batch *made = GRAZEI_ALLOCATE_ZERO(&allocator, 1, graze_pose_batch);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = allocator;
    made->pool = def->pool;
    made->models[0] = def->model;
    made->models[1] = def->other;
    made->threads = graze_pool_threads(def->pool);
    made->bodies = GRAZEI_ALLOCATE_ZERO(&allocator, 2 * (size_t)made->threads, graze_body *);
    made->tallies = GRAZEI_ALLOCATE_ZERO(&allocator, made->threads, grazei_pose_tally);
    if (!made->bodies || !made->tallies)
        status = grazei_fail_memory(error);
    for (uint32_t i = 0; !status && i < 2 * made->threads; i++)
        status = make_body(made, i % 2 ? def->other_part_mask : def->part_mask, i, error);
    if (status)
        graze_pose_batch_destroy(made);
    else
        *batch = made;
    return status;
}

void graze_pose_batch_destroy(graze_pose_batch *batch)
{
    if (!batch)
        return;
    for (uint32_t i = 0; batch->bodies && i < 2 * batch->threads; i++)
        graze_body_destroy(batch->bodies[i]);
    const graze_allocator allocator = batch->allocator;
    grazei_release(&allocator, batch->tallies);
    grazei_release(&allocator, batch->bodies);
    grazei_release(&allocator, batch);
}

/* An array that is there has the model's size, and does not wrap around. */
static graze_status check_array(const void *array, uint32_t given, uint32_t needed, size_t floats,
                                const char *name, const char *what, size_t count,
                                graze_error *error)
{
    if (!array)
        return GRAZE_OK;
    if (given != needed)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%s have %u %s, the model %u", name, given, what,
                           needed);
    if (!needed)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%s have %s, the model has none", name, what);
    if (count > SIZE_MAX / sizeof(float) / floats / needed)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%s: %zu are too many", name, count);
    return GRAZE_OK;
}

graze_status grazei_check_poses(const graze_model *model, const graze_pose_set *poses,
                                const char *name, graze_error *error)
{
    graze_status status = grazei_check_pointer(poses, name, error);
    if (!status)
        status = GRAZEI_CHECK_RESERVED(poses, name, error);
    if (status)
        return status;
    const graze_model_info info = graze_model_get_info(model);
    const bool posed = poses->joints || poses->placements || poses->morph_weights;
    if (poses->positions && posed)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "%s have positions, and joints, placements or morph weights", name);
    if (poses->count && !poses->positions && !posed)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%s have nothing but a count", name);
    const struct {
        const void *array;
        uint32_t given, needed;
        size_t floats;
        const char *what;
    } arrays[] = {{poses->joints, poses->joint_count, info.joint_count, 12, "joints"},
                  {poses->placements, 1, 1, 12, "placements"},
                  {poses->morph_weights, poses->morph_count, info.morph_count, 1, "morph weights"},
                  {poses->positions, poses->vertex_count, info.vertex_count, 3, "vertices"}};
    for (size_t i = 0; !status && i < sizeof arrays / sizeof *arrays; i++)
        status = check_array(arrays[i].array, arrays[i].given, arrays[i].needed, arrays[i].floats,
                             name, arrays[i].what, poses->count, error);
    return status;
}

graze_status grazei_take_pose(graze_body *body, const graze_pose_set *poses, size_t n,
                              graze_error *error)
{
    if (poses->positions)
        return graze_body_set_positions(body,
                                        poses->positions + 3 * (size_t)poses->vertex_count * n, 0,
                                        poses->vertex_count, error);
    graze_pose pose = {0};
    if (poses->joints) {
        pose.joints = poses->joints + 12 * (size_t)poses->joint_count * n;
        pose.joint_count = poses->joint_count;
    }
    if (poses->placements)
        pose.placement = poses->placements + 12 * n;
    if (poses->morph_weights) {
        pose.morph_weights = poses->morph_weights + (size_t)poses->morph_count * n;
        pose.morph_count = poses->morph_count;
    }
    return graze_body_set_pose(body, &pose, error);
}
