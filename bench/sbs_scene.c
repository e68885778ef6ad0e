/* Average time per frame of each kind of skinning: lazy, bottom-up, eager (table 2). */
#include "bench/measure.h"
#include "bench/sbs_tables.h"

#include <stdio.h>
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

/* One frame from joint matrices to the answer; both scenes have two bodies. */
static void run_task(void *user)
{
    struct task *task = user;
    graze_body **bodies = task->stage->bodies[task->tree], *a = bodies[0], *b = bodies[1];
    task->hits = 0;
    memset(&task->stats, 0, sizeof task->stats);
    stage_pose(task->stage, task->tree);
    if (task->way == WAY_BOTTOM_UP) {
        graze_body_refit_all(a);
        graze_body_refit_all(b);
    }
    if (task->way == WAY_EAGER)
        graze_collide_eager(a, b, task->first, stage_count, &task->hits, &task->stats, NULL);
    else if (task->first)
        task->hits += stage_meet(a, b, &task->stats);
    else
        graze_collide(a, b, stage_count, &task->hits, &task->stats, NULL);
}

enum {
    ROW_LINEAR,
    ROW_SPHERICAL,
    ROW_DUAL,
    ROW_LINEAR_CORNERS,
    ROW_SPHERICAL_CORNERS,
    ROW_BOTTOM_UP,
    ROW_LINEAR_BOXES,
    ROW_SPHERICAL_BOXES,
    ROW_DUAL_BOXES,
    ROW_LINEAR_EAGER,
    ROW_SPHERICAL_EAGER,
    ROW_DUAL_EAGER,
    ROW_COUNT
};

static const struct {
    const char *name;
    uint32_t tree;
    enum way way;
    graze_skinning skinning;
} rows[ROW_COUNT] = {
    {"paper's tree, lazy, our way", SBS_LINEAR, WAY_LAZY, GRAZE_LINEAR},
    {"paper's tree, lazy, our way", SBS_SPHERICAL, WAY_LAZY, GRAZE_SPHERICAL},
    {"paper's tree, lazy, our way", SBS_DUAL, WAY_LAZY, GRAZE_DUAL},
    {"paper's tree, lazy, corners", SBS_LINEAR_CORNERS, WAY_LAZY, GRAZE_LINEAR},
    {"paper's tree, lazy, corners", SBS_SPHERICAL_CORNERS, WAY_LAZY, GRAZE_SPHERICAL},
    {"paper's tree, bottom-up refit", SBS_SPHERICAL, WAY_BOTTOM_UP, GRAZE_SPHERICAL},
    {"default tree, lazy", SBS_LINEAR_BOXES, WAY_LAZY, GRAZE_LINEAR},
    {"default tree, lazy", SBS_SPHERICAL_BOXES, WAY_LAZY, GRAZE_SPHERICAL},
    {"default tree, lazy", SBS_DUAL_BOXES, WAY_LAZY, GRAZE_DUAL},
    {"boxes with fat leaves, eager", SBS_LINEAR_FAT, WAY_EAGER, GRAZE_LINEAR},
    {"boxes with fat leaves, eager", SBS_SPHERICAL_FAT, WAY_EAGER, GRAZE_SPHERICAL},
    {"boxes with fat leaves, eager", SBS_DUAL_FAT, WAY_EAGER, GRAZE_DUAL}};

typedef struct scene_sums {
    double least[ROW_COUNT], middle[ROW_COUNT];
    double nodes[ROW_COUNT], tests[ROW_COUNT], hits[ROW_COUNT];
    uint32_t frames;
} scene_sums;

/* The first three rows have one kind of skinning each: who moves the same skin finds as much. */
static bool check_hits(const struct task *tasks, uint32_t frame)
{
    for (int r = 0; r < ROW_COUNT; r++) {
        const struct task *model = &tasks[rows[r].skinning];
        if (tasks[r].hits == model->hits)
            continue;
        fprintf(stderr, "graze: frame %u, %s: %zu hits with %s, %zu with %s\n", frame,
                sbs_skinning_name(rows[r].skinning), tasks[r].hits, rows[r].name, model->hits,
                rows[0].name);
        return false;
    }
    return true;
}

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
        sums->least[r] += bench_least(&samples[r]);
        sums->middle[r] += bench_middle(&samples[r]);
        sums->nodes[r] += (double)tasks[r].stats.nodes_refit;
        sums->tests[r] += (double)tasks[r].stats.bound_tests;
        sums->hits[r] += (double)tasks[r].hits;
    }
    sums->frames++;
    return check_hits(tasks, frame);
}

static const struct paper_scene {
    const char *name;
    bool first;
    double linear_ms, spherical_ms, bottom_up_ms;
} paper_scenes[] = {{"men", false, 0.27, 0.31, 16.70},
                    {"creatures", false, 6.14, 7.47, 35.17},
                    {"creatures", true, 0.72, 1.44, 28.67}};

static void print_json(const struct paper_scene *paper, const scene_sums *sums)
{
    const double *us = sums->least, frames = sums->frames;
    const char *first = paper->first ? "true" : "false";
    for (int r = 0; r < ROW_COUNT; r++)
        printf("{\"table\":\"sbs\",\"scene\":\"%s\",\"first\":%s,\"skinning\":\"%s\","
               "\"method\":\"%s\",\"us\":%.3f,\"us_median\":%.3f,\"pairs\":%.2f,"
               "\"nodes_refit\":%.1f,\"bound_tests\":%.1f}\n",
               paper->name, first, sbs_skinning_name(rows[r].skinning), rows[r].name,
               us[r] / frames, sums->middle[r] / frames, sums->hits[r] / frames,
               sums->nodes[r] / frames, sums->tests[r] / frames);
    printf("{\"table\":\"sbs\",\"scene\":\"%s\",\"first\":%s,\"spherical_to_linear\":%.3f,"
           "\"spherical_to_linear_corners\":%.3f,\"spherical_to_linear_boxes\":%.3f,"
           "\"spherical_to_linear_paper\":%.3f,\"dual_to_linear\":%.3f,"
           "\"dual_to_linear_boxes\":%.3f,\"bottom_up_to_spherical\":%.2f,"
           "\"bottom_up_to_spherical_paper\":%.2f}\n",
           paper->name, first, us[ROW_SPHERICAL] / us[ROW_LINEAR],
           us[ROW_SPHERICAL_CORNERS] / us[ROW_LINEAR_CORNERS],
           us[ROW_SPHERICAL_BOXES] / us[ROW_LINEAR_BOXES], paper->spherical_ms / paper->linear_ms,
           us[ROW_DUAL] / us[ROW_LINEAR], us[ROW_DUAL_BOXES] / us[ROW_LINEAR_BOXES],
           us[ROW_BOTTOM_UP] / us[ROW_SPHERICAL], paper->bottom_up_ms / paper->spherical_ms);
}

static void print_ratios(const struct paper_scene *paper, const double *us)
{
    printf("  spherical / linear: %.2f our way, %.2f corners, %.2f default tree (paper %.2f)\n",
           us[ROW_SPHERICAL] / us[ROW_LINEAR], us[ROW_SPHERICAL_CORNERS] / us[ROW_LINEAR_CORNERS],
           us[ROW_SPHERICAL_BOXES] / us[ROW_LINEAR_BOXES], paper->spherical_ms / paper->linear_ms);
    printf("  dual / linear: %.2f our way, %.2f default tree\n", us[ROW_DUAL] / us[ROW_LINEAR],
           us[ROW_DUAL_BOXES] / us[ROW_LINEAR_BOXES]);
    printf("  bottom-up / lazy, spherical: %.1f our way, %.1f corners (paper %.1f)\n",
           us[ROW_BOTTOM_UP] / us[ROW_SPHERICAL], us[ROW_BOTTOM_UP] / us[ROW_SPHERICAL_CORNERS],
           paper->bottom_up_ms / paper->spherical_ms);
    printf("  eager boxes / default lazy: %.1f linear, %.1f spherical, %.1f dual\n",
           us[ROW_LINEAR_EAGER] / us[ROW_LINEAR_BOXES],
           us[ROW_SPHERICAL_EAGER] / us[ROW_SPHERICAL_BOXES],
           us[ROW_DUAL_EAGER] / us[ROW_DUAL_BOXES]);
}

static void print_scene(const struct paper_scene *paper, const scene_sums *sums)
{
    const double *us = sums->least, frames = sums->frames;
    const double paper_ms[ROW_COUNT] = {[ROW_LINEAR] = paper->linear_ms,
                                        [ROW_SPHERICAL] = paper->spherical_ms,
                                        [ROW_BOTTOM_UP] = paper->bottom_up_ms};
    printf("\n%s, %s: %u frames\n  %-30s %-10s %10s %10s %9s %9s %8s %9s\n", paper->name,
           paper->first ? "first hit" : "all pairs", sums->frames, "", "", "us", "median",
           "refitted", "tests", "pairs", "paper us");
    for (int r = 0; r < ROW_COUNT; r++) {
        printf("  %-30s %-10s %10.2f %10.2f %9.0f %9.0f %8.1f", rows[r].name,
               sbs_skinning_name(rows[r].skinning), us[r] / frames, sums->middle[r] / frames,
               sums->nodes[r] / frames, sums->tests[r] / frames, sums->hits[r] / frames);
        if (paper_ms[r] > 0)
            printf(" %9.0f", paper_ms[r] * 1e3);
        putchar('\n');
    }
    print_ratios(paper, us);
}

bool sbs_scene(const bench_options *options, const char *name, bool first)
{
    const struct paper_scene *paper = paper_scenes;
    while (strcmp(paper->name, name) != 0 || paper->first != first)
        paper++;
    struct stage stage;
    scene_sums sums = {.frames = 0};
    if (!sbs_open(&stage, name, SBS_TREE_COUNT))
        return false;
    bool ok = true;
    for (uint32_t frame = 0; ok && frame < stage.scene->frame_count; frame++)
        ok = measure_frame(&stage, frame, options->rounds, first, &sums);
    stage_close(&stage);
    if (ok && options->json)
        print_json(paper, &sums);
    else if (ok)
        print_scene(paper, &sums);
    fflush(stdout);
    return ok;
}
