/* Lean bodies: thousands in a world, few of which are looked at closely at a time.
 *
 * An ordinary body takes the memory of everything that can be computed of it when it is made, some
 * hundred bytes a triangle. A lean body takes that of its pose; the rest, its caches, it borrows
 * from a pool of caches when a query first needs more than a bound of the whole body, and gives
 * back when it is next posed.
 *
 *     graze_cache_pool_create(model, NULL, &caches, &error);
 *     for each: graze_body_create_lean(caches, &body, &error);
 *     ... pose and ask as ever; graze_world_update gives back what it borrowed
 *
 * Guarantee: every query answers as it does of an ordinary body of the same model in the same pose.
 */
#ifndef GRAZE_LEAN_H
#define GRAZE_LEAN_H

#include <graze/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Caches for the bodies of one model. Any number of threads may use lean bodies of one pool at a
 * time, each its own or shared ones.
 */
typedef struct graze_cache_pool graze_cache_pool;

/* How many caches there are. Start from graze_default_cache_pool_def(). */
typedef struct graze_cache_pool_def {
    uint32_t ready; /* made with the pool: up to so many lent at a time, nothing is allocated */
    uint32_t most;  /* so many are ever made, at least as many as are ready */
} graze_cache_pool_def;

/* None ready, and no limit. */
GRAZE_EXPERIMENTAL graze_cache_pool_def graze_default_cache_pool_def(void);

/* Makes a pool for bodies of a model, which it holds, as bodies do (graze_model_destroy). Memory
 * comes from the model's allocator: more than are ready are made when they are first needed, on
 * the thread that asks, and kept until the pool goes. Room for one pose more is made with the pool,
 * and for one more for each further thread that poses its bodies at the same time.
 *   - def may be NULL, for the default.
 *   - ready is at most `most`, and `most` is not 0, else GRAZE_BAD_INPUT.
 * *caches is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_cache_pool_create(const graze_model *model,
                                                        const graze_cache_pool_def *def,
                                                        graze_cache_pool **caches,
                                                        graze_error *error);

/* Frees the pool, once the last of its bodies has gone too. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_cache_pool_destroy(graze_cache_pool *caches);

typedef struct graze_cache_pool_info {
    size_t body_bytes;  /* of a lean body without caches, mask and given positions */
    size_t cache_bytes; /* of what one borrows, besides */
    uint32_t made;      /* caches that there are */
    uint32_t lent;      /* of these, with a body now */
} graze_cache_pool_info;

/* All zero for NULL. */
GRAZE_EXPERIMENTAL graze_cache_pool_info graze_cache_pool_get_info(graze_cache_pool *caches);

/* Makes a lean body of the pool's model in the rest pose. It holds the pool. Given positions
 * (graze_body_set_positions) take 16 bytes a vertex with the first ones, kept until the body goes.
 *
 * It borrows caches with the first query that needs more than a bound of the whole body. Where all
 * are lent and no more may be made, or there is no memory for more, that query is
 * GRAZE_OUT_OF_MEMORY, with a text that says which, and nothing has changed; calls about several
 * bodies borrow for all of them first. graze_body_get_positions, which cannot fail, then writes
 * NaN, and graze_body_refit_all and graze_body_bound_all do nothing.
 *
 * It gives them back when it gets a pose or positions, by graze_body_drop_caches, and at the end of
 * a graze_world_update that looked at it closely. Morph weights that are coherent keep them, and so
 * does a mask. A search whose body has given them back since goes on with others, after bounding
 * all of the body's nodes anew.
 */
GRAZE_EXPERIMENTAL graze_status graze_body_create_lean(graze_cache_pool *caches, graze_body **body,
                                                       graze_error *error);

/* Borrows caches now, so that no query fails or allocates for want of them until they are given
 * back. Nothing happens if the body has them, or is not lean.
 */
GRAZE_EXPERIMENTAL graze_status graze_body_borrow_caches(graze_body *body, graze_error *error);

/* Gives back what a lean body has borrowed, and keeps its pose, mask and given positions. Nothing
 * happens if it is not lean or has none, while it is shared, and while a query of it is under way.
 */
GRAZE_EXPERIMENTAL void graze_body_give_back_caches(graze_body *body);

/* Whether a body has caches now: true unless it is lean or NULL. */
GRAZE_EXPERIMENTAL bool graze_body_has_caches(const graze_body *body);

#ifdef __cplusplus
}
#endif

#endif
