/* Triangles against triangles: which ones meet, in two bodies or in one; which are near, and how
 * near.
 *
 * Guarantee: exact for the float positions of graze_body_get_positions, as if in real arithmetic.
 * Triangles are closed sets: touching counts. A triangle without area is the segment or point that
 * it is.
 *
 * Standing: stable.
 */
#ifndef GRAZE_PAIRS_H
#define GRAZE_PAIRS_H

#include <graze/query.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Triangle a of the first body and triangle b of the second; of one body, a < b. */
typedef struct graze_pair {
    uint32_t a;
    uint32_t b;
    uint32_t at_rest; /* graze_self_pairs: 1 if they meet in the rest pose too. Else 0 */
} graze_pair;

/* Where pairs go: see "lists" in query.h. */
typedef struct graze_pair_list {
    graze_pair *items;
    size_t capacity;
    bool (*report)(void *user, const graze_pair *pairs, size_t count);
    void *user;
    size_t count, total;
} graze_pair_list;

/* Finds all pairs of triangles that meet.
 *   - a and b are different bodies, of the same or different models.
 *   - options.any finds one pair; it looks first where the bodies overlap most.
 */
GRAZE_API graze_status graze_pairs(graze_body *a, graze_body *b, graze_pair_list *pairs,
                                   const graze_options *options, graze_error *error);

/* ---- self-collision ------------------------------------------------------------------------- */

/* Two sets of body parts: bit p % 32 of a[p / 32] is part p. They may overlap. */
typedef struct graze_part_sets {
    const uint32_t *a;
    const uint32_t *b;
} graze_part_sets;

/* Chooses which body parts are compared. Two triangles count if, for any of the pairs of sets, one
 * triangle is in a and the other in b. ext/parts.h makes sets from names.
 */
typedef struct graze_part_filter {
    const graze_part_sets *pairs;
    uint32_t pair_count; /* 0, and rows NULL: no triangles count */
    uint32_t part_count; /* the model's */

    /* If not NULL, used in place of pairs: one set for each part, (part_count + 31) / 32 words
     * each. Triangles of parts p and q count if bit q of set p is set, or bit p of set q.
     */
    const uint32_t *rows;
    uintptr_t reserved[2];
} graze_part_filter;

/* Finds all pairs of triangles of one body that meet. Neighbours are never reported: triangles that
 * share a vertex, or have two vertices that cannot separate. Two vertices cannot separate if they
 *   - have the same position in the def, bit for bit (0 and -0 are equal), and the same
 *     displacement in every morph target, as along the seams of a texture, and
 *   - follow the same joints (graze_model_def.same_joints), with weights that differ by at most
 *     1/16 in the sum of absolute differences,
 * or if a chain of such vertices joins them. Vertices of two meshes at one place, each with joints
 * of its own, can separate.
 *
 *   - filter NULL: all parts. The body's part mask applies as well.
 *   - options.only_new leaves out pairs that meet in the rest pose.
 *   - Much slower if the model has no_self_collision, or the body has given positions.
 */
GRAZE_API graze_status graze_self_pairs(graze_body *body, const graze_part_filter *filter,
                                        graze_pair_list *pairs, const graze_options *options,
                                        graze_error *error);

/* ---- distance ------------------------------------------------------------------------------- */

/* Guarantee of distances: 0 exactly where triangles meet. Otherwise computed in double, above 0,
 * and within 2^-49 (1.8e-15) of the longest side of the box around both triangles. The same bits
 * for a and b exchanged.
 */

/* The nearest pair of triangles. */
typedef struct graze_nearest {
    bool found;         /* false: nothing is within the limit, and the rest is 0 */
    double distance;    /* 0: they meet */
    graze_pair pair;    /* among equally near ones the smallest a, then b */
    uint32_t parts[2];  /* body parts of the two triangles */
    float points[2][3]; /* the nearest points of a and b; the same point where they meet */
} graze_nearest;

/* Finds the smallest distance between two bodies, if it is at most limit.
 *   - a and b are different bodies. limit is not negative; INFINITY: no limit.
 *   - options.any finds some pair within the limit, not the nearest: a faster answer to "are they
 *     closer than this?". The distance and points are those of that pair.
 */
GRAZE_API graze_status graze_distance(graze_body *a, graze_body *b, double limit,
                                      graze_nearest *nearest, const graze_options *options,
                                      graze_error *error);

/* Finds all pairs of triangles that are at most `distance` apart. 0 gives those of graze_pairs.
 *   - a and b are different bodies. distance is finite and not negative.
 */
GRAZE_API graze_status graze_pairs_within(graze_body *a, graze_body *b, double distance,
                                          graze_pair_list *pairs, const graze_options *options,
                                          graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
