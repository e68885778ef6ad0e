#include "cli/recording.h"

#include "cli/options.h"
#include "cli/output.h"
#include "cli/print.h"

#include <graze/gltf.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    double fps;
    recorded *all;
    uint32_t count;
};

static bool fail_memory(void)
{
    fail_usage("out of memory");
    return false;
}

struct recording *recording_create(double fps)
{
    struct recording *recording = calloc(1, sizeof *recording);
    if (recording)
        recording->fps = fps;
    else
        fail_memory();
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
    recorded *all =
        realloc(recording->all, ((size_t)recording->count + 1) * sizeof *recording->all);
    char *copy = malloc(strlen(name) + 1);
    if (all)
        recording->all = all;
    if (!all || !copy || !rig) {
        free(copy);
        fail_memory();
        return UINT32_MAX;
    }
    recorded *made = &all[recording->count];
    *made = (recorded){.name = strcpy(copy, name), .rig = rig};
    memcpy(made->rotation, rotation, sizeof made->rotation);
    memcpy(made->at, at, sizeof made->at);
    return recording->count++;
}

uint32_t recording_add_own(struct recording *recording, const char *name, graze_rig *rig,
                           const double rotation[4], const double at[3])
{
    uint32_t number = recording_add(recording, name, rig, rotation, at);
    if (number == UINT32_MAX)
        graze_rig_destroy(rig);
    else
        recording->all[number].own = rig;
    return number;
}

/* ---- frames ------------------------------------------------------------------------------- */

/* Room for one more frame; NULL after printing an error. */
static float *next_frame(recorded *who)
{
    size_t size = (size_t)who->rig->node_count * NUMBERS;
    if (who->frame_count == who->capacity) {
        uint32_t capacity = who->capacity ? 2 * who->capacity : 64;
        float *frames = realloc(who->frames, capacity * size * sizeof *frames);
        if (!frames) {
            fail_memory();
            return NULL;
        }
        who->frames = frames;
        who->capacity = capacity;
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

bool recording_take(struct recording *recording, uint32_t number, const graze_rig_local *locals,
                    const float *placement)
{
    recorded *who = &recording->all[number];
    float *frame = next_frame(who);
    if (!frame)
        return false;
    for (uint32_t n = 0; n < who->rig->node_count; n++) {
        graze_rig_local local = locals[n];
        if (placement && who->rig->nodes[n].parent == GRAZE_NONE)
            place(placement, &local);
        put_node(who, frame, n, &local);
    }
    return true;
}

bool recording_take_node(struct recording *recording, uint32_t number, const double rotation[4],
                         const double at[3])
{
    graze_rig_local local = {.scale = {1, 1, 1}};
    memcpy(local.rotation, rotation, sizeof local.rotation);
    memcpy(local.translation, at, sizeof local.translation);
    return recording_take(recording, number, &local, NULL);
}

/* ---- the file ----------------------------------------------------------------------------- */

/* The frames as a clip of the rig's nodes, all in one piece of memory to free. */
typedef struct taken {
    graze_rig_clip clip;
    graze_rig_channel *channels;
    float *times, *values;
} taken;

static bool take_clip(const recorded *who, double fps, taken *t)
{
    uint32_t nodes = who->rig->node_count, frames = who->frame_count;
    *t = (taken){.channels = calloc((size_t)nodes * 2, sizeof *t->channels),
                 .times = malloc(frames * sizeof(float)),
                 .values = malloc((size_t)nodes * frames * NUMBERS * sizeof(float))};
    if (!t->channels || !t->times || !t->values)
        return fail_memory();
    for (uint32_t f = 0; f < frames; f++)
        t->times[f] = (float)(f / fps);
    float *at = t->values;
    for (uint32_t i = 0; i < 2 * nodes; i++) {
        int from = i % 2 ? 3 : 0, size = i % 2 ? 4 : 3;
        t->channels[i] =
            (graze_rig_channel){.path = i % 2 ? GRAZE_RIG_ROTATION : GRAZE_RIG_TRANSLATION,
                                .node = i / 2,
                                .key_count = frames,
                                .times = t->times,
                                .values = at};
        for (uint32_t f = 0; f < frames; f++, at += size)
            memcpy(at, who->frames + ((size_t)f * nodes + i / 2) * NUMBERS + from,
                   (size_t)size * sizeof *at);
    }
    t->clip = (graze_rig_clip){
        .seconds = t->times[frames - 1], .channels = t->channels, .channel_count = 2 * nodes};
    return true;
}

static bool cut(const recorded *who, double fps, double tolerance, graze_rig_clip **piece,
                recording_saved *saved)
{
    taken t;
    double largest = 0;
    graze_error error;
    bool good = take_clip(who, fps, &t);
    if (good) {
        graze_rig with_clip = *who->rig;
        with_clip.clips = &t.clip;
        with_clip.clip_count = 1;
        graze_rig_cut wanted = {
            .clip = 0, .seconds = t.clip.seconds, .fps = fps, .tolerance = tolerance};
        good = !graze_rig_cut_clip(&with_clip, &wanted, piece, &largest, &error);
        if (!good)
            fail_usage("%s: %s", who->name, error.text);
    }
    for (uint32_t c = 0; good && c < (*piece)->channel_count; c++)
        saved->keys += (*piece)->channels[c].key_count;
    saved->largest = largest > saved->largest ? largest : saved->largest;
    free(t.channels);
    free(t.times);
    free(t.values);
    return good;
}

bool recording_save(struct recording *recording, const char *path, double tolerance,
                    recording_saved *saved)
{
    uint32_t count = recording->count, frames = 0;
    graze_gltf_member *members = calloc((size_t)count + 1, sizeof *members);
    graze_rig_clip **pieces = calloc((size_t)count + 1, sizeof(graze_rig_clip *));
    struct progress progress = progress_start("saving");
    bool good = members && pieces;
    *saved = (recording_saved){.keys = 0};
    if (!good)
        fail_memory();
    for (uint32_t i = 0; good && i < count; i++) {
        const recorded *who = &recording->all[i];
        members[i] = (graze_gltf_member){.name = who->name, .rig = who->rig};
        members[i].rotation[3] = 1;
        for (int k = 0; k < 4 && !who->frame_count; k++)
            members[i].rotation[k] = (float)who->rotation[k];
        for (int k = 0; k < 3 && !who->frame_count; k++)
            members[i].from[k] = members[i].to[k] = (float)who->at[k];
        if (who->frame_count)
            good = cut(who, recording->fps, tolerance, &pieces[i], saved);
        members[i].clip = pieces[i];
        frames = who->frame_count > frames ? who->frame_count : frames;
        progress_show(&progress, i + 1, count);
    }
    progress_end(&progress);
    if (good) {
        graze_gltf_scene scene = {.name = "scene",
                                  .seconds = frames ? (float)((frames - 1) / recording->fps) : 0,
                                  .members = members,
                                  .member_count = count};
        graze_error error;
        output_begin_file(path);
        good = !graze_gltf_save_scene(&scene, NULL, path, &error);
        output_end_file();
        if (!good)
            fail_usage("%s", error.text);
    }
    for (uint32_t i = 0; pieces && i < count; i++)
        graze_rig_clip_destroy(recording->all[i].rig, pieces[i]);
    free(members);
    free(pieces);
    return good;
}
