/* Making and freeing a tracker. */
#include "chain/tracker.h"

#include "base/memory.h"
#include "base/status.h"
#include "math/rounding.h"

static graze_status check_chains(const graze_chains *chains, const graze_chain_tracker_def *def,
                                 graze_error *error)
{
    uint32_t count = graze_chains_get_info(chains).sphere_count;
    if (def->clusters > GRAZEI_MAX_CLUSTERS)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%u clusters a sphere, not 1 to %d",
                           def->clusters, GRAZEI_MAX_CLUSTERS);
    if (count > GRAZE_MAX_TRACKED_SPHERES)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%u spheres, a tracker takes up to %d", count,
                           GRAZE_MAX_TRACKED_SPHERES);
    for (uint32_t s = 0; s < count; s++) {
        uint32_t pivots = graze_chains_sphere(chains, s).pivot_count;
        if (pivots > GRAZE_MAX_TRACKED_PIVOTS)
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "sphere %u has %u pivots, a tracker takes up to %d", s, pivots,
                               GRAZE_MAX_TRACKED_PIVOTS);
    }
    return GRAZEI_CHECK_RESERVED(def, "the def", error);
}

graze_status graze_chain_tracker_create(const graze_chains *chains,
                                        const graze_chain_tracker_def *def,
                                        graze_chain_tracker **tracker, graze_error *error)
{
    const graze_chain_tracker_def used = def ? *def : (graze_chain_tracker_def){0};
    graze_status status = grazei_check_pointer(chains, "the chains", error);
    if (!status)
        status = grazei_check_pointer(tracker, "where the tracker goes", error);
    if (!status)
        status = grazei_check_rounding(error);
    if (!status)
        status = check_chains(chains, &used, error);
    if (status)
        return status;
    const graze_model *model = graze_chains_get_info(chains).model;
    graze_chain_tracker *made = GRAZEI_ALLOCATE_ZERO(&model->allocator, 1, graze_chain_tracker);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = model->allocator;
    made->model = grazei_model_hold(model);
    made->overlap = GRAZEI_PICK(model->isa, overlap_kernels);
    made->sphere_count = graze_chains_get_info(chains).sphere_count;
    made->vertices_per_pivot = graze_chains_get_info(chains).vertices_per_pivot;
    if (!grazei_tracker_make_pivots(made, chains) || !grazei_tracker_make_rows(made, chains) ||
        !grazei_tracker_make_tree(made, chains))
        status = grazei_fail_memory(error);
    if (!status)
        status =
            grazei_tracker_make_clusters(made, chains, used.clusters ? used.clusters : 1, error);
    if (status)
        graze_chain_tracker_destroy(made);
    else
        *tracker = made;
    return status;
}

void graze_chain_tracker_destroy(graze_chain_tracker *tracker)
{
    if (!tracker)
        return;
    graze_allocator allocator = tracker->allocator;
    const graze_model *model = tracker->model;
    grazei_tracker_release_pivots(tracker);
    grazei_tracker_release_clusters(tracker);
    void *const all[] = {tracker->checked.rows, tracker->all.rows, tracker->row_bits,
                         tracker->nodes,        tracker->order,    tracker->near_bits,
                         tracker->node_bits,    tracker->tasks,    tracker};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(&allocator, all[i]);
    grazei_model_let_go(model);
}

uint32_t graze_chain_tracker_size(const graze_chain_tracker *tracker, graze_chain_pairs_of which,
                                  uint32_t *pair_count)
{
    if (pair_count)
        *pair_count = tracker ? grazei_tracker_rows(tracker, which)->pair_count : 0;
    return tracker ? tracker->sphere_count : 0;
}
