/* The model as bodies see it: mesh, tree and the constants of its deformer. */
#ifndef GRAZEI_BODY_MODEL_H
#define GRAZEI_BODY_MODEL_H

#include "deform/refit.h"
#include "deform/skin.h"
#include "model/mesh.h"
#include "tree/tree.h"

struct graze_model {
    graze_allocator allocator;
    grazei_mesh mesh;
    grazei_tree tree;
    grazei_skin skin;
    graze_isa isa;
    const grazei_deformer *deformer;
    const grazei_refit_kernels *refit;
};

#endif
