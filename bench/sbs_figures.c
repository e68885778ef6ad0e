/* Figures 5 to 7 (1 is a part of 5): a twisted neck and its spheres with each kind of skinning,
 * what a query of two men refits, and creatures that walk through each other.
 */
#include "bench/body_figures.h"
#include "bench/sbs_tables.h"

static void draw_row(figure *f, const struct stage *stage, uint32_t tree, const char *name,
                     draw_spheres which, uint32_t bodies)
{
    char caption[96];
    draw_bodies(figure_add(f, name), stage, tree, bodies);
    for (uint32_t level = 4; level <= 6; level += 2) {
        snprintf(caption, sizeof caption, "level %u%s", level,
                 which == DRAW_BEST ? ", smallest spheres" : "");
        figure_panel *panel = figure_add(f, caption);
        for (uint32_t b = 0; b < bodies; b++)
            draw_level(panel, stage->bodies[tree][b], level, which);
    }
}

static void draw_necks(void)
{
    static const struct {
        uint32_t tree;
        const char *name;
    } rows[] = {{SBS_LINEAR_CORNERS, "neck twisted, linear; spheres by corners"},
                {SBS_SPHERICAL_CORNERS, "spherical; spheres by corners and caps"},
                {SBS_SPHERICAL, "spherical; spheres our way"}};
    const uint32_t fullest_twist = 30;
    figure f = {.turn = 55, .tilt = 15, .columns = 3};
    struct stage stage;
    sbs_open(&stage, "candy", SBS_LINEAR_BOXES);
    draw_row(&f, &stage, SBS_LINEAR, "at rest", DRAW_BEST, 1);
    stages_frame(&stage, fullest_twist);
    stage.placements[0][3] = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        stage_pose_body(&stage, rows[i].tree, 0);
        draw_row(&f, &stage, rows[i].tree, rows[i].name, DRAW_ALL, 1);
    }
    figure_write(&f, "sbs-5",
                 "Spheres around a twisted neck (Kavan, O'Sullivan & Zara 2006, figures 1 and 5)");
    stage_close(&stage);
}

static void draw_creatures(void)
{
    static const uint32_t frames[] = {30, 60};
    figure f = {.turn = 65, .tilt = 18, .columns = 3};
    struct stage stage;
    sbs_open(&stage, "creatures", SBS_LINEAR_BOXES);
    graze_body **bodies = stage.bodies[SBS_SPHERICAL_CORNERS];
    for (size_t i = 0; i < COUNT_OF(frames); i++) {
        char caption[96];
        stages_pose(&stage, frames[i], SBS_SPHERICAL_CORNERS);
        snprintf(caption, sizeof caption, "frame %u of the walk: %zu pairs", frames[i],
                 bench_pairs(bodies[0], bodies[1], NULL));
        draw_row(&f, &stage, SBS_SPHERICAL_CORNERS, caption, DRAW_REFITTED, 2);
    }
    figure_write(&f, "sbs-7",
                 "Creatures walk through each other; blue were refitted (same paper, figure 7)");
    stage_close(&stage);
}

void sbs_figures(void)
{
    struct stage stage;
    if (!figure_has_folder())
        return;
    draw_necks();
    sbs_open(&stage, "men", SBS_LINEAR_BOXES);
    draw_query_of_men(&stage, SBS_SPHERICAL_CORNERS, "two men touch, spherical skinning", "sbs-6",
                      "What a query of two men refits (Kavan, O'Sullivan & Zara 2006, figure 6)");
    stage_close(&stage);
    draw_creatures();
}
