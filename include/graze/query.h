/* Queries between bodies.
 *
 * Guarantee: exact. A query answers for the float positions graze_body_get_positions writes, as if
 * in real arithmetic. Triangles are closed sets: touching counts, and a triangle without area is
 * the segment or point that it is. Lazy, eager and brute-force answers are the same set on every
 * instruction set; the order of pairs is unspecified.
 */
#ifndef GRAZE_QUERY_H
#define GRAZE_QUERY_H

#include <graze/body.h>
#include <graze/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Triangle a of the first body meets triangle b of the second. */
typedef struct graze_pair {
    uint32_t a;
    uint32_t b;
} graze_pair;

/* Receives pairs in batches (count >= 1, each pair once in a query); return false to stop. */
typedef bool (*graze_pair_fn)(void *user, const graze_pair *pairs, size_t count);

/* Reports every pair of triangles that meet. a and b may be bodies of different models, and one
 * body may not be both. GRAZE_BAD_INPUT if a body is NULL, here and in every query. stats may be
 * NULL. Allocates nothing.
 */
graze_status graze_collide(graze_body *a, graze_body *b, graze_pair_fn report, void *user,
                           graze_stats *stats, graze_error *error);

/* *hit becomes true if any triangles meet, with one such pair in *pair (may be NULL). Looks where
 * the bodies overlap most first. stats may be NULL. Allocates nothing.
 */
graze_status graze_collide_first(graze_body *a, graze_body *b, bool *hit, graze_pair *pair,
                                 graze_stats *stats, graze_error *error);

/* Nodes of two trees whose bounds overlap (numbers as in graze/inspect.h). */
typedef struct graze_node_pair {
    uint32_t a;
    uint32_t b;
} graze_node_pair;

typedef bool (*graze_node_pair_fn)(void *user, const graze_node_pair *pair);

/* A query of bounded depth: stops at the contact level of both trees (graze_tree_def), or where a
 * tree ends above it, and reports every pair of nodes there whose bounds overlap, without posing a
 * vertex. Guarantee: conservative. No pair means that no triangles meet; a pair says that some
 * below it may. Trees without a contact level are walked to their leaves. stats may be NULL.
 */
graze_status graze_collide_bounds(graze_body *a, graze_body *b, graze_node_pair_fn report,
                                  void *user, graze_stats *stats, graze_error *error);

/* The eager reference: poses every vertex of both bodies, stops if their boxes are apart, else
 * refits every bound bottom-up and goes on as above (first: until one pair is found). What a good
 * library does that knows nothing of the pose. Same answers.
 */
graze_status graze_collide_eager(graze_body *a, graze_body *b, bool first, graze_pair_fn report,
                                 void *user, graze_stats *stats, graze_error *error);

/* The slow reference: poses every vertex and compares all triangles with all. Same answers. */
graze_status graze_collide_brute(graze_body *a, graze_body *b, graze_pair_fn report, void *user,
                                 graze_stats *stats, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
