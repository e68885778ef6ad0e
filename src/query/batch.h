/* Pairs of triangles that may meet, on their way through the narrow phase to the caller: collected
 * over many pairs of patches until they fill lanes, or tested at once where one hit is enough.
 */
#ifndef GRAZEI_QUERY_BATCH_H
#define GRAZEI_QUERY_BATCH_H

#include "narrow/candidate_kernels.h"
#include "query/outbox.h"

/* Nothing is waiting yet. */
static inline void grazei_batch_start(grazei_candidates *batch)
{
    batch->count = 0;
}

#endif
