/* Dual quaternion skinning by linear blending (Kavan, Collins, Zara and O'Sullivan, "Skinning with
 * dual quaternions", 2007). A blended vertex is Im(sum of w_j p_j q_j Q^-1) with p_j where joint j
 * would put it and Q the sum of w_j q_j; its distance from linear blending's vertex is bounded in
 * docs/bounds.md, "Blended rotations".
 */
#include "deform/blended.h"
#include "math/isa.h"

static inline f4 pose_one(const grazei_joints *joints, f4 rest, const graze_influence *influences,
                          uint32_t count)
{
    if (joints->scaled)
        rest = scale_vertex(joints, rest, influences, count);
    if (count == 1)
        return f4_map_point(&joints->maps[influences[0].joint], rest);
    f4 pivot = joints->rotations[influences[pivot_of(influences, count)].joint];
    f4 real = f4_zero(), dual = f4_zero();
    for (uint32_t i = 0; i < count; i++) {
        f4 q = joints->rotations[influences[i].joint], t = joints->maps[influences[i].joint].c[3];
        float weight = signed_weight(q, pivot, influences[i].weight);
        /* Twice the dual part: t q, with t a pure quaternion. */
        f4 tq = f4_cross(t, q) + t * f4_w(q);
        tq[3] = -f4_dot3(t, q);
        real = real + q * f4_all(weight);
        dual = dual + tq * f4_all(weight);
    }
    float inverse = 1 / sqrtf(f4_dot4(real, real));
    real = real * f4_all(inverse);
    dual = dual * f4_all(inverse);
    f4 real_xyz = f4_set(real[0], real[1], real[2], 0),
       dual_xyz = f4_set(dual[0], dual[1], dual[2], 0);
    f4 translation = (dual_xyz * f4_w(real) - real_xyz * f4_w(dual)) + f4_cross(real, dual);
    return quat_turn(real, f4_set(rest[0], rest[1], rest[2], 0)) + translation;
}

static void pose(const grazei_skin *skin, const grazei_joints *joints, const grazei_batch_in *batch,
                 float (*out)[4], f4 *low, f4 *high)
{
    (void)skin;
    f4 lowest = f4_all(INFINITY), highest = f4_all(-INFINITY);
    const graze_influence *influences = batch->influences;
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t n = f4_bits(batch->rest[i][3]);
        f4 posed = place_vertex(joints, pose_one(joints, f4_load(batch->rest[i]), influences, n));
        influences += n;
        f4_store(out[batch->vertices ? batch->vertices[i] : i], posed);
        lowest = f4_min(lowest, posed);
        highest = f4_max(highest, posed);
    }
    *low = lowest;
    *high = highest;
}

static float extra(const grazei_skin *skin, const grazei_joints *joints, uint32_t node,
                   const grazei_morph_move *move)
{
    blend_spread spread = grazei_spread(skin, joints, node, move);
    float rounding = (float)(16 * skin->mesh->max_influences + 64) * GRAZEI_UNIT * 2 *
                     joints->magnitude_length / (spread.length * spread.length);
    return sqrtf(spread.places * spread.rotations) / spread.length * (1 + 16 * GRAZEI_UNIT) +
           rounding;
}

static void bound(const grazei_skin *skin, const grazei_joints *joints, uint32_t first,
                  uint32_t count, grazei_bound *bounds, float (*workspace)[4])
{
    grazei_bound_blended(skin, joints, first, count, bounds, workspace, extra);
}

static bool prepare(const grazei_skin *skin, grazei_joints *joints, const grazei_pose_input *input)
{
    return grazei_prepare_blended(skin, joints, input);
}

const grazei_deformer GRAZEI_ISA(dual_deformer) = {prepare, pose, bound};
