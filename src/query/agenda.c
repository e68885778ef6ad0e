#include "query/agenda.h"

#include "base/assert.h"
#include "base/status.h"
#include "math/rounding.h"

void grazei_enter(graze_body *const *bodies, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        grazei_body_enter(bodies[i]);
}

void grazei_leave(graze_body *const *bodies, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        grazei_body_leave(bodies[i]);
}

graze_status grazei_agenda_validate(const grazei_agenda *agenda, const grazei_question *question,
                                    graze_error *error)
{
    uint32_t nodes = grazei_body_tree(question->bodies[0])->node_count;
    GRAZEI_EXPECT(agenda->count <= GRAZEI_AGENDA_ITEMS, error, "the agenda has %u items",
                  agenda->count);
    for (uint32_t i = 0; i < agenda->count; i++) {
        GRAZEI_EXPECT(agenda->items[i].node < nodes, error, "item %u is of node %u of %u", i,
                      agenda->items[i].node, nodes);
        GRAZEI_EXPECT(!agenda->keyed || !isnan(agenda->keys[i]), error, "item %u has no key", i);
    }
    return GRAZE_OK;
}

void grazei_run(grazei_question *question, grazei_agenda *agenda, graze_stats *stats)
{
    if (!agenda->count)
        return;
    grazei_enter(question->bodies, question->body_count);
    GRAZE_ASSERT(question->body_count > 0 && question->body_count <= 4);
    GRAZE_ASSERT(!grazei_agenda_validate(agenda, question, NULL));
    question->run(question, agenda, stats);
    GRAZE_ASSERT(!grazei_agenda_validate(agenda, question, NULL));
    grazei_leave(question->bodies, question->body_count);
}

graze_status grazei_check_given(bool given, const char *name, graze_error *error)
{
    return given ? GRAZE_OK : grazei_fail(error, GRAZE_BAD_INPUT, "%s is NULL", name);
}

graze_status grazei_check_outside(const graze_body *body, const char *name, graze_error *error)
{
    graze_status status = grazei_check_pointer(body, name, error);
    return status ? status : grazei_check_rounding(error);
}

graze_status grazei_check_body(graze_body *body, const char *name, graze_error *error)
{
    graze_status status = grazei_check_outside(body, name, error);
    return status ? status : grazei_body_ready(body, error);
}

graze_status grazei_check_pair_outside(const graze_body *a, const graze_body *b, graze_error *error)
{
    graze_status status = grazei_check_pointer(a, "body a", error);
    if (!status)
        status = grazei_check_outside(b, "body b", error);
    if (!status && a == b)
        status = grazei_fail(error, GRAZE_BAD_INPUT, "a and b are the same body");
    return status;
}

graze_status grazei_check_pair(graze_body *a, graze_body *b, graze_error *error)
{
    graze_status status = grazei_check_pair_outside(a, b, error);
    if (!status)
        status = grazei_body_ready(a, error);
    return status ? status : grazei_body_ready(b, error);
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
