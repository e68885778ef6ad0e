/* Two patches of which nearly all pairs of triangles may meet as far as their intervals tell: they
 * are looked at once more across their longest edges, and whatever the same walk comes to after
 * that along the same direction before its triangles are compared. Included by *_kernels.c only;
 * the web's modules do without.
 */
#ifndef GRAZEI_QUERY_ASKEW_H
#define GRAZEI_QUERY_ASKEW_H

#include "narrow/askew_kernels.h"

#include <string.h>

/* So many pairs and more, and this part of all that were compared, are too many. The first so many
 * of a walk are tested as they are: in an ordinary contact that is all of them, and costs less.
 */
#define GRAZEI_MANY_PAIRS 64
#define GRAZEI_MANY_PART 4
#define GRAZEI_FIRST_PAIRS 256

/* Parting the triangles of two patches is about as much work as so many tests. */
#define GRAZEI_PARTING 2048

enum { GRAZEI_SPAN_SLOTS = 32 };

/* What a walk knows of directions. Starts with `known` false. */
typedef struct grazei_ways {
    bool known;
    uint32_t asked, parted; /* pairs of patches, by the direction that is known */
    uint64_t effort, found; /* found: pairs of triangles, of all patches */
    d3 origin, direction;
    grazei_patch_span spans[2][GRAZEI_SPAN_SLOTS]; /* of either side */
} grazei_ways;

/* Two patches whose triangles are searched. */
typedef struct grazei_askew {
    grazei_ways *ways;
    const grazei_posed_patch *patches[2];
    uint64_t (*masks)[2]; /* of GRAZEI_PATCH_TRIANGLES triangles: the search's, if it has any */
    bool parted;
} grazei_askew;

#if !defined(GRAZE_SMALL)

static inline const grazei_patch_span *grazei_span_of(grazei_ways *ways, int side,
                                                      const grazei_posed_patch *patch)
{
    grazei_patch_span *span = &ways->spans[side][patch->number % GRAZEI_SPAN_SLOTS];
    if (span->number != patch->number)
        GRAZEI_ISA(askew_kernels).find_span(patch, ways->origin, ways->direction, span);
    return span;
}

static __attribute__((noinline, unused)) bool
grazei_way_parts(grazei_ways *ways, const grazei_posed_patch *a, const grazei_posed_patch *b)
{
    if (ways->asked > 64 && 4 * ways->parted < ways->asked)
        return false;
    bool parts = grazei_spans_apart(grazei_span_of(ways, 0, a), grazei_span_of(ways, 1, b));
    ways->asked++;
    ways->parted += parts;
    return parts;
}

static inline void grazei_take_way(grazei_ways *ways, const grazei_posed_patch *patch, d3 direction)
{
    ways->known = true;
    ways->asked = ways->parted = 0;
    ways->origin = grazei_wide_point(patch->points[0]);
    ways->direction = direction;
    for (int i = 0; i < 2 * GRAZEI_SPAN_SLOTS; i++)
        ways->spans[i / GRAZEI_SPAN_SLOTS][i % GRAZEI_SPAN_SLOTS].number = UINT32_MAX;
}

static inline size_t grazei_drop_masked(const grazei_interval_search *search, uint16_t *pairs,
                                        size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t a = pairs[i] & 255u, b = pairs[i] >> 8, inner = search->flipped ? a : b;
        const uint64_t *mask = search->masks[search->flipped ? b : a];
        pairs[kept] = pairs[i];
        kept += !(mask[inner >> 6] >> (inner & 63) & 1);
    }
    return kept;
}

/* left: of the outer patch before the pairs were found. */
static __attribute__((noinline, unused)) size_t grazei_part_askew(grazei_interval_search *search,
                                                                  grazei_askew *askew,
                                                                  const uint64_t left[2],
                                                                  uint16_t *pairs, size_t count)
{
    const grazei_posed_patch *outer = askew->patches[search->flipped];
    const grazei_posed_patch *inner = askew->patches[!search->flipped];
    grazei_ways *ways = askew->ways;
    d3 directions[2];
    askew->parted = true;
    if (!GRAZEI_ISA(askew_kernels).find_across(outer, inner, directions))
        return count;
    if (!ways->known || 2 * ways->parted < ways->asked)
        grazei_take_way(ways, outer, directions[0]);
    ways->effort += GRAZEI_PARTING;
    if (!search->masks)
        memset(askew->masks, 0, outer->triangle_count * sizeof *askew->masks);
    search->masks = (const uint64_t(*)[2])askew->masks;
    GRAZEI_ISA(askew_kernels).part(outer, inner, directions, left, askew->masks);
    return grazei_drop_masked(search, pairs, count);
}

#endif

/* Whether two patches are apart along the direction that the walk knows. */
static inline bool grazei_are_askew(grazei_ways *ways, const grazei_posed_patch *a,
                                    const grazei_posed_patch *b)
{
#if defined(GRAZE_SMALL)
    (void)ways, (void)a, (void)b;
    return false;
#else
    return ways->known && grazei_way_parts(ways, a, b);
#endif
}

static inline uint64_t grazei_count_left(const uint64_t left[2])
{
    return (uint64_t)(__builtin_popcountll(left[0]) + __builtin_popcountll(left[1]));
}

/* The search's next pairs, without those that are apart across their edges where there are many;
 * 0: there are no more.
 */
static inline size_t grazei_next_askew(grazei_interval_search *search, grazei_askew *askew,
                                       uint16_t *pairs, uint64_t *tests)
{
#if defined(GRAZE_SMALL)
    (void)askew;
    return GRAZEI_ISA(interval_kernels).next(search, pairs, tests);
#else
    for (;;) {
        uint64_t left[2] = {search->left[0], search->left[1]};
        size_t count = GRAZEI_ISA(interval_kernels).next(search, pairs, tests);
        askew->ways->found += count;
        if (count >= GRAZEI_MANY_PAIRS && !askew->parted &&
            askew->ways->found >= GRAZEI_FIRST_PAIRS) {
            uint64_t compared = grazei_count_left(left) - grazei_count_left(search->left);
            if (GRAZEI_MANY_PART * count >= compared * grazei_count_left(search->inner_left))
                count = grazei_part_askew(search, askew, left, pairs, count);
        }
        if (count || !grazei_search_goes_on(search))
            return count;
    }
#endif
}

#endif
