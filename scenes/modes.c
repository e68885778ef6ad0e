#include "scenes/modes.h"

#include "scenes/gait.h"

#include <string.h>

static void displacement(const grazei_synth_modes *modes, uint32_t mode, const graze_rig *rig,
                         uint32_t vertex, float delta[3])
{
    const float *at = rig->positions + 3 * (size_t)vertex;
    grazei_vec move = modes->displace(mode, vec_make(at[0], at[1], at[2]));
    delta[0] = (float)move.x;
    delta[1] = (float)move.y;
    delta[2] = (float)move.z;
}

static bool stands_still(const float delta[3])
{
    return delta[0] == 0 && delta[1] == 0 && delta[2] == 0;
}

static bool fill_morph(const grazei_synth_modes *modes, uint32_t mode, graze_rig *rig)
{
    graze_rig_morph *morph = &rig->morphs[mode];
    float delta[3];
    uint32_t count = 0;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        displacement(modes, mode, rig, v, delta);
        count += !stands_still(delta);
    }
    morph->vertices = grazei_synth_keep(&rig->allocator, count, sizeof(uint32_t));
    morph->deltas = grazei_synth_keep(&rig->allocator, count, 3 * sizeof(float));
    if (!morph->vertices || !morph->deltas)
        return false;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        displacement(modes, mode, rig, v, delta);
        if (stands_still(delta))
            continue;
        morph->vertices[morph->count] = v;
        memcpy(morph->deltas + 3 * (size_t)morph->count++, delta, sizeof delta);
    }
    return true;
}

static bool fill_channel(const grazei_synth_modes *modes, graze_rig *rig,
                         graze_rig_channel *channel)
{
    uint32_t keys = modes->steps + 1;
    channel->path = GRAZE_RIG_WEIGHTS;
    channel->morph_count = modes->count;
    channel->key_count = keys;
    channel->times = grazei_synth_keep(&rig->allocator, keys, sizeof(float));
    channel->values =
        grazei_synth_keep(&rig->allocator, (size_t)keys * modes->count, sizeof(float));
    if (!channel->times || !channel->values)
        return false;
    for (uint32_t k = 0; k < keys; k++) {
        double sums[GRAZEI_SYNTH_MAX_MODES] = {0};
        double phase = (double)(k % modes->steps) / modes->steps;
        for (uint32_t i = 0; i < modes->weight_count; i++) {
            const grazei_synth_weight_row *row = &modes->weights[i];
            sums[row->mode] +=
                row->mean + row->amplitude * grazei_synth_sine(row->cycles * phase + row->phase);
        }
        for (uint32_t m = 0; m < modes->count; m++)
            channel->values[(size_t)k * modes->count + m] = (float)sums[m];
        channel->times[k] = (float)(modes->seconds * k / modes->steps);
    }
    return true;
}

/* Nothing else makes clips where there are modes, so the clip is the rig's only one. */
static bool add_clip(const grazei_synth_modes *modes, graze_rig *rig)
{
    size_t length = strlen(modes->clip);
    graze_rig_clip *clip = rig->clips = grazei_synth_keep(&rig->allocator, 1, sizeof *rig->clips);
    if (!clip)
        return false;
    rig->clip_count = 1;
    clip->seconds = (float)modes->seconds;
    clip->name = grazei_synth_keep(&rig->allocator, length + 1, 1);
    clip->channels = grazei_synth_keep(&rig->allocator, 1, sizeof *clip->channels);
    if (!clip->name || !clip->channels)
        return false;
    memcpy(clip->name, modes->clip, length);
    clip->channel_count = 1;
    return fill_channel(modes, rig, clip->channels);
}

bool grazei_synth_add_modes(const grazei_synth_modes *modes, graze_rig *rig)
{
    rig->morphs = grazei_synth_keep(&rig->allocator, modes->count, sizeof *rig->morphs);
    if (!rig->morphs)
        return false;
    rig->morph_count = modes->count;
    for (uint32_t m = 0; m < modes->count; m++)
        if (!fill_morph(modes, m, rig))
            return false;
    return add_clip(modes, rig);
}
