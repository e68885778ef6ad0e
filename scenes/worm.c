#include "scenes/worm.h"

#include "scenes/gait.h"
#include "scenes/pool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double length = 3, radius = 0.12, cap = 0.3; /* metres; the ends taper over cap */
static const double swing = 0.12, waves = 1.5;            /* of the heading, in turns */
enum { SECONDS = 2, STEPS = 16 };

static graze_status fail(graze_error *error, graze_status status, const char *text)
{
    if (error) {
        error->status = status;
        snprintf(error->text, sizeof error->text, "%s", text);
    }
    return status;
}

/* ---- the tube ----------------------------------------------------------------------------- */

/* Rings of `around` vertices, odd ones half a step further, and a vertex at each end. */
static void fill_positions(graze_rig *rig, uint32_t rings, uint32_t around)
{
    float *at = rig->positions;
    for (uint32_t r = 0; r < rings; r++) {
        double z = length * (r + 0.5) / rings, end = fmin(z, length - z);
        double share = end < cap ? 1 - end / cap : 0;
        double wide = radius * sqrt(1 - share * share);
        for (uint32_t i = 0; i < around; i++, at += 3) {
            double turn = (i + 0.5 * (r % 2)) / around;
            at[0] = (float)(wide * grazei_synth_sine(turn + 0.25));
            at[1] = (float)(wide * grazei_synth_sine(turn));
            at[2] = (float)z;
        }
    }
    at[5] = (float)length;
}

static void fill_triangles(graze_rig *rig, uint32_t rings, uint32_t around)
{
    uint32_t *corner = rig->triangles, tip = rings * around;
    for (uint32_t r = 0; r + 1 < rings; r++)
        for (uint32_t i = 0; i < around; i++, corner += 6) {
            uint32_t next = (i + 1) % around, row = r * around, above = row + around;
            const uint32_t even[6] = {row + i,    row + next,   above + i,
                                      row + next, above + next, above + i};
            const uint32_t odd[6] = {row + i, row + next,   above + next,
                                     row + i, above + next, above + i};
            memcpy(corner, r % 2 ? odd : even, sizeof even);
        }
    for (uint32_t i = 0; i < around; i++, corner += 6) {
        uint32_t next = (i + 1) % around, last = (rings - 1) * around;
        uint32_t two[6] = {tip, next, i, tip + 1, last + i, last + next};
        memcpy(corner, two, sizeof two);
    }
}

static bool fill_mesh(graze_rig *rig, uint32_t triangles)
{
    uint32_t around = (uint32_t)sqrt(triangles / 8.0);
    around = around < 4 ? 4 : around;
    uint32_t rings = triangles / (2 * around);
    uint32_t vertices = rings * around + 2;
    rig->positions = grazei_synth_keep(&rig->allocator, 3 * (size_t)vertices, sizeof(float));
    rig->triangles =
        grazei_synth_keep(&rig->allocator, 6 * (size_t)rings * around, sizeof(uint32_t));
    if (!rig->positions || !rig->triangles)
        return false;
    rig->vertex_count = vertices;
    rig->triangle_count = 2 * rings * around;
    fill_positions(rig, rings, around);
    fill_triangles(rig, rings, around);
    return true;
}

/* ---- the skin ----------------------------------------------------------------------------- */

/* The values of the `order` uniform B-splines that are not zero at t in [0, 1) of a knot's span, by
 * the recurrence of Cox and de Boor.
 */
static void spline_weights(double t, uint32_t order, double *weights)
{
    weights[0] = 1;
    for (uint32_t degree = 1; degree < order; degree++) {
        double saved = 0;
        for (uint32_t r = 0; r < degree; r++) {
            double part = weights[r] / degree;
            weights[r] = saved + (r + 1 - t) * part;
            saved = (t + degree - r - 1) * part;
        }
        weights[degree] = saved;
    }
}

/* Joints beyond the ends give their share to the last one. Returns how many there are. */
static uint32_t bind(const graze_worm_def *def, double z, graze_influence *influences)
{
    double weights[GRAZE_WORM_INFLUENCES];
    double place = z / length * def->joints + 0.5 * (def->influences - 1.0);
    int64_t first = (int64_t)floor(place);
    uint32_t count = 0;
    spline_weights(place - (double)first, def->influences, weights);
    first -= def->influences - 1;
    for (uint32_t i = 0; i < def->influences; i++) {
        int64_t joint = first + i, last = (int64_t)def->joints - 1;
        joint = joint < 0 ? 0 : joint > last ? last : joint;
        if (weights[i] <= 0)
            continue;
        if (count == 0 || influences[count - 1].joint != joint)
            influences[count++] = (graze_influence){(uint32_t)joint, 0};
        influences[count - 1].weight += (float)weights[i];
    }
    return count;
}

static bool fill_skin(graze_rig *rig, const graze_worm_def *def)
{
    rig->influence_offsets =
        grazei_synth_keep(&rig->allocator, (size_t)rig->vertex_count + 1, sizeof(uint32_t));
    rig->influences = grazei_synth_keep(
        &rig->allocator, (size_t)rig->vertex_count * def->influences, sizeof(graze_influence));
    if (!rig->influence_offsets || !rig->influences)
        return false;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        uint32_t first = rig->influence_offsets[v];
        rig->influence_offsets[v + 1] =
            first + bind(def, rig->positions[3 * (size_t)v + 2], rig->influences + first);
    }
    return true;
}

/* ---- the motion --------------------------------------------------------------------------- */

static bool fill_joints(graze_rig *rig, uint32_t count)
{
    rig->nodes = grazei_synth_keep(&rig->allocator, count, sizeof(graze_rig_node));
    rig->joints = grazei_synth_keep(&rig->allocator, count, sizeof(graze_rig_joint));
    if (!rig->nodes || !rig->joints)
        return false;
    rig->skinned = true;
    rig->node_count = rig->joint_count = count;
    for (uint32_t j = 0; j < count; j++) {
        graze_rig_node *node = &rig->nodes[j];
        float *inverse = rig->joints[j].inverse_bind;
        *node = (graze_rig_node){.parent = j ? j - 1 : GRAZE_NONE,
                                 .translation = {0, 0, (float)(j ? length / count : 0)},
                                 .rotation = {0, 0, 0, 1},
                                 .scale = {1, 1, 1}};
        rig->joints[j].node = j;
        inverse[0] = inverse[5] = inverse[10] = 1;
        inverse[11] = (float)(-length * j / count);
    }
    return true;
}

static double heading(double along, double time)
{
    return swing * grazei_synth_sine(waves * along - time);
}

static bool fill_channel(graze_rig *rig, uint32_t joint, graze_rig_channel *channel)
{
    channel->path = GRAZE_RIG_ROTATION;
    channel->node = joint;
    channel->key_count = STEPS + 1;
    channel->times = grazei_synth_keep(&rig->allocator, STEPS + 1, sizeof(float));
    channel->values = grazei_synth_keep(&rig->allocator, 4 * (STEPS + 1), sizeof(float));
    if (!channel->times || !channel->values)
        return false;
    for (uint32_t k = 0; k <= STEPS; k++) {
        double time = (double)(k % STEPS) / STEPS, count = rig->joint_count;
        double turn = heading(joint / count, time);
        if (joint)
            turn -= heading((joint - 1) / count, time);
        channel->times[k] = (float)SECONDS * (float)k / STEPS;
        channel->values[4 * k + 1] = (float)grazei_synth_sine(0.5 * turn);
        channel->values[4 * k + 3] = (float)grazei_synth_sine(0.5 * turn + 0.25);
    }
    return true;
}

static bool fill_clip(graze_rig *rig)
{
    rig->clips = grazei_synth_keep(&rig->allocator, 1, sizeof(graze_rig_clip));
    if (!rig->clips)
        return false;
    rig->clip_count = 1;
    graze_rig_clip *clip = rig->clips;
    clip->seconds = SECONDS;
    clip->name = grazei_synth_keep(&rig->allocator, sizeof "crawl", 1);
    clip->channels =
        grazei_synth_keep(&rig->allocator, rig->joint_count, sizeof(graze_rig_channel));
    if (!clip->name || !clip->channels)
        return false;
    memcpy(clip->name, "crawl", sizeof "crawl");
    while (clip->channel_count < rig->joint_count) {
        uint32_t joint = clip->channel_count++;
        if (!fill_channel(rig, joint, &clip->channels[joint]))
            return false;
    }
    return true;
}

graze_status graze_worm(const graze_worm_def *def, const graze_allocator *allocator,
                        graze_rig **rig, graze_error *error)
{
    if (def->triangles < 64 || def->triangles > 4000000)
        return fail(error, GRAZE_BAD_INPUT, "triangles must be from 64 to 4000000");
    if (def->joints < 1 || def->joints > 4096)
        return fail(error, GRAZE_BAD_INPUT, "joints must be from 1 to 4096");
    if (def->influences < 1 || def->influences > GRAZE_WORM_INFLUENCES ||
        def->influences > def->joints)
        return fail(error, GRAZE_BAD_INPUT, "influences must be from 1 to 8 and not above joints");
    graze_rig *made = graze_rig_create(allocator);
    if (!made || !fill_joints(made, def->joints) || !fill_mesh(made, def->triangles) ||
        !fill_skin(made, def) || !fill_clip(made)) {
        graze_rig_destroy(made);
        return fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    }
    *rig = made;
    return GRAZE_OK;
}
