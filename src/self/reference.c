/* Self-collision by brute force. */
#include "query/reference.h"
#include "mesh/weld.h"
#include "narrow/triangle.h"
#include "self/between.h"
#include "self/self.h"

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
                grazei_are_neighbours(grazei_body_mesh(body), a, b) ||
                (question->between &&
                 !grazei_triangles_count(question->between, grazei_body_model(body), a, b)))
                continue;
            grazei_reference_triangle(mesh, b, corners_b);
            stats->triangle_tests++;
            graze_pair pair = {.a = a, .b = b | GRAZEI_REST_UNKNOWN};
            if (grazei_triangles_meet((const float(*)[3])corners_a, (const float(*)[3])corners_b) &&
                !grazei_self_hand_on(question, &pair, 1))
                return;
        }
    }
}

void grazei_self_brute(grazei_self_question *question, graze_body *body, bool only_new, bool first,
                       const graze_part_filter *between, grazei_pair_fn report, void *user,
                       graze_stats *stats)
{
    grazei_posed_mesh mesh = grazei_body_mesh_posed(body, stats);
    question->base.bodies[0] = body;
    question->only_new = only_new;
    question->first = first;
    question->between = between;
    question->report = report;
    question->user = user;
    brute(body, &mesh, question, stats);
}
