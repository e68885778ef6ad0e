#include "base/memory.h"
#include "base/status.h"
#include "body/body.h"

#include <graze/freeze.h>

/* The def of what the body looks like now; without influences every vertex follows one joint. */
static graze_model_def frozen_def(const graze_model *model, const float *positions)
{
    const grazei_mesh *mesh = &model->mesh;
    graze_model_def def = graze_default_model_def();
    def.allocator = &model->allocator;
    def.positions = positions;
    def.vertex_count = mesh->vertex_count;
    def.triangles = mesh->triangles;
    def.triangle_count = mesh->triangle_count;
    def.joint_count = 1;
    def.vertex_groups = mesh->vertex_groups;
    def.triangle_groups = mesh->triangle_groups;
    def.group_count = mesh->group_count;
    def.isa = model->isa;
    return def;
}

graze_status graze_body_freeze(graze_body *body, graze_model **model, graze_error *error)
{
    if (!body)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the body is NULL");
    const graze_model *own = body->model;
    if (grazei_model_is_destroyed(own))
        return grazei_fail(error, GRAZE_BAD_INPUT, "the body's model was destroyed");
    float *positions = GRAZEI_ALLOCATE(&own->allocator, 3 * (size_t)own->mesh.vertex_count, float);
    if (!positions)
        return grazei_fail_memory(error);
    graze_body_get_positions(body, positions);
    graze_model_def def = frozen_def(own, positions);
    graze_status status = grazei_model_make(&def, own, model, error);
    grazei_release(&own->allocator, positions);
    return status;
}
