/* Pairs of triangles of two patches, found from their intervals. Included by interval_kernels.c
 * only.
 */
#ifndef GRAZEI_NARROW_INTERVAL_PAIRS_H
#define GRAZEI_NARROW_INTERVAL_PAIRS_H

#include "math/shorts.h"
#include "narrow/interval_kernels.h"

/* A triangle more may be added to so many pairs. */
enum { MOST_PAIRS = GRAZEI_FOUND_PAIRS - GRAZEI_PATCH_TRIANGLES };

/* Which of GRAZEI_SHORTS triangles of the inner patch overlap one of the outer patch, along some of
 * the directions.
 */
GRAZEI_INLINE uint32_t compare(const grazei_interval_search *search, size_t outer, size_t first,
                               size_t from, size_t to)
{
    const int16_t *rows = search->inner_rows + first;
    size_t stride = (size_t)search->inner->stride;
    shorts excess = shorts_set(INT16_MIN);
    for (size_t d = from; d < to; ++d) {
        size_t e = d + GRAZEI_DIRECTIONS;
        excess = shorts_excess(excess, shorts_load(rows + d * stride),
                               shorts_set(search->limits[d][outer]));
        excess = shorts_excess(excess, shorts_load(rows + e * stride),
                               shorts_set(search->limits[e][outer]));
    }
    return shorts_not_positive(excess);
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

#if defined(GRAZEI_SHORTS_LOOK_UP)

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
    __m512i numbers = _mm512_add_epi8(_mm512_loadu_si512(counting), _mm512_set1_epi8((char)first));
    _mm512_storeu_si512(lists->outer + count, _mm512_set1_epi8((char)outer));
    _mm512_storeu_si512(lists->inner + count, _mm512_maskz_compress_epi8(bits, numbers));
    return count + (size_t)__builtin_popcountll(bits);
}

/* Adds a triangle of the outer patch with those that it overlaps along the axes. */
GRAZEI_INLINE size_t add_pairs(const grazei_interval_search *search, uint32_t outer,
                               pair_lists *lists, size_t count)
{
    size_t stride = (size_t)search->inner->stride;
    for (size_t first = 0; first < stride; first += 64) {
        uint64_t left = inner_bits(search, outer, first >> 6), bits = 0;
        if (!left)
            continue;
        if ((uint32_t)left)
            bits = compare(search, outer, first, 0, 3);
        if (left >> 32)
            bits |= (uint64_t)compare(search, outer, first + 32, 0, 3) << 32;
        count = list_bits(outer, first, bits & left, lists, count);
    }
    return count;
}

/* Pairs that overlap along the axes, up to about as many as are enough. */
GRAZEI_INLINE size_t find_pairs(grazei_interval_search *search, pair_lists *lists)
{
    size_t count = 0;
    for (uint32_t word = 0; word < 2; ++word)
        while (search->left[word] && count <= search->enough) {
            uint32_t outer = 64 * word + (uint32_t)__builtin_ctzll(search->left[word]);
            search->left[word] &= search->left[word] - 1;
            count = add_pairs(search, outer, lists, count);
        }
    return count;
}

/* The same where the inner patch has at most 64 triangles, whose rows along the axes stay in
 * registers.
 */
GRAZEI_INLINE size_t find_pairs_of_64(grazei_interval_search *search, pair_lists *lists)
{
    size_t stride = (size_t)search->inner->stride, upper = stride - 32, count = 0;
    const int16_t *low = search->inner_rows, *high = low + GRAZEI_DIRECTIONS * stride;
    shorts front[6], back[6];
    for (size_t d = 0; d < 3; ++d) {
        front[d] = shorts_load(low + d * stride);
        back[d] = shorts_load(low + d * stride + upper);
        front[d + 3] = shorts_load(high + d * stride);
        back[d + 3] = shorts_load(high + d * stride + upper);
    }
    for (uint32_t word = 0; word < 2; ++word)
        while (search->left[word] && count <= search->enough) {
            uint32_t outer = 64 * word + (uint32_t)__builtin_ctzll(search->left[word]);
            search->left[word] &= search->left[word] - 1;
            shorts in_front = shorts_set(INT16_MIN), in_back = in_front;
            for (size_t k = 0; k < 6; ++k) {
                size_t d = k < 3 ? k : k - 3 + GRAZEI_DIRECTIONS;
                shorts limit = shorts_set(search->limits[d][outer]);
                in_front = shorts_excess(in_front, front[k], limit);
                in_back = shorts_excess(in_back, back[k], limit);
            }
            uint64_t bits = shorts_not_positive(in_front) | (uint64_t)shorts_not_positive(in_back)
                                                                << 32;
            count = list_bits(outer, 0, bits & inner_bits(search, outer, 0), lists, count);
        }
    return count;
}

/* Keeps the pairs that overlap along the diagonals, too. */
static size_t keep_pairs(const grazei_interval_search *search, const pair_lists *lists,
                         size_t count, uint16_t *pairs)
{
    size_t inner_stride = (size_t)search->inner->stride, found = 0;
    size_t outer_stride = (size_t)search->outer->stride;
    const int16_t *rows = search->inner_rows;
    for (size_t n = 0; n < count; n += 32) {
        __m512i outer =
            _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(lists->outer + n)));
        __m512i inner =
            _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(lists->inner + n)));
        shorts excess = shorts_set(INT16_MIN);
        for (size_t d = 3; d < GRAZEI_DIRECTIONS; ++d) {
            size_t e = d + GRAZEI_DIRECTIONS;
            excess =
                shorts_excess(excess, shorts_look_up(rows + d * inner_stride, inner_stride, inner),
                              shorts_look_up(search->limits[d], outer_stride, outer));
            excess =
                shorts_excess(excess, shorts_look_up(rows + e * inner_stride, inner_stride, inner),
                              shorts_look_up(search->limits[e], outer_stride, outer));
        }
        uint32_t bits = shorts_not_positive(excess);
        bits &= count - n >= 32 ? UINT32_MAX : (1u << (count - n)) - 1;
        __m512i a = search->flipped ? inner : outer, b = search->flipped ? outer : inner;
        __m512i pair = _mm512_or_si512(a, _mm512_slli_epi16(b, 8));
        pair = _mm512_maskz_compress_epi16(bits, pair);
        if (count - n >= 32)
            _mm512_storeu_si512(pairs + found, pair);
        else
            _mm512_mask_storeu_epi16(pairs + found, (1u << __builtin_popcount(bits)) - 1, pair);
        found += (size_t)__builtin_popcount(bits);
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
        size_t count = search->inner->stride <= 64 ? find_pairs_of_64(search, &lists)
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
enum { ROWS = 256, ROW_ROOM = ROWS + GRAZEI_PATCH_TRIANGLES / GRAZEI_SHORTS + 1 };

/* Rows of pairs that overlap along the axes: one more triangle of the outer patch. */
GRAZEI_INLINE size_t add_rows(const grazei_interval_search *search, uint32_t outer, pair_row *rows,
                              size_t *pairs)
{
    size_t count = 0, stride = (size_t)search->inner->stride;
    for (size_t first = 0; first < stride; first += GRAZEI_SHORTS) {
        uint32_t left = (uint32_t)(inner_bits(search, outer, first >> 6) >> (first & 63));
        if (!(left & GRAZEI_SHORTS_ALL))
            continue;
        uint32_t bits = compare(search, outer, first, 0, 3) & left;
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
        row.bits &= compare(search, row.outer, row.first, 3, GRAZEI_DIRECTIONS);
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
