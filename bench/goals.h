/* What was promised of one run, row by row: what it was when the promise was made, what is to be
 * reached, and what it is now.
 */
#ifndef GRAZE_BENCH_GOALS_H
#define GRAZE_BENCH_GOALS_H

#include <stdbool.h>
#include <stdint.h>

#define BENCH_GOALS 16

/* What was measured of them; zeroed: nothing. */
typedef struct bench_goals {
    double now[BENCH_GOALS];
    double own_eager[BENCH_GOALS]; /* the ratio of graze's own eager query in the same case */
} bench_goals;

/* Notes a figure, if it is one of the rows: how many times as long a method takes as graze, or the
 * microseconds of one. goals may be NULL.
 */
void bench_goals_take_ratio(bench_goals *goals, const char *table, const char *model,
                            const char *name, const char *method, double ratio);
void bench_goals_take_time(bench_goals *goals, const char *table, const char *model,
                           const char *name, const char *method, double us);

/* The rows that were measured. */
void bench_goals_print(const bench_goals *goals, bool json);

#endif
