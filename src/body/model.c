#include "body/model.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/body.h"
#include "records/build.h"

#include <string.h>

graze_tree_def graze_default_tree_def(void)
{
    graze_tree_def def = {
        .volume = GRAZE_BOXES, .refit = GRAZE_REFIT_DEFAULT, .patch_triangles = 64, .arity = 4};
    return def;
}

graze_tree_def graze_paper_tree_def(void)
{
    graze_tree_def def = {.volume = GRAZE_SPHERES,
                          .refit = GRAZE_REFIT_CORNERS,
                          .patch_triangles = 1,
                          .arity = GRAZEI_MAX_ARITY,
                          .collapse = 0.6f};
    return def;
}

graze_model_def graze_default_model_def(void)
{
    graze_model_def def = {.tree = graze_default_tree_def()};
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
    if (!status && def->self_collision && def->tree.patch_triangles >= GRAZEI_LEAST_SET &&
        !grazei_folds_build(&model->folds, &model->mesh, &model->tree, &model->allocator))
        status = grazei_fail_memory(error);
    return status;
}

graze_status grazei_model_make(const graze_model_def *def, const graze_model *like,
                               graze_model **model, graze_error *error)
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
    atomic_init(&made->destroyed, false);
    made->isa = def->isa == GRAZE_ISA_BEST ? grazei_best_isa() : def->isa;
    made->deformer = def->skinning == GRAZE_SPHERICAL ? GRAZEI_PICK(made->isa, spherical_deformer)
                     : def->skinning == GRAZE_DUAL    ? GRAZEI_PICK(made->isa, dual_deformer)
                                                      : GRAZEI_PICK(made->isa, linear_deformer);
    made->refit = GRAZEI_PICK(made->isa, refit_kernels);
    graze_status status = fill(made, def, like, error);
    if (status)
        graze_model_destroy(made);
    else
        *model = made;
    return status;
}

graze_status graze_model_create(const graze_model_def *def, graze_model **model, graze_error *error)
{
    return grazei_model_make(def, NULL, model, error);
}

void graze_model_destroy(graze_model *model)
{
    if (!model)
        return;
    atomic_store(&model->destroyed, true);
    grazei_mesh_release(&model->mesh, &model->allocator);
    grazei_tree_release(&model->tree, &model->allocator);
    grazei_skin_release(&model->skin, &model->allocator);
    grazei_folds_release(&model->folds, &model->allocator);
    grazei_model_let_go(model);
}

void grazei_model_hold(const graze_model *model)
{
    atomic_fetch_add(&((graze_model *)model)->holders, 1);
}

void grazei_model_let_go(const graze_model *model)
{
    graze_model *held = (graze_model *)model;
    graze_allocator allocator = held->allocator;
    if (atomic_fetch_sub(&held->holders, 1) == 1)
        grazei_release(&allocator, held);
}

static size_t tree_bytes(const graze_model *model)
{
    const grazei_tree *tree = &model->tree;
    const grazei_skin *skin = &model->skin;
    size_t a_node = sizeof *tree->nodes + sizeof *tree->node_triangles + sizeof *skin->records +
                    (tree->spheres ? sizeof *tree->spheres : 0);
    size_t a_triangle = sizeof *tree->patch_triangles + sizeof *tree->corners;
    return tree->node_count * a_node + model->mesh.triangle_count * a_triangle +
           tree->patch_count * sizeof *tree->patches +
           tree->patch_vertex_count * sizeof *tree->patch_vertices +
           skin->row_count * sizeof *skin->rows + grazei_stream_bytes(&skin->patch_stream, tree) +
           grazei_skin_extra_bytes(skin, tree) + grazei_folds_bytes(&model->folds, tree);
}

graze_model_info graze_model_get_info(const graze_model *model)
{
    graze_model_info info = {
        .vertex_count = model->mesh.vertex_count,
        .triangle_count = model->mesh.triangle_count,
        .joint_count = model->mesh.joint_count,
        .group_count = model->mesh.group_count,
        .morph_count = model->mesh.morph_count,
        .skinning = model->skin.kind,
        .joint_set_count = model->mesh.set_count,
        .max_influences = model->mesh.max_influences,
        .node_count = model->tree.node_count,
        .leaf_count = model->tree.patch_count,
        .level_count = model->tree.level_count,
        .binary_node_count = model->tree.binary_node_count,
        .binary_level_count = model->tree.binary_level_count,
        .max_children = model->tree.max_children,
        .tree_bytes = tree_bytes(model),
        .body_bytes = grazei_body_bytes(model),
    };
    return info;
}

uint32_t graze_model_triangle_group(const graze_model *model, uint32_t triangle)
{
    return model->mesh.triangle_groups[triangle];
}

uint32_t graze_model_vertex_group(const graze_model *model, uint32_t vertex)
{
    return model->mesh.vertex_groups[vertex];
}

void graze_model_triangle(const graze_model *model, uint32_t triangle, uint32_t vertices[3])
{
    for (int c = 0; c < 3; c++)
        vertices[c] = model->mesh.triangles[3 * (size_t)triangle + c];
}
