/* Clips that play, fade and loop. */
#include "curve.h"
#include "sample.h"

#include <math.h>
#include <string.h>

static double speed_of(const graze_rig_player *player)
{
    return player->paused ? 0 : player->speed != 0 ? player->speed : 1;
}

static double length_of(const graze_rig *rig, uint32_t clip)
{
    return clip < rig->clip_count ? rig->clips[clip].seconds : 0;
}

static graze_status check(const graze_rig_player *player, const graze_rig *rig, graze_error *error)
{
    if (!player || !rig)
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "the %s is NULL", player ? "rig" : "player");
    if (!isfinite(player->speed))
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "the speed is not finite");
    if (player->take_root && player->root >= rig->node_count)
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "root %u: the rig has %u nodes",
                               player->root, rig->node_count);
    if (player->count > GRAZE_RIG_PLAYER_LAYERS)
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "%u clips play: at most %d can",
                               player->count, GRAZE_RIG_PLAYER_LAYERS);
    for (uint32_t i = 0; i < player->count; i++)
        if (player->playing[i].clip != GRAZE_NONE && player->playing[i].clip >= rig->clip_count)
            return grazei_rig_fail(error, GRAZE_BAD_INPUT, "clip %u: the rig has %u",
                                   player->playing[i].clip, rig->clip_count);
    return GRAZE_OK;
}

graze_status graze_rig_player_start(graze_rig_player *player, const graze_rig *rig, uint32_t clip,
                                    double fade, graze_error *error)
{
    graze_status status = check(player, rig, error);
    if (status)
        return status;
    if (clip != GRAZE_NONE && clip >= rig->clip_count)
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "clip %u: the rig has %u", clip,
                               rig->clip_count);
    if (!(fade >= 0) || !isfinite(fade))
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "a fade of %g seconds", fade);
    if (fade == 0)
        player->count = 0;
    if (player->count == GRAZE_RIG_PLAYER_LAYERS)
        memmove(player->playing, player->playing + 1, --player->count * sizeof *player->playing);
    for (uint32_t i = 0; i < player->count; i++)
        player->playing[i].rate = -player->playing[i].weight / fade;
    bool alone = player->count == 0;
    player->playing[player->count++] =
        (graze_rig_playing){.clip = clip,
                            .time = player->speed < 0 ? length_of(rig, clip) : 0,
                            .weight = alone ? 1 : 0,
                            .rate = alone ? 0 : 1 / fade};
    return GRAZE_OK;
}

static graze_status root_at(const graze_rig *rig, uint32_t clip, double time, uint32_t root,
                            double out[3])
{
    const graze_rig_clip *from = clip < rig->clip_count ? &rig->clips[clip] : NULL;
    for (int k = 0; k < 3; k++)
        out[k] = rig->nodes[root].translation[k];
    for (uint32_t i = 0; from && i < from->channel_count; i++) {
        const graze_rig_channel *channel = &from->channels[i];
        if (channel->node != root || channel->path != GRAZE_RIG_TRANSLATION)
            continue;
        if (channel->key_count == 0)
            return GRAZE_BAD_INPUT;
        grazei_rig_span span = grazei_rig_find_span(channel, time);
        for (uint32_t k = 0; k < 3; k++)
            out[k] = grazei_rig_component(channel, &span, 3, k);
    }
    return GRAZE_OK;
}

/* Adds the way of the root from one time to another, with whole rounds between. */
static graze_status add_way(const graze_rig *rig, const graze_rig_playing *playing, uint32_t root,
                            double to, double rounds, double share, double moved[3])
{
    double here[3], there[3], first[3], last[3];
    graze_status status = root_at(rig, playing->clip, playing->time, root, here);
    if (!status)
        status = root_at(rig, playing->clip, to, root, there);
    if (!status)
        status = root_at(rig, playing->clip, 0, root, first);
    if (!status)
        status = root_at(rig, playing->clip, length_of(rig, playing->clip), root, last);
    for (int k = 0; k < 3 && !status; k++)
        moved[k] += share * (there[k] - here[k] + rounds * (last[k] - first[k]));
    return status;
}

/* Where a clip has got to, and how often it went round. */
static double go_on(const graze_rig_player *player, double time, double length, double step,
                    double *rounds)
{
    double to = time + step;
    *rounds = 0;
    if (!player->once && length > 0) {
        *rounds = floor(to / length);
        to -= *rounds * length;
        return to < length ? to : 0;
    }
    return fmin(fmax(to, 0), length);
}

/* Weights fade; what has faded out goes, and what has faded in stays. */
static void fade(graze_rig_player *player, double seconds)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < player->count; i++) {
        graze_rig_playing playing = player->playing[i];
        playing.weight = fmin(fmax(playing.weight + playing.rate * seconds, 0), 1);
        if (playing.rate > 0 && playing.weight == 1)
            playing.rate = 0;
        if (playing.rate <= 0 && playing.weight == 0)
            continue;
        player->playing[kept++] = playing;
    }
    player->count = kept;
}

graze_status graze_rig_player_advance(graze_rig_player *player, const graze_rig *rig,
                                      double seconds, graze_error *error)
{
    graze_status status = check(player, rig, error);
    if (status)
        return status;
    if (!(seconds >= 0) || !isfinite(seconds))
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "%g seconds", seconds);
    double total = 0, moved[3] = {0, 0, 0}, times[GRAZE_RIG_PLAYER_LAYERS];
    for (uint32_t i = 0; i < player->count; i++)
        total += player->playing[i].weight;
    for (uint32_t i = 0; i < player->count && !status; i++) {
        const graze_rig_playing *playing = &player->playing[i];
        double rounds, length = length_of(rig, playing->clip);
        times[i] = go_on(player, playing->time, length, speed_of(player) * seconds, &rounds);
        if (player->take_root && total > 0)
            status = add_way(rig, playing, player->root, times[i], rounds, playing->weight / total,
                             moved);
    }
    if (status)
        return grazei_rig_fail(error, status, "a channel of the root has no keys");
    for (uint32_t i = 0; i < player->count; i++)
        player->playing[i].time = times[i];
    memcpy(player->moved, moved, sizeof moved);
    fade(player, seconds);
    return GRAZE_OK;
}

graze_status graze_rig_player_locals(const graze_rig_player *player, const graze_rig *rig,
                                     graze_rig_local *locals, float *morph_weights,
                                     graze_error *error)
{
    graze_rig_layer layers[GRAZE_RIG_PLAYER_LAYERS] = {{.clip = GRAZE_NONE, .weight = 1}};
    graze_status status = check(player, rig, error);
    if (status)
        return status;
    for (uint32_t i = 0; i < player->count; i++)
        layers[i] = (graze_rig_layer){player->playing[i].clip, player->playing[i].time,
                                      player->playing[i].weight};
    uint32_t count = player->count ? player->count : 1;
    status = graze_rig_blend(rig, layers, count, locals, morph_weights, error);
    for (int k = 0; k < 3 && !status && locals && player->take_root; k++)
        locals[player->root].translation[k] = rig->nodes[player->root].translation[k];
    return status;
}
