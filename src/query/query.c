#include <graze/query.h>

#include "query/pair.h"

static void collide(graze_body *a, graze_body *b, bool first, graze_pair_fn report, void *user,
                    graze_stats *stats)
{
    graze_stats unwanted = {0};
    GRAZEI_PICK(a->model->isa, pair_kernels)
        ->collide(a, b, first, report, user, stats ? stats : &unwanted);
}

void graze_collide(graze_body *a, graze_body *b, graze_pair_fn report, void *user,
                   graze_stats *stats)
{
    collide(a, b, false, report, user, stats);
}

typedef struct first_pair {
    graze_pair pair;
    bool found;
} first_pair;

static bool keep_first(void *user, const graze_pair *pairs, size_t count)
{
    first_pair *first = user;
    (void)count;
    if (!first->found)
        first->pair = pairs[0];
    first->found = true;
    return false;
}

bool graze_collide_first(graze_body *a, graze_body *b, graze_pair *pair, graze_stats *stats)
{
    first_pair first = {.found = false};
    collide(a, b, true, keep_first, &first, stats);
    if (first.found && pair)
        *pair = first.pair;
    return first.found;
}

void graze_collide_eager(graze_body *a, graze_body *b, bool first, graze_pair_fn report, void *user,
                         graze_stats *stats)
{
    grazei_body_pose_all(a);
    grazei_body_pose_all(b);
    if (stats) {
        stats->vertices_posed +=
            (uint64_t)a->model->mesh.vertex_count + b->model->mesh.vertex_count;
        stats->bound_tests++;
    }
    grazei_box_probe probe = grazei_probe_box(&a->whole);
    if (!grazei_boxes_overlap(&probe, &b->whole))
        return;
    graze_body_refit_all(a);
    graze_body_refit_all(b);
    if (stats)
        stats->nodes_refit += (uint64_t)a->model->tree.node_count + b->model->tree.node_count;
    collide(a, b, first, report, user, stats);
}
