/* Many rigs in one file. The data of a mesh are written once a rig. Skeletons, skins and the
 * objects of skinned meshes, which refer to those data, are written once a member, and nodes have
 * names of their own: many programs know bones by their names, and a mesh by one skin.
 */
#include "writer.h"

#include <math.h>
#include <string.h>

/* A rig that some members have; number i is material i. */
typedef struct scene_rig {
    const graze_rig *rig;
    bool rigid;        /* its one joint's node shows the mesh, without a skin */
    uint32_t mesh;     /* if so, the mesh of all of them */
    uint32_t binds;    /* else the accessor of its inverse bind matrices */
    size_t start, end; /* where its mesh stands in the JSON; 0: it is not written yet */
} scene_rig;

/* Where a member is in the file. */
typedef struct placed {
    uint32_t rig;       /* of the scene's */
    uint32_t root;      /* the node that carries it; the rig's nodes follow */
    uint32_t mesh_node; /* the node that shows its mesh */
    uint32_t mesh, skin;
} placed;

typedef struct scene_writer {
    grazei_gltf_writer writer;
    const graze_gltf_scene *scene;
    scene_rig *rigs;
    uint32_t rig_count;
    placed *placed; /* one a member */
    uint32_t node_count, mesh_count, skin_count;
} scene_writer;

/* ---- what there is ------------------------------------------------------------------------ */

static bool is_rigid(const graze_rig *rig)
{
    static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    return !rig->skinned && rig->joint_count == 1 &&
           memcmp(rig->joints[0].inverse_bind, identity, sizeof identity) == 0;
}

static graze_status take_rig(scene_writer *job, const graze_rig *rig, uint32_t *number)
{
    for (*number = job->rig_count; *number > 0; --*number)
        if (job->rigs[*number - 1].rig == rig) {
            --*number;
            return GRAZE_OK;
        }
    job->writer.rig = rig;
    graze_status status = grazei_gltf_check_rig(&job->writer);
    if (status != GRAZE_OK)
        return status;
    *number = job->rig_count++;
    job->rigs[*number] = (scene_rig){.rig = rig, .rigid = is_rigid(rig)};
    if (job->rigs[*number].rigid)
        job->rigs[*number].mesh = job->mesh_count++;
    return GRAZE_OK;
}

static bool are_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static bool has_channels(const graze_gltf_member *member)
{
    return member->clip && member->clip->channel_count > 0;
}

static graze_status check_member(scene_writer *job, uint32_t index)
{
    const graze_gltf_member *member = &job->scene->members[index];
    if (!member->rig)
        return grazei_gltf_refuse(&job->writer, GRAZE_BAD_INPUT, "member %u has no rig", index);
    if (!are_finite(member->rotation, 4) || !are_finite(member->from, 3) ||
        !are_finite(member->to, 3))
        return grazei_gltf_refuse(&job->writer, GRAZE_BAD_INPUT,
                                  "member %u: a number that is not finite", index);
    graze_status status = take_rig(job, member->rig, &job->placed[index].rig);
    job->writer.rig = member->rig;
    if (status == GRAZE_OK) {
        const scene_rig *rig = &job->rigs[job->placed[index].rig];
        job->placed[index].mesh = rig->rigid ? rig->mesh : job->mesh_count++;
    }
    return status == GRAZE_OK && has_channels(member)
               ? grazei_gltf_check_clip(&job->writer, member->clip, index)
               : status;
}

static graze_status prepare(scene_writer *job)
{
    const graze_allocator *allocator = &job->writer.allocator;
    const graze_gltf_scene *scene = job->scene;
    size_t count = scene->member_count;
    if (count == 0 || !scene->members || !(scene->seconds >= 0) || !isfinite(scene->seconds))
        return grazei_gltf_refuse(&job->writer, GRAZE_BAD_INPUT,
                                  "no members, or an end that is not a time");
    job->rigs = allocator->allocate(allocator->user, count * sizeof *job->rigs, 64);
    job->placed = allocator->allocate(allocator->user, count * sizeof *job->placed, 64);
    if (!job->rigs || !job->placed)
        return grazei_gltf_refuse(&job->writer, GRAZE_OUT_OF_MEMORY, "out of memory");
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < count && status == GRAZE_OK; i++)
        status = check_member(job, i);
    return status;
}

/* ---- nodes -------------------------------------------------------------------------------- */

static const scene_rig *rig_of(const scene_writer *job, uint32_t member)
{
    return &job->rigs[job->placed[member].rig];
}

/* Makes the writer's rig and plan those of a member. */
static graze_status turn_to(scene_writer *job, uint32_t member)
{
    grazei_gltf_writer *writer = &job->writer;
    grazei_gltf_free_plan(writer);
    writer->rig = rig_of(job, member)->rig;
    writer->first_node = job->placed[member].root + 1;
    writer->prefix = job->scene->members[member].name;
    return grazei_gltf_plan_nodes(writer);
}

static void write_root(scene_writer *job, const graze_gltf_member *member)
{
    grazei_gltf_bytes *json = &job->writer.json;
    const grazei_gltf_node_plan *plan = &job->writer.plan;
    grazei_gltf_print(json, "{");
    if (member->name) {
        grazei_gltf_print(json, "\"name\":");
        grazei_gltf_put_string(json, member->name);
        grazei_gltf_print(json, ",");
    }
    grazei_gltf_print(json, "\"translation\":");
    grazei_gltf_put_numbers(json, member->from, 3);
    grazei_gltf_print(json, ",\"rotation\":");
    grazei_gltf_put_numbers(json, member->rotation, 4);
    grazei_gltf_print(json, ",\"children\":[%u]},",
                      job->writer.first_node + plan->first_child[plan->count]);
}

/* The node of a skinned mesh stands beside its skeleton: where it is means nothing. */
static void write_mesh_node(scene_writer *job, uint32_t index)
{
    const graze_gltf_member *member = &job->scene->members[index];
    grazei_gltf_bytes *json = &job->writer.json;
    grazei_gltf_print(json, "{\"name\":");
    grazei_gltf_put_string(json, member->name ? member->name : "mesh");
    grazei_gltf_print(json, ",\"mesh\":%u,\"skin\":%u},", job->placed[index].mesh,
                      job->placed[index].skin);
}

static graze_status write_member_nodes(scene_writer *job, uint32_t index)
{
    grazei_gltf_writer *writer = &job->writer;
    placed *at = &job->placed[index];
    at->root = job->node_count;
    graze_status status = turn_to(job, index);
    if (status != GRAZE_OK)
        return status;
    bool rigid = rig_of(job, index)->rigid;
    write_root(job, &job->scene->members[index]);
    grazei_gltf_write_nodes(writer, rigid ? writer->rig->joints[0].node : GRAZE_NONE, at->mesh);
    at->mesh_node = writer->first_node + (rigid ? writer->rig->joints[0].node : writer->plan.count);
    job->node_count = writer->first_node + writer->plan.count + !rigid;
    at->skin = rigid ? GRAZE_NONE : job->skin_count++;
    if (!rigid)
        write_mesh_node(job, index);
    return job->node_count < GRAZE_NONE / 2
               ? GRAZE_OK
               : grazei_gltf_refuse(writer, GRAZE_UNSUPPORTED, "too many nodes");
}

static graze_status write_nodes(scene_writer *job)
{
    grazei_gltf_bytes *json = &job->writer.json;
    graze_status status = GRAZE_OK;
    grazei_gltf_print(json, ",\"nodes\":[");
    for (uint32_t i = 0; i < job->scene->member_count && status == GRAZE_OK; i++)
        status = write_member_nodes(job, i);
    if (!json->failed)
        json->size--; /* the last comma */
    grazei_gltf_print(json, "],\"scene\":0,\"scenes\":[{\"nodes\":");
    for (uint32_t i = 0; i < job->scene->member_count && status == GRAZE_OK; i++) {
        grazei_gltf_print(json, "%c%u", i ? ',' : '[', job->placed[i].root);
        if (!rig_of(job, i)->rigid)
            grazei_gltf_print(json, ",%u", job->placed[i].mesh_node);
    }
    grazei_gltf_print(json, "]}]");
    return status;
}

/* ---- meshes and skins --------------------------------------------------------------------- */

/* Colours in turn, to tell rigs apart. */
static void write_materials(scene_writer *job)
{
    static const char *const colours[] = {"0.8,0.6,0.45", "0.45,0.6,0.8",  "0.55,0.75,0.5",
                                          "0.8,0.75,0.4", "0.65,0.5,0.75", "0.6,0.6,0.6"};
    grazei_gltf_print(&job->writer.json, ",\"materials\":");
    for (uint32_t i = 0; i < job->rig_count; i++)
        grazei_gltf_print(&job->writer.json,
                          "%c{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%s,1],"
                          "\"metallicFactor\":0,\"roughnessFactor\":0.8},\"doubleSided\":true}",
                          i ? ',' : '[', colours[i % (sizeof colours / sizeof *colours)]);
    grazei_gltf_print(&job->writer.json, "]");
}

/* The mesh of a rig once more: the same data under another number. */
static void repeat_mesh(scene_writer *job, const scene_rig *rig)
{
    grazei_gltf_bytes *json = &job->writer.json, *text = &job->writer.channels;
    text->size = 0;
    if (json->failed)
        return;
    grazei_gltf_put(text, json->data + rig->start, rig->end - rig->start);
    grazei_gltf_print(json, ",");
    grazei_gltf_put(json, text->data, text->size);
}

static graze_status write_mesh(scene_writer *job, uint32_t number)
{
    grazei_gltf_writer *writer = &job->writer;
    scene_rig *rig = &job->rigs[number];
    writer->rig = rig->rig;
    grazei_gltf_print(&writer->json, number ? "," : "");
    rig->start = writer->json.size;
    graze_status status = grazei_gltf_write_mesh(writer, number, !rig->rigid);
    rig->end = writer->json.size;
    if (!rig->rigid)
        rig->binds = grazei_gltf_write_binds(writer);
    return status;
}

/* In the order of their numbers, which is that of the members. */
static graze_status write_meshes(scene_writer *job)
{
    graze_status status = GRAZE_OK;
    write_materials(job);
    grazei_gltf_print(&job->writer.json, ",\"meshes\":[");
    for (uint32_t i = 0; i < job->scene->member_count && status == GRAZE_OK; i++) {
        const scene_rig *rig = rig_of(job, i);
        if (rig->start == 0)
            status = write_mesh(job, job->placed[i].rig);
        else if (!rig->rigid)
            repeat_mesh(job, rig);
    }
    grazei_gltf_print(&job->writer.json, "]");
    return status;
}

static graze_status write_skins(scene_writer *job)
{
    graze_status status = GRAZE_OK;
    const char *separator = ",\"skins\":[";
    for (uint32_t i = 0; i < job->scene->member_count && status == GRAZE_OK; i++) {
        if (rig_of(job, i)->rigid)
            continue;
        status = turn_to(job, i);
        grazei_gltf_print(&job->writer.json, "%s", separator);
        if (status == GRAZE_OK)
            grazei_gltf_write_skin(&job->writer, rig_of(job, i)->binds);
        separator = ",";
    }
    if (job->skin_count)
        grazei_gltf_print(&job->writer.json, "]");
    return status;
}

/* ---- the clip ----------------------------------------------------------------------------- */

static bool travels(const scene_writer *job, const graze_gltf_member *member)
{
    return job->scene->seconds > 0 && memcmp(member->from, member->to, sizeof member->from) != 0;
}

static bool moves(const scene_writer *job)
{
    for (uint32_t i = 0; i < job->scene->member_count; i++)
        if (has_channels(&job->scene->members[i]) || travels(job, &job->scene->members[i]))
            return true;
    return false;
}

static void write_clip(scene_writer *job)
{
    float times[2] = {0, job->scene->seconds}, values[6];
    graze_rig_channel travel = {
        .path = GRAZE_RIG_TRANSLATION, .key_count = 2, .times = times, .values = values};
    if (!moves(job))
        return;
    grazei_gltf_print(&job->writer.json, ",\"animations\":[");
    grazei_gltf_begin_clip(&job->writer, job->scene->name);
    for (uint32_t i = 0; i < job->scene->member_count; i++) {
        const graze_gltf_member *member = &job->scene->members[i];
        const placed *at = &job->placed[i];
        if (travels(job, member)) {
            memcpy(values, member->from, sizeof member->from);
            memcpy(values + 3, member->to, sizeof member->to);
            grazei_gltf_write_channel(&job->writer, &travel, at->root);
        }
        for (uint32_t c = 0; has_channels(member) && c < member->clip->channel_count; c++) {
            const graze_rig_channel *channel = &member->clip->channels[c];
            bool weights = channel->path == GRAZE_RIG_WEIGHTS;
            grazei_gltf_write_channel(&job->writer, channel,
                                      weights ? at->mesh_node : at->root + 1 + channel->node);
        }
    }
    grazei_gltf_end_clip(&job->writer);
    grazei_gltf_print(&job->writer.json, "]");
}

graze_status graze_gltf_save_scene(const graze_gltf_scene *scene, const graze_allocator *allocator,
                                   const char *path, graze_error *error)
{
    graze_allocator chosen = allocator ? *allocator : graze_default_allocator();
    scene_writer job = {.scene = scene};
    grazei_gltf_begin_writer(&job.writer, &chosen, path, error);
    graze_status status = prepare(&job);
    if (status == GRAZE_OK)
        status = write_nodes(&job);
    if (status == GRAZE_OK)
        status = write_meshes(&job);
    if (status == GRAZE_OK)
        status = write_skins(&job);
    if (status == GRAZE_OK) {
        write_clip(&job);
        status = grazei_gltf_write_file(&job.writer);
    }
    grazei_gltf_end_writer(&job.writer);
    if (job.rigs)
        chosen.release(chosen.user, job.rigs);
    if (job.placed)
        chosen.release(chosen.user, job.placed);
    return status;
}
