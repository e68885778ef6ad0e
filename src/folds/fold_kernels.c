/* Rows of folds, as many of one pair of joints at a time as there are lanes. */
#include "folds/fold_kernels.h"

enum { LANES = GRAZEI_FOLD_LANES };

#if !defined(__OPTIMIZE_SIZE__)

/* As pose_others in folds.c has it, operation by operation. */
static inline void add_lanes(const grazei_fold_lanes *rows, const grazei_fold_pair *pair,
                             float blur, grazei_fold_sums *sums)
{
    const f4 *c = pair->between.c;
    float loss[LANES], added[LANES];
    for (int i = 0; i < LANES; i++) {
        float x = rows->centre[0][i], y = rows->centre[1][i], z = rows->centre[2][i];
        float way_x = (c[0][0] * x + c[1][0] * y) + (c[2][0] * z + c[3][0]);
        float way_y = (c[0][1] * x + c[1][1] * y) + (c[2][1] * z + c[3][1]);
        float way_z = (c[0][2] * x + c[1][2] * y) + (c[2][2] * z + c[3][2]);
        float length = sqrtf((way_x * way_x + way_y * way_y) + way_z * way_z) + blur;
        loss[i] =
            pair->stretch * rows->spread[i] + length * rows->bend[i] + blur * rows->steepness[i];
        added[i] = pair->stretch * rows->weight[i] + length * rows->steepness[i];
    }
    for (int i = 0; i < LANES; i++) {
        grazei_fold_sums *sum = &sums[rows->folds[i]];
        sum->loss += loss[i];
        sum->added += added[i];
    }
}

static void sum(const grazei_folds *folds, const grazei_fold_pair *pairs, float blur,
                grazei_fold_sums *sums)
{
    memset(sums, 0, ((size_t)folds->fold_count + 1) * sizeof *sums);
    for (uint32_t p = 0; p < folds->pair_count; p++)
        for (uint32_t i = folds->first_lanes[p]; i < folds->first_lanes[p + 1]; i++)
            add_lanes(&folds->lanes[i], &pairs[p], blur, sums);
}

#else /* they are added up one by one where they are asked for */

static void sum(const grazei_folds *folds, const grazei_fold_pair *pairs, float blur,
                grazei_fold_sums *sums)
{
    (void)folds, (void)pairs, (void)blur, (void)sums;
}

#endif

const grazei_fold_kernels GRAZEI_ISA(fold_kernels) = {sum};
