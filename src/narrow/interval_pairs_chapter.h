/* Pairs of triangles of two patches, found from their intervals. Included by interval_kernels.c
 * only.
 */
#ifndef GRAZEI_NARROW_INTERVAL_PAIRS_CHAPTER_H
#define GRAZEI_NARROW_INTERVAL_PAIRS_CHAPTER_H

#include "math/words.h"
#include "narrow/interval_kernels.h"

/* A triangle more may be added to so many pairs. */
enum { MOST_PAIRS = GRAZEI_FOUND_PAIRS - GRAZEI_PATCH_TRIANGLES };

/* The first so many rows are those along the axes. */
enum { AXIS_ROWS = 6 };

/* Which of GRAZEI_BYTES triangles of the inner patch overlap one of the outer patch, by some of the
 * rows.
 */
GRAZEI_INLINE uint64_t compare(const grazei_interval_search *search, size_t outer, size_t first,
                               size_t from, size_t to)
{
    size_t stride = GRAZEI_INTERVAL_STRIDE(search->inner->count);
    const uint8_t *rows = search->inner_rows + first;
    byte_lanes excess = bytes_set(0);
    for (size_t r = from; r < to; ++r)
        excess = bytes_or(excess, bytes_above(bytes_load(rows + r * stride),
                                              bytes_set(search->limits[r][outer])));
    return bytes_zeros(excess);
}

/* Those of 64 triangles of the inner patch that count for one of the outer. */
GRAZEI_INLINE uint64_t inner_bits(const grazei_interval_search *search, uint32_t outer, size_t word)
{
    uint64_t left = search->inner_left[word];
    return search->masks ? left & ~search->masks[outer][word] : left;
}

/* Next time, twice as many. */
GRAZEI_INLINE void want_more(grazei_interval_search *search)
{
    search->enough = search->enough < MOST_PAIRS / 2 ? 2 * search->enough + 1 : MOST_PAIRS;
}

#if defined(GRAZEI_BYTES_LOOK_UP)

/* Pairs as two lists of bytes, with room for a whole vector behind the last. */
typedef struct pair_lists {
    uint8_t outer[GRAZEI_FOUND_PAIRS + 64], inner[GRAZEI_FOUND_PAIRS + 64];
} pair_lists;

/* Adds those of 64 triangles of the inner patch, from `first` on, that are among the bits. */
GRAZEI_INLINE size_t list_bits(uint32_t outer, size_t first, uint64_t bits, pair_lists *lists,
                               size_t count)
{
    static const uint8_t counting[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    byte_lanes numbers = bytes_add(bytes_load(counting), bytes_set(first));
    bytes_store(lists->outer + count, bytes_set(outer));
    bytes_store(lists->inner + count, bytes_pack(bits, numbers));
    return count + (size_t)__builtin_popcountll(bits);
}

/* Pairs that overlap along the axes, up to about as many as are enough. */
GRAZEI_INLINE size_t find_pairs(grazei_interval_search *search, pair_lists *lists)
{
    size_t words = GRAZEI_INTERVAL_STRIDE(search->inner->count) / 64, count = 0;
    for (uint32_t word = 0; word < 2; ++word)
        while (search->left[word] && count <= search->enough) {
            uint32_t outer = 64 * word + (uint32_t)__builtin_ctzll(search->left[word]);
            search->left[word] &= search->left[word] - 1;
            for (size_t k = 0; k < words; ++k) {
                uint64_t bits = compare(search, outer, 64 * k, 0, AXIS_ROWS);
                bits &= inner_bits(search, outer, k);
                count = list_bits(outer, 64 * k, bits, lists, count);
            }
        }
    return count;
}

/* The same where the inner patch has at most 64 triangles, whose rows along the axes stay in
 * registers.
 */
GRAZEI_INLINE size_t find_pairs_of_64(grazei_interval_search *search, pair_lists *lists)
{
    size_t count = 0;
    byte_lanes row[AXIS_ROWS];
    for (size_t r = 0; r < AXIS_ROWS; ++r)
        row[r] = bytes_load(search->inner_rows + 64 * r);
    for (uint32_t word = 0; word < 2; ++word)
        while (search->left[word] && count <= search->enough) {
            uint32_t outer = 64 * word + (uint32_t)__builtin_ctzll(search->left[word]);
            search->left[word] &= search->left[word] - 1;
            byte_lanes excess = bytes_set(0);
            for (size_t r = 0; r < AXIS_ROWS; ++r)
                excess = bytes_or(excess, bytes_above(row[r], bytes_set(search->limits[r][outer])));
            uint64_t bits = bytes_zeros(excess) & inner_bits(search, outer, 0);
            count = list_bits(outer, 0, bits, lists, count);
        }
    return count;
}

/* Keeps the pairs that overlap along the diagonals, too. */
static size_t keep_pairs(const grazei_interval_search *search, const pair_lists *lists,
                         size_t count, uint16_t *pairs)
{
    size_t inner_stride = GRAZEI_INTERVAL_STRIDE(search->inner->count), found = 0;
    size_t outer_stride = GRAZEI_INTERVAL_STRIDE(search->outer->count);
    const uint8_t *first = search->flipped ? lists->inner : lists->outer;
    const uint8_t *second = search->flipped ? lists->outer : lists->inner;
    for (size_t n = 0; n < count; n += 64) {
        byte_lanes outer = bytes_load(lists->outer + n), inner = bytes_load(lists->inner + n);
        byte_lanes excess = bytes_set(0);
        for (size_t r = AXIS_ROWS; r < GRAZEI_INTERVAL_ROWS; ++r) {
            byte_lanes row =
                bytes_look_up(search->inner_rows + r * inner_stride, inner_stride, inner);
            byte_lanes limit = bytes_look_up(search->limits[r], outer_stride, outer);
            excess = bytes_or(excess, bytes_above(row, limit));
        }
        uint64_t bits = bytes_zeros(excess);
        bits &= count - n >= 64 ? UINT64_MAX : (1ull << (count - n)) - 1;
        size_t kept = (size_t)__builtin_popcountll(bits);
        byte_lanes a = bytes_pack(bits, bytes_load(first + n));
        byte_lanes b = bytes_pack(bits, bytes_load(second + n));
        for (size_t half = 0; half < 64 && half < kept; half += 32)
            bytes_store_pairs(pairs + found + half, a, b, half > 0, kept - half);
        found += kept;
    }
    return found;
}

static size_t next(grazei_interval_search *search, uint16_t pairs[GRAZEI_FOUND_PAIRS],
                   uint64_t *tests)
{
    pair_lists lists;
    size_t found = 0;
    make_limits(search);
    while (!found && (search->left[0] | search->left[1])) {
        size_t count = search->inner->count <= 64 ? find_pairs_of_64(search, &lists)
                                                  : find_pairs(search, &lists);
        *tests += count;
        want_more(search);
        found = keep_pairs(search, &lists, count, pairs);
    }
    return found;
}

#else

/* A triangle of the outer patch and some of the inner one: those from `first` on whose bits are
 * set.
 */
typedef struct pair_row {
    uint8_t outer, first;
    uint32_t bits;
} pair_row;

/* So many at a time, with what one triangle of the outer patch may add, and one behind the last. */
enum { ROWS = 256, ROW_ROOM = ROWS + GRAZEI_PATCH_TRIANGLES / GRAZEI_BYTES + 1 };

/* Rows of pairs that overlap along the axes: one more triangle of the outer patch. */
GRAZEI_INLINE size_t add_rows(const grazei_interval_search *search, uint32_t outer, pair_row *rows,
                              size_t *pairs)
{
    size_t count = 0, end = (size_t)search->inner->count;
    for (size_t first = 0; first < end; first += GRAZEI_BYTES) {
        uint32_t left = (uint32_t)(inner_bits(search, outer, first >> 6) >> (first & 63));
        if (!(left & GRAZEI_BYTES_ALL))
            continue;
        uint32_t bits = (uint32_t)compare(search, outer, first, 0, AXIS_ROWS) & left;
        rows[count] = (pair_row){(uint8_t)outer, (uint8_t)first, bits};
        count += bits != 0;
        *pairs += (size_t)__builtin_popcount(bits);
    }
    return count;
}

/* Keeps what overlaps along the diagonals, too, and counts the pairs. */
static size_t keep_rows(const grazei_interval_search *search, pair_row *rows, size_t count)
{
    size_t kept = 0, pairs = 0;
    for (size_t n = 0; n < count; ++n) {
        pair_row row = rows[n];
        row.bits &=
            (uint32_t)compare(search, row.outer, row.first, AXIS_ROWS, GRAZEI_INTERVAL_ROWS);
        rows[kept] = row;
        kept += row.bits != 0;
        pairs += (size_t)__builtin_popcount(row.bits);
    }
    return pairs;
}

/* Without a branch that depends on the bits: such are mispredicted. */
static void list_pairs(const grazei_interval_search *search, const pair_row *rows, size_t count,
                       uint16_t *pairs)
{
    int outer_place = search->flipped ? 8 : 0, inner_place = 8 - outer_place;
    uint32_t bits = rows->bits;
    for (size_t n = 0; n < count; ++n) {
        uint32_t inner = rows->first + (uint32_t)__builtin_ctz(bits);
        pairs[n] = (uint16_t)((uint32_t)rows->outer << outer_place | inner << inner_place);
        bits &= bits - 1;
        rows += bits == 0;
        bits = bits ? bits : rows->bits;
    }
}

static size_t next(grazei_interval_search *search, uint16_t pairs[GRAZEI_FOUND_PAIRS],
                   uint64_t *tests)
{
    pair_row rows[ROW_ROOM]; /* of the last one, one more is read */
    size_t found = 0;
    make_limits(search);
    while (!found && (search->left[0] | search->left[1])) {
        size_t count = 0;
        for (uint32_t word = 0; word < 2; ++word)
            while (search->left[word] && found <= search->enough && count <= ROWS) {
                uint32_t outer = 64 * word + (uint32_t)__builtin_ctzll(search->left[word]);
                search->left[word] &= search->left[word] - 1;
                count += add_rows(search, outer, rows + count, &found);
            }
        *tests += found;
        want_more(search);
        found = keep_rows(search, rows, count);
    }
    list_pairs(search, rows, found, pairs);
    return found;
}

#endif

#endif
