/* Animations: each becomes a clip, each of its channels with keys of its own. */
#include "reader.h"

#include <string.h>

static graze_status read_interpolation(grazei_gltf_reader *reader, const cJSON *sampler,
                                       const char *place, graze_rig_interpolation *interpolation)
{
    static const char *const names[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    const cJSON *item = grazei_gltf_member(sampler, "interpolation");
    *interpolation = GRAZE_RIG_LINEAR;
    if (!item)
        return GRAZE_OK;
    for (int i = 0; i < 3; i++) {
        if (cJSON_IsString(item) && strcmp(item->valuestring, names[i]) == 0) {
            *interpolation = (graze_rig_interpolation)i;
            return GRAZE_OK;
        }
    }
    return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: unknown interpolation", place);
}

/* Viewers take keys at one time, of which the last holds from there on. */
static graze_status check_times(grazei_gltf_reader *reader, uint32_t accessor, const float *times,
                                uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        if (k == 0 ? times[0] < 0 : times[k] < times[k - 1])
            return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                    "accessors[%u]: key times must ascend from 0 or more, "
                                    "but key %u does not",
                                    accessor, k);
        if (k > 0 && times[k] == times[k - 1])
            grazei_gltf_warn(reader, GRAZEI_GLTF_EQUAL_TIMES,
                             "accessors[%u]: key %u is at the time of the key before, which then "
                             "ends there",
                             accessor, k);
    }
    return GRAZE_OK;
}

/* Reads the times, or of a channel that is not kept only the last, if they are known to be right.
 */
static graze_status read_times(grazei_gltf_reader *reader, uint32_t index, const char *place,
                               bool kept, graze_rig_channel *channel, float *last)
{
    grazei_gltf_opened_accessor *known;
    grazei_gltf_accessor accessor;
    if (index == GRAZE_NONE)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: no \"input\"", place);
    GRAZEI_GLTF_TRY(grazei_gltf_open_filled(reader, index, "SCALAR", place, &accessor));
    known = &reader->accessor_data[index];
    *last = known->last_time;
    if (known->has_times && !kept)
        return GRAZE_OK;
    float *times =
        kept ? grazei_gltf_allocate(reader, accessor.count, sizeof *times)
             : grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_DELTAS, accessor.count, sizeof *times);
    if (kept)
        channel->times = times;
    if (!times)
        return GRAZE_OUT_OF_MEMORY;
    GRAZEI_GLTF_TRY(grazei_gltf_read_floats(reader, &accessor, times));
    if (!known->has_times)
        GRAZEI_GLTF_TRY(check_times(reader, index, times, accessor.count));
    known->has_times = true;
    *last = known->last_time = times[accessor.count - 1];
    channel->key_count = accessor.count;
    return GRAZE_OK;
}

static graze_status normalise_keys(grazei_gltf_reader *reader, const char *place,
                                   graze_rig_channel *channel)
{
    bool cubic = channel->interpolation == GRAZE_RIG_CUBICSPLINE;
    for (uint32_t k = 0; k < channel->key_count; k++) {
        float *key = channel->values + (cubic ? (size_t)k * 12 + 4 : (size_t)k * 4);
        if (!grazei_gltf_normalise(key))
            return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: rotation key %u is zero", place,
                                    k);
    }
    return GRAZE_OK;
}

static graze_status read_values(grazei_gltf_reader *reader, uint32_t index, const char *place,
                                graze_rig_channel *channel)
{
    static const char *const types[] = {"VEC3", "VEC4", "VEC3", "SCALAR"};
    grazei_gltf_accessor accessor;
    if (index == GRAZE_NONE)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: no \"output\"", place);
    GRAZEI_GLTF_TRY(
        grazei_gltf_open_accessor(reader, index, types[channel->path], place, &accessor));
    uint64_t expected = channel->key_count;
    if (channel->path == GRAZE_RIG_WEIGHTS)
        expected *= channel->morph_count;
    if (channel->interpolation == GRAZE_RIG_CUBICSPLINE)
        expected *= 3;
    if (accessor.count != expected)
        return grazei_gltf_fail(
            reader, GRAZE_BAD_INPUT, "accessors[%u]: %u values where the %u keys of %s need %llu",
            index, accessor.count, channel->key_count, place, (unsigned long long)expected);
    channel->values = grazei_gltf_allocate(reader, (size_t)accessor.count * accessor.components,
                                           sizeof *channel->values);
    if (!channel->values)
        return GRAZE_OUT_OF_MEMORY;
    GRAZEI_GLTF_TRY(grazei_gltf_read_floats(reader, &accessor, channel->values));
    return channel->path == GRAZE_RIG_ROTATION ? normalise_keys(reader, place, channel) : GRAZE_OK;
}

/* Which morphs a weights channel moves; none (morph_count 0) if its node is not in the scene. */
static graze_status find_morphs(grazei_gltf_reader *reader, const char *place, uint32_t node,
                                graze_rig_channel *channel)
{
    bool has_mesh = reader->node_has_mesh[node];
    uint32_t instance = reader->node_instance[node];
    channel->morph_count = 0;
    if (has_mesh && instance == GRAZE_NONE)
        return GRAZE_OK;
    if (!has_mesh || reader->instances[instance].morph_count == 0)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: animates weights of nodes[%u], which has no morph targets",
                                place, node);
    channel->first_morph = reader->instances[instance].first_morph;
    channel->morph_count = reader->instances[instance].morph_count;
    return GRAZE_OK;
}

/* Reads node and path; *kept is false for a channel that has no node (some extension's). */
static graze_status read_target(grazei_gltf_reader *reader, const cJSON *json, const char *place,
                                graze_rig_channel *channel, bool *kept)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    const cJSON *target, *path;
    GRAZEI_GLTF_TRY(grazei_gltf_object(reader, json, "target", place, &target));
    GRAZEI_GLTF_TRY(
        grazei_gltf_index(reader, target, "node", place, reader->nodes.count, &channel->node));
    *kept = channel->node != GRAZE_NONE;
    if (!*kept)
        return GRAZE_OK;
    path = grazei_gltf_member(target, "path");
    int kind = 0;
    while (kind < 4 && !(cJSON_IsString(path) && strcmp(path->valuestring, paths[kind]) == 0))
        kind++;
    if (kind == 4)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: unknown target path", place);
    channel->path = (graze_rig_path)kind;
    if (channel->path == GRAZE_RIG_WEIGHTS) {
        GRAZEI_GLTF_TRY(find_morphs(reader, place, channel->node, channel));
        *kept = channel->morph_count > 0;
    } else if (reader->rig->nodes[channel->node].has_matrix) {
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: animates nodes[%u], which has a matrix", place, channel->node);
    }
    return GRAZE_OK;
}

/* A sampler is read once, however many channels it has. */
typedef struct sampler {
    bool is_read;
    graze_rig_interpolation interpolation;
    uint32_t input, output; /* accessors, or GRAZE_NONE */
} sampler;

typedef struct sampler_list {
    grazei_gltf_table table;
    sampler *of;
} sampler_list;

static graze_status read_sampler(grazei_gltf_reader *reader, const cJSON *json, const char *place,
                                 sampler *to)
{
    uint32_t count = reader->accessors.count;
    if (to->is_read)
        return GRAZE_OK;
    GRAZEI_GLTF_TRY(read_interpolation(reader, json, place, &to->interpolation));
    GRAZEI_GLTF_TRY(grazei_gltf_index(reader, json, "input", place, count, &to->input));
    GRAZEI_GLTF_TRY(grazei_gltf_index(reader, json, "output", place, count, &to->output));
    to->is_read = true;
    return GRAZE_OK;
}

/* Reads one channel into the clip's next place; one that moves nothing here only counts for the
 * clip's length.
 */
static graze_status read_channel(grazei_gltf_reader *reader, const cJSON *json,
                                 const sampler_list *samplers, const char *place,
                                 graze_rig_clip *clip)
{
    graze_rig_channel *channel = &clip->channels[clip->channel_count];
    uint32_t index;
    float last = 0;
    bool kept;
    if (!cJSON_IsObject(json))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: not an object", place);
    clip->channel_count++; /* what it takes is the clip's from here on */
    GRAZEI_GLTF_TRY(read_target(reader, json, place, channel, &kept));
    GRAZEI_GLTF_TRY(
        grazei_gltf_index(reader, json, "sampler", place, samplers->table.count, &index));
    if (index == GRAZE_NONE)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: no \"sampler\"", place);
    sampler *source = &samplers->of[index];
    GRAZEI_GLTF_TRY(read_sampler(reader, samplers->table.items[index], place, source));
    channel->interpolation = source->interpolation;
    GRAZEI_GLTF_TRY(read_times(reader, source->input, place, kept, channel, &last));
    if (last > clip->seconds)
        clip->seconds = last;
    if (kept)
        return read_values(reader, source->output, place, channel);
    memset(channel, 0, sizeof *channel);
    clip->channel_count--;
    return GRAZE_OK;
}

static graze_status read_channels(grazei_gltf_reader *reader, uint32_t index,
                                  const sampler_list *samplers, graze_rig_clip *clip)
{
    grazei_gltf_place place = grazei_gltf_at("animations[%u]", index);
    const cJSON *channels, *item;
    uint32_t count, ordinal = 0;
    GRAZEI_GLTF_TRY(grazei_gltf_array(reader, reader->animations.items[index], "channels",
                                      place.text, &channels, &count));
    clip->channels = grazei_gltf_allocate(reader, count, sizeof *clip->channels);
    if (!clip->channels)
        return GRAZE_OUT_OF_MEMORY;
    cJSON_ArrayForEach(item, channels)
    {
        place = grazei_gltf_at("animations[%u].channels[%u]", index, ordinal++);
        reader->where = place;
        GRAZEI_GLTF_TRY(read_channel(reader, item, samplers, place.text, clip));
    }
    return GRAZE_OK;
}

static graze_status read_samplers(grazei_gltf_reader *reader, const cJSON *json, const char *place,
                                  sampler_list *samplers)
{
    GRAZEI_GLTF_TRY(grazei_gltf_make_table(reader, json, "samplers", place, &samplers->table));
    samplers->of = grazei_gltf_allocate(reader, samplers->table.count, sizeof *samplers->of);
    return samplers->of ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

static graze_status read_animation(grazei_gltf_reader *reader, uint32_t index, graze_rig_clip *clip)
{
    grazei_gltf_place place = grazei_gltf_at("animations[%u]", index);
    const cJSON *json = reader->animations.items[index];
    sampler_list samplers = {{NULL, NULL, 0}, NULL};
    uint32_t count;
    reader->where = place;
    GRAZEI_GLTF_TRY(grazei_gltf_name(reader, json, &clip->name));
    graze_status status = read_samplers(reader, json, place.text, &samplers);
    count = samplers.table.count;
    if (status == GRAZE_OK)
        status = read_channels(reader, index, &samplers, clip);
    if (samplers.of)
        grazei_gltf_refund(reader, grazei_gltf_cost(count, sizeof *samplers.of) +
                                       grazei_gltf_cost(count, sizeof *samplers.table.items));
    grazei_gltf_release(reader, samplers.table.items);
    grazei_gltf_release(reader, samplers.of);
    return status;
}

graze_status grazei_gltf_read_animations(grazei_gltf_reader *reader)
{
    graze_rig *rig = reader->rig;
    rig->clips = grazei_gltf_allocate(reader, reader->animations.count, sizeof *rig->clips);
    if (!rig->clips)
        return GRAZE_OUT_OF_MEMORY;
    rig->clip_count = reader->animations.count;
    for (uint32_t i = 0; i < rig->clip_count; i++)
        GRAZEI_GLTF_TRY(read_animation(reader, i, &rig->clips[i]));
    return GRAZE_OK;
}
