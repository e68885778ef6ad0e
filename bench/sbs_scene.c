/* Average time per frame of each kind of skinning: lazy, bottom-up, eager (table 2). */
#include "bench/sbs_tables.h"
#include "bench/scene_rows.h"

#include <stdio.h>
#include <string.h>

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

/* The first three rows have one kind of skinning each, in the order of graze_skinning. */
static const scene_row rows[ROW_COUNT] = {
    {"paper's tree, lazy, our way", SBS_LINEAR, SCENE_LAZY, GRAZE_LINEAR},
    {"paper's tree, lazy, our way", SBS_SPHERICAL, SCENE_LAZY, GRAZE_SPHERICAL},
    {"paper's tree, lazy, our way", SBS_DUAL, SCENE_LAZY, GRAZE_DUAL},
    {"paper's tree, lazy, corners", SBS_LINEAR_CORNERS, SCENE_LAZY, GRAZE_LINEAR},
    {"paper's tree, lazy, corners", SBS_SPHERICAL_CORNERS, SCENE_LAZY, GRAZE_SPHERICAL},
    {"paper's tree, bottom-up refit", SBS_SPHERICAL, SCENE_BOTTOM_UP, GRAZE_SPHERICAL},
    {"default tree, lazy", SBS_LINEAR_BOXES, SCENE_LAZY, GRAZE_LINEAR},
    {"default tree, lazy", SBS_SPHERICAL_BOXES, SCENE_LAZY, GRAZE_SPHERICAL},
    {"default tree, lazy", SBS_DUAL_BOXES, SCENE_LAZY, GRAZE_DUAL},
    {"boxes with fat leaves, eager", SBS_LINEAR_FAT, SCENE_EAGER, GRAZE_LINEAR},
    {"boxes with fat leaves, eager", SBS_SPHERICAL_FAT, SCENE_EAGER, GRAZE_SPHERICAL},
    {"boxes with fat leaves, eager", SBS_DUAL_FAT, SCENE_EAGER, GRAZE_DUAL}};

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
               "\"nodes_refit\":%.1f,\"bound_tests\":%.1f,\"triangle_tests\":%.1f}\n",
               paper->name, first, scene_skinning_name(rows[r].skinning), rows[r].name,
               us[r] / frames, sums->middle[r] / frames, sums->hits[r] / frames,
               sums->nodes[r] / frames, sums->tests[r] / frames, sums->triangles[r] / frames);
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
    printf("\n%s, %s: %u frames\n  %-30s %-10s %10s %10s %9s %9s %9s %8s %9s\n", paper->name,
           paper->first ? "first hit" : "all pairs", sums->frames, "", "", "us", "median",
           "refitted", "tests", "triangles", "pairs", "paper us");
    for (int r = 0; r < ROW_COUNT; r++) {
        printf("  %-30s %-10s %10.2f %10.2f %9.0f %9.0f %9.0f %8.1f", rows[r].name,
               scene_skinning_name(rows[r].skinning), us[r] / frames, sums->middle[r] / frames,
               sums->nodes[r] / frames, sums->tests[r] / frames, sums->triangles[r] / frames,
               sums->hits[r] / frames);
        if (paper_ms[r] > 0)
            printf(" %9.0f", paper_ms[r] * 1e3);
        putchar('\n');
    }
    print_ratios(paper, us);
}

static bool measure_scene(const bench_options *options, const char *name, bool first)
{
    const struct paper_scene *paper = paper_scenes;
    while (strcmp(paper->name, name) != 0 || paper->first != first)
        paper++;
    struct stage stage;
    scene_sums sums = {.frames = 0};
    if (!sbs_open(&stage, name, SBS_TREE_COUNT))
        return false;
    bool ok = scene_measure(&stage, rows, ROW_COUNT, 1, options->rounds, first, &sums);
    stage_close(&stage);
    if (ok && options->json)
        print_json(paper, &sums);
    else if (ok)
        print_scene(paper, &sums);
    fflush(stdout);
    return ok;
}

bool sbs_men(const bench_options *options)
{
    return measure_scene(options, "men", false);
}

bool sbs_creatures(const bench_options *options)
{
    return measure_scene(options, "creatures", false);
}

bool sbs_creatures_first(const bench_options *options)
{
    return measure_scene(options, "creatures", true);
}
