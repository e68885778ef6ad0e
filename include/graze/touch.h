/* Simple shapes and points against a body: which triangles touch a sphere, how deep is it, is the
 * body in view, is a point inside?
 *
 * Standing: stable.
 */
#ifndef GRAZE_TOUCH_H
#define GRAZE_TOUCH_H

#include <graze/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where triangles go: see "lists" in query.h. */
typedef struct graze_triangle_list {
    uint32_t *items;
    size_t capacity;
    bool (*report)(void *user, const uint32_t *triangles, size_t count);
    void *user;
    size_t count, total;
} graze_triangle_list;

/* Finds all triangles that meet a shape, each once. Parts of the body that lie wholly inside the
 * shape are not posed.
 *
 * Guarantee: planes and half-spaces are exact. Other shapes never miss a triangle. They may report
 * one that is outside the shape by at most 1e-12 of the distance from the shape's centre (a
 * capsule: p; a frustum: the origin of coordinates) to the farthest corner of the shape or the
 * triangle.
 */
GRAZE_API graze_status graze_touch(graze_body *body, const graze_shape *shape,
                                   graze_triangle_list *triangles, const graze_options *options,
                                   graze_error *error);

/* Finds the contact of the shape with every triangle that it meets. The body is a and the shape b:
 * the normal is the direction in which the triangle leaves the shape, so push the shape against it.
 * To get one contact, use graze_combine_contacts.
 *
 *   sphere, capsule  the point is the one of the triangle nearest to the centre or axis; the depth
 *                    is the radius less their distance. If the centre or axis is behind the
 *                    triangle, or the axis crosses it, the normal is the triangle's, negated. The
 *                    depth is then the radius plus the distance behind the triangle, of the centre
 *                    or of the deeper end of the axis
 *   box              the shortest motion that separates them; along the triangle's normal if the
 *                    centre is behind it. The point is the middle of what is inside the box
 *   half-space       along its normal; the point is the triangle's deepest corner
 *
 *   - Other shapes are GRAZE_UNSUPPORTED.
 * Guarantee: which triangles, as graze_touch. Points, normals and depths are computed in double
 * relative to the shape's centre and rounded once. The same bits on every instruction set.
 */
GRAZE_API graze_status graze_touch_contacts(graze_body *body, const graze_shape *shape,
                                            graze_contact_list *contacts,
                                            const graze_options *options, graze_error *error);

/* ---- culling -------------------------------------------------------------------------------- */

typedef enum graze_side {
    GRAZE_OUTSIDE = 0,  /* no triangle meets the shape */
    GRAZE_CROSSING = 1, /* not known: some may meet it */
    GRAZE_INSIDE = 2    /* every triangle lies in the shape */
} graze_side;

/* Finds whether the body is in a shape, usually a view frustum, from bounds alone. Queries asked
 * before in the same pose may have found tighter bounds, and so a more definite answer.
 *   - depth: how many levels of the tree below the root to look at; 0 uses the root's bound alone,
 *     UINT32_MAX goes to the leaves.
 * Guarantee: conservative; poses no vertex. Nothing is inside a plane.
 */
GRAZE_API graze_status graze_cull(graze_body *body, const graze_shape *shape, uint32_t depth,
                                  graze_side *side, const graze_options *options,
                                  graze_error *error);

/* ---- points --------------------------------------------------------------------------------- */

typedef struct graze_point_side {
    bool inside;     /* the winding number is not 0, or the point is on the surface */
    bool on_surface; /* the point lies in a triangle; winding is then 0 */
    int32_t winding; /* how often the surface goes round the point: 1 inside a body whose triangles
                        are counter-clockwise from outside, 0 outside and in its cavities */
} graze_point_side;

/* Finds whether a point is inside a closed body. Costs about one ray.
 *   - The point is finite and below 1e18 in magnitude.
 * Guarantee: exact if graze_model_is_closed says that the model is closed. Otherwise on_surface is
 * exact, and the rest depends on where a ray along +x leaves the body.
 */
GRAZE_API graze_status graze_inside(graze_body *body, const float point[3], graze_point_side *side,
                                    const graze_options *options, graze_error *error);

/* Finds the generalised winding number (Jacobson et al. 2013) of any mesh, open or closed: near 1
 * well inside, near 0 well outside, half way on the surface. Poses every vertex.
 *   - The point is finite and below 1e18 in magnitude.
 * Guarantee: approximate, to about 1e-6.
 */
GRAZE_API graze_status graze_winding_number(graze_body *body, const float point[3], float *winding,
                                            const graze_options *options, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
