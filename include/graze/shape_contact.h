/* Where simple shapes and bodies touch, which way apart and how deep: after Macagon & Wuensche
 * 2003.
 *
 * Guarantee: approximate. Which triangles a shape meets is decided as in graze/shapes.h; points,
 * normals and depths are computed in double relative to the shape's centre, and rounded once to
 * float. Answers are the same bits on every tree and instruction set.
 */
#ifndef GRAZE_SHAPE_CONTACT_H
#define GRAZE_SHAPE_CONTACT_H

#include <graze/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A shape and a triangle of a body, or two shapes.
 *
 * With a triangle, the normal is the way in which the shape leaves it, never towards its back (the
 * front is where its corners run counter-clockwise, and is taken for the outside):
 *
 *   sphere, capsule  from the point of the triangle that is nearest to the centre or axis, towards
 *                    it; the depth is the radius less their distance, the point is on the triangle.
 *                    A centre or axis behind the triangle, or an axis through it, leaves along the
 *                    triangle's normal; the depth is the radius plus the depth of the centre, or of
 *                    the deeper end of the axis, below the triangle's plane.
 *   box              the shortest way; along the triangle's normal if the centre is behind it. The
 *                    point is the middle of what is inside the box.
 *   half-space       against its own normal; the point is the corner that is deepest in it.
 */
typedef struct graze_shape_contact {
    float point[3];
    float normal[3];   /* unit; 0 if a triangle without area leaves no way to tell */
    float depth;       /* how far the first must go along the normal; not negative, 0: they touch */
    uint32_t triangle; /* 0 for two shapes */
    uint32_t group;    /* body part of the triangle; 0 for two shapes */
} graze_shape_contact;

/* Receives contacts in batches (count >= 1, each triangle once in a query); return false to stop.
 */
typedef bool (*graze_shape_contact_fn)(void *user, const graze_shape_contact *contacts,
                                       size_t count);

/* Reports the contact of the shape with every triangle that it meets, in no particular order.
 *
 *   - The shape is a sphere, capsule, box or half-space, else GRAZE_UNSUPPORTED.
 *   - stats may be NULL.
 *
 * Allocates nothing.
 */
GRAZE_API graze_status graze_touch_contacts(graze_body *body, const graze_shape *shape,
                                            graze_shape_contact_fn report, void *user,
                                            graze_stats *stats, graze_error *error);

/* The same into the caller's array, as graze_collide_into: what graze_combine_contacts takes. */
GRAZE_API graze_status graze_touch_contacts_into(graze_body *body, const graze_shape *shape,
                                                 graze_shape_contact *contacts, size_t capacity,
                                                 size_t *count, graze_stats *stats,
                                                 graze_error *error);

/* *hit becomes whether two round shapes meet, and *contact (may be NULL) then where: the normal is
 * the way in which a leaves b, from the nearest point of b's centre or axis to that of a's, the
 * point half way between the surfaces there. Exchanging a and b gives the same, the normal negated,
 * bit for bit; but for two shapes that are the same and in the same place.
 *
 *   - Both are spheres or capsules, else GRAZE_UNSUPPORTED.
 */
GRAZE_API graze_status graze_shapes_contact(const graze_shape *a, const graze_shape *b, bool *hit,
                                            graze_shape_contact *contact, graze_error *error);

/* Several contacts of one thing with another made into one: the normal is the direction of the sum
 * of the normals times their depths (that of the deepest where they cancel out), the point is their
 * mean weighted by depth (the plain mean if all are 0), the depth is the largest, triangle and
 * group those of the deepest. All 0 for count 0.
 */
GRAZE_API graze_shape_contact graze_combine_contacts(const graze_shape_contact *contacts,
                                                     size_t count);

#ifdef __cplusplus
}
#endif

#endif
