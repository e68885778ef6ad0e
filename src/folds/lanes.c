/* Rows of folds once more, sorted by their pair of joints. */
#include "folds/build.h"

#include "base/assert.h"
#include "base/memory.h"

#if defined(__OPTIMIZE_SIZE__) /* the web's module does without */

bool grazei_folds_make_lanes(grazei_fold_builder *b)
{
    (void)b;
    return true;
}

#else

static void count_lanes(const grazei_folds *folds)
{
    uint32_t *first = folds->first_lanes, sum = 0;
    memset(first, 0, ((size_t)folds->pair_count + 1) * sizeof *first);
    for (uint32_t i = 0; i < folds->row_count; i++)
        first[folds->rows[i].pair]++;
    for (uint32_t p = 0; p <= folds->pair_count; p++) {
        uint32_t lanes = (first[p] + GRAZEI_FOLD_LANES - 1) / GRAZEI_FOLD_LANES;
        first[p] = sum;
        sum += lanes;
    }
}

static void fill_lane(const grazei_folds *folds, uint32_t fold, const grazei_fold_row *row,
                      uint32_t at)
{
    GRAZE_ASSERT(at / GRAZEI_FOLD_LANES < folds->first_lanes[row->pair + 1]);
    grazei_fold_lanes *lanes = &folds->lanes[at / GRAZEI_FOLD_LANES];
    uint32_t i = at % GRAZEI_FOLD_LANES;
    for (int axis = 0; axis < 3; axis++)
        lanes->centre[axis][i] = folds->folds[fold].centre[axis];
    lanes->weight[i] = fabsf(row->weight);
    lanes->spread[i] = row->spread;
    lanes->bend[i] = row->bend;
    lanes->steepness[i] = row->steepness;
    lanes->folds[i] = fold;
}

bool grazei_folds_make_lanes(grazei_fold_builder *b)
{
    grazei_folds *folds = b->folds;
    uint32_t *next = GRAZEI_ALLOCATE_ZERO(b->allocator, folds->pair_count, uint32_t);
    folds->first_lanes = GRAZEI_ALLOCATE(b->allocator, (size_t)folds->pair_count + 1, uint32_t);
    if (next && folds->first_lanes) {
        count_lanes(folds);
        folds->lanes = GRAZEI_ALLOCATE_ZERO(b->allocator, folds->first_lanes[folds->pair_count],
                                            grazei_fold_lanes);
    }
    uint32_t count = folds->lanes ? folds->first_lanes[folds->pair_count] : 0;
    for (uint32_t i = 0; i < count; i++) /* what is left over adds to a fold beyond the last */
        for (uint32_t k = 0; k < GRAZEI_FOLD_LANES; k++)
            folds->lanes[i].folds[k] = folds->fold_count;
    for (uint32_t f = 0; f < folds->fold_count && count; f++)
        for (uint32_t i = 0; i < folds->folds[f].row_count; i++) {
            const grazei_fold_row *row = &folds->rows[folds->folds[f].first_row + i];
            uint32_t first = folds->first_lanes[row->pair] * GRAZEI_FOLD_LANES;
            fill_lane(folds, f, row, first + next[row->pair]++);
        }
    grazei_release(b->allocator, next);
    return folds->lanes;
}

#endif
