/* Clips as animations of the written file. */
#include "writer.h"

#include <string.h>

enum { TYPE_FLOAT = 5126 };

/* Key times; channels in a row that share them share the accessor. */
static void write_times(grazei_gltf_writer *writer, const graze_rig_channel *channel)
{
    const graze_rig_channel *before = writer->channel_before;
    size_t size = channel->key_count * sizeof *channel->times;
    float bounds[2] = {channel->times[0], channel->times[channel->key_count - 1]};
    writer->channel_before = channel;
    if (before && before->key_count == channel->key_count &&
        memcmp(before->times, channel->times, size) == 0)
        return;
    grazei_gltf_begin_accessor(writer);
    grazei_gltf_put(&writer->binary, channel->times, size);
    writer->times_before =
        grazei_gltf_end_accessor(writer, channel->key_count, TYPE_FLOAT, "SCALAR", 0, bounds);
}

static uint32_t write_values(grazei_gltf_writer *writer, const graze_rig_channel *channel)
{
    static const char *const types[] = {"VEC3", "VEC4", "VEC3", "SCALAR"}; /* by path */
    static const uint32_t widths[] = {3, 4, 3, 1};
    uint32_t count = channel->key_count;
    if (channel->path == GRAZE_RIG_WEIGHTS)
        count *= channel->morph_count;
    if (channel->interpolation == GRAZE_RIG_CUBICSPLINE)
        count *= 3;
    grazei_gltf_begin_accessor(writer);
    grazei_gltf_put(&writer->binary, channel->values,
                    (size_t)count * widths[channel->path] * sizeof *channel->values);
    return grazei_gltf_end_accessor(writer, count, TYPE_FLOAT, types[channel->path], 0, NULL);
}

void grazei_gltf_begin_clip(grazei_gltf_writer *writer, const char *name)
{
    writer->channel_count = 0;
    writer->channel_before = NULL;
    writer->channels.size = 0;
    grazei_gltf_print(&writer->json, "{");
    if (name) {
        grazei_gltf_print(&writer->json, "\"name\":");
        grazei_gltf_put_string(&writer->json, name);
        grazei_gltf_print(&writer->json, ",");
    }
    grazei_gltf_print(&writer->json, "\"samplers\":");
}

void grazei_gltf_write_channel(grazei_gltf_writer *writer, const graze_rig_channel *channel,
                               uint32_t node)
{
    static const char *const modes[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    uint32_t number = writer->channel_count++;
    write_times(writer, channel);
    grazei_gltf_print(&writer->json, "%c{\"input\":%u,\"output\":%u,\"interpolation\":\"%s\"}",
                      number ? ',' : '[', writer->times_before, write_values(writer, channel),
                      modes[channel->interpolation]);
    grazei_gltf_print(&writer->channels,
                      "%c{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"%s\"}}",
                      number ? ',' : '[', number, node, paths[channel->path]);
}

void grazei_gltf_end_clip(grazei_gltf_writer *writer)
{
    grazei_gltf_print(&writer->json, "],\"channels\":");
    grazei_gltf_put(&writer->json, writer->channels.data, writer->channels.size);
    grazei_gltf_print(&writer->json, "]}");
}

void grazei_gltf_write_clips(grazei_gltf_writer *writer)
{
    const graze_rig *rig = writer->rig;
    for (uint32_t c = 0; c < rig->clip_count; c++) {
        const graze_rig_clip *clip = &rig->clips[c];
        grazei_gltf_print(&writer->json, "%s", c ? "," : ",\"animations\":[");
        grazei_gltf_begin_clip(writer, clip->name);
        for (uint32_t i = 0; i < clip->channel_count; i++) {
            bool weights = clip->channels[i].path == GRAZE_RIG_WEIGHTS;
            grazei_gltf_write_channel(writer, &clip->channels[i],
                                      weights ? writer->plan.count : clip->channels[i].node);
        }
        grazei_gltf_end_clip(writer);
    }
    if (rig->clip_count > 0)
        grazei_gltf_print(&writer->json, "]");
}
