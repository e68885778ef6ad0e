#include "query/agenda.h"

#include "base/status.h"

graze_status grazei_check_body(const graze_body *body, const char *name, graze_error *error)
{
    if (!body)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%s is NULL", name);
    if (grazei_model_is_destroyed(body->model))
        return grazei_fail(error, GRAZE_BAD_INPUT, "the model of %s was destroyed", name);
    return GRAZE_OK;
}
