/* How far posed patches reach along one direction, that of the nearest that is known: a gap along
 * it parts many of those that are left, and each patch is looked at once for all.
 *
 * Rounding is that of distance/slab_chapter.h, with R the longest side of the box around both
 * bodies in place of that around both patches, as coordinates are seen from a point between the
 * bodies. The margin of 64 u R is twice that of distance/diagonals_chapter.h.
 */
#ifndef GRAZEI_DISTANCE_REACHES_CHAPTER_H
#define GRAZEI_DISTANCE_REACHES_CHAPTER_H

#include "distance/diagonals_chapter.h"
#include "math/point_rows.h"

/* ---- one patch ------------------------------------------------------------------------------ */

/* How far the points of a patch reach along a direction, seen from an origin. Some may be looked at
 * twice, which changes no greatest one.
 */
static inline float find_reach(const grazei_posed_patch *patch, f4 origin, f4 along)
{
    const uint32_t count = patch->point_count;
    float most = -INFINITY;
    uint32_t i = 0;
#if defined(GRAZEI_ROW_POINTS)
    if (count >= GRAZEI_ROW_POINTS) {
        point_row from = row_all(origin), direction = row_all(along);
        point_row best = row_all(f4_all(-INFINITY));
        for (; i < count; i += 4 * GRAZEI_ROW_POINTS) {
            point_row rows[4];
            for (uint32_t k = 0; k < 4; k++) {
                uint32_t at = i + k * GRAZEI_ROW_POINTS;
                at = at + GRAZEI_ROW_POINTS <= count ? at : count - GRAZEI_ROW_POINTS;
                rows[k] = (row_load(patch->points[at]) - from) * direction;
            }
            best = row_max(best, row_sums(rows));
        }
        most = row_most(best);
    }
#endif
    for (; i < count; i++)
        most = f1_max(most, f4_dot3(f4_load(patch->points[i]) - origin, along));
    return most;
}

static inline float reach_of(grazei_extent_slots *slots, int side, const grazei_posed_patch *patch)
{
    grazei_extents *found = grazei_extents_of(slots, side, patch);
    if (found->turn != slots->turn || found->reach_number != patch->number) {
        found->turn = slots->turn;
        found->reach_number = patch->number;
        found->reach = find_reach(patch, slots->origin, side ? -slots->along : slots->along);
    }
    return found->reach;
}

/* The gap between two patches, one of each side, along the direction, at least; may be negative. */
static inline float gap_of_reaches(grazei_extent_slots *slots, const grazei_posed_patch *a,
                                   const grazei_posed_patch *b)
{
    return -(reach_of(slots, 0, a) + reach_of(slots, 1, b)) - 2 * slots->margin;
}

#endif
