/* The binary tree before collapsing, and what the constant C of collapsing is worth (section 5). */
#include "bench/lbs_tables.h"
#include "bench/measure.h"
#include "bench/scene_rows.h"

#include <graze/reference.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEVELS 64

bool lbs_binary(const bench_options *options)
{
    /* Kavan & Zara 2005, section 5: mean radii of the creature's 27,079 spheres. */
    static const double paper[] = {34.55, 31.82, 23.63, 18.86, 13.07, 7.32, 4.86, 3.46,
                                   2.60,  1.92,  1.47,  1.14,  0.90,  0.72, 0.61, 0.53,
                                   0.47,  0.42,  0.39,  0.38,  0.37,  0.36};
    enum { PAPER_LEVELS = sizeof paper / sizeof *paper };
    graze_tree_def tree = graze_paper_tree_def();
    lbs_subject subject;
    double sums[LEVELS] = {0};
    uint32_t counts[LEVELS] = {0};
    tree.collapse = 1;
    if (!lbs_open(&subject, GRAZE_SYNTH_CREATURE, &tree, GRAZE_ISA_BEST))
        return false;
    uint32_t nodes = graze_model_get_info(subject.model).node_count;
    bool ok = true;
    for (uint32_t n = 0; ok && n < nodes; n++) {
        graze_node_view view;
        ok = !graze_body_view_node(subject.body, n, GRAZE_NODE_BEST, &view);
        if (ok && view.level < LEVELS) {
            sums[view.level] += (double)view.radius;
            counts[view.level]++;
        }
    }
    if (!options->json)
        printf(
            "\nmean radius per level of the creature's binary tree at rest, in a unit that makes "
            "the root the paper's 34.55\n  %5s %7s %8s %8s\n",
            "level", "spheres", "ours", "paper");
    for (int l = 0; ok && (l < PAPER_LEVELS || counts[l]); l++) {
        double radius = counts[l] ? sums[l] / counts[l] * paper[0] / sums[0] : NAN;
        if (options->json && counts[l])
            printf("{\"table\":\"lbs_binary\",\"level\":%d,\"spheres\":%u,\"radius\":%.4f}\n",
                   l + 1, counts[l], radius);
        if (options->json)
            continue;
        printf("  %5d", l + 1);
        if (counts[l])
            printf(" %7u %8.2f", counts[l], radius);
        else
            printf(" %7s %8s", "", "");
        if (l < PAPER_LEVELS)
            printf(" %8.2f", paper[l]);
        putchar('\n');
    }
    lbs_close(&subject);
    return ok;
}

/* ---- the constant of collapsing -------------------------------------------------------------- */

enum { CHOICES = 9 };
static const float choices[CHOICES] = {0.4f, 0.5f, 0.55f, 0.6f, 0.65f, 0.7f, 0.8f, 0.9f, 1};

static void print_choice(const bench_options *options, const char *scene, const char *refit, int c,
                         const graze_model_info *info, const scene_sums *sums, double best)
{
    double frames = sums->frames, us = sums->least[c] / frames;
    if (options->json)
        printf("{\"table\":\"lbs_collapse\",\"scene\":\"%s\",\"refit\":\"%s\",\"c\":%.2f,"
               "\"nodes\":%u,\"levels\":%u,\"max_children\":%u,\"us\":%.3f,\"to_best\":%.3f,"
               "\"nodes_refit\":%.1f,\"bound_tests\":%.1f}\n",
               scene, refit, (double)choices[c], info->node_count, info->level_count,
               info->max_children, us, us / best, sums->nodes[c] / frames, sums->tests[c] / frames);
    else
        printf("  %-20s %-8s %5.2f %8u %6u %8u %10.2f %7.2f %9.0f %9.0f\n", scene, refit,
               (double)choices[c], info->node_count, info->level_count, info->max_children, us,
               us / best, sums->nodes[c] / frames, sums->tests[c] / frames);
}

static bool sweep(const bench_options *options, const char *name, uint32_t step, bool corners)
{
    graze_tree_def trees[CHOICES];
    scene_row rows[CHOICES];
    scene_sums sums = {.frames = 0};
    struct stage stage;
    for (uint32_t c = 0; c < CHOICES; c++) {
        trees[c] = graze_paper_tree_def();
        trees[c].collapse = choices[c];
        trees[c].refit = corners ? GRAZE_REFIT_CORNERS : GRAZE_REFIT_DEFAULT;
        rows[c] = (scene_row){"lazy", c, SCENE_LAZY, GRAZE_LINEAR};
    }
    if (!stage_open(&stage, name, trees, CHOICES))
        return false;
    bool ok = scene_measure(&stage, rows, CHOICES, step, options->rounds, false, &sums);
    double best = INFINITY;
    for (int c = 0; ok && c < CHOICES; c++)
        best = fmin(best, sums.least[c] / sums.frames);
    for (int c = 0; ok && c < CHOICES; c++) {
        graze_model_info info = graze_model_get_info(stage.models[c][0]);
        print_choice(options, name, corners ? "corners" : "our way", c, &info, &sums, best);
    }
    stage_close(&stage);
    fflush(stdout);
    return ok;
}

bool lbs_collapse(const bench_options *options)
{
    if (!options->json)
        printf(
            "\na node goes if its radius exceeds C times its parent's (paper: 0.6 works well); 1 "
            "keeps the binary tree\n  %-20s %-8s %5s %8s %6s %8s %10s %7s %9s %9s\n",
            "scene", "refit", "C", "spheres", "levels", "children", "us", "/ best", "refitted",
            "tests");
    for (int corners = 0; corners < 2; corners++)
        if (!sweep(options, "men", 2, corners) || !sweep(options, "creatures", 6, corners) ||
            !sweep(options, "dwarves-touching-0", 3, corners))
            return false;
    return true;
}
