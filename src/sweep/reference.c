/* All moving triangles against all: the reference that the walks are compared with. */
#include "query/reference.h"
#include "mesh/weld.h"
#include "sweep/sweep.h"

typedef struct brute {
    grazei_sweep_question *question;
    grazei_posed_mesh ends[2][2]; /* by side, start and end */
    graze_stats *stats;
} brute;

static grazei_moving_triangle moving_triangle(const grazei_posed_mesh ends[2], uint32_t number,
                                              grazei_bound *swept)
{
    grazei_moving_triangle triangle;
    grazei_bound start = grazei_reference_box(&ends[0], number);
    grazei_bound end = grazei_reference_box(&ends[1], number);
    for (int i = 0; i < 2; i++)
        grazei_mesh_triangle(&ends[i], number, triangle.corners[i]);
    f4_store(swept->low_negated, f4_max(grazei_bound_first(&start), grazei_bound_first(&end)));
    f4_store(swept->high, f4_max(grazei_bound_second(&start), grazei_bound_second(&end)));
    return triangle;
}

/* One triangle of a against those of b from a number on. */
static void sweep_one(brute *all, uint32_t i, uint32_t from)
{
    grazei_sweep_question *question = all->question;
    const grazei_mesh *mesh = grazei_body_mesh(question->base.bodies[2]);
    grazei_bound box_a, box_b;
    grazei_moving_triangle a = moving_triangle(all->ends[0], i, &box_a);
    grazei_box_probe probe = grazei_probe_box(&box_a);
    for (uint32_t k = from; k < mesh->triangle_count && !question->stopped; k++) {
        if (!grazei_mesh_takes(&all->ends[1][0], k))
            continue;
        grazei_moving_triangle b = moving_triangle(all->ends[1], k, &box_b);
        all->stats->bound_tests++;
        if (!grazei_boxes_overlap(&probe, &box_b) ||
            (question->self && grazei_are_neighbours(mesh, i, k)))
            continue;
        all->stats->triangle_tests++;
        grazei_sweep_triangles(question, &a, i, &b, k);
    }
}

void grazei_sweep_brute(grazei_sweep_question *question, graze_stats *stats)
{
    brute all = {.question = question, .stats = stats};
    for (int i = 0; i < 4; i++)
        all.ends[i / 2][i % 2] = grazei_body_mesh_posed(question->base.bodies[i], stats);
    for (uint32_t i = 0; i < all.ends[0][0].triangle_count && !question->stopped; i++)
        if (grazei_mesh_takes(&all.ends[0][0], i))
            sweep_one(&all, i, question->self ? i + 1 : 0);
    if (!question->stopped)
        grazei_sweep_flush(question);
}
