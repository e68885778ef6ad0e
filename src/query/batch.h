/* Pairs of single triangles, collected until they fill lanes: for patches too small to do so by
 * themselves, and for the few candidates that a body has with itself.
 */
#ifndef GRAZEI_QUERY_BATCH_H
#define GRAZEI_QUERY_BATCH_H

#include "query/outbox.h"

#define GRAZEI_BATCH 48

/* Pair i is triangle i of either side. */
typedef struct grazei_batch {
    uint32_t count;
    graze_pair names[GRAZEI_BATCH];
    float corners[2][3 * GRAZEI_BATCH][4] __attribute__((aligned(64)));
} grazei_batch;

#endif
