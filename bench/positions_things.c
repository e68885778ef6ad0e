/* Meshes and their positions, frame by frame. */
#include "bench/positions.h"

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

uint32_t *positions_find_welds(const graze_rig *rig)
{
    uint32_t count = rig->vertex_count;
    rest_vertex *sorted = bench_take(count, sizeof *sorted);
    uint32_t *welds = bench_take(count, sizeof *welds);
    for (uint32_t v = 0; v < count; v++) {
        memcpy(sorted[v].position, rig->positions + 3 * (size_t)v, sizeof(float[3]));
        sorted[v].vertex = v;
    }
    qsort(sorted, count, sizeof *sorted, compare_rest);
    for (uint32_t i = 0, weld = 0; i < count; i++) {
        weld += i && compare_rest(&sorted[i - 1], &sorted[i]) != 0;
        welds[sorted[i].vertex] = weld;
    }
    free(sorted);
    return welds;
}

void positions_open(positions_thing *thing, graze_synth_kind kind, uint32_t triangles)
{
    graze_rig *rig = bench_make_rig(kind, triangles);
    graze_model_def def = graze_rig_model_def(rig);
    *thing = (positions_thing){.rig = rig,
                               .joints = bench_take(rig->joint_count, 12 * sizeof(float)),
                               .weights = bench_take(rig->morph_count, sizeof(float)),
                               .positions =
                                   bench_take(3 * (size_t)rig->vertex_count + 1, sizeof(float))};
    thing->welds = positions_find_welds(rig);
    bench_must(graze_rig_create_model(rig, NULL, &thing->model, &bench_error));
    thing->body = bench_make_body(thing->model);
    thing->source = bench_make_body(thing->model);
    def.morphs = NULL; /* the baseline knows none, and needs none here */
    def.morph_count = 0;
    thing->boxes_model = eager_model_create(&def);
    thing->boxes = eager_body_create(thing->boxes_model);
    eager_find_neighbours(thing->boxes_model, &def);
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
}

void positions_from_clip(positions_thing *thing, double time, float x, float z)
{
    const graze_rig *rig = thing->rig;
    const float placement[12] = {1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, z};
    const graze_pose pose = {.joints = thing->joints,
                             .joint_count = rig->joint_count,
                             .placement = placement,
                             .morph_weights = rig->morph_count ? thing->weights : NULL,
                             .morph_count = rig->morph_count};
    bench_must(graze_rig_sample(rig, rig->clip_count ? 0 : GRAZE_NONE, time, thing->joints,
                                thing->weights));
    bench_must(graze_body_set_pose(thing->source, &pose, &bench_error));
    graze_body_get_positions(thing->source, thing->positions);
}

void positions_gather(positions_thing *curtain, double time)
{
    for (uint32_t v = 0; v < curtain->rig->vertex_count; v++) {
        const double x = curtain->rig->positions[3 * v], y = curtain->rig->positions[3 * v + 1];
        double turn = 25.0 * x + 0.6 * sin(2 * y + time);
        float *at = curtain->positions + 3 * (size_t)v;
        at[0] = (float)(0.35 * x + 0.03 * (0.2 + y) * sin(2 * turn));
        at[1] = (float)y;
        at[2] = (float)(0.12 * sin(turn) + 0.05 * sin(3 * y + time));
    }
}
