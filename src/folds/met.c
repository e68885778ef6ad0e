/* Which triangles meet at rest, so that hits need not be tested there, too. */
#include "folds/build.h"

#include "base/memory.h"

#include <stdlib.h>

#if defined(__OPTIMIZE_SIZE__) /* the web's module does without */

bool grazei_folds_find_met(grazei_fold_builder *b)
{
    (void)b;
    return true;
}

uint32_t grazei_folds_met(const grazei_folds *folds, uint32_t a, uint32_t b)
{
    (void)folds, (void)a, (void)b;
    return GRAZEI_MET_UNKNOWN;
}

#else

/* Adds the pairs of two patches that meet to the lists of their triangles that are named first;
 * met NULL: counts them.
 */
static void add_met(const grazei_fold_builder *b, uint32_t p, const grazei_near *near,
                    uint32_t *first_met, uint32_t *met)
{
    const grazei_tree *tree = b->tree;
    const uint32_t *names_p = tree->patch_triangles + tree->patches[p].first_triangle;
    const uint32_t *names_q = tree->patch_triangles + tree->patches[near->patch].first_triangle;
    for (uint32_t i = near->first_listed; i < near->first_listed + near->listed_count; i++) {
        if (!(b->folds->clear[i] & GRAZEI_MEETS))
            continue;
        uint32_t s = names_p[grazei_pair_first(b->folds->listed[i])];
        uint32_t t = names_q[grazei_pair_second(b->folds->listed[i])];
        uint32_t *place = &first_met[s < t ? s : t];
        if (met)
            met[--*place] = s < t ? t : s;
        else
            ++*place;
    }
}

static void add_all_met(const grazei_fold_builder *b, uint32_t *first_met, uint32_t *met)
{
    const grazei_folds *folds = b->folds;
    for (uint32_t rank = 0; rank < b->tree->patch_count; rank++)
        for (uint32_t i = folds->first_near[rank]; i < folds->first_near[rank + 1]; i++)
            add_met(b, folds->rank_patches[rank], &folds->nears[i], first_met, met);
}

static int by_name(const void *left, const void *right)
{
    const uint32_t *x = left, *y = right;
    return *x < *y ? -1 : *x > *y;
}

static void mark_crowded(const grazei_fold_builder *b, uint32_t *first_met)
{
    for (uint32_t p = 0; p < b->tree->patch_count; p++) {
        const grazei_patch *patch = &b->tree->patches[p];
        for (uint32_t i = 0; b->folds->crowded[p] && i < patch->triangle_count; i++)
            first_met[b->tree->patch_triangles[patch->first_triangle + i]] |= GRAZEI_MET_UNKNOWN;
    }
}

bool grazei_folds_find_met(grazei_fold_builder *b)
{
    grazei_folds *folds = b->folds;
    uint32_t triangles = b->mesh->triangle_count, count = 0;
    folds->first_met = GRAZEI_ALLOCATE_ZERO(b->allocator, (size_t)triangles + 1, uint32_t);
    if (!folds->first_met)
        return false;
    add_all_met(b, folds->first_met, NULL);
    for (uint32_t t = 0; t <= triangles; t++)
        folds->first_met[t] = count += folds->first_met[t]; /* where its own end */
    folds->met = GRAZEI_ALLOCATE(b->allocator, count, uint32_t);
    if (!folds->met)
        return false;
    add_all_met(b, folds->first_met, folds->met);
    for (uint32_t t = 0; t < triangles; t++)
        qsort(folds->met + folds->first_met[t], folds->first_met[t + 1] - folds->first_met[t],
              sizeof *folds->met, by_name);
    mark_crowded(b, folds->first_met);
    folds->met_bytes = ((size_t)triangles + 1 + count) * sizeof *folds->met;
    return true;
}

uint32_t grazei_folds_met(const grazei_folds *folds, uint32_t a, uint32_t b)
{
    const uint32_t *first_met = folds->first_met, *met = folds->met;
    if (!first_met || ((first_met[a] | first_met[b]) & GRAZEI_MET_UNKNOWN))
        return GRAZEI_MET_UNKNOWN;
    uint32_t lower = a < b ? a : b, higher = a < b ? b : a;
    uint32_t low = first_met[lower], end = first_met[lower + 1] & ~GRAZEI_MET_UNKNOWN;
    for (uint32_t high = end; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (met[middle] < higher)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && met[low] == higher;
}

#endif
