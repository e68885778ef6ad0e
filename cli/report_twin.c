#include "cli/report_parts.h"
#include "cli/room.h"

#include <math.h>

/* Of the model's size: where one byte a coordinate is as near as this, it has to do. */
#define NEAR_ENOUGH 5e-5

bool report_twin_open(struct report_twin *twin, const struct character *character)
{
    graze_error error;
    graze_model_def def = graze_rig_model_def(character->rig);
    def.no_self_collision = true;
    *twin = (struct report_twin){.rig = character->rig};
    twin->positions = room(character->rig->vertex_count, 6 * sizeof(float));
    return (!graze_rig_create_model(character->rig, &def, &twin->model, &error) &&
            !graze_body_create(twin->model, &twin->body, &error)) ||
           refuse("%s: %s", character->name, error.text);
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
    return !graze_body_set_pose(twin->body, &same, &error) || refuse("%s", error.text);
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

static bool is_blended(const struct report_twin *twin, uint32_t vertex)
{
    return report_model_influences(twin->rig, vertex) > 1;
}

/* Where vertices lie less where the twin's do: a box around all offsets, the bytes of a coordinate,
 * and the offsets as parts of the box. Of vertices with one joint there are none.
 */
bool report_twin_write(struct report_twin *twin, const report_pose *pose, number_stream *stream)
{
    const size_t count = twin->rig->vertex_count;
    float *own = twin->positions, *offsets = own + 3 * count;
    box around = {{0, 0, 0}, {0, 0, 0}}, body;
    if (!pose_twin(twin, pose))
        return false;
    graze_body_get_positions(pose->body, own);
    graze_body_get_positions(twin->body, offsets);
    for (size_t i = 0; i < 3 * count; i++)
        offsets[i] = own[i] - offsets[i];
    memcpy(body.low, own, sizeof body.low);
    memcpy(body.high, own, sizeof body.high);
    for (uint32_t v = 0; v < count; v++) {
        grow(&body, own + 3 * (size_t)v);
        if (is_blended(twin, v))
            grow(&around, offsets + 3 * (size_t)v);
    }
    bool short_enough = longest_side(&around) / (2 * 255) <= NEAR_ENOUGH * longest_side(&body);
    double steps = short_enough ? 255 : 65535;
    stream_floats(stream, around.low, 3);
    stream_floats(stream, around.high, 3);
    stream_u8(stream, short_enough ? 1 : 2);
    for (size_t i = 0; i < 3 * count; i++) {
        double low = around.low[i % 3], side = (double)around.high[i % 3] - low;
        double part = side > 0 ? ((double)offsets[i] - low) / side : 0;
        if (is_blended(twin, (uint32_t)(i / 3)))
            (short_enough ? stream_u8 : stream_u16)(stream, (unsigned)(part * steps + 0.5));
    }
    return true;
}
