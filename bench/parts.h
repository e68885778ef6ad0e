/* A bench that is several tables, of which --only may choose some. */
#ifndef GRAZE_BENCH_PARTS_H
#define GRAZE_BENCH_PARTS_H

#include "bench/bench.h"

#include <stddef.h>

typedef struct bench_part {
    const char *name;
    bool (*run)(const bench_options *options); /* false after printing an error */
} bench_part;

/* Runs those that have options->only in their names, or the one that is called just that; returns
 * the exit code.
 */
int bench_run_parts(const bench_options *options, const bench_part *parts, size_t count);

#endif
