/* Threads: many questions at once, or one deep pair sooner.
 *
 *     graze_pool_create(4, NULL, &pool, &error);
 *     graze_collide_many(pool, pairs, count, report, user, &stats, &error);
 *     graze_cast_many_parallel(pool, body, rays, ray_count, hits, &stats, &error);
 *
 * Every call here asks count questions of one kind: one array has the questions, another gets the
 * answers, or a callback does. For threads of the caller's own there is graze_body_share
 * (graze/body.h), and graze_pool_for_each (graze/pool.h) does anything else with a pool.
 *
 * Guarantee: the answers of the plain query, whatever the number of threads; only the order of
 * callbacks, and how their triangles are cut into batches, differ from call to call. What a body
 * caches is computed once and serves all its questions, and later queries in the same pose.
 * Statistics are summed over the threads; a few more bounds may be tested than by one alone.
 *
 * Errors are those of the plain query. All questions are looked at first: GRAZE_BAD_INPUT, with the
 * number of the question in the text, and nothing is answered, if the plain query would refuse one.
 */
#ifndef GRAZE_THREADS_H
#define GRAZE_THREADS_H

#include <graze/contact.h>
#include <graze/distance.h>
#include <graze/pool.h>
#include <graze/query.h>
#include <graze/ray.h>
#include <graze/self.h>
#include <graze/shapes.h>
#include <graze/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Below:
 *   - pool NULL means the calling thread alone, and so does a pool that serves another call
 * already;
 *   - the bodies are the call's until it returns: no other thread may use them, unless they are
 *     shared (graze_body_share), and then any number of threads may be in such calls at once;
 *   - a body may be in any number of questions; those of one body are best kept together;
 *   - count may be 0, and arrays of nothing NULL; stats and error may be NULL;
 *   - nothing is allocated.
 *
 * Callbacks come from any of the threads, but never two at a time, and each sees what the ones
 * before have written, so they need no locks for what they alone touch. They hold up threads that
 * want to report as well: keep them short. One that returns false stops the whole call and is then
 * not called again. They may ask the bodies, but not change their poses.
 */

/* Two bodies to be compared. */
typedef struct graze_body_pair {
    graze_body *a;
    graze_body *b;
} graze_body_pair;

/* Receives triangles that meet in pairs[pair], in batches (count >= 1). Batches of different pairs
 * mix.
 */
typedef bool (*graze_many_fn)(void *user, size_t pair, const graze_pair *triangles, size_t count);

/* graze_collide for every one of count pairs. A pair that takes long is split. */
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

/* Receives pairs of triangles of bodies[body] that meet, in batches (count >= 1). */
typedef bool (*graze_self_many_fn)(void *user, size_t body, const graze_self_pair *pairs,
                                   size_t count);

/* graze_collide_self for every one of count bodies. */
GRAZE_API graze_status graze_collide_self_many(graze_pool *pool, graze_body *const *bodies,
                                               size_t count, graze_self_which which,
                                               graze_self_many_fn report, void *user,
                                               graze_stats *stats, graze_error *error);

/* The same as a yes or no: hits[i] becomes whether bodies[i] meets itself. */
GRAZE_API graze_status graze_collide_self_many_first(graze_pool *pool, graze_body *const *bodies,
                                                     size_t count, graze_self_which which,
                                                     bool *hits, graze_stats *stats,
                                                     graze_error *error);

/* graze_cast_many with the rays split over the threads, 64 and more at a time: hits[i] becomes the
 * nearest hit of rays[i].
 */
GRAZE_API graze_status graze_cast_many_parallel(graze_pool *pool, graze_body *body,
                                                const graze_ray *rays, size_t count,
                                                graze_ray_hit *hits, graze_stats *stats,
                                                graze_error *error);

/* A ray for a body. */
typedef struct graze_body_ray {
    graze_body *body;
    graze_ray ray;
} graze_body_ray;

/* graze_cast for every one of count rays, each for a body of its own. Rays of one body that follow
 * each other go through its tree together, as in graze_cast_many.
 */
GRAZE_API graze_status graze_cast_each(graze_pool *pool, const graze_body_ray *questions,
                                       size_t count, graze_ray_hit *hits, graze_stats *stats,
                                       graze_error *error);

/* graze_distance for every one of count pairs: nearest[i] becomes the nearest triangles of pairs[i]
 * that are at most limits[i] apart. limits NULL: INFINITY for all.
 */
GRAZE_API graze_status graze_distance_many(graze_pool *pool, const graze_body_pair *pairs,
                                           size_t count, const double *limits,
                                           graze_nearest *nearest, graze_stats *stats,
                                           graze_error *error);

/* graze_contacts_find for every one of count pairs: finders[i] then holds the contacts of pairs[i].
 * Each is there once, and is for the models of its pair. As there, a finder takes memory if it has
 * more to hold than ever before; if there is none, GRAZE_OUT_OF_MEMORY of the first such pair is
 * returned, its finder is empty, and all others have their answer. (Where there are more pairs than
 * finders should be kept: graze_pool_for_each with a finder a thread.)
 */
GRAZE_API graze_status graze_contacts_many(graze_pool *pool, graze_contacts *const *finders,
                                           const graze_body_pair *pairs, size_t count,
                                           graze_stats *stats, graze_error *error);

/* Two motions; b NULL: of the first body with itself. */
typedef struct graze_motion_pair {
    const graze_motion *a;
    const graze_motion *b;
} graze_motion_pair;

/* graze_sweep for every one of count pairs of motions: impacts[i] becomes the earliest impact of
 * pairs[i].
 */
GRAZE_API graze_status graze_sweep_many(graze_pool *pool, const graze_motion_pair *pairs,
                                        size_t count, bool only_new, graze_impact *impacts,
                                        graze_stats *stats, graze_error *error);

/* A shape and a body that it may meet. */
typedef struct graze_body_shape {
    graze_body *body;
    graze_shape shape;
} graze_body_shape;

/* Receives triangles that meet the shape of questions[question], in batches (count >= 1). */
typedef bool (*graze_touch_many_fn)(void *user, size_t question, const uint32_t *triangles,
                                    size_t count);

/* graze_touch for every one of count shapes. */
GRAZE_API graze_status graze_touch_many(graze_pool *pool, const graze_body_shape *questions,
                                        size_t count, graze_touch_many_fn report, void *user,
                                        graze_stats *stats, graze_error *error);

/* The same as a yes or no: hits[i] becomes whether any triangle meets the shape. */
GRAZE_API graze_status graze_touch_many_first(graze_pool *pool, const graze_body_shape *questions,
                                              size_t count, bool *hits, graze_stats *stats,
                                              graze_error *error);

/* graze_point_inside for every one of count points, 3 floats each, of one body. */
GRAZE_API graze_status graze_point_inside_many(graze_pool *pool, graze_body *body,
                                               const float *points, size_t count,
                                               graze_point_side *answers, graze_stats *stats,
                                               graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
