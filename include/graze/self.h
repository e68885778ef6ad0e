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

/* Two sets of groups, by bits as in graze_body_set_group_mask. They may have groups in common. */
typedef struct graze_group_pair {
    const uint32_t *a;
    const uint32_t *b;
} graze_group_pair;

/* Chosen pairs of parts: two triangles count if one of them is of a group in a and the other of one
 * in b, of one of these pairs, whichever way round. With names: graze_parts_mask.
 */
typedef struct graze_self_between {
    const graze_group_pair *pairs;
    uint32_t pair_count;  /* 0: no triangles count */
    uint32_t group_count; /* must equal the model's */

    /* Unless NULL, in place of pairs, where there are many: a mask for each group, one behind the
     * other, (group_count + 31) / 32 words each. Triangles of groups g and h count if bit h of mask
     * g is set, or bit g of mask h (graze_chain_exact_rows).
     */
    const uint32_t *rows;
} graze_self_between;

/* Exactly those pairs of graze_collide_self that count, each once. Nodes of the tree without a
 * triangle that counts are passed by, so that a few parts cost a small part of all of them (with a
 * model that was made with graze_model_def.self_collision). The body's own group mask holds too.
 *   - between and its masks are not NULL; with pair_count 0 pairs may be NULL, and with rows all of
 *     them mean nothing.
 */
GRAZE_EXPERIMENTAL graze_status graze_collide_self_between(graze_body *body, graze_self_which which,
                                                           const graze_self_between *between,
                                                           graze_self_fn report, void *user,
                                                           graze_stats *stats, graze_error *error);

/* The same into the caller's array, as graze_collide_into. */
GRAZE_EXPERIMENTAL graze_status graze_collide_self_between_into(
    graze_body *body, graze_self_which which, const graze_self_between *between,
    graze_self_pair *pairs, size_t capacity, size_t *count, graze_stats *stats, graze_error *error);

/* *hit becomes true if there is such a pair, with one of them in *pair.
 *   - pair may be NULL.
 */
GRAZE_EXPERIMENTAL graze_status graze_collide_self_between_first(
    graze_body *body, graze_self_which which, const graze_self_between *between, bool *hit,
    graze_self_pair *pair, graze_stats *stats, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
