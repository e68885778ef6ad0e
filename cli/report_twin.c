#include "cli/report_twin.h"

#include "cli/report_model.h"

#include <math.h>
#include <stdlib.h>

/* Of the model's size: where one byte a coordinate is as near as this, it has to do. */
#define NEAR_ENOUGH 5e-5

bool report_twin_open(struct report_twin *twin, const struct character *character)
{
    graze_error error = {.text = "out of memory"};
    graze_model_def def = graze_rig_model_def(character->rig);
    def.self_collision = false;
    *twin = (struct report_twin){.rig = character->rig};
    twin->positions = malloc(6 * sizeof(float) * character->rig->vertex_count);
    if (twin->positions && !graze_rig_create_model(character->rig, &def, &twin->model, &error) &&
        !graze_body_create(twin->model, &twin->body, &error))
        return true;
    fail_usage("%s: %s", character->name, error.text);
    report_twin_close(twin);
    return false;
}

void report_twin_close(struct report_twin *twin)
{
    graze_body_destroy(twin->body);
    graze_model_destroy(twin->model);
    free(twin->positions);
    *twin = (struct report_twin){.rig = NULL};
}

static bool pose_twin(struct report_twin *twin, const report_pose *pose)
{
    graze_pose same = {.joints = pose->joints,
                       .joint_count = twin->rig->joint_count,
                       .layout = GRAZE_ROWS_3X4,
                       .placement = pose->placement,
                       .morph_weights = pose->morph_weights,
                       .morph_count = twin->rig->morph_count};
    graze_error error;
    if (!graze_body_set_pose(twin->body, &same, &error))
        return true;
    fail_usage("%s", error.text);
    return false;
}

typedef struct box {
    float low[3], high[3];
} box;

static void grow(box *around, const float point[3])
{
    for (int k = 0; k < 3; k++) {
        around->low[k] = fminf(around->low[k], point[k]);
        around->high[k] = fmaxf(around->high[k], point[k]);
    }
}

static double longest_side(const box *around)
{
    double longest = 0;
    for (int k = 0; k < 3; k++)
        longest = fmax(longest, (double)around->high[k] - (double)around->low[k]);
    return longest;
}

/* Where a vertex lies less where its twin does. */
static void offset_of(const struct report_twin *twin, uint32_t vertex, float offset[3])
{
    const float *own = twin->positions + 3 * (size_t)vertex;
    const float *linear = own + 3 * (size_t)twin->rig->vertex_count;
    for (int k = 0; k < 3; k++)
        offset[k] = own[k] - linear[k];
}

static bool is_blended(const struct report_twin *twin, uint32_t vertex)
{
    return report_model_influences(twin->rig, vertex) > 1;
}

/* A box around all offsets, the bytes of a coordinate, and the offsets as parts of the box: of
 * vertices with one joint there are none.
 */
bool report_twin_write(struct report_twin *twin, const report_pose *pose, number_stream *stream)
{
    uint32_t count = twin->rig->vertex_count;
    box offsets = {{0, 0, 0}, {0, 0, 0}}, body;
    float offset[3];
    if (!pose_twin(twin, pose))
        return false;
    graze_body_get_positions(pose->body, twin->positions);
    graze_body_get_positions(twin->body, twin->positions + 3 * (size_t)count);
    for (int k = 0; k < 3; k++)
        body.low[k] = body.high[k] = twin->positions[k];
    for (uint32_t v = 0; v < count; v++) {
        grow(&body, twin->positions + 3 * (size_t)v);
        offset_of(twin, v, offset);
        if (is_blended(twin, v))
            grow(&offsets, offset);
    }
    bool short_enough = longest_side(&offsets) / (2 * 255) <= NEAR_ENOUGH * longest_side(&body);
    double steps = short_enough ? 255 : 65535;
    stream_floats(stream, offsets.low, 3);
    stream_floats(stream, offsets.high, 3);
    stream_u8(stream, short_enough ? 1 : 2);
    for (uint32_t v = 0; v < count; v++) {
        if (!is_blended(twin, v))
            continue;
        offset_of(twin, v, offset);
        for (int k = 0; k < 3; k++) {
            double side = (double)offsets.high[k] - (double)offsets.low[k];
            double part = side > 0 ? ((double)offset[k] - (double)offsets.low[k]) / side : 0;
            unsigned step = (unsigned)(part * steps + 0.5);
            (short_enough ? stream_u8 : stream_u16)(stream, step);
        }
    }
    return true;
}
