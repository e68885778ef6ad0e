/* Linear blend skinning: v' = sum of w_j (A_j v + t_j); any affine maps.
 *
 * Posed positions are the same bits in every build: each coordinate is computed by the same
 * operations in the same order, whatever the width. Bounds only have to contain them.
 */
#include "deform/evaluate.h"
#include "deform/prepare.h"
#include "deform/siblings.h"
#include "deform/skin.h"
#include "math/isa.h"
#include "math/points.h"

/* Vertices of more influences are posed one by one. */
#define MAX_UNROLLED 4

static bool prepare(const grazei_skin *skin, grazei_joints *joints, const grazei_pose_input *pose)
{
    f4_map place = {{f4_set(1, 0, 0, 0), f4_set(0, 1, 0, 0), f4_set(0, 0, 1, 0), f4_zero()}};
    if (pose->placement)
        place = grazei_load_map(pose->placement, pose->rows);
    f4 reach = grazei_prepare_morphs(skin, joints, pose->morph_weights), magnitude = f4_zero();
    for (uint32_t j = 0; j < pose->joint_count; j++) {
        f4_map map = grazei_load_map(pose->matrices + (size_t)pose->step * j, pose->rows);
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

/* A batch on its way: what comes next, and the box of what is posed. */
typedef struct progress {
    const grazei_joints *joints;
    const grazei_batch_in *batch;
    const graze_influence *influences; /* of the next vertex */
    size_t next;
    float (*out)[4];
    points low, high;
} progress;

/* pose_one for points that the same n joints move, operation by operation. */
GRAZEI_INLINE points pose_points(const points_map *maps, points rest,
                                 const graze_influence *influences, uint32_t n)
{
    const graze_influence *last = influences + (GRAZEI_POINTS - 1) * (size_t)n;
    points x = points_x(rest), y = points_y(rest), z = points_z(rest), sum = rest;
    for (uint32_t k = 0; k < n; k++) {
        const points *c = maps[k].c;
        points moved = (c[0] * x + c[1] * y) + (c[2] * z + c[3]);
        if (n > 1)
            moved = moved * points_each(influences[k].weight, last[k].weight);
        sum = k ? sum + moved : moved;
    }
    return sum;
}

/* Whether the vertices from first, as many as move together, have this joint-set. Those that have
 * it stand together in every batch.
 */
GRAZEI_INLINE bool is_run(const grazei_batch_in *batch, size_t first, uint32_t set)
{
    size_t last = first + GRAZEI_POINTS - 1;
    return last < batch->count && batch->sets[last] == set;
}

/* Poses a run of vertices with the joints of the next one: their maps are fetched once. */
GRAZEI_INLINE void pose_run(progress *run, uint32_t n)
{
    const grazei_batch_in batch = *run->batch;
    const graze_influence *influences = run->influences;
    points translation = points_all(run->joints->translation), low = run->low, high = run->high;
    float(*out)[4] = run->out;
    size_t i = run->next;
    uint32_t set = batch.sets[i];
    points_map maps[MAX_UNROLLED];
    for (uint32_t k = 0; k < n; k++)
        maps[k] = points_map_all(&run->joints->maps[influences[k].joint]);
    do {
        points posed = pose_points(maps, points_load(batch.rest + i), influences, n) + translation;
        if (batch.vertices) {
            f4_store(out[batch.vertices[i]], points_first(posed));
            f4_store(out[batch.vertices[i + GRAZEI_POINTS - 1]], points_last(posed));
        } else {
            points_store(out + i, posed);
        }
        low = points_min(low, posed);
        high = points_max(high, posed);
        influences += GRAZEI_POINTS * (size_t)n;
        i += GRAZEI_POINTS;
    } while (is_run(&batch, i, set));
    run->low = low;
    run->high = high;
    run->influences = influences;
    run->next = i;
}

static inline void pose_next(progress *run, uint32_t n)
{
    const grazei_batch_in *batch = run->batch;
    size_t i = run->next++;
    f4 posed = pose_one(run->joints->maps, f4_load(batch->rest[i]), run->influences, n) +
               run->joints->translation;
    f4_store(run->out[batch->vertices ? batch->vertices[i] : i], posed);
    run->low = points_min(run->low, points_all(posed));
    run->high = points_max(run->high, points_all(posed));
    run->influences += n;
}

static void pose(const grazei_skin *skin, const grazei_joints *joints, const grazei_batch_in *batch,
                 float (*out)[4], f4 *low, f4 *high)
{
    (void)skin;
    points most = points_all(f4_all(INFINITY));
    progress run = {joints, batch, batch->influences, 0, out, most, -most};
    while (run.next < batch->count) {
        uint32_t n = f4_bits(batch->rest[run.next][3]);
        if (n > MAX_UNROLLED || !is_run(batch, run.next, batch->sets[run.next]))
            pose_next(&run, n);
        else if (n == 1)
            pose_run(&run, 1);
        else if (n == 2)
            pose_run(&run, 2);
        else if (n == 3)
            pose_run(&run, 3);
        else
            pose_run(&run, 4);
    }
    *low = f4_min(points_first(run.low), points_last(run.low));
    *high = f4_max(points_first(run.high), points_last(run.high));
}

static void pose_chosen(const grazei_skin *skin, const grazei_joints *joints,
                        const uint32_t *vertices, uint32_t count, const float (*rest)[4],
                        float (*out)[4])
{
    const uint32_t *offsets = skin->mesh->influence_offsets;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = offsets[vertices[i]], n = offsets[vertices[i] + 1] - first;
        f4 posed = pose_one(joints->maps, f4_load(rest[i]), skin->mesh->influences + first, n);
        f4_store(out[i], posed + joints->translation);
    }
}

static void bound_node(const grazei_skin *skin, const grazei_joints *joints, uint32_t node,
                       grazei_bound *bounds, float (*workspace)[4])
{
    grazei_rough rough;
    if (skin->morph.target_count) {
        grazei_morph_move move = grazei_morph_node(&skin->morph, node, joints->morph_weights);
        rough = grazei_evaluate(skin, joints, node, &move, workspace);
    } else {
        rough = grazei_evaluate(skin, joints, node, NULL, workspace);
    }
    grazei_finish(joints, &skin->records[node], skin->volume, rough, 0, &bounds[node]);
}

static void bound(const grazei_skin *skin, const grazei_joints *joints, uint32_t first,
                  uint32_t count, grazei_bound *bounds, float (*workspace)[4])
{
    for (uint32_t n = first; n < first + count; n += skin->records[n].siblings) {
        if (skin->records[n].kind == GRAZEI_BOX_SIBLINGS)
            grazei_bound_siblings(skin, joints, n, bounds);
        else
            bound_node(skin, joints, n, bounds, workspace);
    }
}

const grazei_deformer GRAZEI_ISA(linear_deformer) = {.name = "linear",
                                                     .blends_maps = true,
                                                     .follows_joints = true,
                                                     .prepare = prepare,
                                                     .pose = pose,
                                                     .pose_chosen = pose_chosen,
                                                     .bound = bound,
                                                     .reweigh = grazei_reweigh};
