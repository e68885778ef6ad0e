/* References: slow and plain ways to the same answers, and the trees of the papers. For tests, for
 * benchmarks, and for anyone who wants to check Graze; no program needs them, and graze/graze.h
 * leaves them out.
 *
 * "brute" poses every vertex and looks at all triangles, or at all against all. "eager" is what a
 * good library does that knows nothing of the pose: it poses every vertex, refits every bound
 * bottom-up and then walks the tree. Arguments, answers and errors are those of the query each is
 * named after.
 */
#ifndef GRAZE_REFERENCE_H
#define GRAZE_REFERENCE_H

#include <graze/distance.h>
#include <graze/ray.h>
#include <graze/self.h>
#include <graze/shapes.h>
#include <graze/sweep.h>
#include <graze/sweep_shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The tree of Kavan & Zara 2005: one triangle a leaf, spheres refitted by corners, C = 0.6. */
GRAZE_API graze_tree_def graze_paper_tree_def(void);

/* Poses every vertex and refits every bound bottom-up from them, as a library that knows nothing of
 * the pose must. Queries after it give the same answers. Nothing happens while threads share the
 * body.
 */
GRAZE_API void graze_body_refit_all(graze_body *body);

/* Bounds every node from the pose alone, each by itself, whether or not it is needed: what the cost
 * of one bound is measured on. Returns how many were computed.
 */
GRAZE_API uint32_t graze_body_bound_all(graze_body *body);

/* graze_collide, eager: poses every vertex of both bodies, stops if their boxes are apart, else
 * refits every bound and goes on (first: until one pair is found).
 */
GRAZE_API graze_status graze_collide_eager(graze_body *a, graze_body *b, bool first,
                                           graze_pair_fn report, void *user, graze_stats *stats,
                                           graze_error *error);
GRAZE_API graze_status graze_collide_brute(graze_body *a, graze_body *b, graze_pair_fn report,
                                           void *user, graze_stats *stats, graze_error *error);

/* graze_collide_self, eager: walks the refitted tree against itself and skips nothing. */
GRAZE_API graze_status graze_collide_self_eager(graze_body *body, graze_self_which which,
                                                graze_self_fn report, void *user,
                                                graze_stats *stats, graze_error *error);
GRAZE_API graze_status graze_collide_self_brute(graze_body *body, graze_self_which which,
                                                graze_self_fn report, void *user,
                                                graze_stats *stats, graze_error *error);

/* graze_cast_all. */
GRAZE_API graze_status graze_cast_brute(graze_body *body, const graze_ray *ray,
                                        graze_ray_hit_fn report, void *user, graze_stats *stats,
                                        graze_error *error);

GRAZE_API graze_status graze_distance_brute(graze_body *a, graze_body *b, double limit,
                                            graze_nearest *nearest, graze_stats *stats,
                                            graze_error *error);
GRAZE_API graze_status graze_within_brute(graze_body *a, graze_body *b, double distance,
                                          graze_pair_fn report, void *user, graze_stats *stats,
                                          graze_error *error);

GRAZE_API graze_status graze_touch_brute(graze_body *body, const graze_shape *shape,
                                         graze_triangle_fn report, void *user, graze_stats *stats,
                                         graze_error *error);
GRAZE_API graze_status graze_point_inside_brute(graze_body *body, const float point[3],
                                                graze_point_side *answer, graze_stats *stats,
                                                graze_error *error);

/* graze_sweep_pairs. */
GRAZE_API graze_status graze_sweep_brute(const graze_motion *a, const graze_motion *b,
                                         bool only_new, graze_impact_fn report, void *user,
                                         graze_stats *stats, graze_error *error);

/* graze_sweep_shape_all. */
GRAZE_EXPERIMENTAL graze_status graze_sweep_shape_brute(const graze_motion *motion,
                                                        const graze_shape *from,
                                                        const graze_shape *to, bool only_new,
                                                        graze_shape_impact_fn report, void *user,
                                                        graze_stats *stats, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
