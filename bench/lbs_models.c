/* Sizes of models and trees, radii per level, and the cost of one bound. */
#include "bench/lbs_tables.h"
#include "bench/measure.h"
#include "scenes/synth.h"

#include <graze/reference.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lbs_trees(graze_tree_def trees[LBS_TREE_COUNT])
{
    trees[LBS_CORNERS] = graze_paper_tree_def();
    trees[LBS_SPHERES] = graze_paper_tree_def();
    trees[LBS_SPHERES].refit = GRAZE_REFIT_DEFAULT;
    trees[LBS_DEFAULT] = graze_default_tree_def();
    trees[LBS_FAT] = graze_default_tree_def();
    trees[LBS_FAT].patch_triangles = 4;
}

void lbs_close(lbs_subject *subject)
{
    graze_body_destroy(subject->body);
    graze_model_destroy(subject->model);
    graze_rig_destroy(subject->rig);
}

bool lbs_open(lbs_subject *subject, graze_synth_kind kind, const graze_tree_def *tree,
              graze_isa isa)
{
    graze_error error;
    graze_synth_def synth = {.kind = kind};
    memset(subject, 0, sizeof *subject);
    if (!graze_synth(&synth, NULL, &subject->rig, &error)) {
        graze_model_def def = graze_rig_model_def(subject->rig);
        def.tree = *tree;
        def.isa = isa;
        double start = bench_now();
        graze_status status = graze_model_create(&def, &subject->model, &error);
        subject->build_ms = (bench_now() - start) * 1e-3;
        if (!status && !graze_body_create(subject->model, &subject->body, &error))
            return true;
    }
    fprintf(stderr, "graze: %s\n", error.text);
    lbs_close(subject);
    return false;
}

bool lbs_pose(lbs_subject *subject)
{
    const double time = 0.3;
    float *joints = malloc(12 * sizeof(float) * subject->rig->joint_count);
    uint32_t clip = graze_rig_find_clip(subject->rig, "writhe");
    if (clip == GRAZE_NONE)
        clip = 0;
    bool ok = joints && !graze_rig_sample(subject->rig, clip, time, joints, NULL);
    if (ok) {
        graze_pose pose = {
            .joints = joints, .joint_count = subject->rig->joint_count, .layout = GRAZE_ROWS_3X4};
        ok = !graze_body_set_pose(subject->body, &pose, NULL);
    }
    free(joints);
    return ok;
}

bool lbs_models(const bench_options *options)
{
    static const struct {
        graze_synth_kind kind;
        uint32_t vertices, triangles, joints;
    } papers[] = {{GRAZE_SYNTH_DWARF, 859, 1664, 45},
                  {GRAZE_SYNTH_MAN, 4435, 8270, 27},
                  {GRAZE_SYNTH_CREATURE, 6682, 13590, 56}};
    graze_tree_def tree = graze_paper_tree_def();
    if (!options->json)
        printf("\nmodels and the paper's tree (paper's figures in brackets)\n  %-10s %16s %16s "
               "%9s %16s %10s %16s %10s %9s %9s\n",
               "", "vertices", "triangles", "joints", "binary spheres", "depth", "collapsed",
               "depth", "children", "build ms");
    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++) {
        lbs_subject subject;
        if (!lbs_open(&subject, papers[i].kind, &tree, GRAZE_ISA_BEST))
            return false;
        graze_model_info info = graze_model_get_info(subject.model);
        bool creature = papers[i].kind == GRAZE_SYNTH_CREATURE;
        if (options->json)
            printf("{\"table\":\"lbs_models\",\"model\":\"%s\",\"vertices\":%u,\"triangles\":%u,"
                   "\"joints\":%u,\"binary_nodes\":%u,\"binary_levels\":%u,\"nodes\":%u,"
                   "\"levels\":%u,\"max_children\":%u,\"build_ms\":%.2f}\n",
                   graze_synth_name(papers[i].kind), info.vertex_count, info.triangle_count,
                   info.joint_count, info.binary_node_count, info.binary_level_count,
                   info.node_count, info.level_count, info.max_children, subject.build_ms);
        else
            printf("  %-10s %8u [%5u] %8u [%5u] %3u [%2u] %8u [%5s] %4u [%2s] %8u [%5s] %4u [%2s]"
                   " %3u [%2s] %9.0f\n",
                   graze_synth_name(papers[i].kind), info.vertex_count, papers[i].vertices,
                   info.triangle_count, papers[i].triangles, info.joint_count, papers[i].joints,
                   info.binary_node_count, creature ? "27079" : "", info.binary_level_count,
                   creature ? "22" : "", info.node_count,
                   creature                            ? "18679"
                   : papers[i].kind == GRAZE_SYNTH_MAN ? "15339"
                                                       : "2046",
                   info.level_count, creature ? "9" : "", info.max_children, creature ? "15" : "",
                   subject.build_ms);
        lbs_close(&subject);
    }
    return true;
}

enum { COLUMN_REFERENCE, COLUMN_CORNERS, COLUMN_OURS, COLUMN_BOTTOM_UP, COLUMN_BEST, COLUMN_COUNT };

typedef struct level_sums {
    double radius[COLUMN_COUNT];
    uint32_t count;
} level_sums;

#define LEVELS 64

/* Adds the radii of one body's nodes to a column, level by level. */
static bool add_radii(graze_body *body, graze_node_bound which, int column, level_sums *levels)
{
    uint32_t nodes = graze_model_get_info(graze_body_model(body)).node_count;
    for (uint32_t n = 0; n < nodes; n++) {
        graze_node_view view;
        if (graze_body_view_node(body, n, which, &view))
            return false;
        levels[view.level].radius[column] += view.radius;
        levels[view.level].count += column == COLUMN_REFERENCE;
    }
    return true;
}

static bool fill_radii(level_sums *levels)
{
    graze_tree_def trees[LBS_TREE_COUNT];
    lbs_subject corners, ours;
    lbs_trees(trees);
    if (!lbs_open(&corners, GRAZE_SYNTH_CREATURE, &trees[LBS_CORNERS], GRAZE_ISA_BEST))
        return false;
    if (!lbs_open(&ours, GRAZE_SYNTH_CREATURE, &trees[LBS_SPHERES], GRAZE_ISA_BEST)) {
        lbs_close(&corners);
        return false;
    }
    bool ok = add_radii(corners.body, GRAZE_NODE_BEST, COLUMN_REFERENCE, levels) &&
              lbs_pose(&corners) && lbs_pose(&ours) &&
              add_radii(corners.body, GRAZE_NODE_CURRENT, COLUMN_CORNERS, levels) &&
              add_radii(ours.body, GRAZE_NODE_CURRENT, COLUMN_OURS, levels) &&
              add_radii(corners.body, GRAZE_NODE_BEST, COLUMN_BEST, levels);
    graze_body_drop_caches(corners.body);
    graze_body_refit_all(corners.body);
    ok = ok && add_radii(corners.body, GRAZE_NODE_CURRENT, COLUMN_BOTTOM_UP, levels);
    lbs_close(&corners);
    lbs_close(&ours);
    return ok;
}

bool lbs_radii(const bench_options *options)
{
    /* Kavan & Zara 2005, table 2: reference, on-demand, bottom-up, best. */
    static const double paper[9][4] = {
        {34.55, 43.89, 45.68, 33.33}, {18.86, 26.17, 24.63, 19.39}, {7.38, 8.05, 9.21, 7.31},
        {3.68, 3.95, 4.58, 3.70},     {1.69, 1.77, 2.27, 1.70},     {0.91, 0.94, 1.17, 0.92},
        {0.61, 0.63, 0.74, 0.61},     {0.42, 0.43, 0.49, 0.42},     {0.30, 0.30, 0.35, 0.30}};
    level_sums levels[LEVELS] = {0};
    if (!fill_radii(levels))
        return false;
    if (!options->json)
        printf("\nmean radius per level of the creature's tree, as multiples of the best possible "
               "in that pose\n  %5s %7s %9s | %9s %9s %9s %9s | %s\n",
               "level", "spheres", "best m", "reference", "corners", "ours", "bottom-up",
               "paper: reference, on-demand, bottom-up");
    for (int l = 0; l < LEVELS && levels[l].count; l++) {
        const double *r = levels[l].radius;
        double best = r[COLUMN_BEST], n = levels[l].count;
        if (options->json) {
            printf("{\"table\":\"lbs_radii\",\"level\":%d,\"spheres\":%u,\"reference\":%.6g,"
                   "\"corners\":%.6g,\"ours\":%.6g,\"bottom_up\":%.6g,\"best\":%.6g}\n",
                   l + 1, levels[l].count, r[COLUMN_REFERENCE] / n, r[COLUMN_CORNERS] / n,
                   r[COLUMN_OURS] / n, r[COLUMN_BOTTOM_UP] / n, best / n);
            continue;
        }
        printf("  %5d %7u %9.4f | %9.3f %9.3f %9.3f %9.3f |", l + 1, levels[l].count, best / n,
               r[COLUMN_REFERENCE] / best, r[COLUMN_CORNERS] / best, r[COLUMN_OURS] / best,
               r[COLUMN_BOTTOM_UP] / best);
        if (l < 9)
            printf(" %9.3f %9.3f %9.3f", paper[l][0] / paper[l][3], paper[l][1] / paper[l][3],
                   paper[l][2] / paper[l][3]);
        putchar('\n');
    }
    return true;
}
