/* Clips: every key adds up the plan's tracks, then lets the legs step. */
#include "scenes/motion.h"

#include "scenes/gait.h"
#include "scenes/pool.h"

#include <string.h>

/* So far below the sole the capsules of feet reach at rest, metres. */
static const double sole_depth = -0.01;

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

/* A turn or move of one joint; the twin's is the mirror image. */
static void add_motion(clip_maker *maker, char letter, double value, uint32_t joint, bool twin,
                       sums *sum)
{
    bool turn = letter >= 'x';
    uint32_t axis = (uint32_t)(letter - (turn ? 'x' : 'X'));
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
    add_motion(maker, row->axis, value, joint, twin, sum);
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

/* The value of a row at a time, through its keys with the slopes of their neighbours (Catmull-Rom);
 * at its ends at rest, or as if it went on where it loops.
 */
static double key_value(const grazei_synth_keys *keys, const double *values, double time)
{
    uint32_t last = keys->count - 1, i = 0;
    while (i + 1 < last && time >= keys->times[i + 1])
        i++;
    double slopes[2], span = keys->times[i + 1] - keys->times[i];
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t at = i + k;
        if (at > 0 && at < last)
            slopes[k] =
                (values[at + 1] - values[at - 1]) / (keys->times[at + 1] - keys->times[at - 1]);
        else if (keys->loops)
            slopes[k] = (values[1] - values[last - 1]) /
                        (keys->times[1] + keys->times[last] - keys->times[last - 1]);
        else
            slopes[k] = 0;
    }
    double t = (time - keys->times[i]) / span, rest = 1 - t;
    return values[i] * (1 + 2 * t) * rest * rest + values[i + 1] * t * t * (3 - 2 * t) +
           span * t * rest * (slopes[0] * rest - slopes[1] * t);
}

static void apply_keys(clip_maker *maker, double time, sums *sum)
{
    const grazei_synth_keys *keys = maker->row->keys;
    char twin[GRAZEI_SYNTH_NAME];
    for (uint32_t i = 0; i < keys->row_count; i++) {
        const grazei_synth_key_row *row = &keys->rows[i];
        double value = key_value(keys, row->values, time);
        add_motion(maker, row->axis, value, grazei_synth_joint_index(maker->skeleton, row->joint),
                   false, sum);
        if (row->both && grazei_synth_has_twin(row->joint, twin))
            add_motion(maker, row->axis, value, grazei_synth_joint_index(maker->skeleton, twin),
                       true, sum);
    }
}

/* Between the pose with legs as their rows want them and that with feet that stand or step. */
static void free_legs(const clip_maker *maker, double time, const grazei_synth_pose *free,
                      grazei_synth_pose *pose)
{
    const grazei_synth_keys *keys = maker->row->keys;
    for (uint32_t j = 0; j < maker->skeleton->count; j++) {
        const char *name = maker->skeleton->joints[j].name;
        bool left = grazei_synth_has_twin(name, NULL);
        double share = vec_clamp(key_value(keys, left ? keys->left : keys->right, time), 0, 1);
        grazei_synth_turn a = free->turns[j], b = pose->turns[j];
        double side = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1 : 1;
        grazei_synth_turn q = {a.x + share * (side * b.x - a.x), a.y + share * (side * b.y - a.y),
                               a.z + share * (side * b.z - a.z), a.w + share * (side * b.w - a.w)};
        double scale = 1 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
        pose->turns[j] = (grazei_synth_turn){q.x * scale, q.y * scale, q.z * scale, q.w * scale};
    }
}

static grazei_synth_pose pose_of(clip_maker *maker, double phase, const sums *sum)
{
    grazei_synth_pose pose;
    for (uint32_t j = 0; j < maker->skeleton->count; j++) {
        const double *turn = sum->degrees[j], *move = sum->moves[j];
        pose.turns[j] = grazei_synth_turn_by(vec_make(turn[0], turn[1], turn[2]));
        pose.moves[j] = vec_make(move[0], move[1], move[2]);
    }
    grazei_synth_pose free = pose;
    grazei_synth_step(maker->plan, maker->row, maker->skeleton, phase, &pose, maker->turned);
    if (maker->row->keys)
        free_legs(maker, phase * maker->row->seconds, &free, &pose);
    for (uint32_t j = 0; j < maker->skeleton->count; j++) {
        const grazei_synth_joint *joint = &maker->skeleton->joints[j];
        if (sum->twists[j] != 0)
            pose.turns[j] = grazei_synth_twist(
                pose.turns[j], vec_unit(vec_sub(joint->tail, joint->at)), sum->twists[j]);
    }
    return pose;
}

static grazei_synth_pose pose_at(clip_maker *maker, double phase)
{
    sums sum;
    memset(&sum, 0, sizeof sum);
    for (uint32_t i = 0; i < maker->row->track_count; i++)
        apply_row(maker, &maker->row->tracks[i], phase, &sum);
    if (!maker->row->keys)
        return pose_of(maker, phase, &sum);
    apply_keys(maker, phase * maker->row->seconds, &sum);
    grazei_synth_pose pose = pose_of(maker, phase, &sum);
    /* what would be in the ground lifts the root; legs that stand follow, so that it takes a few */
    for (int i = 0; i < 8; i++) {
        double lowest = grazei_synth_lowest(maker->plan, maker->skeleton, &pose);
        if (lowest >= sole_depth)
            break;
        sum.moves[0][1] += sole_depth - lowest;
        maker->moved[0] = true;
        pose = pose_of(maker, phase, &sum);
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
        bool ends = maker->row->keys && !maker->row->keys->loops;
        uint32_t step = ends ? k : k % maker->row->steps;
        grazei_synth_pose pose = pose_at(maker, (double)step / maker->row->steps);
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
