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
#include "math/rounding.h"
#include "narrow/triangle_kernels.h"
#include "tree/tree.h"

/* A joint of a region other than its main one. */
typedef struct grazei_fold_row {
    uint32_t pair;     /* of the main joint and this one */
    float weight;      /* m_j */
    float spread;      /* at least |q(x) - q(y)| / |x - y|, with q = (w_j - m_j) (x - c) */
    float bend;        /* the same with r = w_j - m_j - g_j . (x - c) */
    float gradient[3]; /* g_j */
    float steepness;   /* at least |g_j| */
} grazei_fold_row;

/* Two joints in a pose: by how much the second's map differs from the first's. */
typedef struct grazei_fold_pair {
    f4_map between;
    float stretch; /* at least the largest singular value */
} grazei_fold_pair;

#define GRAZEI_MAX_FOLD_ROWS 7

/* Rows of one pair of joints, for lanes; |weight|. */
#define GRAZEI_FOLD_LANES 16

typedef struct grazei_fold_lanes {
    float centre[3][GRAZEI_FOLD_LANES];
    float weight[GRAZEI_FOLD_LANES], spread[GRAZEI_FOLD_LANES];
    float bend[GRAZEI_FOLD_LANES], steepness[GRAZEI_FOLD_LANES];
    uint32_t folds[GRAZEI_FOLD_LANES]; /* that they are rows of */
} grazei_fold_lanes;

/* What the rows of a fold come to in a pose: what is lost of distances, and at least the norm of
 * what they add to the main joint's map.
 */
typedef struct grazei_fold_sums {
    float loss, added;
} grazei_fold_sums;

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
    uint16_t neighbour_count; /* of two different patches: pairs of neighbours, right behind; or
                                 GRAZEI_UNCOUNTED */
    uint32_t first_run;       /* of listed pairs: from here on, until all are counted */
} grazei_near;

/* Listed pairs that follow each other: all of one piece or of none, all of which meet at rest or
 * none; the clearest first.
 */
typedef struct grazei_listed_run {
    uint32_t piece; /* or GRAZEI_NO_PIECE */
    uint16_t count;
    bool meet;
    uint8_t least; /* lower bits of `clear` of the last */
} grazei_listed_run;

#define GRAZEI_NO_FOLD UINT32_MAX
#define GRAZEI_NO_PIECE UINT32_MAX
#define GRAZEI_UNCOUNTED UINT16_MAX

/* Triangles that one joint moves, wherever they are: a pose moves them by one affine map. */
typedef struct grazei_piece {
    uint32_t joint;
    bool morphed; /* a morph target moves some of them */
} grazei_piece;

/* How clear it is at rest that two listed triangles meet, or that they do not: at least 2 to the
 * power of the lower bits - GRAZEI_CLEAR_BIAS may all corners move, or are the two apart.
 */
#define GRAZEI_MEETS 128u
#define GRAZEI_CLEAR_BIAS 64

/* A step of a walk of the tree against itself towards patches that are near each other: up to four
 * siblings against four, which may be the same. Pairs that are neither near each other nor opened
 * by other steps are `open`, four bits for each of the first ones: where they overlap in a pose,
 * they are to be looked at.
 */
#define GRAZEI_STEP_CHILDREN 4

typedef struct grazei_fold_step {
    uint32_t first[2];
    uint32_t end;   /* of the steps that come from it, which follow it */
    uint32_t piece; /* that all of it is of */
    float edge;     /* the smallest of its patches' */
    uint16_t open;
    uint8_t count[2];
} grazei_fold_step;

/* The leaf of a patch, and its siblings. */
typedef struct grazei_fold_leaf {
    uint32_t node, first, count;
} grazei_fold_leaf;

/* Where rest is not every joint at the identity: see rest.c. */
typedef struct grazei_fold_rest {
    double (*undo)[12]; /* of each joint the inverse of its map at rest, 3 rows; NULL: it is */
    double *losses;     /* of each: at least |undone image - position| of what it moves */
    uint32_t joint_count;
    double reach; /* at least the length of every joint's image of what it moves */
    double
        off[2]; /* at least |rest position - blend of images|: of vertices of one joint, of all */
} grazei_fold_rest;

typedef struct grazei_folds {
    grazei_fold_rest rest;
    uint32_t *node_folds;      /* of each node by itself; NULL: there is no table */
    uint32_t *node_listed;     /* how many pairs are listed within each node */
    uint32_t (*node_ranks)[2]; /* patches below a node are rank_patches[first .. end) */
    uint32_t *node_pieces;     /* the one piece that all of a node's triangles are of */
    float *node_edges;         /* the smallest of its patches' */
    uint32_t *rank_patches;    /* patches in the order of their triangles */
    uint32_t *patch_ranks;
    float *edges;         /* of each patch: a middling edge */
    uint8_t *crowded;     /* of each patch: too much is near it, and nothing is known of that */
    uint8_t *strays;      /* of each patch: a vertex of it cannot part from one that is elsewhere at
                             rest, so      that neighbours may be in patches that are not near */
    uint32_t *first_near; /* of each rank, and the end of the last */
    grazei_near *nears;
    uint32_t near_count;
    uint16_t *listed;
    uint8_t *clear; /* of each listed pair */
    uint32_t listed_count;
    grazei_listed_run *runs;
    uint32_t run_count;
    /* Which triangles of its patch are a triangle's neighbours or come before it, as bits; in the
     * order of patch_triangles.
     */
    uint64_t (*masks)[2];

    grazei_fold_step *steps; /* the first one opens the root */
    uint32_t step_count;
    grazei_fold_leaf *leaves; /* of each patch; NULL: there are no steps */

    grazei_piece *pieces;
    uint32_t piece_count;

    grazei_fold *folds;
    uint32_t fold_count;
    grazei_fold_row *rows;
    uint32_t row_count;
    uint32_t (*pairs)[2]; /* main joint and other */
    uint32_t pair_count;
    grazei_fold_lanes *lanes; /* the rows again, by pair; those of a fold are in that order, too */
    uint32_t *first_lanes;    /* of each pair, and the end of the last */
} grazei_folds;

/* Triangles of two patches are listed if they are at most so far apart at rest. */
#define GRAZEI_LISTED_PART 0.02

static inline double grazei_listed_below(double edge_a, double edge_b)
{
    return GRAZEI_LISTED_PART * 0.5 * (edge_a + edge_b);
}

/* Fills zeroed folds, at once; false when out of memory, and the caller releases what is there. */
bool grazei_folds_build(grazei_folds *folds, const grazei_mesh *mesh, const grazei_tree *tree,
                        const grazei_triangle_kernels *kernels, const graze_allocator *allocator);
void grazei_folds_release(grazei_folds *folds, const graze_allocator *allocator);
size_t grazei_folds_bytes(const grazei_folds *folds, const grazei_tree *tree);

/* GRAZE_CORRUPT where it is not what every table is: validate.c. */
graze_status grazei_folds_validate(const grazei_folds *folds, const grazei_mesh *mesh,
                                   const grazei_tree *tree, graze_error *error);

/* The entry of two patches, or NULL if they are not close to each other at rest or the first of
 * them is crowded. The pairs it lists are of its patch of lower rank and of the other.
 */
const grazei_near *grazei_folds_near(const grazei_folds *folds, uint32_t patch_a, uint32_t patch_b);

/* A piece in a pose. */
typedef struct grazei_piece_pose {
    float blur;     /* rest distance that rounding may hide; infinity: nothing can be said */
    float stretch;  /* at most the smallest singular value of its map */
    uint32_t clear; /* lower bits of grazei_folds.clear from which on a listed pair stays so */
} grazei_piece_pose;

/* What a pose comes to for all regions. */
typedef struct grazei_fold_pose {
    const grazei_folds *folds;
    const grazei_skin *skin;
    const grazei_joints *joints;
    const f4_map *maps;  /* of each joint from rest to the pose; NULL: the joints' own */
    float magnitude;     /* at least what those give, as a length */
    float more_rounding; /* part of `rounding` */
    const grazei_fold_pair *pairs;
    const grazei_piece_pose *pieces;
    const grazei_fold_sums *sums; /* of all folds; NULL: not made */
    bool morphed;
    float rounding; /* at least what it can do to the difference of two vertices */
} grazei_fold_pose;

/* Fills pairs and pieces, of which there are folds->pair_count and piece_count; maps, one a joint,
 * where folds->rest.undo is there.
 */
grazei_fold_pose grazei_folds_pose(const grazei_folds *folds, const grazei_skin *skin,
                                   const grazei_joints *joints, grazei_fold_pair *pairs,
                                   grazei_piece_pose *pieces, f4_map *maps);

/* What the difference of two joints' images of a place is off by. */
static inline float grazei_fold_blur(const grazei_fold_pose *pose)
{
    return 32 * GRAZEI_UNIT * pose->magnitude;
}

/* What is taken off or added for rounding: docs/folds.md. */
#define GRAZEI_FOLD_MARGIN 1e-5f

/* What undoing the rest pose adds to the rounding of two vertices, and at least what the maps from
 * rest give. maps are the pose's, and become those from rest.
 */
typedef struct grazei_fold_rest_loss {
    float rounding, magnitude;
} grazei_fold_rest_loss;

grazei_fold_rest_loss grazei_fold_rest_pose(const grazei_fold_rest *rest, bool linear,
                                            float weight_error, f4_map *maps);

/* Whether no two triangles of a region meet in this pose, except neighbours and listed ones. */
bool grazei_fold_is_kept(const grazei_fold_pose *pose, uint32_t fold);

/* The same, where the answer is mostly near at hand: its main joint's map keeps more than all
 * others together may take away, or so little that no map like it will do; false is always a safe
 * answer.
 */
static inline bool grazei_cannot_fold(const grazei_fold_pose *pose, uint32_t number)
{
    if (number == GRAZEI_NO_FOLD)
        return false;
#if !defined(__OPTIMIZE_SIZE__)
    const grazei_fold *fold = &pose->folds->folds[number];
    if (pose->sums && !fold->morphed) {
        grazei_fold_sums sums = pose->sums[number];
        float slack = pose->rounding / fold->apart, kept = pose->pieces[fold->joint].stretch;
        float needed = sums.loss + sums.added * (1 + GRAZEI_FOLD_MARGIN) + slack;
        if (kept > needed * (1 + 2 * GRAZEI_FOLD_MARGIN))
            return true;
        if (sums.loss > kept)
            return false;
    }
#endif
    return grazei_fold_is_kept(pose, number);
}

/* Whether triangles of a piece that are farther apart at rest than those that two patches (or, for
 * a node, its patches) list do not meet in this pose.
 */
static inline bool grazei_piece_keeps(const grazei_fold_pose *pose, uint32_t piece, float edge_a,
                                      float edge_b)
{
    return piece != GRAZEI_NO_PIECE &&
           (double)pose->pieces[piece].blur < grazei_listed_below((double)edge_a, (double)edge_b);
}

/* A motion from one pose to another of the same model, in straight lines. */
typedef struct grazei_fold_motion {
    const grazei_fold_pose *start, *end;
} grazei_fold_motion;

/* As grazei_cannot_fold and grazei_piece_keeps, at all times of a motion: no two such triangles
 * come as near each other as counts as meeting (narrow/moving.h).
 */
bool grazei_cannot_fold_between(const grazei_fold_motion *motion, uint32_t fold);
bool grazei_piece_keeps_between(const grazei_fold_motion *motion, uint32_t piece, float edge_a,
                                float edge_b);

/* Whether no two triangles below a node meet in this pose, except neighbours and listed ones. */
static inline bool grazei_node_cannot_fold(const grazei_fold_pose *pose, uint32_t node)
{
    const grazei_folds *folds = pose->folds;
    float edge = folds->node_edges[node];
    return grazei_piece_keeps(pose, folds->node_pieces[node], edge, edge) ||
           grazei_cannot_fold(pose, folds->node_folds[node]);
}

#endif
