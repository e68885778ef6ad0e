/* What sphere chains leave for the exact query. */
#include "base/status.h"
#include "chain/tracker.h"

#include <string.h>

static size_t words_of(const graze_chain_tracker *tracker)
{
    return (size_t)tracker->row_words * tracker->sphere_count;
}

/* All bits but those of the pairs. */
static void fill_unchecked(const graze_chain_tracker *tracker, graze_chain_pairs_of which,
                           uint32_t *rows)
{
    const size_t words = words_of(tracker);
    const uint32_t left = tracker->sphere_count % 32;
    const uint32_t last = left ? (1u << left) - 1 : UINT32_MAX;
    for (size_t i = 0; i < words; i++)
        rows[i] = i % tracker->row_words == tracker->row_words - 1 ? last : UINT32_MAX;
    if (which != GRAZE_ALL_PAIRS) {
        for (size_t i = 0; i < words; i++)
            rows[i] &= ~tracker->row_bits[i];
        return;
    }
    for (uint32_t i = 0; i < tracker->all.row_count; i++) {
        const grazei_overlap_row *row = &tracker->all.rows[i];
        for (uint32_t bits = row->mask; bits; bits &= bits - 1) {
            uint32_t b = (uint32_t)(GRAZEI_SPHERE_BLOCK * row->block + __builtin_ctz(bits));
            rows[(size_t)row->sphere * tracker->row_words + b / 32] &= ~(1u << (b % 32));
            rows[(size_t)b * tracker->row_words + row->sphere / 32] &= ~(1u << (row->sphere % 32));
        }
    }
}

graze_status graze_chain_filter_rows(const graze_chain_tracker *tracker, graze_chain_pairs_of which,
                                     const graze_pair *pairs, size_t count, uint32_t *rows,
                                     size_t capacity, graze_error *error)
{
    graze_status status = grazei_check_pointer(tracker, "the tracker", error);
    if (!status && count)
        status = grazei_check_pointer(pairs, "the array of pairs", error);
    if (!status)
        status = grazei_check_pointer(rows, "where rows go", error);
    if (status)
        return status;
    const size_t words = words_of(tracker);
    if (which != GRAZE_CHAIN_PAIRS && which != GRAZE_ALL_PAIRS)
        return grazei_fail(error, GRAZE_BAD_INPUT, "pairs %d are unknown", (int)which);
    if (capacity < words)
        return grazei_fail(error, GRAZE_BAD_INPUT, "room for %zu words, rows take %zu", capacity,
                           words);
    for (size_t i = 0; i < count; i++)
        if (pairs[i].a >= tracker->sphere_count || pairs[i].b >= tracker->sphere_count)
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "pair %zu is of spheres %u and %u, there are %u", i, pairs[i].a,
                               pairs[i].b, tracker->sphere_count);
    fill_unchecked(tracker, which, rows);
    for (size_t i = 0; i < count; i++) {
        grazei_set_bit(rows + (size_t)pairs[i].a * tracker->row_words, pairs[i].b);
        grazei_set_bit(rows + (size_t)pairs[i].b * tracker->row_words, pairs[i].a);
    }
    return GRAZE_OK;
}
