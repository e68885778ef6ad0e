/* Triangles against simple shapes.
 *
 * A corner gets a code: bits for what it lies beyond, and one for lying inside. Most triangles are
 * decided by the codes of their corners, the others by a distance (sphere, capsule) or by clipping
 * (box, frustum). All methods go through these functions, so that they agree to the last bit.
 *
 * What bounds rely on: a triangle that meets the shape is found to meet it, and one that is found
 * to meet it meets the shape enlarged by no more than a sixteenth of GRAZEI_SHAPE_SLACK times the
 * lengths involved (shown in shapes_round.c and shapes_convex.c; codes that say inside allow
 * 2^-45).
 */
#ifndef GRAZEI_NARROW_SHAPES_H
#define GRAZEI_NARROW_SHAPES_H

#include <graze/shape.h>

/* Relative to lengths measured from the shape's origin. */
#define GRAZEI_SHAPE_SLACK 0x1p-40

#define GRAZEI_CODE_INSIDE 0x80000000u

typedef struct grazei_shape_plane {
    double normal[3];
    double offset; /* of the points relative to the shape's origin */
} grazei_shape_plane;

/* A shape made ready. Points are taken relative to its origin: the centre of a sphere or box, p of
 * a capsule, else zero.
 */
typedef struct grazei_shape {
    graze_shape_kind kind;
    double origin[3];
    double low[3],
        high[3];         /* its box, relative to the origin, a little enlarged; may be infinite */
    double radius;       /* of a sphere or capsule */
    double along[3];     /* of a capsule, from p to q */
    float segment[3][3]; /* of a capsule: p, q, q, a triangle without area */
    grazei_shape_plane planes[GRAZE_MAX_PLANES];
    uint32_t plane_count;
} grazei_shape;

/* Checks a shape and makes it ready. */
graze_status grazei_shape_prepare(grazei_shape *made, const graze_shape *shape, graze_error *error);

/* The codes of corners (x y z and a free lane each). */
void grazei_shape_codes(const grazei_shape *shape, const float (*corners)[4], uint32_t count,
                        uint32_t *codes);

/* Triangles that codes leave open; of a sphere or capsule, and of a box or frustum. */
bool grazei_round_meets(const grazei_shape *shape, const float *const corners[3]);
bool grazei_convex_meets(const grazei_shape *shape, const float *const corners[3]);

/* The mean of the corners of what a box or frustum that meets the triangle leaves of it, relative
 * to the shape's origin.
 */
void grazei_convex_middle(const grazei_shape *shape, const float *const corners[3],
                          double middle[3]);

/* Whether the closed triangle meets the closed shape, given the codes of its corners. */
static inline bool grazei_shape_meets(const grazei_shape *shape, const float *const corners[3],
                                      const uint32_t codes[3])
{
    if ((codes[0] | codes[1] | codes[2]) & GRAZEI_CODE_INSIDE)
        return true;
    if (codes[0] & codes[1] & codes[2])
        return false;
    if (shape->kind == GRAZE_SPHERE || shape->kind == GRAZE_CAPSULE)
        return grazei_round_meets(shape, corners);
    return shape->kind == GRAZE_PLANE || grazei_convex_meets(shape, corners);
}

/* How far a point, given relative to the origin, is from the axis of a sphere or capsule: the least
 * distance, with the way there. `away` leads from the nearest point of the axis to the point.
 */
double grazei_shape_axis_distance(const grazei_shape *shape, const double point[3], double away[3]);

#endif
