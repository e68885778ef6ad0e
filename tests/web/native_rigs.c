/* What the native sampler makes of clips, for graze/rig to make too: writes NUMBER.json into the
 * folder GRAZE_WEB_RIGS for every test character, and for a rig with channels of every kind: the
 * rig as graze/rig takes it, and of every clip at several times the bits of joints and weights.
 */
#include "harness.h"
#include "support/rigs.h"

#include <graze/animation.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 9, KINDS = 3, NODES = 5, MORPHS = 3, KEYS = 4 };

static FILE *json;
static test_random dice;

static void put_floats(const char *name, const float *values, size_t count)
{
    fprintf(json, "\"%s\": [", name);
    for (size_t i = 0; i < count; i++)
        fprintf(json, "%s%.9g", i ? ", " : "", (double)values[i]);
    fprintf(json, "]");
}

static void put_bits(const char *name, const float *values, size_t count)
{
    fprintf(json, "\"%s\": [", name);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        fprintf(json, "%s%u", i ? ", " : "", bits);
    }
    fprintf(json, "]");
}

static void put_columns(const char *name, const float rows[12])
{
    float columns[16];
    for (int i = 0; i < 16; i++)
        columns[i] = i % 4 < 3 ? rows[i % 4 * 4 + i / 4] : i / 4 == 3;
    put_floats(name, columns, 16);
}

static void put_node(const graze_rig_node *node)
{
    fprintf(json, "{\"parent\": %d, ", node->parent == GRAZE_NONE ? -1 : (int)node->parent);
    put_floats("translation", node->translation, 3);
    fprintf(json, ", ");
    put_floats("rotation", node->rotation, 4);
    fprintf(json, ", ");
    put_floats("scale", node->scale, 3);
    if (node->has_matrix) {
        fprintf(json, ", ");
        put_columns("matrix", node->matrix);
    }
    fprintf(json, "}");
}

static void put_channel(const graze_rig_channel *channel)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    static const char *const kinds[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    static const uint32_t widths[] = {3, 4, 3};
    bool weights = channel->path == GRAZE_RIG_WEIGHTS;
    size_t width = weights ? channel->morph_count : widths[channel->path];
    width *= channel->interpolation == GRAZE_RIG_CUBICSPLINE ? 3 : 1;
    fprintf(json, "{\"path\": \"%s\", \"interpolation\": \"%s\", ", paths[channel->path],
            kinds[channel->interpolation]);
    if (weights)
        fprintf(json, "\"firstMorph\": %u, \"morphCount\": %u, ", channel->first_morph,
                channel->morph_count);
    else
        fprintf(json, "\"node\": %u, ", channel->node);
    put_floats("times", channel->times, channel->key_count);
    fprintf(json, ", ");
    put_floats("values", channel->values, width * channel->key_count);
    fprintf(json, "}");
}

static void put_same_joints(const graze_rig *rig)
{
    uint32_t *same = calloc(rig->joint_count + (size_t)1, sizeof *same);
    if (!same || graze_rig_same_joints(rig, same))
        abort();
    fprintf(json, ",\n\"same\": [");
    for (uint32_t j = 0; j < rig->joint_count; j++)
        fprintf(json, "%s%u", j ? ", " : "", same[j]);
    fprintf(json, "]");
    free(same);
}

static void put_def(const graze_rig *rig)
{
    fprintf(json, "\"def\": {\"nodes\": [");
    for (uint32_t i = 0; i < rig->node_count; i++) {
        fprintf(json, i ? ",\n " : "\n ");
        put_node(&rig->nodes[i]);
    }
    fprintf(json, "],\n\"joints\": [");
    for (uint32_t j = 0; j < rig->joint_count; j++) {
        fprintf(json, "%s{\"node\": %u, ", j ? ",\n " : "\n ", rig->joints[j].node);
        put_columns("inverseBind", rig->joints[j].inverse_bind);
        fprintf(json, ", \"rigid\": %s}", rig->joints[j].rigid ? "true" : "false");
    }
    fprintf(json, "],\n\"morphWeights\": [");
    for (uint32_t m = 0; m < rig->morph_count; m++)
        fprintf(json, "%s%.9g", m ? ", " : "", (double)rig->morphs[m].weight);
    fprintf(json, "],\n\"clips\": [");
    for (uint32_t c = 0; c < rig->clip_count; c++) {
        fprintf(json, "%s{\"name\": \"clip %u\", \"channels\": [", c ? ",\n " : "\n ", c);
        for (uint32_t i = 0; i < rig->clips[c].channel_count; i++) {
            fprintf(json, i ? ",\n  " : "\n  ");
            put_channel(&rig->clips[c].channels[i]);
        }
        fprintf(json, "]}");
    }
    fprintf(json, "]}");
}

/* Joints and weights of one pose; blend: half of it, half of the clip's beginning. */
static void put_sample(const graze_rig *rig, uint32_t clip, double time, bool blend, bool *first)
{
    float *joints = calloc(rig->joint_count * (size_t)12 + 1, sizeof *joints);
    float *weights = calloc(rig->morph_count + (size_t)1, sizeof *weights);
    graze_rig_local *locals = calloc(rig->node_count + (size_t)1, sizeof *locals);
    const graze_rig_layer layers[2] = {{clip, time, 0.5}, {clip, 0, 0.5}};
    if (!joints || !weights || !locals)
        abort();
    if (blend ? graze_rig_blend(rig, layers, 2, locals, weights, NULL) ||
                    graze_rig_compose(rig, locals, joints, NULL)
              : graze_rig_sample(rig, clip, time, joints, weights))
        abort();
    fprintf(json, "%s{\"clip\": ", *first ? "\n " : ",\n ");
    fprintf(json, clip == GRAZE_NONE ? "null" : "%u", clip);
    fprintf(json, ", \"time\": %.17g, \"blend\": %s, ", time, blend ? "true" : "false");
    put_bits("joints", joints, rig->joint_count * (size_t)12);
    fprintf(json, ", ");
    put_bits("weights", weights, rig->morph_count);
    fprintf(json, "}");
    *first = false;
    free(joints);
    free(weights);
    free(locals);
}

static void put_rig(const char *folder, uint32_t number, const char *name, const graze_rig *rig)
{
    char path[1024];
    bool first = true;
    snprintf(path, sizeof path, "%s/%u.json", folder, number);
    json = fopen(path, "w");
    if (!json)
        abort();
    fprintf(json, "{\"name\": \"%s\",\n", name);
    put_def(rig);
    put_same_joints(rig);
    fprintf(json, ",\n\"samples\": [");
    put_sample(rig, GRAZE_NONE, 0, false, &first);
    for (uint32_t c = 0; c < rig->clip_count; c++)
        for (int i = 0; i < TIMES; i++) { /* before the start, on keys, between them, behind */
            double time = rig->clips[c].seconds * (i - 1) / (TIMES - 3.0);
            put_sample(rig, c, i % 2 ? time : time * 0.991, false, &first);
            if (i == 4)
                put_sample(rig, c, time, true, &first);
        }
    fprintf(json, "]}\n");
    if (fclose(json))
        abort();
}

static float *take(const graze_rig *rig, size_t count)
{
    float *memory = rig->allocator.allocate(rig->allocator.user, count * sizeof *memory, 64);
    if (!memory)
        abort();
    for (size_t i = 0; i < count; i++)
        memory[i] = (float)test_random_range(&dice, -1, 1);
    return memory;
}

static void fill_channel(const graze_rig *rig, graze_rig_channel *channel, uint32_t number)
{
    graze_rig_path path = (graze_rig_path)(number % 4);
    bool weights = path == GRAZE_RIG_WEIGHTS;
    uint32_t width = weights ? MORPHS - 1 : path == GRAZE_RIG_ROTATION ? 4 : 3;
    *channel = (graze_rig_channel){.path = path,
                                   .interpolation = (graze_rig_interpolation)(number / 4 % KINDS),
                                   .node = number % NODES,
                                   .first_morph = weights ? 1 : 0,
                                   .morph_count = weights ? MORPHS - 1 : 0,
                                   .key_count = KEYS,
                                   .times = take(rig, KEYS),
                                   .values = take(rig, (size_t)KEYS * width * 3)};
    for (int k = 0; k < KEYS; k++)
        channel->times[k] = 0.1f + 0.3f * (float)k;
}

/* Nodes with their parents behind them, one with a matrix, rotations that are not unit; a clip for
 * every kind of interpolation.
 */
static graze_rig *make_rig(void)
{
    dice = test_random_seed(14);
    graze_rig *rig = graze_rig_create(NULL);
    if (!rig)
        abort();
    const graze_allocator *from = &rig->allocator;
    rig->nodes = from->allocate(from->user, NODES * sizeof *rig->nodes, 64);
    rig->joints = from->allocate(from->user, NODES * sizeof *rig->joints, 64);
    rig->morphs = from->allocate(from->user, MORPHS * sizeof *rig->morphs, 64);
    rig->clips = from->allocate(from->user, KINDS * sizeof *rig->clips, 64);
    if (!rig->nodes || !rig->joints || !rig->morphs || !rig->clips)
        abort();
    memset(rig->nodes, 0, NODES * sizeof *rig->nodes);
    memset(rig->morphs, 0, MORPHS * sizeof *rig->morphs);
    memset(rig->clips, 0, KINDS * sizeof *rig->clips);
    rig->node_count = rig->joint_count = NODES;
    rig->morph_count = MORPHS;
    rig->clip_count = KINDS;
    for (uint32_t i = 0; i < NODES; i++) {
        graze_rig_node *node = &rig->nodes[i];
        node->parent = i + 1 < NODES ? i + 1 : GRAZE_NONE;
        node->has_matrix = i == 2;
        for (int k = 0; k < 12; k++) {
            node->matrix[k] = (float)test_random_range(&dice, -1, 1);
            node->rotation[k % 4] = (float)test_random_range(&dice, -2, 2);
            node->translation[k % 3] = (float)test_random_range(&dice, -1, 1);
            node->scale[k % 3] = (float)test_random_range(&dice, 0.5, 2);
            rig->joints[i].inverse_bind[k] = (float)test_random_range(&dice, -1, 1);
        }
        rig->joints[i].node = NODES - 1 - i;
    }
    rig->joints[2] = rig->joints[3] = rig->joints[0]; /* as where two skins have a joint */
    rig->joints[3].rigid = true;
    for (uint32_t m = 0; m < MORPHS; m++)
        rig->morphs[m].weight = (float)test_random_range(&dice, -1, 1);
    for (uint32_t c = 0; c < KINDS; c++) {
        graze_rig_clip *clip = &rig->clips[c];
        clip->seconds = 0.1f + 0.3f * (KEYS - 1);
        clip->channel_count = 4;
        clip->channels = from->allocate(from->user, 4 * sizeof *clip->channels, 64);
        if (!clip->channels)
            abort();
        for (uint32_t i = 0; i < 4; i++)
            fill_channel(rig, &clip->channels[i], 4 * c + i);
    }
    return rig;
}

TEST(native_rigs)
{
    const char *folder = getenv("GRAZE_WEB_RIGS");
    uint32_t count;
    CHECK_MSG(folder, "GRAZE_WEB_RIGS names the folder to write to");
    const test_rig *rigs = test_rigs(&count);
    graze_rig *made_up = make_rig();
    for (uint32_t r = 0; folder && r < count; r++)
        put_rig(folder, r + 1, rigs[r].name, rigs[r].rig);
    if (folder)
        put_rig(folder, 0, "every kind of channel", made_up);
    graze_rig_destroy(made_up);
    CHECK(count > 0);
}
