/* Rays and segments against a body.
 *
 * Guarantee: whether the line of a ray meets a triangle, and on which side of the origin, is exact.
 * So meshes are watertight: a ray through a shared edge or vertex hits every triangle there. t is
 * approximate: its sign is exact, and it is off by at most 2^-28 of the triangle's extent (in units
 * of dir, along its largest axis), then rounded to float. That float is compared with t_min and
 * t_max. Answers are the same bits on every tree and instruction set.
 *
 * Standing: stable.
 */
#ifndef GRAZE_RAY_H
#define GRAZE_RAY_H

#include <graze/query.h>
#include <graze/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a ray meets a triangle. A ray in the triangle's plane meets it where it enters, or at t_min
 * if it starts inside.
 */
typedef struct graze_hit {
    bool found; /* false: there is no hit, and the rest is 0 */
    uint32_t triangle;
    uint32_t part;  /* body part of the triangle */
    uint32_t joint; /* the one with the most weight at the point; the lower one of equals */
    float t;        /* in units of dir */
    float point[3];
    float normal[3]; /* of the triangle, by its winding; unit, or 0 if it has no area */
    float uv[2];     /* weights of the second and third corner; not negative, sum at most 1 */
} graze_hit;

/* Where hits go: see "lists" in query.h. */
typedef struct graze_hit_list {
    graze_hit *items;
    size_t capacity;
    bool (*report)(void *user, const graze_hit *hits, size_t count);
    void *user;
    size_t count, total;
} graze_hit_list;

/* Finds the nearest hit: the smallest t, and of equal ones the lowest triangle.
 *   - options.any finds any hit, for lines of sight.
 */
GRAZE_API graze_status graze_cast(graze_body *body, const graze_ray *ray, graze_hit *hit,
                                  const graze_options *options, graze_error *error);

/* Finds all hits, each triangle once, in no particular order. */
GRAZE_API graze_status graze_cast_all(graze_body *body, const graze_ray *ray, graze_hit_list *hits,
                                      const graze_options *options, graze_error *error);

/* Finds the nearest hit of each of many rays: hits[i] is that of rays[i], as by graze_cast. Takes
 * 64 rays through the tree together, which is fastest if successive rays are close to each other.
 * Where they are not, up to 4,096 of them are sorted first; with a budget they never are.
 *   - rays and hits have count elements; both may be NULL if count is 0.
 *   - options.pool splits the rays over threads. A batch copies the rays.
 *   - A bad ray is GRAZE_BAD_INPUT with its number, and nothing is answered.
 */
GRAZE_API graze_status graze_cast_many(graze_body *body, const graze_ray *rays, size_t count,
                                       graze_hit *hits, const graze_options *options,
                                       graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
