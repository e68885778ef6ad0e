/* All triangles against all: the reference that everything else is compared with. */
#include <graze/query.h>

#include "narrow/triangle.h"
#include "query/agenda.h"

/* Boxes of so many triangles stay in the first cache while all others pass by. */
#define BLOCK 512

static void load_triangle(const graze_body *body, uint32_t triangle, float corners[3][3])
{
    const uint32_t *vertices = body->model->mesh.triangles + 3 * (size_t)triangle;
    for (int c = 0; c < 3; c++)
        memcpy(corners[c], body->positions[vertices[c]], sizeof corners[c]);
}

static void box_of_triangle(const graze_body *body, uint32_t triangle, grazei_bound *box)
{
    const uint32_t *vertices = body->model->mesh.triangles + 3 * (size_t)triangle;
    f4 p = f4_load(body->positions[vertices[0]]), q = f4_load(body->positions[vertices[1]]);
    f4 r = f4_load(body->positions[vertices[2]]);
    grazei_bound_set_box(box, f4_min(p, f4_min(q, r)), f4_max(p, f4_max(q, r)));
}

static bool test_pair(graze_body *a, uint32_t i, graze_body *b, uint32_t k, graze_pair_fn report,
                      void *user, graze_stats *stats)
{
    float corners_a[3][3], corners_b[3][3];
    load_triangle(a, i, corners_a);
    load_triangle(b, k, corners_b);
    if (stats)
        stats->triangle_tests++;
    if (!grazei_triangles_meet((const float(*)[3])corners_a, (const float(*)[3])corners_b))
        return true;
    graze_pair pair = {i, k};
    return report(user, &pair, 1);
}

graze_status graze_collide_brute(graze_body *a, graze_body *b, graze_pair_fn report, void *user,
                                 graze_stats *stats, graze_error *error)
{
    graze_status status = grazei_check_pair(a, b, error);
    if (status)
        return status;
    grazei_bound boxes[BLOCK], box_a;
    grazei_body_pose_all(a);
    grazei_body_pose_all(b);
    uint32_t count_a = a->model->mesh.triangle_count, count_b = b->model->mesh.triangle_count;
    if (stats) {
        stats->vertices_posed +=
            (uint64_t)a->model->mesh.vertex_count + b->model->mesh.vertex_count;
        stats->bound_tests += (uint64_t)count_a * count_b;
    }
    for (uint32_t first = 0; first < count_b; first += BLOCK) {
        uint32_t block = count_b - first < BLOCK ? count_b - first : BLOCK;
        for (uint32_t k = 0; k < block; k++)
            box_of_triangle(b, first + k, &boxes[k]);
        for (uint32_t i = 0; i < count_a; i++) {
            box_of_triangle(a, i, &box_a);
            grazei_box_probe probe = grazei_probe_box(&box_a);
            for (uint32_t k = 0; k < block; k++)
                if (grazei_boxes_overlap(&probe, &boxes[k]) &&
                    !test_pair(a, i, b, first + k, report, user, stats))
                    return GRAZE_OK;
        }
    }
    return GRAZE_OK;
}
