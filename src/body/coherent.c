/* Spheres that outlive small changes of morph weights (D. L. James and D. K. Pai, "BD-Tree", 2004,
 * section 3.5): after the weights have moved by dq, every vertex of a node is within |dq| dR of
 * where it was, dR the largest norm of a vertex's fields, so a sphere enlarged by that still holds
 * it.
 *
 * The weights' way is summed up in one number, so that each sphere may have been found at a
 * different time: the way since then is at least the distance.
 */
#include "body/body.h"

#include "base/assert.h"
#include "base/status.h"
#include "math/rounding.h"

#define MAX_GROWTH 0.25f

static float distance(const float *a, const float *b, uint32_t count)
{
    double sum = 0;
    for (uint32_t m = 0; m < count; m++)
        sum += ((double)a[m] - b[m]) * ((double)a[m] - b[m]);
    return grazei_round_up(sqrt(sum) * (1 + 0x1p-40));
}

static float most_stretch(const graze_body *body)
{
    const grazei_joints *joints = grazei_body_joints(body);
    float most = 0;
    for (uint32_t j = 0; j < body->model->mesh.joint_count; j++)
        most = f1_max(most, joints->stretch[j]);
    return most;
}

graze_status graze_body_set_morph_weights(graze_body *body, const float *weights, uint32_t count,
                                          bool coherent, graze_error *error)
{
    graze_status status = grazei_body_check_change(body, error);
    if (status)
        return status;
    const graze_model *model = body->model;
    grazei_joints *joints = &body->joints[body->current];
    if (!weights || count != model->mesh.morph_count)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "%u morph weights given, the model has %u targets", weights ? count : 0,
                           model->mesh.morph_count);
    if (body->given)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "the body's positions were given: morph weights need a pose");
    grazei_tell_change(
        body,
        (grazei_change){.kind = GRAZEI_TAKES_WEIGHTS, .weights = weights, .coherent = coherent});
    float moved = distance(weights, joints->morph_weights, count);
    if (!model->deformer->reweigh(&model->skin, joints, model->mesh.joint_count, weights))
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "a morph weight is not finite, or takes vertices beyond 1e18");
    body->coherent = coherent && joints->stretch && model->deformer->blends_maps;
    if (body->coherent) {
        body->drift = grazei_round_up((double)body->drift + moved);
        body->most_stretch = most_stretch(body);
    } else {
        grazei_body_give_back(body);
        grazei_body_forget_earlier(body);
    }
    grazei_body_count_pose(body);
    grazei_body_new_stamp(body);
    return GRAZE_OK;
}

void grazei_body_forget_earlier(graze_body *body)
{
    body->coherent_epoch++;
    body->drift = 0;
}

/* The sphere of earlier weights, if it is there and would not grow too much. */
static bool enlarge(const graze_body *body, uint32_t node, grazei_bound *bound)
{
    if (bound->base_epoch != body->coherent_epoch)
        return false;
    const grazei_joints *joints = grazei_body_joints(body);
    float way = (body->drift - bound->base_drift) * (1 + 4 * GRAZEI_UNIT);
    float growth = body->model->skin.morph.node_drift[node] * body->most_stretch * way;
    GRAZE_ASSERT(way >= 0 && body->drift >= bound->base_drift);
    if (!(growth <= MAX_GROWTH * bound->base_radius))
        return false;
    /* What rounding can add beyond what the base radius has for it already. */
    float rounding = joints->magnitude_length * (joints->morph_error + 64 * GRAZEI_UNIT);
    bound->radius = (bound->base_radius + growth + rounding) * (1 + 8 * GRAZEI_UNIT);
    return true;
}

void grazei_body_bound_coherent(graze_body *body, uint32_t first, uint32_t count,
                                graze_stats *stats)
{
    const graze_model *model = body->model;
    for (uint32_t n = first; n < first + count; n++) {
        GRAZE_ASSERT(body->coherent && n < model->tree.node_count);
        grazei_bound *bound = &body->cache.bounds[n];
        if (enlarge(body, n, bound)) {
            stats->nodes_enlarged++;
        } else {
            model->deformer->bound(&model->skin, grazei_body_joints(body), n, 1, body->cache.bounds,
                                   body->workspace);
            bound->base_radius = bound->radius;
            bound->base_drift = body->drift;
            bound->base_epoch = body->coherent_epoch;
            stats->nodes_refit++;
        }
    }
}
