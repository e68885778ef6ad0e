/* The experiments of L. Kavan and J. Zara, "Fast collision detection for skeletally deformable
 * models" (2005), section 5, on the procedural models.
 */
#include "bench/bench.h"

#include "bench/lbs_tables.h"
#include "bench/measure.h"

#include <stdio.h>

int bench_lbs(const bench_options *options)
{
    bench_print_machine(options->json);
    if (!options->json)
        printf("\nTimes are microseconds a frame, pose to answer, one core; the least of %u "
               "interleaved runs.\nPaper: 2.5 GHz Athlon, 2005.\n",
               options->rounds);
    bool ok = lbs_models(options) && lbs_radii(options) && lbs_bound_cost(options) &&
              lbs_scene(options, "men", false) && lbs_scene(options, "creatures", false) &&
              lbs_scene(options, "creatures", true) && lbs_scene(options, "crowd", false) &&
              lbs_dwarves(options);
    return ok ? 0 : 2;
}
