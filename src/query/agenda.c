#include "query/agenda.h"

#include "base/status.h"

graze_status grazei_check_body(const graze_body *body, const char *name, graze_error *error)
{
    if (!body)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%s is NULL", name);
    return GRAZE_OK;
}

graze_status grazei_check_pair(const graze_body *a, const graze_body *b, graze_error *error)
{
    graze_status status = grazei_check_body(a, "body a", error);
    if (!status)
        status = grazei_check_body(b, "body b", error);
    if (!status && a == b)
        status = grazei_fail(error, GRAZE_BAD_INPUT, "a and b are the same body");
    return status;
}

void grazei_add_stats(graze_stats *to, const graze_stats *from)
{
    to->nodes_refit += from->nodes_refit;
    to->nodes_enlarged += from->nodes_enlarged;
    to->bound_tests += from->bound_tests;
    to->patches_posed += from->patches_posed;
    to->vertices_posed += from->vertices_posed;
    to->triangle_tests += from->triangle_tests;
}
