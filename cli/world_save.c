#include "cli/world_save.h"

#include "cli/output.h"
#include "cli/primitive_mesh.h"
#include "cli/print.h"

#include <graze/animation.h>
#include <graze/gltf.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is made to be written, one a body, with one place that frees it. */
typedef struct save_job {
    const world_scene *made;
    double tolerance, seconds;
    graze_gltf_member *members;
    graze_rig_clip **pieces; /* NULL of those that stand */
    graze_rig **rigs;        /* of primitives; NULL of models and of those that share one */
} save_job;

/* ---- members ------------------------------------------------------------------------------ */

/* About how far the scene goes: planes are drawn as large as that. */
static double scene_reach(const world_scene *made)
{
    double reach = 0;
    for (uint32_t i = 0; i < made->scene->body_count; i++)
        for (int end = 0; end < 2; end++) {
            double at[3];
            world_actor_at(&made->actors[i], end ? made->scene->seconds : 0, at);
            for (int k = 0; k < 3; k++)
                reach = fmax(reach, fabs(at[k]));
        }
    return fmin(reach + 5, 1e6);
}

static bool is_same_primitive(const scene_body *a, const scene_body *b)
{
    return a->kind == b->kind && memcmp(a->numbers, b->numbers, sizeof a->numbers) == 0;
}

/* The mesh of a primitive, shared with an earlier one of the same kind and size. */
static const graze_rig *find_primitive(save_job *job, uint32_t index)
{
    const scene_body *bodies = job->made->scene->bodies;
    for (uint32_t i = 0; i < index; i++)
        if (job->rigs[i] && is_same_primitive(&bodies[i], &bodies[index]))
            return job->rigs[i];
    return job->rigs[index] = primitive_rig(&bodies[index], scene_reach(job->made));
}

static bool cut_clip(save_job *job, uint32_t index, double *largest)
{
    const struct instance *instance = &job->made->actors[index].instance;
    const graze_rig_cut cut = {.clip = instance->placing.clip,
                               .from = instance->placing.phase,
                               .seconds = job->seconds,
                               .fps = job->made->scene->fps,
                               .tolerance = job->tolerance};
    graze_error error;
    if (cut.clip == GRAZE_NONE)
        return true;
    if (graze_rig_cut_clip(instance->character->rig, &cut, &job->pieces[index], largest, &error))
        return json_fail(&job->made->actors[index].body->place, "%s", error.text);
    return true;
}

static bool make_member(save_job *job, uint32_t index, double *largest)
{
    const world_actor *actor = &job->made->actors[index];
    graze_gltf_member *member = &job->members[index];
    bool model = actor->body->kind == BODY_MODEL;
    double half = fmod(actor->body->turn, 360) * (3.14159265358979323846 / 360);
    double from[3], to[3];
    *largest = 0;
    if (model && !cut_clip(job, index, largest))
        return false;
    *member = (graze_gltf_member){.name = actor->body->name,
                                  .rig = model ? actor->instance.character->rig
                                               : find_primitive(job, index),
                                  .clip = job->pieces[index],
                                  .rotation = {0, (float)sin(half), 0, (float)cos(half)}};
    if (!member->rig)
        return json_fail(&actor->body->place, "out of memory");
    world_actor_at(actor, 0, from);
    world_actor_at(actor, job->seconds, to);
    for (int i = 0; i < 3; i++) {
        member->from[i] = (float)from[i];
        member->to[i] = (float)to[i];
    }
    return true;
}

static bool make_members(save_job *job, world_saved *saved)
{
    uint32_t count = job->made->scene->body_count;
    struct progress progress = progress_start("saving");
    bool good = true;
    for (uint32_t i = 0; good && i < count; i++) {
        double largest;
        good = make_member(job, i, &largest);
        saved->largest = good ? fmax(saved->largest, largest) : 0;
        for (uint32_t c = 0; good && job->pieces[i] && c < job->pieces[i]->channel_count; c++)
            saved->keys += job->pieces[i]->channels[c].key_count;
        progress_show(&progress, i + 1, count);
    }
    progress_end(&progress);
    return good;
}

/* ---- the file ----------------------------------------------------------------------------- */

static bool write_file(const save_job *job, const char *path)
{
    const struct scene *scene = job->made->scene;
    graze_gltf_scene whole = {.name = "scene",
                              .seconds = (float)job->seconds,
                              .members = job->members,
                              .member_count = scene->body_count};
    graze_error error;
    output_begin_file(path);
    graze_status status = graze_gltf_save_scene(&whole, NULL, path, &error);
    output_end_file();
    if (status)
        fail_usage("%s", error.text);
    return status == GRAZE_OK;
}

bool world_save(const world_scene *made, const char *path, double tolerance, world_saved *saved)
{
    uint32_t count = made->scene->body_count;
    save_job job = {.made = made,
                    .tolerance = tolerance,
                    .seconds = world_scene_time(made, made->scene->frame_count - 1),
                    .members = calloc(count + 1, sizeof *job.members),
                    .pieces = calloc(count + 1, sizeof(graze_rig_clip *)),
                    .rigs = calloc(count + 1, sizeof(graze_rig *))};
    *saved = (world_saved){.keys = 0};
    bool good = job.members && job.pieces && job.rigs;
    if (!good)
        fail_usage("%s: out of memory", path);
    good = good && make_members(&job, saved) && write_file(&job, path);
    for (uint32_t i = 0; i < count; i++) {
        if (job.pieces && job.pieces[i])
            graze_rig_clip_destroy(made->actors[i].instance.character->rig, job.pieces[i]);
        if (job.rigs)
            graze_rig_destroy(job.rigs[i]);
    }
    free(job.members);
    free(job.pieces);
    free(job.rigs);
    return good;
}

bool world_save_check(const struct scene *scene, const char *path)
{
    for (uint32_t i = 0; i < scene->model_count; i++) {
        const char *const files[2] = {scene->models[i].path, scene->models[i].shape_path};
        for (int k = 0; k < 2; k++)
            if (files[k] && is_same_file(path, files[k])) {
                fail_usage("world: -o %s would write over a file of the scene", path);
                return false;
            }
    }
    return true;
}
