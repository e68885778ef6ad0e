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
 * All numbers of a shape must be finite and below 1e18 in magnitude, else GRAZE_BAD_INPUT.
 */
#ifndef GRAZE_SHAPES_H
#define GRAZE_SHAPES_H

#include <graze/query.h>

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

graze_shape graze_shape_sphere(const float centre[3], float radius);
graze_shape graze_shape_capsule(const float p[3], const float q[3], float radius);

/* rotation is a quaternion x y z w of any length other than zero; NULL: none. */
graze_shape graze_shape_box(const float centre[3], const float half[3], const float rotation[4]);

graze_shape graze_shape_plane(const float normal[3], float offset);
graze_shape graze_shape_half_space(const float normal[3], float offset);

/* Copies the planes. A count above GRAZE_MAX_PLANES makes a shape that queries refuse. */
graze_shape graze_shape_frustum(const graze_half_space *planes, uint32_t count);

/* What depth the near and the far plane have after the division by w. */
typedef enum graze_depth {
    GRAZE_DEPTH_SIGNED = 0, /* -1 and 1: OpenGL */
    GRAZE_DEPTH_UNIT = 1    /* 0 and 1, or 1 and 0: Vulkan, Direct3D, Metal, WebGPU */
} graze_depth;

/* The planes of a view frustum from its view-projection matrix (four columns of four, world to clip
 * space, as OpenGL has it), after Gribb & Hartmann 2001: left, right, bottom, top, near, far. Of an
 * infinite projection the far plane has no direction and is left out. Returns how many were
 * written, up to 6. Rounded once a coefficient.
 */
uint32_t graze_frustum_planes(const float view_projection[16], graze_depth depth,
                              graze_half_space planes[6]);

/* Receives triangles in batches (count >= 1, each triangle once in a query); return false to stop.
 */
typedef bool (*graze_triangle_fn)(void *user, const uint32_t *triangles, size_t count);

/* Reports every triangle that meets the shape. Parts of the body whose bounds lie inside the shape
 * are reported without being posed. stats may be NULL. Allocates nothing.
 */
graze_status graze_touch(graze_body *body, const graze_shape *shape, graze_triangle_fn report,
                         void *user, graze_stats *stats, graze_error *error);

/* Whether any triangle meets the shape, then with one of them in *triangle (may be NULL). */
graze_status graze_touch_first(graze_body *body, const graze_shape *shape, bool *hit,
                               uint32_t *triangle, graze_stats *stats, graze_error *error);

/* The slow reference: poses every vertex and tests every triangle. Same answers. */
graze_status graze_touch_brute(graze_body *body, const graze_shape *shape, graze_triangle_fn report,
                               void *user, graze_stats *stats, graze_error *error);

typedef enum graze_side {
    GRAZE_OUTSIDE = 0,  /* no triangle meets the shape */
    GRAZE_CROSSING = 1, /* not known: some may */
    GRAZE_INSIDE = 2    /* every point of every triangle is in the shape */
} graze_side;

/* Where the body is, from bounds alone, down to a level of its tree: 0 looks at the root's bound
 * and no further, UINT32_MAX goes to the leaves. For culling. Guarantee: conservative; no vertex is
 * posed. Nothing is inside a plane.
 */
graze_status graze_classify(graze_body *body, const graze_shape *shape, uint32_t depth,
                            graze_side *side, graze_stats *stats, graze_error *error);

/* Where a point is. */
typedef struct graze_inside {
    bool inside;     /* the winding number is not 0, or the point is on the surface */
    bool on_surface; /* it lies in some triangle; winding is then 0 */
    int32_t winding; /* how often the surface goes round the point; 1 in a body whose triangles are
                        counterclockwise from outside, 0 outside and in its cavities */
} graze_inside;

/* Whether a point is inside a closed body, by the signed crossings of a ray along +x, which go
 * through edges and vertices as if the point were moved aside by less than anything. Several shells
 * add up. Guarantee: exact, for bodies that graze_model_is_closed says are closed; of others
 * on_surface is right, and the rest is a number that depends on the ray. Costs about as much as one
 * ray. stats may be NULL. Allocates nothing.
 */
graze_status graze_point_inside(graze_body *body, const float point[3], graze_inside *answer,
                                graze_stats *stats, graze_error *error);

/* The slow reference. Same answers. */
graze_status graze_point_inside_brute(graze_body *body, const float point[3], graze_inside *answer,
                                      graze_stats *stats, graze_error *error);

/* The generalised winding number (Jacobson, Kavan & Sorkine-Hornung 2013) of any mesh, open or
 * closed: the sum of the solid angles of all triangles seen from the point, over 4 pi. Near 1 well
 * inside and near 0 well outside; it jumps by 1 across the surface, and is half way on it. Poses
 * every vertex. Guarantee: approximate, to about 1e-6.
 */
graze_status graze_winding_number(graze_body *body, const float point[3], float *winding,
                                  graze_stats *stats, graze_error *error);

/* Whether the surface is closed and wound consistently, in every pose: every edge is used as often
 * one way as the other way round. Vertices that have the same rest position and move alike (the
 * same influences and displacements) count as one, as along texture seams. Sorts all edges, with
 * memory from the model's allocator.
 */
graze_status graze_model_is_closed(const graze_model *model, bool *closed, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
