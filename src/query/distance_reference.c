/* All triangles against all: the reference that the walks are compared with. */
#include "narrow/distance.h"
#include "query/distance.h"
#include "query/reference.h"

#include <graze/reference.h>

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
    grazei_distance_take(all->question, square, (graze_pair){i, k}, a[0], b[0], 3);
    return !all->question->outbox.stopped;
}

/* The question is put as for a walk, and then answered without one. */
static void ask(grazei_distance_question *question, graze_body *a, graze_body *b,
                grazei_distance_kind kind, double limit, graze_pair_fn report, void *user,
                graze_stats *stats)
{
    grazei_agenda agenda;
    graze_stats unwanted = {0};
    stats = stats ? stats : &unwanted;
    grazei_distance_begin(question, &agenda, a, b, kind, limit, report, user, stats);
    brute all = {question, grazei_body_mesh_posed(a, stats), grazei_body_mesh_posed(b, stats),
                 stats};
    stats->bound_tests += (uint64_t)all.a.triangle_count * all.b.triangle_count;
    grazei_enter(question->base.bodies, 2);
    grazei_reference_pairs(&all.a, &all.b, &question->limit, compare, &all);
    grazei_outbox_flush(&question->outbox);
    grazei_leave(question->base.bodies, 2);
}

graze_status graze_distance_brute(graze_body *a, graze_body *b, double limit,
                                  graze_nearest *nearest, graze_stats *stats, graze_error *error)
{
    grazei_distance_question question;
    graze_status status = grazei_distance_check(a, b, limit, true, error);
    if (!status)
        status = grazei_check_given(nearest != NULL, "nearest", error);
    if (status)
        return status;
    ask(&question, a, b, GRAZEI_NEAREST, limit, NULL, NULL, stats);
    grazei_distance_answer(&question, nearest);
    return GRAZE_OK;
}

graze_status graze_within_brute(graze_body *a, graze_body *b, double distance, graze_pair_fn report,
                                void *user, graze_stats *stats, graze_error *error)
{
    grazei_distance_question question;
    graze_status status = grazei_distance_check(a, b, distance, false, error);
    if (!status)
        status = grazei_check_given(report != NULL, "report", error);
    if (status)
        return status;
    ask(&question, a, b, GRAZEI_WITHIN, distance, report, user, stats);
    return GRAZE_OK;
}
