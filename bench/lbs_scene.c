/* Average time per frame: lazy, bottom-up, eager. */
#include "bench/lbs_tables.h"
#include "bench/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum way { WAY_LAZY, WAY_BOTTOM_UP, WAY_EAGER };

struct task {
    struct stage *stage;
    uint32_t tree;
    enum way way;
    bool first;
    size_t hits; /* of the last run */
    graze_stats stats;
};

static void collide_pair(struct task *task, graze_body *a, graze_body *b)
{
    if (task->way == WAY_EAGER)
        graze_collide_eager(a, b, task->first, stage_count, &task->hits, &task->stats, NULL);
    else if (task->first)
        task->hits += stage_meet(a, b, &task->stats);
    else
        graze_collide(a, b, stage_count, &task->hits, &task->stats, NULL);
}

/* One frame from joint matrices to the answer, every pair of bodies. */
static void run_task(void *user)
{
    struct task *task = user;
    struct stage *stage = task->stage;
    graze_body **bodies = stage->bodies[task->tree];
    task->hits = 0;
    memset(&task->stats, 0, sizeof task->stats);
    stage_pose(stage, task->tree);
    for (uint32_t b = 0; task->way == WAY_BOTTOM_UP && b < stage->body_count; b++)
        graze_body_refit_all(bodies[b]);
    for (uint32_t a = 0; a < stage->body_count; a++)
        for (uint32_t b = a + 1; b < stage->body_count; b++)
            collide_pair(task, bodies[a], bodies[b]);
}

typedef struct way_row {
    const char *name;
    uint32_t tree;
    enum way way;
} way_row;

enum { ROW_CORNERS, ROW_SPHERES, ROW_BOTTOM_UP, ROW_DEFAULT, ROW_EAGER, ROW_COUNT };

static const way_row rows[ROW_COUNT] = {
    {"paper's tree, lazy, refit by corners", LBS_CORNERS, WAY_LAZY},
    {"paper's tree, lazy, refit our way", LBS_SPHERES, WAY_LAZY},
    {"paper's tree, bottom-up refit", LBS_SPHERES, WAY_BOTTOM_UP},
    {"default tree, lazy", LBS_DEFAULT, WAY_LAZY},
    {"boxes with fat leaves, eager, whole-mesh cull", LBS_FAT, WAY_EAGER},
};

typedef struct scene_sums {
    double least[ROW_COUNT], middle[ROW_COUNT];
    double hits, nodes[ROW_COUNT], tests[ROW_COUNT];
    uint32_t frames;
} scene_sums;

static bool measure_frame(struct stage *stage, uint32_t frame, uint32_t rounds, bool first,
                          scene_sums *sums)
{
    struct task tasks[ROW_COUNT];
    bench_method methods[ROW_COUNT];
    bench_samples samples[ROW_COUNT];
    memset(samples, 0, sizeof samples);
    if (!stage_frame(stage, frame))
        return false;
    for (int r = 0; r < ROW_COUNT; r++) {
        tasks[r] =
            (struct task){.stage = stage, .tree = rows[r].tree, .way = rows[r].way, .first = first};
        methods[r] = (bench_method){rows[r].name, run_task, &tasks[r]};
    }
    bench_interleave(methods, ROW_COUNT, rounds, samples);
    for (int r = 0; r < ROW_COUNT; r++) {
        if (tasks[r].hits != tasks[0].hits) {
            fprintf(stderr, "graze: frame %u: %zu hits with %s, %zu with %s\n", frame,
                    tasks[r].hits, rows[r].name, tasks[0].hits, rows[0].name);
            return false;
        }
        sums->least[r] += bench_least(&samples[r]);
        sums->middle[r] += bench_middle(&samples[r]);
        sums->nodes[r] += (double)tasks[r].stats.nodes_refit;
        sums->tests[r] += (double)tasks[r].stats.bound_tests;
    }
    sums->hits += (double)tasks[0].hits;
    sums->frames++;
    return true;
}

static const struct paper_scene {
    const char *name;
    bool first;
    double lazy_ms, bottom_up_ms;
} paper_scenes[] = {{"men", false, 0.36, 18.13},
                    {"creatures", false, 6.97, 37.1},
                    {"creatures", true, 0.82, 30.18},
                    {"crowd", false, 52.83, 779.3}};

static void print_scene(const bench_options *options, const struct paper_scene *paper,
                        const scene_sums *sums)
{
    double frames = sums->frames;
    double ratios[3] = {sums->least[ROW_BOTTOM_UP] / sums->least[ROW_SPHERES],
                        sums->least[ROW_BOTTOM_UP] / sums->least[ROW_CORNERS],
                        sums->least[ROW_EAGER] / sums->least[ROW_DEFAULT]};
    if (options->json) {
        for (int r = 0; r < ROW_COUNT; r++)
            printf("{\"table\":\"lbs\",\"scene\":\"%s\",\"first\":%s,\"method\":\"%s\","
                   "\"us\":%.3f,\"us_median\":%.3f,\"nodes_refit\":%.1f,\"bound_tests\":%.1f}\n",
                   paper->name, paper->first ? "true" : "false", rows[r].name,
                   sums->least[r] / frames, sums->middle[r] / frames, sums->nodes[r] / frames,
                   sums->tests[r] / frames);
        printf("{\"table\":\"lbs\",\"scene\":\"%s\",\"first\":%s,\"bottom_up_to_lazy\":%.2f,"
               "\"bottom_up_to_corners\":%.2f,\"eager_to_default\":%.2f,\"paper\":%.2f}\n",
               paper->name, paper->first ? "true" : "false", ratios[0], ratios[1], ratios[2],
               paper->bottom_up_ms / paper->lazy_ms);
        return;
    }
    printf("\n%s, %s: %u frames, %.1f pairs a frame\n", paper->name,
           paper->first ? "first hit" : "all pairs", sums->frames, sums->hits / frames);
    printf("  %-46s %10s %10s %9s %9s\n", "", "us", "median", "refitted", "tests");
    for (int r = 0; r < ROW_COUNT; r++)
        printf("  %-46s %10.2f %10.2f %9.0f %9.0f\n", rows[r].name, sums->least[r] / frames,
               sums->middle[r] / frames, sums->nodes[r] / frames, sums->tests[r] / frames);
    printf("  bottom-up / lazy on the paper's tree: %.1f our way, %.1f by corners (paper %.1f: "
           "%.2f / %.2f ms)\n",
           ratios[0], ratios[1], paper->bottom_up_ms / paper->lazy_ms, paper->bottom_up_ms,
           paper->lazy_ms);
    printf("  eager boxes / default lazy: %.1f\n", ratios[2]);
}

bool lbs_scene(const bench_options *options, const char *name, bool first)
{
    const struct paper_scene *paper = paper_scenes;
    while (strcmp(paper->name, name) != 0 || paper->first != first)
        paper++;
    graze_tree_def trees[LBS_TREE_COUNT];
    struct stage stage;
    scene_sums sums = {.frames = 0};
    lbs_trees(trees);
    if (!stage_open(&stage, name, trees, LBS_TREE_COUNT))
        return false;
    bool ok = true;
    uint32_t step = strcmp(name, "crowd") == 0 ? 5 : 1;
    for (uint32_t frame = 0; ok && frame < stage.scene->frame_count; frame += step)
        ok = measure_frame(&stage, frame, options->rounds, first, &sums);
    stage_close(&stage);
    if (ok)
        print_scene(options, paper, &sums);
    fflush(stdout);
    return ok;
}
