/* What other joints than their main ones do to all regions at once. */
#ifndef GRAZEI_FOLDS_FOLD_KERNELS_H
#define GRAZEI_FOLDS_FOLD_KERNELS_H

#include "folds/folds.h"
#include "math/isa.h"

typedef struct grazei_fold_kernels {
    /* Fills the sums of all folds, and one more: to the bit what their rows come to one by one.
     * blur is what the difference of two images of a centre is off by.
     */
    void (*sum)(const grazei_folds *folds, const grazei_fold_pair *pairs, float blur,
                grazei_fold_sums *sums);
} grazei_fold_kernels;

GRAZEI_DECLARE(grazei_fold_kernels, fold_kernels);

#endif
