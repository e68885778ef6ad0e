/* Pieces of clips with as few keys as an error allows. */
#include "cut.h"

#include <math.h>
#include <string.h>

/* Everything that is made on the way, with one place that frees it. */
typedef struct cutter {
    const graze_rig *rig;
    const graze_rig_cut *cut;
    grazei_rig_track *tracks;
    uint32_t track_count;
    uint32_t *stack;
    graze_rig_clip *piece;
    double largest;
} cutter;

void graze_rig_clip_destroy(const graze_rig *rig, graze_rig_clip *piece)
{
    if (!rig || !piece)
        return;
    for (uint32_t i = 0; piece->channels && i < piece->channel_count; i++) {
        grazei_rig_release(rig, piece->channels[i].times);
        grazei_rig_release(rig, piece->channels[i].values);
    }
    grazei_rig_release(rig, piece->channels);
    grazei_rig_release(rig, piece->name);
    grazei_rig_release(rig, piece);
}

/* ---- tracks ------------------------------------------------------------------------------- */

static graze_status make_tracks(cutter *job, const double *reaches)
{
    const graze_rig *rig = job->rig;
    const graze_rig_clip *clip = &rig->clips[job->cut->clip];
    bool weights = false;
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < clip->channel_count && !status; i++) {
        const graze_rig_channel *channel = &clip->channels[i];
        if (channel->path == GRAZE_RIG_WEIGHTS) {
            weights = weights || rig->morph_count > 0;
            continue;
        }
        grazei_rig_track *track = &job->tracks[job->track_count++];
        status = grazei_rig_make_track(rig, job->cut, channel, track);
        track->reach = channel->path == GRAZE_RIG_TRANSLATION ? 1 : reaches[channel->node];
    }
    if (weights && !status) {
        grazei_rig_track *track = &job->tracks[job->track_count++];
        status = grazei_rig_make_weights_track(rig, job->cut, track);
        track->reach = grazei_rig_morph_reach(rig);
    }
    return status;
}

static graze_status prepare(cutter *job)
{
    const graze_rig *rig = job->rig;
    size_t count = (size_t)rig->clips[job->cut->clip].channel_count + 1;
    uint32_t most = 1;
    job->tracks = grazei_rig_allocate(rig, count, sizeof *job->tracks);
    double *reaches = grazei_rig_allocate(rig, rig->node_count, sizeof *reaches);
    graze_status status = job->tracks && reaches ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
    if (!status) {
        memset(job->tracks, 0, count * sizeof *job->tracks);
        status = grazei_rig_reaches(rig, job->cut, reaches);
    }
    if (!status)
        status = make_tracks(job, reaches);
    grazei_rig_release(rig, reaches);
    for (uint32_t i = 0; i < job->track_count; i++)
        if (job->tracks[i].channel.key_count > most)
            most = job->tracks[i].channel.key_count;
    job->stack = grazei_rig_allocate(rig, most, sizeof *job->stack);
    return status ? status : job->stack ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

/* ---- pieces ------------------------------------------------------------------------------- */

/* The keys of a track that are kept, as a channel. */
static graze_status copy_kept(const graze_rig *rig, const grazei_rig_track *track,
                              graze_rig_channel *channel)
{
    uint32_t count = 0, width = track->width;
    for (uint32_t k = 0; k < track->channel.key_count; k++)
        count += track->kept[k];
    *channel = track->channel;
    channel->key_count = 0;
    channel->times = grazei_rig_allocate(rig, count, sizeof *channel->times);
    channel->values = grazei_rig_allocate(rig, (size_t)count * width, sizeof *channel->values);
    if (!channel->times || !channel->values)
        return GRAZE_OUT_OF_MEMORY;
    for (uint32_t k = 0; k < track->channel.key_count; k++)
        if (track->kept[k]) {
            channel->times[channel->key_count] = track->channel.times[k];
            memcpy(channel->values + (size_t)channel->key_count++ * width,
                   track->channel.values + (size_t)k * width, width * sizeof *channel->values);
        }
    return GRAZE_OK;
}

static graze_status make_piece(cutter *job)
{
    const graze_rig *rig = job->rig;
    graze_rig_clip *piece = grazei_rig_allocate(rig, 1, sizeof *piece);
    if (!piece)
        return GRAZE_OUT_OF_MEMORY;
    *piece = (graze_rig_clip){.seconds = (float)job->cut->seconds};
    graze_rig_clip_destroy(rig, job->piece);
    job->piece = piece;
    piece->channels = grazei_rig_allocate(rig, job->track_count, sizeof *piece->channels);
    graze_status status = piece->channels ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < job->track_count && !status; i++) {
        status = copy_kept(rig, &job->tracks[i], &piece->channels[i]);
        piece->channel_count++;
    }
    return status;
}

/* Errors of nodes add up or cancel out, so what each may have is found by trying: all of it
 * at first, then less by what came of it, at last none.
 */
static graze_status reduce(cutter *job)
{
    enum { MOST_TRIES = 8 };
    double share = job->cut->tolerance;
    graze_status status = GRAZE_OK;
    for (int attempt = 0; attempt <= MOST_TRIES && !status; attempt++) {
        if (attempt == MOST_TRIES)
            share = 0;
        for (uint32_t i = 0; i < job->track_count; i++) {
            grazei_rig_track *track = &job->tracks[i];
            grazei_rig_reduce_track(track, track->reach > 0 ? share / track->reach : share,
                                    job->stack);
        }
        status = make_piece(job);
        if (!status)
            status = grazei_rig_measure(job->rig, job->cut, job->piece, &job->largest);
        if (job->largest <= job->cut->tolerance || share == 0)
            break;
        share *= fmin(0.7, 0.9 * job->cut->tolerance / job->largest);
    }
    return status;
}

static bool is_good(const graze_rig_cut *cut)
{
    return isfinite(cut->from) && cut->seconds >= 0 && cut->seconds < 1e6 && cut->fps > 0 &&
           cut->seconds * cut->fps <= 1e7 && cut->tolerance >= 0 && isfinite(cut->tolerance);
}

graze_status graze_rig_cut_clip(const graze_rig *rig, const graze_rig_cut *cut,
                                graze_rig_clip **piece, double *largest, graze_error *error)
{
    if (!rig || !cut || !piece)
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "%s is NULL",
                               !rig   ? "the rig"
                               : !cut ? "the cut"
                                      : "where the piece goes");
    if (!is_good(cut))
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "a number of the cut is out of range");
    cutter job = {.rig = rig, .cut = cut};
    graze_status status = graze_rig_sample(rig, cut->clip, cut->from, NULL, NULL);
    if (!status && cut->clip != GRAZE_NONE)
        status = prepare(&job);
    if (!status)
        status = cut->clip == GRAZE_NONE ? make_piece(&job) : reduce(&job);
    for (uint32_t i = 0; i < job.track_count; i++)
        grazei_rig_free_track(rig, &job.tracks[i]);
    grazei_rig_release(rig, job.tracks);
    grazei_rig_release(rig, job.stack);
    if (status) {
        graze_rig_clip_destroy(rig, job.piece);
        return grazei_rig_fail_sample(rig, cut->clip, cut->from, status, error);
    }
    *piece = job.piece;
    if (largest)
        *largest = job.largest;
    return GRAZE_OK;
}
