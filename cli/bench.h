/* What `graze bench` is asked for, and who measures it. */
#ifndef GRAZE_CLI_BENCH_H
#define GRAZE_CLI_BENCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bench_options {
    const char *table; /* "lbs", or "all" */
    bool json;
    uint32_t rounds;    /* repetitions of every measurement */
    const char *models; /* folder of model files; NULL: where they usually are */
    const char *only;   /* of lbs, sbs, peers, scale, world, positions, cliffs, chain, what has this
                           in its name; NULL: everything */
    const char *csv;    /* file for those; NULL: none */
    const char *plot;   /* folder for their drawings, made if need be; NULL: none */
    double limit;       /* seconds after which a measurement of cliffs is ended */

    /* chairs, bridge and audit, some of batch; 0: each table's own */
    uint32_t count;     /* bodies that fall; clips in a library */
    uint32_t triangles; /* of each */
    double seconds;     /* simulated */
    uint32_t threads;   /* that work on a step */
} bench_options;

/* Measures, and returns the exit code. The arguments are those behind `graze bench`, already
 * checked. In the command this starts graze-bench with the same arguments (cli/bench_start.c) and
 * returns only if that fails; in graze-bench it runs the tables (bench/main.c).
 */
int bench_start(const bench_options *options, int argc, char **argv);

#endif
