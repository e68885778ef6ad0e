/* The core as web/graze calls it: models and bodies by address, arrays by address, answers in one
 * place that web_answer tells. Numbers of a call come in the types of WebAssembly, so every
 * function here takes pointers, 32-bit integers, floats and doubles only. Calls that can fail
 * return a graze_status, or a null pointer; web_error_text then says why.
 */
#include "module.h"

#include <stdlib.h>
#include <string.h>

void (*web_adjust_model)(graze_model_def *def);

WEB_EXPORT(version) const char *web_version(void)
{
    return graze_version();
}

static void to_rows(float *matrices, uint32_t count)
{
    for (uint32_t j = 0; j < count; j++) {
        float columns[16];
        memcpy(columns, matrices + (size_t)16 * j, sizeof columns);
        for (uint32_t i = 0; i < 12; i++)
            matrices[(size_t)12 * j + i] = columns[i % 4 * 4 + i / 4];
    }
}

/* joints and weights hold influences entries a vertex, or are null: all follow joint 0. morphs
 * holds morph_count fields of 3 floats a vertex, one behind the other. groups holds a number below
 * part_count for each triangle, or is null: by joints. same_joints and rest_weights may be null,
 * and rest_matrices, columns of which rows are made in place.
 */
WEB_EXPORT(model_create)
graze_model *web_model_create(const float *positions, uint32_t vertex_count,
                              const uint32_t *triangles, uint32_t triangle_count,
                              uint32_t joint_count, const uint32_t *joints, const float *weights,
                              uint32_t influences, const float *morphs, uint32_t morph_count,
                              const uint32_t *groups, uint32_t part_count, graze_skinning skinning,
                              const uint32_t *same_joints, float *rest_matrices,
                              const float *rest_weights)
{
    graze_model *model = NULL;
    graze_skin_layout layout = {.joints = joints,
                                .joint_type = GRAZE_UINT32,
                                .weights = weights,
                                .weight_type = GRAZE_FLOAT,
                                .per_vertex = influences};
    graze_morph_target *targets = malloc((morph_count + (size_t)1) * sizeof *targets);
    if (!targets) {
        web_out_of_memory();
        return NULL;
    }
    for (uint32_t i = 0; i < morph_count; i++)
        targets[i] = (graze_morph_target){.deltas = morphs + (size_t)i * 3 * vertex_count,
                                          .count = vertex_count};
    graze_model_def def = {0};
    def.positions = positions;
    def.vertex_count = vertex_count;
    def.triangles = triangles;
    def.triangle_count = triangle_count;
    def.joint_count = joint_count;
    def.skin_layouts = joints ? &layout : NULL;
    def.skin_layout_count = joints ? 1 : 0;
    def.skinning = skinning;
    def.same_joints = same_joints;
    def.rest_matrices = rest_matrices;
    def.rest_weights = rest_weights;
    if (rest_matrices)
        to_rows(rest_matrices, joint_count);
    def.morphs = targets;
    def.morph_count = morph_count;
    def.triangle_parts = groups;
    def.part_count = part_count;
    if (web_adjust_model)
        web_adjust_model(&def);
    graze_model_create(&def, &model, &web_error);
    free(targets);
    return model;
}

WEB_EXPORT(model_destroy) void web_model_destroy(graze_model *model)
{
    graze_model_destroy(model);
}

WEB_EXPORT(body_create) graze_body *web_body_create(const graze_model *model)
{
    graze_body *body = NULL;
    graze_body_create(model, &body, &web_error);
    return body;
}

WEB_EXPORT(body_destroy) void web_body_destroy(graze_body *body)
{
    graze_body_destroy(body);
}

/* Matrices are four columns of four floats; placement and weights may be null. */
WEB_EXPORT(set_pose)
graze_status web_set_pose(graze_body *body, const float *joints, uint32_t joint_count,
                          const float *placement, const float *weights, uint32_t weight_count)
{
    graze_pose pose = {.joints = joints,
                       .joint_count = joint_count,
                       .layout = GRAZE_COLUMNS_4X4,
                       .placement = placement,
                       .morph_weights = weights,
                       .morph_count = weight_count};
    return graze_body_set_pose(body, &pose, &web_error);
}

WEB_EXPORT(set_positions)
graze_status web_set_positions(graze_body *body, const float *positions, uint32_t vertex_count)
{
    return graze_body_set_positions(body, positions, 0, vertex_count, &web_error);
}

WEB_EXPORT(set_groups)
graze_status web_set_groups(graze_body *body, const uint32_t *bits, uint32_t part_count)
{
    return graze_body_set_part_mask(body, bits, part_count, &web_error);
}

WEB_EXPORT(get_positions) void web_get_positions(graze_body *body, float *positions)
{
    graze_body_get_positions(body, positions);
}
