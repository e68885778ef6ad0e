/* Average time per frame: lazy, bottom-up, eager. */
#include "bench/lbs_tables.h"
#include "bench/scene_rows.h"

#include <stdio.h>
#include <string.h>

enum { ROW_CORNERS, ROW_SPHERES, ROW_BOTTOM_UP, ROW_DEFAULT, ROW_EAGER, ROW_HASH, ROW_COUNT };

static const scene_row rows[ROW_COUNT] = {
    {"paper's tree, lazy, refit by corners", LBS_CORNERS, SCENE_LAZY, GRAZE_LINEAR},
    {"paper's tree, lazy, refit our way", LBS_SPHERES, SCENE_LAZY, GRAZE_LINEAR},
    {"paper's tree, bottom-up refit", LBS_SPHERES, SCENE_BOTTOM_UP, GRAZE_LINEAR},
    {"default tree, lazy", LBS_DEFAULT, SCENE_LAZY, GRAZE_LINEAR},
    {"boxes with fat leaves, eager, whole-mesh cull", LBS_FAT, SCENE_EAGER, GRAZE_LINEAR},
    {"spatial hashing of all triangles", LBS_FAT, SCENE_HASH, GRAZE_LINEAR},
};

static const struct paper_scene {
    const char *name;
    bool first;
    uint32_t step;
    double lazy_ms, bottom_up_ms;
} paper_scenes[] = {{"men", false, 1, 0.36, 18.13},
                    {"creatures", false, 1, 6.97, 37.1},
                    {"creatures", true, 1, 0.82, 30.18},
                    {"creatures-aside", false, 1, 6.97, 37.1},
                    {"crowd", false, 5, 52.83, 779.3}};

static void print_scene(const bench_options *options, const struct paper_scene *paper,
                        double spheres, const scene_sums *sums)
{
    double frames = sums->frames;
    double ratios[3] = {sums->least[ROW_BOTTOM_UP] / sums->least[ROW_SPHERES],
                        sums->least[ROW_BOTTOM_UP] / sums->least[ROW_CORNERS],
                        sums->least[ROW_EAGER] / sums->least[ROW_DEFAULT]};
    const double *us = sums->least;
    lbs_paper_ms there =
        lbs_at_paper_costs(sums->nodes[ROW_CORNERS] / frames, sums->tests[ROW_CORNERS] / frames,
                           spheres, sums->tests[ROW_BOTTOM_UP] / frames);
    if (options->json) {
        for (int r = 0; r < ROW_COUNT; r++)
            printf("{\"table\":\"lbs\",\"scene\":\"%s\",\"first\":%s,\"method\":\"%s\","
                   "\"us\":%.3f,\"us_median\":%.3f,\"pairs\":%.2f,\"nodes_refit\":%.1f,"
                   "\"bound_tests\":%.1f,\"triangle_tests\":%.1f}\n",
                   paper->name, paper->first ? "true" : "false", rows[r].name, us[r] / frames,
                   sums->middle[r] / frames, sums->hits[r] / frames, sums->nodes[r] / frames,
                   sums->tests[r] / frames, sums->triangles[r] / frames);
        printf("{\"table\":\"lbs\",\"scene\":\"%s\",\"first\":%s,\"bottom_up_to_lazy\":%.2f,"
               "\"bottom_up_to_corners\":%.2f,\"eager_to_default\":%.2f,\"hash_to_default\":%.2f,"
               "\"at_paper_costs\":%.2f,\"paper\":%.2f}\n",
               paper->name, paper->first ? "true" : "false", ratios[0], ratios[1], ratios[2],
               us[ROW_HASH] / us[ROW_DEFAULT], there.bottom_up / there.lazy,
               paper->bottom_up_ms / paper->lazy_ms);
        return;
    }
    printf("\n%s, %s: %u frames, %.1f pairs a frame\n", paper->name,
           paper->first ? "first hit" : "all pairs", sums->frames, sums->hits[0] / frames);
    printf("  %-46s %10s %10s %9s %9s %9s\n", "", "us", "median", "refitted", "tests", "triangles");
    for (int r = 0; r < ROW_COUNT; r++) {
        printf("  %-46s %10.2f %10.2f", rows[r].name, us[r] / frames, sums->middle[r] / frames);
        if (r != ROW_HASH)
            printf(" %9.0f %9.0f %9.0f", sums->nodes[r] / frames, sums->tests[r] / frames,
                   sums->triangles[r] / frames);
        putchar('\n');
    }
    printf("  bottom-up / lazy on the paper's tree: %.1f our way, %.1f by corners (paper %.1f: "
           "%.2f / %.2f ms)\n",
           ratios[0], ratios[1], paper->bottom_up_ms / paper->lazy_ms, paper->bottom_up_ms,
           paper->lazy_ms);
    printf(
        "  our counts at the paper's costs of a bound, a test and a sphere bottom-up: %.1f (%.2f / "
        "%.2f ms); its %.2f ms are about %.0f tests\n",
        there.bottom_up / there.lazy, there.bottom_up, there.lazy, paper->lazy_ms,
        1e6 * paper->lazy_ms / LBS_PAPER_TEST_AND_BOUNDS_NS);
    printf(
        "  eager boxes / default lazy: %.1f; spatial hashing / default lazy: %.1f, / the paper's "
        "tree our way: %.2f\n",
        ratios[2], us[ROW_HASH] / us[ROW_DEFAULT], us[ROW_HASH] / us[ROW_SPHERES]);
}

static bool measure_scene(const bench_options *options, const char *name, bool first)
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
    bool ok = scene_measure(&stage, rows, ROW_COUNT, paper->step, options->rounds, first, &sums);
    double spheres =
        (double)graze_model_get_info(stage.models[LBS_CORNERS][0]).node_count * stage.body_count;
    stage_close(&stage);
    if (ok)
        print_scene(options, paper, spheres, &sums);
    return ok;
}

bool lbs_men(const bench_options *options)
{
    return measure_scene(options, "men", false);
}

bool lbs_creatures(const bench_options *options)
{
    return measure_scene(options, "creatures", false);
}

bool lbs_creatures_first(const bench_options *options)
{
    return measure_scene(options, "creatures", true);
}

bool lbs_creatures_aside(const bench_options *options)
{
    return measure_scene(options, "creatures-aside", false);
}

bool lbs_crowd(const bench_options *options)
{
    return measure_scene(options, "crowd", false);
}
