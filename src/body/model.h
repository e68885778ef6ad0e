/* The model as bodies see it: mesh, tree and the constants of its deformer. */
#ifndef GRAZEI_BODY_MODEL_H
#define GRAZEI_BODY_MODEL_H

#include "deform/refit.h"
#include "deform/skin.h"
#include "folds/folds.h"
#include "mesh/mesh.h"
#include "tree/tree.h"

#include <stdatomic.h>

struct graze_model {
    graze_allocator allocator;
    atomic_uint holders; /* the caller and every body: the last one frees this struct */
    atomic_bool destroyed;
    grazei_mesh mesh;
    grazei_tree tree;
    grazei_skin skin;
    grazei_folds folds; /* without nodes unless self_collision was asked for */
    graze_isa isa;
    const grazei_deformer *deformer;
    const grazei_refit_kernels *refit;
};

/* What is left of a destroyed model while bodies hold it: enough to say so. */
static inline bool grazei_model_is_destroyed(const graze_model *model)
{
    return atomic_load_explicit(&model->destroyed, memory_order_relaxed);
}

/* As graze_model_create; the tree, and which vertices are one, are those of another model of the
 * same triangles unless like is NULL.
 */
graze_status grazei_model_make(const graze_model_def *def, const graze_model *like,
                               graze_model **model, graze_error *error);

void grazei_model_hold(const graze_model *model);
void grazei_model_let_go(const graze_model *model);

#endif
