/* A body: a model in a pose, or with vertex positions that the caller computed.
 *
 * A body computes bounds and vertices when a query needs them, and keeps them until its pose
 * changes.
 *
 * Threads: queries change these caches, so one thread at a time may use a body, unless it is shared
 * (graze_body_share). Different bodies of one model are independent.
 *
 * Standing: stable, except what is marked GRAZE_EXPERIMENTAL.
 */
#ifndef GRAZE_BODY_H
#define GRAZE_BODY_H

#include <graze/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_body graze_body;

/* Makes a body in the rest pose. Allocates all memory that it will ever need, except that of a part
 * mask, from the model's allocator. For thousands of bodies see graze_body_create_lean.
 *   - *body is set on success only.
 */
GRAZE_API graze_status graze_body_create(const graze_model *model, graze_body **body,
                                         graze_error *error);

/* Frees the body. NULL is fine. */
GRAZE_API void graze_body_destroy(graze_body *body);

/* ---- poses ---------------------------------------------------------------------------------- */

typedef enum graze_matrix_layout {
    GRAZE_ROWS_3X4 = 0,   /* 12 floats: three rows of four, translation last in each row */
    GRAZE_COLUMNS_4X4 = 1 /* 16 floats: four columns of four, as in glTF and OpenGL. The 16 floats
                             of a matrix for row vectors, as in DirectXMath, have the same order */
} graze_matrix_layout;

/* One matrix per joint, from rest positions to model space: the joint's global transform times
 * its inverse bind matrix. Zero is the rest pose.
 *   - Scale, shear, mirrored and singular maps are fine.
 *   - The last row of a 4x4 matrix is taken to be 0 0 0 1.
 */
typedef struct graze_pose {
    const float *joints;        /* NULL with joint_count 0: all identity */
    uint32_t joint_count;       /* the model's */
    graze_matrix_layout layout; /* of joints and placement */
    const float *placement;     /* one matrix, model space to world; NULL: identity */
    const float *morph_weights; /* one per morph target; NULL: all zero */
    uint32_t morph_count;       /* the model's, unless morph_weights is NULL */
    uintptr_t reserved[2];
} graze_pose;

/* Sets the pose. Costs a few nanoseconds per joint and nothing per vertex. The caller's arrays can
 * be freed afterwards.
 *   - Values and posed coordinates are finite and below 1e18. With spherical and dual skinning,
 *     coordinates also stay below 1e16 when one joint alone moves a vertex.
 *   - The body is neither shared nor in a query (as it is in a query's callback).
 * Otherwise GRAZE_BAD_INPUT, and the old pose stays. docs/bounds.md has the formula of each vertex.
 */
GRAZE_API graze_status graze_body_set_pose(graze_body *body, const graze_pose *pose,
                                           graze_error *error);

/* Sets the morph weights and keeps joints and placement. Errors are those of graze_body_set_pose.
 *   - count is the model's number of morph targets.
 *   - coherent: spheres of earlier weights are enlarged instead of found anew, while they grow by
 *     less than a quarter (James & Pai 2004, section 3.5). Trees of boxes, and spherical and dual
 *     skinning, ignore it. Answers are the same.
 */
GRAZE_API graze_status graze_body_set_morph_weights(graze_body *body, const float *weights,
                                                    uint32_t count, bool coherent,
                                                    graze_error *error);

/* Sets vertex positions in world space in place of a pose: for cloth, caches and simulations.
 * Queries are exact for these floats. Costs one pass over the vertices, and another when a query
 * first needs more than the box around all of them. Allocates nothing, unless the body is lean.
 *   - vertex_count is the model's. Values are finite and below 1e18; the error names the vertex.
 *   - stride is the bytes from vertex to vertex, at least 12; 0: 12.
 *   - The body is neither shared nor in a query.
 * Otherwise GRAZE_BAD_INPUT, and the body stays as it was. Until the next graze_body_set_pose,
 * graze_body_set_morph_weights is GRAZE_BAD_INPUT. Self-collision is then slower, because it cannot
 * use the joints.
 */
GRAZE_API graze_status graze_body_set_positions(graze_body *body, const float *positions,
                                                size_t stride, uint32_t vertex_count,
                                                graze_error *error);

/* Writes the position of every vertex, 3 floats each, in the order of the def: the floats that
 * queries decide on. positions holds 3 x vertex_count floats.
 */
GRAZE_API void graze_body_get_positions(graze_body *body, float *positions);

/* The same for chosen vertices, and poses only these. Several threads may ask a shared body.
 *   - vertices has count indices below the model's vertex count, in any order.
 *   - positions has room for 3 x count floats.
 * GRAZE_BAD_INPUT names the first bad index, and nothing is written.
 */
GRAZE_EXPERIMENTAL graze_status graze_body_get_vertices(graze_body *body, const uint32_t *vertices,
                                                        uint32_t count, float *positions,
                                                        graze_error *error);

/* ---- parts ---------------------------------------------------------------------------------- */

/* Chooses which body parts exist for queries: bit p % 32 of bits[p / 32] is part p. Until the next
 * mask, all other triangles are absent from every question, in every pose, and cost nothing.
 * Positions, the model and graze_body_freeze still have all triangles.
 *   - bits NULL: all parts, as in a new body. Otherwise part_count is the model's.
 *   - The body is neither shared nor in a query.
 * Otherwise GRAZE_BAD_INPUT, and the old mask stays. The first mask allocates 11 bytes per triangle
 * (0.4 ms for 50,000). Later ones take 2 us for 5,000 triangles, 5 to 60 us for 50,000.
 * ext/parts.h chooses parts by name.
 */
GRAZE_API graze_status graze_body_set_part_mask(graze_body *body, const uint32_t *bits,
                                                uint32_t part_count, graze_error *error);

/* ---- the caller's data ---------------------------------------------------------------------- */

/* A pointer that Graze keeps and never reads, for example to a game object. NULL in a new body. */
GRAZE_API void graze_body_set_user_data(graze_body *body, void *user_data);
GRAZE_API void *graze_body_user_data(const graze_body *body);

/* Returns the model of the body. */
GRAZE_API const graze_model *graze_body_model(const graze_body *body);

/* Makes a rigid model from a body as it stands: statues, corpses, ragdolls at rest. A new body of
 * it has the positions of the old one bit for bit and gives the same answers, much faster.
 *   - Vertices, triangles, parts and tree nodes keep their numbers. There is one joint.
 *   - All triangles are kept, whatever the body's part mask.
 *   - The placement becomes part of the positions. If it is far from the origin, freeze the body
 *     without it and place the new body instead, which keeps more digits.
 *   - Hits name joint 0. All self-collision pairs count as meeting at rest.
 *   - GRAZE_BAD_INPUT if a position exceeds 1e15. *model is set on success only.
 * Takes about half a microsecond a triangle. Memory comes from the allocator of the body's model.
 */
GRAZE_API graze_status graze_body_freeze(graze_body *body, graze_model **model, graze_error *error);

/* ---- statistics ----------------------------------------------------------------------------- */

/* What queries did. Queries add to it, so zero it first. */
typedef struct graze_stats {
    uint64_t nodes_refit;    /* bounds computed from the pose */
    uint64_t nodes_enlarged; /* bounds of earlier morph weights enlarged instead */
    uint64_t bound_tests;    /* pairs of bounds compared */
    uint64_t patches_posed;  /* patches whose vertices were computed */
    uint64_t vertices_posed; /* vertices computed */
    uint64_t triangle_tests; /* pairs of triangles tested beyond their boxes */
    uint64_t reserved[2];
} graze_stats;

/* ---- threads -------------------------------------------------------------------------------- */

/* Shares the body: from now on any number of threads may ask it anything at once, until
 * graze_body_unshare was called as often.
 *
 *     graze_body_set_pose(body, &pose, &error);
 *     graze_body_share(body, &error);
 *     ... jobs call graze_cast(body, ...), graze_pairs(body, ...) and so on
 *     ... wait for them
 *     graze_body_unshare(body, &error);
 *
 *   - Answers are the same. Each bound and patch is computed once, for all threads. A query on a
 *     shared body costs a thread up to a third more for deep pairs, hardly more otherwise.
 *   - Pose, positions and mask cannot change: GRAZE_BAD_INPUT. graze_body_drop_caches does nothing.
 *   - Call both from one thread, when no other thread and no query uses the body. The start and end
 *     of the jobs must be ordered with these calls, as thread creation, locks and queues do.
 *   - Sharing in a callback, or unsharing a body that is not shared, is GRAZE_BAD_INPUT.
 * Allocates nothing.
 */
GRAZE_API graze_status graze_body_share(graze_body *body, graze_error *error);
GRAZE_API graze_status graze_body_unshare(graze_body *body, graze_error *error);

/* ---- caches --------------------------------------------------------------------------------- */

/* Drops all cached bounds and vertices and keeps the pose: the next query starts cold. A lean body
 * returns its caches. Does nothing while the body is shared or in a query.
 */
GRAZE_API void graze_body_drop_caches(graze_body *body);

/* Caches that many lean (low-memory) bodies of one model borrow from. An ordinary body has some
 * hundred bytes of caches per triangle. A lean body has memory for its pose only and borrows caches
 * when a query needs more than its overall bound. It returns them when it gets a new pose, when
 * they are dropped, and after graze_world_update. Answers are those of an ordinary body.
 *
 * Any number of threads may use lean bodies of one pool, each its own or shared ones.
 */
typedef struct graze_cache_pool graze_cache_pool;

typedef struct graze_cache_pool_def {
    uint32_t ready; /* sets of caches made by create, at most max_caches; borrowing these allocates
                       nothing */
    uint32_t max_caches; /* sets of caches; 0: no limit */
    uintptr_t reserved[2];
} graze_cache_pool_def;

/* Makes a cache pool. Memory comes from the model's allocator. def NULL: all zero.
 *   - *caches is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_cache_pool_create(const graze_model *model,
                                                        const graze_cache_pool_def *def,
                                                        graze_cache_pool **caches,
                                                        graze_error *error);

/* Frees the pool when the last of its bodies is gone too. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_cache_pool_destroy(graze_cache_pool *caches);

typedef struct graze_cache_pool_info {
    size_t body_bytes;  /* a lean body without caches, mask and given positions */
    size_t cache_bytes; /* one set of caches */
    uint32_t made;      /* sets of caches that exist */
    uint32_t lent;      /* of these, those lent to a body now */
} graze_cache_pool_info;

/* Returns all zero for NULL. */
GRAZE_EXPERIMENTAL graze_cache_pool_info graze_cache_pool_get_info(graze_cache_pool *caches);

/* Makes a lean body in the rest pose. It keeps the pool alive.
 *   - A query that cannot borrow caches, because all are lent or memory is short, is
 *     GRAZE_OUT_OF_MEMORY and changes nothing. So is graze_body_get_positions.
 *   - The first given positions allocate 16 bytes per vertex.
 */
GRAZE_EXPERIMENTAL graze_status graze_body_create_lean(graze_cache_pool *caches, graze_body **body,
                                                       graze_error *error);

/* Borrows caches now, so that no query of this pose fails or allocates for them. Does nothing if
 * the body has caches.
 */
GRAZE_EXPERIMENTAL graze_status graze_body_borrow_caches(graze_body *body, graze_error *error);

/* Returns the caches now, and keeps the pose. Does nothing to other bodies, to a shared one, or in
 * a query.
 */
GRAZE_EXPERIMENTAL void graze_body_give_back_caches(graze_body *body);

/* Returns whether the body has caches now: always true unless it is lean or NULL. */
GRAZE_EXPERIMENTAL bool graze_body_has_caches(const graze_body *body);

#ifdef __cplusplus
}
#endif

#endif
