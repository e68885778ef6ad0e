/* All or some pairs of triangles of two bodies that meet. */
#ifndef GRAZEI_QUERY_PAIR_H
#define GRAZEI_QUERY_PAIR_H

#include "body/body.h"
#include "math/cpu.h"

typedef struct grazei_pair_kernels {
    /* Walks both trees from their roots; report may be called with up to a batch of pairs at a
     * time. first: looks for the deepest overlap first and stops at the first pair.
     */
    void (*collide)(graze_body *a, graze_body *b, bool first, graze_pair_fn report, void *user,
                    graze_stats *stats);
} grazei_pair_kernels;

GRAZEI_DECLARE(grazei_pair_kernels, pair_kernels);

#endif
