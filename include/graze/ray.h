/* Rays and segments against a body.
 *
 * A ray is the points origin + t dir with t_min <= t <= t_max. Triangles are closed sets, and a
 * triangle without area is the segment or point that it is.
 *
 * Guarantee: whether the line of a ray meets a triangle, and on which side of the origin, is exact
 * for the float positions graze_body_get_positions writes. So meshes are watertight: a ray through
 * a shared edge or vertex hits every triangle there, never none. t is approximate: it has its exact
 * sign and is off by at most 2^-28 of the triangle's extent (in units of dir, along the axis where
 * dir is largest), then rounded to float. t_min and t_max are compared with that float, so with
 * t_min 0 nothing behind the origin is hit and nothing at it is missed.
 *
 * Lazy and brute-force answers are the same bits on every tree and instruction set.
 */
#ifndef GRAZE_RAY_H
#define GRAZE_RAY_H

#include <graze/query.h>
#include <graze/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a ray meets a triangle. A ray that runs within the triangle's plane is said to meet it
 * where it enters it, or at t_min if it starts inside.
 */
typedef struct graze_ray_hit {
    bool found; /* false: there is none, and everything else is 0 */
    uint32_t triangle;
    float t;
    float point[3];
    float normal[3]; /* of the triangle, by its winding; unit, or 0 if it has no area */
    float uv[2];     /* weights of its second and third corner; not negative, sum up to 1 */
    uint32_t joint;  /* the one with most weight at the point, the lower one of equals */
    uint32_t group;  /* body part of the triangle */
} graze_ray_hit;

/* Receives hits in batches (count >= 1, each triangle once in a query); return false to stop. */
typedef bool (*graze_ray_hit_fn)(void *user, const graze_ray_hit *hits, size_t count);

/* The nearest hit: the smallest t, and of equal ones the lowest triangle. Poses only patches that
 * the ray reaches before it.
 *   - The ray is as graze_ray says, here and below, else GRAZE_BAD_INPUT.
 */
GRAZE_API graze_status graze_cast(graze_body *body, const graze_ray *ray, graze_ray_hit *hit,
                                  graze_stats *stats, graze_error *error);

/* Whether there is a hit, with any one of them: for lines of sight. */
GRAZE_API graze_status graze_cast_any(graze_body *body, const graze_ray *ray, graze_ray_hit *hit,
                                      graze_stats *stats, graze_error *error);

/* Every hit, in no particular order. */
GRAZE_API graze_status graze_cast_all(graze_body *body, const graze_ray *ray,
                                      graze_ray_hit_fn report, void *user, graze_stats *stats,
                                      graze_error *error);

/* The same into the caller's array, as graze_collide_into. */
GRAZE_API graze_status graze_cast_all_into(graze_body *body, const graze_ray *ray,
                                           graze_ray_hit *hits, size_t capacity, size_t *count,
                                           graze_stats *stats, graze_error *error);

/* The nearest hits of many rays, the same as count calls of graze_cast give. Rays are taken through
 * the tree 64 at a time, which is faster if rays that follow each other are close to each other.
 *   - rays and hits have count elements.
 */
GRAZE_API graze_status graze_cast_many(graze_body *body, const graze_ray *rays, size_t count,
                                       graze_ray_hit *hits, graze_stats *stats, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
