/* Where, which way and how deep a shape is in a triangle, or a round shape in another: figures 7
 * and 8 of Macagon & Wuensche 2003, and boxes and half-spaces. Points only.
 */
#ifndef GRAZEI_NARROW_SHAPE_CONTACT_H
#define GRAZEI_NARROW_SHAPE_CONTACT_H

#include "narrow/shapes.h"

typedef struct grazei_shape_contact {
    double point[3];  /* relative to the shape's origin */
    double normal[3]; /* unit, or 0 where there is no way to tell */
    double depth;
} grazei_shape_contact;

/* Whether a shape of this kind can be asked. */
bool grazei_shape_has_contacts(graze_shape_kind kind);

/* The contact of a shape with a triangle that it meets, as graze/shape_contact.h defines it. */
grazei_shape_contact grazei_shape_triangle_contact(const grazei_shape *shape,
                                                   const float *const corners[3]);

/* Of two spheres or capsules; false: they are apart. The point is relative to the origin of
 * coordinates; with a and b exchanged all is the same bits, but for the sign of the normal.
 */
bool grazei_round_contact(const grazei_shape *a, const grazei_shape *b,
                          grazei_shape_contact *contact);

#endif
