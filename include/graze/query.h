/* Queries between bodies.
 *
 * Guarantee: exact. A query answers for the float positions graze_body_get_positions writes, as if
 * in real arithmetic. Triangles are closed sets: touching counts, and a triangle without area is
 * the segment or point that it is. Lazy, eager and brute-force answers are the same set on every
 * instruction set; the order of pairs is unspecified.
 *
 * In every query, here and in the other headers:
 *   - No body, callback or place for an answer is NULL unless a comment allows it, else
 *     GRAZE_BAD_INPUT.
 *   - stats and error may be NULL.
 *   - With an error no answer is written.
 *   - Nothing is allocated unless a comment says so.
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

/* Reports every pair of triangles that meet.
 *   - a and b are not the same body; they may be of different models.
 */
GRAZE_API graze_status graze_collide(graze_body *a, graze_body *b, graze_pair_fn report, void *user,
                                     graze_stats *stats, graze_error *error);

/* As graze_collide, into the caller's array: *count becomes how many pairs there are, and up to
 * capacity of them are written, in no particular order. A count above the capacity says how much
 * room to come back with. The same goes for every function named _into.
 *   - pairs has room for capacity pairs; it may be NULL if that is 0, to count.
 *   - count is not NULL.
 */
GRAZE_API graze_status graze_collide_into(graze_body *a, graze_body *b, graze_pair *pairs,
                                          size_t capacity, size_t *count, graze_stats *stats,
                                          graze_error *error);

/* *hit becomes true if any triangles meet, with one such pair in *pair. Looks where the bodies
 * overlap most first.
 *   - a and b are not the same body; they may be of different models.
 *   - pair may be NULL.
 */
GRAZE_API graze_status graze_collide_first(graze_body *a, graze_body *b, bool *hit,
                                           graze_pair *pair, graze_stats *stats,
                                           graze_error *error);

/* Nodes of two trees whose bounds overlap (numbers as in graze/inspect.h). */
typedef struct graze_node_pair {
    uint32_t a;
    uint32_t b;
} graze_node_pair;

typedef bool (*graze_node_pair_fn)(void *user, const graze_node_pair *pair);

/* A query of bounded depth: stops at the contact level of both trees (graze_tree_def), or where a
 * tree ends above it, and reports every pair of nodes there whose bounds overlap, without posing a
 * vertex. Guarantee: conservative. No pair means that no triangles meet; a pair says that some
 * below it may. Trees without a contact level are walked to their leaves.
 *   - a and b are not the same body; they may be of different models.
 */
GRAZE_API graze_status graze_collide_bounds(graze_body *a, graze_body *b, graze_node_pair_fn report,
                                            void *user, graze_stats *stats, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
