/* Fronts: what one frame learned about a pair of bodies, for the next.
 *
 * A front remembers down to where two trees were walked: pairs of nodes that were apart, and pairs
 * of leaves that were tested (after Li & Chen 1998). The next query of all pairs starts there
 * instead of at the roots; every eighth starts at the roots again. That saves hardly any time, as
 * bounding and triangles cost more than tests of bounds (docs/results.md). A first-hit
 * query tests the two triangles that it last found, then looks around them, which makes it up to
 * four times as fast while bodies touch. Answers are the same.
 */
#ifndef GRAZE_FRONT_H
#define GRAZE_FRONT_H

#include <graze/query.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_front graze_front;

/* Makes an empty front for any body of model a against any body of model b, and holds both.
 * Memory comes from a's allocator. A front grows between queries while it is new; where it cannot,
 * queries go on without it.
 */
GRAZE_EXPERIMENTAL graze_status graze_front_create(const graze_model *a, const graze_model *b,
                                                   graze_front **front, graze_error *error);

/* Frees the front. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_front_destroy(graze_front *front);

/* How many pairs of nodes the front holds now; 0: the next query starts at the roots. */
GRAZE_EXPERIMENTAL uint32_t graze_front_size(const graze_front *front);

/* As graze_collide. GRAZE_BAD_INPUT if a or b is of another model than the front was made for, or
 * from a callback of the front's own query. A callback that says stop leaves the front as it was.
 */
GRAZE_EXPERIMENTAL graze_status graze_front_collide(graze_front *front, graze_body *a,
                                                    graze_body *b, graze_pair_fn report, void *user,
                                                    graze_stats *stats, graze_error *error);

/* As graze_collide_first: *hit says whether there is a pair, then with one in *pair (may be NULL).
 */
GRAZE_EXPERIMENTAL graze_status graze_front_collide_first(graze_front *front, graze_body *a,
                                                          graze_body *b, bool *hit,
                                                          graze_pair *pair, graze_stats *stats,
                                                          graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
