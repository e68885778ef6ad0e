/* Turns laid over a clip of a rig in memory. */
#include "cli/audit_fix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Keys that are nearer to each other are one, seconds. */
#define SAME_TIME 1e-5f

static void *take(const graze_rig *rig, size_t size)
{
    return rig->allocator.allocate(rig->allocator.user, size, 64);
}

static void give(const graze_rig *rig, void *memory)
{
    if (memory)
        rig->allocator.release(rig->allocator.user, memory);
}

/* How much of the turn there is at a frame: it comes and goes smoothly. */
static double share_at(const audit_turn *turn, double frame)
{
    const double off = fmax(turn->from - frame, frame - turn->to);
    const double share = 1 - fmax(off, 0) / (turn->ease + 1.0);
    return share > 0 ? share * share * (3 - 2 * share) : 0;
}

static int by_time(const void *left, const void *right)
{
    const float x = *(const float *)left, y = *(const float *)right;
    return (x > y) - (x < y);
}

/* At every frame, and where the channel has keys. */
static bool make_times(const graze_rig *rig, const audit_turn *turn, const graze_rig_channel *old,
                       graze_rig_channel *channel)
{
    const uint32_t frames = graze_audit_frames(rig, turn->clip, turn->fps);
    const float end = rig->clips[turn->clip].seconds;
    uint32_t count = frames, kept = 0;
    float *times = take(rig, ((size_t)frames + old->key_count) * sizeof *times);
    if (!times)
        return false;
    for (uint32_t k = 0; k < frames; k++)
        times[k] = fminf((float)(k / turn->fps), end);
    for (uint32_t k = 0; k < old->key_count; k++)
        times[count++] = old->times[k];
    qsort(times, count, sizeof *times, by_time);
    for (uint32_t k = 0; k < count; k++) {
        kept -= kept && times[k] - times[kept - 1] < SAME_TIME;
        times[kept++] = times[k];
    }
    channel->times = times;
    channel->key_count = kept;
    return true;
}

/* As a key, on the side of the last one. */
static void put_key(const double rotation[4], const float *last, float *key)
{
    double along = 0;
    for (int k = 0; last && k < 4; k++)
        along += rotation[k] * (double)last[k];
    for (int k = 0; k < 4; k++)
        key[k] = (float)(along < 0 ? -rotation[k] : rotation[k]);
}

static graze_status make_values(const graze_rig *rig, const audit_turn *turn,
                                graze_rig_channel *channel, graze_error *error)
{
    graze_rig_local *locals = take(rig, rig->node_count * sizeof *locals);
    graze_status status = GRAZE_OUT_OF_MEMORY;
    channel->values = take(rig, channel->key_count * 4 * sizeof *channel->values);
    if (locals && channel->values)
        status = GRAZE_OK;
    for (uint32_t k = 0; !status && k < channel->key_count; k++) {
        const double time = (double)channel->times[k];
        float *value = channel->values + 4 * (size_t)k;
        status = graze_rig_sample_locals(rig, turn->clip, time, locals, NULL, error);
        if (status)
            break;
        double *rotation = locals[turn->node].rotation;
        graze_audit_turn(rotation, turn->axis, turn->degrees * share_at(turn, time * turn->fps),
                         rotation);
        put_key(rotation, k ? value - 4 : NULL, value);
    }
    give(rig, locals);
    return status;
}

/* Puts the channel in its place, or behind the others. */
static bool put_channel(const graze_rig *rig, graze_rig_clip *clip, audit_untouched *before,
                        const graze_rig_channel *channel)
{
    graze_rig_channel *all = clip->channels;
    if (before->added) {
        all = take(rig, (clip->channel_count + (size_t)1) * sizeof *all);
        if (!all)
            return false;
        if (clip->channel_count)
            memcpy(all, clip->channels, clip->channel_count * sizeof *all);
        clip->channels = all;
        clip->channel_count++;
    }
    all[before->at] = *channel;
    return true;
}

graze_status audit_turn_lay(graze_rig *rig, const audit_turn *turn, audit_untouched *before,
                            graze_error *error)
{
    graze_rig_clip *clip = &rig->clips[turn->clip];
    graze_rig_channel channel = {.path = GRAZE_RIG_ROTATION, .node = turn->node};
    uint32_t at = 0;
    while (at < clip->channel_count &&
           (clip->channels[at].path != GRAZE_RIG_ROTATION || clip->channels[at].node != turn->node))
        at++;
    *before = (audit_untouched){.clip = *clip, .added = at == clip->channel_count, .at = at};
    if (!before->added)
        before->channel = clip->channels[at];
    graze_status status = GRAZE_OUT_OF_MEMORY;
    if (make_times(rig, turn, &before->channel, &channel))
        status = make_values(rig, turn, &channel, error);
    if (!status && !put_channel(rig, clip, before, &channel))
        status = GRAZE_OUT_OF_MEMORY;
    if (status) {
        give(rig, channel.times);
        give(rig, channel.values);
    }
    return status;
}

void audit_turn_keep(graze_rig *rig, audit_untouched *before)
{
    give(rig, before->channel.times);
    give(rig, before->channel.values);
    if (before->added)
        give(rig, before->clip.channels);
}

void audit_turn_undo(graze_rig *rig, const audit_turn *turn, audit_untouched *before)
{
    graze_rig_clip *clip = &rig->clips[turn->clip];
    give(rig, clip->channels[before->at].times);
    give(rig, clip->channels[before->at].values);
    if (before->added)
        give(rig, clip->channels);
    else
        clip->channels[before->at] = before->channel;
    *clip = before->clip;
}
