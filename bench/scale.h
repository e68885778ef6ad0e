/* bench scale: what grows when models and crowds do. */
#ifndef GRAZE_BENCH_SCALE_H
#define GRAZE_BENCH_SCALE_H

#include "bench/csv.h"
#include "bench/pair_bench.h"
#include "bench/plot.h"

/* The questions that are asked at every size. */
enum { SCALE_APART, SCALE_TOUCHING, SCALE_BEFORE, SCALE_DEEP, SCALE_RAY, SCALE_CASES };

/* Who answers. */
enum { SCALE_GRAZE, SCALE_BOXES, SCALE_WAYS };

extern const pair_case scale_cases[SCALE_CASES];
extern const char *const scale_ways[SCALE_WAYS];

/* One size. Times in microseconds; of each case the least and the median. */
typedef struct scale_point {
    double size;
    uint32_t triangles;
    double least[SCALE_CASES][SCALE_WAYS], median[SCALE_CASES][SCALE_WAYS];
    double pairs[SCALE_CASES]; /* a frame; of rays those that hit */
    double build;              /* microseconds a triangle */
    double tree, body;         /* bytes a triangle: tree and constants, and one body */
    double boxes;              /* bytes a triangle of the eager boxes, with one body */
} scale_point;

#define SCALE_POINTS 12

typedef struct scale_sweep {
    const char *name;  /* "triangles" */
    const char *title; /* of its drawing */
    scale_point points[SCALE_POINTS];
    uint32_t count;
} scale_sweep;

/* What goes with every table. */
typedef struct scale_output {
    const bench_options *options;
    bench_csv csv;
    bool wanted; /* some table was */
} scale_output;

/* Writes one measured figure to the file, if there is one. */
void scale_write(scale_output *output, const char *sweep, double size, const char *what,
                 const char *method, const char *unit, double least, double median, double pairs);

/* Whether --only lets this table in. */
bool scale_is_wanted(scale_output *output, const char *name);

/* The tables. Each returns false after printing an error. */
bool scale_triangles(scale_output *output);
bool scale_joints(scale_output *output);
bool scale_influences(scale_output *output);
bool scale_bodies(scale_output *output);
bool scale_threads(scale_output *output);
bool scale_frozen(scale_output *output);

/* Two creatures of 50,000 triangles, graze alone. False after printing an error; there is nothing
 * to close then.
 */
bool scale_open_creatures(queries_subject *subject, pair_bench *pair);

/* Prints, writes and draws a sweep. */
bool scale_show(scale_output *output, const scale_sweep *sweep);

#endif
