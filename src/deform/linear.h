/* Linear blend skinning: v' = sum of w_j (A_j v + t_j).
 *
 * The constants of a model and the kernels that pose its vertices and bound its nodes. Bounds from
 * the pose alone follow Kavan & Zara, "Fast collision detection for skeletally deformable models"
 * (2005), whose method by corners is kept, and go on from it: docs/bounds.md has the formulas, the
 * proofs and the rounding.
 */
#ifndef GRAZEI_DEFORM_LINEAR_H
#define GRAZEI_DEFORM_LINEAR_H

#include "deform/bound.h"
#include "deform/joints.h"
#include "deform/stream.h"
#include "math/cpu.h"

/* How a node is bounded. */
typedef enum grazei_record_kind {
    GRAZEI_BOX_HULL,      /* per joint the box of the vertices it moves; union of the images */
    GRAZEI_BOX_CENTRE,    /* one box, one weight centre, spread of the weights around it */
    GRAZEI_SPHERE_HULL,   /* per joint the ball of the vertices it moves; ball of the images */
    GRAZEI_SPHERE_CENTRE, /* one ball, one weight centre, spread of the weights around it */
    GRAZEI_SPHERE_CORNERS /* one ball, corners of the weights' polytope for each joint-set */
} grazei_record_kind;

/* More joints than this are bounded by a hull, which needs no memory of every joint's image. */
#define GRAZEI_MAX_CENTRE_JOINTS 32

typedef struct grazei_record {
    uint32_t first; /* into rows */
    uint16_t joints;
    uint8_t kind;
    uint8_t spare;
    float error; /* rounding of vertex and bound together, as a multiple of the magnitude */
} grazei_record;

/* Rows of four floats that a record points to, by kind (joint numbers stand as bits):
 *   BOX_HULL       joints x { centre x y z, joint } { half-extents x y z, - }
 *   BOX_CENTRE     { centre x y z, D / 2 } { half-extents x y z, - } joints x { joint, w, d, - }
 *   SPHERE_HULL    joints x { centre x y z, radius } { joint, - - - }
 *   SPHERE_CENTRE  { centre x y z, radius } { D, - - - } joints x { joint, w, d, - }
 *   SPHERE_CORNERS { centre x y z, radius } { sets, corners in all, - - } then, as a stream of
 *                  words: sets x (joint count p, corner count m, p joints, m x p weights)
 */
typedef struct grazei_linear {
    grazei_stream patch_stream;
    grazei_stream mesh_stream;
    grazei_record *records; /* one a node */
    float (*rows)[4];
    uint32_t row_count;
    uint32_t max_corners; /* most corners in one record: what bounding needs as workspace */
    float reach[3];       /* at least |rest coordinate|, per axis */
} grazei_linear;

graze_status grazei_linear_build(grazei_linear *linear, const grazei_mesh *mesh,
                                 const grazei_tree *tree, const graze_model_def *def,
                                 const graze_allocator *allocator, graze_error *error);

void grazei_linear_release(grazei_linear *linear, const graze_allocator *allocator);

/* What is compiled once per instruction set. */
typedef struct grazei_linear_kernels {
    /* Takes joint matrices (12 floats each if rows, else 16 in columns) and placement (12 floats or
     * NULL) into joints; false, with joints half-written, if values are not finite or too large.
     */
    bool (*prepare)(const grazei_linear *linear, grazei_joints *joints, uint32_t joint_count,
                    const float *matrices, bool rows, const float *placement);
    /* Poses count vertices of a stream; returns the box around them in low and high. out is indexed
     * by position in the stream, or through vertices if that is not NULL.
     */
    void (*pose)(const float (*rest)[4], const graze_influence *influences, uint32_t count,
                 const grazei_joints *joints, const uint32_t *vertices, float (*out)[4], f4 *low,
                 f4 *high);
    /* Bounds the nodes [first, first + count) into bounds[first ...]; the stamp lanes are lost. */
    void (*bound)(const grazei_linear *linear, const grazei_joints *joints, uint32_t first,
                  uint32_t count, grazei_bound *bounds, float (*workspace)[4]);
} grazei_linear_kernels;

GRAZEI_DECLARE(grazei_linear_kernels, linear_kernels);

#endif
