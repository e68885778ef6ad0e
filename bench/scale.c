/* bench scale: its tables, and cost against bodies. */
#include "bench/scale.h"
#include "bench/plot.h"

void scale_write(const char *sweep, double size, const char *what, const char *method,
                 const char *unit, bench_time time, double pairs)
{
    bench_row(
        "scale", "against:%s size:%g case:%s method:%s unit:%s least:%.4f median:%.4f pairs:%.2f",
        ROW_TEXTS(sweep, what, method, unit), ROW_NUMBERS(size, time.least, time.middle, pairs));
}

static void run(void *user, int way)
{
    crowd_run(user, way);
}

/* Prints a row, and puts it into the drawing. */
static void measure_bodies(uint32_t count, plot_line *lines[CROWD_WAYS])
{
    const crowd_def def = {.kind = GRAZE_SYNTH_DWARF,
                           .count = count,
                           .columns = 10,
                           .seed = 1,
                           .step = 1.2f,
                           .level = GRAZE_LEVEL_EXACT,
                           .lean = true,
                           .eager = true};
    crowd people;
    bench_time times[CROWD_WAYS];
    size_t near[CROWD_WAYS], hits[CROWD_WAYS];
    crowd_open(&people, &def);
    for (int w = 0; w < CROWD_WAYS; w++) {
        crowd_run(&people, w);
        near[w] = people.near_count;
        hits[w] = people.hits;
    }
    if (hits[0] != hits[1])
        bench_die("%u bodies: %zu pairs, but %zu with eager boxes", count, hits[0], hits[1]);
    bench_interleave(run, &people, CROWD_WAYS, asked.rounds, times);
    graze_cache_pool_info info = graze_cache_pool_get_info(people.caches);
    double own_mb = 1e-6 * ((double)info.body_bytes * count + (double)info.cache_bytes * info.made);
    bench_say("  %9u %12.1f %12.1f %8.2f | %12zu %12zu | %9zu | %9.1f %9.1f\n", count,
              times[0].least, times[1].least, times[1].least / times[0].least, near[0], near[1],
              hits[0], own_mb, 1e-6 * (double)eager_body_bytes(people.eager_bodies[0]) * count);
    for (int w = 0; w < CROWD_WAYS; w++) {
        scale_write("bodies", count, "crowd, all pairs", crowd_ways[w], "us", times[w], hits[w]);
        plot_add_point(lines[w], count, times[w].least);
    }
    fflush(stdout);
    crowd_close(&people);
}

static void scale_bodies(void)
{
    static const uint32_t counts[] = {2, 10, 100, 1000, 10000};
    plot_chart chart = {.title = "A crowd of dwarves, 1,664 triangles each: all pairs of triangles",
                        .x_name = "bodies",
                        .y_name = "microseconds from all joint matrices to all answers"};
    plot_line *lines[CROWD_WAYS];
    for (int w = 0; w < CROWD_WAYS; w++)
        lines[w] = plot_add_line(&chart, crowd_ways[w], (uint32_t)w, w == CROWD_BOXES);
    bench_say("\nbodies: a crowd of lean dwarves of 1,664 triangles, ten abreast, in a world; us "
              "for everybody, from joint matrices to all pairs of triangles\n  %9s %12s %12s %8s "
              "| %12s %12s | %9s | %9s %9s\n",
              "bodies", "graze", "eager boxes", "ratio", "near, graze", "near, boxes", "pairs",
              "graze MB", "boxes MB");
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        measure_bodies(counts[i], lines);
    if (asked.plot)
        plot_lines("scale-bodies", &chart);
}

void bench_scale(void)
{
    static const bench_part parts[] = {
        {"triangles", .run = scale_triangles},   {"joints", .run = scale_joints},
        {"influences", .run = scale_influences}, {"bodies", .run = scale_bodies},
        {"threads", .run = scale_threads},       {"frozen", .run = scale_frozen}};
    bench_csv_open("against,size,case,method,unit,least,median,pairs");
    bench_print_machine();
    bench_run_parts(parts, COUNT_OF(parts));
}
