/* Bounding clusters of triangles by spheres, also where the model's own tree has boxes. */
#ifndef GRAZEI_CHAIN_BOUND_KERNELS_H
#define GRAZEI_CHAIN_BOUND_KERNELS_H

#include "deform/skin.h"

/* Joints whose stretches fit on the stack. */
enum { GRAZEI_MAX_BOUND_JOINTS = 1024 };

typedef struct grazei_chain_bound_kernels {
    /* Fills in the stretches of a copy of joints, if those have none: room for
     * GRAZEI_MAX_BOUND_JOINTS floats each, aligned to 16 bytes.
     */
    void (*add_stretch)(grazei_joints *joints, uint32_t joint_count, float *stretch,
                        float *scale_stretch);
} grazei_chain_bound_kernels;

GRAZEI_DECLARE(grazei_chain_bound_kernels, chain_bound_kernels);

#endif
