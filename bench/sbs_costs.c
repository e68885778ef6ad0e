/* What one bound, one vertex and one pose cost with each kind of skinning. */
#include "bench/measure.h"
#include "bench/sbs_tables.h"
#include "bench/scene_rows.h"

#include <graze/reference.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cost_task {
    struct stage *stage;
    uint32_t tree;
    float *positions;
};

static void bound_everything(void *user)
{
    struct cost_task *task = user;
    graze_body_bound_all(task->stage->bodies[task->tree][0]);
}

static void pose_everything(void *user)
{
    struct cost_task *task = user;
    graze_body *body = task->stage->bodies[task->tree][0];
    graze_body_drop_caches(body);
    graze_body_get_positions(body, task->positions);
}

enum { POSES = 16 };

static void take_poses(void *user)
{
    struct cost_task *task = user;
    for (int i = 0; i < POSES; i++)
        stage_pose_body(task->stage, task->tree, 0);
}

enum { COST_BOUND, COST_VERTEX, COST_POSE, COST_COUNT };

/* Nanoseconds a bound, a vertex and a pose for each tree, all trees interleaved. */
static bool measure(struct stage *stage, uint32_t rounds, double ns[][COST_COUNT])
{
    static void (*const runs[COST_COUNT])(void *) = {bound_everything, pose_everything, take_poses};
    struct cost_task tasks[SBS_LINEAR_FAT];
    bench_method methods[SBS_LINEAR_FAT * COST_COUNT];
    bench_samples samples[SBS_LINEAR_FAT * COST_COUNT];
    uint32_t vertices = graze_model_get_info(stage->models[0][0]).vertex_count;
    float *positions = malloc(3 * sizeof(float) * vertices);
    memset(samples, 0, sizeof samples);
    if (!positions || !stage_frame(stage, stage->scene->frame_count / 2)) {
        free(positions);
        return false;
    }
    for (uint32_t t = 0; t < SBS_LINEAR_FAT; t++) {
        stage_pose(stage, t);
        tasks[t] = (struct cost_task){stage, t, positions};
        for (uint32_t c = 0; c < COST_COUNT; c++)
            methods[t * COST_COUNT + c] = (bench_method){"", runs[c], &tasks[t]};
    }
    bench_interleave(methods, SBS_LINEAR_FAT * COST_COUNT, rounds, samples);
    for (uint32_t t = 0; t < SBS_LINEAR_FAT; t++) {
        double counts[COST_COUNT] = {graze_model_get_info(stage->models[t][0]).node_count, vertices,
                                     POSES};
        for (uint32_t c = 0; c < COST_COUNT; c++)
            ns[t][c] = bench_least(&samples[t * COST_COUNT + c]) * 1e3 / counts[c];
    }
    free(positions);
    return true;
}

static void print_costs(const bench_options *options, const struct stage *stage, const char *model,
                        double ns[][COST_COUNT])
{
    for (uint32_t t = 0; t < SBS_LINEAR_FAT; t++) {
        const char *tree = t < SBS_LINEAR_CORNERS ? "paper's tree, our way"
                           : t < SBS_LINEAR_BOXES ? "paper's tree, corners"
                                                  : "default tree";
        const char *skinning = scene_skinning_name(stage->skinnings[t]);
        uint32_t linear = t < SBS_LINEAR_CORNERS ? SBS_LINEAR
                          : t < SBS_LINEAR_BOXES ? SBS_LINEAR_CORNERS
                                                 : SBS_LINEAR_BOXES;
        uint32_t nodes = graze_model_get_info(stage->models[t][0]).node_count;
        if (options->json)
            printf("{\"table\":\"sbs_costs\",\"model\":\"%s\",\"tree\":\"%s\",\"skinning\":\"%s\","
                   "\"nodes\":%u,\"ns_bound\":%.2f,\"bound_to_linear\":%.3f,\"ns_vertex\":%.2f,"
                   "\"us_pose\":%.3f}\n",
                   model, tree, skinning, nodes, ns[t][COST_BOUND],
                   ns[t][COST_BOUND] / ns[linear][COST_BOUND], ns[t][COST_VERTEX],
                   ns[t][COST_POSE] * 1e-3);
        else
            printf("  %-10s %-24s %-10s %8u %10.1f %9.2f %12.2f %10.2f\n", model, tree, skinning,
                   nodes, ns[t][COST_BOUND], ns[t][COST_BOUND] / ns[linear][COST_BOUND],
                   ns[t][COST_VERTEX], ns[t][COST_POSE] * 1e-3);
    }
}

bool sbs_costs(const bench_options *options)
{
    static const char *scenes[2] = {"men", "creatures"}, *models[2] = {"man", "creature"};
    if (!options->json)
        printf(
            "\ncost of one bound from the pose (mean over all nodes), of one posed vertex and of "
            "taking over a pose\n(paper, man: 1210 ns a sphere linear, 1310 spherical, 1.08 "
            "times)\n  %-10s %-24s %-10s %8s %10s %9s %12s %10s\n",
            "", "", "", "nodes", "ns a bound", "/ linear", "ns a vertex", "us a pose");
    for (int i = 0; i < 2; i++) {
        struct stage stage;
        double ns[SBS_LINEAR_FAT][COST_COUNT];
        if (!sbs_open(&stage, scenes[i], SBS_LINEAR_FAT))
            return false;
        bool ok = measure(&stage, options->rounds < 20 ? 20 : options->rounds, ns);
        if (ok)
            print_costs(options, &stage, models[i], ns);
        stage_close(&stage);
        if (!ok)
            return false;
        fflush(stdout);
    }
    return true;
}
