/* Dual quaternion skinning by linear blending (Kavan, Collins, Zara and O'Sullivan, "Skinning with
 * dual quaternions", 2007). A blended vertex is Im(sum of w_j p_j q_j Q^-1) with p_j where joint j
 * would put it and Q the sum of w_j q_j; its distance from linear blending's vertex is bounded in
 * docs/bounds.md, "Blended rotations".
 */
#include "deform/blended.h"
#include "deform/bound_root.h"
#include "math/isa.h"

static inline f4 pose_one(const grazei_skin *skin, const grazei_joints *joints, f4 rest,
                          const graze_influence *influences, uint32_t count, uint32_t set)
{
    (void)skin;
    (void)set;
    if (count == 1)
        return f4_map_point(&joints->given[influences[0].joint], rest);
    if (joints->scaled)
        rest = scale_vertex(joints, rest, influences, count);
    f4 pivot = joints->rotations[influences[pivot_of(influences, count)].joint];
    f4 real = f4_zero(), dual = f4_zero();
    for (uint32_t i = 0; i < count; i++) {
        f4 q = joints->rotations[influences[i].joint];
        f4 weight = f4_all(signed_weight(q, pivot, influences[i].weight));
        real = real + q * weight;
        dual = dual + joints->duals[influences[i].joint] * weight;
    }
    float inverse = 1 / sqrtf(f4_dot4(real, real));
    real = real * f4_all(inverse);
    dual = dual * f4_all(inverse);
    /* The last lanes cancel, so that nothing is left there. */
    f4 translation = (dual * f4_w(real) - real * f4_w(dual)) + f4_cross(real, dual);
    return quat_turn(real, rest) + translation;
}

/* pose_one of vertices in lanes. */
GRAZEI_INLINE column3 pose_some(const grazei_skin *skin, const grazei_joints *joints,
                                const vertex_columns *vertices, uint32_t count)
{
    (void)skin;
    column zero = column_all(0);
    column4 real = {zero, zero, zero, zero}, dual = real;
    for (uint32_t i = 0; i < count; i++) {
        column weight = vertices->signed_weights[i];
        real = column4_add(real, column4_scale(vertices->rotations[i], weight));
        dual = column4_add(dual, column4_scale(rows_of_joints(vertices, joints->duals, i), weight));
    }
    column inverse = quats_to_unit(real);
    real = column4_scale(real, inverse);
    dual = column4_scale(dual, inverse);
    column3 turn = {real.x, real.y, real.z}, move = {dual.x, dual.y, dual.z};
    column3 along = column3_sub(column3_scale(move, real.w), column3_scale(turn, dual.w));
    column3 translation = column3_add(along, column3_cross(turn, move));
    return column3_add(quats_turn(real, vertices->rest), translation);
}

static void pose(const grazei_skin *skin, const grazei_joints *joints, const grazei_batch_in *batch,
                 float (*out)[4], f4 *low, f4 *high)
{
    need_rotations(skin, joints);
    pose_blended(skin, joints, batch, out, low, high, pose_one, pose_some);
}

static void pose_chosen(const grazei_skin *skin, const grazei_joints *joints,
                        const uint32_t *vertices, uint32_t count, const float (*rest)[4],
                        float (*out)[4])
{
    need_rotations(skin, joints);
    pose_blended_chosen(skin, joints, vertices, count, rest, out, pose_one);
}

static float rounding(const grazei_skin *skin, const grazei_joints *joints, uint32_t node,
                      float length)
{
    (void)node;
    return (float)(16 * skin->mesh->max_influences + 64) * GRAZEI_UNIT * 2 *
           joints->magnitude_length / (length * length);
}

static float extra(const grazei_skin *skin, const grazei_joints *joints, uint32_t node,
                   const grazei_morph_move *move, const blend_spread *spread)
{
    (void)move;
    return sqrtf(spread->places * spread->rotations) / spread->length * (1 + 16 * GRAZEI_UNIT) +
           rounding(skin, joints, node, spread->length);
}

/* A vertex at the rest centre goes to Im(P Q^-1), P = sum of w_j p_j q_j. With Z its value at the
 * weight centre, P - Z Q is linear in the weights and vanishes there.
 */
static float spread_of_centre(const grazei_joints *joints, const centred_node *at, f4 *centre)
{
    f4 products[GRAZEI_MAX_CENTRE_JOINTS], sum = f4_zero();
    float values[GRAZEI_MAX_CENTRE_JOINTS];
    for (uint32_t k = 0; k < at->count; k++) {
        f4 p = f4_map_point(&joints->maps[f4_bits(at->shares[k][0])], at->centre);
        p[3] = 0;
        products[k] = quat_multiply(p, at->quats[k]);
        sum = sum + products[k] * f4_all(at->shares[k][1]);
    }
    f4 inverse = f4_set(-at->blend[0], -at->blend[1], -at->blend[2], at->blend[3]) *
                 f4_all(1 / f4_dot4(at->blend, at->blend));
    f4 z = quat_multiply(sum, inverse);
    for (uint32_t k = 0; k < at->count; k++) {
        f4 off = products[k] - quat_multiply(z, at->quats[k]);
        values[k] = sqrtf(f4_dot4(off, off));
    }
    float spread = knapsack(values, at->shares, at->count, at->limit) / at->length;
    z[3] = 0;
    *centre = z;
    return spread;
}

static bool centred(const grazei_skin *skin, const grazei_joints *joints, uint32_t node,
                    const centred_node *at, grazei_rough *rough)
{
    f4 centre;
    float spread = spread_of_centre(joints, at, &centre);
    (void)node;
    *rough = around(skin, joints, at, centre, spread);
    return true;
}

static float set_ball(const grazei_skin *skin, const grazei_joints *joints, uint32_t set,
                      const centred_node *at, bool blended, float least_pivot, f4 *centre)
{
    (void)set;
    (void)least_pivot;
    if (!blended)
        return INFINITY;
    float spread = spread_of_centre(joints, at, centre);
    return at->radius + spread * (1 + (float)(4 * at->count + 32) * GRAZEI_UNIT) +
           rounding(skin, joints, 0, at->length);
}

static void bound(const grazei_skin *skin, const grazei_joints *joints, uint32_t first,
                  uint32_t count, grazei_bound *bounds, float (*workspace)[4])
{
    static const blend_kind kind = {false, centred, extra, set_ball, rounding};
    uint32_t n = first, end = first + count;
    if (n == 0 && joints->put_off && bound_root(skin, joints, &bounds[0], workspace, &kind))
        n++;
    if (n < end)
        need_rotations(skin, joints);
    while (n < end) {
        if (skin->records[n].kind == GRAZEI_SPHERE_POSED) {
            n = bound_posed_nodes(skin, joints, n, end, bounds, pose);
            continue;
        }
        if (is_plain(skin, joints, n))
            bound_plain_node(skin, joints, n, &bounds[n], workspace);
        else
            bound_blended_node(skin, joints, n, &bounds[n], workspace, &kind);
        n++;
    }
}

static bool prepare(const grazei_skin *skin, grazei_joints *joints, const grazei_pose_input *input)
{
    return grazei_prepare_blended(skin, joints, input);
}

/* The blended rotation has at least the length of the largest weight, 1 / n of n joints, so the
 * blended translation is at most n m, and the turned rest position at most m.
 */
const grazei_deformer GRAZEI_ISA(dual_deformer) = {.name = "dual",
                                                   .needs_rotations = true,
                                                   .needs_duals = true,
                                                   .follows_joints = true,
                                                   .growth = 1,
                                                   .joint_growth = 1,
                                                   .prepare = prepare,
                                                   .pose = pose,
                                                   .pose_chosen = pose_chosen,
                                                   .bound = bound,
                                                   .reweigh = grazei_reweigh,
                                                   .complete = make_rotations};
