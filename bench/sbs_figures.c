/* Figures 5 to 7 (1 is a part of 5): a twisted neck and its spheres with each kind of skinning,
 * what a query of two men refits, and creatures that walk through each other.
 */
#include "bench/body_figures.h"
#include "bench/sbs_tables.h"

#include <stdio.h>

static bool draw_row(figure *f, const struct stage *stage, uint32_t tree, const char *name,
                     draw_spheres which, uint32_t bodies)
{
    char caption[96];
    figure_panel *panel = figure_add(f, name);
    bool ok = true;
    for (uint32_t b = 0; ok && b < bodies; b++)
        ok = draw_body(panel, stage, tree, b, b ? FIGURE_SAND : FIGURE_GREY);
    for (uint32_t level = 4; ok && level <= 6; level += 2) {
        snprintf(caption, sizeof caption, "level %u%s", level,
                 which == DRAW_BEST ? ", smallest spheres" : "");
        panel = figure_add(f, caption);
        for (uint32_t b = 0; ok && b < bodies; b++)
            ok = draw_level(panel, stage->bodies[tree][b], level, which);
    }
    return ok;
}

static bool figure_5(const bench_options *options)
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
    if (!sbs_open(&stage, "candy", SBS_LINEAR_BOXES))
        return false;
    bool ok = draw_row(&f, &stage, SBS_LINEAR, "at rest", DRAW_BEST, 1) &&
              stage_frame(&stage, fullest_twist);
    stage.placements[0][3] = 0;
    for (size_t i = 0; ok && i < sizeof rows / sizeof *rows; i++) {
        stage_pose_body(&stage, rows[i].tree, 0);
        ok = draw_row(&f, &stage, rows[i].tree, rows[i].name, DRAW_ALL, 1);
    }
    ok = ok && figure_write(&f, options->plot, "sbs-5",
                            "Spheres around a twisted neck (Kavan, O'Sullivan & Zara 2006, figures "
                            "1 and 5)");
    figure_free(&f);
    stage_close(&stage);
    return ok;
}

static bool figure_6(const bench_options *options)
{
    figure f = {.turn = 80, .tilt = 12, .columns = 3};
    struct stage stage;
    size_t hits = 0;
    if (!sbs_open(&stage, "men", SBS_LINEAR_BOXES))
        return false;
    graze_body **bodies = stage.bodies[SBS_SPHERICAL_CORNERS];
    bool ok = stage_frame(&stage, stage.scene->frame_count - 1);
    stage_pose(&stage, SBS_SPHERICAL_CORNERS);
    ok = ok && !graze_collide(bodies[0], bodies[1], stage_count, &hits, NULL, NULL);
    figure_panel *panel = figure_add(&f, "two men touch, spherical skinning");
    ok = ok && draw_body(panel, &stage, SBS_SPHERICAL_CORNERS, 0, FIGURE_GREY) &&
         draw_body(panel, &stage, SBS_SPHERICAL_CORNERS, 1, FIGURE_SAND);
    ok = ok && draw_refitted(&f, bodies);
    ok = ok && figure_write(&f, options->plot, "sbs-6",
                            "What a query of two men refits (Kavan, O'Sullivan & Zara 2006, figure "
                            "6)");
    figure_free(&f);
    stage_close(&stage);
    return ok;
}

static bool figure_7(const bench_options *options)
{
    static const uint32_t frames[] = {30, 60};
    figure f = {.turn = 65, .tilt = 18, .columns = 3};
    struct stage stage;
    if (!sbs_open(&stage, "creatures", SBS_LINEAR_BOXES))
        return false;
    graze_body **bodies = stage.bodies[SBS_SPHERICAL_CORNERS];
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof frames / sizeof *frames; i++) {
        size_t hits = 0;
        char caption[96];
        ok = stage_frame(&stage, frames[i]);
        stage_pose(&stage, SBS_SPHERICAL_CORNERS);
        ok = ok && !graze_collide(bodies[0], bodies[1], stage_count, &hits, NULL, NULL);
        snprintf(caption, sizeof caption, "frame %u of the walk: %zu pairs", frames[i], hits);
        ok = ok && draw_row(&f, &stage, SBS_SPHERICAL_CORNERS, caption, DRAW_REFITTED, 2);
    }
    ok = ok && figure_write(&f, options->plot, "sbs-7",
                            "Creatures walk through each other; blue were refitted (same paper, "
                            "figure 7)");
    figure_free(&f);
    stage_close(&stage);
    return ok;
}

bool sbs_figures(const bench_options *options)
{
    if (!options->plot)
        return figure_needs_folder(options);
    return figure_5(options) && figure_6(options) && figure_7(options);
}
