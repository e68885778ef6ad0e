/* The public functions for self-collision, and how their question is put. */
#include "query/self.h"

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
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < count; i++)
            for (size_t c = 0; c < 3; c++) {
                uint32_t triangle = side ? pairs[i].b : pairs[i].a;
                uint32_t vertex = mesh->triangles[3 * (size_t)triangle + c];
                corners[i][c] = (uint8_t)(3 * i + c);
                memcpy(points[3 * i + c], mesh->positions + 3 * (size_t)vertex, 3 * sizeof(float));
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
    uint32_t bits = 0;
    for (size_t i = 0; i < hits; i++)
        bits |= 1u << grazei_pair_first(both[i]);
    return bits;
}

/* Up to REST_PAIRS pairs. */
static bool hand_on_block(grazei_self_question *question, const graze_pair *marked, size_t count)
{
    graze_self_pair wanted[REST_PAIRS];
    graze_pair pairs[REST_PAIRS];
    uint32_t rest = 0, unknown = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t b = marked[i].b & ~(GRAZEI_MET_AT_REST | GRAZEI_REST_UNKNOWN);
        pairs[i] = (graze_pair){marked[i].a, b};
        rest |= (uint32_t)((marked[i].b & GRAZEI_MET_AT_REST) != 0) << i;
        unknown |= marked[i].b & GRAZEI_REST_UNKNOWN;
    }
    if (unknown)
        rest = meet_at_rest(grazei_body_model(question->base.bodies[0]), pairs, count);
    size_t wanted_count = 0;
    for (size_t i = 0; i < count; i++) {
        bool in_order = pairs[i].a < pairs[i].b;
        graze_self_pair pair = {.a = in_order ? pairs[i].a : pairs[i].b,
                                .b = in_order ? pairs[i].b : pairs[i].a,
                                .rest = rest >> i & 1};
        if (pair.rest && question->which == GRAZE_SELF_NEW)
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
                       graze_self_which which, bool first, graze_self_fn report, void *user,
                       graze_stats *stats)
{
    question->base.run = GRAZEI_PICK(grazei_body_model(body)->isa, self_kernels)->run;
    question->base.bodies[0] = question->base.bodies[1] = body;
    question->base.body_count = 2;
    question->which = which;
    question->report = report;
    question->user = user;
    question->first = first;
    question->whole = false;
    question->between = NULL;
    question->folds = grazei_body_folds(body);
    grazei_outbox_start(&question->outbox, false, grazei_self_hand_on, question);
    question->outbox.at_once = first;
    question->known.count = question->batch.count = 0;
    grazei_agenda_start(agenda, false);
    grazei_body_bound(body, 0, 1, stats);
    agenda->items[agenda->count++].self = grazei_itself(0, 0);
}

graze_status grazei_check_self(graze_body *body, graze_self_which which, bool has_report,
                               graze_error *error)
{
    if (which != GRAZE_SELF_ALL && which != GRAZE_SELF_NEW)
        return grazei_fail(error, GRAZE_BAD_INPUT, "there is no kind of self pairs %d", (int)which);
    graze_status status = grazei_check_body(body, "the body", error);
    return status ? status : grazei_check_given(has_report, "report", error);
}

void grazei_collide_self(graze_body *body, graze_self_which which, bool first, bool skips,
                         graze_self_fn report, void *user, graze_stats *stats)
{
    grazei_self_question question;
    grazei_agenda agenda;
    graze_stats unwanted = {0};
    stats = stats ? stats : &unwanted;
    if (skips && !first)
        grazei_body_sum_folds(body);
    grazei_self_begin(&question, &agenda, body, which, first, report, user, stats);
    question.whole = true;
    if (!skips)
        question.folds = NULL;
    grazei_run(&question.base, &agenda, stats);
}

graze_status graze_collide_self(graze_body *body, graze_self_which which, graze_self_fn report,
                                void *user, graze_stats *stats, graze_error *error)
{
    graze_status status = grazei_check_self(body, which, report != NULL, error);
    if (!status)
        grazei_collide_self(body, which, false, true, report, user, stats);
    return status;
}

typedef struct first_pair {
    graze_self_pair pair;
    bool found;
} first_pair;

static bool keep_first(void *user, const graze_self_pair *pairs, size_t count)
{
    first_pair *first = user;
    (void)count;
    first->pair = pairs[0];
    first->found = true;
    return false;
}

graze_status graze_collide_self_first(graze_body *body, graze_self_which which, bool *hit,
                                      graze_self_pair *pair, graze_stats *stats, graze_error *error)
{
    graze_status status = grazei_check_self(body, which, true, error);
    if (!status)
        status = grazei_check_given(hit != NULL, "hit", error);
    if (status)
        return status;
    first_pair first = {.found = false};
    grazei_collide_self(body, which, true, true, keep_first, &first, stats);
    *hit = first.found;
    if (first.found && pair)
        *pair = first.pair;
    return GRAZE_OK;
}

/* ---- between parts -------------------------------------------------------------------------- */

static graze_status check_between(const graze_body *body, const graze_self_between *between,
                                  graze_error *error)
{
    graze_status status = grazei_check_given(between != NULL, "between", error);
    if (status)
        return status;
    uint32_t group_count = grazei_body_mesh(body)->group_count;
    if (between->group_count != group_count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the masks are of %u groups, the model has %u",
                           between->group_count, group_count);
    if (between->rows)
        return GRAZE_OK;
    if (between->pair_count && !between->pairs)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the pairs of masks are NULL");
    for (uint32_t i = 0; i < between->pair_count; i++)
        if (!between->pairs[i].a || !between->pairs[i].b)
            return grazei_fail(error, GRAZE_BAD_INPUT, "a mask of pair %u is NULL", i);
    return GRAZE_OK;
}

static void collide_between(graze_body *body, graze_self_which which,
                            const graze_self_between *between, bool first, graze_self_fn report,
                            void *user, graze_stats *stats)
{
    grazei_self_question question;
    grazei_agenda agenda;
    graze_stats unwanted = {0};
    stats = stats ? stats : &unwanted;
    grazei_self_begin(&question, &agenda, body, which, first, report, user, stats);
    question.between = between;
    grazei_run(&question.base, &agenda, stats);
}

graze_status graze_collide_self_between(graze_body *body, graze_self_which which,
                                        const graze_self_between *between, graze_self_fn report,
                                        void *user, graze_stats *stats, graze_error *error)
{
    graze_status status = grazei_check_self(body, which, report != NULL, error);
    if (!status)
        status = check_between(body, between, error);
    if (!status)
        collide_between(body, which, between, false, report, user, stats);
    return status;
}

graze_status graze_collide_self_between_first(graze_body *body, graze_self_which which,
                                              const graze_self_between *between, bool *hit,
                                              graze_self_pair *pair, graze_stats *stats,
                                              graze_error *error)
{
    graze_status status = grazei_check_self(body, which, true, error);
    if (!status)
        status = check_between(body, between, error);
    if (!status)
        status = grazei_check_given(hit != NULL, "hit", error);
    if (status)
        return status;
    first_pair first = {.found = false};
    collide_between(body, which, between, true, keep_first, &first, stats);
    *hit = first.found;
    if (first.found && pair)
        *pair = first.pair;
    return GRAZE_OK;
}
