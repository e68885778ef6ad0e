/* How the question for self-collision is put. */
#include "self/self.h"

#include "base/assert.h"
#include "base/status.h"

#include <string.h>

/* So many pairs are looked at in the rest pose at a time. */
enum { REST_PAIRS = 32 };

/* Which of up to REST_PAIRS pairs meet in the rest pose, as bits. */
static uint32_t meet_at_rest(const graze_model *model, const graze_pair *pairs, size_t count)
{
    float memory[2][GRAZEI_TRIANGLE_SET_FLOATS(REST_PAIRS)] __attribute__((aligned(64)));
    float points[3 * REST_PAIRS][4] __attribute__((aligned(64)));
    uint8_t corners[REST_PAIRS][4] = {{0}};
    uint16_t both[REST_PAIRS];
    grazei_triangle_set sets[2];
    const grazei_mesh *mesh = &model->mesh;
    const float *rest = grazei_mesh_rest(mesh);
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < count; i++)
            for (size_t c = 0; c < 3; c++) {
                uint32_t triangle = side ? pairs[i].b : pairs[i].a;
                uint32_t vertex = mesh->triangles[3 * (size_t)triangle + c];
                corners[i][c] = (uint8_t)(3 * i + c);
                memcpy(points[3 * i + c], rest + 3 * (size_t)vertex, 3 * sizeof(float));
                points[3 * i + c][3] = 0;
            }
        sets[side] = grazei_triangle_set_at(memory[side], (uint32_t)count);
        model->triangles->triangle_set((const float(*)[4])points, (const uint8_t(*)[4])corners,
                                       &sets[side]);
    }
    for (size_t i = 0; i < count; i++)
        both[i] = grazei_pair((uint32_t)i, (uint32_t)i);
    size_t unsure = 0;
    size_t hits = model->triangles->triangle_pairs(&sets[0], &sets[1], both, count, both, &unsure);
    GRAZE_ASSERT(hits <= count);
    uint32_t bits = 0;
    for (size_t i = 0; i < hits; i++)
        bits |= 1u << grazei_pair_first(both[i]);
    return bits;
}

/* Up to REST_PAIRS pairs. */
static bool hand_on_block(grazei_self_question *question, const graze_pair *marked, size_t count)
{
    graze_pair wanted[REST_PAIRS];
    graze_pair pairs[REST_PAIRS];
    uint32_t rest = 0, unknown = 0;
    GRAZE_ASSERT(count > 0 && count <= REST_PAIRS);
    for (size_t i = 0; i < count; i++) {
        uint32_t b = marked[i].b & ~(GRAZEI_MET_AT_REST | GRAZEI_REST_UNKNOWN);
        pairs[i] = (graze_pair){.a = marked[i].a, .b = b};
        rest |= (uint32_t)((marked[i].b & GRAZEI_MET_AT_REST) != 0) << i;
        unknown |= marked[i].b & GRAZEI_REST_UNKNOWN;
    }
    if (unknown)
        rest = meet_at_rest(grazei_body_model(question->base.bodies[0]), pairs, count);
    size_t wanted_count = 0;
    for (size_t i = 0; i < count; i++) {
        GRAZE_ASSERT(pairs[i].a != pairs[i].b);
        bool in_order = pairs[i].a < pairs[i].b;
        graze_pair pair = {.a = in_order ? pairs[i].a : pairs[i].b,
                           .b = in_order ? pairs[i].b : pairs[i].a,
                           .at_rest = rest >> i & 1};
        if (pair.at_rest && question->only_new)
            continue;
        wanted[wanted_count++] = pair;
        if (question->first)
            break;
    }
    return !wanted_count ||
           (question->report(question->user, wanted, wanted_count) && !question->first);
}

bool grazei_self_hand_on(void *user, const graze_pair *pairs, size_t count)
{
    bool go_on = true;
    for (size_t i = 0; i < count && go_on; i += REST_PAIRS)
        go_on = hand_on_block(user, pairs + i, count - i < REST_PAIRS ? count - i : REST_PAIRS);
    return go_on;
}

void grazei_self_begin(grazei_self_question *question, grazei_agenda *agenda, graze_body *body,
                       bool only_new, bool first, grazei_pair_fn report, void *user,
                       graze_stats *stats)
{
    question->base.run = GRAZEI_PICK(grazei_body_model(body)->isa, self_kernels)->run;
    question->base.bodies[0] = question->base.bodies[1] = body;
    question->base.body_count = 2;
    question->only_new = only_new;
    question->report = report;
    question->user = user;
    question->first = first;
    question->whole = false;
    question->between = NULL;
    question->folds = grazei_body_folds(body);
    question->table = grazei_model_folds(grazei_body_model(body));
    grazei_outbox_start(&question->outbox, false, grazei_self_hand_on, question);
    question->outbox.at_once = first;
    question->known.count = question->batch.count = 0;
    grazei_agenda_start(agenda, false);
    grazei_body_bound(body, 0, 1, stats);
    agenda->items[agenda->count++].self = grazei_itself(0, 0);
}

/* ---- between parts -------------------------------------------------------------------------- */

graze_status grazei_check_filter(const graze_body *body, const graze_part_filter *between,
                                 graze_error *error)
{
    graze_status status = GRAZEI_CHECK_RESERVED(between, "the filter", error);
    if (status)
        return status;
    uint32_t part_count = grazei_body_mesh(body)->part_count;
    if (between->part_count != part_count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the filter is of %u parts, the model has %u",
                           between->part_count, part_count);
    if (between->rows)
        return GRAZE_OK;
    if (between->pair_count && !between->pairs)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the pairs of the filter are NULL");
    for (uint32_t i = 0; i < between->pair_count; i++)
        if (!between->pairs[i].a || !between->pairs[i].b)
            return grazei_fail(error, GRAZE_BAD_INPUT, "a set of pair %u is NULL", i);
    return GRAZE_OK;
}
