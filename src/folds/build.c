/* Making the table of folds: once a model, from rest positions and weights alone.
 *
 * Triangles are sorted into pieces (pieces.c) and measured (measure.c). Then every pair of patches
 * that are near each other (near.c) is a region (region.h) that gets a record, if one is of use.
 */
#include "folds/region.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/rounding.h"

#include <stdlib.h>
#include <string.h>

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

static bool add_row(grazei_fold_builder *b, grazei_region *r, uint32_t slot)
{
    grazei_folds *folds = b->folds;
    grazei_fold_row *larger = grazei_grow(b->allocator, folds->rows, &b->row_capacity,
                                          (size_t)folds->row_count + 1, sizeof *larger);
    if (!larger)
        return false;
    folds->rows = larger;
    grazei_fold_row *row = &folds->rows[folds->row_count++];
    *row = (grazei_fold_row){.weight = (float)-r->less[slot],
                             .steepness = grazei_round_up(r->steepness[slot] * (1 + 1e-6)),
                             .bend = *grazei_region_found(r, 0, slot),
                             .spread = *grazei_region_found(r, 1, slot)};
    for (int axis = 0; axis < 3; axis++)
        row->gradient[axis] = (float)r->gradient[axis][slot];
    GRAZE_ASSERT(row->steepness >= 0 && row->bend >= 0 && row->spread >= 0);
    return find_pair(b, r->joints[r->joint_count - 1], r->joints[slot], &row->pair);
}

/* By pairs: so they are added up (fold_kernels.c). */
static void sort_rows(grazei_fold_row *rows, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        grazei_fold_row moved = rows[i];
        uint32_t at = i;
        for (; at > 0 && rows[at - 1].pair > moved.pair; at--)
            rows[at] = rows[at - 1];
        rows[at] = moved;
    }
}

bool grazei_region_record(grazei_fold_builder *b, grazei_region *r, uint32_t *number)
{
    grazei_folds *folds = b->folds;
    grazei_fold *larger = grazei_grow(b->allocator, folds->folds, &b->fold_capacity,
                                      (size_t)folds->fold_count + 1, sizeof *larger);
    if (!larger)
        return false;
    folds->folds = larger;
    GRAZE_ASSERT(r->joint_count >= 1 && r->joint_count <= GRAZEI_MAX_REGION_JOINTS);
    grazei_fold fold = {.first_row = folds->row_count,
                        .row_count = (uint16_t)(r->joint_count - 1),
                        .morphed = r->morphed,
                        .joint = r->joints[r->joint_count - 1]};
    fold.apart = grazei_round_down(GRAZEI_LISTED_PART * (double)r->shortest_edge * (1 - 1e-6));
    for (int axis = 0; axis < 3; axis++)
        fold.centre[axis] = (float)r->centre[axis];
    for (uint32_t j = 0; j + 1 < r->joint_count; j++)
        if (!add_row(b, r, j))
            return false;
    if (fold.row_count)
        sort_rows(folds->rows + fold.first_row, fold.row_count);
    GRAZE_ASSERT(fold.row_count <= GRAZEI_MAX_FOLD_ROWS);
    *number = folds->fold_count;
    folds->folds[folds->fold_count++] = fold;
    return true;
}

bool grazei_region_begin(grazei_fold_builder *b, grazei_region *r)
{
    const uint32_t *p = r->patches;
    r->morphed = b->morphed[p[0]] || b->morphed[p[1]];
    r->shortest_edge = f1_min(b->folds->edges[p[0]], b->folds->edges[p[1]]);
    r->joint_count = 0;
    if (b->pieced[p[0]] && b->pieced[p[1]]) {
        /* Of one joint, or of several between which weights jump. */
        uint32_t joints = b->mesh->joint_count, piece = b->only_piece[p[0]],
                 other = b->only_piece[p[1]];
        if (piece == GRAZEI_NO_PIECE || other == GRAZEI_NO_PIECE ||
            piece % joints != other % joints)
            return false;
        r->joint_count = 1;
        r->joints[0] = piece % joints;
        return true;
    }
    if (!grazei_region_fit(b, r))
        return false;
    /* Squares of what is measured must neither underflow nor overflow. */
    bool fits = r->shortest_edge > 0x1p-40f && r->radius < 0x1p40;
    if (r->joint_count > 1 && fits)
        grazei_region_find_values(b, r);
    return r->joint_count == 1 || fits;
}

/* Counts what is listed below a node; false if there is a patch of which nothing is known. */
static bool count_listed(const grazei_folds *folds, const uint32_t ranks[2], uint32_t *listed)
{
    *listed = 0;
    for (uint32_t rank = ranks[0]; rank < ranks[1]; rank++) {
        if (folds->crowded[folds->rank_patches[rank]])
            return false;
        for (uint32_t i = folds->first_near[rank]; i < folds->first_near[rank + 1]; i++)
            if (folds->patch_ranks[folds->nears[i].patch] < ranks[1])
                *listed += folds->nears[i].listed_count;
    }
    return true;
}

/* A patch by itself has a record; a larger node, only what is listed below it. */
static void record_nodes(grazei_fold_builder *b)
{
    grazei_folds *folds = b->folds;
    for (uint32_t n = 0; n < b->tree->node_count; n++) {
        grazei_node node = b->tree->nodes[n];
        folds->node_folds[n] = GRAZEI_NO_FOLD;
        if (node.count == 0) /* a patch is the first that is near itself */
            folds->node_folds[n] = folds->nears[folds->first_near[folds->node_ranks[n][0]]].fold;
        if (!count_listed(folds, folds->node_ranks[n], &folds->node_listed[n]))
            folds->node_pieces[n] = GRAZEI_NO_PIECE;
    }
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

static bool allocate_table(grazei_folds *folds, const grazei_tree *tree, const graze_allocator *a)
{
    size_t triangles = tree->node_triangles[0][1] - tree->node_triangles[0][0];
    uint32_t nodes = tree->node_count, patches = tree->patch_count;
    folds->node_listed = GRAZEI_ALLOCATE(a, nodes, uint32_t);
    folds->node_ranks = grazei_allocate(a, nodes, sizeof *folds->node_ranks);
    folds->node_pieces = GRAZEI_ALLOCATE(a, nodes, uint32_t);
    folds->node_edges = GRAZEI_ALLOCATE(a, nodes, float);
    folds->rank_patches = GRAZEI_ALLOCATE(a, patches, uint32_t);
    folds->patch_ranks = GRAZEI_ALLOCATE(a, patches, uint32_t);
    folds->edges = GRAZEI_ALLOCATE(a, patches, float);
    folds->crowded = GRAZEI_ALLOCATE(a, patches, uint8_t);
    folds->strays = GRAZEI_ALLOCATE_ZERO(a, patches, uint8_t);
    folds->first_near = GRAZEI_ALLOCATE(a, (size_t)patches + 1, uint32_t);
    folds->masks = grazei_allocate(a, triangles, sizeof *folds->masks);
    folds->node_folds = GRAZEI_ALLOCATE(a, nodes, uint32_t);
    return folds->node_listed && folds->node_ranks && folds->node_pieces && folds->node_edges &&
           folds->rank_patches && folds->patch_ranks && folds->edges && folds->crowded &&
           folds->strays && folds->first_near && folds->masks && folds->node_folds;
}

/* Vertices that cannot part are at one place in the def, not at rest where their weights differ. */
static bool find_strays(grazei_fold_builder *b)
{
    const grazei_mesh *mesh = b->mesh;
    const float *rest = mesh->rest_positions;
    uint8_t *apart = GRAZEI_ALLOCATE_ZERO(b->allocator, mesh->vertex_count, uint8_t);
    for (uint32_t v = 0; apart && rest && v < mesh->vertex_count; v++) {
        uint32_t first = mesh->welds[v];
        apart[first] |= memcmp(rest + 3 * (size_t)v, rest + 3 * (size_t)first, 12) != 0;
    }
    for (uint32_t p = 0; apart && rest && p < b->tree->patch_count; p++) {
        const grazei_patch *patch = &b->tree->patches[p];
        for (uint32_t i = 0; i < patch->vertex_count; i++)
            b->folds->strays[p] |=
                apart[mesh->welds[b->tree->patch_vertices[patch->first_vertex + i]]];
    }
    grazei_release(b->allocator, apart);
    return apart != NULL;
}

static bool allocate_builder(grazei_fold_builder *b)
{
    const graze_allocator *a = b->allocator;
    size_t vertices = (size_t)2 * GRAZEI_MAX_PATCH_VERTICES; /* of a region */
    b->triangles = GRAZEI_ALLOCATE(a, b->mesh->triangle_count, grazei_rest_triangle);
    b->places = GRAZEI_ALLOCATE(a, b->tree->patch_vertex_count, f4);
    b->patch_boxes = GRAZEI_ALLOCATE(a, b->tree->patch_count, grazei_rest_box);
    b->node_boxes = GRAZEI_ALLOCATE(a, b->tree->node_count, grazei_rest_box);
    b->morphed = GRAZEI_ALLOCATE(a, b->tree->patch_count, bool);
    b->triangle_pieces = GRAZEI_ALLOCATE(a, b->mesh->triangle_count, uint32_t);
    b->pieced = GRAZEI_ALLOCATE(a, b->tree->patch_count, bool);
    b->only_piece = GRAZEI_ALLOCATE(a, b->tree->patch_count, uint32_t);
    b->slots = GRAZEI_ALLOCATE(a, b->mesh->joint_count, uint32_t);
    b->weld_slots = GRAZEI_ALLOCATE(a, b->mesh->vertex_count, uint32_t);
    b->values = GRAZEI_ALLOCATE(a, vertices * GRAZEI_MAX_FOURS, grazei_left);
    b->deviations = grazei_allocate(a, vertices, sizeof *b->deviations);
    b->ranges = GRAZEI_ALLOCATE(a, 2 * GRAZEI_MAX_RANGES, grazei_range);
    b->triangle_parts = GRAZEI_ALLOCATE(a, b->mesh->triangle_count, uint8_t);
    if (!b->triangles || !b->places || !b->triangle_pieces || !b->patch_boxes || !b->node_boxes ||
        !b->morphed || !b->pieced || !b->only_piece || !b->slots || !b->weld_slots || !b->values ||
        !b->deviations || !b->ranges || !b->triangle_parts)
        return false;
    for (uint32_t j = 0; j < b->mesh->joint_count; j++)
        b->slots[j] = GRAZEI_NO_SLOT;
    for (uint32_t v = 0; v < b->mesh->vertex_count; v++)
        b->weld_slots[v] = GRAZEI_NO_SLOT;
    return true;
}

static void release_builder(grazei_fold_builder *b)
{
    void *const all[] = {b->pieced,      b->only_piece,     b->triangles,      b->places,
                         b->patch_boxes, b->node_boxes,     b->morphed,        b->slots,
                         b->weld_slots,  b->values,         b->deviations,     b->ranges,
                         b->groups,      b->triangle_parts, b->triangle_pieces};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(b->allocator, all[i]);
}

/* ---- slices --------------------------------------------------------------------------------- */

/* What is done of each patch in turn, and how many patches are a slice: some milliseconds each. */
enum { MEASURE, GROUPS, NEAR, STAGES };
static const uint32_t patches_a_slice[STAGES] = {1024, 512, 64};

/* Before the first patch of a stage. */
static bool start_stage(grazei_fold_builder *b)
{
    if (b->stage == GROUPS) {
        size_t groups = 2 * (size_t)b->mesh->triangle_count;
        grazei_folds_measure_nodes(b);
        b->groups = GRAZEI_ALLOCATE(b->allocator, groups, grazei_group);
        return b->groups != NULL;
    }
    if (b->stage == NEAR)
        return true;
    if (!allocate_table(b->folds, b->tree, b->allocator) || !allocate_builder(b) ||
        !rank_patches(b->folds, b->tree, b->allocator) ||
        !grazei_folds_find_rest(&b->folds->rest, b->mesh, b->allocator) ||
        !grazei_folds_find_pieces(b) || !find_strays(b))
        return false;
    grazei_folds_start_measuring(b);
    return true;
}

/* The next patch of the stage. */
static bool do_patch(grazei_fold_builder *b)
{
    if (b->stage == NEAR)
        return grazei_folds_find_near(b, b->next);
    if (b->stage == GROUPS)
        grazei_folds_find_groups(b, b->next);
    else
        grazei_folds_measure_patch(b, b->next);
    return true;
}

grazei_fold_progress grazei_folds_go_on(grazei_fold_builder *b)
{
    GRAZE_ASSERT(b->stage <= STAGES);
    if (b->stage == STAGES) {
        record_nodes(b);
        bool ok = grazei_folds_make_lanes(b) && grazei_folds_make_steps(b);
        return ok ? GRAZEI_FOLDS_DONE : GRAZEI_FOLDS_FAILED;
    }
    if (b->next == 0 && !start_stage(b))
        return GRAZEI_FOLDS_FAILED;
    uint32_t end = b->tree->patch_count, most = patches_a_slice[b->stage];
    end = end - b->next > most ? b->next + most : end;
    for (; b->next < end; b->next++)
        if (!do_patch(b))
            return GRAZEI_FOLDS_FAILED;
    if (end == b->tree->patch_count) {
        b->stage++;
        b->next = 0;
    }
    return GRAZEI_FOLDS_GO_ON;
}

grazei_fold_builder *grazei_folds_begin(grazei_folds *folds, const grazei_mesh *mesh,
                                        const grazei_tree *tree,
                                        const grazei_triangle_kernels *kernels,
                                        const graze_allocator *allocator)
{
    grazei_fold_builder *b = GRAZEI_ALLOCATE_ZERO(allocator, 1, grazei_fold_builder);
    if (!b)
        return NULL;
    b->mesh = mesh;
    b->tree = tree;
    b->kernels = kernels;
    b->allocator = allocator;
    b->folds = folds;
    return b;
}

void grazei_folds_end(grazei_fold_builder *b)
{
    if (!b)
        return;
    release_builder(b);
    grazei_release(b->allocator, b);
}

bool grazei_folds_build(grazei_folds *folds, const grazei_mesh *mesh, const grazei_tree *tree,
                        const grazei_triangle_kernels *kernels, const graze_allocator *allocator)
{
    grazei_fold_builder *b = grazei_folds_begin(folds, mesh, tree, kernels, allocator);
    grazei_fold_progress done = b ? GRAZEI_FOLDS_GO_ON : GRAZEI_FOLDS_FAILED;
    while (done == GRAZEI_FOLDS_GO_ON)
        done = grazei_folds_go_on(b);
    grazei_folds_end(b);
    return done == GRAZEI_FOLDS_DONE;
}
