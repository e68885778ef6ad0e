/* How near two bodies are, and what is near.
 *
 * Guarantee: distances are those of the closed triangles at the float positions
 * graze_body_get_positions writes, a triangle without area being the segment or point that it is. A
 * distance is 0 if and only if the triangles meet, exactly as graze_collide decides. Otherwise it
 * is computed in double, above 0, and differs from the true distance by less than 2^-49 (1.8e-15)
 * of the longest side of the box around both triangles. "Near enough" is said of the computed
 * distance. Lazy and brute-force answers are the same bits on every instruction set, and the same
 * distance comes out when a and b change places.
 *
 * In every query here:
 *   - Tolerances are finite and not negative, else GRAZE_BAD_INPUT.
 *   - a and b are not the same body; they may be of different models.
 *   - What graze/query.h says of every query.
 */
#ifndef GRAZE_DISTANCE_H
#define GRAZE_DISTANCE_H

#include <graze/query.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The nearest pair of triangles. */
typedef struct graze_nearest {
    bool found;           /* something is within the limit; else the rest is zero */
    double distance;      /* of the two triangles; 0: they meet */
    graze_pair triangles; /* of several that are equally near those with the smallest a, then b */
    float points[2][3];   /* where they are nearest, rounded to float: a point of a, and one of b;
                             the same point, common to both up to rounding, where they meet */
} graze_nearest;

/* The smallest distance between a and b, if it is at most limit, which may be INFINITY here. */
GRAZE_API graze_status graze_distance(graze_body *a, graze_body *b, double limit,
                                      graze_nearest *nearest, graze_stats *stats,
                                      graze_error *error);

/* Whether any triangles of a and b are at most `distance` apart; stops at the first such pair,
 * which then is in *pair. 0 asks whether they meet.
 *   - pair may be NULL.
 */
GRAZE_API graze_status graze_closer_than(graze_body *a, graze_body *b, double distance,
                                         bool *closer, graze_pair *pair, graze_stats *stats,
                                         graze_error *error);

/* Reports every pair of triangles that are at most `distance` apart, each once, in batches and in
 * no particular order. 0 gives the pairs of graze_collide.
 */
GRAZE_API graze_status graze_within(graze_body *a, graze_body *b, double distance,
                                    graze_pair_fn report, void *user, graze_stats *stats,
                                    graze_error *error);

/* The same into the caller's array, as graze_collide_into. */
GRAZE_API graze_status graze_within_into(graze_body *a, graze_body *b, double distance,
                                         graze_pair *pairs, size_t capacity, size_t *count,
                                         graze_stats *stats, graze_error *error);

/* A number that the distance is not below, from bounds alone: no vertex is posed. Stops at the
 * contact level of both trees (graze_tree_def), or where a tree ends above it. Guarantee:
 * conservative, rounding included; often 0 for bodies that are apart. Infinity if nothing of a body
 * is in its group mask.
 */
GRAZE_API graze_status graze_distance_bound(graze_body *a, graze_body *b, float *least,
                                            graze_stats *stats, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
