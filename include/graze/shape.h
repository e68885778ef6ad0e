/* Simple shapes and rays, as plain values. touch.h, ray.h and sweep.h ask bodies about them.
 *
 * Numbers are finite and below 1e18 in magnitude, unless a comment says otherwise. Queries check
 * this and answer GRAZE_BAD_INPUT.
 *
 * Standing: stable.
 */
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

/* A half-space is the points x with normal . x <= offset, so the normal points out of it. A plane
 * is the points with normal . x = offset. The normal is not zero and need not be a unit vector.
 */
typedef struct graze_half_space {
    float normal[3];
    float offset;
} graze_half_space;

/* The points in all of some half-spaces: a view frustum, or any convex region, bounded or not. */
typedef struct graze_frustum {
    graze_half_space planes[GRAZE_MAX_PLANES];
    uint32_t plane_count; /* 1 to GRAZE_MAX_PLANES */
} graze_frustum;

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

/* Make shapes. A NULL pointer or too many planes make a shape that queries refuse. */
GRAZE_API graze_shape graze_shape_sphere(const float centre[3], float radius);
GRAZE_API graze_shape graze_shape_capsule(const float p[3], const float q[3], float radius);

/* rotation: a quaternion x y z w of any length but zero; NULL: none. */
GRAZE_API graze_shape graze_shape_box(const float centre[3], const float half[3],
                                      const float rotation[4]);
GRAZE_API graze_shape graze_shape_plane(const float normal[3], float offset);
GRAZE_API graze_shape graze_shape_half_space(const float normal[3], float offset);
GRAZE_API graze_shape graze_shape_frustum(const graze_half_space *planes, uint32_t count);

/* The depth of the near and far plane after division by w. */
typedef enum graze_clip_depth {
    GRAZE_CLIP_DEPTH_SIGNED = 0, /* -1 and 1: OpenGL */
    GRAZE_CLIP_DEPTH_UNIT = 1    /* 0 and 1, or 1 and 0: Vulkan, Direct3D, Metal, WebGPU */
} graze_clip_depth;

/* Writes the planes of a view frustum: left, right, bottom, top, near, far (Gribb & Hartmann 2001).
 * Returns how many; an infinite projection has no far plane.
 *   - view_projection: world to clip space, four columns of four.
 */
GRAZE_API uint32_t graze_frustum_planes(const float view_projection[16], graze_clip_depth depth,
                                        graze_half_space planes[6]);

/* The points origin + t dir with t_min <= t <= t_max. */
typedef struct graze_ray {
    float origin[3];
    float dir[3]; /* any length; its largest component is 1e-18 to 1e18 in magnitude */
    float t_min;  /* finite; t is in units of dir */
    float t_max;  /* at least t_min; may be infinite */
} graze_ray;

/* Makes a ray from a point along a direction: t from 0 to infinity. */
GRAZE_API graze_ray graze_ray_from(const float origin[3], const float dir[3]);

/* Makes the segment between two different points: t from 0 to 1. */
GRAZE_API graze_ray graze_ray_between(const float from[3], const float to[3]);

#ifdef __cplusplus
}
#endif

#endif
