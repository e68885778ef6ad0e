/* A tree walked against a shape, as in shapes.c, down to the contacts of its triangles. */
#include <graze/shape_contact.h>

#include "base/status.h"
#include "body/patches.h"
#include "narrow/shape_contact.h"
#include "query/shapes.h"

#include <math.h>

#define BATCH 64

typedef struct contact_question {
    grazei_question base;
    grazei_shape shape;
    graze_shape_contact_fn report;
    void *user;
    bool stopped;
    uint32_t count;
    graze_shape_contact contacts[BATCH]; /* on their way to the caller */
} contact_question;

static void flush(contact_question *q)
{
    if (q->count && !q->stopped && !q->report(q->user, q->contacts, q->count))
        q->stopped = true;
    q->count = 0;
}

static graze_shape_contact round_to_float(const grazei_shape_contact *from, const double origin[3])
{
    graze_shape_contact to = {.depth = (float)from->depth};
    for (int k = 0; k < 3; k++) {
        to.point[k] = (float)(origin[k] + from->point[k]);
        to.normal[k] = (float)from->normal[k];
    }
    return to;
}

static void meet_leaf(contact_question *q, const grazei_view *view, uint32_t leaf,
                      graze_stats *stats)
{
    uint32_t codes[GRAZEI_MAX_PATCH_VERTICES];
    grazei_posed_patch patch = grazei_view_leaf(view, leaf, stats);
    grazei_shape_codes(&q->shape, patch.points, patch.point_count, codes);
    stats->triangle_tests += patch.triangle_count;
    for (uint32_t t = 0; t < patch.triangle_count && !q->stopped; t++) {
        const uint8_t *local = patch.corners[t];
        const float *const corners[3] = {patch.points[local[0]], patch.points[local[1]],
                                         patch.points[local[2]]};
        const uint32_t own[3] = {codes[local[0]], codes[local[1]], codes[local[2]]};
        if (!grazei_shape_meets(&q->shape, corners, own))
            continue;
        grazei_shape_contact found = grazei_shape_triangle_contact(&q->shape, corners);
        graze_shape_contact *contact = &q->contacts[q->count++];
        *contact = round_to_float(&found, q->shape.origin);
        contact->triangle = patch.names[t];
        contact->group = graze_model_triangle_group(grazei_body_model(view->body), patch.names[t]);
        if (q->count == BATCH)
            flush(q);
    }
}

/* Pushes those of some siblings that the shape may meet. */
static void look_at(contact_question *q, const grazei_view *view, grazei_agenda *agenda,
                    uint32_t first, uint32_t count, graze_stats *stats)
{
    grazei_body_bound(view->body, first, count, stats);
    stats->bound_tests += count;
    for (uint32_t n = first; n < first + count; n++)
        if (grazei_shape_side(&q->shape, &view->bounds[n], view->spheres, NULL) != GRAZE_OUTSIDE)
            agenda->items[agenda->count++].node = n;
}

static void run(grazei_question *question, grazei_agenda *agenda, graze_stats *stats)
{
    contact_question *q = (contact_question *)question;
    grazei_view view = grazei_body_view(question->bodies[0]);
    while (agenda->count && !q->stopped) {
        uint32_t number = agenda->items[--agenda->count].node;
        grazei_node node = view.nodes[number];
        if (node.count)
            look_at(q, &view, agenda, node.first, node.count, stats);
        else
            meet_leaf(q, &view, number, stats);
    }
    flush(q);
}

static graze_status check_kind(const graze_shape *shape, bool round, graze_error *error)
{
    if (round ? shape->kind == GRAZE_SPHERE || shape->kind == GRAZE_CAPSULE
              : grazei_shape_has_contacts(shape->kind))
        return GRAZE_OK;
    return grazei_fail(error, GRAZE_UNSUPPORTED, "contacts are of %s",
                       round ? "spheres and capsules" : "spheres, capsules, boxes and half-spaces");
}

graze_status graze_touch_contacts(graze_body *body, const graze_shape *shape,
                                  graze_shape_contact_fn report, void *user, graze_stats *stats,
                                  graze_error *error)
{
    contact_question question = {
        .base = {.run = run, .bodies = {body}, .body_count = 1}, .report = report, .user = user};
    grazei_agenda agenda;
    graze_stats unwanted = {0};
    graze_status status = grazei_check_given(report != NULL, "report", error);
    if (!status)
        status = grazei_check_body(body, "the body", error);
    if (!status)
        status = grazei_shape_prepare(&question.shape, shape, error);
    if (!status)
        status = check_kind(shape, false, error);
    if (status)
        return status;
    stats = stats ? stats : &unwanted;
    grazei_view view = grazei_body_view(body);
    grazei_agenda_start(&agenda, false);
    look_at(&question, &view, &agenda, 0, 1, stats);
    grazei_run(&question.base, &agenda, stats);
    return GRAZE_OK;
}

graze_status graze_shapes_contact(const graze_shape *a, const graze_shape *b, bool *hit,
                                  graze_shape_contact *contact, graze_error *error)
{
    grazei_shape made[2];
    grazei_shape_contact found;
    graze_status status = grazei_check_given(hit != NULL, "hit", error);
    if (!status)
        status = grazei_shape_prepare(&made[0], a, error);
    if (!status)
        status = grazei_shape_prepare(&made[1], b, error);
    if (!status)
        status = check_kind(a, true, error);
    if (!status)
        status = check_kind(b, true, error);
    if (status)
        return status;
    *hit = grazei_round_contact(&made[0], &made[1], &found);
    if (*hit && contact)
        *contact = round_to_float(&found, (const double[3]){0, 0, 0});
    return GRAZE_OK;
}

graze_shape_contact graze_combine_contacts(const graze_shape_contact *contacts, size_t count)
{
    graze_shape_contact all = {.depth = 0};
    double normal[3] = {0, 0, 0}, point[3] = {0, 0, 0}, mean[3] = {0, 0, 0}, sum = 0;
    size_t deepest = 0;
    if (!contacts || !count)
        return all;
    for (size_t i = 0; i < count; i++) {
        double depth = contacts[i].depth;
        for (int k = 0; k < 3; k++) {
            normal[k] += depth * contacts[i].normal[k];
            point[k] += depth * contacts[i].point[k];
            mean[k] += (double)contacts[i].point[k] / (double)count;
        }
        sum += depth;
        deepest = contacts[i].depth > contacts[deepest].depth ? i : deepest;
    }
    all = contacts[deepest];
    double length = sqrt((normal[0] * normal[0] + normal[1] * normal[1]) + normal[2] * normal[2]);
    for (int k = 0; k < 3; k++) {
        all.point[k] = (float)(sum > 0 ? point[k] / sum : mean[k]);
        if (length > 1e-6 * sum)
            all.normal[k] = (float)(normal[k] / length);
    }
    return all;
}
