/* Threads: many pairs of bodies at once, or one deep pair sooner.
 *
 *     graze_pool_create(4, NULL, &pool, &error);
 *     graze_collide_many(pool, pairs, count, report, user, &stats, &error);
 *
 * Guarantee: the answers of graze_collide, whatever the number of threads; only their order, and
 * how they are cut into batches, differ from call to call. What a body caches is computed once and
 * serves all its pairs, and later queries in the same pose. Statistics are summed over the threads;
 * a few more bounds may be tested than by one alone.
 */
#ifndef GRAZE_THREADS_H
#define GRAZE_THREADS_H

#include <graze/pool.h>
#include <graze/query.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Below, pool NULL means the calling thread alone, and so does a pool that serves another call
 * already. The bodies are the call's until it returns: no other thread may use them, and a callback
 * may not pose or query them. Nothing is allocated.
 *
 * Callbacks come from any of the threads, but never two at a time, and each sees what the ones
 * before have written, so they need no locks for what they alone touch. They hold up threads that
 * want to report as well: keep them short.
 */

/* Two bodies to be compared. */
typedef struct graze_body_pair {
    graze_body *a;
    graze_body *b;
} graze_body_pair;

/* Receives triangles that meet in pairs[pair], in batches (count >= 1). Batches of different pairs
 * mix. Return false to stop the whole call; it is then not called again.
 */
typedef bool (*graze_many_fn)(void *user, size_t pair, const graze_pair *triangles, size_t count);

/* graze_collide for every one of count pairs. A body may be in any number of them. GRAZE_BAD_INPUT,
 * with the number of the pair in the text and nothing reported, if graze_collide would refuse one.
 * Pairs that share a body are best kept together. stats may be NULL.
 */
GRAZE_API graze_status graze_collide_many(graze_pool *pool, const graze_body_pair *pairs,
                                          size_t count, graze_many_fn report, void *user,
                                          graze_stats *stats, graze_error *error);

/* The same as a yes or no: hits[i] becomes whether any triangles of pairs[i] meet. */
GRAZE_API graze_status graze_collide_many_first(graze_pool *pool, const graze_body_pair *pairs,
                                                size_t count, bool *hits, graze_stats *stats,
                                                graze_error *error);

/* graze_collide with the work of one pair split over the threads. Pays from some tens of
 * microseconds on.
 */
GRAZE_API graze_status graze_collide_parallel(graze_pool *pool, graze_body *a, graze_body *b,
                                              graze_pair_fn report, void *user, graze_stats *stats,
                                              graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
