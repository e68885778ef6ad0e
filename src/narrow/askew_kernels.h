/* Long thin triangles side by side, askew: planks, reeds, blinds. Along axes and diagonals two such
 * patches overlap as a whole; across their length their triangles are apart, and lie in one plane
 * often enough that nothing but exact arithmetic would tell.
 */
#ifndef GRAZEI_NARROW_ASKEW_KERNELS_H
#define GRAZEI_NARROW_ASKEW_KERNELS_H

#include "narrow/across.h"
#include "narrow/interval_kernels.h"

/* How far a patch reaches along a direction. */
typedef struct grazei_patch_span {
    uint32_t number; /* the patch's */
    double low, high;
    double blur; /* by so much they may be off, both together */
} grazei_patch_span;

typedef struct grazei_askew_kernels {
    /* Two directions across the longest edges of both patches, narrow/across.h. */
    bool (*find_across)(const grazei_posed_patch *a, const grazei_posed_patch *b, d3 directions[2]);

    /* Adds to masks, of the outer patch's triangles that are left (grazei_interval_search.masks),
     * those of the inner one that are apart from them along either direction. The masks must be
     * set.
     */
    void (*part)(const grazei_posed_patch *outer, const grazei_posed_patch *inner,
                 const d3 directions[2], const uint64_t left[2],
                 uint64_t masks[GRAZEI_PATCH_TRIANGLES][2]);

    void (*find_span)(const grazei_posed_patch *patch, d3 origin, d3 direction,
                      grazei_patch_span *span);
} grazei_askew_kernels;

GRAZEI_DECLARE(grazei_askew_kernels, askew_kernels);

/* Whether all of a patch is beyond all of another. */
static inline bool grazei_spans_apart(const grazei_patch_span *a, const grazei_patch_span *b)
{
    double blur = a->blur + b->blur;
    return a->low - b->high > blur || b->low - a->high > blur;
}

#endif
