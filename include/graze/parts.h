/* Volumes on joints: a sphere or capsule for every body part, which holds the part's triangles in
 * every pose. The first level of the character shapes of Macagon & Wuensche 2003, and hitboxes from
 * a model.
 *
 * A part is a group of the model (graze_model_triangle_group): by default the triangles that follow
 * one joint most.
 *
 * Guarantee: conservative. In every pose that a body takes, stretch and shear included, every posed
 * vertex of a part, the very floats of graze_body_get_positions, is in its volume, so that its
 * triangles are. How near the volume comes to the smallest is not promised.
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

/* How volumes are fitted. Start from graze_default_fit_def(). */
typedef struct graze_fit_def {
    uint32_t clusters; /* 1 to GRAZE_MAX_CLUSTERS: neighbouring vertices of a part are bounded
                          together, in so many clusters at most. More are tighter, and take more
                          time in graze_fit_pose */
} graze_fit_def;

/* 64 clusters. */
GRAZE_EXPERIMENTAL graze_fit_def graze_default_fit_def(void);

/* One volume, at rest. */
typedef struct graze_part_volume {
    uint32_t part;      /* group of the triangles that it holds */
    uint32_t joint;     /* that moves it: the one with the most weight in them */
    uint32_t triangles; /* how many they are */
    graze_capsule rest; /* in the rest pose; a sphere where p equals q */
} graze_part_volume;

/* Fits a volume to every group that has triangles, ascending by group: the smaller of a capsule
 * along one of several axes and the smallest sphere. Takes some 10 microseconds a triangle, with
 * memory from the model's allocator. The fit holds the model: see graze_model_destroy.
 *   - model, def and fit are not NULL.
 *   - *fit is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_fit_create(const graze_model *model, const graze_fit_def *def,
                                                 graze_fit **fit, graze_error *error);

/* Frees the fit. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_fit_destroy(graze_fit *fit);

/* How many volumes there are; one of them.
 *   - The index is in range, else all of it is 0.
 */
GRAZE_EXPERIMENTAL uint32_t graze_fit_volume_count(const graze_fit *fit);
GRAZE_EXPERIMENTAL graze_part_volume graze_fit_volume(const graze_fit *fit, uint32_t index);

/* The volumes in the body's pose, in world space, in the order of graze_fit_volume. Each goes with
 * its joint, or along the part where that is smaller, and is inflated by a bound from the pose.
 * Group masks change nothing.
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
