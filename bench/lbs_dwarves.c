/* How the cost grows with the mesh: two dwarves, four levels of subdivision (table 3, figure 7). */
#include "bench/hashing.h"
#include "bench/lbs_tables.h"

enum { CORNERS, LAZY, BOTTOM_UP, RIGID, DEFAULT, EAGER, HASH, WAYS };

typedef struct dwarves {
    struct stage stage;
    graze_model *models[2];
    graze_body *rigid[2];
    hashing *hashed;
    size_t hits[WAYS];
    graze_stats stats[WAYS];
} dwarves;

static void ask(void *user, int way)
{
    static const uint32_t trees[WAYS] = {LBS_CORNERS, LBS_SPHERES, LBS_SPHERES, LBS_SPHERES,
                                         LBS_DEFAULT, LBS_FAT,     LBS_FAT};
    dwarves *d = user;
    const graze_options how = {.method = way == EAGER ? GRAZE_EAGER : GRAZE_LAZY,
                               .stats = &d->stats[way]};
    graze_body **bodies = way == RIGID ? d->rigid : d->stage.bodies[trees[way]];
    d->stats[way] = (graze_stats){0};
    if (way == HASH) {
        d->hits[way] = hashing_collide(d->hashed, &d->stage, false);
        return;
    }
    if (way != RIGID) /* whose bounds and triangles are there already: a rigid query's pure cost */
        stage_pose(&d->stage, trees[way]);
    for (int b = 0; way == BOTTOM_UP && b < 2; b++)
        graze_body_refit_all(bodies[b]);
    d->hits[way] = bench_pairs(bodies[0], bodies[1], &how);
}

static const struct {
    double free_ratio, ratio;
    uint32_t spheres, collisions, lazy_tests, bottom_up_tests;
} paper[4] = {{32, 3.9, 2046, 46, 4866, 9515},
              {126, 8.34, 8821, 90, 9309, 19833},
              {502, 17.47, 36506, 178, 17083, 40527},
              {1995, 32.34, 147025, 350, 37682, 86437}};

static void print_row(bool touching, int level, const dwarves *d, const bench_time *times)
{
    const graze_stats *stats = d->stats;
    double us[WAYS], spheres = bench_nodes(d->stage.bodies[LBS_SPHERES][0]);
    for (int w = 0; w < WAYS; w++)
        us[w] = times[w].least;
    lbs_paper_ms there = lbs_at_paper_costs(stats[CORNERS].nodes_refit, stats[CORNERS].bound_tests,
                                            2.0 * spheres, stats[BOTTOM_UP].bound_tests);
    bench_row("lbs_dwarves",
              "interfering:%b subdivisions:%.0f:%5.0f spheres:%.0f:%7.0f :[%6.0f] "
              "collisions:%.0f:%4.0f :[%3.0f] corners_us:%.3f:%8.2f lazy_us:%.3f:%8.2f "
              "bottom_up_us:%.3f:%9.1f ratio:%.2f:%8.1f at_paper_costs:%.2f:%8.1f :[%6.1f] "
              "lazy_tests:%.0f:%7.0f :[%5.0f] bottom_up_tests:%.0f:%7.0f :[%5.0f] "
              "lazy_to_rigid:%.2f:%6.2f rigid_us:%.3f default_us:%.3f:|_%8.2f eager_us:%.3f:%9.1f "
              ":%7.1f hash_us:%.3f:|_%9.1f :%7.1f triangle_tests:%.0f",
              NULL,
              ROW_NUMBERS(touching, level, spheres, paper[level].spheres, d->hits[LAZY],
                          touching ? paper[level].collisions : 0, us[CORNERS], us[LAZY],
                          us[BOTTOM_UP], us[BOTTOM_UP] / us[LAZY], there.bottom_up / there.lazy,
                          touching ? paper[level].ratio : paper[level].free_ratio,
                          stats[LAZY].bound_tests, touching ? paper[level].lazy_tests : 0,
                          stats[BOTTOM_UP].bound_tests, touching ? paper[level].bottom_up_tests : 0,
                          us[LAZY] / us[RIGID], us[RIGID], us[DEFAULT], us[EAGER],
                          us[EAGER] / us[DEFAULT], us[HASH], us[HASH] / us[DEFAULT],
                          stats[LAZY].triangle_tests));
}

static void measure(bool touching, int level)
{
    static dwarves d;
    bench_time times[WAYS];
    char name[32];
    snprintf(name, sizeof name, "dwarves-%s-%d", touching ? "touching" : "free", level);
    lbs_open_stage(&d.stage, name);
    stages_pose(&d.stage, 0, LBS_SPHERES);
    d.hashed = hashing_open(&d.stage);
    for (int b = 0; b < 2; b++)
        bench_expect(stage_freeze(d.stage.bodies[LBS_SPHERES][b], &d.models[b], &d.rigid[b]));
    for (int w = 0; w < WAYS; w++)
        ask(&d, w); /* the rigid bodies' caches are filled by the first query */
    bench_interleave(ask, &d, WAYS, asked.rounds, times);
    for (int w = 0; w < WAYS; w++)
        if (d.hits[w] != d.hits[0])
            bench_die("dwarves: method %d finds %zu pairs, not %zu", w, d.hits[w], d.hits[0]);
    print_row(touching, level, &d, times);
    hashing_close(d.hashed, &d.stage);
    for (int b = 0; b < 2; b++) {
        graze_body_destroy(d.rigid[b]);
        graze_model_destroy(d.models[b]);
    }
    stage_close(&d.stage);
}

void lbs_dwarves(void)
{
    for (int touching = 0; touching < 2; touching++) {
        bench_say("\ndwarves, %s (paper's figures in brackets), us\n  %5s %16s %10s %8s %8s %9s "
                  "%8s %17s %15s %15s %6s | %8s %9s %7s | %9s %7s\n",
                  touching ? "interfering" : "free", "level", "spheres", "pairs", "corners",
                  "our way", "bottom-up", "/ ours", "at paper's costs", "tests lazy", "tests b.-up",
                  "/rigid", "default", "eager", "ratio", "hashing", "ratio");
        for (int level = 0; level < 4; level++)
            measure(touching, level);
    }
}
