/* Chairs that flex and vibrate while they crash to the ground (James & Pai 2004, section 4). */
#include "bench/measure.h"
#include "bench/simulation.h"

#include <stdio.h>

int simulation_bench(const bench_options *options, simulate_scene_name scene,
                     const simulate_thing *things, uint32_t thing_count,
                     bool (*more)(simulation_output *output))
{
    simulation_output output = {.options = options, .scene = scene};
    graze_error error = {.text = "out of memory"};
    if (options->threads > 1 && graze_pool_create(options->threads, NULL, &output.pool, &error))
        return simulation_fail(&error) ? 0 : 2;
    bench_print_machine(options->json);
    bool ok = simulation_models(&output, things, thing_count) && (!more || more(&output)) &&
              simulation_run(&output);
    if (ok && !output.wanted) {
        fprintf(stderr, "graze: no table has %s in its name\n", options->only);
        ok = false;
    }
    graze_pool_destroy(output.pool);
    return ok ? 0 : 2;
}

int bench_chairs(const bench_options *options)
{
    static const simulate_thing things[] = {SIMULATE_CHAIR};
    return simulation_bench(options, SIMULATE_CHAIRS, things, 1, simulation_rest);
}
