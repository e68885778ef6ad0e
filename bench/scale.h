/* bench scale: what grows when models and crowds do. */
#ifndef GRAZE_BENCH_SCALE_H
#define GRAZE_BENCH_SCALE_H

#include "bench/crowd.h"
#include "bench/pair_bench.h"

/* Writes one measured figure as JSON and to the file, where they are wanted. */
void scale_write(const char *sweep, double size, const char *what, const char *method,
                 const char *unit, bench_time time, double pairs);

/* The tables. */
void scale_triangles(void);
void scale_joints(void);
void scale_influences(void);
void scale_threads(void);
void scale_frozen(void);

/* Two creatures of 50,000 triangles, graze alone. */
void scale_open_creatures(queries_subject *subject, pair_bench *pair);

#endif
