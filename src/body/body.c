#include "body/body.h"

#include "base/memory.h"
#include "base/status.h"
#include "narrow/triangle_kernels.h"

#include <string.h>

/* Memory of one patch's triangle set, rounded up to whole cache lines. */
static uint32_t set_floats_of(const grazei_tree *tree)
{
    if (!grazei_tree_suits_lanes(tree))
        return 0;
    return (uint32_t)((grazei_triangle_set_floats(tree->def.patch_triangles) + 15) & ~(size_t)15);
}

static size_t row_floats_of(const grazei_tree *tree)
{
    return 3 * (tree->patch_vertex_count + 16 * (size_t)tree->patch_count);
}

static uint32_t workspace_rows(const graze_model *model)
{
    uint32_t corners = model->skin.max_corners, joints = model->mesh.joint_count;
    return (corners > joints ? corners : joints) + 3;
}

static size_t joints_bytes(const graze_model *model)
{
    const grazei_mesh *mesh = &model->mesh;
    size_t joint = sizeof(f4_map), bytes = mesh->morph_count * sizeof(float);
    if (model->tree.def.volume == GRAZE_SPHERES)
        joint += sizeof(float);
    if (model->skin.kind != GRAZE_LINEAR)
        joint += 2 * sizeof(f4) + 2 * sizeof(f4_map) + sizeof(float);
    if (model->skin.kind != GRAZE_LINEAR) /* a count of 0 takes the room of 1 */
        bytes += (model->skin.blend.pair_count ? model->skin.blend.pair_count : 1) *
                     sizeof(grazei_pair_pose) +
                 mesh->set_count * sizeof(grazei_set_pose);
    if (model->skin.kind == GRAZE_SPHERICAL)
        bytes += mesh->set_offsets[mesh->set_count] * sizeof(f4);
    return bytes + mesh->joint_count * joint;
}

/* Of nodes, patches and shells. */
static size_t mark_count(const grazei_tree *tree)
{
    return (size_t)tree->node_count + 2 * (size_t)tree->patch_count;
}

size_t grazei_body_bytes(const graze_model *model)
{
    const grazei_tree *tree = &model->tree;
    size_t vertices = tree->patch_vertex_count + (size_t)model->mesh.vertex_count;
    if (model->mesh.morph_count)
        vertices += model->mesh.vertex_count;
    return sizeof(graze_body) + 2 * joints_bytes(model) +
           ((size_t)tree->node_count + 3 + tree->patch_count) * sizeof(grazei_bound) +
           (size_t)tree->patch_count * set_floats_of(tree) * sizeof(float) +
           (set_floats_of(tree)
                ? tree->patch_count * (2 * sizeof(uint32_t) + sizeof(grazei_patch_shell)) +
                      row_floats_of(tree) * sizeof(float)
                : 0) +
           mark_count(tree) * sizeof(atomic_uint) + (vertices + workspace_rows(model)) * 16 +
           (model->folds.node_folds ? model->folds.pair_count * sizeof(grazei_fold_pair) : 0);
}

static bool allocate_joints(const graze_model *model, grazei_joints *joints)
{
    const graze_allocator *allocator = &model->allocator;
    const grazei_mesh *mesh = &model->mesh;
    bool ok = (joints->maps = GRAZEI_ALLOCATE(allocator, mesh->joint_count, f4_map)) != NULL;
    if (model->tree.def.volume == GRAZE_SPHERES)
        ok = (joints->stretch = GRAZEI_ALLOCATE(allocator, mesh->joint_count, float)) && ok;
    if (mesh->morph_count)
        ok = (joints->morph_weights = GRAZEI_ALLOCATE(allocator, mesh->morph_count, float)) && ok;
    if (model->skin.kind != GRAZE_LINEAR) {
        joints->rotations = GRAZEI_ALLOCATE(allocator, mesh->joint_count, f4);
        joints->duals = GRAZEI_ALLOCATE(allocator, mesh->joint_count, f4);
        joints->pair_poses =
            GRAZEI_ALLOCATE_ZERO(allocator, model->skin.blend.pair_count, grazei_pair_pose);
        joints->scales = GRAZEI_ALLOCATE(allocator, mesh->joint_count, f4_map);
        joints->given = GRAZEI_ALLOCATE(allocator, mesh->joint_count, f4_map);
        joints->scale_stretch = GRAZEI_ALLOCATE(allocator, mesh->joint_count, float);
        ok = joints->rotations && joints->duals && joints->pair_poses && joints->scales &&
             joints->given && joints->scale_stretch && ok;
    }
    if (model->skin.kind != GRAZE_LINEAR) {
        joints->set_poses = GRAZEI_ALLOCATE_ZERO(allocator, mesh->set_count, grazei_set_pose);
        ok = joints->set_poses && ok;
    }
    if (model->skin.kind == GRAZE_SPHERICAL) {
        joints->set_images = GRAZEI_ALLOCATE(allocator, mesh->set_offsets[mesh->set_count], f4);
        ok = joints->set_images && ok;
    }
    return ok;
}

static void release_joints(const graze_allocator *allocator, grazei_joints *joints)
{
    grazei_release(allocator, joints->maps);
    grazei_release(allocator, joints->stretch);
    grazei_release(allocator, joints->morph_weights);
    grazei_release(allocator, joints->rotations);
    grazei_release(allocator, joints->duals);
    grazei_release(allocator, joints->pair_poses);
    grazei_release(allocator, joints->scales);
    grazei_release(allocator, joints->given);
    grazei_release(allocator, joints->scale_stretch);
    grazei_release(allocator, joints->set_poses);
    grazei_release(allocator, joints->set_images);
}

static bool allocate(graze_body *body)
{
    const graze_model *model = body->model;
    const graze_allocator *allocator = &model->allocator;
    const grazei_tree *tree = &model->tree;
    bool ok = allocate_joints(model, &body->joints[0]) && allocate_joints(model, &body->joints[1]);
    if (model->mesh.morph_count) {
        body->morphed = grazei_allocate(allocator, model->mesh.vertex_count, sizeof *body->morphed);
        ok = ok && body->morphed;
    }
    /* Queries compare four siblings at a time, so three more may be read than there are. */
    body->bounds = GRAZEI_ALLOCATE_ZERO(allocator, (size_t)tree->node_count + 3, grazei_bound);
    body->patches = GRAZEI_ALLOCATE_ZERO(allocator, tree->patch_count, grazei_bound);
    body->vertices = grazei_allocate(allocator, tree->patch_vertex_count, sizeof *body->vertices);
    body->positions = grazei_allocate(allocator, model->mesh.vertex_count, sizeof *body->positions);
    body->workspace = grazei_allocate(allocator, workspace_rows(model), sizeof *body->workspace);
    if (model->folds.node_folds) {
        body->fold_pairs = GRAZEI_ALLOCATE(allocator, model->folds.pair_count, grazei_fold_pair);
        ok = ok && body->fold_pairs;
    }
    body->set_floats = set_floats_of(tree);
    if (body->set_floats) {
        body->sets =
            grazei_allocate(allocator, tree->patch_count, body->set_floats * sizeof *body->sets);
        body->set_stamps = GRAZEI_ALLOCATE_ZERO(allocator, tree->patch_count, uint32_t);
        body->box_stamps = GRAZEI_ALLOCATE_ZERO(allocator, tree->patch_count, uint32_t);
        body->shells = GRAZEI_ALLOCATE_ZERO(allocator, tree->patch_count, grazei_patch_shell);
        body->rows = GRAZEI_ALLOCATE(allocator, row_floats_of(tree), float);
        ok = ok && body->sets && body->set_stamps && body->box_stamps && body->shells && body->rows;
    }
    body->node_marks = GRAZEI_ALLOCATE_ZERO(allocator, mark_count(tree), atomic_uint);
    if (body->node_marks) {
        body->patch_marks = body->node_marks + tree->node_count;
        body->shell_marks = body->patch_marks + tree->patch_count;
    }
    return ok && body->bounds && body->patches && body->vertices && body->positions &&
           body->workspace && body->node_marks;
}

void grazei_body_new_stamp(graze_body *body)
{
    if (++body->stamp)
        return;
    /* Once in 2^32 poses the stamps start again, and no old one may be taken for new. */
    for (uint32_t n = 0; n < body->model->tree.node_count; n++)
        body->bounds[n].stamp = 0;
    for (uint32_t p = 0; p < body->model->tree.patch_count; p++)
        body->patches[p].stamp = 0;
    for (uint32_t p = 0; body->sets && p < body->model->tree.patch_count; p++)
        body->set_stamps[p] = body->box_stamps[p] = body->shells[p].stamp = 0;
    body->eager_stamp = body->refit_stamp = 0;
    body->stamp = 1;
}

void grazei_body_share(graze_body *body)
{
    if (body->share)
        return;
    body->last_share += 2;
    if (!body->last_share) {
        for (size_t m = 0; m < mark_count(&body->model->tree); m++)
            atomic_store_explicit(&body->node_marks[m], 0, memory_order_relaxed);
        body->last_share = 2;
    }
    body->share = body->last_share;
}

void grazei_body_unshare(graze_body *body)
{
    body->share = 0;
}

static graze_status set_rest_pose(graze_body *body, graze_error *error)
{
    const graze_allocator *allocator = &body->model->allocator;
    uint32_t count = body->model->mesh.joint_count;
    float *identity = GRAZEI_ALLOCATE_ZERO(allocator, 12 * (size_t)count, float);
    if (!identity)
        return grazei_fail_memory(error);
    for (uint32_t j = 0; j < count; j++)
        for (int k = 0; k < 3; k++)
            identity[12 * (size_t)j + 5 * k] = 1;
    graze_pose pose = {.joints = identity, .joint_count = count, .layout = GRAZE_ROWS_3X4};
    graze_status status = graze_body_set_pose(body, &pose, error);
    grazei_release(allocator, identity);
    return status;
}

graze_status graze_body_create(const graze_model *model, graze_body **body, graze_error *error)
{
    graze_body *made = GRAZEI_ALLOCATE_ZERO(&model->allocator, 1, graze_body);
    if (!made)
        return grazei_fail_memory(error);
    made->model = grazei_model_hold(model);
    graze_status status = allocate(made) ? set_rest_pose(made, error) : grazei_fail_memory(error);
    if (status)
        graze_body_destroy(made);
    else
        *body = made;
    return status;
}

void graze_body_destroy(graze_body *body)
{
    if (!body)
        return;
    const graze_model *model = body->model;
    const graze_allocator *allocator = &model->allocator;
    release_joints(allocator, &body->joints[0]);
    release_joints(allocator, &body->joints[1]);
    grazei_release(allocator, body->morphed);
    grazei_release(allocator, body->bounds);
    grazei_release(allocator, body->patches);
    grazei_release(allocator, body->vertices);
    grazei_release(allocator, body->sets);
    grazei_release(allocator, body->set_stamps);
    grazei_release(allocator, body->box_stamps);
    grazei_release(allocator, body->shells);
    grazei_release(allocator, body->rows);
    grazei_release(allocator, body->node_marks);
    grazei_release(allocator, body->positions);
    grazei_release(allocator, body->workspace);
    grazei_release(allocator, body->fold_pairs);
    grazei_release(allocator, body);
    grazei_model_let_go(model);
}

graze_status graze_body_set_pose(graze_body *body, const graze_pose *pose, graze_error *error)
{
    const graze_model *model = body->model;
    if (!pose->joints)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the pose has no joint matrices");
    if (pose->joint_count != model->mesh.joint_count)
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
    grazei_pose_input input = {.joint_count = pose->joint_count,
                               .matrices = pose->joints,
                               .rows = pose->layout == GRAZE_ROWS_3X4,
                               .placement = pose->placement,
                               .morph_weights = pose->morph_weights};
    if (!model->deformer->prepare(&model->skin, &body->joints[!body->current], &input))
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "a joint matrix, morph weight or the placement is not finite, or takes "
                           "vertices beyond 1e18");
    body->current = !body->current;
    body->coherent = false;
    grazei_body_forget_earlier(body);
    body->pose_count++;
    grazei_body_new_stamp(body);
    return GRAZE_OK;
}

void graze_body_drop_caches(graze_body *body)
{
    grazei_body_new_stamp(body);
}

void grazei_body_pose_all(graze_body *body)
{
    const graze_model *model = body->model;
    const grazei_stream *stream = &model->skin.mesh_stream;
    const grazei_joints *joints = grazei_body_joints(body);
    if (body->eager_stamp == body->stamp)
        return;
    grazei_batch_in batch = {(const float(*)[4])stream->rest, stream->influences, stream->sets,
                             stream->count, stream->vertices};
    if (body->morphed) {
        grazei_morph_apply(&model->skin.morph.mesh, 0, model->skin.morph.mesh.run_count,
                           joints->morph_weights, batch.rest, batch.count, body->morphed);
        batch.rest = (const float(*)[4])body->morphed;
    }
    f4 low, high;
    model->deformer->pose(&model->skin, joints, &batch, body->positions, &low, &high);
    grazei_bound_set_box(&body->whole, low, high);
    body->eager_stamp = body->stamp;
}

/* Copies a patch's vertices from positions that are there already. */
static void gather_patch(graze_body *body, const grazei_patch *patch, f4 *low, f4 *high)
{
    const uint32_t *vertices = body->model->tree.patch_vertices + patch->first_vertex;
    *low = f4_all(INFINITY);
    *high = f4_all(-INFINITY);
    for (uint32_t i = 0; i < patch->vertex_count; i++) {
        f4 position = f4_load(body->positions[vertices[i]]);
        f4_store(body->vertices[patch->first_vertex + i], position);
        *low = f4_min(*low, position);
        *high = f4_max(*high, position);
    }
}

/* Computes a patch's vertices from the pose. */
static void pose_patch(graze_body *body, uint32_t number, f4 *low, f4 *high)
{
    const graze_model *model = body->model;
    const grazei_patch *patch = &model->tree.patches[number];
    const grazei_stream *stream = &model->skin.patch_stream;
    const grazei_joints *joints = grazei_body_joints(body);
    grazei_batch_in batch = {(const float(*)[4])stream->rest + patch->first_vertex,
                             stream->influences + stream->first_influence[number],
                             stream->sets + patch->first_vertex, patch->vertex_count, NULL};
    float morphed[GRAZEI_MAX_PATCH_VERTICES][4] __attribute__((aligned(64)));
    if (body->morphed) {
        const grazei_morph_list *list = &model->skin.morph.patches;
        uint32_t first = list->first_run[number], end = list->first_run[number + 1];
        if (first < end) {
            grazei_morph_apply(list, first, end, joints->morph_weights, batch.rest, batch.count,
                               morphed);
            batch.rest = (const float(*)[4])morphed;
        }
    }
    model->deformer->pose(&model->skin, joints, &batch, body->vertices + patch->first_vertex, low,
                          high);
}

static void compute_patch(graze_body *body, uint32_t number, graze_stats *stats)
{
    const grazei_patch *patch = &body->model->tree.patches[number];
    f4 low, high;
    if (body->eager_stamp == body->stamp) {
        gather_patch(body, patch, &low, &high);
    } else {
        pose_patch(body, number, &low, &high);
        stats->patches_posed++;
        stats->vertices_posed += patch->vertex_count;
    }
    grazei_bound_set_box(&body->patches[number], low, high);
    body->patches[number].stamp = body->stamp;
}

void grazei_body_pose_patch(graze_body *body, uint32_t number, graze_stats *stats)
{
    if (!body->share) {
        compute_patch(body, number, stats);
    } else if (grazei_mark_claim(&body->patch_marks[number], body->share)) {
        if (body->patches[number].stamp != body->stamp)
            compute_patch(body, number, stats);
        grazei_mark_set(&body->patch_marks[number], body->share);
    }
}

bool grazei_body_claims(graze_body *body, atomic_uint *mark, const uint32_t *stamp)
{
    if (!grazei_mark_claim(mark, body->share))
        return false;
    if (*stamp != body->stamp)
        return true;
    grazei_mark_set(mark, body->share);
    return false;
}

static void compute_bounds(graze_body *body, uint32_t first, uint32_t count, graze_stats *stats)
{
    if (body->coherent) {
        grazei_body_bound_coherent(body, first, count, stats);
        return;
    }
    body->model->deformer->bound(&body->model->skin, grazei_body_joints(body), first, count,
                                 body->bounds, body->workspace);
    for (uint32_t n = first; n < first + count; n++)
        body->bounds[n].stamp = body->stamp;
    stats->nodes_refit += count;
}

void grazei_body_bound_siblings(graze_body *body, uint32_t first, uint32_t count,
                                graze_stats *stats)
{
    if (!body->share) {
        compute_bounds(body, first, count, stats);
        return;
    }
    if (!grazei_mark_claim(&body->node_marks[first], body->share))
        return;
    if (body->bounds[first].stamp != body->stamp) {
        /* Boxes need no workspace. */
        bool locks = body->model->tree.def.volume == GRAZE_SPHERES;
        if (locks)
            grazei_lock_take(&body->workspace_lock);
        compute_bounds(body, first, count, stats);
        if (locks)
            grazei_lock_release(&body->workspace_lock);
    }
    grazei_mark_set(&body->node_marks[first], body->share);
}

void graze_body_get_positions(graze_body *body, float *positions)
{
    grazei_body_pose_all(body);
    for (uint32_t v = 0; v < body->model->mesh.vertex_count; v++)
        memcpy(positions + 3 * (size_t)v, body->positions[v], 3 * sizeof(float));
}

void graze_body_refit_all(graze_body *body)
{
    if (body->refit_stamp == body->stamp)
        return;
    grazei_body_pose_all(body);
    grazei_body_forget_earlier(body);
    body->refit_stamp = body->stamp;
    body->model->refit->refit(&body->model->tree, (const float(*)[4])body->positions, body->stamp,
                              body->bounds);
}

const graze_model *graze_body_model(const graze_body *body)
{
    return body->model;
}
