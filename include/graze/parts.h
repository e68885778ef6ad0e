/* The shape of a character in three levels, after Macagon & Wuensche 2003:
 *
 *   level 1  spheres and capsules on joints, each the owner of some triangles, which it holds in
 *            every pose: hitboxes, and what is looked at first
 *   level 2  the triangles: those of the model that the volumes are of. It may be a coarser one on
 *            the same skeleton (graze/decimate.h)
 *   level 3  finer spheres and capsules that fill the body: how deep is it in another?
 *
 * A part is a group of the model (graze_model_triangle_group): by default the triangles that follow
 * one joint most. graze/part_contact.h asks where two such shapes meet.
 *
 * Guarantee of level 1: conservative. In every pose that a body takes, stretch and shear included,
 * every posed vertex of its triangles, the very floats of graze_body_get_positions, is in the
 * volume, so that the triangles are. How near the volume comes to the smallest is not promised.
 * Level 3 is approximate.
 */
#ifndef GRAZE_PARTS_H
#define GRAZE_PARTS_H

#include <graze/body.h>
#include <graze/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The volumes of a model. Immutable: any number of threads may share it. */
typedef struct graze_fit graze_fit;

#define GRAZE_MAX_CLUSTERS 256

#define GRAZE_MAX_FINE_VOLUMES 1024

/* How volumes are fitted. Start from graze_default_fit_def(). */
typedef struct graze_fit_def {
    uint32_t clusters;     /* 1 to GRAZE_MAX_CLUSTERS: neighbouring vertices of a part are bounded
                              together, in so many clusters at most. More are tighter, and take more
                              time in graze_fit_pose */
    uint32_t fine_volumes; /* of level 3, a part has at most; 0: none, to
                              GRAZE_MAX_FINE_VOLUMES */
} graze_fit_def;

/* 64 clusters, no volumes of level 3. */
GRAZE_EXPERIMENTAL graze_fit_def graze_default_fit_def(void);

/* One volume, at rest. */
typedef struct graze_part_volume {
    uint32_t part;      /* group that it belongs to */
    uint32_t joint;     /* that moves it; of a fitted one of level 1 that with the most weight in
                           its triangles */
    uint32_t triangles; /* how many it owns; 0 at level 3 */
    graze_capsule rest; /* in the rest pose; a sphere where p equals q */
    uint32_t level;     /* 1 or 3 */
    bool fitted;        /* false: it was given */
} graze_part_volume;

/* A volume written by hand. Start from graze_default_volume_def(). */
typedef struct graze_volume_def {
    uint32_t level;            /* 1 or 3 */
    uint32_t part;             /* group of the model */
    uint32_t joint;            /* that moves it */
    graze_capsule rest;        /* in the rest pose; a sphere where p equals q */
    const uint32_t *triangles; /* of the part, that a volume of level 1 owns; NULL: all of them */
    uint32_t triangle_count;   /* of the array */
} graze_volume_def;

/* Level 1, all else zero. */
GRAZE_EXPERIMENTAL graze_volume_def graze_default_volume_def(void);

/* Fits a volume of level 1 to every group that has triangles: the smaller of a capsule along one of
 * several axes and the smallest sphere. Takes some 10 microseconds a triangle, with memory from the
 * model's allocator. The fit holds the model: see
 * graze_model_destroy.
 *   - model, def and fit are not NULL.
 *   - *fit is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_fit_create(const graze_model *model, const graze_fit_def *def,
                                                 graze_fit **fit, graze_error *error);

/* The same from volumes written by hand. Triangles that no volume of level 1 owns get fitted ones,
 * one a part; a part without a volume of level 3 gets fitted ones if the def wants them. A given
 * volume of level 1 stays where its joint puts it, with the radius it was given, stretched as the
 * joint stretches, or the larger one that its triangles need: it may be too small at rest.
 *
 * Each below is GRAZE_BAD_INPUT where it does not hold, with a text that starts with "volume N: ",
 * N the index of the volume:
 *   - The level is 1 or 3; part and joint are the model's, and the part has triangles.
 *   - Coordinates and radius are finite and below 1e15 in magnitude; the radius is not negative.
 *   - triangles are the part's; NULL at level 3, and NULL with triangle_count 0.
 *   - No triangle belongs to two volumes of level 1, or to one twice.
 *
 *   - volumes holds count of them, and may be NULL where count is 0.
 *   - model, def and fit are not NULL; *fit is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_fit_create_from(const graze_model *model,
                                                      const graze_volume_def *volumes,
                                                      uint32_t count, const graze_fit_def *def,
                                                      graze_fit **fit, graze_error *error);

/* Frees the fit. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_fit_destroy(graze_fit *fit);

/* How many volumes there are; how many of them, the first ones, are of level 1. Given ones come in
 * their order, fitted ones behind those of their level, ascending by part.
 */
GRAZE_EXPERIMENTAL uint32_t graze_fit_volume_count(const graze_fit *fit);
GRAZE_EXPERIMENTAL uint32_t graze_fit_outer_count(const graze_fit *fit);

/* One of them.
 *   - The index is in range, else all of it is 0.
 */
GRAZE_EXPERIMENTAL graze_part_volume graze_fit_volume(const graze_fit *fit, uint32_t index);

/* The volume of level 1 that owns a triangle.
 *   - The index is in range, else the answer is 0.
 */
GRAZE_EXPERIMENTAL uint32_t graze_fit_owner(const graze_fit *fit, uint32_t triangle);

/* The volumes in the body's pose, in world space, in the order of graze_fit_volume. One of level 1
 * goes with its joint, or if it was fitted along its triangles where that is smaller, and is
 * inflated by a bound from the pose. One of level 3 goes with its joint, its radius by the cube
 * root of how the joint changes volumes; where positions are given it goes with the vertices of its
 * part, the near ones most. Group masks change nothing.
 *
 * With linear skinning no vertex is posed, and the body is only read. With spherical and dual
 * skinning, morph weights other than zero, and given positions every vertex is.
 *
 *   - The body is of the fit's model, else GRAZE_BAD_INPUT.
 *   - volumes holds capacity capsules, as many as there are volumes or more, else GRAZE_BAD_INPUT
 *     and nothing is written.
 *
 * Allocates nothing. Volumes are the same bits on every instruction set.
 */
GRAZE_EXPERIMENTAL graze_status graze_fit_pose(const graze_fit *fit, graze_body *body,
                                               graze_capsule *volumes, uint32_t capacity,
                                               graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
