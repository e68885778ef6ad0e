/* Fish that fall on a swaying bridge (James & Pai 2004, section 4), sizes of all models (table 1),
 * the bridge's spheres (figure 6) and the curtain (table 2).
 */
#include "bench/bdtree_tables.h"
#include "bench/simulation.h"

static bool curtain(simulation_output *output)
{
    return !simulation_is_wanted(output, "curtain") || bdtree_curtain(output->options);
}

int bench_bridge(const bench_options *options)
{
    static const simulate_thing things[] = {SIMULATE_CHAIR, SIMULATE_FISH, SIMULATE_CURTAIN,
                                            SIMULATE_BRIDGE};
    return simulation_bench(options, SIMULATE_FISH_ON_BRIDGE, things, 4, curtain);
}
