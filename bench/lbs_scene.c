/* Average time per frame: lazy, bottom-up, eager; and what the constant C of collapsing is worth
 * (section 5).
 */
#include "bench/lbs_tables.h"

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

static void print_rows(const struct paper_scene *paper, const scene_means *means)
{
    bench_say("\n%s, %s: %u frames, %.1f pairs a frame\n  %-46s %10s %10s %9s %9s %9s\n",
              paper->name, paper->first ? "first hit" : "all pairs", means->frames, means->hits[0],
              "", "us", "median", "refitted", "tests", "triangles");
    for (int r = 0; r < ROW_COUNT; r++) {
        double shown = r == ROW_HASH ? NAN : 1; /* it has no tree */
        bench_row("lbs",
                  "scene:%s first:%b method:%s:%-46s us:%.3f:%10.2f us_median:%.3f:%10.2f "
                  "pairs:%.2f nodes_refit:%.1f bound_tests:%.1f triangle_tests:%.1f :%9.0f :%9.0f "
                  ":%9.0f",
                  ROW_TEXTS(paper->name, rows[r].name),
                  ROW_NUMBERS(paper->first, means->times[r].least, means->times[r].middle,
                              means->hits[r], means->nodes[r], means->tests[r], means->triangles[r],
                              shown * means->nodes[r], shown * means->tests[r],
                              shown * means->triangles[r]));
    }
}

static void print_ratios(const struct paper_scene *paper, double spheres, const scene_means *means)
{
    double us[ROW_COUNT];
    for (int r = 0; r < ROW_COUNT; r++)
        us[r] = means->times[r].least;
    const double ratios[3] = {us[ROW_BOTTOM_UP] / us[ROW_SPHERES],
                              us[ROW_BOTTOM_UP] / us[ROW_CORNERS], us[ROW_EAGER] / us[ROW_DEFAULT]};
    const lbs_paper_ms there = lbs_at_paper_costs(
        means->nodes[ROW_CORNERS], means->tests[ROW_CORNERS], spheres, means->tests[ROW_BOTTOM_UP]);
    bench_json_row("lbs",
                   "scene:%s first:%b bottom_up_to_lazy:%.2f bottom_up_to_corners:%.2f "
                   "eager_to_default:%.2f hash_to_default:%.2f at_paper_costs:%.2f paper:%.2f",
                   ROW_TEXTS(paper->name),
                   ROW_NUMBERS(paper->first, ratios[0], ratios[1], ratios[2],
                               us[ROW_HASH] / us[ROW_DEFAULT], there.bottom_up / there.lazy,
                               paper->bottom_up_ms / paper->lazy_ms));
    bench_say("  bottom-up / lazy on the paper's tree: %.1f our way, %.1f by corners (paper %.1f: "
              "%.2f / %.2f ms)\n",
              ratios[0], ratios[1], paper->bottom_up_ms / paper->lazy_ms, paper->bottom_up_ms,
              paper->lazy_ms);
    bench_say(
        "  our counts at the paper's costs of a bound, a test and a sphere bottom-up: %.1f (%.2f / "
        "%.2f ms); its %.2f ms are about %.0f tests\n",
        there.bottom_up / there.lazy, there.bottom_up, there.lazy, paper->lazy_ms,
        1e6 * paper->lazy_ms / LBS_PAPER_TEST_AND_BOUNDS_NS);
    bench_say(
        "  eager boxes / default lazy: %.1f; spatial hashing / default lazy: %.1f, / the paper's "
        "tree our way: %.2f\n",
        ratios[2], us[ROW_HASH] / us[ROW_DEFAULT], us[ROW_HASH] / us[ROW_SPHERES]);
}

void lbs_scene(const char *name, bool first)
{
    const struct paper_scene *paper = paper_scenes;
    struct stage stage;
    scene_means means;
    while (strcmp(paper->name, name) != 0 || paper->first != first)
        paper++;
    lbs_open_stage(&stage, name);
    scene_measure(&stage, rows, ROW_COUNT, paper->step, first, &means);
    print_rows(paper, &means);
    print_ratios(paper, (double)bench_nodes(stage.bodies[LBS_CORNERS][0]) * stage.body_count,
                 &means);
    stage_close(&stage);
}

/* ---- the constant of collapsing -------------------------------------------------------------- */

enum { CHOICES = 9 };

static void sweep(const char *name, uint32_t step, bool corners)
{
    static const float choices[CHOICES] = {0.4f, 0.5f, 0.55f, 0.6f, 0.65f, 0.7f, 0.8f, 0.9f, 1};
    graze_tree_def trees[CHOICES];
    scene_row lazy[CHOICES];
    scene_means means;
    struct stage stage;
    double best = INFINITY;
    for (uint32_t c = 0; c < CHOICES; c++) {
        trees[c] = lbs_tree_def(corners ? LBS_CORNERS : LBS_SPHERES);
        trees[c].collapse = choices[c];
        lazy[c] = (scene_row){"lazy", c, SCENE_LAZY, GRAZE_LINEAR};
    }
    stages_open(&stage, name, trees, NULL, CHOICES);
    scene_measure(&stage, lazy, CHOICES, step, false, &means);
    for (int c = 0; c < CHOICES; c++)
        best = fmin(best, means.times[c].least);
    for (int c = 0; c < CHOICES; c++) {
        graze_model_info info = graze_model_get_info(stage.models[c][0]);
        bench_row(
            "lbs_collapse",
            "scene:%s:%-20s refit:%s:%-8s c:%.2f:%5.2f nodes:%.0f:%8.0f levels:%.0f:%6.0f "
            "max_children:%.0f:%8.0f us:%.3f:%10.2f to_best:%.3f:%7.2f nodes_refit:%.1f:%9.0f "
            "bound_tests:%.1f:%9.0f",
            ROW_TEXTS(name, corners ? "corners" : "our way"),
            ROW_NUMBERS(choices[c], info.node_count, info.level_count, info.max_children,
                        means.times[c].least, means.times[c].least / best, means.nodes[c],
                        means.tests[c]));
    }
    stage_close(&stage);
}

void lbs_collapse(void)
{
    bench_say("\na node goes if its radius exceeds C times its parent's (paper: 0.6 works well); 1 "
              "keeps the binary tree\n  %-20s %-8s %5s %8s %6s %8s %10s %7s %9s %9s\n",
              "scene", "refit", "C", "spheres", "levels", "children", "us", "/ best", "refitted",
              "tests");
    for (int corners = 0; corners < 2; corners++) {
        sweep("men", 2, corners);
        sweep("creatures", 6, corners);
        sweep("dwarves-touching-0", 3, corners);
    }
}
