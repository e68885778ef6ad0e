/* A rig: a whole character as a file holds it (mesh, skin, node tree, clips), as plain data, and
 * the sampler that turns a clip and a time into the joint matrices a graze_body takes.
 *
 * Loaders and generators fill it; programs sample it. An engine with its own animation system does
 * not need this header.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_RIG_H
#define GRAZE_RIG_H

#include <graze/ext/parts.h>
#include <graze/graze.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A node of the transform tree. Its local map is the matrix if has_matrix, else T R S. */
typedef struct graze_rig_node {
    char *name;      /* of a loaded file never NULL; see graze_rig_name_nodes */
    uint32_t parent; /* index of a node, or GRAZE_NONE */
    float translation[3];
    float rotation[4]; /* quaternion x y z w, unit */
    float scale[3];
    bool has_matrix;
    float matrix[12]; /* 3 rows of 4 */
} graze_rig_node;

/* What a vertex's influence refers to: pose matrix = global map of node x inverse_bind. */
typedef struct graze_rig_joint {
    uint32_t node;
    float inverse_bind[12]; /* 3 rows of 4; the identity for a mesh that moves rigidly */
    bool rigid;             /* moves a mesh that has no skin, as a whole */
} graze_rig_joint;

/* One morph target: sparse displacements of some vertices, before skinning. */
typedef struct graze_rig_morph {
    uint32_t *vertices; /* ascending */
    float *deltas;      /* 3 floats for each */
    uint32_t count;
    float weight; /* where no clip animates it */
} graze_rig_morph;

typedef enum graze_rig_path {
    GRAZE_RIG_TRANSLATION = 0,
    GRAZE_RIG_ROTATION = 1,
    GRAZE_RIG_SCALE = 2,
    GRAZE_RIG_WEIGHTS = 3
} graze_rig_path;

typedef enum graze_rig_interpolation {
    GRAZE_RIG_LINEAR = 0, /* rotations: spherical linear */
    GRAZE_RIG_STEP = 1,
    GRAZE_RIG_CUBICSPLINE = 2
} graze_rig_interpolation;

/* One animated property. Values: 3 floats per key for translation and scale, 4 for rotation,
 * morph_count for weights; CUBICSPLINE has three such groups a key: in-tangent, value, out-tangent.
 */
typedef struct graze_rig_channel {
    graze_rig_path path;
    graze_rig_interpolation interpolation;
    uint32_t node; /* target of T, R, S */
    uint32_t
        first_morph; /* target of weights: morphs first_morph .. first_morph + morph_count - 1 */
    uint32_t morph_count;
    uint32_t key_count; /* at least 1 */
    float *times;       /* ascending, seconds; of keys at one time the last holds from there on */
    float *values;
} graze_rig_channel;

typedef struct graze_rig_clip {
    char *name;    /* may be NULL */
    float seconds; /* time of its last key */
    graze_rig_channel *channels;
    uint32_t channel_count;
} graze_rig_clip;

/* A mesh as one node of the scene shows it: which vertices and triangles came from it. */
typedef struct graze_rig_mesh {
    char *name;    /* of the mesh; may be NULL */
    uint32_t node; /* that shows it, whose name is another */
    uint32_t first_vertex, vertex_count;
    uint32_t first_triangle, triangle_count;
    char *extras; /* data that other programs keep with the mesh, as JSON text; may be NULL */
} graze_rig_mesh;

/* Triangles that came one behind the other with one material. */
typedef struct graze_rig_primitive {
    uint32_t first_triangle, triangle_count;
    uint32_t material; /* of the rig's, or GRAZE_NONE */
} graze_rig_primitive;

/* All arrays belong to the rig and were taken from its allocator. */
typedef struct graze_rig {
    graze_allocator allocator;

    float *positions; /* 3 floats per vertex */
    uint32_t vertex_count;
    uint32_t *triangles; /* 3 indices per triangle */
    uint32_t triangle_count;
    uint32_t *influence_offsets; /* vertex_count + 1 */
    graze_influence *influences; /* as in the file; normalised by graze_model_create */

    bool skinned; /* some mesh follows a skin; else every mesh moves with its node */

    graze_rig_node *nodes;
    uint32_t node_count;
    graze_rig_joint *joints;
    uint32_t joint_count;
    graze_rig_morph *morphs;
    uint32_t morph_count;
    graze_rig_clip *clips;
    uint32_t clip_count;
    graze_rig_mesh *meshes; /* in the order of their triangles; none if not known */
    uint32_t mesh_count;
    graze_rig_primitive *primitives; /* in the order of their triangles; none if not known */
    uint32_t primitive_count;
    char **material_names; /* each may be NULL */
    uint32_t material_count;
} graze_rig;

/* Frees everything in the rig and the rig itself. NULL is fine; half-filled rigs are fine as long
 * as unfilled pointers are NULL and the counts fit.
 */
void graze_rig_destroy(graze_rig *rig);

/* Gives every node whose name is NULL or empty one: the first 60 bytes of the name of the nearest
 * node above it that has one, or "node", and its own number: "arm/7", "node/0"; another "#2" behind
 * it if that is taken. Loaders call it. With an error some nodes may have names already.
 *   - rig is not NULL, and no node is above itself, else GRAZE_BAD_INPUT; or GRAZE_OUT_OF_MEMORY.
 * Experimental: it may change in any version.
 */
graze_status graze_rig_name_nodes(graze_rig *rig, graze_error *error);

/* A zeroed rig with this allocator (NULL: the default one), or NULL when out of memory. */
graze_rig *graze_rig_create(const graze_allocator *allocator);

/* Samples clip (an index, or GRAZE_NONE for the pose the file stands in) at time, in seconds:
 * before its first key and after its last a channel holds its end values. Writes 12 floats per
 * joint (3 rows of 4) and one weight per morph; either output may be NULL. Composition is in
 * double; nodes may come in any order, and quaternions need not be unit. Returns GRAZE_BAD_INPUT if
 * time is not finite, there is no such clip, or an index in the rig is out of range or nodes form a
 * cycle; GRAZE_OUT_OF_MEMORY if the workspace (per node) could not be had.
 */
graze_status graze_rig_sample(const graze_rig *rig, uint32_t clip, double time, float *joints,
                              float *morph_weights);

/* The clip of that name, else the clip whose index the text spells, else GRAZE_NONE. */
uint32_t graze_rig_find_clip(const graze_rig *rig, const char *name_or_index);

/* A model def over the rig's arrays (which must outlive the call that uses it), with the default
 * tree. example_poses is left NULL: see graze_rig_example_poses.
 */
graze_model_def graze_rig_model_def(const graze_rig *rig);

/* Fills same_joints (joint_count of them) for a model def: joints of skins that have one node and
 * equal inverse bind matrices are one. GRAZE_OUT_OF_MEMORY if the workspace (per joint) could not
 * be had.
 */
graze_status graze_rig_same_joints(const graze_rig *rig, uint32_t *same_joints);

/* Fills targets (morph_count of them) for a model def's morphs, pointing into the rig. */
void graze_rig_morph_targets(const graze_rig *rig, graze_morph_target *targets);

/* Samples count poses spread evenly over all clips, by their length, into poses (count x
 * joint_count x 12 floats); without clips every one is the pose the file stands in.
 */
graze_status graze_rig_example_poses(const graze_rig *rig, uint32_t count, float *poses);

/* Puts every mesh to where the file shows it without a clip, and makes a length unit metres: meshes
 * that hang on nodes, and skins that were bound elsewhere or in another unit, then stand together
 * in model space while all joints are the identity, as ragdolls need it. Clips and nodes keep
 * working: a pose is what it was, times the unit, but for rounding.
 *   - unit: metres per unit of the file; 1: stays. Above 1e-9 and below 1e9.
 *   - GRAZE_BAD_INPUT too for a joint that is flat there; with an error nothing changed.
 *   - Models made of the rig before keep their own vertices.
 * Experimental: it may change in any version.
 */
graze_status graze_rig_settle(graze_rig *rig, float unit, graze_error *error);

/* Guesses metres per unit of a character's file from the size of a settled rig: 0.01 where it is
 * larger than 20, 0.001 where it is larger than 2,000, else 1. Say so to whoever is to check it.
 * Experimental: it may change in any version.
 */
float graze_rig_guess_unit(const graze_rig *rig);

/* The two calls that most programs need. */

/* Makes a model of the rig: its mesh, skin and morph targets, with example poses from its clips.
 * def is what graze_rig_model_def gives, changed as you like (skinning, tree, parts); NULL: as it
 * is. Morph targets, example poses, same joints and rest that def has already are kept; else rest
 * is the pose in which the file stands (GRAZE_NONE). Errors are those of graze_model_create and
 * graze_rig_sample, and a NULL rig.
 */
graze_status graze_rig_create_model(const graze_rig *rig, const graze_model_def *def,
                                    graze_model **model, graze_error *error);

/* Samples a clip at a time, as graze_rig_sample, and poses the body so: joints and morph weights.
 * The body is of a model of this rig, or of another with as many joints and morph targets.
 * placement: model space to world, 12 floats (3 rows of 4); NULL: the identity. Takes memory for
 * the time of the call. GRAZE_BAD_INPUT also names a clip that is not there.
 */
graze_status graze_rig_pose_body(const graze_rig *rig, uint32_t clip, double time,
                                 const float *placement, graze_body *body, graze_error *error);

/* What the body parts of a rig are. */
typedef enum graze_parts_by {
    GRAZE_PARTS_BY_JOINT = 0, /* the triangles that follow a joint most; nested as the nodes are */
    GRAZE_PARTS_BY_MESH = 1,  /* a mesh as a node shows it; nested as the nodes are */
    GRAZE_PARTS_BY_MATERIAL = 2
} graze_parts_by;

/* The names of a rig's parts, for graze/ext/parts.h, and the parts of a model made so.
 *
 * By joint a part's number is its joint's, as a model's parts are by default, so none are
 * written; its name is that of the joint's node, or what graze_rig_name_nodes would call it. A part
 * is inside that of the nearest node above its own that is a joint; of a node that is several
 * joints, as in files of several skins, the parts of the others are inside the first.
 *
 * By mesh it is the number in rig->meshes, by material that in rig->material_names; triangles
 * without a mesh or material are of a last part, named "rest", which is there if it is needed. A
 * vertex is of the first of its triangles' parts, or of part 0.
 *
 *   - rig and names are not NULL, and *names is set on success only.
 *   - triangle_parts and vertex_parts hold rig->triangle_count and rig->vertex_count numbers; by
 *     joint both may be NULL.
 * Memory comes from the rig's allocator.
 */
graze_status graze_rig_part_names(const graze_rig *rig, graze_parts_by by, uint32_t *triangle_parts,
                                  uint32_t *vertex_parts, graze_part_names **names,
                                  graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
