/* The rest pose of models that do more than blend maps. */
#include "model/model.h"

#include "base/status.h"
#include "mesh/rest.h"

#include <string.h>

/* As many vertices are posed at a time. */
enum { CHUNK = 64 };

static void pose_chunk(graze_model *model, const grazei_joints *joints, uint32_t first,
                       uint32_t count)
{
    float from[CHUNK][4] __attribute__((aligned(64))), to[CHUNK][4] __attribute__((aligned(64)));
    uint32_t vertices[CHUNK];
    for (uint32_t i = 0; i < count; i++) {
        vertices[i] = first + i;
        grazei_rest_morphed(&model->mesh, first + i, from[i]);
        from[i][3] = 0;
    }
    model->deformer->pose_chosen(&model->skin, joints, vertices, count, (const float(*)[4])from,
                                 to);
    for (uint32_t i = 0; i < count; i++)
        memcpy(model->mesh.rest_positions + 3 * (size_t)(first + i), to[i], 3 * sizeof(float));
}

graze_status grazei_model_pose_rest(graze_model *model, graze_error *error)
{
    const grazei_mesh *mesh = &model->mesh;
    if (!mesh->rest_positions || model->deformer->blends_maps)
        return GRAZE_OK;
    grazei_joints joints = {0};
    grazei_pose_input input = {.joint_count = mesh->joint_count,
                               .matrices = mesh->rest_matrices,
                               .step = 12,
                               .rows = true,
                               .at_once = true,
                               .morph_weights = mesh->rest_weights};
    graze_status status = GRAZE_OK;
    if (!grazei_joints_allocate(&model->skin, &joints, &model->allocator))
        status = grazei_fail_memory(error);
    else if (!model->deformer->prepare(&model->skin, &joints, &input))
        status = grazei_fail(error, GRAZE_BAD_INPUT,
                             "the rest pose is not finite, or takes vertices beyond 1e18");
    for (uint32_t v = 0; !status && v < mesh->vertex_count; v += CHUNK)
        pose_chunk(model, &joints, v,
                   mesh->vertex_count - v < CHUNK ? mesh->vertex_count - v : CHUNK);
    grazei_joints_release(&joints, &model->allocator);
    return status;
}
