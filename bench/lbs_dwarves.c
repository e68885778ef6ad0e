/* How the cost grows with the mesh: two dwarves, four levels of subdivision (table 3, figure 7). */
#include "bench/hashing.h"
#include "bench/lbs_tables.h"
#include "bench/measure.h"

#include <graze/reference.h>

#include <stdio.h>
#include <string.h>

enum {
    RUN_CORNERS,
    RUN_LAZY,
    RUN_BOTTOM_UP,
    RUN_RIGID,
    RUN_DEFAULT,
    RUN_EAGER,
    RUN_HASH,
    RUN_COUNT
};

typedef struct dwarf_run {
    struct stage *stage;
    int which;
    graze_body *rigid[2];
    hashing *hashed;
    size_t hits;
    graze_stats stats;
} dwarf_run;

static void run_dwarves(void *user)
{
    static const uint32_t trees[RUN_COUNT] = {LBS_CORNERS, LBS_SPHERES, LBS_SPHERES, LBS_SPHERES,
                                              LBS_DEFAULT, LBS_FAT,     LBS_FAT};
    dwarf_run *run = user;
    graze_body **bodies = run->stage->bodies[trees[run->which]];
    run->hits = 0;
    memset(&run->stats, 0, sizeof run->stats);
    if (run->which == RUN_RIGID) {
        /* Bounds and triangles are there already: the pure cost of a rigid query. */
        graze_collide(run->rigid[0], run->rigid[1], stage_count, &run->hits, &run->stats, NULL);
        return;
    }
    if (run->which == RUN_HASH) {
        run->hits = hashing_collide(run->hashed, run->stage, false);
        return;
    }
    stage_pose(run->stage, trees[run->which]);
    if (run->which == RUN_EAGER) {
        graze_collide_eager(bodies[0], bodies[1], false, stage_count, &run->hits, &run->stats,
                            NULL);
        return;
    }
    for (int b = 0; run->which == RUN_BOTTOM_UP && b < 2; b++)
        graze_body_refit_all(bodies[b]);
    graze_collide(bodies[0], bodies[1], stage_count, &run->hits, &run->stats, NULL);
}

static const struct {
    double free_ratio, ratio;
    uint32_t spheres, collisions, lazy_tests, bottom_up_tests;
} paper[4] = {{32, 3.9, 2046, 46, 4866, 9515},
              {126, 8.34, 8821, 90, 9309, 19833},
              {502, 17.47, 36506, 178, 17083, 40527},
              {1995, 32.34, 147025, 350, 37682, 86437}};

static void print_row(const bench_options *options, bool touching, int level, struct stage *stage,
                      const dwarf_run *runs, const double *us)
{
    uint32_t spheres =
        graze_model_get_info(graze_body_model(stage->bodies[LBS_SPHERES][0])).node_count;
    double ratio = us[RUN_BOTTOM_UP] / us[RUN_LAZY];
    lbs_paper_ms there = lbs_at_paper_costs(
        (double)runs[RUN_CORNERS].stats.nodes_refit, (double)runs[RUN_CORNERS].stats.bound_tests,
        2.0 * spheres, (double)runs[RUN_BOTTOM_UP].stats.bound_tests);
    double at_paper_costs = there.bottom_up / there.lazy;
    if (options->json) {
        printf("{\"table\":\"lbs_dwarves\",\"interfering\":%s,\"subdivisions\":%d,\"spheres\":%u,"
               "\"collisions\":%zu,\"corners_us\":%.3f,\"lazy_us\":%.3f,\"bottom_up_us\":%.3f,"
               "\"rigid_us\":%.3f,\"default_us\":%.3f,\"eager_us\":%.3f,\"lazy_tests\":%llu,"
               "\"bottom_up_tests\":%llu,\"ratio\":%.2f,\"lazy_to_rigid\":%.2f,\"hash_us\":%.3f,"
               "\"triangle_tests\":%llu,\"at_paper_costs\":%.2f}\n",
               touching ? "true" : "false", level, spheres, runs[RUN_LAZY].hits, us[RUN_CORNERS],
               us[RUN_LAZY], us[RUN_BOTTOM_UP], us[RUN_RIGID], us[RUN_DEFAULT], us[RUN_EAGER],
               (unsigned long long)runs[RUN_LAZY].stats.bound_tests,
               (unsigned long long)runs[RUN_BOTTOM_UP].stats.bound_tests, ratio,
               us[RUN_LAZY] / us[RUN_RIGID], us[RUN_HASH],
               (unsigned long long)runs[RUN_LAZY].stats.triangle_tests, at_paper_costs);
        return;
    }
    printf(
        "  %5d %7u [%6u] %4zu [%3u] %8.2f %8.2f %9.1f %8.1f %8.1f [%6.1f] %7llu [%5u] %7llu [%5u] "
        "%6.2f | %8.2f %9.1f %7.1f | %9.1f %7.1f\n",
        level, spheres, paper[level].spheres, runs[RUN_LAZY].hits,
        touching ? paper[level].collisions : 0, us[RUN_CORNERS], us[RUN_LAZY], us[RUN_BOTTOM_UP],
        ratio, at_paper_costs, touching ? paper[level].ratio : paper[level].free_ratio,
        (unsigned long long)runs[RUN_LAZY].stats.bound_tests,
        touching ? paper[level].lazy_tests : 0,
        (unsigned long long)runs[RUN_BOTTOM_UP].stats.bound_tests,
        touching ? paper[level].bottom_up_tests : 0, us[RUN_LAZY] / us[RUN_RIGID], us[RUN_DEFAULT],
        us[RUN_EAGER], us[RUN_EAGER] / us[RUN_DEFAULT], us[RUN_HASH],
        us[RUN_HASH] / us[RUN_DEFAULT]);
}

static bool measure(const bench_options *options, bool touching, int level, struct stage *stage)
{
    dwarf_run runs[RUN_COUNT];
    bench_method methods[RUN_COUNT];
    bench_samples samples[RUN_COUNT];
    graze_model *frozen_models[2] = {NULL, NULL};
    graze_body *frozen[2] = {NULL, NULL};
    double us[RUN_COUNT];
    memset(samples, 0, sizeof samples);
    hashing *hashed = NULL;
    bool ok = stage_frame(stage, 0) && hashing_open(&hashed, stage);
    stage_pose(stage, LBS_SPHERES);
    for (int b = 0; ok && b < 2; b++)
        ok = stage_freeze(stage->bodies[LBS_SPHERES][b], &frozen_models[b], &frozen[b]);
    for (int r = 0; ok && r < RUN_COUNT; r++) {
        runs[r] = (dwarf_run){
            .stage = stage, .which = r, .rigid = {frozen[0], frozen[1]}, .hashed = hashed};
        methods[r] = (bench_method){"", run_dwarves, &runs[r]};
        run_dwarves(&runs[r]); /* the rigid bodies' caches are filled by the first query */
    }
    if (ok)
        bench_interleave(methods, RUN_COUNT, options->rounds, samples);
    for (int r = 0; ok && r < RUN_COUNT; r++) {
        us[r] = bench_least(&samples[r]);
        ok = runs[r].hits == runs[0].hits;
        if (!ok)
            fprintf(stderr, "graze: dwarves: method %d finds %zu pairs, not %zu\n", r, runs[r].hits,
                    runs[0].hits);
    }
    if (ok)
        print_row(options, touching, level, stage, runs, us);
    hashing_close(hashed, stage);
    for (int b = 0; b < 2; b++) {
        graze_body_destroy(frozen[b]);
        graze_model_destroy(frozen_models[b]);
    }
    return ok;
}

bool lbs_dwarves(const bench_options *options)
{
    graze_tree_def trees[LBS_TREE_COUNT];
    lbs_trees(trees);
    for (int touching = 0; touching < 2; touching++) {
        if (!options->json)
            printf("\ndwarves, %s (paper's figures in brackets), us\n  %5s %16s %10s %8s %8s %9s "
                   "%8s %17s %15s %15s %6s | %8s %9s %7s | %9s %7s\n",
                   touching ? "interfering" : "free", "level", "spheres", "pairs", "corners",
                   "our way", "bottom-up", "/ ours", "at paper's costs", "tests lazy",
                   "tests b.-up", "/rigid", "default", "eager", "ratio", "hashing", "ratio");
        for (int level = 0; level < 4; level++) {
            char name[32];
            struct stage stage;
            snprintf(name, sizeof name, "dwarves-%s-%d", touching ? "touching" : "free", level);
            if (!stage_open(&stage, name, trees, LBS_TREE_COUNT))
                return false;
            bool ok = measure(options, touching, level, &stage);
            stage_close(&stage);
            if (!ok)
                return false;
            fflush(stdout);
        }
    }
    return true;
}
