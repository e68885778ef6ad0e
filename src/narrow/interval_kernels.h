/* The triangles of a patch as intervals of small integers, to find pairs that may meet.
 *
 * A triangle covers an interval along each of nine directions: three axes and six diagonals (x + y,
 * x - y, x + z, x - z, y + z, y - z). Two triangles that meet overlap along all of them.
 * Coordinates are cut to whole cells of a patch's own grid, a power of two wide, of which the patch
 * is at most 4,096 across. Two grids differ by a shift and an offset, so that either patch is seen
 * in the other's without computing anything anew.
 *
 * Of a patch as a whole the numbers are kept. Those of its triangles are cut once more, to cells 16
 * times as wide along the axes and 32 times along the diagonals, so that they fit in bytes: a patch
 * is at most 256 of these across.
 *
 * Along the axes this is as sound as the floats: cutting to cells keeps the order of numbers. Along
 * the diagonals it is off by less than two cells for either triangle, see MARGIN.
 */
#ifndef GRAZEI_NARROW_INTERVAL_KERNELS_H
#define GRAZEI_NARROW_INTERVAL_KERNELS_H

#include "math/isa.h"
#include "narrow/patch.h"

#define GRAZEI_DIRECTIONS 9

/* A patch as a whole; directions beyond the ninth are zero. Numbers are at least 0, counted from
 * the direction's base.
 */
typedef struct grazei_intervals {
    int32_t base[16];
    int16_t low[16], high[16];
    int32_t first[16],
        last[16];     /* its wide cells: the first, and how many come after, at most 255 */
    int32_t exponent; /* a cell is 2^exponent wide */
    int32_t count;    /* of its triangles */
} grazei_intervals;

/* Its triangles are 18 rows of as many bytes as there are triangles, rounded up to a multiple of
 * 64: the least along the axes and 255 minus the greatest, then the same along the diagonals. Bytes
 * of no triangle are 255.
 */
#define GRAZEI_INTERVAL_ROWS (2 * GRAZEI_DIRECTIONS)
#define GRAZEI_INTERVAL_STRIDE(triangles) (((size_t)(triangles) + 63u) & ~(size_t)63)
#define GRAZEI_INTERVAL_BYTES(triangles) (GRAZEI_INTERVAL_STRIDE(triangles) * GRAZEI_INTERVAL_ROWS)

/* So many pairs are found at a time, at most. */
#define GRAZEI_FOUND_PAIRS 1024

/* Where the wide cells of the finer of two patches begin in the grid of the coarser one: in cell
 * number place, and so many of its own cells behind that one's begin.
 */
typedef struct grazei_grid_change {
    int shift; /* of the finer one's cells 2^shift make one */
    bool tiny; /* the finer patch is hardly a cell of the other: its triangles are all the same */
    int32_t place[16], rest[16];
    uint8_t up[16], down[16]; /* in one grid: from the outer one's cells to the inner one's */
} grazei_grid_change;

/* Two patches on the way to pairs of their triangles: those of the inner one as they are, those of
 * the outer one, which is not the finer, as limits in the inner one's grid.
 */
typedef struct grazei_interval_search {
    const grazei_intervals *outer, *inner;
    const uint8_t *outer_rows, *inner_rows;
    bool flipped;           /* the outer one is b */
    bool limited;           /* limits are there: next() makes them when first called */
    uint32_t enough;        /* next() stops above so many pairs that overlap along the axes */
    uint64_t left[2];       /* triangles of the outer one still to come, as bits */
    uint64_t inner_left[2]; /* those of the inner one that count */
    /* For each of the outer one those of the inner one to leave out, as bits; NULL: none. Set after
     * begin(), which chooses the sides. Then left[] may be made fewer, too.
     */
    const uint64_t (*masks)[2];
    grazei_grid_change change;
    uint8_t limits[GRAZEI_INTERVAL_ROWS][GRAZEI_PATCH_TRIANGLES] __attribute__((aligned(64)));
} grazei_interval_search;

/* Whether there may be more pairs. */
static inline bool grazei_search_goes_on(const grazei_interval_search *search)
{
    return search->left[0] | search->left[1];
}

typedef struct grazei_interval_kernels {
    /* The patch as a whole. */
    void (*measure)(const grazei_posed_patch *patch, grazei_intervals *intervals);

    /* The rows of its triangles: GRAZEI_INTERVAL_BYTES(patch->triangle_count), aligned to 64. */
    void (*fill)(const grazei_posed_patch *patch, const grazei_intervals *intervals, uint8_t *rows);

    /* Whether no point of a measured patch is in a box. */
    bool (*misses_box)(const grazei_intervals *intervals, const float low_negated[3],
                       const float high[3]);

    /* Whether two measured patches overlap as a whole. They may be the same one. Whoever wants few
     * pairs at first sets `enough` afterwards; it doubles each time.
     */
    bool (*overlap)(grazei_interval_search *search, const grazei_intervals *a,
                    const grazei_intervals *b);

    /* Along which directions a measured patch is beyond another one, as bits: a beyond b, and b
     * beyond a from bit 16 on. For patches in motion: if one direction has one of them beyond the
     * other at the start and at the end, grazei_moving_triangles_meet() finds no contact of theirs.
     * reach: at least the longest side of the box around both, at either end.
     */
    uint32_t (*find_beyond)(const grazei_intervals *a, const grazei_intervals *b, float reach);

    /* After overlap(), with the rows of both. False: no triangles meet. */
    bool (*begin)(grazei_interval_search *search, const uint8_t *rows_a, const uint8_t *rows_b);

    /* Then pairs of triangles (a's number in the low byte, b's in the high) that may meet, each
     * once; 0: there are no more. Adds the number of pairs that overlap along the axes to *tests.
     */
    size_t (*next)(grazei_interval_search *search, uint16_t pairs[GRAZEI_FOUND_PAIRS],
                   uint64_t *tests);
} grazei_interval_kernels;

GRAZEI_DECLARE(grazei_interval_kernels, interval_kernels);

#endif
