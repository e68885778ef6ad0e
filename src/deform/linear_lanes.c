/* Linear blend skinning: v' = sum of w_j (A_j v + t_j); any affine maps.
 *
 * Posed positions are the same bits in every build: each coordinate is computed by the same
 * operations in the same order, whatever the width. Bounds only have to contain them.
 */
#include "deform/evaluate.h"
#include "deform/prepare.h"
#include "deform/skin.h"
#include "math/isa.h"

static bool prepare(const grazei_skin *skin, grazei_joints *joints, const grazei_pose_input *pose)
{
    f4_map place = {{f4_set(1, 0, 0, 0), f4_set(0, 1, 0, 0), f4_set(0, 0, 1, 0), f4_zero()}};
    if (pose->placement)
        place = grazei_load_map(pose->placement, true);
    f4 reach = grazei_prepare_morphs(skin, joints, pose->morph_weights), magnitude = f4_zero();
    uint32_t stride = pose->rows ? 12 : 16;
    for (uint32_t j = 0; j < pose->joint_count; j++) {
        f4_map map = grazei_load_map(pose->matrices + (size_t)stride * j, pose->rows);
        if (pose->placement)
            for (int k = 0; k < 4; k++)
                map.c[k] = grazei_turn(&place, map.c[k]);
        joints->maps[j] = map;
        if (!grazei_add_magnitude(&map, reach, &magnitude))
            return false;
    }
    if (joints->stretch)
        grazei_fill_stretch(joints->maps, pose->joint_count, joints->stretch);
    joints->placed = false;
    return grazei_finish_prepare(joints, magnitude, magnitude, place.c[3]);
}

static inline f4 pose_one(const f4_map *maps, f4 rest, const graze_influence *influences,
                          uint32_t count)
{
    f4 sum = f4_map_point(&maps[influences[0].joint], rest);
    if (count == 1)
        return sum;
    sum = sum * f4_all(influences[0].weight);
    for (uint32_t i = 1; i < count; i++)
        sum = sum + f4_map_point(&maps[influences[i].joint], rest) * f4_all(influences[i].weight);
    return sum;
}

static void pose(const grazei_skin *skin, const grazei_joints *joints, const grazei_batch_in *batch,
                 float (*out)[4], f4 *low, f4 *high)
{
    (void)skin;
    f4 lowest = f4_all(INFINITY), highest = f4_all(-INFINITY), translation = joints->translation;
    const graze_influence *influences = batch->influences;
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t n = f4_bits(batch->rest[i][3]);
        f4 posed = pose_one(joints->maps, f4_load(batch->rest[i]), influences, n) + translation;
        influences += n;
        f4_store(out[batch->vertices ? batch->vertices[i] : i], posed);
        lowest = f4_min(lowest, posed);
        highest = f4_max(highest, posed);
    }
    *low = lowest;
    *high = highest;
}

static void bound(const grazei_skin *skin, const grazei_joints *joints, uint32_t first,
                  uint32_t count, grazei_bound *bounds, float (*workspace)[4])
{
    for (uint32_t n = first; n < first + count; n++) {
        grazei_rough rough;
        if (skin->morph.target_count) {
            grazei_morph_move move = grazei_morph_node(&skin->morph, n, joints->morph_weights);
            rough = grazei_evaluate(skin, joints, n, &move, workspace);
        } else {
            rough = grazei_evaluate(skin, joints, n, NULL, workspace);
        }
        grazei_finish(joints, &skin->records[n], skin->volume, rough, 0, &bounds[n]);
    }
}

const grazei_deformer GRAZEI_ISA(linear_deformer) = {prepare, pose, bound, grazei_reweigh};
