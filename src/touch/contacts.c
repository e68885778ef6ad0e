/* A tree walked against a shape, as in shapes.c, down to the contacts of its triangles. */
#include "touch/contacts.h"

#include "base/status.h"
#include "body/patches.h"
#include "narrow/shape_contact.h"
#include "touch/brute.h"
#include "touch/shapes.h"

#include <math.h>

static void flush(grazei_touch_contacts_question *q)
{
    if (q->count && !q->stopped && !q->report(q->user, q->contacts, q->count))
        q->stopped = true;
    q->count = 0;
}

/* The contact of a body, which is a, with the shape, which is b: the normal of the narrow phase is
 * the way in which the shape leaves the triangle, and turned round here.
 */
static void take(grazei_touch_contacts_question *q, const float *const corners[3],
                 uint32_t triangle)
{
    grazei_shape_contact found = grazei_shape_triangle_contact(&q->shape, corners);
    const graze_model *model = grazei_body_model(q->base.bodies[0]);
    graze_contact *contact = &q->contacts[q->count++];
    *contact = (graze_contact){.depth = (float)found.depth,
                               .parts = {graze_model_triangle_part(model, triangle), 0},
                               .triangles = {triangle, GRAZE_NONE},
                               .pair_count = 1};
    for (int k = 0; k < 3; k++) {
        contact->point[k] = (float)(q->shape.origin[k] + found.point[k]);
        contact->normal[k] = -(float)found.normal[k];
    }
    if (q->first || q->count == GRAZEI_TOUCH_CONTACTS)
        flush(q);
}

static void meet_leaf(grazei_touch_contacts_question *q, const grazei_view *view, uint32_t leaf,
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
        take(q, corners, patch.names[t]);
    }
}

/* Pushes those of some siblings that the shape may meet. */
static void look_at(grazei_touch_contacts_question *q, const grazei_view *view,
                    grazei_agenda *agenda, uint32_t first, uint32_t count, graze_stats *stats)
{
    grazei_body_bound(view->body, first, count, stats);
    stats->bound_tests += count;
    for (uint32_t n = first; n < first + count; n++)
        if (grazei_shape_side(&q->shape, &view->bounds[n], view->spheres, NULL) != GRAZE_OUTSIDE)
            agenda->items[agenda->count++].node = n;
}

static void run(grazei_question *question, grazei_agenda *agenda, graze_stats *stats)
{
    grazei_touch_contacts_question *q = (grazei_touch_contacts_question *)question;
    grazei_view view = grazei_body_view(question->bodies[0]);
    while (agenda->count && !q->stopped) {
        uint32_t number = agenda->items[--agenda->count].node;
        grazei_node node = view.nodes[number];
        if (node.count)
            look_at(q, &view, agenda, node.first, node.count, stats);
        else
            meet_leaf(q, &view, number, stats);
        if (grazei_agenda_spent(agenda, stats))
            break;
    }
    flush(q);
    if (q->stopped)
        agenda->count = 0;
}

static void put(grazei_touch_contacts_question *question, graze_body *body, bool first,
                grazei_contact_fn report, void *user)
{
    question->base = (grazei_question){.run = run, .bodies = {body}, .body_count = 1};
    question->first = first;
    question->report = report;
    question->user = user;
    question->stopped = false;
    question->count = 0;
}

void grazei_touch_contacts_begin(grazei_touch_contacts_question *question, grazei_agenda *agenda,
                                 graze_body *body, bool first, grazei_contact_fn report, void *user,
                                 graze_stats *stats)
{
    grazei_view view = grazei_body_view(body);
    put(question, body, first, report, user);
    grazei_agenda_start(agenda, false);
    look_at(question, &view, agenda, 0, 1, stats);
}

void grazei_touch_contacts_brute(grazei_touch_contacts_question *question, graze_body *body,
                                 bool first, grazei_contact_fn report, void *user,
                                 graze_stats *stats)
{
    grazei_posed_mesh mesh = grazei_body_mesh_posed(body, stats);
    stats->triangle_tests += mesh.triangle_count;
    put(question, body, first, report, user);
    for (uint32_t t = 0; t < mesh.triangle_count && !question->stopped; t++) {
        const float *corners[3];
        if (!grazei_mesh_takes(&mesh, t) || !grazei_shape_meets_posed(&question->shape, &mesh, t))
            continue;
        grazei_posed_corners(&mesh, t, corners);
        take(question, (const float *const *)corners, t);
    }
    flush(question);
}
