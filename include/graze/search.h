/* Searches: any query, taken in steps.
 *
 * A search holds a question and what is still to be looked at. It runs until its budget is spent,
 * says what it has and what the rest could still bring, and goes on from there when it is run
 * again:
 *
 *     graze_search_collide(search, a, b, report, user, &error);
 *     while (graze_search_run(search, &budget, &stats, &rest, &error) == GRAZE_OK &&
 * !rest.finished) do_something_else();
 *
 * Guarantee: the answer of a finished search is that of the plain query. An unfinished one never
 * says "nothing": whatever it has not ruled out is in the rest.
 */
#ifndef GRAZE_SEARCH_H
#define GRAZE_SEARCH_H

#include <graze/distance.h>
#include <graze/ray.h>
#include <graze/self.h>
#include <graze/shapes.h>
#include <graze/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How far one run may go. Limits are looked at between steps, and a step is at most one pair of
 * patches, so a count can end a little above its limit. Every run gets on by at least a step.
 */
typedef struct graze_budget {
    uint64_t bound_tests;     /* tests of bounds; 0: no limit */
    uint64_t triangle_tests;  /* tests of triangles; 0: no limit */
    bool (*stop)(void *user); /* asked before every step; true: stop. NULL: never */
    void *user;
} graze_budget;

/* What a run has left over. */
typedef struct graze_search_rest {
    bool finished;  /* nothing: the answer is complete */
    uint32_t count; /* nodes, or pairs of nodes, that may still hold an answer */
    uint32_t depth; /* all of them lie on this level of their trees or below; the root's is 0 */
    float nearest;  /* nothing in them is nearer than this: a lower bound of the distance, of the
                       ray's t or of the time of impact; 0 for questions that have no such measure,
                       infinity if finished */
} graze_search_rest;

typedef struct graze_search graze_search;

/* Makes a search that has no question yet; allocator NULL: graze_default_allocator(). All memory it
 * ever needs, about 23 kilobytes, is taken here. A search may be used by one thread at a time, and
 * for any number of questions one after the other.
 */
GRAZE_EXPERIMENTAL graze_status graze_search_create(const graze_allocator *allocator,
                                                    graze_search **search, graze_error *error);

/* Frees the search. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_search_destroy(graze_search *search);

/* Each of these puts a question to a search and forgets the one before; nothing is looked at yet
 * but the roots. Arguments and errors are those of the plain query. The bodies must stay as they
 * are, in place, pose and group mask, until the search is finished or gets another question. Where
 * an answer is pointed to, it is there after every run as far as it is known: unfinished, a nearest
 * pair or hit is one that exists, and nothing in the rest is nearer than graze_search_rest.nearest.
 */
GRAZE_EXPERIMENTAL graze_status graze_search_collide(graze_search *search, graze_body *a,
                                                     graze_body *b, graze_pair_fn report,
                                                     void *user, graze_error *error);
GRAZE_EXPERIMENTAL graze_status graze_search_self(graze_search *search, graze_body *body,
                                                  graze_self_which which, graze_self_fn report,
                                                  void *user, graze_error *error);
GRAZE_EXPERIMENTAL graze_status graze_search_cast(graze_search *search, graze_body *body,
                                                  const graze_ray *ray, graze_ray_hit *hit,
                                                  graze_error *error);
GRAZE_EXPERIMENTAL graze_status graze_search_cast_all(graze_search *search, graze_body *body,
                                                      const graze_ray *ray, graze_ray_hit_fn report,
                                                      void *user, graze_error *error);
GRAZE_EXPERIMENTAL graze_status graze_search_distance(graze_search *search, graze_body *a,
                                                      graze_body *b, double limit,
                                                      graze_nearest *nearest, graze_error *error);
GRAZE_EXPERIMENTAL graze_status graze_search_within(graze_search *search, graze_body *a,
                                                    graze_body *b, double distance,
                                                    graze_pair_fn report, void *user,
                                                    graze_error *error);
GRAZE_EXPERIMENTAL graze_status graze_search_touch(graze_search *search, graze_body *body,
                                                   const graze_shape *shape,
                                                   graze_triangle_fn report, void *user,
                                                   graze_error *error);

/* The answer is there when the search is finished, not before. */
GRAZE_EXPERIMENTAL graze_status graze_search_point_inside(graze_search *search, graze_body *body,
                                                          const float point[3],
                                                          graze_point_side *answer,
                                                          graze_error *error);
GRAZE_EXPERIMENTAL graze_status graze_search_sweep(graze_search *search, const graze_motion *a,
                                                   const graze_motion *b, bool only_new,
                                                   graze_impact *impact, graze_error *error);
GRAZE_EXPERIMENTAL graze_status graze_search_sweep_pairs(graze_search *search,
                                                         const graze_motion *a,
                                                         const graze_motion *b, bool only_new,
                                                         graze_impact_fn report, void *user,
                                                         graze_error *error);

/* Goes on until the budget is spent (NULL: to the end) and says what is left in *rest. A callback
 * that says stop finishes the search. GRAZE_BAD_INPUT if there is no question, if a body has
 * another pose or group mask than when it was put, if a body is shared whose caches were dropped
 * since, or from a callback of the search itself; rest is then untouched. stats may be NULL.
 */
GRAZE_EXPERIMENTAL graze_status graze_search_run(graze_search *search, const graze_budget *budget,
                                                 graze_stats *stats, graze_search_rest *rest,
                                                 graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
