#include "cli/simulate_record.h"

#include "cli/key_track.h"
#include "cli/options.h"
#include "cli/primitive_mesh.h"
#include "cli/print.h"
#include "cli/room.h"
#include "cli/save.h"
#include "cli/vector.h"

enum { PLACES, TURNS, WEIGHTS, TRACKS };

/* What of the tolerance each may use; turns leave room for how far a body flexes beyond its reach
 * at rest.
 */
static const double shares[2][TRACKS] = {{0.6, 0.4, 0}, {0.5, 0.2, 0.25}};

typedef struct recorded_kind {
    char *name;
    const graze_rig *rig;
    double centre[3], radius; /* of the sphere around it at rest */
    double *flex;             /* of each morph target the longest displacement */
    double *reach;            /* behind them: how far vertices are from the origin at rest */
    uint32_t body_count;
} recorded_kind;

typedef struct recorded_body {
    uint32_t kind, number; /* which of its kind it is, from 1 */
    bool seen;             /* was in the picture */
    double flex;           /* how far a vertex was displaced at most */
    key_track tracks[TRACKS];
} recorded_body;

struct simulate_record {
    simulate_record_def def;
    recorded_kind *kinds;
    uint32_t kind_count;
    recorded_body *bodies;
    uint32_t body_count, body_capacity;
    double reach; /* how far from the origin bodies get, to draw the ground */
};

struct simulate_record *simulate_record_create(const simulate_record_def *def)
{
    struct simulate_record *record = room(1, sizeof *record);
    record->def = *def;
    return record;
}

void simulate_record_free(struct simulate_record *record)
{
    for (uint32_t i = 0; record && i < record->body_count; i++)
        for (int t = 0; t < TRACKS; t++)
            key_track_free(&record->bodies[i].tracks[t]);
    for (uint32_t i = 0; record && i < record->kind_count; i++) {
        free(record->kinds[i].name);
        free(record->kinds[i].flex);
    }
    if (record) {
        free(record->kinds);
        free(record->bodies);
    }
    free(record);
}

/* ---- kinds and bodies ---------------------------------------------------------------------- */

/* How large it is, with room for rounding. */
static void measure(recorded_kind *kind)
{
    const graze_rig *rig = kind->rig;
    const double origin[3] = {0};
    double low[3], high[3];
    box_of(rig->positions, rig->vertex_count, low, high);
    for (int k = 0; k < 3; k++)
        kind->centre[k] = (low[k] + high[k]) / 2;
    for (size_t v = 0; v < rig->vertex_count; v++) {
        *kind->reach = fmax(*kind->reach, sqrt(square_of(rig->positions + v * 3, origin)));
        kind->radius = fmax(kind->radius, sqrt(square_of(rig->positions + v * 3, kind->centre)));
    }
    kind->radius *= 1 + 1e-6;
    for (uint32_t m = 0; m < rig->morph_count; m++)
        for (size_t i = 0; i < rig->morphs[m].count; i++)
            kind->flex[m] =
                fmax(kind->flex[m], sqrt(square_of(rig->morphs[m].deltas + i * 3, origin)));
}

void simulate_record_add_kind(struct simulate_record *record, const char *name,
                              const graze_rig *rig)
{
    double *flex = room((size_t)rig->morph_count + 1, sizeof *flex);
    recorded_kind kind = {
        .name = copy_text(name), .rig = rig, .flex = flex, .reach = flex + rig->morph_count};
    record->kinds = more_room(record->kinds, (size_t)record->kind_count + 1, sizeof kind);
    measure(&kind);
    record->kinds[record->kind_count++] = kind;
}

static void begin_tracks(const struct simulate_record *record, recorded_body *body)
{
    const recorded_kind *kind = &record->kinds[body->kind];
    const uint32_t widths[TRACKS] = {3, 4, kind->rig->morph_count};
    const double *const reaches[TRACKS] = {kind->flex, kind->reach, kind->flex};
    static const key_measure measures[TRACKS] = {KEY_PLACES, KEY_TURNS, KEY_WEIGHTS};
    const double *share = shares[kind->rig->morph_count > 0];
    for (int t = 0; t < TRACKS; t++) {
        const key_track_def def = {.measure = measures[t],
                                   .width = widths[t],
                                   .reach = reaches[t],
                                   .tolerance = record->def.tolerance * share[t],
                                   .step_seconds = record->def.step_seconds};
        if (def.width > 0)
            key_track_begin(&body->tracks[t], &def);
    }
}

void simulate_record_add_body(struct simulate_record *record, uint32_t kind)
{
    if (record->body_count == record->body_capacity) {
        record->body_capacity = record->body_capacity ? 2 * record->body_capacity : 64;
        record->bodies = more_room(record->bodies, record->body_capacity, sizeof *record->bodies);
    }
    recorded_body *body = &record->bodies[record->body_count++];
    *body = (recorded_body){.kind = kind,
                            .number = ++record->kinds[kind].body_count,
                            .seen = record->def.camera == NULL};
    begin_tracks(record, body);
}

/* ---- steps --------------------------------------------------------------------------------- */

/* The sphere of the whole in this pose: that at rest, moved along, and grown by what the weights
 * displace at most (James & Pai 2004, section 3).
 */
static void look_at(const struct simulate_record *record, recorded_body *body,
                    const double position[3], const double rotation[4], double flex)
{
    const recorded_kind *kind = &record->kinds[body->kind];
    double centre[3];
    turn_vector(rotation, kind->centre, centre);
    for (int k = 0; k < 3; k++)
        centre[k] += position[k];
    body->seen = simulate_camera_sees(record->def.camera, centre, kind->radius + flex);
}

void simulate_record_take(struct simulate_record *record, uint32_t index, const double position[3],
                          const double rotation[4], const double *weights)
{
    recorded_body *body = &record->bodies[index];
    const recorded_kind *kind = &record->kinds[body->kind];
    double flex = 0;
    for (uint32_t m = 0; m < kind->rig->morph_count; m++)
        flex += fabs(weights[m]) * kind->flex[m];
    body->flex = fmax(body->flex, flex);
    if (!body->seen)
        look_at(record, body, position, rotation, flex);
    record->reach = fmax(record->reach, fmax(fabs(position[0]), fabs(position[2])) + kind->radius);
    key_track_take(&body->tracks[PLACES], position);
    key_track_take(&body->tracks[TURNS], rotation);
    if (kind->rig->morph_count)
        key_track_take(&body->tracks[WEIGHTS], weights);
}

/* ---- the file ------------------------------------------------------------------------------ */

/* What is made to be written, with one place that frees it. */
typedef struct record_file {
    graze_gltf_member *members;
    graze_rig_clip *clips;
    graze_rig_channel (*channels)[TRACKS];
    char (*names)[80];
    graze_rig *ground;
    uint32_t count;
} record_file;

/* No vertex is off by more: by the place, by the turn of what is farthest out, by the weights. */
static double largest_error(const recorded_kind *kind, const recorded_body *body)
{
    double stretched = *kind->reach > 0 ? 1 + body->flex / *kind->reach : 1;
    return body->tracks[PLACES].largest + stretched * body->tracks[TURNS].largest +
           body->tracks[WEIGHTS].largest;
}

static bool is_zero(const key_track *track)
{
    for (uint32_t k = 0; k < track->def.width; k++)
        if (track->values[k] != 0)
            return false;
    return true;
}

/* Somebody who stands is placed by the member, everybody else by channels. */
static void make_member(record_file *file, const recorded_kind *kind, const recorded_body *body,
                        simulate_recorded *saved)
{
    static const graze_rig_path paths[TRACKS] = {GRAZE_RIG_TRANSLATION, GRAZE_RIG_ROTATION,
                                                 GRAZE_RIG_WEIGHTS};
    uint32_t at = file->count++;
    const key_track *tracks = body->tracks;
    graze_gltf_member *member = &file->members[at];
    bool stands = key_track_is_still(&tracks[PLACES]) && key_track_is_still(&tracks[TURNS]);
    *member =
        (graze_gltf_member){.name = file->names[at], .rig = kind->rig, .rotation = {0, 0, 0, 1}};
    snprintf(file->names[at], sizeof file->names[at], "%s %u", kind->name, body->number);
    if (stands) {
        memcpy(member->from, tracks[PLACES].values, sizeof member->from);
        memcpy(member->to, tracks[PLACES].values, sizeof member->to);
        memcpy(member->rotation, tracks[TURNS].values, sizeof member->rotation);
    }
    graze_rig_clip *clip = &file->clips[at];
    clip->channels = file->channels[at];
    for (int t = 0; t < TRACKS; t++) {
        const key_track *track = &tracks[t];
        bool needed = t != WEIGHTS ? !stands : track->key_count > 0;
        if (!needed || (t == WEIGHTS && key_track_is_still(track) && is_zero(track)))
            continue;
        clip->channels[clip->channel_count++] = (graze_rig_channel){.path = paths[t],
                                                                    .morph_count = track->def.width,
                                                                    .key_count = track->key_count,
                                                                    .times = track->times,
                                                                    .values = track->values};
        saved->keys += track->key_count;
        clip->seconds = track->times[track->key_count - 1];
    }
    member->clip = clip->channel_count ? clip : NULL;
}

static bool fill_file(record_file *file, struct simulate_record *record, simulate_recorded *saved)
{
    const scene_body plane = {.kind = BODY_PLANE, .numbers = {0, 1, 0, 0}};
    struct progress progress = progress_start("saving the picture");
    for (uint32_t i = 0; i < record->body_count; i++) {
        recorded_body *body = &record->bodies[i];
        const recorded_kind *kind = &record->kinds[body->kind];
        for (int t = 0; t < TRACKS; t++)
            if (body->tracks[t].window)
                key_track_end(&body->tracks[t]);
        if (body->seen && body->tracks[PLACES].key_count > 0) {
            make_member(file, kind, body, saved);
            saved->samples += (body->tracks[PLACES].step + UINT64_C(1)) *
                              (kind->rig->morph_count > 0 ? TRACKS : TRACKS - 1);
            saved->largest = fmax(saved->largest, largest_error(kind, body));
        }
        saved->seconds = body->tracks[PLACES].step * record->def.step_seconds;
        progress_show(&progress, i + 1, record->body_count);
    }
    progress_end(&progress);
    saved->bodies = file->count;
    saved->left_out = record->body_count - file->count;
    if (saved->bodies == 0)
        return refuse("simulate: --camera: none of %u bodies is ever in the picture",
                      record->body_count);
    file->ground = primitive_rig(&plane, fmin(1.5 * record->reach + 1, 1e6));
    file->members[file->count++] =
        (graze_gltf_member){.name = "ground", .rig = file->ground, .rotation = {0, 0, 0, 1}};
    return true;
}

bool simulate_record_save(struct simulate_record *record, const char *path,
                          simulate_recorded *saved)
{
    size_t most = (size_t)record->body_count + 1;
    record_file file = {.members = room(most, sizeof *file.members),
                        .clips = room(most, sizeof *file.clips),
                        .channels = room(most, sizeof *file.channels),
                        .names = room(most, sizeof *file.names)};
    *saved = (simulate_recorded){.bodies = 0};
    bool good = fill_file(&file, record, saved);
    if (good) {
        const graze_gltf_scene scene = {.name = "simulation",
                                        .seconds = (float)saved->seconds,
                                        .members = file.members,
                                        .member_count = file.count};
        good = scene_save(&scene, path);
    }
    free(file.members);
    free(file.clips);
    free(file.channels);
    free(file.names);
    graze_rig_destroy(file.ground);
    return good;
}
