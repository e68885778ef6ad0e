/* Measuring: interleaved repetitions in one process, because the machine is shared and noisy. */
#ifndef GRAZE_BENCH_MEASURE_H
#define GRAZE_BENCH_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

/* Prints commit, compiler, flags, processor and date, which every table stands under. */
void bench_print_machine(bool json);

/* Microseconds of a monotonic clock. */
double bench_now(void);

/* Samples of one method on one frame: the least and the middle one. */
typedef struct bench_samples {
    double values[64];
    uint32_t count;
} bench_samples;

void bench_add(bench_samples *samples, double value);
double bench_least(const bench_samples *samples);
double bench_middle(const bench_samples *samples);

/* Runs each method once a round, rounds times, and keeps the time of each run. A method sets itself
 * up from scratch (poses included), so that every run is cold.
 */
typedef struct bench_method {
    const char *name;
    void (*run)(void *user);
    void *user;
} bench_method;

void bench_interleave(const bench_method *methods, uint32_t method_count, uint32_t rounds,
                      bench_samples *samples);

#endif
