/* Clips: every key evaluates the plan's waves, turns them into rotations, and lets the root down
 * or up until the lowest sole stands on the ground.
 *
 * The gait curves are drawn after the textbook angles of level walking (Perry, "Gait analysis",
 * 1992): hip +25 to -10 degrees, knee with a small bend in stance and 60 degrees in swing.
 */
#include "scenes/motion.h"

#include <string.h>

enum { curve_points = 16 };

/* Sixteen samples over one stride, from one heel strike to the next. */
static const double curves[GRAZEI_SYNTH_WAVE_COUNT][curve_points] = {
    [GRAZEI_SYNTH_HIP] = {1.0, 0.9, 0.66, 0.38, 0.1, -0.2, -0.5, -0.8, -1.0, -0.86, -0.4, 0.2,
                          0.7, 0.98, 1.08, 1.06},
    [GRAZEI_SYNTH_KNEE] = {0.06, 0.2, 0.3, 0.26, 0.17, 0.1, 0.08, 0.15, 0.38, 0.72, 0.97, 1.0,
                           0.78, 0.42, 0.1, 0.0},
    [GRAZEI_SYNTH_ANKLE] = {0.05, -0.3, -0.1, 0.2, 0.42, 0.6, 0.75, 0.6, -0.15, -1.0, -0.85, -0.3,
                            0.05, 0.15, 0.15, 0.1},
    [GRAZEI_SYNTH_TOE] = {0.15, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2, 0.6, 1.0, 0.8, 0.3, 0.1, 0.1, 0.1,
                          0.2, 0.2}};

typedef struct quaternion {
    double x, y, z, w;
} quaternion;

/* The pose of one key. */
typedef struct key_pose {
    double degrees[GRAZEI_SYNTH_MAX_JOINTS][3];
    double moves[GRAZEI_SYNTH_MAX_JOINTS][3];
} key_pose;

typedef struct clip_maker {
    const grazei_synth_plan *plan;
    const grazei_synth_clip_row *row;
    const grazei_synth_skeleton *skeleton;
    graze_rig *rig;
    bool turned[GRAZEI_SYNTH_MAX_JOINTS], moved[GRAZEI_SYNTH_MAX_JOINTS];
    uint32_t turns_of[GRAZEI_SYNTH_MAX_JOINTS], moves_of[GRAZEI_SYNTH_MAX_JOINTS]; /* channels */
} clip_maker;

double grazei_synth_sine(double turns)
{
    double x = turns - floor(turns); /* 0 to 1 */
    double sign = 1;
    if (x >= 0.5) {
        x -= 0.5;
        sign = -1;
    }
    if (x > 0.25)
        x = 0.5 - x;
    x *= 6.283185307179586;
    double square = x * x, term = x, sum = x;
    for (int i = 2; i < 22; i += 2) {
        term *= -square / (i * (i + 1));
        sum += term;
    }
    return sign * sum;
}

/* A closed Catmull-Rom curve through the samples. */
static double curve_at(const double *samples, double phase)
{
    double place = (phase - floor(phase)) * curve_points;
    int i = (int)place;
    double t = place - i;
    double a = samples[(i + curve_points - 1) % curve_points], b = samples[i % curve_points];
    double c = samples[(i + 1) % curve_points], d = samples[(i + 2) % curve_points];
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

static double wave_at(grazei_synth_wave wave, double phase)
{
    return wave == GRAZEI_SYNTH_SINE ? grazei_synth_sine(phase) : curve_at(curves[wave], phase);
}

static void apply_track(clip_maker *maker, const grazei_synth_track_row *row, uint32_t joint,
                        double phase, bool twin, key_pose *pose)
{
    double cycles = row->cycles > 0 ? row->cycles : 1;
    double value = row->mean + row->amplitude * wave_at(row->wave, cycles * phase + row->phase +
                                                                       (twin ? 0.5 * cycles : 0));
    bool turn = row->axis >= 'x';
    uint32_t axis = (uint32_t)(row->axis - (turn ? 'x' : 'X'));
    if (twin && (turn ? axis != 0 : axis == 0))
        value = -value;
    if (turn) {
        pose->degrees[joint][axis] += value;
        maker->turned[joint] = true;
    } else {
        pose->moves[joint][axis] += value;
        maker->moved[joint] = true;
    }
}

/* "tail.*" stands for tail.1, tail.2 and so on; with ".L" behind, for each side. */
static void apply_row(clip_maker *maker, const grazei_synth_track_row *row, double phase,
                      key_pose *pose)
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
        apply_track(maker, row, joint, late, false, pose);
        if (grazei_synth_has_twin(name, twin))
            apply_track(maker, row, grazei_synth_joint_index(maker->skeleton, twin), late, true,
                        pose);
        if (!star)
            return;
    }
}

static quaternion multiply(quaternion a, quaternion b)
{
    quaternion q = {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                    a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                    a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                    a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    return q;
}

static grazei_vec rotate(quaternion q, grazei_vec v)
{
    grazei_vec axis = vec_make(q.x, q.y, q.z);
    grazei_vec twice = vec_scale(vec_cross(axis, v), 2);
    return vec_add(vec_along(v, twice, q.w), vec_cross(axis, twice));
}

/* About z first, then y, then x. */
static quaternion from_degrees(const double degrees[3])
{
    double s[3], c[3];
    for (int i = 0; i < 3; i++) {
        s[i] = grazei_synth_sine(degrees[i] / 720);
        c[i] = grazei_synth_sine(degrees[i] / 720 + 0.25);
    }
    quaternion x = {s[0], 0, 0, c[0]}, y = {0, s[1], 0, c[1]}, z = {0, 0, s[2], c[2]};
    return multiply(x, multiply(y, z));
}

/* How far the root must rise for the lowest sole to stand on the ground. */
static double rise(const clip_maker *maker, const key_pose *pose)
{
    const grazei_synth_skeleton *skeleton = maker->skeleton;
    quaternion turns[GRAZEI_SYNTH_MAX_JOINTS];
    grazei_vec places[GRAZEI_SYNTH_MAX_JOINTS];
    for (uint32_t j = 0; j < skeleton->count; j++) {
        const grazei_synth_joint *joint = &skeleton->joints[j];
        quaternion own = from_degrees(pose->degrees[j]);
        grazei_vec move = vec_make(pose->moves[j][0], pose->moves[j][1], pose->moves[j][2]);
        if (joint->parent == UINT32_MAX) {
            turns[j] = own;
            places[j] = vec_add(joint->at, move);
            continue;
        }
        grazei_vec offset = vec_sub(joint->at, skeleton->joints[joint->parent].at);
        turns[j] = multiply(turns[joint->parent], own);
        places[j] = vec_add(places[joint->parent],
                            rotate(turns[joint->parent], vec_add(offset, move)));
    }
    double lowest = 1e9;
    for (uint32_t i = 0; i < maker->plan->contact_count; i++) {
        const grazei_synth_contact_row *row = &maker->plan->contacts[i];
        char name[GRAZEI_SYNTH_NAME];
        bool both = grazei_synth_has_twin(row->joint, name);
        for (int side = 0; side < (both ? 2 : 1); side++) {
            uint32_t j = grazei_synth_joint_index(skeleton, side ? name : row->joint);
            grazei_vec at = side ? grazei_synth_mirror(row->at) : row->at;
            grazei_vec offset = rotate(turns[j], vec_sub(at, skeleton->joints[j].at));
            lowest = fmin(lowest, places[j].y + offset.y);
        }
    }
    return lowest < 1e9 ? -lowest : 0;
}

static key_pose pose_at(clip_maker *maker, double phase)
{
    key_pose pose;
    memset(&pose, 0, sizeof pose);
    for (uint32_t i = 0; i < maker->row->track_count; i++)
        apply_row(maker, &maker->row->tracks[i], phase, &pose);
    maker->moved[0] = true;
    pose.moves[0][1] += rise(maker, &pose);
    return pose;
}

static void *rig_take(graze_rig *rig, size_t count, size_t size)
{
    void *memory = rig->allocator.allocate(rig->allocator.user, count * size, 64);
    if (memory)
        memset(memory, 0, count * size);
    return memory;
}

/* Adds a channel to the clip; false when out of memory. */
static bool add_channel(clip_maker *maker, graze_rig_clip *clip, graze_rig_path path, uint32_t node)
{
    uint32_t keys = maker->row->steps + 1;
    graze_rig_channel *channel = &clip->channels[clip->channel_count++];
    channel->path = path;
    channel->node = node;
    channel->key_count = keys;
    channel->times = rig_take(maker->rig, keys, sizeof(float));
    channel->values =
        rig_take(maker->rig, (size_t)keys * (path == GRAZE_RIG_ROTATION ? 4 : 3), sizeof(float));
    if (!channel->times || !channel->values)
        return false;
    for (uint32_t k = 0; k < keys; k++)
        channel->times[k] = (float)(maker->row->seconds * k / maker->row->steps);
    return true;
}

static bool add_channels(clip_maker *maker, graze_rig_clip *clip)
{
    uint32_t count = maker->skeleton->count;
    clip->channels = rig_take(maker->rig, 2 * (size_t)count, sizeof(graze_rig_channel));
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
                      const key_pose *pose)
{
    for (uint32_t j = 0; j < maker->skeleton->count; j++) {
        if (maker->turned[j]) {
            quaternion q = from_degrees(pose->degrees[j]);
            float *value = clip->channels[maker->turns_of[j]].values + 4 * (size_t)key;
            value[0] = (float)q.x, value[1] = (float)q.y;
            value[2] = (float)q.z, value[3] = (float)q.w;
        }
        if (maker->moved[j])
            for (uint32_t k = 0; k < 3; k++)
                clip->channels[maker->moves_of[j]].values[3 * (size_t)key + k] =
                    (float)(maker->rig->nodes[j].translation[k] + pose->moves[j][k]);
    }
}

static bool add_clip(clip_maker *maker, graze_rig_clip *clip)
{
    size_t length = strlen(maker->row->name);
    clip->name = rig_take(maker->rig, length + 1, 1);
    if (!clip->name)
        return false;
    memcpy(clip->name, maker->row->name, length);
    clip->seconds = (float)maker->row->seconds;
    pose_at(maker, 0); /* finds out what moves */
    if (!add_channels(maker, clip))
        return false;
    for (uint32_t k = 0; k <= maker->row->steps; k++) {
        key_pose pose = pose_at(maker, (double)(k % maker->row->steps) / maker->row->steps);
        write_key(maker, clip, k, &pose);
    }
    return true;
}

bool grazei_synth_add_clips(const grazei_synth_plan *plan, const grazei_synth_skeleton *skeleton,
                            graze_rig *rig)
{
    if (plan->clip_count == 0)
        return true;
    rig->clips = rig_take(rig, plan->clip_count, sizeof(graze_rig_clip));
    if (!rig->clips)
        return false;
    rig->clip_count = plan->clip_count;
    for (uint32_t i = 0; i < plan->clip_count; i++) {
        clip_maker maker = {
            .plan = plan, .row = &plan->clips[i], .skeleton = skeleton, .rig = rig};
        if (!add_clip(&maker, &rig->clips[i]))
            return false;
    }
    return true;
}
