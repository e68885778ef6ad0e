/* How deep a body lies in the ground once it rests, exact and by proxies: the lowest vertex of the
 * posed surface.
 */
#include "bench/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SECONDS = 20 };

typedef struct rest {
    double seconds; /* until it slept */
    double lowest;  /* m above the ground */
    double radius;  /* of the largest proxy */
    bool asleep;
} rest;

static bool find_lowest(const simulate_scene *scene, double *lowest, graze_error *error)
{
    const simulate_kind *kind = scene->kinds[0];
    uint32_t vertices = kind->rig->vertex_count;
    float placement[12], weights[SIMULATE_MOST_FIELDS];
    float *positions = malloc((size_t)vertices * 3 * sizeof *positions);
    graze_body *body = NULL;
    graze_pose pose = graze_default_pose();
    pose.placement = placement;
    pose.morph_weights = weights;
    pose.morph_count = graze_model_get_info(kind->model).morph_count;
    bool ok = positions && !graze_body_create(kind->model, &body, error) &&
              !graze_sim_get_placement(scene->sim, 0, placement, weights, error) &&
              !graze_body_set_pose(body, &pose, error);
    if (ok)
        graze_body_get_positions(body, positions);
    *lowest = INFINITY;
    for (uint32_t v = 0; ok && v < vertices; v++)
        *lowest = fmin(*lowest, positions[3 * (size_t)v + 1]);
    graze_body_destroy(body);
    free(positions);
    return ok;
}

static bool measure(const simulation_output *output, simulate_contacts contacts, rest *result)
{
    simulate_options options = {.scene = SIMULATE_CHAIRS,
                                .count = 1,
                                .triangles = output->options->triangles,
                                .contacts = contacts};
    simulate_scene *scene = NULL;
    graze_sim_body state = graze_default_sim_body();
    graze_sim_kind_info info;
    graze_error error = {.text = "out of memory"};
    bool ok = !simulate_scene_create(&options, &scene, &error) &&
              !graze_sim_get_kind(scene->sim, 0, &info, &error);
    double step = ok ? scene->options.step_seconds : 1;
    for (; ok && !state.asleep && result->seconds < MOST_SECONDS; result->seconds += step)
        ok = !graze_sim_step(scene->sim, NULL, 1, &error) &&
             !graze_sim_get_body(scene->sim, 0, &state, &error);
    ok = ok && find_lowest(scene, &result->lowest, &error);
    if (ok) {
        result->asleep = state.asleep;
        result->radius = info.proxy_radius;
    } else {
        simulation_fail(&error);
    }
    simulate_scene_destroy(scene);
    return ok;
}

bool simulation_rest(simulation_output *output)
{
    static const char *const names[] = {"exact", "proxies"};
    if (!simulation_is_wanted(output, "rest"))
        return true;
    if (!output->options->json)
        printf("\none chair on the ground: height of its lowest vertex when it sleeps\n"
               "  %-10s %10s %12s %26s\n",
               "", "after, s", "height, mm", "radius of largest proxy, mm");
    for (int i = 0; i < 2; i++) {
        rest found = {.asleep = false};
        if (!measure(output, i ? SIMULATE_PROXIES : SIMULATE_EXACT, &found))
            return false;
        printf(output->options->json ? "{\"table\":\"rest\",\"contacts\":\"%s\",\"seconds\":%.3f,"
                                       "\"lowest_mm\":%.4f,\"proxy_radius_mm\":%.3f,"
                                       "\"asleep\":%s}\n"
                                     : "  %-10s %10.2f %12.3f %26.2f%s\n",
               names[i], found.seconds, found.lowest * 1e3, found.radius * 1e3,
               output->options->json ? (found.asleep ? "true" : "false")
                                     : (found.asleep ? "" : "   still awake"));
    }
    fflush(stdout);
    return true;
}
