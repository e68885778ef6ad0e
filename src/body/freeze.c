#include "base/memory.h"
#include "base/status.h"
#include "body/body.h"

#include <graze/freeze.h>

graze_status graze_body_freeze(graze_body *body, graze_model **model, graze_error *error)
{
    if (!body)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the body is NULL");
    const graze_model *own = body->model;
    float *positions = GRAZEI_ALLOCATE(&own->allocator, 3 * (size_t)own->mesh.vertex_count, float);
    if (!positions)
        return grazei_fail_memory(error);
    graze_body_get_positions(body, positions);
    graze_status status = grazei_model_freeze(own, positions, model, error);
    grazei_release(&own->allocator, positions);
    return status;
}
