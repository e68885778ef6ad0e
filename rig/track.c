/* The keys of a channel in a piece of a clip, and which of them are needed. */
#include "curve.h"
#include "cut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times of a step are rounded in the piece: what holds from there on is looked up a little later,
 * and what held before it a little earlier, seconds.
 */
#define STEP_LATER 3e-6
#define STEP_BEFORE 1e-5

/* ---- times -------------------------------------------------------------------------------- */

static int compare_floats(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return a < b ? -1 : a > b;
}

static uint32_t frames_of(const graze_rig_cut *cut)
{
    return (uint32_t)floor(cut->seconds * cut->fps + 1e-6) + 1;
}

/* Room for the times that a channel adds. */
static size_t most_times(const graze_rig_cut *cut, const graze_rig_channel *channel)
{
    size_t frames = channel->interpolation == GRAZE_RIG_CUBICSPLINE ? 2 * frames_of(cut) : 0;
    return 2 * (size_t)channel->key_count + frames;
}

/* Its own keys, and where it is a curve, the frames and half way between. Before a step that is not
 * to be one in the piece, one more key holds what was before.
 */
static uint32_t add_times(const graze_rig_cut *cut, const graze_rig_channel *channel, bool mixed,
                          float *times)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < channel->key_count; k++) {
        double time = (double)channel->times[k] - cut->from;
        if (!(time > 0) || !(time < cut->seconds))
            continue;
        if (mixed && channel->interpolation == GRAZE_RIG_STEP)
            times[count++] = (float)(time - STEP_BEFORE);
        times[count++] = (float)time;
    }
    if (channel->interpolation == GRAZE_RIG_CUBICSPLINE)
        for (size_t half = 0; half < 2 * frames_of(cut); half++)
            times[count++] = (float)((double)half / (2 * cut->fps));
    return count;
}

/* Both ends, all in order, each once. */
static uint32_t finish_times(const graze_rig_cut *cut, float *times, uint32_t count)
{
    float end = (float)cut->seconds;
    uint32_t kept = 0;
    times[count++] = 0;
    times[count++] = end;
    qsort(times, count, sizeof *times, compare_floats);
    for (uint32_t i = 0; i < count; i++)
        if (times[i] >= 0 && times[i] <= end && (kept == 0 || times[i] > times[kept - 1]))
            times[kept++] = times[i];
    return kept;
}

/* ---- tracks ------------------------------------------------------------------------------- */

static bool allocate_values(const graze_rig *rig, grazei_rig_track *track)
{
    size_t count = track->channel.key_count;
    track->channel.values =
        grazei_rig_allocate(rig, count * track->width, sizeof *track->channel.values);
    track->kept = grazei_rig_allocate(rig, count, sizeof *track->kept);
    return track->channel.values && track->kept;
}

/* The values of a T, R or S channel at a time of its own. */
static void take_values(const graze_rig_channel *channel, double time, float *values)
{
    grazei_rig_span span = grazei_rig_find_span(channel, time);
    double rotation[4];
    if (channel->path == GRAZE_RIG_ROTATION) {
        grazei_rig_rotation(channel, &span, rotation);
        for (int i = 0; i < 4; i++)
            values[i] = (float)rotation[i];
        return;
    }
    for (uint32_t i = 0; i < 3; i++)
        values[i] = (float)grazei_rig_component(channel, &span, 3, i);
}

graze_status grazei_rig_make_track(const graze_rig *rig, const graze_rig_cut *cut,
                                   const graze_rig_channel *channel, grazei_rig_track *track)
{
    graze_rig_channel *own = &track->channel;
    if (channel->key_count == 0)
        return GRAZE_BAD_INPUT;
    *own = (graze_rig_channel){.path = channel->path, .node = channel->node};
    own->interpolation =
        channel->interpolation == GRAZE_RIG_STEP ? GRAZE_RIG_STEP : GRAZE_RIG_LINEAR;
    track->width = channel->path == GRAZE_RIG_ROTATION ? 4 : 3;
    own->times = grazei_rig_allocate(rig, most_times(cut, channel) + 2, sizeof *own->times);
    if (!own->times)
        return GRAZE_OUT_OF_MEMORY;
    own->key_count = finish_times(cut, own->times, add_times(cut, channel, false, own->times));
    if (!allocate_values(rig, track))
        return GRAZE_OUT_OF_MEMORY;
    double from = cut->from + (own->interpolation == GRAZE_RIG_STEP ? STEP_LATER : 0);
    for (uint32_t k = 0; k < own->key_count; k++)
        take_values(channel, from + (double)own->times[k], own->values + (size_t)k * track->width);
    return GRAZE_OK;
}

graze_status grazei_rig_make_weights_track(const graze_rig *rig, const graze_rig_cut *cut,
                                           grazei_rig_track *track)
{
    const graze_rig_clip *clip = &rig->clips[cut->clip];
    graze_rig_channel *own = &track->channel;
    size_t most = 2;
    uint32_t count = 0;
    double from = cut->from;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].path == GRAZE_RIG_WEIGHTS) {
            most += most_times(cut, &clip->channels[i]);
            if (clip->channels[i].interpolation == GRAZE_RIG_STEP)
                from = cut->from + STEP_LATER;
        }
    *own = (graze_rig_channel){.path = GRAZE_RIG_WEIGHTS, .morph_count = rig->morph_count};
    track->width = rig->morph_count;
    own->times = most < UINT32_MAX ? grazei_rig_allocate(rig, most, sizeof *own->times) : NULL;
    if (!own->times)
        return GRAZE_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].path == GRAZE_RIG_WEIGHTS)
            count += add_times(cut, &clip->channels[i], true, own->times + count);
    own->key_count = finish_times(cut, own->times, count);
    if (!allocate_values(rig, track))
        return GRAZE_OUT_OF_MEMORY;
    graze_status status = GRAZE_OK;
    for (uint32_t k = 0; k < own->key_count && !status; k++)
        status = graze_rig_sample(rig, cut->clip, from + (double)own->times[k], NULL,
                                  own->values + (size_t)k * track->width);
    return status;
}

void grazei_rig_free_track(const graze_rig *rig, grazei_rig_track *track)
{
    grazei_rig_release(rig, track->channel.times);
    grazei_rig_release(rig, track->channel.values);
    grazei_rig_release(rig, track->kept);
}

/* ---- fewer keys --------------------------------------------------------------------------- */

/* How far key `at` is from what the keys before and behind make of it. */
static double key_error(const grazei_rig_track *track, uint32_t before, uint32_t behind,
                        uint32_t at)
{
    const graze_rig_channel *own = &track->channel;
    const float *value = own->values + (size_t)at * track->width;
    const float *from = own->values + (size_t)before * track->width;
    const float *to = own->values + (size_t)behind * track->width;
    double start = own->times[before], squared = 0, other = 0;
    double fraction = (own->times[at] - start) / (own->times[behind] - start);
    if (own->path == GRAZE_RIG_ROTATION) {
        float times[2] = {0, 1}, values[8];
        double q[4];
        memcpy(values, from, 4 * sizeof *values);
        memcpy(values + 4, to, 4 * sizeof *values);
        graze_rig_channel both = {
            .path = own->path, .key_count = 2, .times = times, .values = values};
        grazei_rig_span span = {0, fraction, 1};
        grazei_rig_rotation(&both, &span, q);
        for (int i = 0; i < 4; i++) {
            squared += (q[i] - value[i]) * (q[i] - value[i]);
            other += (q[i] + value[i]) * (q[i] + value[i]);
        }
        return 2 * sqrt(fmin(squared, other)); /* a quaternion goes half the angle */
    }
    for (uint32_t i = 0; i < track->width; i++) {
        double lies = from[i] + fraction * ((double)to[i] - from[i]) - value[i];
        squared += lies * lies;
    }
    return sqrt(squared);
}

/* Steps that change nothing are no keys. */
static void reduce_steps(grazei_rig_track *track)
{
    const graze_rig_channel *own = &track->channel;
    size_t size = track->width * sizeof *own->values;
    for (uint32_t k = 1; k + 1 < own->key_count; k++)
        track->kept[k] = memcmp(own->values + (size_t)k * track->width,
                                own->values + (size_t)(k - 1) * track->width, size) != 0;
}

void grazei_rig_reduce_track(grazei_rig_track *track, double tolerance, uint32_t *stack)
{
    uint32_t count = track->channel.key_count, first = 0, depth = 0;
    memset(track->kept, 0, count * sizeof *track->kept);
    track->kept[0] = track->kept[count - 1] = true;
    if (track->channel.interpolation == GRAZE_RIG_STEP) {
        reduce_steps(track);
        return;
    }
    stack[depth++] = count - 1;
    while (depth > 0) { /* from first to the top of the stack: keep the worst key between */
        uint32_t last = stack[depth - 1], worst = first;
        double most = tolerance;
        for (uint32_t k = first + 1; k < last; k++) {
            double error = key_error(track, first, last, k);
            if (error > most) {
                most = error;
                worst = k;
            }
        }
        if (worst == first) {
            first = last;
            depth--;
        } else {
            track->kept[worst] = true;
            stack[depth++] = worst;
        }
    }
}
