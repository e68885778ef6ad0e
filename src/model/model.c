#include "model/model.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/trace.h"
#include "math/rounding.h"
#include "model/later.h"
#include "records/build.h"

#include <string.h>

/* What is taken over from another model of the same triangles. */
typedef struct likeness {
    const uint32_t *welds;
    const grazei_tree *tree; /* NULL: it is built */
} likeness;

static graze_status fill_tree(graze_model *model, const graze_model_def *def, const likeness *like,
                              graze_error *error)
{
    GRAZEI_ZONE("tree");
    grazei_mesh *mesh = &model->mesh;
    if (like)
        memcpy(mesh->welds, like->welds, mesh->vertex_count * sizeof *mesh->welds);
    if (!like || !like->tree)
        return grazei_tree_build(&model->tree, &def->tree, mesh, &model->allocator, error);
    bool ok = grazei_tree_copy(&model->tree, like->tree, mesh, &model->allocator);
    return ok ? GRAZE_OK : grazei_fail_memory(error);
}

static graze_status fill_mesh(graze_model *model, const graze_model_def *def, graze_error *error)
{
    GRAZEI_ZONE("mesh");
    return grazei_mesh_build(&model->mesh, def, &model->allocator, error);
}

static graze_status fill_skin(graze_model *model, const graze_model_def *def, graze_error *error)
{
    GRAZEI_ZONE("skin");
    graze_status status =
        grazei_skin_build(&model->skin, &model->mesh, &model->tree, def, &model->allocator, error);
    if (!status && def->on_demand && grazei_skin_has_outline(&model->skin))
        atomic_init(&model->later.outline, GRAZEI_LATER);
    if (!status && def->on_demand && !model->skin.mesh_stream.rest)
        atomic_init(&model->later.stream, GRAZEI_LATER);
    return status;
}

static graze_status pose_rest(graze_model *model, graze_error *error)
{
    GRAZEI_ZONE("rest");
    return grazei_model_pose_rest(model, error);
}

/* What self-collision needs. */
static graze_status fill_folds(graze_model *model, const graze_model_def *def, graze_error *error)
{
    GRAZEI_ZONE("folds");
    /* Small patches are cheaper to look at than to reason about. */
    bool suits = grazei_tree_suits_lanes(&model->tree);
    if (def->on_demand)
        atomic_init(&model->later.folds, suits ? GRAZEI_LATER : GRAZEI_IS_THERE);
    bool ok = !suits || def->on_demand ||
              grazei_folds_build(&model->folds, &model->mesh, &model->tree, model->triangles,
                                 &model->allocator);
    ok = ok && grazei_node_groups_build(&model->node_groups, &model->mesh, &model->tree,
                                        &model->allocator);
    return ok ? GRAZE_OK : grazei_fail_memory(error);
}

static graze_status fill(graze_model *model, const graze_model_def *def, const likeness *like,
                         graze_error *error)
{
    model->mesh.takes_weights = like != NULL;
    graze_status status = fill_mesh(model, def, error);
    if (!status)
        status = fill_tree(model, def, like, error);
    if (!status)
        status = fill_skin(model, def, error);
    if (!status)
        status = pose_rest(model, error);
    if (!status && !def->no_self_collision)
        status = fill_folds(model, def, error);
    return status;
}

/* like NULL: nothing is taken over. */
static graze_status make(const graze_model_def *def, const likeness *like, graze_model **model,
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
    made->deformer = grazei_deformer_of(def->skinning, made->isa);
    made->refit = GRAZEI_PICK(made->isa, refit_kernels);
    made->intervals = GRAZEI_PICK(made->isa, interval_kernels);
    made->triangles = GRAZEI_PICK(made->isa, triangle_kernels);
    graze_status status = fill(made, def, like, error);
    GRAZE_ASSERT(status || grazei_model_validate(made, NULL) == GRAZE_OK);
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
    if (!status)
        status = GRAZEI_CHECK_RESERVED(def, "the model def", error);
    if (status)
        return status;
    GRAZEI_ZONE("graze_model_create");
    graze_model_def filled = *def;
    filled.joint_count = def->joint_count ? def->joint_count : 1;
    return make(&filled, NULL, model, error);
}

/* The def of a model that stands still: without influences every vertex follows one joint. */
static graze_model_def frozen_def(const graze_model *model, const float *positions)
{
    const grazei_mesh *mesh = &model->mesh;
    graze_model_def def = {0};
    def.allocator = &model->allocator;
    def.positions = positions;
    def.vertex_count = mesh->vertex_count;
    def.triangles = mesh->triangles;
    def.triangle_count = mesh->triangle_count;
    def.joint_count = 1;
    def.vertex_parts = mesh->vertex_parts;
    def.triangle_parts = mesh->triangle_parts;
    def.part_count = mesh->part_count;
    def.isa = model->isa;
    def.no_self_collision = true;
    return def;
}

graze_status grazei_model_freeze(const graze_model *model, const float *positions,
                                 graze_model **frozen, graze_error *error)
{
    graze_model_def def = frozen_def(model, positions);
    const likeness like = {.welds = model->mesh.welds, .tree = &model->tree};
    return make(&def, &like, frozen, error);
}

graze_status grazei_model_remake(const graze_model_def *def, const uint32_t *welds,
                                 graze_model **model, graze_error *error)
{
    const likeness like = {.welds = welds};
    graze_status status = grazei_check_rounding(error);
    return status ? status : make(def, &like, model, error);
}

const graze_model *grazei_model_hold(const graze_model *model)
{
    graze_model *held = grazei_unconst(model);
    atomic_fetch_add_explicit(&held->holders, 1, memory_order_relaxed);
    return model;
}

void grazei_model_let_go(const graze_model *model)
{
    graze_model *held = grazei_unconst(model);
    GRAZE_ASSERT(atomic_load_explicit(&held->holders, memory_order_relaxed) > 0);
    if (atomic_fetch_sub_explicit(&held->holders, 1, memory_order_acq_rel) > 1)
        return;
    const grazei_listener *listener = grazei_listening();
    if (listener)
        listener->frees(model);
    graze_allocator allocator = held->allocator;
    grazei_model_drop_work(held);
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
           grazei_skin_extra_bytes(skin, tree) +
           grazei_folds_bytes(grazei_model_folds(model), tree);
}

uint32_t graze_model_triangle_part(const graze_model *model, uint32_t triangle)
{
    return model && triangle < model->mesh.triangle_count ? model->mesh.triangle_parts[triangle]
                                                          : 0;
}

uint32_t graze_model_vertex_part(const graze_model *model, uint32_t vertex)
{
    return model && vertex < model->mesh.vertex_count ? model->mesh.vertex_parts[vertex] : 0;
}

void graze_model_triangle(const graze_model *model, uint32_t triangle, uint32_t vertices[3])
{
    if (!model || !vertices || triangle >= model->mesh.triangle_count)
        return;
    for (uint32_t c = 0; c < 3; c++)
        vertices[c] = model->mesh.triangles[3 * (size_t)triangle + c];
}
