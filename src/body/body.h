/* A body: a model in a pose, and what has been computed of it since the pose was set.
 *
 * Everything cached carries the stamp of the pose it belongs to; a new pose is a new stamp, and
 * nothing is cleared. Siblings are bounded together, so a node's bound is valid if its stamp is.
 *
 * While a body is shared, stamps say nothing to a thread that did not write them: marks beside them
 * do (base/threads.h). The thread that claims a mark finds out whether the pose has it already,
 * makes it if not, and sets the mark. What is marked does not change until the body is shared no
 * more.
 */
#ifndef GRAZEI_BODY_BODY_H
#define GRAZEI_BODY_BODY_H

#include "base/threads.h"
#include "model/model.h"
#include "narrow/patch_kernels.h"

#include <graze/body.h>
#include <graze/query.h>

/* A posed patch made ready as a shell, for one pose. Its rows are elsewhere. */
typedef struct grazei_patch_shell {
    grazei_slab slab;
    uint32_t stamp;
} grazei_patch_shell;

struct graze_body {
    const graze_model *model;
    grazei_joints joints[2]; /* the current one, and room for the next */
    uint32_t current;
    uint32_t stamp;        /* never 0 */
    uint32_t eager_stamp;  /* pose for which positions holds every vertex */
    uint32_t pose_count;   /* goes up with every new pose */
    uint32_t refit_stamp;  /* pose for which every bound was refitted from them */
    uint32_t share;        /* what marks are claimed with; 0: one thread alone uses the body */
    uint32_t last_share;   /* of all so far */
    grazei_bound *bounds;  /* one a node */
    grazei_bound *patches; /* one a patch: box, stamp of the vertices */
    float (*vertices)[4];  /* posed, patch by patch */
    float *sets;           /* triangle sets, set_floats a patch; NULL for small patches */
    uint32_t set_floats;
    uint32_t *set_stamps;       /* pose for which a patch's set is there */
    uint32_t *box_stamps;       /* pose for which its boxes are, if not the set itself */
    grazei_patch_shell *shells; /* one a patch; NULL for small patches */
    float *rows;                /* posed vertices in rows, see grazei_body_rows() */
    float (*positions)[4];      /* posed, in the mesh's order */
    grazei_bound whole;         /* the exact box of positions */
    float (*workspace)[4];
    atomic_uint *node_marks;      /* on the first of siblings: they are bounded */
    atomic_uint *patch_marks;     /* on each patch: it is posed */
    atomic_uint *shell_marks;     /* its slab is there */
    atomic_uint *box_marks;       /* so are the boxes of its triangles */
    grazei_fold_pair *fold_pairs; /* for self-collision; NULL without a table of folds */
    /* Spheres may outlive small changes of morph weights: see coherent.c. */
    bool coherent;
    uint32_t coherent_epoch; /* changes with every new pose */
    float drift;             /* how far the weights have gone since, summed up */
    float most_stretch;
    float (*morphed)[4]; /* rest positions of the whole mesh, morphed; NULL without targets */
    grazei_lock workspace_lock __attribute__((aligned(64))); /* apart from what all read */
};

/* Where the rows of a patch's shell begin: room for its vertices rounded up to 16, three times. */
static inline float *grazei_body_rows(const graze_body *body, uint32_t patch)
{
    size_t before = body->model->tree.patches[patch].first_vertex + 16 * (size_t)patch;
    return body->rows + 3 * (before & ~(size_t)15);
}

size_t grazei_body_bytes(const graze_model *model);

/* Makes everything cached old. */
void grazei_body_new_stamp(graze_body *body);

/* Poses every vertex into positions and measures the whole. */
void grazei_body_pose_all(graze_body *body);

/* From now on several threads may bound, pose and prepare shells, until it is shared no more. Both
 * calls are for one thread, and nothing if the body is in that state already.
 */
void grazei_body_share(graze_body *body);
void grazei_body_unshare(graze_body *body);

static inline const grazei_joints *grazei_body_joints(const graze_body *body)
{
    return &body->joints[body->current];
}

/* Bounds siblings that are not bounded yet. */
void grazei_body_bound_siblings(graze_body *body, uint32_t first, uint32_t count,
                                graze_stats *stats);

/* The same where earlier spheres may be enlarged instead. */
void grazei_body_bound_coherent(graze_body *body, uint32_t first, uint32_t count,
                                graze_stats *stats);

/* Spheres found for earlier weights serve no more: a new pose, or others took their place. */
void grazei_body_forget_earlier(graze_body *body);

/* Bounds count siblings from first, unless they are bounded already. */
static inline void grazei_body_bound(graze_body *body, uint32_t first, uint32_t count,
                                     graze_stats *stats)
{
    bool done = body->share ? grazei_mark_is_set(&body->node_marks[first], body->share)
                            : body->bounds[first].stamp == body->stamp;
    if (!done)
        grazei_body_bound_siblings(body, first, count, stats);
}

/* Poses a patch that is not posed yet. */
void grazei_body_pose_patch(graze_body *body, uint32_t patch, graze_stats *stats);

/* Whether a patch is posed, so that its box is there. */
static inline bool grazei_body_has_patch(const graze_body *body, uint32_t patch)
{
    return body->share ? grazei_mark_is_set(&body->patch_marks[patch], body->share)
                       : body->patches[patch].stamp == body->stamp;
}

/* The exact box of a patch's posed vertices, posing them if need be. */
static inline const grazei_bound *grazei_body_patch(graze_body *body, uint32_t patch,
                                                    graze_stats *stats)
{
    if (!grazei_body_has_patch(body, patch))
        grazei_body_pose_patch(body, patch, stats);
    return &body->patches[patch];
}

/* The same as grazei_body_needs for a shared body. */
bool grazei_body_claims(graze_body *body, atomic_uint *mark, const uint32_t *stamp);

/* Whether the caller has to make what this stamp and, in a shared body, this mark belong to, and
 * then to keep it.
 */
static inline bool grazei_body_needs(graze_body *body, atomic_uint *mark, const uint32_t *stamp)
{
    return body->share
               ? !grazei_mark_is_set(mark, body->share) && grazei_body_claims(body, mark, stamp)
               : *stamp != body->stamp;
}

static inline void grazei_body_keep(graze_body *body, atomic_uint *mark, uint32_t *stamp)
{
    *stamp = body->stamp;
    if (body->share)
        grazei_mark_set(mark, body->share);
}

#endif
