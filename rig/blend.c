/* Several clips at once. */
#include "curve.h"
#include "sample.h"

#include <math.h>
#include <string.h>

graze_status graze_rig_sample_locals(const graze_rig *rig, uint32_t clip, double time,
                                     graze_rig_local *locals, float *morph_weights,
                                     graze_error *error)
{
    if (!rig)
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "the rig is NULL");
    graze_status status = grazei_rig_sample_locals(rig, clip, time, locals, morph_weights);
    return grazei_rig_fail_sample(rig, clip, time, status, error);
}

graze_status graze_rig_compose(const graze_rig *rig, const graze_rig_local *locals, float *joints,
                               graze_error *error)
{
    if (!rig || !locals || !joints)
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "%s NULL",
                               !rig      ? "the rig is"
                               : !locals ? "the transforms are"
                                         : "where the joints go is");
    return grazei_rig_fail_sample(rig, GRAZE_NONE, 0, grazei_rig_compose(rig, locals, joints),
                                  error);
}

/* ---- blending ------------------------------------------------------------------------------- */

/* Adds a share of one transform. Quaternions q and -q are one rotation: the one on the side of what
 * is there is added.
 */
static void add_local(graze_rig_local *sum, const graze_rig_local *part, double share)
{
    double side = 0;
    for (int k = 0; k < 4; k++)
        side += sum->rotation[k] * part->rotation[k];
    for (int k = 0; k < 4; k++)
        sum->rotation[k] += (side < 0 ? -share : share) * part->rotation[k];
    for (int k = 0; k < 3; k++) {
        sum->translation[k] += share * part->translation[k];
        sum->scale[k] += share * part->scale[k];
    }
}

/* Adds the share of a layer, which is sampled into part and weights. */
static graze_status add_layer(const graze_rig *rig, const graze_rig_layer *layer, double share,
                              graze_rig_local *part, float *part_weights, graze_rig_local *locals,
                              double *weights)
{
    graze_status status =
        grazei_rig_sample_locals(rig, layer->clip, layer->time, part, part_weights);
    for (uint32_t i = 0; i < rig->node_count && !status; i++)
        add_local(&locals[i], &part[i], share);
    for (uint32_t m = 0; m < rig->morph_count && !status; m++)
        weights[m] += share * part_weights[m];
    return status;
}

/* All layers with a weight, in memory of their own, so that the caller's stays as it is where one
 * fails. part and part_weights: room for a sample.
 */
static graze_status blend(const graze_rig *rig, const graze_rig_layer *layers, uint32_t count,
                          graze_rig_local *sum, double *sum_weights, graze_error *error)
{
    graze_rig_local *part = grazei_rig_allocate(rig, rig->node_count, sizeof *part);
    float *part_weights = grazei_rig_allocate(rig, rig->morph_count, sizeof *part_weights);
    graze_status status = part && part_weights ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
    double total = 0;
    uint32_t i = 0;
    for (uint32_t k = 0; k < count; k++)
        total += layers[k].weight;
    for (; i < count && !status; i++)
        if (layers[i].weight > 0)
            status = add_layer(rig, &layers[i], layers[i].weight / total, part, part_weights, sum,
                               sum_weights);
    for (uint32_t n = 0; n < rig->node_count && !status; n++)
        grazei_rig_normalise(sum[n].rotation);
    grazei_rig_release(rig, part);
    grazei_rig_release(rig, part_weights);
    const graze_rig_layer *last = &layers[i ? i - 1 : 0];
    return grazei_rig_fail_sample(rig, last->clip, last->time, status, error);
}

/* The number of layers that count, and the last of them; 0 after an error. */
static uint32_t check_layers(const graze_rig *rig, const graze_rig_layer *layers, uint32_t count,
                             const graze_rig_layer **last, graze_error *error)
{
    uint32_t used = 0;
    double total = 0;
    if (!rig || !layers) {
        grazei_rig_fail(error, GRAZE_BAD_INPUT, "%s NULL", rig ? "layers are" : "the rig is");
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        total += layers[i].weight;
        if (!(layers[i].weight >= 0) || !isfinite(total)) {
            grazei_rig_fail(error, GRAZE_BAD_INPUT, "layer %u has weight %g", i, layers[i].weight);
            return 0;
        }
        if (layers[i].weight > 0) {
            used++;
            *last = &layers[i];
        }
    }
    if (!used)
        grazei_rig_fail(error, GRAZE_BAD_INPUT, "no layer has a weight");
    return used;
}

graze_status graze_rig_blend(const graze_rig *rig, const graze_rig_layer *layers, uint32_t count,
                             graze_rig_local *locals, float *morph_weights, graze_error *error)
{
    const graze_rig_layer *only = NULL;
    uint32_t used = check_layers(rig, layers, count, &only, error);
    if (!used)
        return GRAZE_BAD_INPUT;
    if (used == 1)
        return graze_rig_sample_locals(rig, only->clip, only->time, locals, morph_weights, error);
    graze_rig_local *sum = grazei_rig_allocate(rig, rig->node_count, sizeof *sum);
    double *weights = grazei_rig_allocate(rig, rig->morph_count, sizeof *weights);
    graze_status status = GRAZE_OUT_OF_MEMORY;
    if (sum && weights) {
        memset(sum, 0, rig->node_count * sizeof *sum);
        memset(weights, 0, rig->morph_count * sizeof *weights);
        status = blend(rig, layers, count, sum, weights, error);
    } else {
        grazei_rig_fail(error, status, "out of memory");
    }
    if (!status && locals)
        memcpy(locals, sum, rig->node_count * sizeof *sum);
    for (uint32_t m = 0; m < rig->morph_count && !status && morph_weights; m++)
        morph_weights[m] = (float)weights[m];
    grazei_rig_release(rig, sum);
    grazei_rig_release(rig, weights);
    return status;
}
