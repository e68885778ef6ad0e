/* What a body takes: its pose, and caches of what is computed of it. */
#include "body/body.h"

#include "base/memory.h"

/* ---- sizes ---------------------------------------------------------------------------------- */

/* Memory of one patch's triangle set, rounded up to whole cache lines. */
static uint32_t set_floats_of(const grazei_tree *tree)
{
    if (!grazei_tree_suits_lanes(tree))
        return 0;
    return (uint32_t)((grazei_triangle_set_floats(tree->def.patch_triangles) + 15) & ~(size_t)15);
}

static uint32_t slot_bytes_of(const grazei_tree *tree)
{
    return (uint32_t)GRAZEI_INTERVAL_BYTES(tree->def.patch_triangles);
}

static uint32_t slots_of(const grazei_tree *tree)
{
    return tree->patch_count < GRAZEI_SLOTS ? tree->patch_count : GRAZEI_SLOTS;
}

/* Boxes are bounded without. */
static uint32_t workspace_rows(const graze_model *model)
{
    if (model->tree.def.volume == GRAZE_BOXES)
        return 0;
    uint32_t corners = model->skin.max_corners, joints = model->mesh.joint_count;
    return (corners > joints ? corners : joints) + 3;
}

/* What is kept of folds in a pose; an allocation of nothing takes room for one. */
static size_t fold_bytes(const grazei_folds *folds)
{
    if (!folds->node_folds)
        return 0;
    return (folds->pair_count ? folds->pair_count : 1) * sizeof(grazei_fold_pair) +
           folds->piece_count * sizeof(grazei_piece_pose) +
           folds->rest.joint_count * sizeof(f4_map) +
           (folds->lanes ? ((size_t)folds->fold_count + 1) * sizeof(grazei_fold_sums) : 0);
}

size_t grazei_cache_bytes(const graze_model *model)
{
    const grazei_tree *tree = &model->tree;
    size_t nodes = tree->node_count, patches = tree->patch_count;
    size_t vertices = tree->patch_vertex_count + (size_t)model->mesh.vertex_count;
    size_t a_patch = sizeof(grazei_bound) + sizeof(atomic_uint[GRAZEI_PATCH_MARKS]);
    size_t lanes = 0;
    if (model->mesh.morph_count)
        vertices += model->mesh.vertex_count;
    if (set_floats_of(tree))
        lanes = patches * (set_floats_of(tree) * sizeof(float) + sizeof(grazei_intervals)) +
                slots_of(tree) * (slot_bytes_of(tree) + sizeof(grazei_slot));
    return (nodes + 3) * sizeof(grazei_bound) + nodes * sizeof(atomic_uint) + patches * a_patch +
           lanes + vertices * 16 + fold_bytes(grazei_model_folds(model));
}

size_t grazei_lean_bytes(const graze_model *model)
{
    return sizeof(graze_body) + grazei_joints_bytes(&model->skin) +
           (size_t)workspace_rows(model) * 16;
}

size_t grazei_body_bytes(const graze_model *model)
{
    return grazei_lean_bytes(model) + grazei_joints_bytes(&model->skin) + grazei_cache_bytes(model);
}

/* ---- memory --------------------------------------------------------------------------------- */

bool grazei_pose_allocate(graze_body *body)
{
    const graze_model *model = body->model;
    uint32_t rows = workspace_rows(model);
    if (!grazei_joints_allocate(&model->skin, &body->joints[0], &model->allocator) ||
        (!body->pool && !grazei_joints_allocate(&model->skin, &body->joints[1], &model->allocator)))
        return false;
    if (rows)
        body->workspace = grazei_allocate(&model->allocator, rows, sizeof *body->workspace);
    return body->workspace || !rows;
}

void grazei_pose_release(graze_body *body)
{
    const graze_allocator *allocator = &body->model->allocator;
    grazei_joints_release(&body->joints[0], allocator);
    grazei_joints_release(&body->joints[1], allocator);
    grazei_release(allocator, body->workspace);
}

bool grazei_cache_allocate_folds(const graze_model *model, const grazei_folds *folds,
                                 grazei_cache *cache)
{
    const graze_allocator *allocator = &model->allocator;
    grazei_fold_pair *pairs = GRAZEI_ALLOCATE(allocator, folds->pair_count, grazei_fold_pair);
    cache->fold_pieces = GRAZEI_ALLOCATE(allocator, folds->piece_count, grazei_piece_pose);
    bool ok = pairs && cache->fold_pieces;
    if (folds->rest.undo) {
        cache->fold_maps = GRAZEI_ALLOCATE(allocator, model->mesh.joint_count, f4_map);
        ok = ok && cache->fold_maps;
    }
    if (folds->lanes) {
        cache->fold_sums =
            GRAZEI_ALLOCATE(allocator, (size_t)folds->fold_count + 1, grazei_fold_sums);
        ok = ok && cache->fold_sums;
    }
    cache->fold_pairs = pairs;
    if (!ok)
        grazei_cache_release_folds(allocator, cache);
    return ok;
}

bool grazei_cache_allocate(const graze_model *model, grazei_cache *cache)
{
    const graze_allocator *allocator = &model->allocator;
    const grazei_tree *tree = &model->tree;
    uint32_t vertex_count = model->mesh.vertex_count;
    cache->node_marks = GRAZEI_ALLOCATE_ZERO(allocator, tree->node_count, atomic_uint);
    cache->patch_marks =
        grazei_allocate_zero(allocator, tree->patch_count, sizeof *cache->patch_marks);
    /* Queries compare four siblings at a time, so three more may be read than there are. */
    cache->bounds = GRAZEI_ALLOCATE_ZERO(allocator, (size_t)tree->node_count + 3, grazei_bound);
    cache->boxes = GRAZEI_ALLOCATE_ZERO(allocator, tree->patch_count, grazei_bound);
    cache->points = grazei_allocate(allocator, tree->patch_vertex_count, sizeof *cache->points);
    cache->positions = grazei_allocate(allocator, vertex_count, sizeof *cache->positions);
    bool ok = cache->node_marks && cache->patch_marks && cache->bounds && cache->boxes &&
              cache->points && cache->positions;
    if (model->mesh.morph_count) {
        cache->morphed = grazei_allocate(allocator, vertex_count, sizeof *cache->morphed);
        ok = ok && cache->morphed;
    }
    const grazei_folds *folds = grazei_model_folds(model);
    ok = ok && (!folds->node_folds || grazei_cache_allocate_folds(model, folds, cache));
    GRAZE_ASSERT(!cache->sets && !cache->slots);
    cache->set_floats = set_floats_of(tree);
    if (cache->set_floats) {
        cache->sets =
            grazei_allocate(allocator, tree->patch_count, cache->set_floats * sizeof *cache->sets);
        cache->slot_bytes = slot_bytes_of(tree);
        cache->slot_count = slots_of(tree);
        cache->intervals = GRAZEI_ALLOCATE(allocator, tree->patch_count, grazei_intervals);
        cache->interval_rows = grazei_allocate(allocator, slots_of(tree), cache->slot_bytes);
        cache->slots = GRAZEI_ALLOCATE_ZERO(allocator, slots_of(tree), grazei_slot);
        ok = ok && cache->sets && cache->intervals && cache->interval_rows && cache->slots;
    }
    return ok;
}

void grazei_cache_release_folds(const graze_allocator *allocator, grazei_cache *cache)
{
    grazei_release(allocator, cache->fold_pairs);
    grazei_release(allocator, cache->fold_pieces);
    grazei_release(allocator, cache->fold_maps);
    grazei_release(allocator, cache->fold_sums);
    cache->fold_pairs = NULL;
    cache->fold_pieces = NULL;
    cache->fold_maps = NULL;
    cache->fold_sums = NULL;
}

void grazei_cache_release(const graze_allocator *allocator, grazei_cache *cache)
{
    void *const all[] = {cache->node_marks, cache->patch_marks, cache->bounds,       cache->boxes,
                         cache->points,     cache->positions,   cache->morphed,      cache->sets,
                         cache->intervals,  cache->slots,       cache->interval_rows};
    grazei_cache_release_folds(allocator, cache);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(allocator, all[i]);
}
