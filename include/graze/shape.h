/* Shapes and rays as plain values: graze/shapes.h and graze/ray.h ask bodies about them. */
#ifndef GRAZE_SHAPE_H
#define GRAZE_SHAPE_H

#include <graze/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum graze_shape_kind {
    GRAZE_SPHERE = 0,
    GRAZE_CAPSULE = 1,
    GRAZE_BOX = 2,
    GRAZE_PLANE = 3,
    GRAZE_HALF_SPACE = 4,
    GRAZE_FRUSTUM = 5
} graze_shape_kind;

#define GRAZE_MAX_PLANES 8

/* The points x with normal . x <= offset: the normal points out of it, and need not be a unit
 * vector, only other than zero. Of a plane, the points with normal . x = offset.
 */
typedef struct graze_half_space {
    float normal[3];
    float offset;
} graze_half_space;

typedef struct graze_sphere {
    float centre[3];
    float radius; /* 0: a point */
} graze_sphere;

/* All points within radius of the segment from p to q, which may be one point. */
typedef struct graze_capsule {
    float p[3], q[3];
    float radius; /* 0: the segment */
} graze_capsule;

/* The points x with |axes[i] . (x - centre)| <= half[i]. Axes are unit vectors at right angles, to
 * one part in a thousand.
 */
typedef struct graze_box {
    float centre[3];
    float half[3];
    float axes[3][3];
} graze_box;

/* The points in all of some half-spaces: a view frustum, or any convex region, bounded or not. */
typedef struct graze_frustum {
    graze_half_space planes[GRAZE_MAX_PLANES];
    uint32_t plane_count; /* 1 to GRAZE_MAX_PLANES */
} graze_frustum;

/* One of them. Fill it by hand or by the functions below; queries check it. */
typedef struct graze_shape {
    graze_shape_kind kind;
    union {
        graze_sphere sphere;
        graze_capsule capsule;
        graze_box box;
        graze_half_space plane; /* of GRAZE_PLANE and GRAZE_HALF_SPACE */
        graze_frustum frustum;
    } as;
} graze_shape;

/* These copy what they are given. Where a pointer is NULL, or frustum planes are too many, they
 * make a shape that queries refuse.
 */
GRAZE_API graze_shape graze_shape_sphere(const float centre[3], float radius);
GRAZE_API graze_shape graze_shape_capsule(const float p[3], const float q[3], float radius);

/* rotation is a quaternion x y z w of any length other than zero; NULL: none. */
GRAZE_API graze_shape graze_shape_box(const float centre[3], const float half[3],
                                      const float rotation[4]);

GRAZE_API graze_shape graze_shape_plane(const float normal[3], float offset);
GRAZE_API graze_shape graze_shape_half_space(const float normal[3], float offset);

GRAZE_API graze_shape graze_shape_frustum(const graze_half_space *planes, uint32_t count);

/* What depth the near and the far plane have after the division by w. */
typedef enum graze_clip_depth {
    GRAZE_CLIP_DEPTH_SIGNED = 0, /* -1 and 1: OpenGL */
    GRAZE_CLIP_DEPTH_UNIT = 1    /* 0 and 1, or 1 and 0: Vulkan, Direct3D, Metal, WebGPU */
} graze_clip_depth;

/* The planes of a view frustum from its view-projection matrix (four columns of four, world to clip
 * space, as OpenGL has it), after Gribb & Hartmann 2001: left, right, bottom, top, near, far. Of an
 * infinite projection the far plane has no direction and is left out. Returns how many were
 * written, up to 6. Rounded once a coefficient.
 */
GRAZE_API uint32_t graze_frustum_planes(const float view_projection[16], graze_clip_depth depth,
                                        graze_half_space planes[6]);

/* The points origin + t dir with t_min <= t <= t_max. */
typedef struct graze_ray {
    float origin[3]; /* below 1e18 in magnitude */
    float dir[3];    /* of any length; its largest magnitude is from 1e-18 to 1e18 */
    float t_min;     /* finite; t is in units of dir */
    float t_max;     /* at least t_min; may be infinite */
} graze_ray;

/* From the origin along +Z, t from 0 to infinity. */
GRAZE_API graze_ray graze_default_ray(void);

/* The segment between two different points: t from 0 to 1. dir is to - from, rounded to float. */
GRAZE_API graze_ray graze_ray_between(const float from[3], const float to[3]);

#ifdef __cplusplus
}
#endif

#endif
