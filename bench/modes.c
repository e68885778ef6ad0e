/* Vibration modes of free square plates, finer and finer: how near, how long, how much memory. */
#include "bench/bench.h"
#include "bench/measure.h"

#include <graze/numerics.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { MODES = 10, MOST_ROUNDS = 3 };

/* Steel, 10 mm thick, 1 m square, free: its lowest mode after Leissa (1969). */
#define THEORY 33.59

typedef struct plate {
    uint32_t side; /* squares */
    float *positions;
    uint32_t *triangles;
    uint32_t vertex_count, triangle_count;
} plate;

static bool make_plate(plate *made, uint32_t side)
{
    uint32_t across = side + 1, *next;
    *made = (plate){.side = side,
                    .positions = malloc((size_t)across * across * 3 * sizeof(float)),
                    .triangles = malloc((size_t)side * side * 6 * sizeof(uint32_t)),
                    .vertex_count = across * across,
                    .triangle_count = side * side * 2};
    next = made->triangles;
    for (uint32_t v = 0; made->positions && next && v < made->vertex_count; v++) {
        float *p = made->positions + (size_t)v * 3;
        p[0] = (float)(v % across) / (float)side;
        p[1] = (float)(v / across) / (float)side;
        p[2] = 0;
        if (v % across == side || v / across == side)
            continue;
        const uint32_t corners[6] = {v, v + 1, v + across, v + 1, v + across + 1, v + across};
        for (int i = 0; i < 6; i++)
            *next++ = corners[i];
    }
    return made->positions && made->triangles;
}

static void free_plate(plate *made)
{
    free(made->positions);
    free(made->triangles);
}

/* Megabytes that the process has had at most. */
static double peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static bool measure(const plate *given, uint32_t rounds, bench_samples *seconds, double *lowest,
                    graze_error *error)
{
    graze_shell_def def = graze_default_shell_def();
    def.positions = given->positions;
    def.vertex_count = given->vertex_count;
    def.triangles = given->triangles;
    def.triangle_count = given->triangle_count;
    def.thickness = 0.01;
    def.mode_count = MODES;
    for (uint32_t i = 0; i < rounds; i++) {
        graze_shell_modes *modes = NULL;
        double start = bench_now();
        if (graze_shell_create_modes(&def, &modes, error))
            return false;
        bench_add(seconds, (bench_now() - start) * 1e-6);
        *lowest = modes->frequencies[0];
        graze_shell_modes_destroy(modes);
    }
    return true;
}

static void print_row(const plate *given, const bench_samples *seconds, double lowest, bool json)
{
    double off = 100 * (lowest / THEORY - 1);
    printf(json ? "{\"table\":\"modes\",\"vertices\":%u,\"modes\":%d,\"seconds\":%.4g,"
                  "\"peak_mb\":%.4g,\"lowest\":%.6g,\"off_percent\":%.3g}\n"
                : "%9u %7d %12.3f %10.0f %12.3f %9.2f %%\n",
           given->vertex_count, MODES, bench_least(seconds), peak_memory(), lowest, off);
    fflush(stdout);
}

bool bench_has_modes(void)
{
    return true;
}

int bench_modes(const bench_options *options)
{
    static const uint32_t sides[] = {16, 32, 49, 70, 99, 140};
    uint32_t rounds = options->rounds < MOST_ROUNDS ? options->rounds : MOST_ROUNDS;
    int code = 0;
    bench_print_machine(options->json);
    if (!options->json)
        printf(
            "\nVibration modes of a free plate of steel, 1 m square and 10 mm thick (least of %u "
            "rounds; the lowest mode in theory: %.2f Hz)\n\n%9s %7s %12s %10s %12s %11s\n",
            rounds, THEORY, "vertices", "modes", "seconds", "peak MB", "lowest, Hz", "off");
    for (size_t i = 0; i < sizeof sides / sizeof *sides && code == 0; i++) {
        plate given;
        bench_samples seconds = {.count = 0};
        graze_error error = {.text = "out of memory"};
        double lowest = 0;
        if (make_plate(&given, sides[i]) && measure(&given, rounds, &seconds, &lowest, &error)) {
            print_row(&given, &seconds, lowest, options->json);
        } else {
            fprintf(stderr, "graze: bench modes: %s\n", error.text);
            code = 2;
        }
        free_plate(&given);
    }
    return code;
}
