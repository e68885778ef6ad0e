/* What changes a body's pose, and what looks at all of it. */
#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/trace.h"
#include "body/mask.h"
#include "body/patches.h"
#include "math/rounding.h"

#include <graze/body.h>

#include <string.h>

void grazei_body_next_stamp(graze_body *body)
{
    body->stamp += 2;
    if (body->stamp)
        return;
    /* Once in 2^31 poses the stamps start again, and no old mark may be taken for a new one. */
    const grazei_tree *tree = &body->model->tree;
    for (uint32_t n = 0; n < tree->node_count; n++)
        atomic_store_explicit(&body->cache.node_marks[n], 0, memory_order_relaxed);
    for (uint32_t p = 0; p < tree->patch_count; p++)
        for (int m = 0; m < GRAZEI_PATCH_MARKS; m++)
            atomic_store_explicit(&body->cache.patch_marks[p][m], 0, memory_order_relaxed);
    for (uint32_t i = 0; body->cache.slots && i < GRAZEI_SLOTS && i < tree->patch_count; i++)
        body->cache.slots[i].stamp = 0;
    atomic_uint *const single[] = {&body->positions_mark, &body->refit_mark, &body->folds_mark};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        atomic_store_explicit(single[i], 0, memory_order_relaxed);
    body->stamp = 2;
}

void grazei_body_new_stamp(graze_body *body)
{
    GRAZE_ASSERT(!body->users || body->shared == 0);
    body->drop_count++;
    if (!grazei_body_has_cache(body))
        return;
    grazei_body_next_stamp(body);
    if (body->given)
        grazei_body_keep(body, &body->positions_mark);
}

graze_status grazei_body_check_change(const graze_body *body, graze_error *error)
{
    graze_status status = grazei_check_pointer(body, "the body", error);
    if (!status && body->users)
        status = grazei_fail(error, GRAZE_BAD_INPUT,
                             body->shared_by_caller
                                 ? "the body is shared: it may not change until it is not"
                                 : "the body is in use: a query's callback may not change it");
    return status ? status : grazei_check_rounding(error);
}

/* Into room for the next pose, which then is the current one. */
static graze_status take_pose(graze_body *body, const grazei_pose_input *input, graze_error *error)
{
    const graze_model *model = body->model;
    const bool lean = grazei_body_is_lean(body);
    grazei_spare *spare = lean ? grazei_body_take_spare(body) : NULL;
    if (lean && !spare)
        return grazei_fail_memory(error);
    GRAZE_ASSERT(body->current < 2 && (!lean || body->current == 0));
    grazei_joints *next = lean ? &spare->joints : &body->joints[!body->current];
    bool good = model->deformer->prepare(&model->skin, next, input);
    if (lean)
        grazei_body_put_spare(body, spare, good);
    else if (good)
        body->current = !body->current;
    return good ? GRAZE_OK
                : grazei_fail(error, GRAZE_BAD_INPUT,
                              "a joint matrix, morph weight or the placement is not finite, or "
                              "takes vertices beyond 1e18");
}

graze_status graze_body_set_pose(graze_body *body, const graze_pose *pose, graze_error *error)
{
    GRAZEI_ZONE("graze_body_set_pose");
    graze_status status = grazei_body_check_change(body, error);
    if (!status)
        status = grazei_check_pointer(pose, "the pose", error);
    if (!status)
        status = GRAZEI_CHECK_RESERVED(pose, "the pose", error);
    if (status)
        return status;
    const graze_model *model = body->model;
    const bool at_rest = !pose->joints && pose->joint_count == 0;
    if (!pose->joints && !at_rest)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the pose has no joint matrices");
    if (!at_rest && pose->joint_count != model->mesh.joint_count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the pose has %u joints, the model %u",
                           pose->joint_count, model->mesh.joint_count);
    if (pose->layout != GRAZE_ROWS_3X4 && pose->layout != GRAZE_COLUMNS_4X4)
        return grazei_fail(error, GRAZE_BAD_INPUT, "matrix layout %d is unknown",
                           (int)pose->layout);
    if (pose->morph_weights && pose->morph_count != model->mesh.morph_count)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "the pose has %u morph weights, the model %u "
                           "targets",
                           pose->morph_count, model->mesh.morph_count);
    /* The identity in either layout. */
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const bool rows = pose->layout == GRAZE_ROWS_3X4;
    grazei_pose_input input = {.joint_count = model->mesh.joint_count,
                               .matrices = at_rest ? identity : pose->joints,
                               .step = at_rest ? 0
                                       : rows  ? 12
                                               : 16,
                               .rows = rows,
                               .placement = pose->placement,
                               .morph_weights = pose->morph_weights};
    grazei_tell_change(body, (grazei_change){.kind = GRAZEI_TAKES_POSE, .pose = pose});
    status = take_pose(body, &input, error);
    if (status)
        return status;
    grazei_body_give_back(body);
    body->given = body->coherent = false;
    grazei_body_forget_earlier(body);
    grazei_body_count_pose(body);
    grazei_body_new_stamp(body);
    grazei_body_renew_box(body);
    return GRAZE_OK;
}

void graze_body_drop_caches(graze_body *body)
{
    if (!body || body->users)
        return;
    grazei_tell_change(body, (grazei_change){.kind = GRAZEI_DROPS_CACHES});
    grazei_body_give_back(body);
    grazei_body_new_stamp(body);
}

/* Without the stream, which sorts vertices: as they are numbered, some at a time. */
static void pose_as_numbered(const graze_body *body, float (*positions)[4], f4 *low, f4 *high)
{
    enum { AT_ONCE = 64 };
    const graze_model *model = body->model;
    float rest[AT_ONCE][4] __attribute__((aligned(16)));
    uint32_t vertices[AT_ONCE], all = model->mesh.vertex_count;
    *low = f4_all(INFINITY);
    *high = f4_all(-INFINITY);
    GRAZE_ASSERT(!model->mesh.morph_count);
    for (uint32_t first = 0; first < all; first += AT_ONCE) {
        uint32_t count = all - first < AT_ONCE ? all - first : AT_ONCE;
        for (uint32_t i = 0; i < count; i++) {
            vertices[i] = first + i;
            f4_store(rest[i], f4_load3(model->mesh.positions + 3 * (size_t)(first + i)));
        }
        model->deformer->pose_chosen(&model->skin, grazei_body_joints(body), vertices, count,
                                     (const float(*)[4])rest, positions + first);
        for (uint32_t v = first; v < first + count; v++) {
            *low = f4_min(*low, f4_load(positions[v]));
            *high = f4_max(*high, f4_load(positions[v]));
        }
    }
}

void grazei_body_pose_mesh(const graze_body *body, float (*morphed)[4], float (*positions)[4],
                           f4 *low, f4 *high)
{
    const graze_model *model = body->model;
    const grazei_stream *stream = grazei_model_stream(model);
    const grazei_joints *joints = grazei_body_joints(body);
    if (!stream) {
        pose_as_numbered(body, positions, low, high);
        return;
    }
    GRAZE_ASSERT(!body->given && stream->count == model->mesh.vertex_count);
    grazei_batch_in batch = {(const float(*)[4])stream->rest, stream->influences, stream->sets,
                             stream->count, stream->vertices};
    if (model->mesh.morph_count) {
        grazei_morph_apply(&model->skin.morph.mesh, 0, model->skin.morph.mesh.run_count,
                           joints->morph_weights, batch.rest, batch.count, morphed);
        batch.rest = (const float(*)[4])morphed;
    }
    model->deformer->pose(&model->skin, joints, &batch, positions, low, high);
}

void grazei_body_pose_all(graze_body *body)
{
    if (grazei_body_has(body, &body->positions_mark) ||
        !grazei_body_claims(body, &body->positions_mark))
        return;
    f4 low, high;
    grazei_body_pose_mesh(body, body->cache.morphed, body->cache.positions, &low, &high);
    grazei_bound_set_box(&body->whole, low, high);
    grazei_body_keep(body, &body->positions_mark);
}

grazei_posed_mesh grazei_body_mesh_posed(graze_body *body, graze_stats *stats)
{
    const grazei_mesh *mesh = &body->model->mesh;
    grazei_body_pose_all(body);
    if (stats)
        stats->vertices_posed += mesh->vertex_count;
    return (grazei_posed_mesh){.points = (const float(*)[4])body->cache.positions,
                               .triangles = mesh->triangles,
                               .groups = mesh->triangle_parts,
                               .mask = grazei_body_mask(body),
                               .point_count = mesh->vertex_count,
                               .triangle_count = mesh->triangle_count,
                               .box = &body->whole};
}

void graze_body_get_positions(graze_body *body, float *positions)
{
    if (!body || !positions)
        return;
    const uint32_t count = body->model->mesh.vertex_count;
    if (grazei_body_ready(body, NULL)) {
        for (size_t i = 0; i < 3 * (size_t)count; i++)
            positions[i] = NAN;
        return;
    }
    grazei_body_pose_all(body);
    for (uint32_t v = 0; v < count; v++)
        memcpy(positions + 3 * (size_t)v, body->cache.positions[v], 3 * sizeof(float));
}

void grazei_body_refit_all(graze_body *body)
{
    if (body->shared || grazei_body_ready(body, NULL) || grazei_body_has(body, &body->refit_mark))
        return;
    const grazei_tree *tree = &body->model->tree;
    grazei_body_pose_all(body);
    grazei_body_forget_earlier(body);
    body->model->refit->refit(tree, (const float(*)[4])body->cache.positions, 0,
                              body->cache.bounds);
    if (grazei_body_is_masked(body))
        grazei_mask_bounds(body, 0, tree->node_count);
    grazei_body_keep_bounds(body);
    grazei_body_keep(body, &body->refit_mark);
}

graze_status graze_body_freeze(graze_body *body, graze_model **model, graze_error *error)
{
    graze_status status = grazei_check_pointer(body, "the body", error);
    if (!status)
        status = grazei_check_pointer(model, "where the model goes", error);
    if (!status)
        status = grazei_body_ready(body, error);
    if (status)
        return status;
    GRAZEI_ZONE("graze_body_freeze");
    const graze_model *own = body->model;
    float *positions = GRAZEI_ALLOCATE(&own->allocator, 3 * (size_t)own->mesh.vertex_count, float);
    if (!positions)
        return grazei_fail_memory(error);
    graze_body_get_positions(body, positions);
    status = grazei_model_freeze(own, positions, model, error);
    grazei_release(&own->allocator, positions);
    return status;
}
