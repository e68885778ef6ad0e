/* Corners of weight polytopes (Kavan & Zara 2005, section 4.1). */
#ifndef GRAZEI_RECORDS_CORNERS_H
#define GRAZEI_RECORDS_CORNERS_H

#include "deform/skin.h"

/* The corners of { w : low <= w <= high, sum of w = 1 }, each p weights, written to corners;
 * returns how many, at most GRAZEI_MAX_CORNERS. The intervals are widened by 2^-20 unless each is a
 * single number, so that weights whose float sum is not quite 1 are within that sum's error of the
 * polytope. For more than GRAZEI_MAX_CORNER_JOINTS, and at most GRAZEI_MAX_CENTRE_JOINTS, the upper
 * ends do not count: that polytope is larger, and has p corners.
 */
uint32_t grazei_weight_corners(const float *low, const float *high, uint32_t p, float *corners);

#endif
