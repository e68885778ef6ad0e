/* Motion for models that come without. */
#include "bench/queries.h"

#define PI 3.14159265358979323846

static void *take(const graze_rig *rig, size_t size)
{
    void *memory = rig->allocator.allocate(rig->allocator.user, size, 16);
    if (!memory)
        bench_die("out of memory");
    return memset(memory, 0, size);
}

/* q times a turn about one of its own axes. */
static void turn(const float q[4], int axis, double angle, float out[4])
{
    double s = sin(0.5 * angle), c = cos(0.5 * angle), v[3] = {0, 0, 0};
    v[axis] = s;
    out[0] = (float)(q[3] * v[0] + q[0] * c + q[1] * v[2] - q[2] * v[1]);
    out[1] = (float)(q[3] * v[1] + q[1] * c + q[2] * v[0] - q[0] * v[2]);
    out[2] = (float)(q[3] * v[2] + q[2] * c + q[0] * v[1] - q[1] * v[0]);
    out[3] = (float)(q[3] * c - q[0] * v[0] - q[1] * v[1] - q[2] * v[2]);
}

static void fill_channel(const graze_rig *rig, graze_rig_channel *channel, uint32_t number,
                         const queries_motion *motion)
{
    const graze_rig_node *node = &rig->nodes[rig->joints[number].node];
    const uint32_t keys = motion->keys, turns = motion->turns + number % (motion->more_turns + 1);
    *channel = (graze_rig_channel){.path = GRAZE_RIG_ROTATION,
                                   .node = rig->joints[number].node,
                                   .key_count = keys,
                                   .times = take(rig, keys * sizeof(float)),
                                   .values = take(rig, (size_t)4 * keys * sizeof(float))};
    for (uint32_t k = 0; k < keys; k++) {
        double part = (double)(turns * k % (keys - 1)) / (keys - 1), phase = 0.618 * number;
        channel->times[k] = motion->seconds * (float)k / (float)(keys - 1);
        turn(node->rotation, (int)(number % 3),
             motion->swing * PI / 180 * sin(2 * PI * (part + phase)),
             channel->values + 4 * (size_t)k);
    }
}

static void drop(const graze_rig *rig, void *memory)
{
    if (memory)
        rig->allocator.release(rig->allocator.user, memory);
}

static void drop_clips(const graze_rig *rig)
{
    for (uint32_t k = 0; k < rig->clip_count; k++) {
        const graze_rig_clip *clip = &rig->clips[k];
        for (uint32_t c = 0; c < clip->channel_count; c++) {
            drop(rig, clip->channels[c].times);
            drop(rig, clip->channels[c].values);
        }
        drop(rig, clip->channels);
        drop(rig, clip->name);
    }
    drop(rig, rig->clips); /* room for none, where there are none */
}

/* Joints whose nodes are given as matrices have no rotation to turn, and stand still; so does the
 * first joint, which carries the rest.
 */
void queries_add_clip(graze_rig *rig, const queries_motion *motion)
{
    drop_clips(rig);
    graze_rig_clip *clip = rig->clips = take(rig, sizeof *rig->clips);
    rig->clip_count = 1;
    clip->seconds = motion->seconds;
    clip->channels = take(rig, (size_t)rig->joint_count * sizeof *clip->channels);
    for (uint32_t j = 1; j < rig->joint_count; j++)
        if (!rig->nodes[rig->joints[j].node].has_matrix)
            fill_channel(rig, &clip->channels[clip->channel_count++], j, motion);
}
