/* Batches of poses in lanes: what is compiled once per instruction set. */
#ifndef GRAZEI_CHAIN_BATCH_KERNELS_H
#define GRAZEI_CHAIN_BATCH_KERNELS_H

#include "math/isa.h"

#include <graze/ext/chain_batch.h>

typedef struct grazei_chain_kernels {
    uint32_t lanes; /* poses that move together */
    /* Does `count` poses, 1 to lanes of them, their joints one behind the other; results are those
     * of the first. work has grazei_chain_work_size floats, aligned to 64 bytes.
     */
    void (*run)(const graze_chain_tables *tables, const float *joints, uint32_t count, float *work,
                const graze_chain_results *results);
} grazei_chain_kernels;

GRAZEI_DECLARE(grazei_chain_kernels, chain_kernels);

/* Floats that one pose needs: joints, spheres, and the pivots of one of these. */
static inline size_t grazei_chain_work_size(const graze_chain_tables *tables)
{
    return 12 * (size_t)tables->used_joint_count + 4 * (size_t)tables->sphere_count +
           3 * (size_t)tables->max_pivots;
}

#endif
