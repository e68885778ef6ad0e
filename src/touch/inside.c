/* One tree walked along a ray in +x: only nodes whose box the ray enters are opened. Comparing
 * coordinates is exact, so there is nothing to round.
 */
#include "touch/inside.h"

#include "base/status.h"
#include "body/patches.h"
#include "narrow/shapes_crossing.h"
#include "touch/brute.h"

#include <math.h>

static void cross(grazei_inside_question *q, const float *const corners[3])
{
    grazei_ray_crossing crossing = grazei_cross_triangle(q->point, corners);
    q->on_surface |= crossing.on_surface;
    q->winding += crossing.sign;
}

/* Whether the ray meets the box: its start is not beyond in y and z, and not past it in x. */
static bool enters(const float point[3], const grazei_bound *box)
{
    return box->high[0] >= point[0] && box->high[1] >= point[1] && box->high[2] >= point[2] &&
           -box->low_negated[1] <= point[1] && -box->low_negated[2] <= point[2];
}

static bool enters_node(const grazei_inside_question *q, const grazei_view *view, uint32_t node)
{
    grazei_bound box = grazei_view_box(view, node);
    return enters(q->point, &box);
}

/* The same of a triangle's box. */
static bool enters_triangle(f4 point, const float *const corners[3])
{
    f4 a = f4_load(corners[0]), b = f4_load(corners[1]), c = f4_load(corners[2]);
    f4 low = f4_min(f4_min(a, b), c), high = f4_max(f4_max(a, b), c);
    return (f4_ge_bits(high, point) & 7) == 7 && (f4_ge_bits(point, low) & 6) == 6;
}

static void look_at_leaf(grazei_inside_question *q, const grazei_view *view, uint32_t leaf,
                         graze_stats *stats)
{
    grazei_posed_patch patch = grazei_view_leaf(view, leaf, stats);
    stats->bound_tests++;
    if (!enters(q->point, grazei_patch_box(&patch)))
        return;
    stats->triangle_tests += patch.triangle_count;
    f4 point = f4_load3(q->point);
    for (uint32_t t = 0; t < patch.triangle_count; t++) {
        const uint8_t *local = patch.corners[t];
        const float *const corners[3] = {patch.points[local[0]], patch.points[local[1]],
                                         patch.points[local[2]]};
        if (enters_triangle(point, corners))
            cross(q, corners);
    }
}

static void run(grazei_question *question, grazei_agenda *agenda, graze_stats *stats)
{
    grazei_inside_question *q = (grazei_inside_question *)question;
    grazei_view view = grazei_body_view(question->bodies[0]);
    while (agenda->count && !q->on_surface) {
        uint32_t number = agenda->items[--agenda->count].node;
        grazei_node node = view.nodes[number];
        if (node.count == 0)
            look_at_leaf(q, &view, number, stats);
        else
            grazei_body_bound(view.body, node.first, node.count, stats);
        stats->bound_tests += node.count;
        for (uint32_t n = node.first; n < node.first + node.count; n++)
            if (enters_node(q, &view, n)) {
                GRAZE_ASSERT(agenda->count < GRAZEI_AGENDA_ITEMS);
                agenda->items[agenda->count++].node = n;
            }
        if (grazei_agenda_spent(agenda, stats))
            break;
    }
    if (q->on_surface)
        agenda->count = 0;
}

void grazei_inside_begin(grazei_inside_question *question, grazei_agenda *agenda, graze_body *body,
                         const float point[3], graze_stats *stats)
{
    *question = (grazei_inside_question){.base = {.run = run, .bodies = {body}, .body_count = 1},
                                         .point = {point[0], point[1], point[2]}};
    grazei_agenda_start(agenda, false);
    grazei_body_bound(body, 0, 1, stats);
    stats->bound_tests++;
    grazei_view view = grazei_body_view(body);
    if (enters_node(question, &view, 0))
        agenda->items[agenda->count++].node = 0;
}

graze_point_side grazei_inside_answer(const grazei_inside_question *question)
{
    graze_point_side answer = {.on_surface = question->on_surface,
                               .winding = question->on_surface ? 0 : question->winding};
    answer.inside = answer.on_surface || answer.winding != 0;
    return answer;
}

graze_status grazei_check_point(const graze_body *body, const float point[3], graze_error *error)
{
    graze_status status = grazei_check_outside(body, "the body", error);
    if (!status)
        status = grazei_check_given(point != NULL, "the point", error);
    for (int k = 0; k < 3 && !status; k++)
        if (!(fabsf(point[k]) < 1e18f))
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "the point is not finite, or not below 1e18");
    return status;
}

void grazei_inside_brute(grazei_inside_question *question, graze_body *body, const float point[3],
                         graze_stats *stats)
{
    *question = (grazei_inside_question){.point = {point[0], point[1], point[2]}};
    grazei_posed_mesh mesh = grazei_body_mesh_posed(body, stats);
    stats->triangle_tests += mesh.triangle_count;
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        const float *corners[3];
        if (!grazei_mesh_takes(&mesh, t))
            continue;
        grazei_posed_corners(&mesh, t, corners);
        cross(question, (const float *const *)corners);
    }
}
