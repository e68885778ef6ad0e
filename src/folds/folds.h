/* Which parts of a body a pose cannot have folded onto themselves.
 *
 * Over a region (a node, or two patches close to each other at rest) the skin is nearly one affine
 * map x -> F x: its weights are nearly linear, w_j(x) = m_j + g_j . (x - c) + a little. Two points
 * that are d apart at rest are then at least (s - e) d apart in the pose, where s is the smallest
 * singular value of F and e what the rest of the weights can do to the difference, per distance. If
 * that exceeds what rounding can do to two vertices, no triangles of the region meet that did not
 * come close at rest; and those are on a list. docs/folds.md has the proof.
 *
 * Triangles whose vertices all have the same weights are the special case e = 0. The idea of
 * skipping those is James & Pai's and Kavan & Zara's; the bound for regions whose weights vary is
 * ours.
 */
#ifndef GRAZEI_FOLDS_FOLDS_H
#define GRAZEI_FOLDS_FOLDS_H

#include "deform/joints.h"
#include "deform/skin.h"
#include "tree/tree.h"

/* A joint of a region other than its main one. */
typedef struct grazei_fold_row {
    uint32_t pair;     /* of the main joint and this one */
    float weight;      /* m_j */
    float spread;      /* at least |r(x) - r(y)| / |x - y|, with r = (w_j - m_j) (x - c) */
    float bend;        /* the same with r = w_j - m_j - g_j . (x - c) */
    float gradient[3]; /* g_j */
    float steepness;   /* at least |g_j| */
} grazei_fold_row;

/* Two joints in a pose: by how much the second's map differs from the first's. */
typedef struct grazei_fold_pair {
    f4_map between;
    float stretch; /* at least the largest singular value */
} grazei_fold_pair;

typedef struct grazei_fold {
    uint32_t first_row;
    uint16_t row_count;
    bool morphed;   /* a morph target moves some of it */
    uint32_t joint; /* the main one */
    float centre[3];
    float apart; /* rest distance above which it speaks for two triangles */
} grazei_fold;

/* Two patches close to each other at rest, kept with the one that comes first. */
typedef struct grazei_near {
    uint32_t patch; /* the other */
    uint32_t fold;  /* GRAZEI_NO_FOLD: always look */
    uint32_t first_listed;
    uint16_t listed_count;    /* pairs of triangles closer than `apart`, as in triangle_kernels.h */
    uint16_t neighbour_count; /* of two different patches: pairs of neighbours, right behind */
} grazei_near;

#define GRAZEI_NO_FOLD UINT32_MAX

typedef struct grazei_folds {
    uint32_t *node_folds;      /* of each node by itself; NULL: there is no table */
    uint32_t *node_listed;     /* how many pairs are listed within each node */
    uint32_t (*node_ranks)[2]; /* patches below a node are rank_patches[first .. end) */
    uint32_t *rank_patches;    /* patches in the order of their triangles */
    uint32_t *patch_ranks;
    uint32_t *first_near; /* of each rank, and the end of the last */
    grazei_near *nears;
    uint32_t near_count;
    uint16_t *listed;
    uint32_t listed_count;
    /* Which triangles of its patch are a triangle's neighbours or come before it, as bits; in the
     * order of patch_triangles.
     */
    uint64_t (*masks)[2];
    grazei_fold *folds;
    uint32_t fold_count;
    grazei_fold_row *rows;
    uint32_t row_count;
    uint32_t (*pairs)[2]; /* main joint and other */
    uint32_t pair_count;
} grazei_folds;

/* Fills zeroed folds; false when out of memory, and the caller releases what is there. */
bool grazei_folds_build(grazei_folds *folds, const grazei_mesh *mesh, const grazei_tree *tree,
                        const graze_allocator *allocator);
void grazei_folds_release(grazei_folds *folds, const graze_allocator *allocator);
size_t grazei_folds_bytes(const grazei_folds *folds, const grazei_tree *tree);

/* The entry of two different patches, or NULL if they are not close to each other at rest. The
 * pairs it lists are of its patch of lower rank and of the other.
 */
const grazei_near *grazei_folds_near(const grazei_folds *folds, uint32_t patch_a, uint32_t patch_b);

/* What a pose comes to for all regions. */
typedef struct grazei_fold_pose {
    const grazei_folds *folds;
    const grazei_skin *skin;
    const grazei_joints *joints;
    const grazei_fold_pair *pairs;
    bool morphed;
    float rounding; /* at least what it can do to the difference of two vertices */
} grazei_fold_pose;

/* Fills pairs, of which there are folds->pair_count. */
grazei_fold_pose grazei_folds_pose(const grazei_folds *folds, const grazei_skin *skin,
                                   const grazei_joints *joints, grazei_fold_pair *pairs);

/* Whether no two triangles of a region meet in this pose, except neighbours and listed ones. */
bool grazei_cannot_fold(const grazei_fold_pose *pose, uint32_t fold);

#endif
