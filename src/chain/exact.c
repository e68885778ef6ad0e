/* What sphere chains leave for the exact query. */
#include "base/status.h"
#include "chain/plan.h"

#include <string.h>

size_t graze_chain_exact_words(const graze_chain_plan *plan)
{
    return plan ? (size_t)plan->row_words * plan->sphere_count : 0;
}

graze_status graze_chain_exact_rows(const graze_chain_plan *plan, const graze_chain_pair *pairs,
                                    size_t count, uint32_t *rows, size_t capacity,
                                    graze_error *error)
{
    graze_status status = grazei_check_pointer(plan, "the plan", error);
    if (!status && count)
        status = grazei_check_pointer(pairs, "the array of pairs", error);
    if (!status)
        status = grazei_check_pointer(rows, "where rows go", error);
    if (status)
        return status;
    const size_t words = graze_chain_exact_words(plan);
    if (capacity < words)
        return grazei_fail(error, GRAZE_BAD_INPUT, "room for %zu words, rows take %zu", capacity,
                           words);
    for (size_t i = 0; i < count; i++)
        if (pairs[i].a >= plan->sphere_count || pairs[i].b >= plan->sphere_count)
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "pair %zu is of spheres %u and %u, there are %u", i, pairs[i].a,
                               pairs[i].b, plan->sphere_count);
    const uint32_t left = plan->sphere_count % 32;
    const uint32_t last = left ? (1u << left) - 1 : UINT32_MAX;
    for (size_t i = 0; i < words; i++)
        rows[i] = ~plan->row_bits[i] & (i % plan->row_words == plan->row_words - 1 ? last : ~0u);
    for (size_t i = 0; i < count; i++) {
        grazei_set_bit(rows + (size_t)pairs[i].a * plan->row_words, pairs[i].b);
        grazei_set_bit(rows + (size_t)pairs[i].b * plan->row_words, pairs[i].a);
    }
    return GRAZE_OK;
}
