/* Spheres and chains over triangles that follow many joints in every way: made up, so that batches
 * of poses meet all their cases. And what a batch has to find, one pose after the other.
 */
#ifndef GRAZE_TESTS_SUPPORT_CHAIN_SOUP_H
#define GRAZE_TESTS_SUPPORT_CHAIN_SOUP_H

#include "harness.h"

#include <graze/ext/chain_batch.h>
#include <graze/graze.h>

/* What to make. */
typedef struct chain_soup_def {
    uint64_t seed;
    uint32_t joints; /* of which every fifth moves nothing */
    uint32_t spheres;
    uint32_t most_pivots; /* a sphere has 1 to so many */
    uint32_t vertices_per_pivot;
    uint32_t most_influences;
    graze_isa isa;
    graze_skinning skinning;
    bool morphed;
    const graze_allocator *allocator; /* of the model */
} chain_soup_def;

chain_soup_def chain_soup_usual(void);

/* The chains, which hold their model; NULL with the status where they could not be made. */
graze_chains *chain_soup_make(const chain_soup_def *def, graze_status *status);

/* Random poses for a model: 12 floats a joint, pose after pose. Free them. */
float *chain_soup_poses(test_random *random, uint32_t joints, uint32_t poses);

/* What graze_chain_batch_run should say of poses, by a body that is posed and the spheres and pairs
 * of its positions. All arrays are there; free them by chain_soup_release.
 */
typedef struct chain_soup_answers {
    uint32_t poses, spheres, pairs;
    uint8_t *flags;
    uint32_t *counts;
    uint32_t *found; /* `pairs` a pose */
    float *balls;    /* 4 x spheres a pose */
} chain_soup_answers;

chain_soup_answers chain_soup_answer(const graze_chains *chains, bool all_pairs,
                                     const float *joints, uint32_t poses);
void chain_soup_release(chain_soup_answers *answers);

/* Results with room for all, filled with rubbish, to be compared by chain_soup_compare, which says
 * how many poses are as they should be. Free them by chain_soup_release_results.
 */
graze_chain_results chain_soup_results(const chain_soup_answers *answers, uint32_t capacity);
uint32_t chain_soup_compare(const chain_soup_answers *answers, const graze_chain_results *results);
void chain_soup_release_results(graze_chain_results *results);

#endif
