/* The steps of making a eager_model, and what they share. */
#ifndef GRAZE_BENCH_EAGER_BUILD_H
#define GRAZE_BENCH_EAGER_BUILD_H

#include "bench/eager/types.h"

/* Aligned memory, counted in *bytes; NULL when out of memory. free() it. */
void *eager_take(size_t count, size_t size, size_t *bytes);

/* Fills model->triangles, upper_children, upper_count, block_count and node_count from the rest
 * positions. False when out of memory, here and below.
 */
bool eager_build_tree(eager_model *model, const graze_model_def *def);

/* Fills slots, stream, runs and singles; needs the order of the triangles. */
bool eager_build_skin(eager_model *model, const graze_model_def *def);

/* The functions for an instruction set, or the widest that is there. */
const eager_kernels *eager_find_kernels(graze_isa isa);

#endif
