#include "cli/field_model.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory, of the rig's allocator -------------------------------------------------------- */

static void *take(const graze_rig *rig, size_t count, size_t size)
{
    size_t bytes = count ? count * size : 1;
    void *memory = rig->allocator.allocate(rig->allocator.user, bytes, 64);
    if (memory)
        memset(memory, 0, bytes);
    return memory;
}

static char *copy_text(const graze_rig *rig, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = take(rig, size, 1);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

/* ---- the mesh ------------------------------------------------------------------------------ */

static bool take_arrays(graze_rig *rig, const field_sizes *sizes)
{
    size_t vertices = sizes->vertex_count;
    rig->positions = take(rig, vertices * 3, sizeof *rig->positions);
    rig->triangles = take(rig, (size_t)sizes->triangle_count * 3, sizeof *rig->triangles);
    rig->influence_offsets = take(rig, vertices + 1, sizeof *rig->influence_offsets);
    rig->influences = take(rig, vertices, sizeof *rig->influences);
    rig->nodes = take(rig, 1, sizeof *rig->nodes);
    rig->joints = take(rig, 1, sizeof *rig->joints);
    rig->meshes = take(rig, 1, sizeof *rig->meshes);
    rig->morphs = take(rig, sizes->target_count, sizeof *rig->morphs);
    rig->clips = take(rig, sizes->clip_count, sizeof *rig->clips);
    return rig->positions && rig->triangles && rig->influence_offsets && rig->influences &&
           rig->nodes && rig->joints && rig->meshes && rig->morphs && rig->clips;
}

static bool take_targets(graze_rig *rig, uint32_t count)
{
    for (rig->morph_count = 0; rig->morph_count < count;) {
        graze_rig_morph *morph = &rig->morphs[rig->morph_count++];
        morph->vertices = take(rig, rig->vertex_count, sizeof *morph->vertices);
        morph->deltas = take(rig, (size_t)rig->vertex_count * 3, sizeof *morph->deltas);
        if (!morph->vertices || !morph->deltas)
            return false;
        morph->count = rig->vertex_count;
        for (uint32_t v = 0; v < rig->vertex_count; v++)
            morph->vertices[v] = v;
    }
    return true;
}

static bool fill(graze_rig *rig, const field_sizes *sizes)
{
    static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    if (!take_arrays(rig, sizes))
        return false;
    rig->vertex_count = sizes->vertex_count;
    rig->triangle_count = sizes->triangle_count;
    memcpy(rig->triangles, sizes->triangles,
           (size_t)sizes->triangle_count * 3 * sizeof *rig->triangles);
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        rig->influence_offsets[v + 1] = v + 1;
        rig->influences[v] = (graze_influence){.joint = 0, .weight = 1};
    }
    rig->node_count = rig->joint_count = rig->mesh_count = 1;
    rig->nodes[0] = (graze_rig_node){.name = copy_text(rig, sizes->name),
                                     .parent = GRAZE_NONE,
                                     .rotation = {0, 0, 0, 1},
                                     .scale = {1, 1, 1}};
    memcpy(rig->joints[0].inverse_bind, identity, sizeof identity);
    rig->meshes[0].vertex_count = rig->vertex_count;
    rig->meshes[0].triangle_count = rig->triangle_count;
    rig->clip_count = sizes->clip_count;
    return rig->nodes[0].name && take_targets(rig, sizes->target_count);
}

bool field_model_open(field_model *model, const field_sizes *sizes)
{
    *model = (field_model){.rig = graze_rig_create(NULL)};
    model->text = open_memstream(&model->written, &model->written_size);
    if (model->rig && model->text && fill(model->rig, sizes))
        return true;
    field_model_close(model);
    return false;
}

void field_model_close(field_model *model)
{
    if (model->text)
        fclose(model->text);
    free(model->written);
    graze_rig_destroy(model->rig);
    *model = (field_model){.rig = NULL};
}

float *field_model_deltas(field_model *model, uint32_t target)
{
    return model->rig->morphs[target].deltas;
}

/* ---- clips --------------------------------------------------------------------------------- */

static bool add_channel(graze_rig *rig, graze_rig_clip *clip, graze_rig_path path,
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
        .times = take(rig, key_count, sizeof *channel->times),
        .values = take(rig, (size_t)key_count * width, sizeof *channel->values)};
    return channel->times && channel->values;
}

bool field_model_add_clip(field_model *model, uint32_t clip, const char *name, uint32_t key_count,
                          bool moves)
{
    graze_rig *rig = model->rig;
    graze_rig_clip *made = &rig->clips[clip];
    made->name = copy_text(rig, name);
    made->channels = take(rig, 3, sizeof *made->channels);
    return made->name && made->channels &&
           (!moves || (add_channel(rig, made, GRAZE_RIG_TRANSLATION, key_count) &&
                       add_channel(rig, made, GRAZE_RIG_ROTATION, key_count))) &&
           (!rig->morph_count || add_channel(rig, made, GRAZE_RIG_WEIGHTS, key_count));
}

void field_model_end_clip(field_model *model, uint32_t clip)
{
    graze_rig_clip *made = &model->rig->clips[clip];
    const graze_rig_channel *first = &made->channels[0];
    for (uint32_t c = 1; c < made->channel_count; c++)
        memcpy(made->channels[c].times, first->times, first->key_count * sizeof *first->times);
    made->seconds = first->times[first->key_count - 1];
}

/* ---- extras -------------------------------------------------------------------------------- */

void field_model_string(field_model *model, const char *before, const char *text)
{
    fprintf(model->text, "%s\"", before);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        fprintf(model->text, *c < 0x20 || *c == '"' || *c == '\\' ? "\\u%04x" : "%c", *c);
    fprintf(model->text, "\"");
}

bool field_model_end_extras(field_model *model)
{
    bool closed = !fclose(model->text);
    model->text = NULL;
    if (closed)
        model->rig->meshes[0].extras = copy_text(model->rig, model->written);
    return model->rig->meshes[0].extras;
}
