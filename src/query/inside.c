/* One tree walked along a ray in +x: only nodes whose box the ray enters are opened. Comparing
 * coordinates is exact, so there is nothing to round.
 */
#include "query/inside.h"

#include "base/status.h"
#include "body/patches.h"
#include "narrow/shapes_crossing.h"

#include <graze/reference.h>

#include <math.h>

#define FOUR_PI 12.566370614359172

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

static void look_at_leaf(grazei_inside_question *q, const grazei_view *view, uint32_t leaf,
                         graze_stats *stats)
{
    grazei_posed_patch patch = grazei_view_leaf(view, leaf, stats);
    stats->bound_tests++;
    if (!enters(q->point, grazei_patch_box(&patch)))
        return;
    stats->triangle_tests += patch.triangle_count;
    for (uint32_t t = 0; t < patch.triangle_count; t++) {
        const uint8_t *local = patch.corners[t];
        const float *const corners[3] = {patch.points[local[0]], patch.points[local[1]],
                                         patch.points[local[2]]};
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
            if (enters_node(q, &view, n))
                agenda->items[agenda->count++].node = n;
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

graze_status grazei_check_inside(graze_body *body, const float point[3], bool has_answer,
                                 graze_error *error)
{
    graze_status status = grazei_check_body(body, "the body", error);
    if (!status)
        status = grazei_check_given(point != NULL, "the point", error);
    if (!status)
        status = grazei_check_given(has_answer, "where the answer goes", error);
    for (int k = 0; k < 3 && !status; k++)
        if (!(fabsf(point[k]) < 1e18f))
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "the point is not finite, or not below 1e18");
    return status;
}

graze_status graze_point_inside(graze_body *body, const float point[3], graze_point_side *answer,
                                graze_stats *stats, graze_error *error)
{
    grazei_inside_question question;
    grazei_agenda agenda;
    graze_stats unwanted = {0};
    graze_status status = grazei_check_inside(body, point, answer != NULL, error);
    if (status)
        return status;
    stats = stats ? stats : &unwanted;
    grazei_inside_begin(&question, &agenda, body, point, stats);
    grazei_run(&question.base, &agenda, stats);
    *answer = grazei_inside_answer(&question);
    return GRAZE_OK;
}

/* ---- all triangles ------------------------------------------------------------------------ */

static grazei_posed_mesh pose_all(graze_body *body, graze_stats *stats)
{
    grazei_posed_mesh mesh = grazei_body_mesh_posed(body, stats);
    if (stats)
        stats->triangle_tests += mesh.triangle_count;
    return mesh;
}

static void corners_of(const grazei_posed_mesh *mesh, uint32_t triangle, const float *corners[3])
{
    for (size_t c = 0; c < 3; c++)
        corners[c] = mesh->points[mesh->triangles[3 * (size_t)triangle + c]];
}

graze_status graze_point_inside_brute(graze_body *body, const float point[3],
                                      graze_point_side *answer, graze_stats *stats,
                                      graze_error *error)
{
    graze_status status = grazei_check_inside(body, point, answer != NULL, error);
    if (status)
        return status;
    grazei_inside_question question = {.point = {point[0], point[1], point[2]}};
    grazei_posed_mesh mesh = pose_all(body, stats);
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        const float *corners[3];
        if (!grazei_mesh_takes(&mesh, t))
            continue;
        corners_of(&mesh, t, corners);
        cross(&question, (const float *const *)corners);
    }
    *answer = grazei_inside_answer(&question);
    return GRAZE_OK;
}

/* Twice the tangent's angle (van Oosterom & Strackee, "The Solid Angle of a Plane Triangle", 1983),
 * positive for a triangle that is clockwise seen from the point: outward faces seen from inside.
 */
static double solid_angle(const float point[3], const float *const corners[3])
{
    double r[3][3], length[3], dots[3];
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++)
            r[c][k] = (double)corners[c][k] - point[k];
        length[c] = sqrt(r[c][0] * r[c][0] + r[c][1] * r[c][1] + r[c][2] * r[c][2]);
    }
    for (int c = 0; c < 3; c++) {
        const double *a = r[(c + 1) % 3], *b = r[(c + 2) % 3];
        dots[c] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
    double determinant = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) +
                         r[0][1] * (r[1][2] * r[2][0] - r[1][0] * r[2][2]) +
                         r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
    double below = length[0] * length[1] * length[2];
    for (int c = 0; c < 3; c++)
        below += dots[c] * length[c];
    return determinant == 0 ? 0 : 2 * atan2(determinant, below);
}

graze_status graze_winding_number(graze_body *body, const float point[3], float *winding,
                                  graze_stats *stats, graze_error *error)
{
    graze_status status = grazei_check_inside(body, point, winding != NULL, error);
    if (status)
        return status;
    double sum = 0;
    grazei_posed_mesh mesh = pose_all(body, stats);
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        const float *corners[3];
        if (!grazei_mesh_takes(&mesh, t))
            continue;
        corners_of(&mesh, t, corners);
        sum += solid_angle(point, (const float *const *)corners);
    }
    *winding = (float)(sum / FOUR_PI);
    return GRAZE_OK;
}
