/* A model: what is true of a deforming mesh before any pose.
 *
 * A graze_model owns copies of everything it needs; the caller's arrays may go once
 * graze_model_create returns. It is immutable: any number of bodies and threads may share it.
 *
 * Standing: stable.
 */
#ifndef GRAZE_MODEL_H
#define GRAZE_MODEL_H

#include <graze/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_model graze_model;

/* One joint's share in one vertex. */
typedef struct graze_influence {
    uint32_t joint;
    float weight; /* finite, not negative; weights of a vertex are scaled to sum 1 */
} graze_influence;

/* The numbers of a vertex buffer. */
typedef enum graze_number {
    GRAZE_UINT8 = 1,
    GRAZE_UINT16 = 2,
    GRAZE_UINT32 = 3,
    GRAZE_FLOAT = 4
} graze_number;

/* Joints and weights as they lie in a vertex buffer, per_vertex of each for every vertex. With
 *
 *     struct vertex { float position[3]; uint8_t joints[4], weights[4]; } *vertices;
 *
 * joints is vertices[0].joints, joint_type GRAZE_UINT8, joint_stride sizeof(struct vertex).
 *   - Nothing needs to be aligned.
 *   - A joint of weight zero is left out, and may be any number.
 *   - If a joint is named twice, its weights are added.
 *   - Every vertex has a weight other than zero. Its weights are scaled to sum 1.
 */
typedef struct graze_skin_layout {
    const void *joints;       /* of the first vertex */
    graze_number joint_type;  /* GRAZE_UINT8, GRAZE_UINT16 or GRAZE_UINT32 */
    size_t joint_stride;      /* bytes from vertex to vertex; 0: tightly packed */
    const void *weights;      /* of the first vertex */
    graze_number weight_type; /* GRAZE_FLOAT; GRAZE_UINT8, 255 is 1; GRAZE_UINT16, 65535 is 1 */
    size_t weight_stride;     /* bytes from vertex to vertex; 0: tightly packed */
    uint32_t per_vertex;      /* 1 to 65535, usually 4 */
} graze_skin_layout;

/* How the joints of a vertex are blended. All of them move a vertex of one joint by its matrix. */
typedef enum graze_skinning {
    GRAZE_LINEAR = 0, /* the matrices: any affine maps */
    GRAZE_SPHERICAL =
        1,         /* rotations about a centre found per joint-set and pose (Kavan & Zara 2005) */
    GRAZE_DUAL = 2 /* dual quaternions (Kavan et al. 2007) */
} graze_skinning;

/* Displacements of vertices: a blend shape, a mode of vibration, a principal component. Vertices
 * that it does not name stay; displacements of a vertex that it names twice are added.
 */
typedef struct graze_morph_target {
    const uint32_t *vertices; /* NULL: the first count vertices */
    const float *deltas;      /* 3 floats each, finite, magnitude up to 1e15 */
    uint32_t count;
} graze_morph_target;

/* The volume that bounds a node of the tree. */
typedef enum graze_volume {
    GRAZE_BOXES = 0,  /* axis-aligned boxes: fewer visits, the default */
    GRAZE_SPHERES = 1 /* spheres: the volume of the papers */
} graze_volume;

/* How a node's sphere is found from the pose (boxes have one method). */
typedef enum graze_refit {
    GRAZE_REFIT_DEFAULT = 0, /* for each node the best of several methods (docs/bounds.md) */
    GRAZE_REFIT_CORNERS = 1  /* as in the papers: by corners of weights (Kavan & Zara 2005), caps of
                                rotations (Kavan, O'Sullivan & Zara 2006; more than 32 joints on a
                                vertex: the default), morphs by mean field and largest deviation
                                (James & Pai 2004); wider around many joints (docs/bounds.md) */
} graze_refit;

/* The shape of the bounding tree. Changes speed and statistics, never an answer. */
typedef struct graze_tree_def {
    graze_volume volume;
    graze_refit refit;
    uint32_t patch_triangles; /* most triangles in a leaf, 1 to 128; 0: 64 */
    uint32_t arity;           /* most children of a node, 2 to 32; 0: 4 */
    float collapse;           /* > 0: removes a node if its radius exceeds collapse x its parent's
                                 (spheres only; 1 or more keeps the binary tree); 0: nodes are
                                 widened to arity instead */
    uint32_t contact_level;   /* > 0, spheres only: nodes on this level (0 is the root) are contact
                                 proxies for graze_bound_pairs; spheres above are enlarged to wrap
                                 those of the proxies (James & Pai 2004, section 3.4) */
    uintptr_t reserved[4];
} graze_tree_def;

/* What a model is made from. Only positions, triangles and their counts are required. */
typedef struct graze_model_def {
    const graze_allocator *allocator; /* NULL: graze_default_allocator() */

    /* 3 floats per vertex, finite, magnitude up to 1e15: what morph targets and joints move. */
    const float *positions;
    size_t position_stride; /* bytes from vertex to vertex, any from 12; 0: 12 */
    uint32_t vertex_count;  /* at least 1 */

    /* 3 vertex indices per triangle, in one of the two; the other is NULL. */
    const uint32_t *triangles;
    const uint16_t *triangles16;
    uint32_t triangle_count; /* at least 1 */

    uint32_t joint_count; /* up to 65535; 0: 1, a rigid mesh */

    /* Influences of vertex v: influences[influence_offsets[v]] up to but not including
     * influences[influence_offsets[v + 1]]; vertex_count + 1 offsets, not descending, from 0.
     */
    const uint32_t *influence_offsets;
    const graze_influence *influences;

    /* Or, instead of influences, straight from a vertex buffer: mostly one layout; several where a
     * vertex has its joints in several places, as in glTF by fours. With neither every vertex
     * follows joint 0.
     */
    const graze_skin_layout *skin_layouts;
    uint32_t skin_layout_count;

    /* For each joint, the lowest joint that always has the same matrix (itself, if there is no
     * other). Two skins of a file may name one node, for example; only this says that vertices of
     * the two cannot separate. NULL: no two joints always have the same matrix.
     */
    const uint32_t *same_joints;

    graze_skinning skinning; /* other than GRAZE_LINEAR needs influences or skin_layouts */

    /* Applied before the skin, in this order, each times its weight in the pose. */
    const graze_morph_target *morphs;
    uint32_t morph_count;
    size_t delta_stride; /* bytes from delta to delta in all of them, any from 12; 0: 12 */

    /* The rest pose: for a file, the pose without a clip. The tree is built in it. Only answers
     * about rest depend on it: which pairs meet at rest (graze_options.only_new), contacts and
     * chains. Bodies may take any pose. Hitboxes and coarser meshes are still made from the
     * positions above.
     */
    const float *rest_matrices; /* 12 floats per joint (3 rows of 4); NULL: all the identity */
    const float *rest_weights;  /* one per morph target; NULL: all zero */

    /* Body parts, one number below part_count for each; NULL: the dominant joint of the vertex,
     * and for a triangle the joint with the largest weight summed over its vertices.
     */
    const uint32_t *vertex_parts;
    const uint32_t *triangle_parts;
    uint32_t part_count; /* 0 with NULL parts: joint_count */

    /* Optional example poses, 12 floats per joint (3 rows of 4), joint_count joints per pose. They
     * only help to choose between bounds that are both valid. NULL: random poses are used.
     */
    const float *example_poses;
    uint32_t example_pose_count;

    /* true: leaves out the tables that make questions of a body about itself fast. Saves some 2
     * microseconds and 40 bytes per triangle (180 while the model is made). Answers are the same.
     */
    bool no_self_collision;

    /* true: the first answer comes sooner, and later ones take longer for a while. Some parts of
     * the model are made by the questions that are asked: tables for questions of a body about
     * itself, a few milliseconds' work in each of some twenty such questions; and what bounds whole
     * bodies and poses whole meshes. Answers are the same; statistics and sizes change until all is
     * there.
     *   - Questions then take memory, from this allocator, on whichever thread asks. Short of
     * memory they do without, with the same answers.
     *   - graze_model_prepare makes the rest, on a loading thread for example. Bodies that are made
     *     afterwards take no memory in questions any more.
     */
    bool on_demand;

    graze_tree_def tree;
    graze_isa isa; /* one that is not available is GRAZE_UNSUPPORTED */
    uintptr_t reserved[8];
} graze_model_def;

/* Makes a model. Every index, weight and coordinate is checked, and the error names the first that
 * is wrong. Takes 1 to 3 microseconds per triangle with the default tree, 5 or more with the
 * papers'.
 *   - def and model are not NULL.
 *   - *model is set on success only.
 */
GRAZE_API graze_status graze_model_create(const graze_model_def *def, graze_model **model,
                                          graze_error *error);

/* Makes what an on_demand model has not made yet, as if it were not on_demand. Other threads may
 * ask questions of its bodies meanwhile. Of other models there is nothing to be made.
 *   - model is not NULL.
 *   - After GRAZE_OUT_OF_MEMORY everything works as before, and this may be called again.
 */
GRAZE_API graze_status graze_model_prepare(graze_model *model, graze_error *error);

/* Releases the model. NULL is fine. Bodies, histories and contact finders made from it keep it
 * alive; its memory is freed when the last of them is destroyed.
 */
GRAZE_API void graze_model_destroy(graze_model *model);

/* Finds whether the surface is closed and wound consistently: every edge is used as often in one
 * direction as in the other. Vertices that cannot separate (graze_self_pairs) count as one, as
 * along texture seams; where their weights differ (by up to 1/16) a pose may open small cracks.
 * Sorts all edges, with memory from the model's allocator.
 *   - model and closed are not NULL.
 */
GRAZE_API graze_status graze_model_is_closed(const graze_model *model, bool *closed,
                                             graze_error *error);

/* Sizes of a model, for reports and for the caller's buffers. */
typedef struct graze_model_info {
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint32_t joint_count;
    uint32_t part_count;
    uint32_t morph_count;
    graze_skinning skinning;
    uint32_t joint_set_count;   /* distinct sets of joints that act on a vertex */
    uint32_t max_influences;    /* most joints on one vertex */
    uint32_t node_count;        /* nodes of the tree, leaves included */
    uint32_t leaf_count;        /* leaves, which are patches */
    uint32_t level_count;       /* levels of the tree, 1 for a lone leaf */
    uint32_t binary_node_count; /* nodes and levels before collapsing or widening */
    uint32_t binary_level_count;
    uint32_t max_children; /* most children of one node */
    size_t tree_bytes;     /* tree, patches and per-node constants */
    size_t body_bytes;     /* memory of one body of this model, caches included */
} graze_model_info;

GRAZE_API graze_model_info graze_model_get_info(const graze_model *model);

/* Return the body part of a triangle or vertex.
 *   - The index is in range, else the answer is 0.
 */
GRAZE_API uint32_t graze_model_triangle_part(const graze_model *model, uint32_t triangle);
GRAZE_API uint32_t graze_model_vertex_part(const graze_model *model, uint32_t vertex);

/* Writes the three vertices of a triangle, as given at creation.
 *   - The index is in range, else nothing is written.
 */
GRAZE_API void graze_model_triangle(const graze_model *model, uint32_t triangle,
                                    uint32_t vertices[3]);

#ifdef __cplusplus
}
#endif

#endif
