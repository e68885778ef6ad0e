/* From a clip and a time to joint matrices: local maps, global maps, times inverse binds. */
#include "sample.h"
#include "curve.h"

#include <math.h>

/* Three rows of four, in double. */
typedef struct affine {
    double m[12];
} affine;

typedef enum node_state { NODE_LOCAL = 0, NODE_WAITING = 1, NODE_GLOBAL = 2 } node_state;

/* One node while a pose is composed. */
typedef struct posed_node {
    affine map; /* global once state says so */
    node_state state;
    uint32_t waiting; /* the child that waits for this node, or GRAZE_NONE */
} posed_node;

static affine multiply(const affine *a, const affine *b)
{
    affine product;
    for (int row = 0; row < 3; row++) {
        const double *r = a->m + row * 4;
        for (int column = 0; column < 4; column++)
            product.m[row * 4 + column] = r[0] * b->m[column] + r[1] * b->m[4 + column] +
                                          r[2] * b->m[8 + column] + (column == 3 ? r[3] : 0);
    }
    return product;
}

static affine widen(const float rows[12])
{
    affine result;
    for (int i = 0; i < 12; i++)
        result.m[i] = rows[i];
    return result;
}

static affine compose(const graze_rig_local *node)
{
    double x = node->rotation[0], y = node->rotation[1], z = node->rotation[2];
    double w = node->rotation[3];
    const double turn[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
        2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
        2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    affine result;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            result.m[row * 4 + column] = turn[row * 3 + column] * node->scale[column];
        result.m[row * 4 + 3] = node->translation[row];
    }
    return result;
}

static void take_rest(const graze_rig *rig, graze_rig_local *locals)
{
    for (uint32_t i = 0; i < rig->node_count; i++) {
        const graze_rig_node *node = &rig->nodes[i];
        for (int axis = 0; axis < 3; axis++) {
            locals[i].translation[axis] = node->translation[axis];
            locals[i].scale[axis] = node->scale[axis];
        }
        for (int k = 0; k < 4; k++)
            locals[i].rotation[k] = node->rotation[k];
        grazei_rig_normalise(locals[i].rotation);
    }
}

static graze_status apply_channel(const graze_rig *rig, const graze_rig_channel *channel,
                                  double time, graze_rig_local *locals)
{
    if (channel->key_count == 0 || channel->node >= rig->node_count)
        return GRAZE_BAD_INPUT;
    grazei_rig_span span = grazei_rig_find_span(channel, time);
    graze_rig_local *node = &locals[channel->node];
    if (channel->path == GRAZE_RIG_ROTATION) {
        grazei_rig_rotation(channel, &span, node->rotation);
        return GRAZE_OK;
    }
    double *target = channel->path == GRAZE_RIG_SCALE ? node->scale : node->translation;
    for (uint32_t axis = 0; axis < 3; axis++)
        target[axis] = grazei_rig_component(channel, &span, 3, axis);
    return GRAZE_OK;
}

static graze_status sample_locals(const graze_rig *rig, const graze_rig_clip *clip, double time,
                                  graze_rig_local *locals)
{
    take_rest(rig, locals);
    for (uint32_t i = 0; clip && i < clip->channel_count; i++) {
        if (clip->channels[i].path == GRAZE_RIG_WEIGHTS)
            continue;
        graze_status status = apply_channel(rig, &clip->channels[i], time, locals);
        if (status != GRAZE_OK)
            return status;
    }
    return GRAZE_OK;
}

/* Makes the map of one node global: climbs to the nearest ancestor that is, then comes back down.
 * Each node climbs once, so all nodes together take linear time and no recursion.
 */
static graze_status resolve(const graze_rig *rig, const graze_rig_local *locals, posed_node *posed,
                            uint32_t index)
{
    uint32_t child = GRAZE_NONE;
    while (index != GRAZE_NONE && posed[index].state != NODE_GLOBAL) {
        if (posed[index].state == NODE_WAITING)
            return GRAZE_BAD_INPUT; /* a cycle */
        posed[index].state = NODE_WAITING;
        posed[index].waiting = child;
        child = index;
        index = rig->nodes[index].parent;
        if (index != GRAZE_NONE && index >= rig->node_count)
            return GRAZE_BAD_INPUT;
    }
    while (child != GRAZE_NONE) {
        posed_node *node = &posed[child];
        const graze_rig_node *source = &rig->nodes[child];
        affine local = source->has_matrix ? widen(source->matrix) : compose(&locals[child]);
        node->map = index == GRAZE_NONE ? local : multiply(&posed[index].map, &local);
        node->state = NODE_GLOBAL;
        index = child;
        child = node->waiting;
    }
    return GRAZE_OK;
}

static graze_status compose_joints(const graze_rig *rig, const graze_rig_local *locals,
                                   posed_node *posed, float *joints)
{
    for (uint32_t i = 0; i < rig->node_count; i++)
        posed[i].state = NODE_LOCAL;
    for (uint32_t j = 0; j < rig->joint_count; j++) {
        const graze_rig_joint *joint = &rig->joints[j];
        if (joint->node >= rig->node_count)
            return GRAZE_BAD_INPUT;
        graze_status status = resolve(rig, locals, posed, joint->node);
        if (status != GRAZE_OK)
            return status;
        affine bind = widen(joint->inverse_bind);
        affine matrix = multiply(&posed[joint->node].map, &bind);
        for (int i = 0; i < 12; i++)
            joints[(size_t)j * 12 + i] = (float)matrix.m[i];
    }
    return GRAZE_OK;
}

graze_status grazei_rig_compose(const graze_rig *rig, const graze_rig_local *locals, float *joints)
{
    posed_node *posed = grazei_rig_allocate(rig, rig->node_count, sizeof *posed);
    graze_status status = posed ? compose_joints(rig, locals, posed, joints) : GRAZE_OUT_OF_MEMORY;
    grazei_rig_release(rig, posed);
    return status;
}

static graze_status sample_joints(const graze_rig *rig, const graze_rig_clip *clip, double time,
                                  float *joints)
{
    if (rig->joint_count == 0)
        return GRAZE_OK;
    if (rig->node_count == 0)
        return GRAZE_BAD_INPUT;
    graze_rig_local *locals = grazei_rig_allocate(rig, rig->node_count, sizeof *locals);
    graze_status status = locals ? sample_locals(rig, clip, time, locals) : GRAZE_OUT_OF_MEMORY;
    if (!status)
        status = grazei_rig_compose(rig, locals, joints);
    grazei_rig_release(rig, locals);
    return status;
}

static graze_status sample_weights(const graze_rig *rig, const graze_rig_clip *clip, double time,
                                   float *weights)
{
    for (uint32_t m = 0; m < rig->morph_count; m++)
        weights[m] = rig->morphs[m].weight;
    for (uint32_t i = 0; clip && i < clip->channel_count; i++) {
        const graze_rig_channel *channel = &clip->channels[i];
        if (channel->path != GRAZE_RIG_WEIGHTS)
            continue;
        if (channel->key_count == 0 || channel->first_morph > rig->morph_count ||
            channel->morph_count > rig->morph_count - channel->first_morph)
            return GRAZE_BAD_INPUT;
        grazei_rig_span span = grazei_rig_find_span(channel, time);
        for (uint32_t m = 0; m < channel->morph_count; m++)
            weights[channel->first_morph + m] =
                (float)grazei_rig_component(channel, &span, channel->morph_count, m);
    }
    return GRAZE_OK;
}

/* Only what is asked for. */
static graze_status sample(const graze_rig *rig, uint32_t clip, double time, float *joints,
                           graze_rig_local *locals, float *morph_weights)
{
    if (!isfinite(time) || (clip != GRAZE_NONE && clip >= rig->clip_count))
        return GRAZE_BAD_INPUT;
    const graze_rig_clip *chosen = clip == GRAZE_NONE ? NULL : &rig->clips[clip];
    graze_status status = GRAZE_OK;
    if (joints)
        status = sample_joints(rig, chosen, time, joints);
    if (status == GRAZE_OK && locals)
        status = sample_locals(rig, chosen, time, locals);
    if (status == GRAZE_OK && morph_weights)
        status = sample_weights(rig, chosen, time, morph_weights);
    return status;
}

graze_status graze_rig_sample(const graze_rig *rig, uint32_t clip, double time, float *joints,
                              float *morph_weights)
{
    return sample(rig, clip, time, joints, NULL, morph_weights);
}

graze_status grazei_rig_sample_locals(const graze_rig *rig, uint32_t clip, double time,
                                      graze_rig_local *locals, float *morph_weights)
{
    return sample(rig, clip, time, NULL, locals, morph_weights);
}
