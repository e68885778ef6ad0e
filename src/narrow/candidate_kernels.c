#include "narrow/candidate_kernels.h"

#include "math/lanes.h"
#include "narrow/triangle.h"
#include "narrow/triangle_surely.h"
#include "narrow/triangle_wide.h"

#include <string.h>

/* A vector of candidates, each with its corners. */
GRAZEI_INLINE wide_corners load_corners(const grazei_candidates *all, const uint16_t *which)
{
    wide_corners corners;
    for (int c = 0; c < 6; ++c) {
        const float *row[GRAZEI_LANES], *points = all->points[c >= 3];
        lanes column[4];
        for (int k = 0; k < GRAZEI_LANES; ++k)
            row[k] = points + all->at[c][which[k]];
        lanes_load_rows(row, 0, column);
        *(c < 3 ? &corners.a[c] : &corners.b[c - 3]) = (lanes3){column[0], column[1], column[2]};
    }
    return corners;
}

GRAZEI_INLINE lanes load_reach(const grazei_candidates *all, const uint16_t *which)
{
    float reach[GRAZEI_LANES];
    for (int k = 0; k < GRAZEI_LANES; ++k)
        reach[k] = all->reach[which[k]];
    return lanes_load(reach);
}

GRAZEI_INLINE uint32_t bits_at(size_t i, size_t count)
{
    return count - i >= GRAZEI_LANES ? GRAZEI_LANES_ALL : (1u << (count - i)) - 1;
}

/* The last one is repeated up to the end of its vector. */
static void pad(uint16_t *which, size_t count)
{
    for (size_t k = 0; k < 16; ++k)
        which[count + k] = which[count - 1];
}

/* Keeps the marked ones. A loop of its own: where to write depends on all marks before, and the
 * tests need not wait for that.
 */
static size_t keep_marked(uint16_t *which, size_t count, const uint16_t *marks)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i += GRAZEI_LANES)
        found += lanes_pack(which + found, which + i, 0, marks[i / GRAZEI_LANES]);
    return found;
}

static bool pair_meets(const grazei_candidates *all, uint16_t number)
{
    float corners[6][3];
#if defined(__AVX2__)
    const float *at[6];
    for (int c = 0; c < 6; ++c)
        at[c] = all->points[c >= 3] + all->at[c][number];
    int sure = meet_surely(at, at + 3);
    if (sure >= 0)
        return sure;
#endif
    for (int c = 0; c < 6; ++c)
        memcpy(corners[c], all->points[c >= 3] + all->at[c][number], sizeof corners[c]);
    return grazei_triangles_meet((const float(*)[3])corners, (const float(*)[3])corners + 3);
}

enum { VECTORS = (GRAZEI_CANDIDATES + GRAZEI_LANES - 1) / GRAZEI_LANES };

static size_t keep_open(const grazei_candidates *all, uint16_t *which, size_t count)
{
    uint16_t marks[VECTORS];
    for (size_t i = 0; i < count; i += GRAZEI_LANES) {
        wide_corners corners = load_corners(all, which + i);
        uint32_t bits = not_separated_in_lanes(&corners, load_reach(all, which + i));
        marks[i / GRAZEI_LANES] = (uint16_t)(bits & bits_at(i, count));
    }
    return keep_marked(which, count, marks);
}

static size_t keep_meeting(const grazei_candidates *all, uint16_t *which, size_t count)
{
    uint16_t marks[VECTORS];
    for (size_t i = 0; i < count; i += GRAZEI_LANES) {
        wide_corners corners = load_corners(all, which + i);
        wide_answer answer = meet_in_lanes(&corners, load_reach(all, which + i));
        uint32_t bits = bits_at(i, count);
        for (uint32_t unsure = answer.unsure & bits; unsure; unsure &= unsure - 1) {
            int k = __builtin_ctz(unsure);
            answer.hit |= (uint32_t)pair_meets(all, which[i + (size_t)k]) << k;
        }
        marks[i / GRAZEI_LANES] = (uint16_t)(answer.hit & bits);
    }
    return keep_marked(which, count, marks);
}

static size_t test(grazei_candidates *all, uint16_t hits[GRAZEI_CANDIDATES + 16])
{
    size_t count = all->count;
    for (size_t i = 0; i < count; ++i)
        hits[i] = (uint16_t)i;
    if (count) {
        pad(hits, count);
        count = keep_open(all, hits, count);
    }
    if (count) {
        pad(hits, count);
        count = keep_meeting(all, hits, count);
    }
    return count;
}

const grazei_candidate_kernels GRAZEI_ISA(candidate_kernels) = {test};
