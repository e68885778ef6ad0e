/* Making the table of folds: once a model, from rest positions and weights alone.
 *
 * Patches that are near each other are found first (near.c). Then every node, and every pair of
 * near patches, is a region (region.h) that gets a record, if one is of use.
 */
#include "folds/region.h"

#include "base/memory.h"
#include "math/rounding.h"

#include <stdlib.h>

/* The number of a pair of joints. */
static bool find_pair(grazei_fold_builder *b, uint32_t from, uint32_t to, uint32_t *number)
{
    grazei_folds *folds = b->folds;
    for (*number = 0; *number < folds->pair_count; ++*number)
        if (folds->pairs[*number][0] == from && folds->pairs[*number][1] == to)
            return true;
    void *larger = grazei_grow(b->allocator, folds->pairs, &b->pair_capacity,
                               (size_t)folds->pair_count + 1, sizeof *folds->pairs);
    if (!larger)
        return false;
    folds->pairs = larger;
    folds->pairs[folds->pair_count][0] = from;
    folds->pairs[folds->pair_count++][1] = to;
    return true;
}

static bool add_row(grazei_fold_builder *b, const grazei_region *r, uint32_t slot)
{
    grazei_folds *folds = b->folds;
    grazei_fold_row *larger = grazei_grow(b->allocator, folds->rows, &b->row_capacity,
                                          (size_t)folds->row_count + 1, sizeof *larger);
    if (!larger)
        return false;
    folds->rows = larger;
    grazei_fold_row *row = &folds->rows[folds->row_count++];
    *row = (grazei_fold_row){.weight = (float)r->mean[slot],
                             .spread = grazei_round_up(grazei_region_spread(r, slot) * (1 + 1e-6)),
                             .bend = grazei_round_up(r->bend[slot] * (1 + 1e-6)),
                             .steepness = grazei_round_up(r->steepness[slot] * (1 + 1e-6))};
    for (int axis = 0; axis < 3; axis++)
        row->gradient[axis] = (float)r->gradient[slot][axis];
    return find_pair(b, r->joints[r->main_slot], r->joints[slot], &row->pair);
}

static bool add_fold(grazei_fold_builder *b, const grazei_region *r, uint32_t *number)
{
    grazei_folds *folds = b->folds;
    grazei_fold *larger = grazei_grow(b->allocator, folds->folds, &b->fold_capacity,
                                      (size_t)folds->fold_count + 1, sizeof *larger);
    if (!larger)
        return false;
    folds->folds = larger;
    grazei_fold fold = {.first_row = folds->row_count,
                        .row_count = (uint16_t)(r->joint_count - 1),
                        .morphed = r->morphed,
                        .joint = r->joints[r->main_slot]};
    fold.apart = grazei_round_down(GRAZEI_LISTED_PART * (double)r->shortest_edge * (1 - 1e-6));
    for (int axis = 0; axis < 3; axis++)
        fold.centre[axis] = (float)r->centre[axis];
    for (uint32_t j = 0; j < r->joint_count; j++)
        if (j != r->main_slot && !add_row(b, r, j))
            return false;
    *number = folds->fold_count;
    folds->folds[folds->fold_count++] = fold;
    return true;
}

/* Makes the record of a region, if it can have one. False when out of memory. */
static bool record(grazei_fold_builder *b, grazei_region *r, uint32_t *number)
{
    r->morphed = false;
    r->shortest_edge = INFINITY;
    for (uint32_t i = 0; i < grazei_region_patch_count(r); i++) {
        r->morphed |= b->morphed[grazei_region_patch(b, r, i)];
        r->shortest_edge = f1_min(r->shortest_edge, b->edges[grazei_region_patch(b, r, i)]);
    }
    bool ok = true;
    if (grazei_region_fit(b, r)) {
        bool useful = r->joint_count == 1;
        if (!useful && grazei_region_patch_count(r) <= GRAZEI_MAX_REGION_PATCHES)
            ok = grazei_region_measure(b, r, &useful);
        if (useful)
            ok = add_fold(b, r, number);
    }
    grazei_region_forget_joints(b, r);
    return ok;
}

static bool record_pairs(grazei_fold_builder *b)
{
    grazei_folds *folds = b->folds;
    for (uint32_t rank = 0; rank < b->tree->patch_count; rank++)
        for (uint32_t i = folds->first_near[rank]; i < folds->first_near[rank + 1]; i++) {
            grazei_near *near = &folds->nears[i];
            grazei_region r = {.ranks = {rank, folds->patch_ranks[near->patch]}, .is_pair = true};
            if (near->listed_count <= GRAZEI_MAX_LISTED && !record(b, &r, &near->fold))
                return false;
        }
    return true;
}

/* Pairs of patches within a node: whether they may all be skipped, and how many are listed. */
static bool count_listed(const grazei_folds *folds, uint32_t first, uint32_t end, uint32_t *count)
{
    *count = 0;
    for (uint32_t i = folds->first_near[first]; i < folds->first_near[end]; i++) {
        if (folds->patch_ranks[folds->nears[i].patch] >= end)
            continue;
        if (folds->nears[i].listed_count > GRAZEI_MAX_LISTED)
            return false;
        *count += folds->nears[i].listed_count;
    }
    return true;
}

static bool record_nodes(grazei_fold_builder *b)
{
    grazei_folds *folds = b->folds;
    const grazei_tree *tree = b->tree;
    for (uint32_t n = 0; n < tree->node_count; n++) {
        grazei_region r = {.ranks = {folds->node_ranks[n][0], folds->node_ranks[n][1]}};
        folds->node_folds[n] = GRAZEI_NO_FOLD;
        if (tree->nodes[n].count == 0) {
            const grazei_near *near = &folds->nears[folds->first_near[r.ranks[0]]];
            folds->node_folds[n] = near->fold; /* a patch is the first that is near itself */
            folds->node_listed[n] = near->listed_count;
            continue;
        }
        if (count_listed(folds, r.ranks[0], r.ranks[1], &folds->node_listed[n]) &&
            !record(b, &r, &folds->node_folds[n]))
            return false;
    }
    return true;
}

static int by_first_triangle(const void *left, const void *right)
{
    const uint32_t *x = left, *y = right;
    return x[0] < y[0] ? -1 : x[0] > y[0];
}

/* Ranks: patches in the order of their triangles, which is that of the tree's leaves from left to
 * right; so those below a node follow each other.
 */
static bool rank_patches(grazei_folds *folds, const grazei_tree *tree,
                         const graze_allocator *allocator)
{
    uint32_t(*order)[2] = grazei_allocate(allocator, tree->patch_count, sizeof *order);
    if (!order)
        return false;
    for (uint32_t p = 0; p < tree->patch_count; p++) {
        order[p][0] = tree->patches[p].first_triangle;
        order[p][1] = p;
    }
    qsort(order, tree->patch_count, sizeof *order, by_first_triangle);
    for (uint32_t rank = 0; rank < tree->patch_count; rank++) {
        folds->rank_patches[rank] = order[rank][1];
        folds->patch_ranks[order[rank][1]] = rank;
    }
    grazei_release(allocator, order);
    for (uint32_t n = tree->node_count; n-- > 0;) {
        grazei_node node = tree->nodes[n];
        uint32_t last = node.first + node.count - 1;
        folds->node_ranks[n][0] =
            node.count ? folds->node_ranks[node.first][0] : folds->patch_ranks[node.first];
        folds->node_ranks[n][1] =
            node.count ? folds->node_ranks[last][1] : folds->patch_ranks[node.first] + 1;
    }
    return true;
}

static bool mark_morphed(grazei_fold_builder *b)
{
    const grazei_mesh *mesh = b->mesh;
    const grazei_tree *tree = b->tree;
    uint8_t *marks = GRAZEI_ALLOCATE_ZERO(b->allocator, mesh->vertex_count, uint8_t);
    if (!marks)
        return false;
    for (uint32_t i = 0; mesh->morph_count && i < mesh->morph_offsets[mesh->morph_count]; i++)
        marks[mesh->morph_vertices[i]] = 1;
    for (uint32_t p = 0; p < tree->patch_count; p++) {
        const grazei_patch *patch = &tree->patches[p];
        b->morphed[p] = false;
        for (uint32_t i = 0; i < patch->vertex_count; i++)
            b->morphed[p] |= marks[tree->patch_vertices[patch->first_vertex + i]] != 0;
    }
    grazei_release(b->allocator, marks);
    return true;
}

static bool allocate_table(grazei_folds *folds, const grazei_tree *tree, const graze_allocator *a)
{
    size_t triangles = tree->node_triangles[0][1] - tree->node_triangles[0][0];
    folds->node_listed = GRAZEI_ALLOCATE(a, tree->node_count, uint32_t);
    folds->node_ranks = grazei_allocate(a, tree->node_count, sizeof *folds->node_ranks);
    folds->rank_patches = GRAZEI_ALLOCATE(a, tree->patch_count, uint32_t);
    folds->patch_ranks = GRAZEI_ALLOCATE(a, tree->patch_count, uint32_t);
    folds->first_near = GRAZEI_ALLOCATE(a, (size_t)tree->patch_count + 1, uint32_t);
    folds->masks = grazei_allocate(a, triangles, sizeof *folds->masks);
    folds->node_folds = GRAZEI_ALLOCATE(a, tree->node_count, uint32_t);
    return folds->node_listed && folds->node_ranks && folds->rank_patches && folds->patch_ranks &&
           folds->first_near && folds->masks && folds->node_folds;
}

static bool allocate_builder(grazei_fold_builder *b)
{
    const graze_allocator *a = b->allocator;
    uint32_t patches = b->tree->patch_count;
    b->triangle_boxes = GRAZEI_ALLOCATE(a, b->mesh->triangle_count, grazei_rest_box);
    b->patch_boxes = GRAZEI_ALLOCATE(a, patches, grazei_rest_box);
    b->node_boxes = GRAZEI_ALLOCATE(a, b->tree->node_count, grazei_rest_box);
    b->edges = GRAZEI_ALLOCATE(a, patches, float);
    b->triangle_radii = GRAZEI_ALLOCATE(a, patches, float);
    b->morphed = GRAZEI_ALLOCATE(a, patches, bool);
    b->slots = GRAZEI_ALLOCATE(a, b->mesh->joint_count, uint32_t);
    b->patch_residuals = GRAZEI_ALLOCATE(
        a, (size_t)GRAZEI_MAX_REGION_PATCHES * GRAZEI_MAX_REGION_JOINTS, grazei_residual);
    b->first_residual = GRAZEI_ALLOCATE(a, GRAZEI_MAX_REGION_PATCHES, uint32_t);
    if (!b->triangle_boxes || !b->patch_boxes || !b->node_boxes || !b->edges ||
        !b->triangle_radii || !b->morphed || !b->slots || !b->patch_residuals || !b->first_residual)
        return false;
    for (uint32_t j = 0; j < b->mesh->joint_count; j++)
        b->slots[j] = GRAZEI_NO_SLOT;
    return true;
}

static void release_builder(grazei_fold_builder *b)
{
    const graze_allocator *a = b->allocator;
    grazei_release(a, b->triangle_boxes);
    grazei_release(a, b->patch_boxes);
    grazei_release(a, b->node_boxes);
    grazei_release(a, b->edges);
    grazei_release(a, b->triangle_radii);
    grazei_release(a, b->morphed);
    grazei_release(a, b->slots);
    grazei_release(a, b->residuals);
    grazei_release(a, b->patch_residuals);
    grazei_release(a, b->first_residual);
}

bool grazei_folds_build(grazei_folds *folds, const grazei_mesh *mesh, const grazei_tree *tree,
                        const graze_allocator *allocator)
{
    grazei_fold_builder b = {.mesh = mesh, .tree = tree, .allocator = allocator, .folds = folds};
    bool ok = allocate_table(folds, tree, allocator) && allocate_builder(&b) &&
              rank_patches(folds, tree, allocator) && mark_morphed(&b) &&
              grazei_folds_find_near(&b) && record_pairs(&b) && record_nodes(&b);
    release_builder(&b);
    return ok;
}
