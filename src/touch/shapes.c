/* One tree walked against a shape. Bounds inside the shape are reported whole, unposed; of a leaf
 * that the shape crosses the corners get codes, then the triangles are decided (narrow/shapes.h).
 */
#include "touch/shapes.h"

#include "base/status.h"
#include "body/mask.h"
#include "body/patches.h"
#include "touch/brute.h"

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
    GRAZE_ASSERT(q->count < sizeof q->triangles / sizeof *q->triangles);
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
        GRAZE_ASSERT(agenda->count < GRAZEI_AGENDA_ITEMS);
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
    GRAZE_ASSERT(range[0] < range[1]);
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
                        const grazei_shape *shape, grazei_triangle_fn report, void *user,
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

bool grazei_touch_is_outside(graze_body *body, const grazei_shape *shape, graze_stats *stats)
{
    if (grazei_body_has_cache(body))
        return false;
    stats->bound_tests++;
    grazei_bound box = grazei_body_box(body, stats);
    return grazei_shape_side(shape, &box, false, NULL) == GRAZE_OUTSIDE;
}

void grazei_touch_brute(grazei_touch_question *question, grazei_agenda *agenda, graze_body *body,
                        const grazei_shape *shape, grazei_triangle_fn report, void *user,
                        graze_stats *stats)
{
    grazei_touch_begin(question, agenda, body, shape, report, user, stats);
    grazei_posed_mesh mesh = grazei_body_mesh_posed(body, stats);
    stats->triangle_tests += mesh.triangle_count;
    for (uint32_t t = 0; t < mesh.triangle_count && !question->stopped; t++)
        if (grazei_mesh_takes(&mesh, t) && grazei_shape_meets_posed(shape, &mesh, t))
            add(question, t);
    flush(question);
    agenda->count = 0;
}
