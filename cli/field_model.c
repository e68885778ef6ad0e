#include "cli/field_model.h"

#include "cli/room.h"

/* Zeroed memory of the rig's allocator. */
static void *rig_room(const graze_rig *rig, size_t count, size_t size)
{
    size_t bytes = count ? count * size : 1;
    return memset(room_or_end(rig->allocator.allocate(rig->allocator.user, bytes, 64)), 0, bytes);
}

static char *copy_for(const graze_rig *rig, const char *text)
{
    return strcpy(rig_room(rig, strlen(text) + 1, 1), text);
}

/* ---- the mesh ------------------------------------------------------------------------------ */

graze_rig *rigid_rig(uint32_t vertex_count, uint32_t triangle_count)
{
    graze_rig *rig = room_or_end(graze_rig_create(NULL));
    size_t vertices = vertex_count;
    rig->positions = rig_room(rig, vertices * 3, sizeof *rig->positions);
    rig->triangles = rig_room(rig, (size_t)triangle_count * 3, sizeof *rig->triangles);
    rig->influence_offsets = rig_room(rig, vertices + 1, sizeof *rig->influence_offsets);
    rig->influences = rig_room(rig, vertices, sizeof *rig->influences);
    rig->nodes = rig_room(rig, 1, sizeof *rig->nodes);
    rig->joints = rig_room(rig, 1, sizeof *rig->joints);
    rig->vertex_count = vertex_count;
    rig->triangle_count = triangle_count;
    rig->node_count = rig->joint_count = 1;
    rig->nodes[0] =
        (graze_rig_node){.parent = GRAZE_NONE, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    for (int i = 0; i < 3; i++)
        rig->joints[0].inverse_bind[i * 5] = 1;
    for (uint32_t v = 0; v < vertex_count; v++) {
        rig->influence_offsets[v + 1] = v + 1;
        rig->influences[v] = (graze_influence){.joint = 0, .weight = 1};
    }
    return rig;
}

graze_rig *field_rig_create(const field_sizes *sizes)
{
    graze_rig *rig = rigid_rig(sizes->vertex_count, sizes->triangle_count);
    memcpy(rig->triangles, sizes->triangles,
           (size_t)sizes->triangle_count * 3 * sizeof *rig->triangles);
    rig->nodes[0].name = copy_for(rig, sizes->name);
    rig->meshes = rig_room(rig, 1, sizeof *rig->meshes);
    rig->mesh_count = 1;
    rig->meshes[0].vertex_count = rig->vertex_count;
    rig->meshes[0].triangle_count = rig->triangle_count;
    rig->clips = rig_room(rig, sizes->clip_count, sizeof *rig->clips);
    rig->clip_count = sizes->clip_count;
    rig->morphs = rig_room(rig, sizes->target_count, sizeof *rig->morphs);
    rig->morph_count = sizes->target_count;
    for (uint32_t m = 0; m < rig->morph_count; m++) {
        graze_rig_morph *morph = &rig->morphs[m];
        morph->vertices = rig_room(rig, rig->vertex_count, sizeof *morph->vertices);
        morph->deltas = rig_room(rig, (size_t)rig->vertex_count * 3, sizeof *morph->deltas);
        morph->count = rig->vertex_count;
        for (uint32_t v = 0; v < rig->vertex_count; v++)
            morph->vertices[v] = v;
    }
    return rig;
}

/* ---- clips --------------------------------------------------------------------------------- */

static void add_channel(graze_rig *rig, graze_rig_clip *clip, graze_rig_path path,
                        uint32_t key_count)
{
    uint32_t width = path == GRAZE_RIG_WEIGHTS    ? rig->morph_count
                     : path == GRAZE_RIG_ROTATION ? 4
                                                  : 3;
    graze_rig_channel *channel = &clip->channels[clip->channel_count++];
    *channel = (graze_rig_channel){
        .path = path,
        .interpolation = GRAZE_RIG_LINEAR,
        .morph_count = path == GRAZE_RIG_WEIGHTS ? width : 0,
        .key_count = key_count,
        .times = rig_room(rig, key_count, sizeof *channel->times),
        .values = rig_room(rig, (size_t)key_count * width, sizeof *channel->values)};
}

void field_rig_add_clip(graze_rig *rig, uint32_t clip, const char *name, uint32_t key_count,
                        bool moves)
{
    graze_rig_clip *made = &rig->clips[clip];
    made->name = copy_for(rig, name);
    made->channels = rig_room(rig, 3, sizeof *made->channels);
    if (moves) {
        add_channel(rig, made, GRAZE_RIG_TRANSLATION, key_count);
        add_channel(rig, made, GRAZE_RIG_ROTATION, key_count);
    }
    if (rig->morph_count)
        add_channel(rig, made, GRAZE_RIG_WEIGHTS, key_count);
}

void field_rig_end_clip(graze_rig *rig, uint32_t clip)
{
    graze_rig_clip *made = &rig->clips[clip];
    const graze_rig_channel *first = &made->channels[0];
    for (uint32_t c = 1; c < made->channel_count; c++)
        memcpy(made->channels[c].times, first->times, first->key_count * sizeof *first->times);
    made->seconds = first->times[first->key_count - 1];
}

/* ---- extras -------------------------------------------------------------------------------- */

void field_model_open(field_model *model, const field_sizes *sizes)
{
    *model = (field_model){.rig = field_rig_create(sizes)};
    model->text = room_or_end(open_memstream(&model->written, &model->written_size));
}

void field_model_end_extras(field_model *model)
{
    fclose(model->text);
    model->text = NULL;
    model->rig->meshes[0].extras = copy_for(model->rig, room_or_end(model->written));
}

void field_model_close(field_model *model)
{
    if (model->text)
        fclose(model->text);
    free(model->written);
    graze_rig_destroy(model->rig);
    *model = (field_model){.rig = NULL};
}
