/* A world of ever more bodies. */
#include "bench/world.h"

void world_write(const char *table, double size, const char *method, const char *unit,
                 bench_time time, double count)
{
    bench_row("world", "of:%s size:%g method:%s unit:%s least:%.4f median:%.4f count:%.0f",
              ROW_TEXTS(table, method, unit), ROW_NUMBERS(size, time.least, time.middle, count));
}

enum { POSES, BOUNDS, EXACT, STAGES };

static const char *const stage_names[STAGES] = {"poses", "update, bounds", "update, exact"};

/* Poses, then an update; the times of both. */
static void run_once(crowd *people, bench_samples *poses, bench_samples *update)
{
    double start = bench_now();
    crowd_step(people);
    crowd_pose(people);
    double posed = bench_now();
    crowd_update(people);
    bench_add(poses, posed - start);
    bench_add(update, bench_now() - posed);
}

/* Prints a row; returns the microseconds of poses and exact update. */
static double measure_bodies(uint32_t count, uint32_t rounds, double before)
{
    crowd_def def = {.kind = GRAZE_SYNTH_DWARF,
                     .count = count,
                     .columns = (uint32_t)ceil(sqrt(count)),
                     .seed = 1,
                     .step = 1.2f,
                     .lean = true};
    crowd crowds[STAGES];
    bench_samples samples[STAGES] = {0}, unwanted = {.count = 0};
    for (int s = BOUNDS; s <= EXACT; s++) {
        def.level = s == BOUNDS ? GRAZE_LEVEL_BOUNDS : GRAZE_LEVEL_EXACT;
        crowd_open(&crowds[s], &def);
        run_once(&crowds[s], &unwanted, &unwanted);
    }
    for (uint32_t round = 0; round < rounds; round++)
        for (int s = BOUNDS; s <= EXACT; s++)
            run_once(&crowds[s], &samples[POSES], &samples[s]);
    bench_time times[STAGES];
    for (int s = 0; s < STAGES; s++)
        times[s] = (bench_time){bench_least(&samples[s]), bench_middle(&samples[s])};
    graze_cache_pool_info info = graze_cache_pool_get_info(crowds[EXACT].caches);
    size_t candidates = graze_world_candidate_count(crowds[EXACT].world);
    double all = times[POSES].least + times[EXACT].least;
    bench_say("  %9u %11.1f %11.1f %11.1f %11.1f %7.2f | %10zu %10zu %9zu | %8u %8.1f %9.1f\n",
              count, times[POSES].least, times[BOUNDS].least, times[EXACT].least, all,
              before > 0 ? all / before : 0, candidates, crowd_exact_candidates(&crowds[EXACT]),
              crowds[EXACT].events, info.made, 1e-6 * (double)info.body_bytes * count,
              1e-6 * (double)info.cache_bytes * info.made);
    for (int s = 0; s < STAGES; s++)
        world_write("bodies", count, stage_names[s], "us", times[s], candidates);
    crowd_close(&crowds[BOUNDS]);
    crowd_close(&crowds[EXACT]);
    return all;
}

static void world_bodies(void)
{
    static const uint32_t counts[] = {10, 100, 1000, 10000, 100000};
    double before = 0;
    bench_say("\nbodies: lean dwarves of 1,664 triangles in a square, all moving, one thread; us "
              "for everybody, least\n  %9s %11s %11s %11s %11s %7s | %10s %10s %9s | %8s %8s %9s\n",
              "bodies", stage_names[POSES], "bounds", "exact", "poses+exact", "times", "candidates",
              "exact", "events", "caches", "idle MB", "caches MB");
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        uint32_t rounds = counts[i] < 100000 ? asked.rounds : asked.rounds / 2;
        before = measure_bodies(counts[i], rounds ? rounds : 1, before);
    }
}

void bench_world(void)
{
    static const bench_part parts[] = {{"bodies", .run = world_bodies},
                                       {"creatures", .run = world_peers},
                                       {"chairs", .run = world_chairs},
                                       {"shots", .run = world_shots}};
    bench_csv_open("of,size,method,unit,least,median,count");
    bench_print_machine();
    bench_run_parts(parts, COUNT_OF(parts));
}
