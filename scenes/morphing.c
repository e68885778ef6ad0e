#include "scenes/morphing.h"

#include "scenes/gait.h"

#include <graze/animation.h>

#include <string.h>

/* The joints of a key pose, 12 floats each. */
static bool pose_joints(const grazei_synth_morphing *morphing, uint32_t pose,
                        const grazei_synth_skeleton *skeleton, const graze_rig *rig, float *joints)
{
    graze_rig_local locals[GRAZEI_SYNTH_MAX_JOINTS];
    if (graze_rig_sample_locals(rig, GRAZE_NONE, 0, locals, NULL, NULL))
        return false;
    for (uint32_t i = 0; i < morphing->turn_count; i++) {
        const grazei_synth_turn_row *row = &morphing->turns[i];
        const uint32_t joint = grazei_synth_joint_index(skeleton, row->joint);
        if (row->pose != pose || joint == UINT32_MAX)
            continue;
        const grazei_synth_turn turn = grazei_synth_turn_by(row->degrees);
        const double rotation[4] = {turn.x, turn.y, turn.z, turn.w};
        memcpy(locals[joint].rotation, rotation, sizeof rotation);
    }
    return graze_rig_compose(rig, locals, joints, NULL) == GRAZE_OK;
}

/* Where linear skinning takes a vertex, less where it is at rest. */
static void displacement(const graze_rig *rig, const float *joints, uint32_t vertex, float delta[3])
{
    const float *at = rig->positions + 3 * (size_t)vertex;
    double moved[3] = {0, 0, 0}, total = 0;
    for (uint32_t i = rig->influence_offsets[vertex]; i < rig->influence_offsets[vertex + 1]; i++) {
        const float *map = joints + 12 * (size_t)rig->influences[i].joint;
        const double weight = rig->influences[i].weight;
        total += weight;
        for (int c = 0; c < 3; c++)
            moved[c] += weight * ((double)map[4 * c] * at[0] + (double)map[4 * c + 1] * at[1] +
                                  (double)map[4 * c + 2] * at[2] + map[4 * c + 3]);
    }
    for (int c = 0; c < 3; c++)
        delta[c] = (float)(moved[c] / total - at[c]);
}

static bool stands_still(const float delta[3])
{
    return delta[0] == 0 && delta[1] == 0 && delta[2] == 0;
}

static bool add_target(graze_rig *rig, const float *joints, graze_rig_morph *morph)
{
    float delta[3];
    uint32_t count = 0;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        displacement(rig, joints, v, delta);
        count += !stands_still(delta);
    }
    morph->vertices = grazei_synth_keep(&rig->allocator, count, sizeof(uint32_t));
    morph->deltas = grazei_synth_keep(&rig->allocator, count, 3 * sizeof(float));
    if (!morph->vertices || !morph->deltas)
        return false;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        displacement(rig, joints, v, delta);
        if (stands_still(delta))
            continue;
        morph->vertices[morph->count] = v;
        memcpy(morph->deltas + 3 * (size_t)morph->count++, delta, sizeof delta);
    }
    return true;
}

/* A weight in the k-th pose of a clip. */
static double weight_in(const grazei_synth_morph_row *row, uint32_t k, uint32_t morph)
{
    return row->poses[k] == morph ? 1 : 0;
}

/* How fast it changes there. */
static double velocity_in(const grazei_synth_morph_row *row, uint32_t k, uint32_t morph)
{
    if (k == 0 || k + 1 == row->pose_count)
        return 0;
    return (weight_in(row, k + 1, morph) - weight_in(row, k - 1, morph)) / (2 * row->seconds);
}

/* A key of the channel: even ones are poses, those between them where two curves meet. */
static void find_key(const grazei_synth_morph_row *row, uint32_t key, uint32_t morph, double *value,
                     double *slope)
{
    const uint32_t k = key / 2;
    if (key % 2 == 0) {
        *value = weight_in(row, k, morph);
        *slope = velocity_in(row, k, morph);
        return;
    }
    /* The inner control points of both: a quarter of the way along the velocities. */
    const double quarter = row->seconds / 4;
    const double first = weight_in(row, k, morph) + quarter * velocity_in(row, k, morph);
    const double second = weight_in(row, k + 1, morph) - quarter * velocity_in(row, k + 1, morph);
    *value = (first + second) / 2;
    *slope = (second - first) / (row->seconds / 2);
}

static bool fill_channel(const grazei_synth_morph_row *row, graze_rig *rig,
                         graze_rig_channel *channel)
{
    const uint32_t keys = 2 * row->pose_count - 1, n = rig->morph_count;
    channel->path = GRAZE_RIG_WEIGHTS;
    channel->interpolation = GRAZE_RIG_CUBICSPLINE;
    channel->morph_count = n;
    channel->key_count = keys;
    channel->times = grazei_synth_keep(&rig->allocator, keys, sizeof(float));
    channel->values = grazei_synth_keep(&rig->allocator, 3 * (size_t)keys * n, sizeof(float));
    if (!channel->times || !channel->values)
        return false;
    for (uint32_t key = 0; key < keys; key++) {
        float *values = channel->values + 3 * (size_t)key * n;
        channel->times[key] = (float)(key * row->seconds / 2);
        for (uint32_t m = 0; m < n; m++) {
            double value, slope;
            find_key(row, key, m, &value, &slope);
            values[m] = values[2 * n + m] = (float)slope;
            values[n + m] = (float)value;
        }
    }
    return true;
}

static bool add_clip(const grazei_synth_morph_row *row, graze_rig *rig, graze_rig_clip *clip)
{
    const size_t length = strlen(row->clip);
    clip->seconds = (float)((row->pose_count - 1) * row->seconds);
    clip->name = grazei_synth_keep(&rig->allocator, length + 1, 1);
    clip->channels = grazei_synth_keep(&rig->allocator, 1, sizeof *clip->channels);
    if (!clip->name || !clip->channels)
        return false;
    memcpy(clip->name, row->clip, length);
    clip->channel_count = 1;
    return fill_channel(row, rig, clip->channels);
}

bool grazei_synth_add_morphing(const grazei_synth_morphing *morphing,
                               const grazei_synth_skeleton *skeleton, graze_rig *rig)
{
    float joints[12 * GRAZEI_SYNTH_MAX_JOINTS];
    rig->morphs = grazei_synth_keep(&rig->allocator, morphing->pose_count, sizeof *rig->morphs);
    if (!rig->morphs)
        return false;
    rig->morph_count = morphing->pose_count;
    for (uint32_t m = 0; m < morphing->pose_count; m++)
        if (!pose_joints(morphing, m, skeleton, rig, joints) ||
            !add_target(rig, joints, &rig->morphs[m]))
            return false;
    rig->clips = grazei_synth_keep(&rig->allocator, morphing->clip_count, sizeof *rig->clips);
    if (!rig->clips)
        return false;
    rig->clip_count = morphing->clip_count;
    for (uint32_t c = 0; c < morphing->clip_count; c++)
        if (!add_clip(&morphing->clips[c], rig, &rig->clips[c]))
            return false;
    return true;
}
