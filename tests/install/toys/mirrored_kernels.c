/* A toy deformer: linear blending, seen in a mirror. */
#include "deform/skin.h"

GRAZEI_DECLARE(grazei_deformer, linear_deformer);

#define LINEAR GRAZEI_ISA(linear_deformer)

static const f4 mirror = {-1, 1, 1, 1};

static bool prepare(const grazei_skin *skin, grazei_joints *joints, const grazei_pose_input *pose)
{
    return LINEAR.prepare(skin, joints, pose);
}

static void pose(const grazei_skin *skin, const grazei_joints *joints, const grazei_batch_in *batch,
                 float (*out)[4], f4 *low, f4 *high)
{
    LINEAR.pose(skin, joints, batch, out, low, high);
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t at = batch->vertices ? batch->vertices[i] : i;
        f4_store(out[at], f4_load(out[at]) * mirror);
    }
    f4 left = *low;
    (*low)[0] = -(*high)[0];
    (*high)[0] = -left[0];
}

static void pose_chosen(const grazei_skin *skin, const grazei_joints *joints,
                        const uint32_t *vertices, uint32_t count, const float (*rest)[4],
                        float (*out)[4])
{
    LINEAR.pose_chosen(skin, joints, vertices, count, rest, out);
    for (uint32_t i = 0; i < count; i++)
        f4_store(out[i], f4_load(out[i]) * mirror);
}

static void bound(const grazei_skin *skin, const grazei_joints *joints, uint32_t first,
                  uint32_t count, grazei_bound *bounds, float (*workspace)[4])
{
    LINEAR.bound(skin, joints, first, count, bounds, workspace);
    for (uint32_t n = first; n < first + count; n++) {
        float left = bounds[n].low_negated[0];
        if (skin->volume == GRAZE_SPHERES) {
            bounds[n].centre[0] = -left;
        } else {
            bounds[n].low_negated[0] = bounds[n].high[0];
            bounds[n].high[0] = left;
        }
    }
}

static bool reweigh(const grazei_skin *skin, grazei_joints *joints, uint32_t joint_count,
                    const float *weights)
{
    return LINEAR.reweigh(skin, joints, joint_count, weights);
}

const grazei_deformer GRAZEI_ISA(mirrored_deformer) = {.name = "mirrored",
                                                       .prepare = prepare,
                                                       .pose = pose,
                                                       .pose_chosen = pose_chosen,
                                                       .bound = bound,
                                                       .reweigh = reweigh};
