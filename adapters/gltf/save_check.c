/* What a rig must be to make a valid file. */
#include "writer.h"

#include <math.h>

static bool are_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static graze_status check_mesh(grazei_gltf_writer *writer)
{
    const graze_rig *rig = writer->rig;
    for (size_t i = 0; i < (size_t)rig->vertex_count * 3; i++)
        if (!isfinite(rig->positions[i]))
            return grazei_gltf_refuse(writer, GRAZE_BAD_INPUT,
                                      "vertex %zu has a coordinate that is not finite", i / 3);
    for (size_t i = 0; i < (size_t)rig->triangle_count * 3; i++)
        if (rig->triangles[i] >= rig->vertex_count)
            return grazei_gltf_refuse(writer, GRAZE_BAD_INPUT,
                                      "triangle %zu refers to vertex %u of %u", i / 3,
                                      rig->triangles[i], rig->vertex_count);
    return GRAZE_OK;
}

static graze_status check_influences(grazei_gltf_writer *writer)
{
    const graze_rig *rig = writer->rig;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        double sum = 0;
        for (uint32_t i = rig->influence_offsets[v]; i < rig->influence_offsets[v + 1]; i++) {
            const graze_influence *influence = &rig->influences[i];
            if (influence->joint >= rig->joint_count || !(influence->weight >= 0))
                return grazei_gltf_refuse(
                    writer, GRAZE_BAD_INPUT, "vertex %u: joint %u of %u with weight %g", v,
                    influence->joint, rig->joint_count, (double)influence->weight);
            sum += influence->weight;
        }
        if (!(sum > 0) || !isfinite(sum))
            return grazei_gltf_refuse(writer, GRAZE_BAD_INPUT, "vertex %u: weights sum to %g", v,
                                      sum);
    }
    return GRAZE_OK;
}

static graze_status check_nodes(grazei_gltf_writer *writer)
{
    const graze_rig *rig = writer->rig;
    for (uint32_t i = 0; i < rig->node_count; i++) {
        const graze_rig_node *node = &rig->nodes[i];
        bool good = node->has_matrix
                        ? are_finite(node->matrix, 12)
                        : are_finite(node->translation, 3) && are_finite(node->rotation, 4) &&
                              are_finite(node->scale, 3);
        if (!good)
            return grazei_gltf_refuse(writer, GRAZE_BAD_INPUT,
                                      "node %u has a number that is not finite", i);
    }
    for (uint32_t j = 0; j < rig->joint_count; j++)
        if (rig->joints[j].node >= rig->node_count || !are_finite(rig->joints[j].inverse_bind, 12))
            return grazei_gltf_refuse(writer, GRAZE_BAD_INPUT,
                                      "joint %u: no such node, or a matrix that is not finite", j);
    return GRAZE_OK;
}

static graze_status check_morphs(grazei_gltf_writer *writer)
{
    const graze_rig *rig = writer->rig;
    for (uint32_t m = 0; m < rig->morph_count; m++) {
        const graze_rig_morph *morph = &rig->morphs[m];
        bool good = isfinite(morph->weight);
        for (uint32_t i = 0; good && i < morph->count; i++)
            good = morph->vertices[i] < rig->vertex_count &&
                   (i == 0 || morph->vertices[i] > morph->vertices[i - 1]) &&
                   are_finite(morph->deltas + (size_t)i * 3, 3);
        if (!good)
            return grazei_gltf_refuse(writer, GRAZE_BAD_INPUT,
                                      "morph target %u: vertices that do not ascend or do not "
                                      "exist, or numbers that are not finite",
                                      m);
    }
    return GRAZE_OK;
}

static bool has_good_target(const graze_rig *rig, const graze_rig_channel *channel)
{
    if (channel->path == GRAZE_RIG_WEIGHTS)
        return channel->morph_count > 0 && channel->first_morph <= rig->morph_count &&
               channel->morph_count <= rig->morph_count - channel->first_morph;
    return channel->node < rig->node_count && !rig->nodes[channel->node].has_matrix;
}

static bool is_good_channel(const graze_rig *rig, const graze_rig_channel *channel)
{
    size_t width = channel->path == GRAZE_RIG_ROTATION ? 4 : 3;
    if (channel->path == GRAZE_RIG_WEIGHTS)
        width = channel->morph_count;
    if (channel->interpolation == GRAZE_RIG_CUBICSPLINE)
        width *= 3;
    if (!has_good_target(rig, channel) || channel->key_count == 0 ||
        channel->key_count > UINT32_MAX / width || !(channel->times[0] >= 0) ||
        !are_finite(channel->times, channel->key_count) ||
        !are_finite(channel->values, channel->key_count * width))
        return false;
    for (uint32_t k = 1; k < channel->key_count; k++)
        if (!(channel->times[k] > channel->times[k - 1]))
            return false;
    return true;
}

graze_status grazei_gltf_check_clip(grazei_gltf_writer *writer, const graze_rig_clip *clip,
                                    uint32_t number)
{
    const graze_rig *rig = writer->rig;
    if (clip->channel_count == 0)
        return grazei_gltf_refuse(writer, GRAZE_BAD_INPUT, "clip %u has no channels", number);
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const graze_rig_channel *channel = &clip->channels[i];
        if (!is_good_channel(rig, channel))
            return grazei_gltf_refuse(writer, GRAZE_BAD_INPUT,
                                      "clip %u, channel %u: bad target, keys that do not "
                                      "ascend from 0, or numbers that are not finite",
                                      number, i);
        if (channel->path == GRAZE_RIG_WEIGHTS && channel->morph_count != rig->morph_count)
            return grazei_gltf_refuse(writer, GRAZE_UNSUPPORTED,
                                      "clip %u, channel %u: animates %u of %u morph targets; "
                                      "only all of them at once can be saved",
                                      number, i, channel->morph_count, rig->morph_count);
    }
    return GRAZE_OK;
}

graze_status grazei_gltf_check_rig(grazei_gltf_writer *writer)
{
    const graze_rig *rig = writer->rig;
    if (rig->joint_count > 65536)
        return grazei_gltf_refuse(writer, GRAZE_UNSUPPORTED, "%u joints are more than 65536",
                                  rig->joint_count);
    if (rig->vertex_count == 0 || rig->triangle_count == 0 || rig->joint_count == 0)
        return grazei_gltf_refuse(writer, GRAZE_BAD_INPUT, "no vertices, triangles or joints");
    if (!rig->influence_offsets || !rig->influences)
        return grazei_gltf_refuse(writer, GRAZE_BAD_INPUT, "no influences");
    if (rig->node_count >= GRAZE_NONE - 65536 - 2 || rig->triangle_count > UINT32_MAX / 3)
        return grazei_gltf_refuse(writer, GRAZE_UNSUPPORTED, "too many nodes or triangles");
    graze_status status = check_mesh(writer);
    if (status == GRAZE_OK)
        status = check_influences(writer);
    if (status == GRAZE_OK)
        status = check_nodes(writer);
    if (status == GRAZE_OK)
        status = check_morphs(writer);
    return status;
}
