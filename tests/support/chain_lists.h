/* Pairs and impacts of posed spheres into arrays, in one call. */
#ifndef GRAZE_TESTS_CHAIN_LISTS_H
#define GRAZE_TESTS_CHAIN_LISTS_H

#include <graze/ext/chain_pose.h>

static inline graze_status chain_list_pairs(const graze_posed_chains *a,
                                            const graze_posed_chains *b, graze_chain_pairs_of which,
                                            const graze_options *options, graze_pair *pairs,
                                            size_t capacity, size_t *count)
{
    graze_pair_list list = {.items = pairs, .capacity = capacity};
    graze_status status = graze_chain_pairs(a, b, which, &list, options, NULL);
    *count = list.total;
    return status;
}

static inline graze_status chain_list_impacts(const graze_posed_chains *a,
                                              const graze_posed_chains *b,
                                              graze_chain_pairs_of which, graze_impact *impacts,
                                              size_t capacity, size_t *count)
{
    graze_impact_list list = {.items = impacts, .capacity = capacity};
    graze_status status = graze_chain_sweep(a, b, which, &list, NULL, NULL);
    *count = list.total;
    return status;
}

static inline uint32_t chain_count_pairs(const graze_chain_tracker *tracker,
                                         graze_chain_pairs_of which)
{
    uint32_t count = 0;
    graze_chain_tracker_size(tracker, which, &count);
    return count;
}

/* Words that graze_chain_filter_rows writes. */
static inline size_t chain_count_words(const graze_chain_tracker *tracker)
{
    size_t spheres = graze_chain_tracker_size(tracker, GRAZE_CHAIN_PAIRS, NULL);
    return spheres * ((spheres + 31) / 32);
}

#endif
