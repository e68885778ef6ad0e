/* All triangles against all: the reference that the walks are compared with. */
#include "query/reference.h"
#include "distance/distance.h"
#include "narrow/distance.h"

typedef struct brute {
    grazei_distance_question *question;
    grazei_posed_mesh a, b;
    graze_stats *stats;
} brute;

/* A grazei_reference_fn. */
static bool compare(void *user, uint32_t i, uint32_t k)
{
    brute *all = user;
    float a[3][3], b[3][3];
    grazei_reference_triangle(&all->a, i, a);
    grazei_reference_triangle(&all->b, k, b);
    all->stats->triangle_tests++;
    double square = grazei_triangle_distance_square((const float(*)[3])a, (const float(*)[3])b);
    grazei_distance_take(all->question, square, (graze_pair){.a = i, .b = k}, a[0], b[0], 3);
    return !all->question->outbox.stopped &&
           !(all->question->kind == GRAZEI_CLOSER && all->question->found);
}

void grazei_distance_brute(grazei_distance_question *question, grazei_agenda *agenda, graze_body *a,
                           graze_body *b, grazei_distance_kind kind, double limit,
                           grazei_pair_fn report, void *user, graze_stats *stats)
{
    grazei_distance_begin(question, agenda, a, b, kind, limit, report, user, stats);
    brute all = {question, grazei_body_mesh_posed(a, stats), grazei_body_mesh_posed(b, stats),
                 stats};
    stats->bound_tests += (uint64_t)all.a.triangle_count * all.b.triangle_count;
    grazei_reference_pairs(&all.a, &all.b, &question->limit, compare, &all);
    grazei_outbox_flush(&question->outbox);
    agenda->count = 0;
}
