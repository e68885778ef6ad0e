#include "model/model.h"

#include "base/memory.h"
#include "base/status.h"
#include "math/rounding.h"
#include "records/build.h"

#include <string.h>

graze_tree_def graze_default_tree_def(void)
{
    graze_tree_def def = {
        .volume = GRAZE_BOXES, .refit = GRAZE_REFIT_DEFAULT, .patch_triangles = 64, .arity = 4};
    return def;
}

graze_model_def graze_default_model_def(void)
{
    graze_model_def def = {.tree = graze_default_tree_def(), .self_collision = true};
    return def;
}

static graze_status fill_tree(graze_model *model, const graze_model_def *def,
                              const graze_model *like, graze_error *error)
{
    grazei_mesh *mesh = &model->mesh;
    if (!like)
        return grazei_tree_build(&model->tree, &def->tree, mesh, &model->allocator, error);
    memcpy(mesh->welds, like->mesh.welds, mesh->vertex_count * sizeof *mesh->welds);
    bool ok = grazei_tree_copy(&model->tree, &like->tree, mesh, &model->allocator);
    return ok ? GRAZE_OK : grazei_fail_memory(error);
}

static graze_status fill(graze_model *model, const graze_model_def *def, const graze_model *like,
                         graze_error *error)
{
    graze_status status = grazei_mesh_build(&model->mesh, def, &model->allocator, error);
    if (!status)
        status = fill_tree(model, def, like, error);
    if (!status)
        status = grazei_skin_build(&model->skin, &model->mesh, &model->tree, def, &model->allocator,
                                   error);
    /* Small patches are cheaper to look at than to reason about. */
    if (!status && def->self_collision && grazei_tree_suits_lanes(&model->tree) &&
        !grazei_folds_build(&model->folds, &model->mesh, &model->tree, model->triangles,
                            &model->allocator))
        status = grazei_fail_memory(error);
    if (!status && def->self_collision &&
        !grazei_node_groups_build(&model->node_groups, &model->mesh, &model->tree,
                                  &model->allocator))
        status = grazei_fail_memory(error);
    return status;
}

/* The tree, and which vertices are one, are those of `like`, unless that is NULL. */
static graze_status make(const graze_model_def *def, const graze_model *like, graze_model **model,
                         graze_error *error)
{
    if (!graze_isa_available(def->isa))
        return grazei_fail(error, GRAZE_UNSUPPORTED,
                           "this machine or build does not have instruction set %d", (int)def->isa);
    graze_allocator allocator = def->allocator ? *def->allocator : graze_default_allocator();
    graze_model *made = GRAZEI_ALLOCATE_ZERO(&allocator, 1, graze_model);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = allocator;
    atomic_init(&made->holders, 1);
    made->isa = def->isa == GRAZE_ISA_BEST ? grazei_best_isa() : def->isa;
    made->deformer = def->skinning == GRAZE_SPHERICAL ? GRAZEI_PICK(made->isa, spherical_deformer)
                     : def->skinning == GRAZE_DUAL    ? GRAZEI_PICK(made->isa, dual_deformer)
                                                      : GRAZEI_PICK(made->isa, linear_deformer);
    made->refit = GRAZEI_PICK(made->isa, refit_kernels);
    made->intervals = GRAZEI_PICK(made->isa, interval_kernels);
    made->triangles = GRAZEI_PICK(made->isa, triangle_kernels);
    graze_status status = fill(made, def, like, error);
    if (status)
        graze_model_destroy(made);
    else
        *model = made;
    return status;
}

graze_status graze_model_create(const graze_model_def *def, graze_model **model, graze_error *error)
{
    graze_status status = grazei_check_pointer(def, "the def", error);
    if (!status)
        status = grazei_check_pointer(model, "where the model goes", error);
    if (!status)
        status = grazei_check_rounding(error);
    if (status)
        return status;
    return make(def, NULL, model, error);
}

/* The def of a model that stands still: without influences every vertex follows one joint. */
static graze_model_def frozen_def(const graze_model *model, const float *positions)
{
    const grazei_mesh *mesh = &model->mesh;
    graze_model_def def = graze_default_model_def();
    def.allocator = &model->allocator;
    def.positions = positions;
    def.vertex_count = mesh->vertex_count;
    def.triangles = mesh->triangles;
    def.triangle_count = mesh->triangle_count;
    def.joint_count = 1;
    def.vertex_groups = mesh->vertex_groups;
    def.triangle_groups = mesh->triangle_groups;
    def.group_count = mesh->group_count;
    def.isa = model->isa;
    def.self_collision = false;
    return def;
}

graze_status grazei_model_freeze(const graze_model *model, const float *positions,
                                 graze_model **frozen, graze_error *error)
{
    graze_model_def def = frozen_def(model, positions);
    return make(&def, model, frozen, error);
}

const graze_model *grazei_model_hold(const graze_model *model)
{
    atomic_fetch_add_explicit(&((graze_model *)model)->holders, 1, memory_order_relaxed);
    return model;
}

void grazei_model_let_go(const graze_model *model)
{
    graze_model *held = (graze_model *)model;
    if (atomic_fetch_sub_explicit(&held->holders, 1, memory_order_acq_rel) > 1)
        return;
    graze_allocator allocator = held->allocator;
    grazei_mesh_release(&held->mesh, &allocator);
    grazei_tree_release(&held->tree, &allocator);
    grazei_skin_release(&held->skin, &allocator);
    grazei_folds_release(&held->folds, &allocator);
    grazei_node_groups_release(&held->node_groups, &allocator);
    grazei_release(&allocator, held);
}

void graze_model_destroy(graze_model *model)
{
    if (model)
        grazei_model_let_go(model);
}

size_t grazei_model_tree_bytes(const graze_model *model)
{
    const grazei_tree *tree = &model->tree;
    const grazei_skin *skin = &model->skin;
    size_t a_node = sizeof *tree->nodes + sizeof *tree->node_triangles + sizeof *skin->records +
                    (tree->spheres ? sizeof *tree->spheres : 0);
    const grazei_node_groups *lists = &model->node_groups;
    if (lists->first)
        a_node += sizeof *lists->first + sizeof *lists->counts;
    size_t a_triangle = sizeof *tree->patch_triangles + sizeof *tree->corners;
    return tree->node_count * a_node + model->mesh.triangle_count * a_triangle +
           tree->patch_count * sizeof *tree->patches + lists->count * sizeof *lists->groups +
           tree->patch_vertex_count * sizeof *tree->patch_vertices +
           skin->row_count * sizeof *skin->rows + grazei_stream_bytes(&skin->patch_stream, tree) +
           grazei_skin_extra_bytes(skin, tree) + grazei_folds_bytes(&model->folds, tree);
}

uint32_t graze_model_triangle_group(const graze_model *model, uint32_t triangle)
{
    return model && triangle < model->mesh.triangle_count ? model->mesh.triangle_groups[triangle]
                                                          : 0;
}

uint32_t graze_model_vertex_group(const graze_model *model, uint32_t vertex)
{
    return model && vertex < model->mesh.vertex_count ? model->mesh.vertex_groups[vertex] : 0;
}

void graze_model_triangle(const graze_model *model, uint32_t triangle, uint32_t vertices[3])
{
    if (!model || !vertices || triangle >= model->mesh.triangle_count)
        return;
    for (int c = 0; c < 3; c++)
        vertices[c] = model->mesh.triangles[3 * (size_t)triangle + c];
}
