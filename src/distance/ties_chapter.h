/* What cannot count because something as near is known: of several pairs that are equally near the
 * one with the smallest numbers is the answer, so those behind it need not be looked at.
 */
#ifndef GRAZEI_DISTANCE_TIES_CHAPTER_H
#define GRAZEI_DISTANCE_TIES_CHAPTER_H

#include "body/patches.h"
#include "distance/distance.h"
#include "narrow/distance.h"

static inline double grazei_bound_square(const grazei_bound *a, const grazei_bound *b)
{
    return grazei_box_square(a->low_negated, a->high, b->low_negated, b->high);
}

/* Whether a pair whose square is at least this, and whose numbers are at least these, may count. */
static inline bool grazei_may_count(const grazei_distance_question *question, double square,
                                    uint32_t a, uint32_t b)
{
    if (square < question->square)
        return true;
    if (square > question->square)
        return false;
    graze_pair best = question->pair;
    return question->kind != GRAZEI_NEAREST || !question->found || a < best.a ||
           (a == best.a && b < best.b);
}

/* The place of the smallest number in a patch. */
static inline uint32_t grazei_find_least(const grazei_posed_patch *patch)
{
    uint32_t least = 0;
    for (uint32_t t = 1; t < patch->triangle_count; t++)
        least = patch->names[t] < patch->names[least] ? t : least;
    return least;
}

static inline uint32_t grazei_least_name(const grazei_posed_patch *patch)
{
    return patch->names[grazei_find_least(patch)];
}

/* Whether any pair of two posed patches may count, by their boxes alone. */
static inline bool grazei_patches_may_count(const grazei_distance_question *question,
                                            const grazei_posed_patch *a,
                                            const grazei_posed_patch *b)
{
    double square = grazei_bound_square(grazei_patch_box(a), grazei_patch_box(b));
    if (square < question->square)
        return true;
    return grazei_may_count(question, square, grazei_least_name(a), grazei_least_name(b));
}

/* ---- patches that are points ---------------------------------------------------------------- */

static inline bool grazei_is_point(const grazei_posed_patch *patch)
{
    f4 extent =
        grazei_bound_first(grazei_patch_box(patch)) + grazei_bound_second(grazei_patch_box(patch));
    return !(f4_max3(extent) > 0);
}

/* Of patches that are all in one point, as those of a body that is scaled to nothing, the one with
 * the smallest number of a triangle.
 */
typedef struct grazei_point_patch {
    bool any;
    uint32_t number; /* of the patch */
    uint32_t least;  /* its smallest number */
    float at[3];
} grazei_point_patch;

/* Whether a patch is a point, and the same as another one with a smaller number: then it is as near
 * to everything as that one is, and need not be looked at. The one with the smallest number of all
 * is never left out, whatever order they come in.
 */
static inline bool grazei_is_same_point(const grazei_point_patch *first, const grazei_bound *box,
                                        uint32_t least)
{
    f4 extent = grazei_bound_first(box) + grazei_bound_second(box);
    return first->any && least > first->least && !(f4_max3(extent) > 0) &&
           memcmp(first->at, box->high, sizeof first->at) == 0;
}

static inline bool grazei_is_repeated(grazei_point_patch *first, const grazei_posed_patch *patch)
{
    if (!grazei_is_point(patch) || (first->any && first->number == patch->number))
        return false;
    uint32_t least = grazei_least_name(patch);
    bool same = first->any && memcmp(first->at, patch->high, sizeof first->at) == 0;
    if (same && least > first->least)
        return true;
    if (same || !first->any) {
        *first = (grazei_point_patch){.any = true, .number = patch->number, .least = least};
        memcpy(first->at, patch->high, sizeof first->at);
    }
    return false;
}

#endif
