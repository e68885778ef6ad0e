/* What bounds by spheres need of a pose beyond what bodies with trees of boxes keep. */
#include "chain/bound_kernels.h"

#include "deform/prepare.h"

static void add_stretch(grazei_joints *joints, uint32_t joint_count, float *stretch,
                        float *scale_stretch)
{
    if (joints->stretch)
        return;
    grazei_fill_stretch(joints->maps, joint_count, stretch);
    joints->stretch = stretch;
    if (!joints->scales)
        return;
    grazei_fill_stretch(joints->scales, joint_count, scale_stretch);
    joints->scale_stretch = scale_stretch;
}

const grazei_chain_bound_kernels GRAZEI_ISA(chain_bound_kernels) = {add_stretch};
