/* Average time per frame of each kind of skinning: lazy, bottom-up, eager (table 2). */
#include "bench/sbs_tables.h"

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

static void print_ratios(const struct paper_scene *paper, const bench_time *times)
{
    double us[ROW_COUNT];
    for (int r = 0; r < ROW_COUNT; r++)
        us[r] = times[r].least;
    const double ours = us[ROW_SPHERICAL] / us[ROW_LINEAR],
                 corners = us[ROW_SPHERICAL_CORNERS] / us[ROW_LINEAR_CORNERS],
                 boxes = us[ROW_SPHERICAL_BOXES] / us[ROW_LINEAR_BOXES],
                 there = paper->spherical_ms / paper->linear_ms,
                 dual = us[ROW_DUAL] / us[ROW_LINEAR],
                 dual_boxes = us[ROW_DUAL_BOXES] / us[ROW_LINEAR_BOXES],
                 bottom_up = us[ROW_BOTTOM_UP] / us[ROW_SPHERICAL],
                 bottom_up_there = paper->bottom_up_ms / paper->spherical_ms;
    bench_json_row("sbs",
                   "scene:%s first:%b spherical_to_linear:%.3f spherical_to_linear_corners:%.3f "
                   "spherical_to_linear_boxes:%.3f spherical_to_linear_paper:%.3f "
                   "dual_to_linear:%.3f dual_to_linear_boxes:%.3f bottom_up_to_spherical:%.2f "
                   "bottom_up_to_spherical_paper:%.2f",
                   ROW_TEXTS(paper->name),
                   ROW_NUMBERS(paper->first, ours, corners, boxes, there, dual, dual_boxes,
                               bottom_up, bottom_up_there));
    bench_say("  spherical / linear: %.2f our way, %.2f corners, %.2f default tree (paper %.2f)\n"
              "  dual / linear: %.2f our way, %.2f default tree\n"
              "  bottom-up / lazy, spherical: %.1f our way, %.1f corners (paper %.1f)\n"
              "  eager boxes / default lazy: %.1f linear, %.1f spherical, %.1f dual\n",
              ours, corners, boxes, there, dual, dual_boxes, bottom_up,
              us[ROW_BOTTOM_UP] / us[ROW_SPHERICAL_CORNERS], bottom_up_there,
              us[ROW_LINEAR_EAGER] / us[ROW_LINEAR_BOXES],
              us[ROW_SPHERICAL_EAGER] / us[ROW_SPHERICAL_BOXES],
              us[ROW_DUAL_EAGER] / us[ROW_DUAL_BOXES]);
}

void sbs_scene(const char *name, bool first)
{
    const struct paper_scene *paper = paper_scenes;
    struct stage stage;
    scene_means means;
    while (strcmp(paper->name, name) != 0 || paper->first != first)
        paper++;
    const double paper_ms[ROW_COUNT] = {[ROW_LINEAR] = paper->linear_ms,
                                        [ROW_SPHERICAL] = paper->spherical_ms,
                                        [ROW_BOTTOM_UP] = paper->bottom_up_ms};
    sbs_open(&stage, name, SBS_TREE_COUNT);
    scene_measure(&stage, rows, ROW_COUNT, 1, first, &means);
    stage_close(&stage);
    bench_say("\n%s, %s: %u frames\n  %-30s %-10s %10s %10s %9s %9s %9s %8s %9s\n", name,
              first ? "first hit" : "all pairs", means.frames, "", "", "us", "median", "refitted",
              "tests", "triangles", "pairs", "paper us");
    for (int r = 0; r < ROW_COUNT; r++)
        bench_row("sbs",
                  "scene:%s first:%b method:%s:%-30s skinning:%s:%-10s us:%.3f:%10.2f "
                  "us_median:%.3f:%10.2f nodes_refit:%.1f:%9.0f bound_tests:%.1f:%9.0f "
                  "triangle_tests:%.1f:%9.0f pairs:%.2f:%8.1f :%9.0f",
                  ROW_TEXTS(name, rows[r].name, scene_skinning_name(rows[r].skinning)),
                  ROW_NUMBERS(first, means.times[r].least, means.times[r].middle, means.nodes[r],
                              means.tests[r], means.triangles[r], means.hits[r],
                              paper_ms[r] > 0 ? paper_ms[r] * 1e3 : NAN));
    print_ratios(paper, means.times);
}
