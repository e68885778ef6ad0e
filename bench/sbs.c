/* The experiments of L. Kavan, C. O'Sullivan and J. Zara, "Efficient collision detection for
 * spherical blend skinning" (2006), section 5, on the procedural models, and the same with dual
 * quaternions.
 */
#include "bench/sbs_tables.h"

#include "bench/measure.h"
#include "bench/parts.h"

#include <graze/reference.h>

#include <stdio.h>

bool sbs_open(struct stage *stage, const char *scene, uint32_t tree_count)
{
    static const graze_skinning skinnings[SBS_TREE_COUNT] = {
        GRAZE_LINEAR,    GRAZE_SPHERICAL, GRAZE_DUAL,      GRAZE_LINEAR,
        GRAZE_SPHERICAL, GRAZE_LINEAR,    GRAZE_SPHERICAL, GRAZE_DUAL,
        GRAZE_LINEAR,    GRAZE_SPHERICAL, GRAZE_DUAL};
    graze_tree_def trees[SBS_TREE_COUNT];
    for (int t = 0; t < SBS_TREE_COUNT; t++) {
        trees[t] = t < SBS_LINEAR_BOXES ? graze_paper_tree_def() : graze_default_tree_def();
        if (t < SBS_LINEAR_CORNERS)
            trees[t].refit = GRAZE_REFIT_DEFAULT;
        if (t >= SBS_LINEAR_FAT)
            trees[t].patch_triangles = 4;
    }
    return stage_open_skinned(stage, scene, trees, skinnings, tree_count);
}

static const bench_part parts[] = {{"figures", sbs_figures},
                                   {"radii", sbs_radii},
                                   {"costs", sbs_costs},
                                   {"levels", sbs_levels},
                                   {"men", sbs_men},
                                   {"creatures", sbs_creatures},
                                   {"creatures, first hit", sbs_creatures_first}};

int bench_sbs(const bench_options *options)
{
    bench_print_machine(options->json);
    if (!options->json)
        printf("\nTimes are microseconds a frame, pose to answer, one core; the least of %u "
               "interleaved runs.\nPaper: 2.5 GHz Athlon, 2006.\n",
               options->rounds);
    return bench_run_parts(options, parts, sizeof parts / sizeof *parts);
}
