/* Sphere chains by lot for any mesh: spheres at vertices, triangles of the nearest one, pivots and
 * chains by chance.
 */
#ifndef GRAZE_TESTS_SUPPORT_RANDOM_CHAINS_H
#define GRAZE_TESTS_SUPPORT_RANDOM_CHAINS_H

#include "harness.h"

#include <graze/ext/chain.h>
#include <graze/graze.h>

typedef struct random_chains {
    graze_chain_sphere *spheres;
    graze_chain_pivot *pivots;
    uint32_t *owners;
    uint32_t *offsets, *members;
    graze_chains_given given;
    graze_chains *chains;
} random_chains;

/* Of a model made from this def. Some spheres may own no triangle. Aborts when out of memory. */
random_chains random_chains_make(const graze_model *model, const graze_model_def *def,
                                 uint32_t spheres, uint32_t vertices_per_pivot,
                                 test_random *random);
void random_chains_free(random_chains *chains);

#endif
