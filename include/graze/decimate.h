/* A coarser mesh on the same skeleton: the collision mesh (level 2) of Macagon & Wuensche 2003.
 *
 *     graze_decimate_def def = graze_default_decimate_def();
 *     def.triangles = 300;
 *     graze_decimate(model, &def, &coarse, &error);
 *     graze_model_def model_def = graze_decimated_model_def(coarse);
 *     graze_model_create(&model_def, &collision_model, &error);
 *
 * Edges are collapsed, cheapest first, by the quadrics of Garland & Heckbert 1997. A vertex that is
 * left is one of the model's, where it was and with the weights and displacements that it had, so
 * that every pose of the model is a pose of the coarse one.
 *
 * The surface may be anything. Vertices at the same place that move alike count as one. Edges of
 * one triangle, and of more than two, stay edges of such a kind, and are shortened only along
 * themselves; so an open surface keeps its border and a closed one stays closed.
 *
 * Guarantee: no vertex of the model is farther from the new triangles, at rest, than the error that
 * is said. The same model and def give the same bits everywhere.
 */
#ifndef GRAZE_DECIMATE_H
#define GRAZE_DECIMATE_H

#include <graze/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A coarse mesh, with the arrays that a model can be made from. Immutable. */
typedef struct graze_decimated graze_decimated;

/* When to stop: as soon as either is reached. */
typedef struct graze_decimate_def {
    uint32_t triangles; /* that are wanted; 0: as few as the error allows */
    float max_error;    /* at rest, in units of the model: no vertex may be farther from the new
                           triangles. Not negative, may be INFINITY */
} graze_decimate_def;

/* No triangles, no limit: set one of them. */
GRAZE_EXPERIMENTAL graze_decimate_def graze_default_decimate_def(void);

/* Makes a coarse mesh of a model. Takes some 20 microseconds a triangle, and about 300 bytes of
 * memory for the time, from the model's allocator. More triangles than wanted are left where no
 * edge can be collapsed: where it would turn a triangle over or change how the surface hangs
 * together.
 *   - model, def and coarse are not NULL; *coarse is set on success only.
 *   - max_error is a number, and not negative; it is finite if triangles is 0, else
 *     GRAZE_BAD_INPUT.
 */
GRAZE_EXPERIMENTAL graze_status graze_decimate(const graze_model *model,
                                               const graze_decimate_def *def,
                                               graze_decimated **coarse, graze_error *error);

/* Frees it. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_decimated_destroy(graze_decimated *coarse);

/* What a model of it is made from: joints, skinning, groups, morph targets and the kind of tree are
 * those of the model; example poses are left out. Its arrays last as long as the coarse mesh.
 */
GRAZE_EXPERIMENTAL graze_model_def graze_decimated_model_def(const graze_decimated *coarse);

/* At least how far any vertex of the model is from the new triangles, at rest. */
GRAZE_EXPERIMENTAL float graze_decimated_error(const graze_decimated *coarse);

/* Which vertex or triangle of the model one of the new ones is.
 *   - The index is in range, else the answer is 0.
 */
GRAZE_EXPERIMENTAL uint32_t graze_decimated_vertex(const graze_decimated *coarse, uint32_t vertex);
GRAZE_EXPERIMENTAL uint32_t graze_decimated_triangle(const graze_decimated *coarse,
                                                     uint32_t triangle);

#ifdef __cplusplus
}
#endif

#endif
