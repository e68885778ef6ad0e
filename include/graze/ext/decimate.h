/* A coarser mesh on the same skeleton (Garland & Heckbert 1997).
 *
 *     graze_decimate_def def = {0};
 *     def.triangle_count = 300;
 *     graze_decimated_create(model, &def, &coarse, &error);
 *     graze_model_def model_def = graze_decimated_model_def(coarse);
 *     graze_model_create(&model_def, &collision_model, &error);
 *
 * Remaining vertices are vertices of the model, with their weights and displacements, so every pose
 * of the model is a pose of the coarse one. Open surfaces keep their borders; closed ones stay
 * closed.
 *
 * Guarantee: at rest no vertex of the model is farther from the new triangles than
 * graze_decimated_error. The same bits everywhere.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_EXT_DECIMATE_H
#define GRAZE_EXT_DECIMATE_H

#include <graze/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A coarse mesh. Never changes. */
typedef struct graze_decimated graze_decimated;

/* When to stop: as soon as either is reached. */
typedef struct graze_decimate_def {
    uint32_t triangle_count; /* wanted; 0: as few as max_error allows */
    float max_error;         /* at rest, in units of the model; 0: no limit. One of both is set */
    uintptr_t reserved[2];
} graze_decimate_def;

/* Makes a coarse mesh. Takes some 20 microseconds and, meanwhile, 300 bytes per triangle, from the
 * model's allocator. More triangles than wanted remain if no other edge can be collapsed.
 *   - max_error is finite and not negative. *coarse is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_decimated_create(const graze_model *model,
                                                       const graze_decimate_def *def,
                                                       graze_decimated **coarse,
                                                       graze_error *error);

/* Frees it. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_decimated_destroy(graze_decimated *coarse);

/* Returns a model def of it: joints, skinning, parts, morph targets and tree are the model's;
 * example poses are left out. Its arrays are valid as long as the coarse mesh.
 */
GRAZE_EXPERIMENTAL graze_model_def graze_decimated_model_def(const graze_decimated *coarse);

/* Returns how far a vertex of the model is from the new triangles at most, at rest. */
GRAZE_EXPERIMENTAL float graze_decimated_error(const graze_decimated *coarse);

/* Return which vertex or triangle of the model a new one is; 0 if the index is out of range. */
GRAZE_EXPERIMENTAL uint32_t graze_decimated_vertex(const graze_decimated *coarse, uint32_t vertex);
GRAZE_EXPERIMENTAL uint32_t graze_decimated_triangle(const graze_decimated *coarse,
                                                     uint32_t triangle);

#ifdef __cplusplus
}
#endif

#endif
