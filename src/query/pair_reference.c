/* Pairs that meet, found the slow ways: brute force, and after refitting everything bottom-up. */
#include "narrow/triangle.h"
#include "query/pair.h"
#include "query/reference.h"

#include <graze/reference.h>

typedef struct brute {
    grazei_posed_mesh a, b;
    graze_pair_fn report;
    void *user;
    graze_stats *stats;
} brute;

/* A grazei_reference_fn. */
static bool test_pair(void *user, uint32_t i, uint32_t k)
{
    brute *all = user;
    float a[3][3], b[3][3];
    grazei_reference_triangle(&all->a, i, a);
    grazei_reference_triangle(&all->b, k, b);
    all->stats->triangle_tests++;
    if (!grazei_triangles_meet((const float(*)[3])a, (const float(*)[3])b))
        return true;
    graze_pair pair = {i, k};
    return all->report(all->user, &pair, 1);
}

graze_status graze_collide_brute(graze_body *a, graze_body *b, graze_pair_fn report, void *user,
                                 graze_stats *stats, graze_error *error)
{
    graze_stats unwanted = {0};
    graze_body *const bodies[] = {a, b};
    graze_status status = grazei_check_pair_report(a, b, report != NULL, error);
    if (status)
        return status;
    stats = stats ? stats : &unwanted;
    brute all = {grazei_body_mesh_posed(a, stats), grazei_body_mesh_posed(b, stats), report, user,
                 stats};
    stats->bound_tests += (uint64_t)all.a.triangle_count * all.b.triangle_count;
    grazei_enter(bodies, 2);
    grazei_reference_pairs(&all.a, &all.b, NULL, test_pair, &all);
    grazei_leave(bodies, 2);
    return GRAZE_OK;
}

graze_status graze_collide_eager(graze_body *a, graze_body *b, bool first, graze_pair_fn report,
                                 void *user, graze_stats *stats, graze_error *error)
{
    graze_stats unwanted = {0};
    graze_status status = grazei_check_pair_report(a, b, report != NULL, error);
    if (status)
        return status;
    stats = stats ? stats : &unwanted;
    grazei_posed_mesh mesh_a = grazei_body_mesh_posed(a, stats);
    grazei_posed_mesh mesh_b = grazei_body_mesh_posed(b, stats);
    grazei_box_probe probe = grazei_probe_box(mesh_a.box);
    stats->bound_tests++;
    if (!grazei_boxes_overlap(&probe, mesh_b.box))
        return GRAZE_OK;
    grazei_body_refit_all(a);
    grazei_body_refit_all(b);
    stats->nodes_refit +=
        (uint64_t)grazei_body_tree(a)->node_count + grazei_body_tree(b)->node_count;
    grazei_pair_collide(a, b, first, report, user, stats);
    return GRAZE_OK;
}
