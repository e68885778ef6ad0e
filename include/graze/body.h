/* A body: a model in a pose, or with vertex positions that the caller computed. It computes bounds
 * and vertices only when a query asks for them.
 *
 * A body's caches change during queries, so a body may be used by one thread at a time, unless it
 * is shared (graze_body_share). Different bodies of one model may be used by different threads at
 * once.
 */
#ifndef GRAZE_BODY_H
#define GRAZE_BODY_H

#include <graze/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_body graze_body;

/* How the floats of a matrix are laid out. */
typedef enum graze_matrix_layout {
    GRAZE_ROWS_3X4 = 0,   /* 12 floats: three rows of four, translation last in each row */
    GRAZE_COLUMNS_4X4 = 1 /* 16 floats: four columns of four, as in glTF and OpenGL; the same as
                             four rows where vectors are rows, as in DirectXMath */
} graze_matrix_layout;

/* A pose: one affine map per joint, from rest positions to model space (in skinning terms, the
 * joint's global transform times its inverse bind matrix). Start from graze_default_pose().
 *   - Any affine map is fine: scale and shear, mirrored or singular.
 *   - The last row of a 4x4 matrix is taken to be 0 0 0 1.
 */
typedef struct graze_pose {
    const float *joints;        /* NULL with joint_count 0: all the identity */
    uint32_t joint_count;       /* must equal the model's */
    graze_matrix_layout layout; /* of the joints and of the placement */
    const float *placement;     /* one matrix, model space to world; NULL: identity */
    const float *morph_weights; /* one a morph target; NULL: all zero */
    uint32_t morph_count;       /* must equal the model's unless morph_weights is NULL */
} graze_pose;

/* The rest pose in rows, without placement: all zero. */
GRAZE_API graze_pose graze_default_pose(void);

/* Makes a body in the rest pose (all joints the identity). All memory a body ever needs is taken
 * here, but for a group mask's (graze_body_set_group_mask); it comes from the model's allocator.
 * Where there are thousands of bodies, see graze/lean.h.
 * The body holds the model: see graze_model_destroy.
 */
GRAZE_API graze_status graze_body_create(const graze_model *model, graze_body **body,
                                         graze_error *error);

/* Frees the body. NULL is fine. */
GRAZE_API void graze_body_destroy(graze_body *body);

/* Takes over a pose and drops what was cached for the one before: costs time per joint, none per
 * vertex. The caller's arrays may go when the call returns.
 *   - Values and posed coordinates are finite and below 1e18.
 *   - The body is not in use, in a callback of a query.
 * Else GRAZE_BAD_INPUT, and the old pose stays.
 *
 * A vertex first moves by its morph targets, v + sum of q_m d_m. With linear skinning it then ends
 * at L (sum over its joints, ascending, of w_j (A_j v + t_j)) + T, in float, where L and T are the
 * linear part and translation of the placement, folded into the joints (L) or added last (T): far
 * from the origin only the last addition loses digits.
 *
 * Spherical and dual skinning blend rotations, with signs of quaternions taken against the joint
 * with the largest weight. Every joint by itself must keep coordinates below 1e16, and blending,
 * which may take them further (by the number of influences, or 512 times), below 1e18, else
 * GRAZE_BAD_INPUT. A joint that shares vertices with others
 * and is rigid to 1e-4 counts as a rotation; else it is split into the nearest rotation and the
 * rest, A = R S: vertices are first blended linearly by the S, then by the rigid maps (R, t).
 */
GRAZE_API graze_status graze_body_set_pose(graze_body *body, const graze_pose *pose,
                                           graze_error *error);

/* Takes over new morph weights and keeps joints and placement. Errors as graze_body_set_pose.
 *   - weights is not NULL, and count is the model's number of targets.
 *
 * coherent: spheres found for earlier weights since the last graze_body_set_pose are used again,
 * each enlarged by how far the weights have gone since it was found, one multiplication and one
 * addition a sphere (James & Pai 2004, section 3.5), until that exceeds a quarter of its radius;
 * then it is found anew. Bounds are looser, answers the same. Trees of boxes, and spherical and
 * dual skinning, take it as false.
 */
GRAZE_API graze_status graze_body_set_morph_weights(graze_body *body, const float *weights,
                                                    uint32_t count, bool coherent,
                                                    graze_error *error);

/* Takes over positions computed elsewhere, one a vertex, for cloth, caches and simulations, in
 * place of a pose: queries are exact for these very floats, and graze_body_get_positions gives them
 * back bit for bit. They are in world space: there is no placement, and joints and morph weights
 * mean nothing until graze_body_set_pose goes back to the skin. Costs one pass over the vertices,
 * and one more when a query first gets beyond the whole box; allocates nothing. The caller's array
 * may go when the call returns.
 *
 *   - vertex_count is the model's.
 *   - stride is the bytes from one vertex to the next, at least 12, and need not be a multiple of
 *     4; 0 is 12, one behind the other. Nothing is read behind the last vertex's three floats.
 *   - Values are finite and below 1e18.
 *   - The body is not in use, in a callback of a query.
 *
 * Else GRAZE_BAD_INPUT, which names the vertex, and what the body had stays. After it
 * graze_body_set_morph_weights is refused: weights are those of a pose. Self-collision looks at
 * everything, as nothing is known of how the positions came about; which triangles are neighbours,
 * and which meet at rest, is still as at rest.
 */
GRAZE_API graze_status graze_body_set_positions(graze_body *body, const float *positions,
                                                size_t stride, uint32_t vertex_count,
                                                graze_error *error);

/* Which body parts take part: bit g % 32 of bits[g / 32] says whether the triangles of group g do
 * (graze_model_triangle_group). From now on the body is the body of those triangles, in every
 * query: pairs, rays, distances, shapes, points, self-collision, sweeps, contacts, fronts, searches
 * and references. With none of them nothing is hit and no distance found. What belongs to vertices
 * (graze_body_get_positions), the model and freezing stay those of all triangles. Trees are culled
 * by the mask: what is left out costs nothing, and the rest what it costs without one. (A ray that
 * now passes where it would have hit goes on, and may take longer.)
 *
 * bits: group_count bits, taken over; bits beyond them mean nothing. NULL: all triangles take part,
 * as in a new body.
 * group_count: must equal the model's, unless bits is NULL, else GRAZE_BAD_INPUT.
 * Where the body is in use, in a callback of a query: GRAZE_BAD_INPUT, as a pose.
 *
 * The mask stays until the next one, over all poses. The first mask of a body takes some 11 bytes a
 * triangle of memory, kept until the body goes; where that fails, GRAZE_OUT_OF_MEMORY and the old
 * mask stays. Setting one takes 5 to 10 ns a patch of the tree, and about 0.15 us for each patch
 * that is partly in: 2 us for 5,000 triangles, 5 to 60 us for 50,000; the first one 0.4 ms there.
 * Bounds are found anew when they are asked for; posed vertices are kept. The mask that is set
 * already, set again, changes nothing.
 */
GRAZE_API graze_status graze_body_set_group_mask(graze_body *body, const uint32_t *bits,
                                                 uint32_t group_count, graze_error *error);

/* A pointer of the caller's that comes with the body: to the game object it belongs to, say. Graze
 * never looks at it; NULL in a new body. It may change at any time. Of a NULL body it is NULL.
 */
GRAZE_API void graze_body_set_user_data(graze_body *body, void *user_data);
GRAZE_API void *graze_body_user_data(const graze_body *body);

/* Drops every cached bound and vertex but keeps the pose, or positions that were given: the next
 * query starts cold. Nothing happens while a query of the body is under way.
 */
GRAZE_API void graze_body_drop_caches(graze_body *body);

/* Writes the posed or given position of every vertex, 3 floats each, the very floats that queries
 * decide on, in the order the model was given. positions holds 3 x vertex_count floats.
 */
GRAZE_API void graze_body_get_positions(graze_body *body, float *positions);

/* Writes the posed or given positions of chosen vertices, 3 floats each in the order of vertices:
 * the very floats of graze_body_get_positions. Poses these alone, keeps nothing and takes no
 * memory: 3 to 10 ns a vertex with linear skinning, and with morph targets a search in each whose
 * weight is not zero. A lean body borrows nothing for it. A shared body may be asked by several
 * threads.
 *   - vertices has count numbers below the model's vertex count, in any order, repeated or not.
 *   - positions has room for 3 x count floats.
 *   - With count 0 both may be NULL.
 * Else GRAZE_BAD_INPUT, which names the first bad number, and nothing is written.
 */
GRAZE_EXPERIMENTAL graze_status graze_body_get_vertices(graze_body *body, const uint32_t *vertices,
                                                        uint32_t count, float *positions,
                                                        graze_error *error);

/* The model this body was made from. */
GRAZE_API const graze_model *graze_body_model(const graze_body *body);

/* Shares the body: from now on any number of threads may ask it anything at once, each with a
 * search, front or contact finder of its own, until graze_body_unshare was called as often.
 *
 *     graze_body_set_pose(body, &pose, &error);
 *     graze_body_share(body, &error);
 *     ... start jobs: each calls graze_cast(body, ...), graze_collide(body, ...) and so on
 *     ... wait for them
 *     graze_body_unshare(body, &error);
 *
 * Answers are the same. What is computed of the pose is computed once, by the thread that needs it
 * first, and is there for all; nobody waits but for a part that another thread is computing at that
 * moment. A shared body costs one thread alone more: hardly anything for rays, distances and
 * sweeps, up to a third for deep pairs. Nothing is allocated.
 *
 * While a body is shared its pose cannot change: graze_body_set_pose and others that change it are
 * GRAZE_BAD_INPUT, and graze_body_drop_caches does nothing.
 *
 * Both calls are for one thread, and at that time:
 *   - no other thread uses the body, and the start and end of those that do are ordered with these
 *     calls, as creating and joining threads, locks and queues of jobs order them;
 *   - no query of the body is under way on the calling thread. graze_body_share in a callback of
 *     one is GRAZE_BAD_INPUT.
 * graze_body_unshare is GRAZE_BAD_INPUT where the body is not shared.
 */
GRAZE_API graze_status graze_body_share(graze_body *body, graze_error *error);
GRAZE_API graze_status graze_body_unshare(graze_body *body, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
