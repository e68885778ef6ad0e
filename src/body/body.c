#include "body/body.h"

#include "base/memory.h"
#include "base/status.h"
#include "narrow/triangle_lanes.h"

#include <string.h>

/* Memory of one patch's triangle set, rounded up to whole cache lines. */
static uint32_t set_floats_of(const grazei_tree *tree)
{
    uint32_t triangles = tree->def.patch_triangles;
    if (triangles < GRAZEI_LEAST_SET)
        return 0;
    return (uint32_t)((grazei_triangle_set_floats(triangles) + 15) & ~(size_t)15);
}

static uint32_t workspace_rows(const graze_model *model)
{
    uint32_t corners = model->linear.max_corners, joints = model->mesh.joint_count;
    return (corners > joints ? corners : joints) + 3;
}

size_t grazei_body_bytes(const graze_model *model)
{
    const grazei_tree *tree = &model->tree;
    size_t joint = sizeof(f4_map) + (tree->def.volume == GRAZE_SPHERES ? sizeof(float) : 0);
    return sizeof(graze_body) + 2 * model->mesh.joint_count * joint +
           ((size_t)tree->node_count + 3 + tree->patch_count) * sizeof(grazei_bound) +
           tree->patch_vertex_count * (size_t)16 +
           (size_t)tree->patch_count * set_floats_of(tree) * sizeof(float) +
           model->mesh.vertex_count * (size_t)16 + workspace_rows(model) * (size_t)16;
}

static bool allocate(graze_body *body)
{
    const graze_model *model = body->model;
    const graze_allocator *allocator = &model->allocator;
    const grazei_tree *tree = &model->tree;
    bool ok = true;
    for (int i = 0; i < 2; i++) {
        body->joints[i].maps = GRAZEI_ALLOCATE(allocator, model->mesh.joint_count, f4_map);
        ok = ok && body->joints[i].maps;
        if (tree->def.volume == GRAZE_SPHERES) {
            body->joints[i].stretch = GRAZEI_ALLOCATE(allocator, model->mesh.joint_count, float);
            ok = ok && body->joints[i].stretch;
        }
    }
    /* Queries compare four siblings at a time, so three more may be read than there are. */
    body->bounds = GRAZEI_ALLOCATE_ZERO(allocator, (size_t)tree->node_count + 3, grazei_bound);
    body->patches = GRAZEI_ALLOCATE_ZERO(allocator, tree->patch_count, grazei_bound);
    body->vertices = grazei_allocate(allocator, tree->patch_vertex_count, sizeof *body->vertices);
    body->positions = grazei_allocate(allocator, model->mesh.vertex_count, sizeof *body->positions);
    body->workspace = grazei_allocate(allocator, workspace_rows(model), sizeof *body->workspace);
    body->set_floats = set_floats_of(tree);
    if (body->set_floats) {
        body->sets =
            grazei_allocate(allocator, tree->patch_count, body->set_floats * sizeof *body->sets);
        ok = ok && body->sets;
    }
    return ok && body->bounds && body->patches && body->vertices && body->positions &&
           body->workspace;
}

static void new_stamp(graze_body *body)
{
    if (++body->stamp)
        return;
    /* Once in 2^32 poses the stamps start again, and no old one may be taken for new. */
    for (uint32_t n = 0; n < body->model->tree.node_count; n++)
        body->bounds[n].stamp = 0;
    for (uint32_t p = 0; p < body->model->tree.patch_count; p++)
        body->patches[p].stamp = body->patches[p].set_stamp = 0;
    body->eager_stamp = body->refit_stamp = 0;
    body->stamp = 1;
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
    made->model = model;
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
    const graze_allocator *allocator = &body->model->allocator;
    for (int i = 0; i < 2; i++) {
        grazei_release(allocator, body->joints[i].maps);
        grazei_release(allocator, body->joints[i].stretch);
    }
    grazei_release(allocator, body->bounds);
    grazei_release(allocator, body->patches);
    grazei_release(allocator, body->vertices);
    grazei_release(allocator, body->sets);
    grazei_release(allocator, body->positions);
    grazei_release(allocator, body->workspace);
    grazei_release(allocator, body);
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
    if (!model->kernels->prepare(&model->linear, &body->joints[!body->current], pose->joint_count,
                                 pose->joints, pose->layout == GRAZE_ROWS_3X4, pose->placement))
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "a joint matrix or the placement is not finite, or takes vertices "
                           "beyond 1e18");
    body->current = !body->current;
    new_stamp(body);
    return GRAZE_OK;
}

void graze_body_drop_caches(graze_body *body)
{
    new_stamp(body);
}

void grazei_body_pose_all(graze_body *body)
{
    const grazei_stream *stream = &body->model->linear.mesh_stream;
    if (body->eager_stamp == body->stamp)
        return;
    f4 low, high;
    body->model->kernels->pose((const float(*)[4])stream->rest, stream->influences, stream->count,
                               grazei_body_joints(body), stream->vertices, body->positions, &low,
                               &high);
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

void grazei_body_pose_patch(graze_body *body, uint32_t number, graze_stats *stats)
{
    const graze_model *model = body->model;
    const grazei_patch *patch = &model->tree.patches[number];
    const grazei_stream *stream = &model->linear.patch_stream;
    f4 low, high;
    if (body->eager_stamp == body->stamp) {
        gather_patch(body, patch, &low, &high);
    } else {
        model->kernels->pose((const float(*)[4])stream->rest + patch->first_vertex,
                             stream->influences + stream->first_influence[number],
                             patch->vertex_count, grazei_body_joints(body), NULL,
                             body->vertices + patch->first_vertex, &low, &high);
        stats->patches_posed++;
        stats->vertices_posed += patch->vertex_count;
    }
    grazei_bound *box = &body->patches[number];
    uint32_t set_stamp = box->set_stamp;
    grazei_bound_set_box(box, low, high);
    box->stamp = body->stamp;
    box->set_stamp = set_stamp;
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
    body->refit_stamp = body->stamp;
    body->model->refit->refit(&body->model->tree, (const float(*)[4])body->positions, body->stamp,
                              body->bounds);
}

const graze_model *graze_body_model(const graze_body *body)
{
    return body->model;
}
