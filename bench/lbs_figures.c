/* Figures 4 and 5: spheres of the creature at rest and in a posture, and of two men after a query.
 */
#include "bench/body_figures.h"
#include "bench/lbs_tables.h"

/* A row: the body, its spheres on level 4, on level 6. */
static void draw_creature(figure *f, const struct stage *stage, const char *posture,
                          draw_spheres which)
{
    char caption[96];
    snprintf(caption, sizeof caption, "creature, %s", posture);
    draw_bodies(figure_add(f, caption), stage, 0, 1);
    for (uint32_t level = 4; level <= 6; level += 2) {
        snprintf(caption, sizeof caption, "level %u, %s", level,
                 which == DRAW_BEST ? "smallest spheres" : "refitted by corners");
        draw_level(figure_add(f, caption), stage->bodies[0][0], level, which);
    }
}

void lbs_figures(void)
{
    const uint32_t bent = 40; /* frame: deep in a step */
    const graze_tree_def tree = lbs_tree_def(LBS_CORNERS);
    figure f = {.turn = 55, .tilt = 15, .columns = 3};
    struct stage stage;
    if (!figure_has_folder())
        return;
    stages_open(&stage, "creatures", &tree, NULL, 1);
    draw_creature(&f, &stage, "at rest", DRAW_BEST);
    stages_frame(&stage, bent);
    memcpy(stage.placements[0], bench_identity, sizeof bench_identity);
    stage_pose_body(&stage, 0, 0);
    draw_creature(&f, &stage, "in a step", DRAW_ALL);
    figure_write(&f, "lbs-4", "Spheres of the creature (Kavan & Zara 2005, figure 4)");
    stage_close(&stage);
    stages_open(&stage, "men", &tree, NULL, 1);
    draw_query_of_men(&stage, 0, "two men touch", "lbs-5",
                      "What a query of two men refits (Kavan & Zara 2005, figure 5)");
    stage_close(&stage);
}
