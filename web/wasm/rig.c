/* rig/ as web/graze/rig.js calls it: a rig from plain arrays, and what a clip makes of it at a
 * time. What refers to something else (parents, nodes, morph targets) was checked there.
 */
#include "module.h"

#include <graze/animation.h>

#include <stdlib.h>
#include <string.h>

/* Floats of a node: translation, rotation, scale, matrix in rows. */
enum { NODE_FLOATS = 22 };

static void *take(const graze_rig *rig, size_t count, size_t size)
{
    if (count >= SIZE_MAX / size)
        return NULL;
    void *memory = rig->allocator.allocate(rig->allocator.user, count * size + 1, 64);
    if (memory)
        memset(memory, 0, count * size + 1);
    return memory;
}

static void fill_nodes(graze_rig *rig, const uint32_t *numbers, const float *floats)
{
    for (uint32_t i = 0; i < rig->node_count; i++, numbers += 2, floats += NODE_FLOATS) {
        graze_rig_node *node = &rig->nodes[i];
        node->parent = numbers[0];
        node->has_matrix = numbers[1] != 0;
        memcpy(node->translation, floats, sizeof node->translation);
        memcpy(node->rotation, floats + 3, sizeof node->rotation);
        memcpy(node->scale, floats + 7, sizeof node->scale);
        memcpy(node->matrix, floats + 10, sizeof node->matrix);
    }
}

/* node_numbers: parent and whether there is a matrix; joint_floats: inverse binds, 3 rows of 4. */
WEB_EXPORT(rig_create)
graze_rig *web_rig_create(const uint32_t *node_numbers, const float *node_floats,
                          uint32_t node_count, const uint32_t *joint_nodes,
                          const float *joint_floats, uint32_t joint_count, const float *weights,
                          uint32_t morph_count, uint32_t clip_count)
{
    graze_rig *rig = graze_rig_create(NULL);
    if (rig) {
        rig->nodes = take(rig, node_count, sizeof *rig->nodes);
        rig->joints = take(rig, joint_count, sizeof *rig->joints);
        rig->morphs = take(rig, morph_count, sizeof *rig->morphs);
        rig->clips = take(rig, clip_count, sizeof *rig->clips);
    }
    if (!rig || !rig->nodes || !rig->joints || !rig->morphs || !rig->clips) {
        graze_rig_destroy(rig);
        web_out_of_memory();
        return NULL;
    }
    rig->node_count = node_count;
    rig->joint_count = joint_count;
    rig->morph_count = morph_count;
    rig->clip_count = clip_count;
    fill_nodes(rig, node_numbers, node_floats);
    for (uint32_t j = 0; j < joint_count; j++) {
        rig->joints[j].node = joint_nodes[j];
        memcpy(rig->joints[j].inverse_bind, joint_floats + 12 * (size_t)j, 12 * sizeof(float));
    }
    for (uint32_t m = 0; m < morph_count; m++)
        rig->morphs[m].weight = weights[m];
    return rig;
}

WEB_EXPORT(rig_destroy) void web_rig_destroy(graze_rig *rig)
{
    graze_rig_destroy(rig);
}

/* Room for the channels of a clip, which are empty until web_rig_channel fills them. */
WEB_EXPORT(rig_clip)
int web_rig_clip(graze_rig *rig, uint32_t clip, float seconds, uint32_t channel_count)
{
    graze_rig_channel *channels = take(rig, channel_count, sizeof *channels);
    if (!channels)
        return web_out_of_memory();
    rig->clips[clip].seconds = seconds;
    rig->clips[clip].channels = channels;
    rig->clips[clip].channel_count = channel_count;
    return 0;
}

WEB_EXPORT(rig_channel)
int web_rig_channel(graze_rig *rig, uint32_t clip, uint32_t number, graze_rig_path path,
                    graze_rig_interpolation interpolation, uint32_t node, uint32_t first_morph,
                    uint32_t morph_count, const float *times, uint32_t key_count,
                    const float *values, uint32_t value_count)
{
    graze_rig_channel *channel = &rig->clips[clip].channels[number];
    *channel = (graze_rig_channel){.path = path,
                                   .interpolation = interpolation,
                                   .node = node,
                                   .first_morph = first_morph,
                                   .morph_count = morph_count,
                                   .key_count = key_count,
                                   .times = take(rig, key_count, sizeof *channel->times),
                                   .values = take(rig, value_count, sizeof *channel->values)};
    if (!channel->times || !channel->values)
        return web_out_of_memory();
    memcpy(channel->times, times, key_count * sizeof *times);
    memcpy(channel->values, values, value_count * sizeof *values);
    return 0;
}

/* Room for the answer (16 floats a joint in columns, then a weight a morph target) and, behind it,
 * for the joints in rows.
 */
static float *reserve(const graze_rig *rig)
{
    float *answer =
        web_answer_reserve(28 * (size_t)rig->joint_count + rig->morph_count + 1, sizeof *answer);
    if (!answer)
        web_out_of_memory();
    return answer;
}

static float *rows_of(const graze_rig *rig, float *answer)
{
    return answer + 16 * (size_t)rig->joint_count + rig->morph_count;
}

static void to_columns(const graze_rig *rig, float *answer)
{
    const float *rows = rows_of(rig, answer);
    for (uint32_t j = 0; j < rig->joint_count; j++, rows += 12, answer += 16)
        for (int i = 0; i < 16; i++)
            answer[i] = i % 4 < 3 ? rows[i % 4 * 4 + i / 4] : i / 4 == 3;
}

/* Why a call failed that has no text of its own. */
static int explain(graze_status status)
{
    if (status == GRAZE_OUT_OF_MEMORY)
        return web_out_of_memory();
    web_error = (graze_error){status, "the time is not finite"};
    return WEB_FAILED;
}

WEB_EXPORT(rig_sample) int web_rig_sample(const graze_rig *rig, uint32_t clip, double time)
{
    float *answer = reserve(rig);
    if (!answer)
        return WEB_FAILED;
    graze_status status = graze_rig_sample(rig, clip, time, rows_of(rig, answer),
                                           answer + 16 * (size_t)rig->joint_count);
    if (status)
        return explain(status);
    to_columns(rig, answer);
    return 0;
}

/* clips, and behind each other times and weights: count of each. */
WEB_EXPORT(rig_blend)
int web_rig_blend(const graze_rig *rig, const uint32_t *clips, const double *times, uint32_t count)
{
    float *answer = reserve(rig);
    graze_rig_layer *layers = malloc((count + (size_t)1) * sizeof *layers);
    graze_rig_local *locals = malloc((rig->node_count + (size_t)1) * sizeof *locals);
    int outcome = WEB_FAILED;
    if (!answer || !layers || !locals) {
        web_out_of_memory();
    } else {
        for (uint32_t i = 0; i < count; i++)
            layers[i] = (graze_rig_layer){clips[i], times[i], times[count + i]};
        if (!graze_rig_blend(rig, layers, count, locals, answer + 16 * (size_t)rig->joint_count,
                             &web_error) &&
            !graze_rig_compose(rig, locals, rows_of(rig, answer), &web_error)) {
            to_columns(rig, answer);
            outcome = 0;
        }
    }
    free(layers);
    free(locals);
    return outcome;
}
