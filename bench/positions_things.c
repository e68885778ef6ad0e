/* Meshes and their positions, frame by frame. */
#include "bench/positions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct rest_vertex {
    float position[3];
    uint32_t vertex;
} rest_vertex;

static int compare_rest(const void *left, const void *right)
{
    const rest_vertex *a = left, *b = right;
    for (int k = 0; k < 3; k++)
        if (a->position[k] != b->position[k])
            return a->position[k] < b->position[k] ? -1 : 1;
    return 0;
}

static bool find_welds(positions_thing *thing)
{
    uint32_t count = thing->rig->vertex_count;
    rest_vertex *sorted = malloc(count * sizeof *sorted);
    thing->welds = malloc(count * sizeof *thing->welds);
    if (!sorted || !thing->welds) {
        free(sorted);
        return false;
    }
    for (uint32_t v = 0; v < count; v++) {
        memcpy(sorted[v].position, thing->rig->positions + 3 * (size_t)v, sizeof(float[3]));
        sorted[v].vertex = v;
    }
    qsort(sorted, count, sizeof *sorted, compare_rest);
    for (uint32_t i = 0, weld = 0; i < count; i++) {
        weld += i && compare_rest(&sorted[i - 1], &sorted[i]) != 0;
        thing->welds[sorted[i].vertex] = weld;
    }
    free(sorted);
    return true;
}

/* The baseline knows no morph targets, and needs none here. */
static bool open_boxes(positions_thing *thing, graze_model_def def)
{
    def.morphs = NULL;
    def.morph_count = 0;
    thing->boxes_model = eager_model_create(&def);
    thing->boxes = thing->boxes_model ? eager_body_create(thing->boxes_model) : NULL;
    return thing->boxes && eager_find_neighbours(thing->boxes_model, &def);
}

bool positions_open(positions_thing *thing, const graze_synth_def *def)
{
    *thing = (positions_thing){.rig = queries_make_rig(def)};
    if (!thing->rig)
        return false;
    graze_error error = {.text = "out of memory"};
    graze_model_def model = graze_rig_model_def(thing->rig);
    thing->joints = malloc(12 * sizeof(float) * thing->rig->joint_count);
    thing->weights = calloc((size_t)thing->rig->morph_count + 1, sizeof(float));
    thing->positions = calloc(3 * (size_t)thing->rig->vertex_count + 1, sizeof(float));
    if (thing->joints && thing->weights && thing->positions && find_welds(thing) &&
        !graze_rig_create_model(thing->rig, NULL, &thing->model, &error) &&
        !graze_body_create(thing->model, &thing->body, &error) &&
        !graze_body_create(thing->model, &thing->source, &error) && open_boxes(thing, model))
        return true;
    fprintf(stderr, "graze: %s: %s\n", graze_synth_name(def->kind), error.text);
    return false;
}

void positions_close(positions_thing *thing)
{
    eager_body_destroy(thing->boxes);
    eager_model_destroy(thing->boxes_model);
    graze_body_destroy(thing->body);
    graze_body_destroy(thing->source);
    graze_model_destroy(thing->model);
    graze_rig_destroy(thing->rig);
    free(thing->joints);
    free(thing->weights);
    free(thing->positions);
    free(thing->welds);
    *thing = (positions_thing){0};
}

bool positions_from_clip(positions_thing *thing, double time, float x, float z)
{
    const graze_rig *rig = thing->rig;
    const float placement[12] = {1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, z};
    graze_pose pose = {.joints = thing->joints,
                       .joint_count = rig->joint_count,
                       .placement = placement,
                       .morph_weights = rig->morph_count ? thing->weights : NULL,
                       .morph_count = rig->morph_count};
    if (graze_rig_sample(rig, rig->clip_count ? 0 : GRAZE_NONE, time, thing->joints,
                         thing->weights) ||
        graze_body_set_pose(thing->source, &pose, NULL)) {
        fprintf(stderr, "graze: a clip cannot be sampled\n");
        return false;
    }
    graze_body_get_positions(thing->source, thing->positions);
    return true;
}

void positions_gather(positions_thing *curtain, double time)
{
    const graze_rig *rig = curtain->rig;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        const float *rest = rig->positions + 3 * (size_t)v;
        double turn = 25.0 * (double)rest[0] + 0.6 * sin(2 * (double)rest[1] + time);
        double wide = 0.03 * (0.2 + (double)rest[1]);
        float *at = curtain->positions + 3 * (size_t)v;
        at[0] = (float)(0.35 * (double)rest[0] + wide * sin(2 * turn));
        at[1] = rest[1];
        at[2] = (float)(0.12 * sin(turn) + 0.05 * sin(3 * (double)rest[1] + time));
    }
}
