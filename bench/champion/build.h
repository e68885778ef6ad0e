/* The steps of making a champion_model, and what they share. */
#ifndef GRAZE_BENCH_CHAMPION_BUILD_H
#define GRAZE_BENCH_CHAMPION_BUILD_H

#include "bench/champion/types.h"

/* Aligned memory, counted in *bytes; NULL when out of memory. free() it. */
void *champion_take(size_t count, size_t size, size_t *bytes);

/* Fills model->triangles, upper_children, upper_count, block_count and node_count from the rest
 * positions. False when out of memory, here and below.
 */
bool champion_build_tree(champion_model *model, const graze_model_def *def);

/* Fills slots, stream, runs and singles; needs the order of the triangles. */
bool champion_build_skin(champion_model *model, const graze_model_def *def);

/* The functions for an instruction set, or the widest that is there. */
const champion_kernels *champion_find_kernels(graze_isa isa);

#endif
