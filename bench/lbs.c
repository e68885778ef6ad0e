/* The experiments of L. Kavan and J. Zara, "Fast collision detection for skeletally deformable
 * models" (2005), section 5, on the procedural models.
 */
#include "bench/lbs_tables.h"

static const bench_part parts[] = {
    {"figures", .run = lbs_figures},
    {"models", .run = lbs_models},
    {"binary tree", .run = lbs_binary},
    {"collapse", .run = lbs_collapse},
    {"radii", .run = lbs_radii},
    {"bounds", .run = lbs_bound_cost},
    {"refit all", .run = lbs_refit},
    {"men", .measure = lbs_scene, .scene = "men"},
    {"creatures", .measure = lbs_scene, .scene = "creatures"},
    {"creatures, first hit", .measure = lbs_scene, .scene = "creatures", .first = true},
    {"creatures aside", .measure = lbs_scene, .scene = "creatures-aside"},
    {"crowd", .measure = lbs_scene, .scene = "crowd"},
    {"dwarves", .run = lbs_dwarves},
    {"rigid", .run = lbs_rigid}};

void bench_lbs(void)
{
    bench_print_machine();
    bench_say("\nTimes are microseconds a frame, pose to answer, one core; the least of %u "
              "interleaved runs.\nPaper: 2.5 GHz Athlon, 2005.\n",
              asked.rounds);
    bench_run_parts(parts, COUNT_OF(parts));
}
