#include "narrow/candidate_kernels.h"

#include "base/assert.h"
#include "math/lanes.h"
#include "math/words.h"
#include "narrow/triangle.h"
#include "narrow/triangle_surely_chapter.h"
#include "narrow/triangle_wide.h"

#include <string.h>

/* A corner of a vector of candidates: of those that are named, else of the first. */
GRAZEI_INLINE lanes3 load_corner(const float *points, const uint32_t *at, const uint16_t *which)
{
    const float *row[GRAZEI_LANES];
    lanes column[4];
    for (int k = 0; k < GRAZEI_LANES; ++k)
        row[k] = points + at[which ? which[k] : k];
    lanes_load_rows(row, 0, column);
    return (lanes3){column[0], column[1], column[2]};
}

/* A vector of candidates, from number `first` on, each with its corners. */
#if defined(__wasm__) /* where code travels, it is here once */
static __attribute__((noinline)) wide_corners load_corners(const grazei_candidates *all,
                                                           size_t first, const uint16_t *which)
{
    wide_corners corners;
    for (int c = 0; c < 6; ++c)
        *(c < 3 ? &corners.a[c] : &corners.b[c - 3]) =
            load_corner(all->points[c >= 3], all->at[c] + first, which);
    return corners;
}
#else
GRAZEI_INLINE wide_corners load_corners(const grazei_candidates *all, size_t first,
                                        const uint16_t *which)
{
    const float *a = all->points[0], *b = all->points[1];
    return (wide_corners){
        {load_corner(a, all->at[0] + first, which), load_corner(a, all->at[1] + first, which),
         load_corner(a, all->at[2] + first, which)},
        {load_corner(b, all->at[3] + first, which), load_corner(b, all->at[4] + first, which),
         load_corner(b, all->at[5] + first, which)}};
}
#endif

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

static void pad_places(grazei_candidates *all)
{
    size_t count = all->count;
    for (size_t c = 0; c < 6; ++c)
        for (size_t k = 0; k < 16; ++k)
            all->at[c][count + k] = all->at[c][count - 1];
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
        wide_corners corners = load_corners(all, i, NULL);
        uint32_t bits = not_separated_in_lanes(&corners, lanes_load(all->reach + i));
        marks[i / GRAZEI_LANES] = (uint16_t)(bits & bits_at(i, count));
    }
    return keep_marked(which, count, marks);
}

GRAZEI_INLINE lanes pick_reach(const grazei_candidates *all, const uint16_t *which)
{
#if defined(GRAZEI_BYTES_LOOK_UP)
    return lanes_gather(all->reach, words_from_16_codes(which));
#else
    float reach[GRAZEI_LANES];
    for (int k = 0; k < GRAZEI_LANES; ++k)
        reach[k] = all->reach[which[k]];
    return lanes_load(reach);
#endif
}

static size_t keep_meeting(const grazei_candidates *all, uint16_t *which, size_t count)
{
    uint16_t marks[VECTORS];
    for (size_t i = 0; i < count; i += GRAZEI_LANES) {
        wide_corners corners = load_corners(all, 0, which + i);
        wide_answer answer = meet_in_lanes(&corners, pick_reach(all, which + i));
        uint32_t bits = bits_at(i, count);
#if !defined(GRAZE_SMALL) /* where code travels, the exact test finds out */
        if (answer.unsure & bits)
            answer.unsure &= ~apart_in_plane(&corners, pick_reach(all, which + i));
#endif
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
    GRAZE_ASSERT(count <= GRAZEI_CANDIDATES);
    for (size_t i = 0; i < count; ++i)
        hits[i] = (uint16_t)i;
    if (count) {
        pad_places(all);
        count = keep_open(all, hits, count);
    }
    if (count) {
        pad(hits, count);
        count = keep_meeting(all, hits, count);
    }
    return count;
}

const grazei_candidate_kernels GRAZEI_ISA(candidate_kernels) = {test};
