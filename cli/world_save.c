#include "cli/world_scene.h"

#include "cli/primitive_mesh.h"
#include "cli/room.h"

#include <math.h>

/* What is made to be written, one a body, with one place that frees it. */
typedef struct save_job {
    const world_scene *made;
    double tolerance, seconds;
    graze_rig **rigs; /* of primitives; NULL of models and of those that share one */
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

/* The mesh of a primitive, shared with an earlier one of the same kind and size. */
static const graze_rig *find_primitive(save_job *job, uint32_t index)
{
    const scene_body *bodies = job->made->scene->bodies;
    for (uint32_t i = 0; i < index; i++)
        if (job->rigs[i] && bodies[i].kind == bodies[index].kind &&
            memcmp(bodies[i].numbers, bodies[index].numbers, sizeof bodies[i].numbers) == 0)
            return job->rigs[i];
    return job->rigs[index] = primitive_rig(&bodies[index], scene_reach(job->made));
}

static bool cut_clip(const save_job *job, const world_actor *actor, graze_gltf_member *member,
                     scene_saved *saved)
{
    const struct placing *placing = &actor->instance.placing;
    const graze_rig_cut cut = {.clip = placing->clip,
                               .from = placing->phase,
                               .seconds = job->seconds,
                               .fps = job->made->scene->fps,
                               .tolerance = job->tolerance};
    graze_error error;
    return cut.clip == GRAZE_NONE || !member_cut(member, member->rig, &cut, saved, &error) ||
           json_fail(&actor->body->place, "%s", error.text);
}

static bool make_member(void *user, uint32_t index, graze_gltf_member *member, scene_saved *saved)
{
    save_job *job = user;
    const world_actor *actor = &job->made->actors[index];
    bool model = actor->body->kind == BODY_MODEL;
    double half = fmod(actor->body->turn, 360) * (3.14159265358979323846 / 360);
    double from[3], to[3];
    *member = (graze_gltf_member){.name = actor->body->name,
                                  .rig = model ? actor->instance.character->rig
                                               : find_primitive(job, index),
                                  .rotation = {0, (float)sin(half), 0, (float)cos(half)}};
    world_actor_at(actor, 0, from);
    world_actor_at(actor, job->seconds, to);
    for (int i = 0; i < 3; i++) {
        member->from[i] = (float)from[i];
        member->to[i] = (float)to[i];
    }
    return !model || cut_clip(job, actor, member, saved);
}

/* ---- the file ----------------------------------------------------------------------------- */

bool world_save(const world_scene *made, const char *path, double tolerance, scene_saved *saved)
{
    uint32_t count = made->scene->body_count;
    save_job job = {.made = made,
                    .tolerance = tolerance,
                    .seconds = world_scene_time(made, made->scene->frame_count - 1),
                    .rigs = room(count, sizeof *job.rigs)};
    bool good = members_save(count, make_member, &job, (float)job.seconds, path, saved);
    for (uint32_t i = 0; i < count; i++)
        graze_rig_destroy(job.rigs[i]);
    free(job.rigs);
    return good;
}

bool world_save_check(const struct scene *scene, const char *path)
{
    for (uint32_t i = 0; i < scene->model_count; i++) {
        const char *const files[2] = {scene->models[i].path, scene->models[i].shape_path};
        for (int k = 0; k < 2; k++)
            if (files[k] && is_same_file(path, files[k]))
                return refuse("world: -o %s would write over a file of the scene", path);
    }
    return true;
}
