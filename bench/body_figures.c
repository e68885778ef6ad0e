#include "bench/body_figures.h"

#include <graze/decimate.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIANGLES = 900 };

static bool fail(const char *text)
{
    fprintf(stderr, "graze: %s\n", text);
    return false;
}

static bool add_triangles(figure_panel *panel, const float *positions, const uint32_t *triangles,
                          uint32_t count, figure_colour colour)
{
    for (uint32_t t = 0; t < count; t++) {
        figure_triangle one = {.colour = colour};
        for (int k = 0; k < 3; k++)
            memcpy(one.corners[k], positions + 3 * (size_t)triangles[3 * (size_t)t + k],
                   sizeof one.corners[k]);
        if (!figure_add_triangle(panel, &one))
            return false;
    }
    return true;
}

/* A vertex of the coarse mesh is one of the model's. */
bool draw_body(figure_panel *panel, const struct stage *stage, uint32_t tree, uint32_t body,
               figure_colour colour)
{
    const graze_rig *rig = stage->scene->rigs[stage->scene->instances[body].rig];
    graze_decimate_def wanted = graze_default_decimate_def();
    graze_decimated *coarse = NULL;
    graze_error error;
    wanted.triangles = TRIANGLES;
    if (graze_decimate(graze_body_model(stage->bodies[tree][body]), &wanted, &coarse, &error))
        return fail(error.text);
    graze_model_def def = graze_decimated_model_def(coarse);
    float *all = malloc(3 * sizeof *all * rig->vertex_count);
    float *chosen = malloc(3 * sizeof *chosen * def.vertex_count);
    bool ok = all && chosen;
    if (ok)
        graze_body_get_positions(stage->bodies[tree][body], all);
    for (uint32_t v = 0; ok && v < def.vertex_count; v++)
        memcpy(chosen + 3 * (size_t)v, all + 3 * (size_t)graze_decimated_vertex(coarse, v),
               3 * sizeof *chosen);
    ok = ok && add_triangles(panel, chosen, def.triangles, def.triangle_count, colour);
    free(all);
    free(chosen);
    graze_decimated_destroy(coarse);
    return ok || fail("out of memory");
}

bool draw_level(figure_panel *panel, graze_body *body, uint32_t level, draw_spheres which)
{
    uint32_t nodes = graze_model_get_info(graze_body_model(body)).node_count;
    for (uint32_t n = 0; n < nodes; n++) {
        graze_node_view view;
        if (graze_body_view_node(body, n, GRAZE_NODE_CURRENT, &view))
            return fail("out of memory");
        if (view.level + 1 < level)
            continue;
        if (view.level + 1 > level)
            break;
        bool refitted = view.was_refitted || which != DRAW_REFITTED;
        if (which == DRAW_BEST && graze_body_view_node(body, n, GRAZE_NODE_BEST, &view))
            return fail("out of memory");
        figure_sphere sphere = {.radius = view.radius,
                                .colour = refitted ? FIGURE_BLUE : FIGURE_RED};
        memcpy(sphere.centre, view.centre, sizeof sphere.centre);
        if (!figure_add_sphere(panel, &sphere))
            return fail("out of memory");
    }
    return true;
}

bool draw_refitted(figure *f, graze_body *const bodies[2])
{
    bool ok = true;
    for (uint32_t level = 5; ok && level <= 6; level++) {
        char caption[96];
        snprintf(caption, sizeof caption, "level %u: blue were refitted, red were not", level);
        figure_panel *panel = figure_add(f, caption);
        ok = draw_level(panel, bodies[0], level, DRAW_REFITTED) &&
             draw_level(panel, bodies[1], level, DRAW_REFITTED);
    }
    return ok;
}

bool figure_needs_folder(const bench_options *options)
{
    return !options->only || fail("figures need --plot DIR");
}
