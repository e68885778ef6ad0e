/* Sizes of models and trees, and radii per level. */
#include "bench/lbs_tables.h"

graze_tree_def lbs_tree_def(lbs_tree tree)
{
    graze_tree_def def = tree < LBS_DEFAULT ? graze_paper_tree() : (graze_tree_def){0};
    if (tree == LBS_SPHERES)
        def.refit = GRAZE_REFIT_DEFAULT;
    if (tree == LBS_FAT)
        def.patch_triangles = 4;
    return def;
}

void lbs_open_stage(struct stage *stage, const char *scene)
{
    graze_tree_def trees[LBS_TREE_COUNT];
    for (int t = 0; t < LBS_TREE_COUNT; t++)
        trees[t] = lbs_tree_def((lbs_tree)t);
    stages_open(stage, scene, trees, NULL, LBS_TREE_COUNT);
}

void lbs_close(lbs_subject *subject)
{
    graze_body_destroy(subject->body);
    graze_model_destroy(subject->model);
    graze_rig_destroy(subject->rig);
}

void lbs_open(lbs_subject *subject, graze_synth_kind kind, graze_tree_def tree, graze_isa isa)
{
    subject->rig = bench_make_rig(kind, 0);
    graze_model_def def = graze_rig_model_def(subject->rig);
    def.tree = tree;
    def.isa = isa;
    double start = bench_now();
    subject->model = bench_make_model(&def);
    subject->build_ms = (bench_now() - start) * 1e-3;
    subject->body = bench_make_body(subject->model);
}

void lbs_pose(lbs_subject *subject)
{
    const graze_rig *rig = subject->rig;
    float *joints = bench_take(rig->joint_count, 12 * sizeof *joints);
    uint32_t clip = graze_rig_find_clip(rig, "writhe");
    bench_must(graze_rig_sample(rig, clip == GRAZE_NONE ? 0 : clip, 0.3, joints, NULL));
    bench_pose(subject->body, joints, rig->joint_count, NULL);
    free(joints);
}

void lbs_models(void)
{
    static const struct {
        graze_synth_kind kind;
        uint32_t vertices, triangles, joints;
        const char *more[5]; /* spheres and levels before collapsing and after, most children */
    } papers[] = {{GRAZE_SYNTH_DWARF, 859, 1664, 45, {"", "", "2046", "", ""}},
                  {GRAZE_SYNTH_MAN, 4435, 8270, 27, {"", "", "15339", "", ""}},
                  {GRAZE_SYNTH_CREATURE, 6682, 13590, 56, {"27079", "22", "18679", "9", "15"}}};
    bench_say("\nmodels and the paper's tree (paper's figures in brackets)\n  %-10s %16s %16s "
              "%9s %16s %10s %16s %10s %9s %9s\n",
              "", "vertices", "triangles", "joints", "binary spheres", "depth", "collapsed",
              "depth", "children", "build ms");
    for (size_t i = 0; i < COUNT_OF(papers); i++) {
        lbs_subject subject;
        lbs_open(&subject, papers[i].kind, graze_paper_tree(), GRAZE_ISA_BEST);
        graze_model_info info = graze_model_get_info(subject.model);
        const char *const *more = papers[i].more;
        bench_row("lbs_models",
                  "model:%s:%-10s vertices:%.0f:%8.0f :[%5.0f] triangles:%.0f:%8.0f :[%5.0f] "
                  "joints:%.0f:%3.0f :[%2.0f] binary_nodes:%.0f:%8.0f :[%5s] "
                  "binary_levels:%.0f:%4.0f :[%2s] nodes:%.0f:%8.0f :[%5s] levels:%.0f:%4.0f "
                  ":[%2s] max_children:%.0f:%3.0f :[%2s] build_ms:%.2f:%9.0f",
                  ROW_TEXTS(graze_synth_name(papers[i].kind), more[0], more[1], more[2], more[3],
                            more[4]),
                  ROW_NUMBERS(info.vertex_count, papers[i].vertices, info.triangle_count,
                              papers[i].triangles, info.joint_count, papers[i].joints,
                              info.binary_node_count, info.binary_level_count, info.node_count,
                              info.level_count, info.max_children, subject.build_ms));
        lbs_close(&subject);
    }
}

/* ---- radii ---------------------------------------------------------------------------------- */

void lbs_binary(void)
{
    /* Kavan & Zara 2005, section 5: mean radii of the creature's 27,079 spheres. */
    static const double paper[] = {34.55, 31.82, 23.63, 18.86, 13.07, 7.32, 4.86, 3.46,
                                   2.60,  1.92,  1.47,  1.14,  0.90,  0.72, 0.61, 0.53,
                                   0.47,  0.42,  0.39,  0.38,  0.37,  0.36};
    const int paper_levels = COUNT_OF(paper);
    stages_level levels[STAGES_LEVELS] = {0};
    graze_tree_def tree = graze_paper_tree();
    lbs_subject subject;
    tree.collapse = 1;
    lbs_open(&subject, GRAZE_SYNTH_CREATURE, tree, GRAZE_ISA_BEST);
    stages_add_radii(subject.body, GRAZE_NODE_BEST, levels);
    bench_say("\nmean radius per level of the creature's binary tree at rest, in a unit that makes "
              "the root the paper's 34.55\n  %5s %7s %8s %8s\n",
              "level", "spheres", "ours", "paper");
    for (int l = 0; levels[l].count || (!asked.json && l < paper_levels); l++) {
        double count = levels[l].count ? levels[l].count : NAN;
        bench_row("lbs_binary", "level:%.0f:%5.0f spheres:%.0f:%7.0f radius:%.4f:%8.2f :%8.2f",
                  NULL,
                  ROW_NUMBERS(l + 1, count, levels[l].sum / count * paper[0] / levels[0].sum,
                              l < paper_levels ? paper[l] : NAN));
    }
    lbs_close(&subject);
}

enum { REFERENCE, BEST, CORNERS, OURS, BOTTOM_UP, COLUMNS };

static void fill_radii(stages_level levels[COLUMNS][STAGES_LEVELS])
{
    lbs_subject corners, ours;
    lbs_open(&corners, GRAZE_SYNTH_CREATURE, lbs_tree_def(LBS_CORNERS), GRAZE_ISA_BEST);
    lbs_open(&ours, GRAZE_SYNTH_CREATURE, lbs_tree_def(LBS_SPHERES), GRAZE_ISA_BEST);
    stages_add_radii(corners.body, GRAZE_NODE_BEST, levels[REFERENCE]);
    lbs_pose(&corners);
    lbs_pose(&ours);
    stages_add_radii(corners.body, GRAZE_NODE_CURRENT, levels[CORNERS]);
    stages_add_radii(ours.body, GRAZE_NODE_CURRENT, levels[OURS]);
    stages_add_radii(corners.body, GRAZE_NODE_BEST, levels[BEST]);
    graze_body_drop_caches(corners.body);
    graze_body_refit_all(corners.body);
    stages_add_radii(corners.body, GRAZE_NODE_CURRENT, levels[BOTTOM_UP]);
    lbs_close(&corners);
    lbs_close(&ours);
}

void lbs_radii(void)
{
    /* Kavan & Zara 2005, table 2: reference, on-demand, bottom-up, best. */
    static const double paper[9][4] = {
        {34.55, 43.89, 45.68, 33.33}, {18.86, 26.17, 24.63, 19.39}, {7.38, 8.05, 9.21, 7.31},
        {3.68, 3.95, 4.58, 3.70},     {1.69, 1.77, 2.27, 1.70},     {0.91, 0.94, 1.17, 0.92},
        {0.61, 0.63, 0.74, 0.61},     {0.42, 0.43, 0.49, 0.42},     {0.30, 0.30, 0.35, 0.30}};
    stages_level levels[COLUMNS][STAGES_LEVELS] = {0};
    fill_radii(levels);
    bench_say("\nmean radius per level of the creature's tree, as multiples of the best possible "
              "in that pose\n  %5s %7s %9s | %9s %9s %9s %9s | %s\n",
              "level", "spheres", "best m", "reference", "corners", "ours", "bottom-up",
              "paper: reference, on-demand, bottom-up");
    for (int l = 0; levels[BEST][l].count; l++) {
        const double *there = paper[l < 9 ? l : 0];
        double r[COLUMNS], n = levels[BEST][l].count, shown = l < 9 ? there[3] : NAN;
        for (int c = 0; c < COLUMNS; c++)
            r[c] = levels[c][l].sum / n;
        bench_row("lbs_radii",
                  "level:%.0f:%5.0f spheres:%.0f:%7.0f best:%.6g:%9.4f :|_%9.3f :%9.3f :%9.3f "
                  ":%9.3f reference:%.6g corners:%.6g ours:%.6g bottom_up:%.6g :|_%9.3f :%9.3f "
                  ":%9.3f",
                  NULL,
                  ROW_NUMBERS(l + 1, n, r[BEST], r[REFERENCE] / r[BEST], r[CORNERS] / r[BEST],
                              r[OURS] / r[BEST], r[BOTTOM_UP] / r[BEST], r[REFERENCE], r[CORNERS],
                              r[OURS], r[BOTTOM_UP], there[0] / shown, there[1] / shown,
                              there[2] / shown));
    }
}
