/* What other devices need of a model to answer batches of poses, and how they hand in what they
 * found. graze/batch_cuda.h is made with it.
 *
 * Standing: reference; may change in any version.
 */
#ifndef GRAZE_EXT_BATCH_TABLES_H
#define GRAZE_EXT_BATCH_TABLES_H

#include <graze/ext/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Pairs of groups of eight children. Bit 8i + k of a mask: child i of the first group and child k
 * of the second are a pair that is to be looked at.
 */
typedef struct graze_pose_list {
    uint32_t (*pairs)[2]; /* the first is not above the second */
    uint64_t *masks;      /* of each pair, not 0 */
    size_t count;
} graze_pose_list;

/* Triangles in order: eight are a cluster, eight clusters a patch, eight patches a group. Level 0
 * has pairs of clusters with a vertex in common, and its masks leave out neighbours. Level 1 has
 * the pairs of patches of these, level 2 all pairs of groups; their masks leave out what the level
 * below lists. So every pair of triangles that are no neighbours is reached once.
 */
typedef struct graze_pose_tables {
    uint32_t vertex_count, triangle_count, part_count;
    uint32_t patch_count;     /* a multiple of 8 */
    uint32_t (*triangles)[4]; /* corners, and the model's number; 64 a patch, from
                                 triangle_count on the last one repeated */
    uint32_t *first_vertex;   /* of each patch in the next one, and one more */
    uint32_t *patch_vertices; /* at most 192 a patch */
    uint32_t *patch_corners;  /* of each triangle, in its patch's vertices: 8 bits each */
    uint32_t *parts;          /* of each triangle, in order */
    uint32_t *loose;          /* vertices without a triangle */
    uint32_t loose_count;
    graze_pose_list lists[3]; /* by level */
    float extents[3];         /* at rest, of the largest triangle, cluster and patch */
    float size;               /* at rest, of the whole */

    /* Pairs that meet at rest: triangle a < b of the model has rest_others[rest_first[a]] up to
     * rest_others[rest_first[a + 1]], ascending.
     */
    uint32_t *rest_first, *rest_others;

    /* Linear skinning: how graze_body_set_pose takes them. NULL of other models. */
    uint32_t joint_count, morph_count;
    const float *positions;            /* 3 a vertex */
    const uint32_t *influence_offsets; /* vertex_count + 1 */
    const graze_influence *influences;
    uint32_t *morph_first;   /* of each vertex in the next ones, and one more */
    uint32_t *morph_targets; /* ascending */
    float (*morph_deltas)[3];
    float (*morph_reach)[4]; /* of each target: the largest of its deltas, by axis */
    float reach[3];          /* likewise of the positions */
} graze_pose_tables;

/* Makes the tables, with memory from the model's allocator. The model must outlive them.
 *   - GRAZE_UNSUPPORTED: more than 4,194,304 triangles, or so many around single vertices that
 *     lists of neighbours do not pay.
 *   - *tables is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_pose_tables_create(const graze_model *model,
                                                         graze_pose_tables **tables,
                                                         graze_error *error);
GRAZE_EXPERIMENTAL void graze_pose_tables_destroy(const graze_model *model,
                                                  graze_pose_tables *tables);

/* Whether two triangles, three corners each, meet: exactly, as all queries decide it. */
GRAZE_EXPERIMENTAL bool graze_pose_triangles_meet(const float a[9], const float b[9]);

/* Errors for poses, a filter (may be NULL) and rooms that graze_pose_batch_self would refuse. */
GRAZE_EXPERIMENTAL graze_status graze_pose_check(const graze_body *body,
                                                 const graze_pose_set *poses,
                                                 const graze_part_filter *filter,
                                                 const graze_pose_results *results,
                                                 graze_error *error);

/* Writes all that is wanted of one pose of one body. pairs are all it has, in any order, or NULL if
 * neither pairs nor a matrix are wanted. Different poses may be written at the same time. Returns
 * how many pairs had no room.
 */
GRAZE_EXPERIMENTAL uint64_t graze_pose_write(const graze_pose_tables *tables,
                                             const graze_model *model, graze_pose_results *results,
                                             size_t pose, uint8_t mark, const graze_pair *pairs,
                                             uint64_t count);

#ifdef __cplusplus
}
#endif

#endif
