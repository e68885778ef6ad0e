/* How far posed patches reach along one direction, that of the nearest that is known: a gap along
 * it parts many of those that are left, and each patch is looked at once for all.
 *
 * Rounding is that of query/distance_slab.h, with R the longest side of the box around both bodies
 * in place of that around both patches, as coordinates are seen from a point between the bodies.
 * The margin of 64 u R is twice that of query/distance_diagonals.h.
 */
#ifndef GRAZEI_QUERY_DISTANCE_REACHES_H
#define GRAZEI_QUERY_DISTANCE_REACHES_H

#include "query/distance_diagonals.h"

/* ---- one patch ------------------------------------------------------------------------------ */

/* Four vectors of points at a time; they are turned so that products can be summed up. Whatever
 * the width, every point gives what it does alone, bit for bit.
 */
#if defined(__AVX512F__) && defined(__AVX512DQ__)

#define REACH_STEP 4 /* points in a vector */

typedef float reach_row __attribute__((vector_size(64)));

GRAZEI_INLINE reach_row reach_all(f4 a)
{
    return (reach_row)_mm512_broadcast_f32x4((__m128)a);
}

GRAZEI_INLINE reach_row reach_load(const float *rows)
{
    return (reach_row)_mm512_loadu_ps(rows);
}

/* The sums of the first three lanes of each four: those of a, b, c and d side by side. */
GRAZEI_INLINE reach_row reach_sums(const reach_row rows[4])
{
    __m512 a = (__m512)rows[0], b = (__m512)rows[1], c = (__m512)rows[2], d = (__m512)rows[3];
    __m512d ab_low = (__m512d)_mm512_unpacklo_ps(a, b), ab_high = (__m512d)_mm512_unpackhi_ps(a, b);
    __m512d cd_low = (__m512d)_mm512_unpacklo_ps(c, d), cd_high = (__m512d)_mm512_unpackhi_ps(c, d);
    reach_row x = (reach_row)_mm512_unpacklo_pd(ab_low, cd_low);
    reach_row y = (reach_row)_mm512_unpackhi_pd(ab_low, cd_low);
    reach_row z = (reach_row)_mm512_unpacklo_pd(ab_high, cd_high);
    return (x + y) + z;
}

GRAZEI_INLINE reach_row reach_max(reach_row a, reach_row b)
{
    return (reach_row)_mm512_max_ps((__m512)a, (__m512)b);
}

GRAZEI_INLINE float reach_most(reach_row a)
{
    return _mm512_reduce_max_ps((__m512)a);
}

#elif defined(__AVX__)

#define REACH_STEP 2

typedef points reach_row;

GRAZEI_INLINE reach_row reach_all(f4 a)
{
    return points_all(a);
}

GRAZEI_INLINE reach_row reach_load(const float *rows)
{
    return (reach_row)_mm256_loadu_ps(rows);
}

GRAZEI_INLINE reach_row reach_sums(const reach_row rows[4])
{
    __m256 a = (__m256)rows[0], b = (__m256)rows[1], c = (__m256)rows[2], d = (__m256)rows[3];
    __m256d ab_low = (__m256d)_mm256_unpacklo_ps(a, b), ab_high = (__m256d)_mm256_unpackhi_ps(a, b);
    __m256d cd_low = (__m256d)_mm256_unpacklo_ps(c, d), cd_high = (__m256d)_mm256_unpackhi_ps(c, d);
    reach_row x = (reach_row)_mm256_unpacklo_pd(ab_low, cd_low);
    reach_row y = (reach_row)_mm256_unpackhi_pd(ab_low, cd_low);
    reach_row z = (reach_row)_mm256_unpacklo_pd(ab_high, cd_high);
    return (x + y) + z;
}

GRAZEI_INLINE reach_row reach_max(reach_row a, reach_row b)
{
    return points_max(a, b);
}

GRAZEI_INLINE float reach_most(reach_row a)
{
    return f4_max4(points_most(a));
}

#endif

/* How far the points of a patch reach along a direction, seen from an origin. Some may be looked at
 * twice, which changes no greatest one.
 */
static inline float find_reach(const grazei_posed_patch *patch, f4 origin, f4 along)
{
    const uint32_t count = patch->point_count;
    float most = -INFINITY;
    uint32_t i = 0;
#if defined(REACH_STEP)
    if (count >= REACH_STEP) {
        reach_row from = reach_all(origin), direction = reach_all(along);
        reach_row best = reach_all(f4_all(-INFINITY));
        for (; i < count; i += 4 * REACH_STEP) {
            reach_row rows[4];
            for (uint32_t k = 0; k < 4; k++) {
                uint32_t at = i + k * REACH_STEP;
                at = at + REACH_STEP <= count ? at : count - REACH_STEP;
                rows[k] = (reach_load(patch->points[at]) - from) * direction;
            }
            best = reach_max(best, reach_sums(rows));
        }
        most = reach_most(best);
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
