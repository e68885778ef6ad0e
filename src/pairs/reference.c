/* Pairs that meet, by brute force. */
#include "query/reference.h"
#include "narrow/triangle.h"
#include "pairs/pair.h"

typedef struct brute {
    grazei_posed_mesh a, b;
    grazei_pair_fn report;
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
    graze_pair pair = {.a = i, .b = k};
    return all->report(all->user, &pair, 1);
}

void grazei_pair_brute(graze_body *a, graze_body *b, grazei_pair_fn report, void *user,
                       graze_stats *stats)
{
    brute all = {grazei_body_mesh_posed(a, stats), grazei_body_mesh_posed(b, stats), report, user,
                 stats};
    stats->bound_tests += (uint64_t)all.a.triangle_count * all.b.triangle_count;
    grazei_reference_pairs(&all.a, &all.b, NULL, test_pair, &all);
}
