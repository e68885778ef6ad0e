/* What sphere chains leave for the exact query. */
#include "base/status.h"
#include "chain/plan.h"

#include <string.h>

size_t graze_chain_exact_words(const graze_chain_plan *plan)
{
    return plan ? (size_t)plan->row_words * plan->sphere_count : 0;
}

/* All bits but those of a method's pairs. */
static void fill_unchecked(const graze_chain_plan *plan, graze_chain_method method, uint32_t *rows)
{
    const size_t words = graze_chain_exact_words(plan);
    const uint32_t left = plan->sphere_count % 32;
    const uint32_t last = left ? (1u << left) - 1 : UINT32_MAX;
    for (size_t i = 0; i < words; i++)
        rows[i] = i % plan->row_words == plan->row_words - 1 ? last : UINT32_MAX;
    if (method != GRAZE_CHAIN_ALL) {
        for (size_t i = 0; i < words; i++)
            rows[i] &= ~plan->row_bits[i];
        return;
    }
    for (uint32_t i = 0; i < plan->all.row_count; i++) {
        const grazei_overlap_row *row = &plan->all.rows[i];
        for (uint32_t bits = row->mask; bits; bits &= bits - 1) {
            uint32_t b = (uint32_t)(GRAZEI_SPHERE_BLOCK * row->block + __builtin_ctz(bits));
            rows[(size_t)row->sphere * plan->row_words + b / 32] &= ~(1u << (b % 32));
            rows[(size_t)b * plan->row_words + row->sphere / 32] &= ~(1u << (row->sphere % 32));
        }
    }
}

graze_status graze_chain_exact_rows(const graze_chain_plan *plan, graze_chain_method method,
                                    const graze_chain_pair *pairs, size_t count, uint32_t *rows,
                                    size_t capacity, graze_error *error)
{
    graze_status status = grazei_check_pointer(plan, "the plan", error);
    if (!status && count)
        status = grazei_check_pointer(pairs, "the array of pairs", error);
    if (!status)
        status = grazei_check_pointer(rows, "where rows go", error);
    if (status)
        return status;
    const size_t words = graze_chain_exact_words(plan);
    if (method != GRAZE_CHAIN_CHAINS && method != GRAZE_CHAIN_ALL && method != GRAZE_CHAIN_TREE)
        return grazei_fail(error, GRAZE_BAD_INPUT, "method %d is unknown", (int)method);
    if (capacity < words)
        return grazei_fail(error, GRAZE_BAD_INPUT, "room for %zu words, rows take %zu", capacity,
                           words);
    for (size_t i = 0; i < count; i++)
        if (pairs[i].a >= plan->sphere_count || pairs[i].b >= plan->sphere_count)
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "pair %zu is of spheres %u and %u, there are %u", i, pairs[i].a,
                               pairs[i].b, plan->sphere_count);
    fill_unchecked(plan, method, rows);
    for (size_t i = 0; i < count; i++) {
        grazei_set_bit(rows + (size_t)pairs[i].a * plan->row_words, pairs[i].b);
        grazei_set_bit(rows + (size_t)pairs[i].b * plan->row_words, pairs[i].a);
    }
    return GRAZE_OK;
}
