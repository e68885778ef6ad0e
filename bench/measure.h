/* Measuring: interleaved repetitions in one process, because the machine is shared and noisy. */
#ifndef GRAZE_BENCH_MEASURE_H
#define GRAZE_BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Prints commit, compiler, flags, processor, load and date, which every table stands under. Where
 * other programs ran (a load above 1 on a core or two), long methods look longer than they are, and
 * so do their ratios to short ones.
 */
void bench_print_machine(bool json);

/* The same as one line of text, for files. Flags may be long: give it BENCH_MACHINE_SIZE. */
#define BENCH_MACHINE_SIZE 2048
void bench_describe_machine(char *text, size_t size);

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

/* In each round runs each method twice and keeps the time of the second run: a method finds its own
 * data in the caches as it would from the frame before, not what the others left there. A method
 * starts from the pose, so nothing it computed in the first run is of use in the second.
 */
typedef struct bench_method {
    const char *name;
    void (*run)(void *user);
    void *user;
} bench_method;

void bench_interleave(const bench_method *methods, uint32_t method_count, uint32_t rounds,
                      bench_samples *samples);

#endif
