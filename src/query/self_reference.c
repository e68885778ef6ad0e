/* Self-collision the slow ways: brute force, and after refitting everything bottom-up. */
#include "mesh/weld.h"
#include "narrow/triangle.h"
#include "query/reference.h"
#include "query/self.h"

#include <graze/reference.h>

graze_status graze_collide_self_eager(graze_body *body, graze_self_which which,
                                      graze_self_fn report, void *user, graze_stats *stats,
                                      graze_error *error)
{
    graze_status status = grazei_check_self(body, which, report != NULL, error);
    if (status)
        return status;
    grazei_body_refit_all(body);
    if (stats) {
        stats->vertices_posed += grazei_body_mesh(body)->vertex_count;
        stats->nodes_refit += grazei_body_tree(body)->node_count;
    }
    grazei_collide_self(body, which, false, false, report, user, stats);
    return GRAZE_OK;
}

static void brute(graze_body *body, const grazei_posed_mesh *mesh, grazei_self_question *question,
                  graze_stats *stats)
{
    for (uint32_t a = 0; a < mesh->triangle_count; a++) {
        float corners_a[3][3], corners_b[3][3];
        if (!grazei_mesh_takes(mesh, a))
            continue;
        grazei_bound box_a = grazei_reference_box(mesh, a);
        grazei_box_probe probe = grazei_probe_box(&box_a);
        grazei_reference_triangle(mesh, a, corners_a);
        for (uint32_t b = a + 1; b < mesh->triangle_count; b++) {
            grazei_bound box_b = grazei_reference_box(mesh, b);
            if (!grazei_mesh_takes(mesh, b) || !grazei_boxes_overlap(&probe, &box_b) ||
                grazei_are_neighbours(grazei_body_mesh(body), a, b))
                continue;
            grazei_reference_triangle(mesh, b, corners_b);
            stats->triangle_tests++;
            graze_pair pair = {a, b | GRAZEI_REST_UNKNOWN};
            if (grazei_triangles_meet((const float(*)[3])corners_a, (const float(*)[3])corners_b) &&
                !grazei_self_hand_on(question, &pair, 1))
                return;
        }
    }
}

graze_status graze_collide_self_brute(graze_body *body, graze_self_which which,
                                      graze_self_fn report, void *user, graze_stats *stats,
                                      graze_error *error)
{
    graze_status status = grazei_check_self(body, which, report != NULL, error);
    if (status)
        return status;
    graze_stats unwanted = {0};
    grazei_self_question question = {.which = which, .report = report, .user = user};
    grazei_posed_mesh mesh = grazei_body_mesh_posed(body, NULL);
    question.base.bodies[0] = body;
    grazei_body_enter(body);
    brute(body, &mesh, &question, stats ? stats : &unwanted);
    grazei_body_leave(body);
    return GRAZE_OK;
}
