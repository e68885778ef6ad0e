/* Motion for models that come without. */
#include "bench/queries.h"

enum { KEYS = 17 };

static const float seconds = 2;
static const double swing = 12 * 3.14159265358979323846 / 180;

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

static void fill_channel(const graze_rig *rig, graze_rig_channel *channel, uint32_t number)
{
    const graze_rig_node *node = &rig->nodes[rig->joints[number].node];
    *channel = (graze_rig_channel){.path = GRAZE_RIG_ROTATION,
                                   .node = rig->joints[number].node,
                                   .key_count = KEYS,
                                   .times = take(rig, KEYS * sizeof(float)),
                                   .values = take(rig, (size_t)4 * KEYS * sizeof(float))};
    for (int k = 0; k < KEYS; k++) {
        double part = (double)(k % (KEYS - 1)) / (KEYS - 1), phase = 0.618 * number;
        channel->times[k] = seconds * (float)k / (KEYS - 1);
        turn(node->rotation, (int)(number % 3),
             swing * sin(2 * 3.14159265358979323846 * (part + phase)), channel->values + 4 * k);
    }
}

/* Joints whose nodes are given as matrices have no rotation to turn, and stand still; so does the
 * first joint, which carries the rest.
 */
void queries_add_clip(graze_rig *rig)
{
    if (rig->clips) /* room for none */
        rig->allocator.release(rig->allocator.user, rig->clips);
    graze_rig_clip *clip = rig->clips = take(rig, sizeof *rig->clips);
    rig->clip_count = 1;
    clip->seconds = seconds;
    clip->channels = take(rig, (size_t)rig->joint_count * sizeof *clip->channels);
    for (uint32_t j = 1; j < rig->joint_count; j++)
        if (!rig->nodes[rig->joints[j].node].has_matrix)
            fill_channel(rig, &clip->channels[clip->channel_count++], j);
}
