/* The public functions for self-collision, and how their question is put. */
#include "query/self.h"

#include "base/status.h"
#include "narrow/triangle.h"

#include <math.h>
#include <string.h>

static void load_rest(const grazei_mesh *mesh, uint32_t triangle, float corners[3][3])
{
    for (size_t c = 0; c < 3; c++)
        memcpy(corners[c], mesh->positions + 3 * (size_t)mesh->triangles[3 * (size_t)triangle + c],
               sizeof corners[c]);
}

static bool boxes_apart(const float a[3][3], const float b[3][3])
{
    for (int k = 0; k < 3; k++)
        if (fmaxf(a[0][k], fmaxf(a[1][k], a[2][k])) < fminf(b[0][k], fminf(b[1][k], b[2][k])) ||
            fmaxf(b[0][k], fmaxf(b[1][k], b[2][k])) < fminf(a[0][k], fminf(a[1][k], a[2][k])))
            return true;
    return false;
}

static bool meet_at_rest(const grazei_mesh *mesh, uint32_t a, uint32_t b)
{
    float corners_a[3][3], corners_b[3][3];
    load_rest(mesh, a, corners_a);
    load_rest(mesh, b, corners_b);
    return !boxes_apart((const float(*)[3])corners_a, (const float(*)[3])corners_b) &&
           grazei_triangles_meet((const float(*)[3])corners_a, (const float(*)[3])corners_b);
}

static bool hand_on(grazei_self_question *question, const graze_pair *pairs, size_t count,
                    bool known)
{
    const grazei_mesh *mesh = grazei_body_mesh(question->base.bodies[0]);
    graze_self_pair marked[64];
    size_t marked_count = 0;
    bool go_on = true;
    for (size_t i = 0; i < count && go_on; i++) {
        bool in_order = pairs[i].a < pairs[i].b;
        graze_self_pair pair = {.a = in_order ? pairs[i].a : pairs[i].b,
                                .b = in_order ? pairs[i].b : pairs[i].a,
                                .rest = known || meet_at_rest(mesh, pairs[i].a, pairs[i].b)};
        if (pair.rest && question->which == GRAZE_SELF_NEW)
            continue;
        marked[marked_count++] = pair;
        if (question->first || marked_count == sizeof marked / sizeof *marked) {
            go_on = question->report(question->user, marked, marked_count) && !question->first;
            marked_count = 0;
        }
    }
    if (marked_count)
        go_on = question->report(question->user, marked, marked_count);
    return go_on;
}

bool grazei_self_hand_on(void *user, const graze_pair *pairs, size_t count)
{
    return hand_on(user, pairs, count, false);
}

static bool hand_on_known(void *user, const graze_pair *pairs, size_t count)
{
    return hand_on(user, pairs, count, true);
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
    question->folds = grazei_body_folds(body);
    grazei_outbox_start(&question->outbox, false, grazei_self_hand_on, question);
    grazei_outbox_start(&question->known, false, hand_on_known, question);
    question->outbox.at_once = question->known.at_once = first;
    question->batch.count = 0;
    grazei_agenda_start(agenda, false);
    grazei_body_bound(body, 0, 1, stats);
    agenda->items[agenda->count++].self = grazei_itself(0, 0);
}

graze_status grazei_check_self(const graze_body *body, graze_self_which which, bool has_report,
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
    grazei_self_begin(&question, &agenda, body, which, first, report, user, stats);
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
