/* Simple shapes against a body: which triangles does a sphere, capsule, box, plane, half-space or
 * frustum meet, is the body in view, is a point inside it?
 *
 * Guarantee of the touch queries: planes and half-spaces are exact. Spheres, capsules, boxes and
 * frusta are decided in double, towards touching: every triangle that meets the closed shape is
 * reported, and whatever is reported meets the shape with its radius, half sides or offsets (these
 * per unit length of the normal) larger by 1e-12 of the largest distance between the shape's centre
 * (a capsule's p, a frustum's origin of coordinates) and a corner of the shape or the triangle.
 * Lazy and brute-force answers are the same set on every instruction set.
 *
 * In every query here:
 *   - All numbers of a shape are finite and below 1e18 in magnitude, else GRAZE_BAD_INPUT.
 *   - What graze/query.h says of every query.
 */
#ifndef GRAZE_SHAPES_H
#define GRAZE_SHAPES_H

#include <graze/query.h>
#include <graze/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Receives triangles in batches (count >= 1, each triangle once in a query); return false to stop.
 */
typedef bool (*graze_triangle_fn)(void *user, const uint32_t *triangles, size_t count);

/* Reports every triangle that meets the shape. Parts of the body whose bounds lie inside the shape
 * are reported without being posed.
 */
GRAZE_API graze_status graze_touch(graze_body *body, const graze_shape *shape,
                                   graze_triangle_fn report, void *user, graze_stats *stats,
                                   graze_error *error);

/* The same into the caller's array, as graze_collide_into. */
GRAZE_API graze_status graze_touch_into(graze_body *body, const graze_shape *shape,
                                        uint32_t *triangles, size_t capacity, size_t *count,
                                        graze_stats *stats, graze_error *error);

/* Whether any triangle meets the shape, then with one of them in *triangle.
 *   - triangle may be NULL.
 */
GRAZE_API graze_status graze_touch_first(graze_body *body, const graze_shape *shape, bool *hit,
                                         uint32_t *triangle, graze_stats *stats,
                                         graze_error *error);

typedef enum graze_side {
    GRAZE_OUTSIDE = 0,  /* no triangle meets the shape */
    GRAZE_CROSSING = 1, /* not known: some may */
    GRAZE_INSIDE = 2    /* every point of every triangle is in the shape */
} graze_side;

/* Where the body is, from bounds alone, down to a level of its tree: 0 looks at the root's bound
 * and no further, UINT32_MAX goes to the leaves. For culling. Guarantee: conservative; no vertex is
 * posed. Nothing is inside a plane.
 */
GRAZE_API graze_status graze_classify(graze_body *body, const graze_shape *shape, uint32_t depth,
                                      graze_side *side, graze_stats *stats, graze_error *error);

/* Where a point is. */
typedef struct graze_point_side {
    bool inside;     /* the winding number is not 0, or the point is on the surface */
    bool on_surface; /* it lies in some triangle; winding is then 0 */
    int32_t winding; /* how often the surface goes round the point; 1 in a body whose triangles are
                        counterclockwise from outside, 0 outside and in its cavities */
} graze_point_side;

/* Whether a point is inside a closed body, by the signed crossings of a ray along +x, which go
 * through edges and vertices as if the point were moved aside by less than anything. Several shells
 * add up. Guarantee: exact, for bodies that graze_model_is_closed says are closed; of others
 * on_surface is right, and the rest is a number that depends on the ray. Costs about as much as one
 * ray.
 *   - The point is finite and below 1e18 in magnitude, else GRAZE_BAD_INPUT; so it is below.
 */
GRAZE_API graze_status graze_point_inside(graze_body *body, const float point[3],
                                          graze_point_side *answer, graze_stats *stats,
                                          graze_error *error);

/* The generalised winding number (Jacobson, Kavan & Sorkine-Hornung 2013) of any mesh, open or
 * closed: the sum of the solid angles of all triangles seen from the point, over 4 pi. Near 1 well
 * inside and near 0 well outside; it jumps by 1 across the surface, and is half way on it. Poses
 * every vertex. Guarantee: approximate, to about 1e-6.
 */
GRAZE_API graze_status graze_winding_number(graze_body *body, const float point[3], float *winding,
                                            graze_stats *stats, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
