/* What was promised of one run, row by row: what it was when the promise was made, what is to be
 * reached, and what it is now.
 */
#ifndef GRAZE_BENCH_GOALS_H
#define GRAZE_BENCH_GOALS_H

#include "bench/bench.h"

/* Notes a figure, if it is one of the rows: how many times as long a method takes as graze, or the
 * microseconds of one.
 */
void goals_take(bool is_time, const char *table, const char *model, const char *name,
                const char *method, double value);

/* The rows that were measured. */
void goals_print(void);

#endif
