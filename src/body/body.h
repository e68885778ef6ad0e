/* A body: a model in a pose, and what has been computed of it since the pose was set.
 *
 * Everything cached carries the stamp of the pose it belongs to; a new pose is a new stamp, and
 * nothing is cleared. Siblings are bounded together, so a node's bound is valid if its stamp is.
 */
#ifndef GRAZEI_BODY_BODY_H
#define GRAZEI_BODY_BODY_H

#include "body/model.h"

#include <graze/body.h>
#include <graze/query.h>

/* Patches of fewer triangles are cheaper to test one by one than to make ready for lanes. */
#define GRAZEI_LEAST_SET 8

struct graze_body {
    const graze_model *model;
    grazei_joints joints[2]; /* the current one, and room for the next */
    uint32_t current;
    uint32_t stamp;        /* never 0 */
    uint32_t eager_stamp;  /* pose for which positions holds every vertex */
    uint32_t pose_count;   /* goes up with every new pose */
    uint32_t refit_stamp;  /* pose for which every bound was refitted from them */
    grazei_bound *bounds;  /* one a node */
    grazei_bound *patches; /* one a patch: box, stamp of the vertices, stamp of the set */
    float (*vertices)[4];  /* posed, patch by patch */
    float *sets;           /* triangle sets, set_floats a patch; NULL for small patches */
    uint32_t set_floats;
    uint32_t *box_stamps;  /* pose for which a set's boxes are there, if not the set itself */
    float (*positions)[4]; /* posed, in the mesh's order */
    grazei_bound whole;    /* the exact box of positions */
    float (*workspace)[4];
    grazei_fold_pair *fold_pairs; /* for self-collision; NULL without a table of folds */
    /* Spheres may outlive small changes of morph weights: see coherent.c. */
    bool coherent;
    uint32_t coherent_epoch; /* changes with every new pose */
    float drift;             /* how far the weights have gone since, summed up */
    float most_stretch;
    float (*morphed)[4]; /* rest positions of the whole mesh, morphed; NULL without targets */
};

size_t grazei_body_bytes(const graze_model *model);

/* Makes everything cached old. */
void grazei_body_new_stamp(graze_body *body);

/* Poses every vertex into positions and measures the whole. */
void grazei_body_pose_all(graze_body *body);

/* Poses a patch that is not posed yet. */
void grazei_body_pose_patch(graze_body *body, uint32_t patch, graze_stats *stats);

static inline const grazei_joints *grazei_body_joints(const graze_body *body)
{
    return &body->joints[body->current];
}

/* The same where earlier spheres may be enlarged instead. */
void grazei_body_bound_coherent(graze_body *body, uint32_t first, uint32_t count,
                                graze_stats *stats);

/* Bounds count siblings from first, unless they are bounded already. */
static inline void grazei_body_bound(graze_body *body, uint32_t first, uint32_t count,
                                     graze_stats *stats)
{
    if (body->bounds[first].stamp == body->stamp)
        return;
    if (body->coherent) {
        grazei_body_bound_coherent(body, first, count, stats);
        return;
    }
    body->model->deformer->bound(&body->model->skin, grazei_body_joints(body), first, count,
                                 body->bounds, body->workspace);
    for (uint32_t n = first; n < first + count; n++)
        body->bounds[n].stamp = body->stamp;
    stats->nodes_refit += count;
}

/* The exact box of a patch's posed vertices, posing them if need be. */
static inline const grazei_bound *grazei_body_patch(graze_body *body, uint32_t patch,
                                                    graze_stats *stats)
{
    if (body->patches[patch].stamp != body->stamp)
        grazei_body_pose_patch(body, patch, stats);
    return &body->patches[patch];
}

#endif
