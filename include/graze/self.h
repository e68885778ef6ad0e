/* Self-collision: where a body runs into itself.
 *
 * Guarantee: exact, as in graze/query.h. Triangles that share a vertex position at rest are
 * neighbours and left out, however they lie; two vertices of a file at one place (as along the
 * seams of a texture) are one position.
 */
#ifndef GRAZE_SELF_H
#define GRAZE_SELF_H

#include <graze/query.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Triangles a < b of one body meet. */
typedef struct graze_self_pair {
    uint32_t a;
    uint32_t b;
    bool rest; /* they meet in the rest pose too: the model was made so */
} graze_self_pair;

/* Receives pairs in batches (count >= 1, each pair once in a query); return false to stop. */
typedef bool (*graze_self_fn)(void *user, const graze_self_pair *pairs, size_t count);

typedef enum graze_self_which {
    GRAZE_SELF_ALL = 0,
    GRAZE_SELF_NEW = 1 /* without the pairs that meet in the rest pose */
} graze_self_which;

/* Reports every pair of triangles that are no neighbours and meet. Much faster with a model that
 * was made with graze_model_def.self_collision, as by default: parts that the pose cannot have
 * folded are then skipped unseen, and those that one joint moves answered from the rest pose.
 */
GRAZE_API graze_status graze_collide_self(graze_body *body, graze_self_which which,
                                          graze_self_fn report, void *user, graze_stats *stats,
                                          graze_error *error);

/* The same into the caller's array, as graze_collide_into. */
GRAZE_API graze_status graze_collide_self_into(graze_body *body, graze_self_which which,
                                               graze_self_pair *pairs, size_t capacity,
                                               size_t *count, graze_stats *stats,
                                               graze_error *error);

/* *hit becomes true if there is such a pair, with one of them in *pair.
 *   - pair may be NULL.
 */
GRAZE_API graze_status graze_collide_self_first(graze_body *body, graze_self_which which, bool *hit,
                                                graze_self_pair *pair, graze_stats *stats,
                                                graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
