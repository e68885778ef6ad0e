/* Bodies whose positions are given by the caller instead of computed from a pose. All of them are
 * there from the start, so patches are gathered instead of posed; bounds are refitted bottom-up,
 * all at once, when a query first asks for more than the root: the bounds of the root's children
 * need every vertex already.
 */
#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/mask.h"
#include "body/patches.h"
#include "deform/given.h"

static graze_status check(const graze_body *body, const grazei_given *given,
                          const grazei_given_kernels *kernels, graze_error *error)
{
    uint32_t count = body->model->mesh.vertex_count;
    graze_status status = grazei_check_pointer(given->from, "the array of positions", error);
    if (status)
        return status;
    if (given->count != count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%u positions given, the model has %u vertices",
                           given->count, count);
    if (given->stride < sizeof(float[3]))
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "the stride is %zu bytes; a position takes 12 (0: one behind the other)",
                           given->stride);
    uint32_t bad = kernels->find_bad(given);
    if (bad == count)
        return GRAZE_OK;
    float at[3];
    memcpy(at, given->from + bad * given->stride, sizeof at);
    return grazei_fail(error, GRAZE_BAD_INPUT,
                       "vertex %u is at %g %g %g, which is not finite, or not below 1e18", bad,
                       (double)at[0], (double)at[1], (double)at[2]);
}

/* A lean body keeps those that are given, as nobody else has them. */
bool grazei_body_reserve_positions(graze_body *body)
{
    if (grazei_body_is_lean(body) && !body->own_positions)
        body->own_positions = grazei_allocate(
            &body->model->allocator, body->model->mesh.vertex_count, sizeof *body->own_positions);
    return !grazei_body_is_lean(body) || body->own_positions;
}

/* There is room for them. */
static void take(graze_body *body, const grazei_given *given)
{
    const grazei_given_kernels *kernels = GRAZEI_PICK(body->model->isa, given_kernels);
    bool lean = grazei_body_is_lean(body);
    f4 low, high;
    if (lean)
        grazei_body_give_back(body);
    kernels->take(given, lean ? body->own_positions : body->cache.positions, &low, &high);
    grazei_bound_set_box(&body->whole, low, high);
    body->given = true;
    body->coherent = false;
    grazei_body_forget_earlier(body);
    grazei_body_count_pose(body);
    grazei_body_new_stamp(body);
}

void grazei_body_take_positions(graze_body *body, const float (*positions)[4])
{
    const grazei_given given = {.from = (const unsigned char *)positions,
                                .stride = sizeof *positions,
                                .count = body->model->mesh.vertex_count};
    take(body, &given);
}

graze_status graze_body_set_positions(graze_body *body, const float *positions, size_t stride,
                                      uint32_t vertex_count, graze_error *error)
{
    graze_status status = grazei_body_check_change(body, error);
    if (status)
        return status;
    const grazei_given given = {.from = (const unsigned char *)positions,
                                .stride = stride ? stride : sizeof(float[3]),
                                .count = vertex_count};
    status = check(body, &given, GRAZEI_PICK(body->model->isa, given_kernels), error);
    if (!status && !grazei_body_reserve_positions(body))
        status = grazei_fail_memory(error);
    if (status)
        return status;
    grazei_tell_change(body, (grazei_change){.kind = GRAZEI_TAKES_POSITIONS,
                                             .positions = positions,
                                             .stride = given.stride});
    take(body, &given);
    return GRAZE_OK;
}

/* While the body is shared, others may be reading the root's box: then it stays, and marks are set
 * by those who ask.
 */
static void refit(graze_body *body, graze_stats *stats)
{
    const graze_model *model = body->model;
    const grazei_tree *tree = &model->tree;
    GRAZE_ASSERT(body->given && grazei_body_has(body, &body->positions_mark));
    bool boxes = tree->def.volume == GRAZE_BOXES;
    if (grazei_body_has(body, &body->refit_mark) || !grazei_body_claims(body, &body->refit_mark))
        return;
    model->refit->refit(tree, (const float(*)[4])body->cache.positions, boxes && body->shared,
                        body->cache.bounds);
    stats->nodes_refit += tree->node_count - boxes; /* the root's was counted */
    if (!body->shared) {
        if (grazei_body_is_masked(body))
            grazei_mask_bounds(body, 0, tree->node_count);
        grazei_body_keep_bounds(body);
    }
    grazei_body_keep(body, &body->refit_mark);
}

void grazei_body_bound_given(graze_body *body, uint32_t first, graze_stats *stats)
{
    if (first || body->model->tree.def.volume == GRAZE_SPHERES) {
        refit(body, stats);
        return;
    }
    body->cache.bounds[0] = body->whole;
    stats->nodes_refit++;
}
