/* One tree walked against a shape. Bounds inside the shape are reported whole, unposed; of a leaf
 * that the shape crosses the corners get codes, then the triangles are decided (narrow/shapes.h).
 */
#include "query/shapes.h"

#include "base/status.h"
#include "body/mask.h"
#include "body/patches.h"

#include <graze/reference.h>

static void flush(grazei_touch_question *q)
{
    if (q->count && !q->report(q->user, q->triangles, q->count))
        q->stopped = true;
    q->count = 0;
}

static void keep_first(grazei_touch_question *q, uint32_t triangle)
{
    q->found = q->stopped = true;
    q->triangle = triangle;
}

static void add(grazei_touch_question *q, uint32_t triangle)
{
    if (!q->report) {
        keep_first(q, triangle);
        return;
    }
    q->triangles[q->count++] = triangle;
    if (q->count == sizeof q->triangles / sizeof *q->triangles)
        flush(q);
}

/* Triangles that are known to meet the shape, straight from the tree. */
static void add_all(grazei_touch_question *q, const uint32_t *triangles, uint32_t count)
{
    if (!q->report) {
        keep_first(q, triangles[0]);
        return;
    }
    flush(q);
    if (!q->stopped && !q->report(q->user, triangles, count))
        q->stopped = true;
}

/* Triangles of a posed patch, one by one. */
static void meet_triangles(grazei_touch_question *q, const grazei_posed_patch *patch,
                           graze_stats *stats)
{
    uint32_t codes[GRAZEI_MAX_PATCH_VERTICES];
    grazei_shape_codes(&q->shape, patch->points, patch->point_count, codes);
    stats->triangle_tests += patch->triangle_count;
    for (uint32_t t = 0; t < patch->triangle_count && !q->stopped; t++) {
        const uint8_t *local = patch->corners[t];
        const float *const corners[3] = {patch->points[local[0]], patch->points[local[1]],
                                         patch->points[local[2]]};
        const uint32_t own[3] = {codes[local[0]], codes[local[1]], codes[local[2]]};
        if (grazei_shape_meets(&q->shape, corners, own))
            add(q, patch->names[t]);
    }
}

static void meet_leaf(grazei_touch_question *q, const grazei_view *view, uint32_t leaf,
                      graze_stats *stats)
{
    grazei_posed_patch patch = grazei_view_leaf(view, leaf, stats);
    stats->bound_tests++;
    graze_side side = grazei_shape_side(&q->shape, grazei_patch_box(&patch), false, NULL);
    if (side == GRAZE_INSIDE)
        add_all(q, patch.names, patch.triangle_count);
    else if (side == GRAZE_CROSSING)
        meet_triangles(q, &patch, stats);
}

/* Pushes the children that are not outside; where one triangle is enough, the one that is deepest
 * in the shape comes to lie on top.
 */
static void open_node(grazei_touch_question *q, const grazei_view *view, grazei_agenda *agenda,
                      grazei_node node, graze_stats *stats)
{
    bool sorted = !q->report;
    uint32_t base = agenda->count;
    float middles[GRAZEI_MAX_ARITY];
    grazei_body_bound(view->body, node.first, node.count, stats);
    stats->bound_tests += node.count;
    for (uint32_t n = node.first; n < node.first + node.count; n++) {
        float middle;
        graze_side side = grazei_shape_side(&q->shape, &view->bounds[n], view->spheres, &middle);
        if (side == GRAZE_OUTSIDE)
            continue;
        uint32_t at = agenda->count++;
        for (; sorted && at > base && middles[at - 1 - base] < middle; at--) {
            middles[at - base] = middles[at - 1 - base];
            agenda->items[at] = agenda->items[at - 1];
        }
        middles[at - base] = middle;
        agenda->items[at].shape = (grazei_shape_item){n, side};
    }
}

/* A node that is inside the shape: all of it takes part, or what is below it is looked through. */
static void look_inside(grazei_touch_question *q, const grazei_view *view, grazei_agenda *agenda,
                        uint32_t number)
{
    const grazei_tree *tree = grazei_body_tree(view->body);
    grazei_node node = view->nodes[number];
    const uint32_t *range = tree->node_triangles[number];
    if (grazei_body_node_part(view->body, number) == GRAZEI_ALL) {
        add_all(q, tree->patch_triangles + range[0], range[1] - range[0]);
    } else if (node.count == 0) {
        const grazei_patch *patch = &tree->patches[node.first];
        add_all(q, tree->patch_triangles + patch->first_triangle, patch->triangle_count);
    } else {
        for (uint32_t n = node.first; n < node.first + node.count; n++)
            if (grazei_body_node_part(view->body, n) != GRAZEI_NONE)
                agenda->items[agenda->count++].shape = (grazei_shape_item){n, GRAZE_INSIDE};
    }
}

static void look_at(grazei_touch_question *q, const grazei_view *view, grazei_agenda *agenda,
                    grazei_shape_item item, graze_stats *stats)
{
    grazei_node node = view->nodes[item.node];
    if (item.side == GRAZE_INSIDE)
        look_inside(q, view, agenda, item.node);
    else if (node.count == 0)
        meet_leaf(q, view, item.node, stats);
    else
        open_node(q, view, agenda, node, stats);
}

static void run(grazei_question *question, grazei_agenda *agenda, graze_stats *stats)
{
    grazei_touch_question *q = (grazei_touch_question *)question;
    grazei_view view = grazei_body_view(question->bodies[0]);
    while (agenda->count && !q->stopped) {
        look_at(q, &view, agenda, agenda->items[--agenda->count].shape, stats);
        if (grazei_agenda_spent(agenda, stats))
            break;
    }
    flush(q);
    if (q->stopped)
        agenda->count = 0;
}

void grazei_touch_begin(grazei_touch_question *question, grazei_agenda *agenda, graze_body *body,
                        const grazei_shape *shape, graze_triangle_fn report, void *user,
                        graze_stats *stats)
{
    question->base.run = run;
    question->base.bodies[0] = body;
    question->base.body_count = 1;
    question->shape = *shape;
    question->report = report;
    question->user = user;
    question->found = question->stopped = false;
    question->count = 0;
    grazei_agenda_start(agenda, false);
    grazei_body_bound(body, 0, 1, stats);
    stats->bound_tests++;
    grazei_view view = grazei_body_view(body);
    graze_side side = grazei_shape_side(shape, &view.bounds[0], view.spheres, NULL);
    if (side != GRAZE_OUTSIDE)
        agenda->items[agenda->count++].shape = (grazei_shape_item){0, side};
}

/* Whether a lean body that has no caches is outside the shape, and needs none. */
static bool is_outside(graze_body *body, const grazei_shape *shape, graze_stats *stats)
{
    if (grazei_body_has_cache(body))
        return false;
    stats->bound_tests++;
    grazei_bound box = grazei_body_box(body, stats);
    return grazei_shape_side(shape, &box, false, NULL) == GRAZE_OUTSIDE;
}

/* Asks to the end; report NULL: for the first triangle. */
static graze_status touch(graze_body *body, const graze_shape *shape, graze_triangle_fn report,
                          void *user, grazei_touch_question *question, graze_stats *stats,
                          graze_error *error)
{
    grazei_agenda agenda;
    grazei_shape made;
    graze_stats unwanted = {0};
    graze_status status = grazei_check_outside(body, "the body", error);
    if (!status)
        status = grazei_shape_prepare(&made, shape, error);
    if (status)
        return status;
    stats = stats ? stats : &unwanted;
    question->found = false;
    if (is_outside(body, &made, stats))
        return GRAZE_OK;
    status = grazei_body_ready(body, error);
    if (status)
        return status;
    grazei_touch_begin(question, &agenda, body, &made, report, user, stats);
    grazei_run(&question->base, &agenda, stats);
    return GRAZE_OK;
}

graze_status graze_touch(graze_body *body, const graze_shape *shape, graze_triangle_fn report,
                         void *user, graze_stats *stats, graze_error *error)
{
    grazei_touch_question question;
    graze_status status = grazei_check_given(report != NULL, "report", error);
    return status ? status : touch(body, shape, report, user, &question, stats, error);
}

graze_status graze_touch_first(graze_body *body, const graze_shape *shape, bool *hit,
                               uint32_t *triangle, graze_stats *stats, graze_error *error)
{
    grazei_touch_question question;
    graze_status status = grazei_check_given(hit != NULL, "hit", error);
    if (!status)
        status = touch(body, shape, NULL, NULL, &question, stats, error);
    if (status)
        return status;
    *hit = question.found;
    if (question.found && triangle)
        *triangle = question.triangle;
    return GRAZE_OK;
}

graze_status graze_touch_brute(graze_body *body, const graze_shape *shape, graze_triangle_fn report,
                               void *user, graze_stats *stats, graze_error *error)
{
    grazei_shape made;
    graze_status status = grazei_check_given(report != NULL, "report", error);
    if (!status)
        status = grazei_check_body(body, "the body", error);
    if (!status)
        status = grazei_shape_prepare(&made, shape, error);
    if (status)
        return status;
    grazei_posed_mesh mesh = grazei_body_mesh_posed(body, stats);
    bool going = true;
    uint32_t t = 0;
    grazei_body_enter(body);
    for (; t < mesh.triangle_count && going; t++) {
        const float *corners[3];
        uint32_t codes[3];
        if (!grazei_mesh_takes(&mesh, t))
            continue;
        for (int c = 0; c < 3; c++) {
            const float(*corner)[4] = mesh.points + mesh.triangles[3 * (size_t)t + (size_t)c];
            corners[c] = *corner;
            grazei_shape_codes(&made, corner, 1, &codes[c]);
        }
        if (grazei_shape_meets(&made, (const float *const *)corners, codes))
            going = report(user, &t, 1);
    }
    grazei_body_leave(body);
    if (stats)
        stats->triangle_tests += t;
    return GRAZE_OK;
}

/* ---- culling ------------------------------------------------------------------------------ */

/* Goes on until something is known to be on either side, or not known to be on any. */
static graze_side classify(graze_body *body, const grazei_shape *shape, uint32_t depth,
                           graze_stats *stats)
{
    const grazei_tree *tree = grazei_body_tree(body);
    grazei_view view = grazei_body_view(body);
    grazei_node stack[GRAZEI_MAX_OPEN + GRAZEI_MAX_ARITY]; /* siblings to look at */
    uint32_t count = 0;
    bool seen[3] = {false, false, false};
    stack[count++] = (grazei_node){0, 1};
    while (count && !seen[GRAZE_CROSSING] && !(seen[GRAZE_OUTSIDE] && seen[GRAZE_INSIDE])) {
        grazei_node siblings = stack[--count];
        grazei_body_bound(body, siblings.first, siblings.count, stats);
        stats->bound_tests += siblings.count;
        for (uint32_t n = siblings.first; n < siblings.first + siblings.count; n++) {
            grazei_node node = tree->nodes[n];
            if (grazei_view_is_empty(&view, n))
                continue;
            graze_side side = grazei_shape_side(shape, &view.bounds[n], view.spheres, NULL);
            if (side != GRAZE_CROSSING || node.count == 0 || grazei_tree_level(tree, n) >= depth)
                seen[side] = true;
            else
                stack[count++] = node;
        }
    }
    if (seen[GRAZE_CROSSING] || (seen[GRAZE_OUTSIDE] && seen[GRAZE_INSIDE]))
        return GRAZE_CROSSING;
    return seen[GRAZE_INSIDE] ? GRAZE_INSIDE : GRAZE_OUTSIDE;
}

graze_status graze_classify(graze_body *body, const graze_shape *shape, uint32_t depth,
                            graze_side *side, graze_stats *stats, graze_error *error)
{
    grazei_shape made;
    graze_stats unwanted = {0};
    graze_status status = grazei_check_body(body, "the body", error);
    if (!status)
        status = grazei_check_given(side != NULL, "side", error);
    if (!status)
        status = grazei_shape_prepare(&made, shape, error);
    if (!status)
        *side = classify(body, &made, depth, stats ? stats : &unwanted);
    return status;
}
