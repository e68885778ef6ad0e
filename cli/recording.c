#include "cli/recording.h"

#include "cli/options.h"
#include "cli/room.h"
#include "cli/save.h"
#include "cli/text.h"

#include <math.h>

enum { NUMBERS = 7 }; /* of a node in a frame: translation, rotation */

typedef struct recorded {
    char *name;
    const graze_rig *rig;
    graze_rig *own; /* NULL, or the rig, to be freed */
    double rotation[4], at[3];
    float *frames; /* all nodes of a frame, frame after frame */
    uint32_t frame_count, capacity;
} recorded;

struct recording {
    double fps, tolerance;
    recorded *all;
    uint32_t count;
};

struct recording *recording_create(double fps)
{
    struct recording *recording = room(1, sizeof *recording);
    recording->fps = fps;
    return recording;
}

void recording_free(struct recording *recording)
{
    for (uint32_t i = 0; recording && i < recording->count; i++) {
        free(recording->all[i].name);
        free(recording->all[i].frames);
        graze_rig_destroy(recording->all[i].own);
    }
    if (recording)
        free(recording->all);
    free(recording);
}

uint32_t recording_add(struct recording *recording, const char *name, const graze_rig *rig,
                       const double rotation[4], const double at[3])
{
    if (!recording)
        return 0;
    recording->all =
        more_room(recording->all, (size_t)recording->count + 1, sizeof *recording->all);
    recorded *made = &recording->all[recording->count];
    *made = (recorded){.name = copy_text(name), .rig = rig};
    memcpy(made->rotation, rotation, sizeof made->rotation);
    memcpy(made->at, at, sizeof made->at);
    return recording->count++;
}

uint32_t recording_add_own(struct recording *recording, const char *name, graze_rig *rig,
                           const double rotation[4], const double at[3])
{
    uint32_t number = recording_add(recording, name, rig, rotation, at);
    if (recording)
        recording->all[number].own = rig;
    else
        graze_rig_destroy(rig);
    return number;
}

/* ---- frames ------------------------------------------------------------------------------- */

/* Room for one more frame. */
static float *next_frame(recorded *who)
{
    size_t size = (size_t)who->rig->node_count * NUMBERS;
    if (who->frame_count == who->capacity) {
        who->capacity = who->capacity ? 2 * who->capacity : 64;
        who->frames = more_room(who->frames, who->capacity * size, sizeof *who->frames);
    }
    return who->frames + size * who->frame_count++;
}

/* First b, then a. */
static void join_turns(const double a[4], const double b[4], double out[4])
{
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static void turn_of(const float rows[12], double q[4])
{
    double r[9], trace;
    for (int i = 0; i < 9; i++)
        r[i] = rows[i / 3 * 4 + i % 3];
    trace = r[0] + r[4] + r[8];
    if (trace > 0) {
        q[3] = trace + 1;
        q[0] = r[7] - r[5];
        q[1] = r[2] - r[6];
        q[2] = r[3] - r[1];
    } else {
        int i = r[0] >= r[4] && r[0] >= r[8] ? 0 : r[4] >= r[8] ? 1 : 2;
        int j = (i + 1) % 3, k = (i + 2) % 3;
        q[i] = 1 + r[4 * i] - r[4 * j] - r[4 * k];
        q[j] = r[3 * i + j] + r[3 * j + i];
        q[k] = r[3 * i + k] + r[3 * k + i];
        q[3] = r[3 * k + j] - r[3 * j + k];
    }
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++)
        q[k] /= length;
}

/* The placement becomes part of the nodes without a parent. */
static void place(const float rows[12], graze_rig_local *local)
{
    double turn[4], turned[4], at[3];
    turn_of(rows, turn);
    join_turns(turn, local->rotation, turned);
    for (int i = 0; i < 3; i++)
        at[i] = rows[4 * i] * local->translation[0] + rows[4 * i + 1] * local->translation[1] +
                rows[4 * i + 2] * local->translation[2] + rows[4 * i + 3];
    memcpy(local->translation, at, sizeof at);
    memcpy(local->rotation, turned, sizeof turned);
}

/* One node of a frame; a rotation is on the side of that of the frame before. */
static void put_node(recorded *who, float *frame, uint32_t node, const graze_rig_local *local)
{
    float *numbers = frame + (size_t)node * NUMBERS;
    const float *before =
        who->frame_count > 1 ? numbers - (size_t)who->rig->node_count * NUMBERS : NULL;
    double side = 0;
    for (int k = 0; k < 4 && before; k++)
        side += before[3 + k] * local->rotation[k];
    for (int k = 0; k < 3; k++)
        numbers[k] = (float)local->translation[k];
    for (int k = 0; k < 4; k++)
        numbers[3 + k] = (float)(side < 0 ? -local->rotation[k] : local->rotation[k]);
}

void recording_take(struct recording *recording, uint32_t number, const graze_rig_local *locals,
                    const float *placement)
{
    recorded *who = &recording->all[number];
    float *frame = next_frame(who);
    for (uint32_t n = 0; n < who->rig->node_count; n++) {
        graze_rig_local local = locals[n];
        if (placement && who->rig->nodes[n].parent == GRAZE_NONE)
            place(placement, &local);
        put_node(who, frame, n, &local);
    }
}

void recording_take_node(struct recording *recording, uint32_t number, const double rotation[4],
                         const double at[3])
{
    graze_rig_local local = {.scale = {1, 1, 1}};
    memcpy(local.rotation, rotation, sizeof local.rotation);
    memcpy(local.translation, at, sizeof local.translation);
    recording_take(recording, number, &local, NULL);
}

/* ---- the file ----------------------------------------------------------------------------- */

/* The frames as a clip of the rig's nodes, all in one piece of memory to free. */
typedef struct taken {
    graze_rig_clip clip;
    graze_rig_channel *channels;
    float *times, *values;
} taken;

static taken take_clip(const recorded *who, double fps)
{
    uint32_t nodes = who->rig->node_count, frames = who->frame_count;
    taken t = {.channels = room((size_t)nodes * 2, sizeof *t.channels),
               .times = room(frames, sizeof(float)),
               .values = room((size_t)nodes * frames * NUMBERS, sizeof(float))};
    for (uint32_t f = 0; f < frames; f++)
        t.times[f] = (float)(f / fps);
    float *at = t.values;
    for (uint32_t i = 0; i < 2 * nodes; i++) {
        int from = i % 2 ? 3 : 0, size = i % 2 ? 4 : 3;
        t.channels[i] =
            (graze_rig_channel){.path = i % 2 ? GRAZE_RIG_ROTATION : GRAZE_RIG_TRANSLATION,
                                .node = i / 2,
                                .key_count = frames,
                                .times = t.times,
                                .values = at};
        for (uint32_t f = 0; f < frames; f++, at += size)
            memcpy(at, who->frames + ((size_t)f * nodes + i / 2) * NUMBERS + from,
                   (size_t)size * sizeof *at);
    }
    t.clip = (graze_rig_clip){
        .seconds = t.times[frames - 1], .channels = t.channels, .channel_count = 2 * nodes};
    return t;
}

static bool cut(const recorded *who, const struct recording *recording, graze_gltf_member *member,
                scene_saved *saved)
{
    taken t = take_clip(who, recording->fps);
    graze_rig with_clip = *who->rig;
    with_clip.clips = &t.clip;
    with_clip.clip_count = 1;
    const graze_rig_cut wanted = {.clip = 0,
                                  .seconds = t.clip.seconds,
                                  .fps = recording->fps,
                                  .tolerance = recording->tolerance};
    graze_error error;
    graze_status status = member_cut(member, &with_clip, &wanted, saved, &error);
    free(t.channels);
    free(t.times);
    free(t.values);
    return !status || refuse("%s: %s", who->name, error.text);
}

/* Who moves by a clip, or where somebody stands. */
static bool make_member(void *user, uint32_t index, graze_gltf_member *member, scene_saved *saved)
{
    const struct recording *recording = user;
    const recorded *who = &recording->all[index];
    *member = (graze_gltf_member){.name = who->name, .rig = who->rig, .rotation = {0, 0, 0, 1}};
    if (who->frame_count)
        return cut(who, recording, member, saved);
    for (int k = 0; k < 4; k++)
        member->rotation[k] = (float)who->rotation[k];
    for (int k = 0; k < 3; k++)
        member->from[k] = member->to[k] = (float)who->at[k];
    return true;
}

bool recording_save(struct recording *recording, const char *path, double tolerance, bool told)
{
    scene_saved saved;
    uint32_t frames = 1;
    if (!recording)
        return true;
    recording->tolerance = tolerance;
    for (uint32_t i = 0; i < recording->count; i++)
        if (recording->all[i].frame_count > frames)
            frames = recording->all[i].frame_count;
    if (!members_save(recording->count, make_member, recording,
                      (float)((frames - 1) / recording->fps), path, &saved))
        return false;
    if (told)
        say("%s shows it: %llu keys, no vertex off by more than %.2g mm.\n", path,
            (unsigned long long)saved.keys, 1000 * saved.largest);
    return true;
}
