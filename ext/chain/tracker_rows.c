/* Lists of pairs, as lanes look at them and as bits. */
#include "chain/tracker.h"

#include "base/memory.h"

/* Sorted pairs by sphere and block. */
static bool make(grazei_pair_rows *rows, const graze_pair *pairs, uint32_t count,
                 const graze_allocator *allocator)
{
    const grazei_overlap_row *last = NULL;
    rows->rows = GRAZEI_ALLOCATE_ZERO(allocator, count, grazei_overlap_row);
    rows->pair_count = count;
    for (uint32_t i = 0; rows->rows && i < count; i++) {
        uint32_t block = pairs[i].b / GRAZEI_SPHERE_BLOCK;
        if (!last || last->sphere != pairs[i].a || last->block != block) {
            last = &rows->rows[rows->row_count];
            rows->rows[rows->row_count++] =
                (grazei_overlap_row){.sphere = pairs[i].a, .block = (uint16_t)block, .before = i};
        }
        rows->rows[rows->row_count - 1].mask |=
            (uint16_t)(1u << (pairs[i].b % GRAZEI_SPHERE_BLOCK));
    }
    return rows->rows != NULL;
}

bool grazei_tracker_make_rows(graze_chain_tracker *tracker, const graze_chains *chains)
{
    uint32_t checked_count, all_count;
    const graze_pair *checked = graze_chains_pairs(chains, GRAZE_CHAIN_PAIRS, &checked_count);
    const graze_pair *all = graze_chains_pairs(chains, GRAZE_ALL_PAIRS, &all_count);
    tracker->row_words = (tracker->sphere_count + 31) / 32;
    tracker->row_bits = GRAZEI_ALLOCATE_ZERO(
        &tracker->allocator, (size_t)tracker->row_words * tracker->sphere_count, uint32_t);
    if (!tracker->row_bits ||
        !make(&tracker->checked, checked, checked_count, &tracker->allocator) ||
        !make(&tracker->all, all, all_count, &tracker->allocator))
        return false;
    for (uint32_t i = 0; i < checked_count; i++) {
        grazei_set_bit(tracker->row_bits + (size_t)checked[i].a * tracker->row_words, checked[i].b);
        grazei_set_bit(tracker->row_bits + (size_t)checked[i].b * tracker->row_words, checked[i].a);
    }
    return true;
}
