#include "query/self.h"

#include "base/status.h"
#include "mesh/weld.h"
#include "narrow/triangle.h"

#include <string.h>

static void load_corners(const float *positions, size_t stride, const uint32_t *vertices,
                         float corners[3][3])
{
    for (int c = 0; c < 3; c++)
        memcpy(corners[c], positions + stride * vertices[c], sizeof corners[c]);
}

static bool meet_at_rest(const grazei_mesh *mesh, uint32_t a, uint32_t b)
{
    float corners_a[3][3], corners_b[3][3];
    load_corners(mesh->positions, 3, mesh->triangles + 3 * (size_t)a, corners_a);
    load_corners(mesh->positions, 3, mesh->triangles + 3 * (size_t)b, corners_b);
    return grazei_triangles_meet((const float(*)[3])corners_a, (const float(*)[3])corners_b);
}

/* A graze_pair_fn: puts pairs in order, marks them, and hands on those that are wanted. */
static bool hand_on(void *user, const graze_pair *pairs, size_t count)
{
    grazei_self_question *question = user;
    const grazei_mesh *mesh = &question->base.bodies[0]->model->mesh;
    graze_self_pair marked[64];
    size_t marked_count = 0;
    bool go_on = true;
    for (size_t i = 0; i < count && go_on; i++) {
        bool in_order = pairs[i].a < pairs[i].b;
        graze_self_pair pair = {.a = in_order ? pairs[i].a : pairs[i].b,
                                .b = in_order ? pairs[i].b : pairs[i].a,
                                .rest = meet_at_rest(mesh, pairs[i].a, pairs[i].b)};
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

void grazei_self_begin(grazei_self_question *question, grazei_agenda *agenda, graze_body *body,
                       graze_self_which which, bool first, graze_self_fn report, void *user,
                       graze_stats *stats)
{
    question->base.run = GRAZEI_PICK(body->model->isa, self_kernels)->run;
    question->base.bodies[0] = question->base.bodies[1] = body;
    question->base.body_count = 2;
    question->which = which;
    question->report = report;
    question->user = user;
    question->first = first;
    question->skips = body->fold_pairs != NULL;
    if (question->skips)
        question->pose = grazei_folds_pose(&body->model->folds, &body->model->skin,
                                           grazei_body_joints(body), body->fold_pairs);
    grazei_outbox_start(&question->outbox, false, hand_on, question);
    question->outbox.at_once = first;
    question->batch.count = 0;
    grazei_agenda_start(agenda, false);
    grazei_body_bound(body, 0, 1, stats);
    agenda->items[agenda->count++] = (grazei_item){{0, GRAZEI_SELF_ITEM | 0}};
}

graze_status grazei_check_self(const graze_body *body, graze_self_which which, graze_error *error)
{
    if (which != GRAZE_SELF_ALL && which != GRAZE_SELF_NEW)
        return grazei_fail(error, GRAZE_BAD_INPUT, "there is no kind of self pairs %d", (int)which);
    return grazei_check_body(body, "the body", error);
}

static void collide_self(graze_body *body, graze_self_which which, bool first, bool skips,
                         graze_self_fn report, void *user, graze_stats *stats)
{
    grazei_self_question question;
    grazei_agenda agenda;
    graze_stats unwanted = {0};
    stats = stats ? stats : &unwanted;
    grazei_self_begin(&question, &agenda, body, which, first, report, user, stats);
    question.skips &= skips;
    question.base.run(&question.base, &agenda, stats);
}

graze_status graze_collide_self(graze_body *body, graze_self_which which, graze_self_fn report,
                                void *user, graze_stats *stats, graze_error *error)
{
    graze_status status = grazei_check_self(body, which, error);
    if (!status)
        collide_self(body, which, false, true, report, user, stats);
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
    graze_status status = grazei_check_self(body, which, error);
    if (status)
        return status;
    first_pair first = {.found = false};
    collide_self(body, which, true, true, keep_first, &first, stats);
    *hit = first.found;
    if (first.found && pair)
        *pair = first.pair;
    return GRAZE_OK;
}

graze_status graze_collide_self_eager(graze_body *body, graze_self_which which,
                                      graze_self_fn report, void *user, graze_stats *stats,
                                      graze_error *error)
{
    graze_status status = grazei_check_self(body, which, error);
    if (status)
        return status;
    graze_body_refit_all(body);
    if (stats) {
        stats->vertices_posed += body->model->mesh.vertex_count;
        stats->nodes_refit += body->model->tree.node_count;
    }
    collide_self(body, which, false, false, report, user, stats);
    return GRAZE_OK;
}

/* Whether the boxes of two posed triangles overlap. */
static bool boxes_overlap(float (*a)[3], float (*b)[3])
{
    for (int axis = 0; axis < 3; axis++) {
        float low_a = f1_min(a[0][axis], f1_min(a[1][axis], a[2][axis]));
        float low_b = f1_min(b[0][axis], f1_min(b[1][axis], b[2][axis]));
        float high_a = f1_max(a[0][axis], f1_max(a[1][axis], a[2][axis]));
        float high_b = f1_max(b[0][axis], f1_max(b[1][axis], b[2][axis]));
        if (high_a < low_b || high_b < low_a)
            return false;
    }
    return true;
}

graze_status graze_collide_self_brute(graze_body *body, graze_self_which which,
                                      graze_self_fn report, void *user, graze_stats *stats,
                                      graze_error *error)
{
    graze_status status = grazei_check_self(body, which, error);
    if (status)
        return status;
    const grazei_mesh *mesh = &body->model->mesh;
    grazei_self_question question = {.which = which, .report = report, .user = user};
    question.base.bodies[0] = body;
    grazei_body_pose_all(body);
    const float *positions = body->positions[0];
    for (uint32_t a = 0; a < mesh->triangle_count; a++) {
        float corners_a[3][3], corners_b[3][3];
        load_corners(positions, 4, mesh->triangles + 3 * (size_t)a, corners_a);
        for (uint32_t b = a + 1; b < mesh->triangle_count; b++) {
            load_corners(positions, 4, mesh->triangles + 3 * (size_t)b, corners_b);
            if (!boxes_overlap(corners_a, corners_b) || grazei_are_neighbours(mesh, a, b))
                continue;
            if (stats)
                stats->triangle_tests++;
            graze_pair pair = {a, b};
            if (grazei_triangles_meet((const float(*)[3])corners_a, (const float(*)[3])corners_b) &&
                !hand_on(&question, &pair, 1))
                return GRAZE_OK;
        }
    }
    return GRAZE_OK;
}
