/* Making the table of folds: what its steps share. */
#ifndef GRAZEI_FOLDS_BUILD_H
#define GRAZEI_FOLDS_BUILD_H

#include "folds/folds.h"

/* Triangles closer at rest than this part of an edge are listed. */
#define GRAZEI_LISTED_PART 0.02

/* Two patches with more listed pairs are always looked at, and the list ends there. */
#define GRAZEI_MAX_LISTED 32

typedef struct grazei_rest_box {
    float low[3], high[3];
} grazei_rest_box;

typedef struct grazei_fold_builder {
    const grazei_mesh *mesh;
    const grazei_tree *tree;
    const graze_allocator *allocator;
    grazei_folds *folds;
    grazei_rest_box *triangle_boxes; /* in the order of patch_triangles */
    grazei_rest_box *patch_boxes;
    grazei_rest_box *node_boxes;
    float *edges;          /* of each patch: a middling edge */
    float *triangle_radii; /* of each patch: at least the radius of a ball around a triangle */
    float longest_edge;
    bool *morphed; /* of each patch */

    /* The region at hand: see region.h. */
    uint32_t *slots;                         /* of its joints, by joint */
    struct grazei_residual *residuals;       /* of its triangles, joint_count each */
    struct grazei_residual *patch_residuals; /* of its patches */
    uint32_t *first_residual;                /* triangle of residuals that a patch begins with */

    size_t near_capacity, listed_capacity, residual_capacity;
    size_t fold_capacity, row_capacity, pair_capacity;
} grazei_fold_builder;

static inline const float *grazei_rest_position(const grazei_mesh *mesh, uint32_t vertex)
{
    return mesh->positions + 3 * (size_t)vertex;
}

/* At most the square of the distance of two boxes. */
static inline double grazei_rest_gap_square(const grazei_rest_box *a, const grazei_rest_box *b)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        double below = (double)a->low[axis] - (double)b->high[axis];
        double above = (double)b->low[axis] - (double)a->high[axis];
        double gap = below > above ? below : above;
        gap = gap > 0 ? gap : 0;
        square += gap * gap;
    }
    return square * (1 - 1e-9);
}

/* Triangles of two patches are listed if they are at most so far apart at rest, and their boxes. */
double grazei_listed_below(const grazei_fold_builder *b, uint32_t patch_a, uint32_t patch_b);

/* At most the rest distance of two triangles, by their places in patch_triangles; infinity for
 * neighbours.
 */
double grazei_rest_distance(const grazei_fold_builder *b, uint32_t place_a, uint32_t place_b);

void grazei_rest_triangle(const grazei_fold_builder *b, uint32_t place, float corners[3][3]);

/* Measures everything at rest, then finds the pairs of patches that are near each other and lists
 * their triangles that are very near. False when out of memory.
 */
bool grazei_folds_find_near(grazei_fold_builder *b);

#endif
