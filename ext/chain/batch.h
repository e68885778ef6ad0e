/* A batch from the inside: its tables, and where each thread works. */
#ifndef GRAZEI_CHAIN_BATCH_H
#define GRAZEI_CHAIN_BATCH_H

#include "chain/batch_kernels.h"

#include <graze/ext/chain_batch.h>

struct graze_chain_batch {
    const graze_model *model; /* held */
    graze_pool *pool;
    graze_chain_tables tables;
    const grazei_chain_kernels *kernels;
    float *work;      /* work_size floats for each thread */
    size_t work_size; /* a multiple of 16 floats, so that no two threads share a cache line */
};

/* Fills zeroed tables; on failure the caller releases what is there. */
graze_status grazei_chain_tables_build(graze_chain_tables *tables, const graze_chains *chains,
                                       graze_chain_pairs_of which, graze_error *error);
void grazei_chain_tables_release(graze_chain_tables *tables, const graze_allocator *allocator);

#endif
