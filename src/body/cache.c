/* What is computed of a pose on demand. Every function here is called for what is not there yet;
 * while the body is shared, another thread may come first.
 */
#include "base/assert.h"
#include "body/mask.h"
#include "body/patches.h"
#include "folds/fold_kernels.h"

/* Joints that are asked for ahead. */
enum { MAX_PREFETCHED = 64 };

/* ---- bounds --------------------------------------------------------------------------------- */

static void compute_bounds(graze_body *body, uint32_t first, uint32_t count, graze_stats *stats)
{
    if (body->given) {
        grazei_body_bound_given(body, first, stats);
        return;
    }
    if (body->coherent) {
        grazei_body_bound_coherent(body, first, count, stats);
        return;
    }
    body->model->deformer->bound(&body->model->skin, grazei_body_joints(body), first, count,
                                 body->cache.bounds, body->workspace);
    stats->nodes_refit += count;
}

/* Boxes need no workspace, nor does a refit. */
static bool lock_workspace(graze_body *body)
{
    bool locks = body->shared && body->workspace && !body->given;
    if (locks)
        grazei_lock_take(&body->workspace_lock);
    return locks;
}

void grazei_body_bound_siblings(graze_body *body, uint32_t first, uint32_t count,
                                graze_stats *stats)
{
    GRAZE_ASSERT(count > 0 && first + count <= body->model->tree.node_count);
    GRAZE_ASSERT(grazei_body_has_cache(body) && body->stamp % 2 == 0 && body->stamp > 0);
    atomic_uint *mark = &body->cache.node_marks[first];
    if (!grazei_body_claims(body, mark))
        return;
    bool locks = lock_workspace(body);
    compute_bounds(body, first, count, stats);
    if (grazei_body_is_masked(body))
        grazei_mask_bounds(body, first, count);
    if (locks)
        grazei_lock_release(&body->workspace_lock);
    grazei_body_keep(body, mark);
}

/* Where positions are given all bounds are refitted at once. */
static void forget_refit(graze_body *body, uint32_t root_mark)
{
    atomic_uint *marks = body->cache.node_marks;
    for (uint32_t n = 0; n < body->model->tree.node_count; n++)
        atomic_store_explicit(&marks[n], n ? 0 : root_mark, memory_order_relaxed);
    atomic_store_explicit(&body->refit_mark, 0, memory_order_relaxed);
}

grazei_bound grazei_body_peek(graze_body *body, uint32_t node, uint32_t first, uint32_t count)
{
    graze_stats unwanted = {0};
    GRAZE_ASSERT(first <= node && node < first + count);
    grazei_bound *bounds = body->cache.bounds;
    if (body->shared)
        grazei_body_bound(body, first, count, &unwanted);
    if (grazei_body_has(body, &body->cache.node_marks[first]))
        return bounds[node];
    bool was_refitted = grazei_body_has(body, &body->refit_mark);
    uint32_t root_mark = atomic_load_explicit(&body->cache.node_marks[0], memory_order_relaxed);
    /* Without its mark a bound is of no use later but for the sphere of earlier weights. */
    grazei_bound earlier = bounds[node];
    if (body->coherent) {
        first = node;
        count = 1;
    }
    compute_bounds(body, first, count, &unwanted);
    if (grazei_body_is_masked(body))
        grazei_mask_bounds(body, first, count);
    grazei_bound bound = bounds[node];
    if (body->coherent)
        bounds[node] = earlier;
    if (!was_refitted && grazei_body_has(body, &body->refit_mark))
        forget_refit(body, root_mark);
    return bound;
}

static grazei_bound find_box(graze_body *body)
{
    const bool spheres = body->model->tree.def.volume == GRAZE_SPHERES;
    grazei_bound root[GRAZEI_MAX_SIBLINGS];
    if (grazei_body_node_part(body, 0) == GRAZEI_NONE) {
        grazei_bound_set_empty(root, false);
        return root[0];
    }
    if (body->given)
        return body->whole;
    const grazei_outline *outline = grazei_model_outline(body->model);
    if (outline)
        return grazei_outline_box(outline, grazei_body_joints(body));
    bool locks = lock_workspace(body);
    body->model->deformer->bound(&body->model->skin, grazei_body_joints(body), 0, 1, root,
                                 body->workspace);
    if (locks)
        grazei_lock_release(&body->workspace_lock);
    if (spheres)
        root[0] = grazei_box_of_sphere(root);
    /* As in deform/outline.h, for denormals that are flushed. */
    f4_store(root->low_negated, grazei_bound_first(root) + f4_all(0x1p-110f));
    f4_store(root->high, grazei_bound_second(root) + f4_all(0x1p-110f));
    return root[0];
}

void grazei_body_renew_box(graze_body *body)
{
    if (!body->keeps_box)
        return;
    body->box = find_box(body);
    body->box_number = body->pose_count;
}

void grazei_body_keep_box(graze_body *body)
{
    body->keeps_box = true;
    grazei_body_renew_box(body);
}

grazei_bound grazei_body_box(graze_body *body, graze_stats *stats)
{
    stats->nodes_refit++;
    return body->keeps_box && body->box_number == body->pose_count ? body->box : find_box(body);
}

void grazei_body_prefetch(const graze_body *body)
{
    const uint32_t joints = body->model->mesh.joint_count;
    const grazei_joints *own = grazei_body_joints(body);
    const f4_map *maps = own->put_off ? own->given : own->maps;
    __builtin_prefetch(&body->cache);
    for (uint32_t j = 0; j < joints && j < MAX_PREFETCHED; j++)
        __builtin_prefetch(&maps[j]);
}

/* For a body that is not shared, so in any order; on every node, as finding the first of siblings
 * would take longer.
 */
void grazei_body_keep_bounds(graze_body *body)
{
    atomic_uint *marks = body->cache.node_marks;
    uint32_t count = body->model->tree.node_count, set = body->stamp + 1;
    GRAZE_ASSERT(!body->shared);
    for (uint32_t n = 0; n < count; n++)
        atomic_store_explicit(&marks[n], set, memory_order_relaxed);
}

/* ---- patches -------------------------------------------------------------------------------- */

/* Copies a patch's vertices from positions that are there already. */
static void gather_patch(graze_body *body, const grazei_patch *patch, f4 *low, f4 *high)
{
    const uint32_t *vertices = body->model->tree.patch_vertices + patch->first_vertex;
    const float(*from)[4] = (const float(*)[4])body->cache.positions;
    float(*to)[4] = body->cache.points + patch->first_vertex;
    GRAZE_ASSERT(patch->vertex_count > 0);
    uint32_t last = patch->vertex_count - 1u;
    f4 end = f4_load(from[vertices[last]]), lows[2] = {end, end}, highs[2] = {end, end};
    for (uint32_t i = 0; i < last; i += 2) /* two boxes: one would wait for itself */
        for (uint32_t k = 0; k < 2; k++) {
            f4 position = f4_load(from[vertices[i + k]]);
            f4_store(to[i + k], position);
            lows[k] = f4_min(lows[k], position);
            highs[k] = f4_max(highs[k], position);
        }
    f4_store(to[last], end);
    *low = f4_min(lows[0], lows[1]);
    *high = f4_max(highs[0], highs[1]);
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
    if (body->cache.morphed) {
        const grazei_morph_list *list = &model->skin.morph.patches;
        uint32_t first = list->first_run[number], end = list->first_run[number + 1];
        if (first < end) {
            grazei_morph_apply(list, first, end, joints->morph_weights, batch.rest, batch.count,
                               morphed);
            batch.rest = (const float(*)[4])morphed;
        }
    }
    model->deformer->pose(&model->skin, joints, &batch, body->cache.points + patch->first_vertex,
                          low, high);
}

void grazei_body_pose_patch(graze_body *body, uint32_t number, graze_stats *stats)
{
    const grazei_patch *patch = &body->model->tree.patches[number];
    atomic_uint *mark = &body->cache.patch_marks[number][GRAZEI_POSED];
    f4 low, high;
    if (!grazei_body_claims(body, mark))
        return;
    if (body->tree->patches[number].triangle_count == 0) {
        low = f4_all(INFINITY); /* nothing of it takes part */
        high = f4_all(-INFINITY);
    } else if (grazei_body_has(body, &body->positions_mark)) {
        gather_patch(body, patch, &low, &high);
    } else {
        pose_patch(body, number, &low, &high);
        stats->patches_posed++;
        stats->vertices_posed += patch->vertex_count;
    }
    if (grazei_body_is_masked(body))
        grazei_mask_points(body, number, &low, &high);
    grazei_bound_set_box(&body->cache.boxes[number], low, high);
    grazei_body_keep(body, mark);
}

/* ---- patches, ready for lanes --------------------------------------------------------------- */

void grazei_body_measure(graze_body *body, uint32_t number, const grazei_posed_patch *patch,
                         grazei_intervals *intervals)
{
    atomic_uint *mark = &body->cache.patch_marks[number][GRAZEI_MEASURED];
    if (!grazei_body_claims(body, mark))
        return;
    GRAZE_ASSERT(grazei_body_has(body, &body->cache.patch_marks[number][GRAZEI_POSED]));
    body->model->intervals->measure(patch, intervals);
    grazei_body_keep(body, mark);
}

void grazei_body_make_set(graze_body *body, uint32_t number, const grazei_posed_patch *patch,
                          const grazei_triangle_set *set)
{
    atomic_uint *mark = &body->cache.patch_marks[number][GRAZEI_SET];
    if (!grazei_body_claims(body, mark))
        return;
    GRAZE_ASSERT(grazei_body_has(body, &body->cache.patch_marks[number][GRAZEI_POSED]));
    body->model->triangles->triangle_set(patch->points, patch->corners, set);
    grazei_body_keep(body, mark);
}

void *grazei_body_lend(graze_body *body, size_t *bytes)
{
    uint32_t count = body->tree->patch_count;
    *bytes = (size_t)count * body->cache.set_floats * sizeof(float);
    if (body->shared || body->users > 1)
        return NULL;
    for (uint32_t p = 0; p < count; p++)
        atomic_store_explicit(&body->cache.patch_marks[p][GRAZEI_SET], 0, memory_order_relaxed);
    return body->cache.sets;
}

bool grazei_body_still_lends(const graze_body *body)
{
    for (uint32_t p = 0; p < body->tree->patch_count; p++)
        if (grazei_body_has(body, &body->cache.patch_marks[p][GRAZEI_SET]))
            return false;
    return true;
}

/* ---- folds ---------------------------------------------------------------------------------- */

void grazei_body_ready_folds(graze_body *body)
{
    const grazei_folds *folds = grazei_model_folds(body->model);
    GRAZE_ASSERT(!body->shared);
    if (body->cache.fold_pairs || !folds->node_folds || !grazei_body_has_cache(body) ||
        !atomic_load_explicit(&body->wants_folds, memory_order_relaxed) ||
        !grazei_cache_allocate_folds(body->model, folds, &body->cache))
        return;
    if (body->lent)
        grazei_lent_keeps_folds(body);
}

/* Does its part for a table that is not there, and takes room for what is kept of one that is. */
static bool has_room_for_folds(graze_body *body)
{
    if (body->cache.fold_pairs)
        return true;
    if (!grazei_model_want_folds(body->model)->node_folds)
        return false;
    atomic_store_explicit(&body->wants_folds, 1, memory_order_relaxed);
    if (!body->shared && !body->given)
        grazei_body_ready_folds(body);
    return !body->shared && body->cache.fold_pairs;
}

const grazei_fold_pose *grazei_body_folds(graze_body *body)
{
    const graze_model *model = body->model;
    if (!has_room_for_folds(body) || body->given || !model->deformer->follows_joints)
        return NULL;
    if (!grazei_body_has(body, &body->folds_mark) && grazei_body_claims(body, &body->folds_mark)) {
        body->folds = grazei_folds_pose(&model->folds, &model->skin, grazei_body_joints(body),
                                        body->cache.fold_pairs, body->cache.fold_pieces,
                                        body->cache.fold_maps);
        grazei_body_keep(body, &body->folds_mark);
    }
    return &body->folds;
}

void grazei_body_sum_folds(graze_body *body)
{
    grazei_fold_sums *sums = body->cache.fold_sums;
    if (!body->cache.fold_pairs || !grazei_body_folds(body) || body->folds.sums || body->shared ||
        !sums || !body->model->deformer->blends_maps)
        return;
    GRAZEI_PICK(body->model->isa, fold_kernels)
        ->sum(body->folds.folds, body->folds.pairs, grazei_fold_blur(&body->folds), sums);
    body->folds.sums = sums;
}
