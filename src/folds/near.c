/* Which patches are near each other at rest, and which of their triangles very near. */
#include "folds/build.h"

#include "base/memory.h"
#include "math/rounding.h"
#include "mesh/weld.h"
#include "narrow/distance.h"
#include "narrow/triangle_kernels.h"

#include <string.h>

/* Patches closer than this part of the smaller one's diagonal are near. */
#define NEAR_PART 0.25

void grazei_rest_triangle(const grazei_fold_builder *b, uint32_t place, float corners[3][3])
{
    const uint32_t *vertices = b->mesh->triangles + 3 * (size_t)b->tree->patch_triangles[place];
    for (int c = 0; c < 3; c++)
        memcpy(corners[c], grazei_rest_position(b->mesh, vertices[c]), sizeof corners[c]);
}

static double diagonal(const grazei_rest_box *a)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++)
        square += ((double)a->high[axis] - (double)a->low[axis]) *
                  ((double)a->high[axis] - (double)a->low[axis]);
    return sqrt(square);
}

static void grow_box(grazei_rest_box *a, const float point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        a->low[axis] = f1_min(a->low[axis], point[axis]);
        a->high[axis] = f1_max(a->high[axis], point[axis]);
    }
}

static grazei_rest_box empty_box(void)
{
    return (grazei_rest_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static double edge_length(const float a[3], const float b[3])
{
    double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1],
           z = (double)a[2] - (double)b[2];
    return sqrt(x * x + y * y + z * z);
}

static void measure_patch(grazei_fold_builder *b, uint32_t number)
{
    const grazei_patch *patch = &b->tree->patches[number];
    double edges = 0, widest = 0;
    b->patch_boxes[number] = empty_box();
    for (uint32_t i = patch->first_triangle; i < patch->first_triangle + patch->triangle_count;
         i++) {
        float corners[3][3];
        grazei_rest_triangle(b, i, corners);
        b->triangle_boxes[i] = empty_box();
        for (int c = 0; c < 3; c++) {
            grow_box(&b->triangle_boxes[i], corners[c]);
            grow_box(&b->patch_boxes[number], corners[c]);
            double edge = edge_length(corners[c], corners[(c + 1) % 3]);
            edges += edge;
            widest = fmax(widest, edge);
        }
    }
    /* A triangle lies in a ball with a radius of its longest edge over the root of 3 (Jung). */
    b->triangle_radii[number] = grazei_round_up(widest / sqrt(3) * (1 + 1e-9));
    b->edges[number] = (float)(edges / (3.0 * patch->triangle_count));
}

double grazei_listed_below(const grazei_fold_builder *b, uint32_t p, uint32_t q)
{
    return GRAZEI_LISTED_PART * 0.5 * ((double)b->edges[p] + (double)b->edges[q]);
}

/* Whether two boxes are closer than a limit. */
static bool within(const grazei_rest_box *a, const grazei_rest_box *b, double limit)
{
    return grazei_rest_gap_square(a, b) <= limit * limit;
}

static bool are_near(const grazei_fold_builder *b, uint32_t p, uint32_t q)
{
    double smaller = fmin(diagonal(&b->patch_boxes[p]), diagonal(&b->patch_boxes[q]));
    return within(&b->patch_boxes[p], &b->patch_boxes[q],
                  fmax(NEAR_PART * smaller, grazei_listed_below(b, p, q)));
}

double grazei_rest_distance(const grazei_fold_builder *b, uint32_t place_a, uint32_t place_b)
{
    const uint32_t *names = b->tree->patch_triangles;
    float corners_a[3][3], corners_b[3][3];
    if (grazei_are_neighbours(b->mesh, names[place_a], names[place_b]))
        return INFINITY;
    grazei_rest_triangle(b, place_a, corners_a);
    grazei_rest_triangle(b, place_b, corners_b);
    return sqrt(grazei_triangle_distance_square((const float(*)[3])corners_a,
                                                (const float(*)[3])corners_b)) *
           (1 - 1e-9);
}

static bool add_listed(grazei_fold_builder *b, uint16_t pair)
{
    grazei_folds *folds = b->folds;
    uint16_t *larger = grazei_grow(b->allocator, folds->listed, &b->listed_capacity,
                                   (size_t)folds->listed_count + 1, sizeof *larger);
    if (!larger)
        return false;
    folds->listed = larger;
    folds->listed[folds->listed_count++] = pair;
    return true;
}

/* Lists the triangles of two patches that are closer than the patches' records speak for, until
 * there are too many.
 */
static bool list_close(grazei_fold_builder *b, uint32_t p, uint32_t q)
{
    uint32_t end = b->folds->listed_count + GRAZEI_MAX_LISTED;
    const grazei_patch *first = &b->tree->patches[p], *second = &b->tree->patches[q];
    double limit = grazei_listed_below(b, p, q);
    for (uint32_t i = 0; i < first->triangle_count; i++) {
        const grazei_rest_box *box_a = &b->triangle_boxes[first->first_triangle + i];
        if (b->folds->listed_count > end)
            return true;
        if (!within(box_a, &b->patch_boxes[q], limit))
            continue;
        for (uint32_t k = p == q ? i + 1 : 0; k < second->triangle_count; k++) {
            uint32_t place_a = first->first_triangle + i, place_b = second->first_triangle + k;
            if (within(box_a, &b->triangle_boxes[place_b], limit) &&
                grazei_rest_distance(b, place_a, place_b) <= limit &&
                !add_listed(b, grazei_pair(i, k)))
                return false;
        }
    }
    return true;
}

static bool are_neighbours(const grazei_fold_builder *b, uint32_t place_a, uint32_t place_b)
{
    return grazei_are_neighbours(b->mesh, b->tree->patch_triangles[place_a],
                                 b->tree->patch_triangles[place_b]);
}

static bool list_neighbours(grazei_fold_builder *b, uint32_t p, uint32_t q)
{
    const grazei_patch *first = &b->tree->patches[p], *second = &b->tree->patches[q];
    for (uint32_t i = 0; i < first->triangle_count; i++) {
        const grazei_rest_box *box_a = &b->triangle_boxes[first->first_triangle + i];
        if (!within(box_a, &b->patch_boxes[q], 0))
            continue;
        for (uint32_t k = 0; k < second->triangle_count; k++)
            if (are_neighbours(b, first->first_triangle + i, second->first_triangle + k) &&
                !add_listed(b, grazei_pair(i, k)))
                return false;
    }
    return true;
}

static void mask_neighbours(grazei_fold_builder *b, uint32_t p)
{
    const grazei_patch *patch = &b->tree->patches[p];
    for (uint32_t i = 0; i < patch->triangle_count; i++) {
        uint64_t *mask = b->folds->masks[patch->first_triangle + i];
        mask[0] = mask[1] = 0;
        for (uint32_t k = 0; k < patch->triangle_count; k++)
            if (k <= i || are_neighbours(b, patch->first_triangle + i, patch->first_triangle + k))
                mask[k >> 6] |= 1ull << (k & 63);
    }
}

static bool add_near(grazei_fold_builder *b, uint32_t rank, uint32_t other_rank)
{
    grazei_folds *folds = b->folds;
    grazei_near *larger = grazei_grow(b->allocator, folds->nears, &b->near_capacity,
                                      (size_t)folds->near_count + 1, sizeof *larger);
    if (!larger)
        return false;
    folds->nears = larger;
    uint32_t p = folds->rank_patches[rank], q = folds->rank_patches[other_rank];
    grazei_near near = {.patch = q, .fold = GRAZEI_NO_FOLD, .first_listed = folds->listed_count};
    if (!list_close(b, p, q))
        return false;
    near.listed_count = (uint16_t)(folds->listed_count - near.first_listed);
    if (p == q)
        mask_neighbours(b, p);
    else if (!list_neighbours(b, p, q))
        return false;
    near.neighbour_count = (uint16_t)(folds->listed_count - near.first_listed - near.listed_count);
    folds->nears[folds->near_count++] = near;
    return true;
}

/* The patches of this rank and later ones that are near the patch of this rank. */
static bool find_near(grazei_fold_builder *b, uint32_t rank)
{
    const grazei_tree *tree = b->tree;
    const grazei_folds *folds = b->folds;
    uint32_t stack[GRAZEI_MAX_LEVELS * GRAZEI_MAX_ARITY], depth = 0;
    uint32_t patch = folds->rank_patches[rank];
    double reach = fmax(NEAR_PART * diagonal(&b->patch_boxes[patch]),
                        GRAZEI_LISTED_PART * (double)b->longest_edge);
    stack[depth++] = 0;
    while (depth) {
        uint32_t n = stack[--depth];
        grazei_node node = tree->nodes[n];
        if (folds->node_ranks[n][1] <= rank ||
            !within(&b->node_boxes[n], &b->patch_boxes[patch], reach))
            continue;
        if (node.count) {
            for (uint32_t c = node.count; c-- > 0;)
                stack[depth++] = node.first + c;
        } else if (are_near(b, patch, node.first) &&
                   !add_near(b, rank, folds->patch_ranks[node.first])) {
            return false;
        }
    }
    return true;
}

static void measure_nodes(grazei_fold_builder *b)
{
    for (uint32_t n = b->tree->node_count; n-- > 0;) {
        grazei_node node = b->tree->nodes[n];
        if (node.count == 0) {
            b->node_boxes[n] = b->patch_boxes[node.first];
            continue;
        }
        b->node_boxes[n] = empty_box();
        for (uint32_t c = node.first; c < node.first + node.count; c++) {
            grow_box(&b->node_boxes[n], b->node_boxes[c].low);
            grow_box(&b->node_boxes[n], b->node_boxes[c].high);
        }
    }
}

bool grazei_folds_find_near(grazei_fold_builder *b)
{
    b->longest_edge = 0;
    for (uint32_t p = 0; p < b->tree->patch_count; p++) {
        measure_patch(b, p);
        b->longest_edge = f1_max(b->longest_edge, b->edges[p]);
    }
    measure_nodes(b);
    for (uint32_t rank = 0; rank < b->tree->patch_count; rank++) {
        b->folds->first_near[rank] = b->folds->near_count;
        if (!find_near(b, rank))
            return false;
    }
    b->folds->first_near[b->tree->patch_count] = b->folds->near_count;
    return true;
}
