#include "bench/body_figures.h"

#include <graze/ext/decimate.h>

enum { TRIANGLES = 900 };

/* A vertex of the coarse mesh is one of the model's. */
static void draw_body(figure_panel *panel, graze_body *body, figure_colour colour)
{
    const graze_decimate_def wanted = {.triangle_count = TRIANGLES};
    const graze_model *model = graze_body_model(body);
    graze_decimated *coarse = NULL;
    bench_must(graze_decimated_create(model, &wanted, &coarse, &bench_error));
    graze_model_def def = graze_decimated_model_def(coarse);
    float(*all)[3] = bench_take(graze_model_get_info(model).vertex_count, sizeof *all);
    graze_body_get_positions(body, all[0]);
    for (uint32_t t = 0; t < def.triangle_count; t++) {
        figure_shape one = {.radius = -1, .colour = colour};
        for (int k = 0; k < 3; k++)
            memcpy(one.at[k], all[graze_decimated_vertex(coarse, def.triangles[3 * t + k])],
                   sizeof one.at[k]);
        figure_add_shape(panel, &one);
    }
    free(all);
    graze_decimated_destroy(coarse);
}

void draw_bodies(figure_panel *panel, const struct stage *stage, uint32_t tree, uint32_t count)
{
    for (uint32_t b = 0; b < count; b++)
        draw_body(panel, stage->bodies[tree][b], b ? FIGURE_SAND : FIGURE_GREY);
}

void draw_level(figure_panel *panel, graze_body *body, uint32_t level, draw_spheres which)
{
    for (uint32_t n = 0; n < bench_nodes(body); n++) {
        graze_node_view view = bench_view(body, n, GRAZE_NODE_CURRENT);
        bool refitted = view.was_refitted || which != DRAW_REFITTED;
        if (view.level + 1 < level)
            continue;
        if (view.level + 1 > level)
            break;
        if (which == DRAW_BEST)
            view = bench_view(body, n, GRAZE_NODE_BEST);
        figure_shape sphere = {.radius = view.radius,
                               .colour = refitted ? FIGURE_BLUE : FIGURE_RED};
        memcpy(sphere.at[0], view.centre, sizeof view.centre);
        figure_add_shape(panel, &sphere);
    }
}

void draw_query_of_men(struct stage *stage, uint32_t tree, const char *caption, const char *name,
                       const char *title)
{
    figure f = {.turn = 80, .tilt = 12, .columns = 3};
    graze_body **bodies = stage->bodies[tree];
    bench_expect(stage_frame(stage, stage->scene->frame_count - 1));
    stage_pose(stage, tree);
    bench_pairs(bodies[0], bodies[1], NULL);
    draw_bodies(figure_add(&f, caption), stage, tree, 2);
    for (uint32_t level = 5; level <= 6; level++) {
        char text[96];
        snprintf(text, sizeof text, "level %u: blue were refitted, red were not", level);
        figure_panel *panel = figure_add(&f, text);
        for (int b = 0; b < 2; b++)
            draw_level(panel, bodies[b], level, DRAW_REFITTED);
    }
    figure_write(&f, name, title);
}

bool figure_has_folder(void)
{
    if (asked.only && !asked.plot)
        bench_die("figures need --plot DIR");
    return asked.plot;
}
