/* Every corner has all weights but one at an end of their intervals: all are tried, or, where there
 * are too many, the corners of the simplex above the lower ends.
 */
#include "records/corners.h"

#include "base/assert.h"

#include <string.h>

static bool is_known(const float *corners, uint32_t count, uint32_t p, const float *corner)
{
    for (uint32_t c = 0; c < count; c++)
        if (memcmp(corners + c * p, corner, p * sizeof *corner) == 0)
            return true;
    return false;
}

/* All weights but the free one at an end of their interval, the free one what is left. */
static bool make_corner(const double *low, const double *high, uint32_t p, uint32_t free_one,
                        uint32_t ends, float *corner)
{
    double left = 1;
    for (uint32_t k = 0, bit = 0; k < p; k++) {
        if (k == free_one)
            continue;
        double w = ends >> bit++ & 1 ? high[k] : low[k];
        corner[k] = (float)w;
        left -= w;
    }
    corner[free_one] = (float)left;
    return left >= low[free_one] && left <= high[free_one];
}

/* All weights but one at their lower ends. */
static uint32_t make_simplex(const double *low, uint32_t p, float *corners)
{
    double left = 1;
    for (uint32_t k = 0; k < p; k++)
        left -= low[k];
    for (uint32_t c = 0; c < p; c++)
        for (uint32_t k = 0; k < p; k++)
            corners[c * p + k] = (float)(low[k] + (k == c ? left : 0));
    return p;
}

uint32_t grazei_weight_corners(const float *low, const float *high, uint32_t p, float *corners)
{
    if (memcmp(low, high, p * sizeof *low) == 0) {
        memcpy(corners, low, p * sizeof *low);
        return 1;
    }
    double wide_low[GRAZEI_MAX_CENTRE_JOINTS], wide_high[GRAZEI_MAX_CENTRE_JOINTS];
    GRAZE_ASSERT(p > 0 && p <= GRAZEI_MAX_CENTRE_JOINTS);
    for (uint32_t k = 0; k < p; k++) {
        wide_low[k] = low[k] - 0x1p-20;
        wide_high[k] = high[k] + 0x1p-20;
    }
    if (p > GRAZEI_MAX_CORNER_JOINTS)
        return make_simplex(wide_low, p, corners);
    uint32_t count = 0;
    for (uint32_t free_one = 0; free_one < p; free_one++)
        for (uint32_t ends = 0; ends < 1u << (p - 1); ends++) {
            float *corner = corners + count * p;
            GRAZE_ASSERT(count < GRAZEI_MAX_CORNERS);
            if (make_corner(wide_low, wide_high, p, free_one, ends, corner) &&
                !is_known(corners, count, p, corner))
                count++;
        }
    return count;
}
