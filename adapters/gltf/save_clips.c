/* Clips as animations of the written file. */
#include "writer.h"

#include <string.h>

enum { TYPE_FLOAT = 5126 };

/* Key times; channels in a row that share them share the accessor. */
static uint32_t write_times(grazei_gltf_writer *writer, const graze_rig_channel *channel,
                            const graze_rig_channel *before, uint32_t accessor_before)
{
    size_t size = channel->key_count * sizeof *channel->times;
    float bounds[2] = {channel->times[0], channel->times[channel->key_count - 1]};
    if (before && before->key_count == channel->key_count &&
        memcmp(before->times, channel->times, size) == 0)
        return accessor_before;
    grazei_gltf_begin_accessor(writer);
    grazei_gltf_put(&writer->binary, channel->times, size);
    return grazei_gltf_end_accessor(writer, channel->key_count, TYPE_FLOAT, "SCALAR", 0, bounds);
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

static void write_clip(grazei_gltf_writer *writer, const graze_rig_clip *clip)
{
    static const char *const modes[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    uint32_t times = 0;
    grazei_gltf_print(&writer->json, "{");
    if (clip->name) {
        grazei_gltf_print(&writer->json, "\"name\":");
        grazei_gltf_put_string(&writer->json, clip->name);
        grazei_gltf_print(&writer->json, ",");
    }
    grazei_gltf_print(&writer->json, "\"samplers\":");
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const graze_rig_channel *channel = &clip->channels[i];
        times = write_times(writer, channel, i ? channel - 1 : NULL, times);
        grazei_gltf_print(&writer->json, "%c{\"input\":%u,\"output\":%u,\"interpolation\":\"%s\"}",
                          i ? ',' : '[', times, write_values(writer, channel),
                          modes[channel->interpolation]);
    }
    grazei_gltf_print(&writer->json, "],\"channels\":");
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        graze_rig_path path = clip->channels[i].path;
        uint32_t node = path == GRAZE_RIG_WEIGHTS ? writer->plan.count : clip->channels[i].node;
        grazei_gltf_print(&writer->json,
                          "%c{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"%s\"}}",
                          i ? ',' : '[', i, node, paths[path]);
    }
    grazei_gltf_print(&writer->json, "]}");
}

void grazei_gltf_write_clips(grazei_gltf_writer *writer)
{
    const graze_rig *rig = writer->rig;
    for (uint32_t c = 0; c < rig->clip_count; c++) {
        grazei_gltf_print(&writer->json, "%s", c ? "," : ",\"animations\":[");
        write_clip(writer, &rig->clips[c]);
    }
    if (rig->clip_count > 0)
        grazei_gltf_print(&writer->json, "]");
}
