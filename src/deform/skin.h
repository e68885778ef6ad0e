/* The skin: constants of a model, and what every way to deform it has to be able to do.
 *
 * A deformer is a file: a few functions (take over a pose, or morph weights, move vertices, bound
 * nodes from the pose alone) and what other rooms ask of it. deformers.c lists them. Linear
 * blending's bounds follow Kavan & Zara, "Fast collision detection for skeletally deformable
 * models" (2005), whose method by corners is kept, and go on from it: docs/bounds.md has the
 * formulas, the proofs and the rounding.
 */
#ifndef GRAZEI_DEFORM_SKIN_H
#define GRAZEI_DEFORM_SKIN_H

#include "deform/blend.h"
#include "deform/bound.h"
#include "deform/joints.h"
#include "deform/morph.h"
#include "deform/outline.h"
#include "deform/stream.h"
#include "math/isa.h"
#include "mesh/mesh.h"

/* How a node is bounded. */
typedef enum grazei_record_kind {
    GRAZEI_BOX_HULL,       /* per joint the box of the vertices it moves; union of the images */
    GRAZEI_BOX_CENTRE,     /* one box, one weight centre, spread of the weights around it */
    GRAZEI_SPHERE_HULL,    /* per joint the ball of the vertices it moves; ball of the images */
    GRAZEI_SPHERE_CENTRE,  /* one ball, one weight centre, spread of the weights around it */
    GRAZEI_SPHERE_CORNERS, /* one ball, corners of the weights' polytope for each joint-set */
    GRAZEI_BOX_SIBLINGS,   /* BOX_HULL of up to four siblings, which share the record */
    GRAZEI_SPHERE_POSED    /* few vertices, which are posed; not with linear skinning */
} grazei_record_kind;

/* More joints than this are bounded by a hull, which needs no memory of every joint's image. */
#define GRAZEI_MAX_CENTRE_JOINTS 32

/* Brute force finds p 2^(p-1) candidates for corners; sets of more joints get a simplex instead,
 * and of more than GRAZEI_MAX_CENTRE_JOINTS one corner a joint.
 */
#define GRAZEI_MAX_CORNER_JOINTS 8
#define GRAZEI_MAX_CORNERS (GRAZEI_MAX_CORNER_JOINTS << (GRAZEI_MAX_CORNER_JOINTS - 1))

/* As many are bounded together. */
#define GRAZEI_MAX_SIBLINGS 4

/* Nodes of so many vertices are posed instead of being bounded, where rotations are blended: that
 * is exact, and no dearer.
 */
#define GRAZEI_MAX_POSED 6

typedef struct grazei_record {
    uint32_t first; /* into rows */
    uint16_t joints;
    uint8_t kind;
    uint8_t siblings; /* that share the record */
    float error;      /* rounding of vertex and bound together, as a multiple of the magnitude */
} grazei_record;

/* Rows for the numbers of a BOX_SIBLINGS record's joints: an even number of rows. */
static inline uint32_t grazei_joint_rows(uint32_t joints)
{
    return (joints + 7) / 8 * 2;
}

/* Rows of four floats that a record points to, by kind (joint numbers stand as bits):
 *   BOX_HULL       joints x { centre x y z, joint } { half-extents x y z, - }
 *   BOX_CENTRE     { centre x y z, D / 2 } { half-extents x y z, - } joints x { joint, w, d, - }
 *   SPHERE_HULL    joints x { centre x y z, radius } { joint, share of the centre, - - }
 *   SPHERE_CENTRE  { centre x y z, radius } { D, - - - } joints x { joint, w, d, - }
 *   SPHERE_CORNERS { centre x y z, radius } { sets, corners in all, - - } then, as a stream of
 *                  words: sets x (joint count p, corner count m, p joints, m x p weights)
 *   BOX_SIBLINGS   grazei_joint_rows x { joint, joint, joint, joint }, then joints x, as 24 floats,
 *                  four siblings' (centre x, half-extent x), then those of y, then those of z
 *   SPHERE_POSED   { first vertex of the patches' stream, vertices, first influence, - }, then the
 *                  vertices' shares of the centre, four a row
 */
typedef struct grazei_skin {
    grazei_stream patch_stream;
    grazei_stream mesh_stream;
    grazei_record *records; /* one a node */
    float (*rows)[4];
    uint32_t row_count;
    uint32_t max_corners; /* most corners in one record: what bounding needs as workspace */
    float reach[3];       /* at least |rest coordinate|, per axis */
    graze_skinning kind;
    /* As compiled for every processor: for comparing bounds at build time, the same everywhere, and
     * for what it says of itself.
     */
    const struct grazei_deformer *deformer;
    graze_volume volume;
    grazei_morph morph;     /* target_count 0: none */
    grazei_blend blend;     /* where rotations are blended */
    grazei_outline outline; /* where maps are blended, without targets */
    const grazei_mesh *mesh;
} grazei_skin;

/* A pose as it comes in. */
typedef struct grazei_pose_input {
    uint32_t joint_count;
    const float *matrices; /* 12 floats each if rows, else 16 in columns */
    uint32_t step;         /* floats from one to the next; 0: one for all joints */
    bool rows;
    bool at_once;               /* nothing is put off */
    const float *placement;     /* as a matrix; NULL: none */
    const float *morph_weights; /* NULL: all zero */
} grazei_pose_input;

/* Vertices to be posed: a range of a stream. */
typedef struct grazei_batch_in {
    const float (*rest)[4];
    const graze_influence *influences;
    const uint32_t *sets; /* joint-set of each vertex */
    uint32_t count;
    const uint32_t *vertices; /* where each goes; NULL: in order */
} grazei_batch_in;

/* What is compiled once per instruction set. Everything that is not a function is false or 0 unless
 * the deformer says otherwise, and that is always safe.
 */
typedef struct grazei_deformer {
    const char *name; /* for messages */
    /* A vertex is the weighted mean of its joints' maps of it, into which the placement is folded:
     * then bounds of siblings may be found together, bounds of earlier morph weights may be
     * enlarged, and several joints' vertices can be shown not to fold.
     */
    bool blends_maps;
    /* A pose needs the joints' rotations, the maps as they came and the placement apart, and the
     * model its blended pairs of joints.
     */
    bool needs_rotations;
    bool needs_duals;    /* and the dual parts */
    bool needs_centres;  /* and a centre of rotation for each joint-set */
    bool follows_joints; /* a vertex of one joint moves as that joint: folds can be ruled out */
    /* Of a vertex before the placement, where each joint alone keeps it within m: it stays within
     * m x (growth + joint_growth x the most joints of a vertex). Where rotations are blended.
     */
    float growth, joint_growth;
    /* Takes a pose into joints; false, with joints half-written, if something is not finite or too
     * large.
     */
    bool (*prepare)(const grazei_skin *skin, grazei_joints *joints, const grazei_pose_input *pose);
    /* Poses a batch; returns the box around it in low and high. */
    void (*pose)(const grazei_skin *skin, const grazei_joints *joints, const grazei_batch_in *batch,
                 float (*out)[4], f4 *low, f4 *high);
    /* Poses vertices of the mesh by their numbers, in any order, from these rest positions, whose
     * last lanes are 0.
     */
    void (*pose_chosen)(const grazei_skin *skin, const grazei_joints *joints,
                        const uint32_t *vertices, uint32_t count, const float (*rest)[4],
                        float (*out)[4]);
    /* Bounds the nodes [first, first + count), no siblings without the others, into
     * bounds[first ...].
     */
    void (*bound)(const grazei_skin *skin, const grazei_joints *joints, uint32_t first,
                  uint32_t count, grazei_bound *bounds, float (*workspace)[4]);
    /* Takes new morph weights into joints that are prepared; false, with joints as they were, if
     * they are not finite or too large.
     */
    bool (*reweigh)(const grazei_skin *skin, grazei_joints *joints, uint32_t joint_count,
                    const float *weights);
    /* Makes what was put off (joints->put_off), unless it is there; several threads may call it. */
    void (*complete)(const grazei_skin *skin, const grazei_joints *joints);
} grazei_deformer;

/* Memory for a pose's joints, zeroed: the size, the arrays (false when out of memory, and then what
 * there is is released by the caller), and a pose's copy into another's memory.
 */
size_t grazei_joints_bytes(const grazei_skin *skin);
bool grazei_joints_allocate(const grazei_skin *skin, grazei_joints *joints,
                            const graze_allocator *allocator);
void grazei_joints_release(grazei_joints *joints, const graze_allocator *allocator);
void grazei_joints_copy(const grazei_skin *skin, grazei_joints *to, const grazei_joints *from);

/* The deformer for a skinning and an instruction set; NULL: there is none. */
const grazei_deformer *grazei_deformer_of(graze_skinning skinning, graze_isa isa);

#endif
