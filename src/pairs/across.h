/* Bodies of long thin triangles that lie side by side, askew: hair, reeds, wires.
 *
 * The boxes of all of them overlap, and whatever a tree puts together is spread over the whole
 * bundle. Seen along their length they are small and apart. So a walk that has looked at very many
 * pairs of triangles in vain looks that way once: triangles of both bodies are intervals along two
 * directions across the edges, sorted along the first, and pairs that overlap along both are
 * tested.
 */
#ifndef GRAZEI_PAIRS_ACROSS_H
#define GRAZEI_PAIRS_ACROSS_H

#include "narrow/d3.h"
#include "pairs/pair.h"

/* A triangle of a side: cells along both directions, and where it is. */
typedef struct grazei_across_item {
    uint32_t low[2], high[2];
    uint32_t patch, triangle;
} grazei_across_item;

typedef struct grazei_across {
    graze_body *bodies[2];
    graze_stats *stats;
    d3 origin, directions[2];
    double reach;
    grazei_across_item *items[2]; /* sorted, in memory that the bodies lend */
    size_t counts[2];
    size_t next[2];         /* of either side, that was not looked at yet */
    int side;               /* of ... */
    grazei_across_item one; /* ... the one that is looked at, and */
    size_t other;           /* against which one of the other side */
    uint64_t looked_at;
} grazei_across;

/* After how many pairs of triangles that overlap along the axes a look is worth it: they are about
 * as much work. Candidates count for more.
 */
#define GRAZEI_ACROSS_CANDIDATE 32
uint64_t grazei_across_patience(const graze_body *a, const graze_body *b);

/* Poses both bodies. False: too much overlaps that way as well, or there is no room. */
bool grazei_across_begin(grazei_across *across, graze_body *a, graze_body *b, graze_stats *stats);

/* Fills an empty batch with pairs of triangles that may meet, in the end each once; false: there
 * are no more. Other questions may be asked of the bodies in between.
 */
bool grazei_across_next(grazei_across *across, grazei_candidates *batch);

#endif
