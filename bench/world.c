/* A world of ever more bodies. */
#include "bench/world.h"

#include <stdio.h>
#include <string.h>

bool world_is_wanted(world_output *output, const char *name)
{
    bool wanted = !output->options->only || strstr(name, output->options->only);
    output->wanted |= wanted;
    return wanted;
}

void world_write(world_output *output, const char *table, double size, const char *method,
                 const char *unit, double least, double median, double count)
{
    if (output->options->json)
        printf("{\"table\":\"world\",\"of\":\"%s\",\"size\":%g,\"method\":\"%s\",\"unit\":\"%s\","
               "\"least\":%.4f,\"median\":%.4f,\"count\":%.0f}\n",
               table, size, method, unit, least, median, count);
    bench_csv_text(&output->csv, table);
    bench_csv_number(&output->csv, size);
    bench_csv_text(&output->csv, method);
    bench_csv_text(&output->csv, unit);
    bench_csv_number(&output->csv, least);
    bench_csv_number(&output->csv, median);
    bench_csv_number(&output->csv, count);
    bench_csv_end_line(&output->csv);
}

/* ---- cost against bodies -------------------------------------------------------------------- */

enum { POSES, BOUNDS, EXACT, STAGES };

static const char *const stage_names[STAGES] = {"poses", "update, bounds", "update, exact"};

typedef struct bodies_point {
    double least[STAGES], median[STAGES]; /* microseconds */
    size_t candidates, meetings;
    uint32_t caches;
    double idle, touched; /* megabytes of bodies and of caches */
} bodies_point;

/* Poses, then an update; the times of both. */
static void run_once(world_crowd *people, bench_samples *poses, bench_samples *update)
{
    double start = bench_now();
    world_crowd_pose(people);
    double posed = bench_now();
    world_crowd_run(people);
    if (poses)
        bench_add(poses, posed - start);
    bench_add(update, bench_now() - posed);
}

static bool measure_bodies(uint32_t count, uint32_t rounds, bodies_point *point)
{
    world_crowd crowds[2];
    bench_samples samples[STAGES], unwanted;
    memset(samples, 0, sizeof samples);
    memset(&unwanted, 0, sizeof unwanted);
    if (!world_crowd_open(&crowds[0], count, true, GRAZE_LEVEL_BOUNDS))
        return false;
    if (!world_crowd_open(&crowds[1], count, true, GRAZE_LEVEL_EXACT)) {
        world_crowd_close(&crowds[0]);
        return false;
    }
    run_once(&crowds[0], NULL, &unwanted);
    run_once(&crowds[1], NULL, &unwanted);
    for (uint32_t round = 0; round < rounds; round++) {
        run_once(&crowds[0], &samples[POSES], &samples[BOUNDS]);
        run_once(&crowds[1], &samples[POSES], &samples[EXACT]);
    }
    graze_cache_pool_info info = graze_cache_pool_get_info(crowds[1].caches);
    *point = (bodies_point){.candidates = graze_world_candidate_count(crowds[1].world),
                            .meetings = crowds[1].events,
                            .caches = info.made,
                            .idle = 1e-6 * (double)info.body_bytes * count,
                            .touched = 1e-6 * (double)info.cache_bytes * info.made};
    for (int s = 0; s < STAGES; s++) {
        point->least[s] = bench_least(&samples[s]);
        point->median[s] = bench_middle(&samples[s]);
    }
    world_crowd_close(&crowds[0]);
    world_crowd_close(&crowds[1]);
    return true;
}

bool world_bodies(world_output *output)
{
    static const uint32_t counts[] = {10, 100, 1000, 10000, 100000};
    double before = 0;
    if (!world_is_wanted(output, "bodies"))
        return true;
    if (!output->options->json)
        printf("\nbodies: lean dwarves of 1,664 triangles in a square, all moving, one thread; us "
               "for everybody, least\n  %9s %11s %11s %11s %11s %7s | %10s %9s | %8s %8s %9s\n",
               "bodies", stage_names[POSES], "bounds", "exact", "poses+exact", "times",
               "candidates", "events", "caches", "idle MB", "caches MB");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        bodies_point p;
        uint32_t rounds =
            counts[i] < 100000 ? output->options->rounds : output->options->rounds / 2;
        if (!measure_bodies(counts[i], rounds ? rounds : 1, &p))
            return false;
        double all = p.least[POSES] + p.least[EXACT];
        if (!output->options->json)
            printf("  %9u %11.1f %11.1f %11.1f %11.1f %7.2f | %10zu %9zu | %8u %8.1f %9.1f\n",
                   counts[i], p.least[POSES], p.least[BOUNDS], p.least[EXACT], all,
                   before > 0 ? all / before : 0, p.candidates, p.meetings, p.caches, p.idle,
                   p.touched);
        before = all;
        for (int s = 0; s < STAGES; s++)
            world_write(output, "bodies", counts[i], stage_names[s], "us", p.least[s], p.median[s],
                        (double)p.candidates);
        fflush(stdout);
    }
    return true;
}

int bench_world(const bench_options *options)
{
    static bool (*const tables[])(world_output *) = {world_bodies, world_chairs};
    world_output output = {.options = options};
    bool ok = bench_csv_open(&output.csv, options->csv, "of,size,method,unit,least,median,count");
    bench_print_machine(options->json);
    for (size_t t = 0; t < sizeof tables / sizeof *tables && ok; t++)
        ok = tables[t](&output);
    if (ok && !output.wanted) {
        fprintf(stderr, "graze: no table has %s in its name\n", options->only);
        ok = false;
    }
    return bench_csv_close(&output.csv) && ok ? 0 : 2;
}
