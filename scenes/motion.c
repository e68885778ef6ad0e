/* Clips: every key adds up the plan's tracks, then lets the legs step. */
#include "scenes/motion.h"

#include "scenes/gait.h"
#include "scenes/pool.h"

#include <string.h>

/* The tracks' sums at one time. */
typedef struct sums {
    double degrees[GRAZEI_SYNTH_MAX_JOINTS][3];
    double moves[GRAZEI_SYNTH_MAX_JOINTS][3];
    double twists[GRAZEI_SYNTH_MAX_JOINTS];
} sums;

typedef struct clip_maker {
    const grazei_synth_plan *plan;
    const grazei_synth_clip_row *row;
    const grazei_synth_skeleton *skeleton;
    graze_rig *rig;
    bool turned[GRAZEI_SYNTH_MAX_JOINTS], moved[GRAZEI_SYNTH_MAX_JOINTS];
    uint32_t turns_of[GRAZEI_SYNTH_MAX_JOINTS], moves_of[GRAZEI_SYNTH_MAX_JOINTS]; /* channels */
} clip_maker;

static void apply_track(clip_maker *maker, const grazei_synth_track_row *row, uint32_t joint,
                        double phase, bool twin, sums *sum)
{
    double behind = twin ? 0.5 * row->cycles : 0;
    double wave = grazei_synth_sine(row->cycles * phase + row->phase + behind);
    double value = row->mean + row->amplitude * wave;
    if (row->axis == 't') {
        sum->twists[joint] += twin ? -value : value;
        maker->turned[joint] = true;
        return;
    }
    bool turn = row->axis >= 'x';
    uint32_t axis = (uint32_t)(row->axis - (turn ? 'x' : 'X'));
    if (twin && (turn ? axis != 0 : axis == 0))
        value = -value;
    if (turn) {
        sum->degrees[joint][axis] += value;
        maker->turned[joint] = true;
    } else {
        sum->moves[joint][axis] += value;
        maker->moved[joint] = true;
    }
}

/* "tail.*" stands for tail.1, tail.2 and so on; with ".L" behind, for each side. */
static void apply_row(clip_maker *maker, const grazei_synth_track_row *row, double phase, sums *sum)
{
    const char *star = strchr(row->joint, '*');
    char name[GRAZEI_SYNTH_NAME], twin[GRAZEI_SYNTH_NAME];
    for (uint32_t i = 1;; i++) {
        strcpy(name, row->joint);
        if (star) {
            char *place = name + (star - row->joint);
            char digits[4] = {(char)('0' + i / 10), (char)('0' + i % 10), 0, 0};
            strcpy(place, i < 10 ? digits + 1 : digits);
            strcat(name, star + 1);
        }
        uint32_t joint = grazei_synth_joint_index(maker->skeleton, name);
        if (joint == UINT32_MAX)
            return;
        double late = phase - row->lag * (i - 1);
        apply_track(maker, row, joint, late, false, sum);
        if (grazei_synth_has_twin(name, twin))
            apply_track(maker, row, grazei_synth_joint_index(maker->skeleton, twin), late, true,
                        sum);
        if (!star)
            return;
    }
}

static grazei_synth_pose pose_at(clip_maker *maker, double phase)
{
    sums sum;
    grazei_synth_pose pose;
    memset(&sum, 0, sizeof sum);
    for (uint32_t i = 0; i < maker->row->track_count; i++)
        apply_row(maker, &maker->row->tracks[i], phase, &sum);
    for (uint32_t j = 0; j < maker->skeleton->count; j++) {
        const double *turn = sum.degrees[j], *move = sum.moves[j];
        pose.turns[j] = grazei_synth_turn_by(vec_make(turn[0], turn[1], turn[2]));
        pose.moves[j] = vec_make(move[0], move[1], move[2]);
    }
    grazei_synth_step(maker->plan, maker->row, maker->skeleton, phase, &pose, maker->turned);
    for (uint32_t j = 0; j < maker->skeleton->count; j++) {
        const grazei_synth_joint *joint = &maker->skeleton->joints[j];
        if (sum.twists[j] != 0)
            pose.turns[j] = grazei_synth_twist(
                pose.turns[j], vec_unit(vec_sub(joint->tail, joint->at)), sum.twists[j]);
    }
    return pose;
}

/* Adds a channel to the clip; false when out of memory. */
static bool add_channel(clip_maker *maker, graze_rig_clip *clip, graze_rig_path path, uint32_t node)
{
    uint32_t keys = maker->row->steps + 1;
    graze_rig_channel *channel = &clip->channels[clip->channel_count++];
    channel->path = path;
    channel->node = node;
    channel->key_count = keys;
    channel->times = grazei_synth_keep(&maker->rig->allocator, keys, sizeof(float));
    channel->values = grazei_synth_keep(
        &maker->rig->allocator, (size_t)keys * (path == GRAZE_RIG_ROTATION ? 4 : 3), sizeof(float));
    if (!channel->times || !channel->values)
        return false;
    for (uint32_t k = 0; k < keys; k++)
        channel->times[k] = (float)(maker->row->seconds * k / maker->row->steps);
    return true;
}

static bool add_channels(clip_maker *maker, graze_rig_clip *clip)
{
    uint32_t count = maker->skeleton->count;
    clip->channels =
        grazei_synth_keep(&maker->rig->allocator, 2 * (size_t)count, sizeof(graze_rig_channel));
    if (!clip->channels)
        return false;
    for (uint32_t j = 0; j < count; j++) {
        maker->turns_of[j] = clip->channel_count;
        if (maker->turned[j] && !add_channel(maker, clip, GRAZE_RIG_ROTATION, j))
            return false;
        maker->moves_of[j] = clip->channel_count;
        if (maker->moved[j] && !add_channel(maker, clip, GRAZE_RIG_TRANSLATION, j))
            return false;
    }
    return true;
}

static void write_key(const clip_maker *maker, const graze_rig_clip *clip, uint32_t key,
                      const grazei_synth_pose *pose)
{
    for (uint32_t j = 0; j < maker->skeleton->count; j++) {
        if (maker->turned[j]) {
            grazei_synth_turn q = pose->turns[j];
            float *value = clip->channels[maker->turns_of[j]].values + 4 * (size_t)key;
            value[0] = (float)q.x;
            value[1] = (float)q.y;
            value[2] = (float)q.z;
            value[3] = (float)q.w;
        }
        if (maker->moved[j]) {
            const float *rest = maker->rig->nodes[j].translation;
            float *value = clip->channels[maker->moves_of[j]].values + 3 * (size_t)key;
            value[0] = (float)(rest[0] + pose->moves[j].x);
            value[1] = (float)(rest[1] + pose->moves[j].y);
            value[2] = (float)(rest[2] + pose->moves[j].z);
        }
    }
}

static bool add_clip(clip_maker *maker, graze_rig_clip *clip)
{
    size_t length = strlen(maker->row->name);
    clip->name = grazei_synth_keep(&maker->rig->allocator, length + 1, 1);
    if (!clip->name)
        return false;
    memcpy(clip->name, maker->row->name, length);
    clip->seconds = (float)maker->row->seconds;
    pose_at(maker, 0); /* finds out what moves */
    if (!add_channels(maker, clip))
        return false;
    for (uint32_t k = 0; k <= maker->row->steps; k++) {
        grazei_synth_pose pose =
            pose_at(maker, (double)(k % maker->row->steps) / maker->row->steps);
        write_key(maker, clip, k, &pose);
    }
    return true;
}

bool grazei_synth_add_clips(const grazei_synth_plan *plan, const grazei_synth_skeleton *skeleton,
                            graze_rig *rig)
{
    if (plan->clip_count == 0)
        return true;
    rig->clips = grazei_synth_keep(&rig->allocator, plan->clip_count, sizeof(graze_rig_clip));
    if (!rig->clips)
        return false;
    rig->clip_count = plan->clip_count;
    for (uint32_t i = 0; i < plan->clip_count; i++) {
        clip_maker maker = {.plan = plan, .row = &plan->clips[i], .skeleton = skeleton, .rig = rig};
        if (!add_clip(&maker, &rig->clips[i]))
            return false;
    }
    return true;
}
