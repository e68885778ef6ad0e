/* The experiments of L. Kavan and J. Zara, "Fast collision detection for skeletally deformable
 * models" (2005), section 5, on the procedural models.
 */
#include "bench/bench.h"

#include "bench/lbs_tables.h"
#include "bench/measure.h"
#include "bench/parts.h"

#include <stdio.h>

static const bench_part parts[] = {{"figures", lbs_figures},
                                   {"models", lbs_models},
                                   {"binary tree", lbs_binary},
                                   {"collapse", lbs_collapse},
                                   {"radii", lbs_radii},
                                   {"bounds", lbs_bound_cost},
                                   {"refit all", lbs_refit},
                                   {"men", lbs_men},
                                   {"creatures", lbs_creatures},
                                   {"creatures, first hit", lbs_creatures_first},
                                   {"creatures aside", lbs_creatures_aside},
                                   {"crowd", lbs_crowd},
                                   {"dwarves", lbs_dwarves},
                                   {"rigid", lbs_rigid}};

int bench_lbs(const bench_options *options)
{
    bench_print_machine(options->json);
    if (!options->json)
        printf("\nTimes are microseconds a frame, pose to answer, one core; the least of %u "
               "interleaved runs.\nPaper: 2.5 GHz Athlon, 2005.\n",
               options->rounds);
    return bench_run_parts(options, parts, sizeof parts / sizeof *parts);
}
