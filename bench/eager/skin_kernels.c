/* Linear blend skinning of every vertex, those of the same joints eight (or four) at a time, one a
 * lane.
 *
 * The operations and their order are Graze's (graze/body.h), so the positions are the same bits:
 * (c0 x + c1 y) + (c2 z + c3) for each joint, times its weight, joints ascending, the translation
 * of the placement last, nothing fused.
 */
#include "bench/eager/simd.h"
#include "bench/eager/types.h"

typedef struct progress {
    const float (*maps)[12];
    const float *translation;
    wides low[3], high[3];
} progress;

/* Skins the groups of a run; n is a constant where this is inlined. */
EAGER_INLINE void skin_run(progress *run, const float *stream, const uint32_t *joints, uint32_t n,
                           uint32_t groups, float (*out)[4])
{
    wides low[3] = {run->low[0], run->low[1], run->low[2]};
    wides high[3] = {run->high[0], run->high[1], run->high[2]};
    for (uint32_t i = 0; i < groups * EAGER_GROUP; i += EAGER_WIDE) {
        wides x = wide_load(stream), y = wide_load(stream + 8), z = wide_load(stream + 16);
        wides sum[3] = {x, y, z};
        for (uint32_t k = 0; k < n; k++) {
            const float *map = run->maps[joints[k]];
            for (int axis = 0; axis < 3; axis++) {
                wides moved =
                    (map[axis] * x + map[3 + axis] * y) + (map[6 + axis] * z + map[9 + axis]);
                if (n > 1)
                    moved = moved * wide_load(stream + 24 + 8 * k);
                sum[axis] = k ? sum[axis] + moved : moved;
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] = sum[axis] + run->translation[axis];
            low[axis] = wide_min(low[axis], sum[axis]);
            high[axis] = wide_max(high[axis], sum[axis]);
        }
        wide_points(sum[0], sum[1], sum[2], out + i);
        /* The next vertices of the group, or the next group. */
        bool done = (i + EAGER_WIDE) % EAGER_GROUP == 0;
        stream += EAGER_WIDE + (done ? EAGER_GROUP * (n > 1 ? 2 + n : 2) : 0);
    }
    memcpy(run->low, low, sizeof low);
    memcpy(run->high, high, sizeof high);
}

static void skin_runs(const eager_model *model, progress *run, float (*out)[4])
{
    for (uint32_t r = 0; r < model->run_count; r++) {
        const eager_run *one = &model->runs[r];
        const float *stream = model->stream + one->first_float;
        const uint32_t *joints = model->run_joints + one->first_joint;
        float(*to)[4] = out + one->first_slot;
        if (one->joint_count == 1)
            skin_run(run, stream, joints, 1, one->group_count, to);
        else if (one->joint_count == 2)
            skin_run(run, stream, joints, 2, one->group_count, to);
        else if (one->joint_count == 3)
            skin_run(run, stream, joints, 3, one->group_count, to);
        else if (one->joint_count == 4)
            skin_run(run, stream, joints, 4, one->group_count, to);
        else
            skin_run(run, stream, joints, one->joint_count, one->group_count, to);
    }
}

/* One vertex, its coordinates in lanes. A map is read a float too far: the next column. */
EAGER_INLINE f4 move_point(const float *map, const float rest[3])
{
    f4 c[4];
    for (int k = 0; k < 4; k++)
        memcpy(&c[k], map + 3 * k, sizeof c[k]);
    return (c[0] * rest[0] + c[1] * rest[1]) + (c[2] * rest[2] + c[3]);
}

static void skin_singles(const eager_model *model, const progress *run, float (*out)[4], f4 *low,
                         f4 *high)
{
    f4 translation = {run->translation[0], run->translation[1], run->translation[2], 0};
    const graze_influence *influence = model->single_influences;
    for (uint32_t i = 0; i < model->single_count; i++) {
        const eager_single *single = &model->singles[i];
        f4 sum = move_point(run->maps[influence->joint], single->rest);
        if (single->influence_count > 1)
            sum = sum * influence->weight;
        influence++;
        for (uint32_t k = 1; k < single->influence_count; k++, influence++)
            sum = sum + move_point(run->maps[influence->joint], single->rest) * influence->weight;
        sum = sum + translation;
        f4_store(out[i], sum);
        *low = f4_min(*low, sum);
        *high = f4_max(*high, sum);
    }
}

void EAGER_ISA(skin)(eager_body *body, const float translation[3])
{
    const eager_model *model = body->model;
    wides most = wide_all(INFINITY);
    f4 low = f4_all(INFINITY), high = -low;
    progress run = {
        (const float(*)[12])body->maps, translation, {most, most, most}, {-most, -most, -most}};
    skin_runs(model, &run, body->positions);
    skin_singles(model, &run, body->positions + model->slot_count - model->single_count, &low,
                 &high);
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < EAGER_WIDE; k++) {
            low[axis] = run.low[axis][k] < low[axis] ? run.low[axis][k] : low[axis];
            high[axis] = run.high[axis][k] > high[axis] ? run.high[axis][k] : high[axis];
        }
    }
    f4_store(body->low, low);
    f4_store(body->high, high);
}
