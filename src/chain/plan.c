/* Making and freeing a plan. */
#include "chain/plan.h"

#include "base/memory.h"
#include "base/status.h"
#include "math/rounding.h"

graze_chain_plan_def graze_default_chain_plan_def(void)
{
    return (graze_chain_plan_def){.clusters = 1};
}

static graze_status check_chains(const graze_chains *chains, const graze_chain_plan_def *def,
                                 graze_error *error)
{
    uint32_t count = graze_chains_sphere_count(chains);
    if (!def->clusters || def->clusters > GRAZEI_MAX_CLUSTERS)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%u clusters a sphere, not 1 to %d",
                           def->clusters, GRAZEI_MAX_CLUSTERS);
    if (count > GRAZE_MAX_PLAN_SPHERES)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%u spheres, a plan takes up to %d", count,
                           GRAZE_MAX_PLAN_SPHERES);
    for (uint32_t s = 0; s < count; s++) {
        uint32_t pivots = graze_chains_sphere(chains, s).pivot_count;
        if (pivots > GRAZE_MAX_PLAN_PIVOTS)
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "sphere %u has %u pivots, a plan takes up to %d", s, pivots,
                               GRAZE_MAX_PLAN_PIVOTS);
    }
    return GRAZE_OK;
}

graze_status graze_chain_plan_create(const graze_chains *chains, const graze_chain_plan_def *def,
                                     graze_chain_plan **plan, graze_error *error)
{
    graze_chain_plan_def usual = graze_default_chain_plan_def();
    graze_status status = grazei_check_pointer(chains, "the chains", error);
    if (!status)
        status = grazei_check_pointer(plan, "where the plan goes", error);
    if (!status)
        status = grazei_check_rounding(error);
    if (!status)
        status = check_chains(chains, def ? def : &usual, error);
    if (status)
        return status;
    const graze_model *model = graze_chains_model(chains);
    graze_chain_plan *made = GRAZEI_ALLOCATE_ZERO(&model->allocator, 1, graze_chain_plan);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = model->allocator;
    made->model = grazei_model_hold(model);
    made->overlap = GRAZEI_PICK(model->isa, overlap_kernels);
    made->sphere_count = graze_chains_sphere_count(chains);
    made->vertices_per_pivot = graze_chains_vertices_per_pivot(chains);
    if (!grazei_plan_make_pivots(made, chains) || !grazei_plan_make_rows(made, chains) ||
        !grazei_plan_make_tree(made, chains))
        status = grazei_fail_memory(error);
    if (!status)
        status = grazei_plan_make_clusters(made, chains, (def ? def : &usual)->clusters, error);
    if (status)
        graze_chain_plan_destroy(made);
    else
        *plan = made;
    return status;
}

void graze_chain_plan_destroy(graze_chain_plan *plan)
{
    if (!plan)
        return;
    graze_allocator allocator = plan->allocator;
    const graze_model *model = plan->model;
    grazei_plan_release_pivots(plan);
    grazei_plan_release_clusters(plan);
    void *const all[] = {plan->checked.rows, plan->all.rows, plan->row_bits,
                         plan->nodes,        plan->order,    plan->near_bits,
                         plan->node_bits,    plan->tasks,    plan};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(&allocator, all[i]);
    grazei_model_let_go(model);
}

uint32_t graze_chain_plan_sphere_count(const graze_chain_plan *plan)
{
    return plan ? plan->sphere_count : 0;
}

uint32_t graze_chain_plan_pair_count(const graze_chain_plan *plan, graze_chain_method method)
{
    return plan ? grazei_plan_rows(plan, method)->pair_count : 0;
}
