/* bench world: many bodies in one world. */
#ifndef GRAZE_BENCH_WORLD_H
#define GRAZE_BENCH_WORLD_H

#include "bench/crowd.h"

/* Writes one measured figure, as JSON and to the file, where that is wanted. */
void world_write(const char *table, double size, const char *method, const char *unit,
                 bench_time time, double count);

void world_peers(void);
void world_chairs(void);
void world_shots(void);

#endif
