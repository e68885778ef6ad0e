/* Vibration modes of free square plates, finer and finer: how near, how long, how much memory. */
#include "bench/bench.h"

#include <graze/numerics.h>

enum { MODES = 10, MOST_ROUNDS = 3 };

/* Steel, 10 mm thick, 1 m square, free: its lowest mode after Leissa (1969). */
#define THEORY 33.59

/* Positions of side x side squares of two triangles, and those, in a def to be freed. */
static graze_shell_def make_plate(uint32_t side)
{
    uint32_t across = side + 1, *triangles = bench_take((size_t)side * side * 6, sizeof *triangles);
    float *positions = bench_take((size_t)across * across, 3 * sizeof *positions);
    const graze_shell_def def = {.positions = positions,
                                 .vertex_count = across * across,
                                 .triangles = triangles,
                                 .triangle_count = side * side * 2,
                                 .thickness = 0.01,
                                 .mode_count = MODES};
    for (uint32_t v = 0; v < def.vertex_count; v++) {
        positions[3 * v] = (float)(v % across) / (float)side;
        positions[3 * v + 1] = (float)(v / across) / (float)side;
        if (v % across == side || v / across == side)
            continue;
        const uint32_t corners[6] = {v, v + 1, v + across, v + 1, v + across + 1, v + across};
        for (int i = 0; i < 6; i++)
            *triangles++ = corners[i];
    }
    return def;
}

static void measure(uint32_t side, uint32_t rounds)
{
    const graze_shell_def def = make_plate(side);
    double seconds = INFINITY, lowest = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        graze_shell_modes *modes = NULL;
        double start = bench_now();
        bench_must(graze_shell_create_modes(&def, &modes, &bench_error));
        seconds = fmin(seconds, (bench_now() - start) * 1e-6);
        lowest = modes->frequencies[0];
        graze_shell_modes_destroy(modes);
    }
    bench_row("modes",
              "vertices:%.0f:%9.0f modes:%.0f:%7.0f seconds:%.4g:%12.3f peak_mb:%.4g:%10.0f "
              "lowest:%.6g:%12.3f off_percent:%.3g:%9.2f_%%",
              NULL,
              ROW_NUMBERS(def.vertex_count, MODES, seconds, bench_peak_memory(), lowest,
                          100 * (lowest / THEORY - 1)));
    free((void *)def.positions);
    free((void *)def.triangles);
}

void bench_modes(void)
{
    static const uint32_t sides[] = {16, 32, 49, 70, 99, 140};
    uint32_t rounds = asked.rounds < MOST_ROUNDS ? asked.rounds : MOST_ROUNDS;
    bench_print_machine();
    bench_say("\nVibration modes of a free plate of steel, 1 m square and 10 mm thick (least of %u "
              "rounds; the lowest mode in theory: %.2f Hz)\n\n  %9s %7s %12s %10s %12s %11s\n",
              rounds, THEORY, "vertices", "modes", "seconds", "peak MB", "lowest, Hz", "off");
    for (size_t i = 0; i < COUNT_OF(sides); i++)
        measure(sides[i], rounds);
}
