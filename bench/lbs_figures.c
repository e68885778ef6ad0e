/* Figures 4 and 5: spheres of the creature at rest and in a posture, and of two men after a query.
 */
#include "bench/body_figures.h"
#include "bench/lbs_tables.h"

#include <stdio.h>

/* A row: the body, its spheres on level 4, on level 6. */
static bool draw_creature(figure *f, const struct stage *stage, const char *posture,
                          draw_spheres which)
{
    char caption[96];
    snprintf(caption, sizeof caption, "creature, %s", posture);
    bool ok = draw_body(figure_add(f, caption), stage, 0, 0, FIGURE_GREY);
    for (uint32_t level = 4; ok && level <= 6; level += 2) {
        snprintf(caption, sizeof caption, "level %u, %s", level,
                 which == DRAW_BEST ? "smallest spheres" : "refitted by corners");
        ok = draw_level(figure_add(f, caption), stage->bodies[0][0], level, which);
    }
    return ok;
}

static bool figure_4(const bench_options *options, const graze_tree_def *tree)
{
    figure f = {.turn = 55, .tilt = 15, .columns = 3};
    struct stage stage;
    float placement[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const uint32_t bent = 40; /* frame: deep in a step */
    if (!stage_open(&stage, "creatures", tree, 1))
        return false;
    bool ok = draw_creature(&f, &stage, "at rest", DRAW_BEST) && stage_frame(&stage, bent);
    for (int k = 0; k < 12; k++)
        stage.placements[0][k] = placement[k];
    if (ok)
        stage_pose_body(&stage, 0, 0);
    ok = ok && draw_creature(&f, &stage, "in a step", DRAW_ALL) &&
         figure_write(&f, options->plot, "lbs-4",
                      "Spheres of the creature (Kavan & Zara 2005, figure 4)");
    figure_free(&f);
    stage_close(&stage);
    return ok;
}

static bool figure_5(const bench_options *options, const graze_tree_def *tree)
{
    figure f = {.turn = 80, .tilt = 12, .columns = 3};
    struct stage stage;
    size_t hits = 0;
    if (!stage_open(&stage, "men", tree, 1))
        return false;
    graze_body **bodies = stage.bodies[0];
    bool ok = stage_frame(&stage, stage.scene->frame_count - 1);
    stage_pose(&stage, 0);
    ok = ok && !graze_collide(bodies[0], bodies[1], stage_count, &hits, NULL, NULL);
    figure_panel *panel = figure_add(&f, "two men touch");
    ok = ok && draw_body(panel, &stage, 0, 0, FIGURE_GREY) &&
         draw_body(panel, &stage, 0, 1, FIGURE_SAND);
    ok = ok && draw_refitted(&f, bodies);
    ok = ok && figure_write(&f, options->plot, "lbs-5",
                            "What a query of two men refits (Kavan & Zara 2005, figure 5)");
    figure_free(&f);
    stage_close(&stage);
    return ok;
}

bool lbs_figures(const bench_options *options)
{
    graze_tree_def trees[LBS_TREE_COUNT];
    if (!options->plot)
        return figure_needs_folder(options);
    lbs_trees(trees);
    return figure_4(options, &trees[LBS_CORNERS]) && figure_5(options, &trees[LBS_CORNERS]);
}
