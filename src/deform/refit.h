/* Bottom-up refitting: every bound from posed vertices, as a library must that does not know the
 * deformation (van den Bergen 1997 for boxes). The eager reference.
 */
#ifndef GRAZEI_DEFORM_REFIT_H
#define GRAZEI_DEFORM_REFIT_H

#include "deform/bound.h"
#include "math/isa.h"
#include "tree/tree.h"

typedef struct grazei_refit_kernels {
    /* Fills the bounds of all nodes from number `from` on, from the positions of all vertices. */
    void (*refit)(const grazei_tree *tree, const float (*positions)[4], uint32_t from,
                  grazei_bound *bounds);
} grazei_refit_kernels;

GRAZEI_DECLARE(grazei_refit_kernels, refit_kernels);

#endif
