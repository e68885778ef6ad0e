#include "narrow/interval_kernels.h"

#include "narrow/interval_make_chapter.h"

/* Beyond this difference of exponents a patch is hardly a cell of the other's grid. */
enum { GREATEST_SHIFT = 13 };

/* ---- boxes ---------------------------------------------------------------------------------- */

GRAZEI_INLINE int32_t cut(int32_t x, int32_t least, int32_t most)
{
    return x < least ? least : x > most ? most : x;
}

static const int16_t margins[16] = {0, 0, 0, MARGIN, MARGIN, MARGIN, MARGIN, MARGIN, MARGIN};

#if defined(GRAZEI_BYTES_LOOK_UP)

/* Cells far beyond the grid are cut to where none of a patch are. */
static bool misses_box(const grazei_intervals *of, const float low_negated[3], const float high[3])
{
    const i4 added = {MOST, MOST, MOST, MOST}, base = i4_load_any(of->base);
    grid_scale scale = scale_of(of->exponent);
    i4 least = cell_of((f4){-low_negated[0], -low_negated[1], -low_negated[2], 0}, scale);
    i4 most = cell_of((f4){high[0], high[1], high[2], 0}, scale);
    least = i4_cut(least - base, -FAR, FAR);
    most = i4_cut(most - base, -FAR, FAR);
    /* A difference is least where what is taken away is greatest. */
    word_lanes lows = in_order(least, firsts_of(least) + seconds_of(least),
                               firsts_of(least) - seconds_of(most) + added);
    word_lanes highs = in_order(most, firsts_of(most) + seconds_of(most),
                                firsts_of(most) - seconds_of(least) + added);
    word_lanes margin = words_from_shorts(margins);
    return words_greater(words_sub(lows, margin), words_from_shorts(of->high)) |
           words_less(words_add(highs, margin), words_from_shorts(of->low));
}

#else

/* Cells far beyond the grid are cut to where none of a patch are. */
static bool misses_box(const grazei_intervals *of, const float low_negated[3], const float high[3])
{
    grid_scale scale = scale_of(of->exponent);
    i4 least = cell_of((f4){-low_negated[0], -low_negated[1], -low_negated[2], 0}, scale);
    i4 most = cell_of((f4){high[0], high[1], high[2], 0}, scale);
    int32_t lows[16], highs[16];
    int apart = 0;
    for (int k = 0; k < 3; ++k) {
        least[k] = cut(least[k] - of->base[k], -FAR, FAR);
        most[k] = cut(most[k] - of->base[k], -FAR, FAR);
    }
    /* A difference is least where what is taken away is greatest. */
    int32_t lx = least[0], ly = least[1], lz = least[2], mx = most[0], my = most[1], mz = most[2];
    memcpy(lows,
           (int32_t[16]){lx, ly, lz, lx + ly, lx - my + MOST, lx + lz, lx - mz + MOST, ly + lz,
                         ly - mz + MOST},
           sizeof lows);
    memcpy(highs,
           (int32_t[16]){mx, my, mz, mx + my, mx - ly + MOST, mx + mz, mx - lz + MOST, my + mz,
                         my - lz + MOST},
           sizeof highs);
    for (int d = 0; d < 16; ++d)
        apart |= (lows[d] - margins[d] > of->high[d]) | (highs[d] + margins[d] < of->low[d]);
    return apart;
}

#endif

/* ---- from one grid to another --------------------------------------------------------------- */

/* Along which directions the finer of two patches is beyond the coarser one, as bits, and behind
 * those along which the coarser one is beyond it. They have to be `more` cells farther apart than
 * the margin.
 */
#if defined(GRAZEI_BYTES_LOOK_UP)

GRAZEI_INLINE uint32_t compare_wholes(const grazei_intervals *fine, const grazei_intervals *coarse,
                                      int32_t more)
{
    int by = coarse->exponent - fine->exponent;
    word_lanes base = words_load(fine->base), there = words_load(coarse->base);
    word_lanes margin = words_add(words_from_shorts(margins), words_set(more));
    word_lanes low =
        words_right_by(words_add(base, words_from_shorts(fine->low)), by > 31 ? 31 : by);
    word_lanes high =
        words_right_by(words_add(base, words_from_shorts(fine->high)), by > 31 ? 31 : by);
    low = words_sub(words_sub(low, there), margin);
    high = words_add(words_sub(high, there), margin);
    return words_greater(low, words_from_shorts(coarse->high)) |
           (uint32_t)words_less(high, words_from_shorts(coarse->low)) << 16;
}

#else

/* The loop that tells whether there are any has 16 steps, which are vectors. */
GRAZEI_INLINE uint32_t compare_wholes(const grazei_intervals *fine, const grazei_intervals *coarse,
                                      int32_t more)
{
    int by = coarse->exponent - fine->exponent, shift = by > 31 ? 31 : by, any = 0;
    int32_t low[16], high[16];
    uint32_t bits = 0;
    for (int d = 0; d < 16; ++d) {
        int32_t base = fine->base[d], there = coarse->base[d], margin = margins[d] + more;
        low[d] = ((base + fine->low[d]) >> shift) - there - margin > coarse->high[d];
        high[d] = ((base + fine->high[d]) >> shift) - there + margin < coarse->low[d];
        any |= low[d] | high[d];
    }
    for (int d = 0; d < GRAZEI_DIRECTIONS && any; ++d)
        bits |= (uint32_t)low[d] << d | (uint32_t)high[d] << (d + 16);
    return bits;
}

#endif

/* In motion patches have to be parted by a cell more, which is at least 2^-20 of their reach: the
 * tolerance of contacts is 2^-22 of it and a 64th, and a diagonal of two axes goes twice as far.
 * What a direction parts at both ends, on the same sides, it parts in between: the distance along
 * it is the least of linear functions of time.
 */
enum { MOVING_MARGIN = 1 };

static uint32_t find_beyond(const grazei_intervals *a, const grazei_intervals *b, float reach)
{
    bool a_is_fine = a->exponent < b->exponent;
    const grazei_intervals *fine = a_is_fine ? a : b, *coarse = a_is_fine ? b : a;
    if (!(reach * 0x1p-20f <= power_of_two(coarse->exponent)))
        return 0;
    uint32_t bits = compare_wholes(fine, coarse, MOVING_MARGIN);
    return a_is_fine ? bits : bits << 16 | bits >> 16;
}

/* Wide cells of the finer patch begin at cell `first` of its own grid, which is `rest` cells behind
 * the beginning of cell `place` of the coarser one, both counted from where that patch begins.
 */
static void find_change(const grazei_intervals *fine, const grazei_intervals *coarse,
                        grazei_grid_change *change)
{
    int by = coarse->exponent - fine->exponent, shift = by > 31 ? 31 : by;
    const int32_t below = (int32_t)((1u << shift) - 1);
    change->tiny = by > GREATEST_SHIFT;
    change->shift = shift;
    for (int d = 0; d < 16; ++d) {
        change->place[d] = (fine->first[d] >> shift) - coarse->first[d];
        change->rest[d] = fine->first[d] & below;
    }
    for (int d = 0; d < 16; ++d) {
        change->up[d] = (uint8_t)cut(-change->place[d], 0, 255);
        change->down[d] = (uint8_t)cut(change->place[d], 0, 255);
    }
}

/* ---- searching ------------------------------------------------------------------------------ */

/* What bytes of a patch's rows may be at most, in the order of rows, and room. */
enum { LIMITS = 32 };

/* From directions to rows: `high` limits the least of triangles, and 255 - `low` their greatest,
 * which are negated. Returns the rows that have bytes above their limits, as bits: of two patches
 * that overlap, only one reaches beyond the other at either end of a direction. The greatest cell
 * of a patch is its last, and where they are negated 255.
 */
#if defined(GRAZEI_BYTES_LOOK_UP)

GRAZEI_INLINE uint32_t find_limits(const grazei_intervals *of, const int32_t low[16],
                                   const int32_t high[16], uint8_t limits[LIMITS])
{
    static const uint8_t order[32] = {0,  1,  2,  16, 17, 18, 3,  4,  5,  6,  7,
                                      8,  19, 20, 21, 22, 23, 24, 15, 15, 15, 15,
                                      15, 15, 15, 15, 15, 15, 15, 15, 15, 15};
    sixteen lows = words_cut(words_load(low)), highs = words_cut(words_load(high));
    sixteen last = words_low_bytes(words_load(of->last));
    return sixteens_exceeded(order, highs, ~lows, last, sixteen_all(255), limits) &
           ((1u << GRAZEI_INTERVAL_ROWS) - 1);
}

#else

GRAZEI_INLINE uint32_t limit_rows(uint8_t *limit, int32_t at, int32_t reach, int row)
{
    *limit = (uint8_t)cut(at, 0, 255);
    return (uint32_t)(*limit < reach) << row;
}

static uint32_t find_limits(const grazei_intervals *of, const int32_t low[16],
                            const int32_t high[16], uint8_t limits[LIMITS])
{
    uint32_t rows = 0;
    for (int d = 0; d < GRAZEI_DIRECTIONS; ++d) {
        int least = d < 3 ? d : d + 3, most = d < 3 ? d + 3 : d + 9;
        rows |= limit_rows(limits + least, high[d], of->last[d], least);
        rows |= limit_rows(limits + most, 255 - low[d], 255, most);
    }
    return rows;
}

#endif

/* The triangles of a patch, as bits. */
GRAZEI_INLINE void find_all(const grazei_intervals *of, uint64_t left[2])
{
    uint32_t count = (uint32_t)of->count;
    left[0] = count >= 64 ? UINT64_MAX : (1ull << count) - 1;
    left[1] = count <= 64 ? 0 : UINT64_MAX >> (128 - count);
}

/* Which triangles of a patch reach into what is between low and high. */
GRAZEI_INLINE bool find_within(const grazei_intervals *of, const uint8_t *rows,
                               const int32_t low[16], const int32_t high[16], uint64_t left[2])
{
    uint8_t limits[LIMITS];
    uint32_t limited = find_limits(of, low, high, limits);
    size_t count = (size_t)of->count, stride = GRAZEI_INTERVAL_STRIDE(count);
    find_all(of, left);
    for (size_t i = 0; i < count; i += GRAZEI_BYTES) {
        byte_lanes excess = bytes_set(0);
        for (uint32_t bits = limited; bits; bits &= bits - 1) {
            size_t r = (size_t)__builtin_ctz(bits);
            byte_lanes above = bytes_above(bytes_load(rows + r * stride + i), bytes_set(limits[r]));
            excess = bytes_or(excess, above);
        }
        uint64_t out = (uint64_t)bytes_zeros(excess) ^ GRAZEI_BYTES_ALL;
        left[i >> 6] &= ~(out << (i & 63));
    }
    return left[0] | left[1];
}

/* Those of the outer patch, the coarser one, that may meet the inner one as a whole. */
static bool cull_outer(grazei_interval_search *search)
{
    const grazei_grid_change *change = &search->change;
    const grazei_intervals *inner = search->inner, *outer = search->outer;
    int32_t high[16];
    for (int d = 0; d < 16; ++d)
        high[d] = ((inner->first[d] + inner->last[d]) >> change->shift) - outer->first[d];
    return find_within(outer, search->outer_rows, change->place, high, search->left);
}

/* A cell so far behind the one where the finer patch begins, or farther, begins behind its end. */
GRAZEI_INLINE int32_t furthest(const grazei_grid_change *change)
{
    return (256 >> change->shift) + 2;
}

/* Those of the inner patch that may meet the outer one as a whole. */
static bool cull_inner(grazei_interval_search *search)
{
    const grazei_grid_change *change = &search->change;
    int32_t low[16], high[16], most = furthest(change);
    for (int d = 0; d < 16; ++d) {
        int32_t from = cut(-change->place[d], -1, most);
        int32_t to = cut(search->outer->last[d] + 1 - change->place[d], -1, most);
        low[d] = from * (1 << change->shift) - change->rest[d];
        high[d] = to * (1 << change->shift) - change->rest[d] - 1;
    }
    return find_within(search->inner, search->inner_rows, low, high, search->inner_left);
}

/* Cells of the coarser grid in the finer one: for rows of the least of triangles, negated then, the
 * first of them there, and for rows of the greatest, which are negated, the last. What is
 * multiplied is cut to where the finer patch ends before.
 */
static __attribute__((noinline)) void find_in_finer(const grazei_grid_change *change, int d,
                                                    bool least, const uint8_t *from, uint8_t *out,
                                                    size_t count)
{
    const int most = furthest(change), times = 1 << change->shift, added = !least;
    const int less = cut(change->place[d], -600, 600) - added, rest = change->rest[d] + added;
#if defined(GRAZEI_BYTES_LOOK_UP)
    const uint8_t before = least ? 0 : 255;
    for (size_t i = 0; i < count; i += 32) {
        short_lanes cell = shorts_sub(shorts_load_bytes(from + i, before), shorts_set(less));
        cell = shorts_mul(shorts_cut(cell, shorts_set(-1), shorts_set(most)), shorts_set(times));
        shorts_store_bytes(out + i, shorts_sub(cell, shorts_set(rest)), (uint8_t)~before);
    }
#else
    const sixteen before = sixteen_all(least ? 0 : 255);
    for (size_t i = 0; i < count; i += 16) {
        sixteen row = sixteen_load_any(from + i) ^ before;
        eight half[2];
        for (int k = 0; k < 2; ++k) {
            eight cell = sixteen_half(row, k) - eight_all(less);
            cell = eight_cut(cell, eight_all(-1), eight_all(most)) * eight_all(times);
            half[k] = eight_cut(cell - eight_all(rest), eight_all(0), eight_all(255));
        }
        sixteen_store_any(out + i, sixteen_from(half[0], half[1]) ^ ~before);
    }
#endif
}

/* For each triangle of the outer patch what bytes of the inner one may be at most. */
static void make_limits(grazei_interval_search *search)
{
    const grazei_grid_change *change = &search->change;
    size_t stride = GRAZEI_INTERVAL_STRIDE(search->outer->count);
    if (search->limited)
        return;
    search->limited = true;
    if (change->tiny) {
        memset(search->limits, 255, sizeof search->limits);
        return;
    }
    for (int d = 0; d < GRAZEI_DIRECTIONS; ++d) {
        size_t least = (size_t)(d < 3 ? d : d + 3), most = (size_t)(d < 3 ? d + 3 : d + 9);
        const uint8_t *from = search->outer_rows + least * stride;
        const uint8_t *to = search->outer_rows + most * stride;
        if (change->shift) {
            find_in_finer(change, d, false, to, search->limits[least], stride);
            find_in_finer(change, d, true, from, search->limits[most], stride);
            continue;
        }
        byte_lanes up = bytes_set(change->up[d]), down = bytes_set(change->down[d]);
        for (size_t i = 0; i < stride; i += GRAZEI_BYTES) {
            byte_lanes high = bytes_not(bytes_load(to + i)), low = bytes_load(from + i);
            high = bytes_above(bytes_sum(high, up), down);
            low = bytes_above(bytes_sum(low, up), down);
            bytes_store(search->limits[least] + i, high);
            bytes_store(search->limits[most] + i, bytes_not(low));
        }
    }
}

#include "narrow/interval_pairs_chapter.h"

static int count_bits(const uint64_t bits[2])
{
    return __builtin_popcountll(bits[0]) + __builtin_popcountll(bits[1]);
}

/* In one grid either patch may be the outer one, and the smaller one should be. */
static void choose_sides(grazei_interval_search *search)
{
    grazei_grid_change *change = &search->change;
    if (change->shift || count_bits(search->left) <= count_bits(search->inner_left))
        return;
    const grazei_intervals *inner = search->outer;
    const uint8_t *inner_rows = search->outer_rows;
    search->outer = search->inner;
    search->outer_rows = search->inner_rows;
    search->inner = inner;
    search->inner_rows = inner_rows;
    search->flipped = !search->flipped;
    for (int k = 0; k < 2; ++k) {
        uint64_t left = search->left[k];
        search->left[k] = search->inner_left[k];
        search->inner_left[k] = left;
    }
    uint8_t up[16];
    memcpy(up, change->up, sizeof up);
    memcpy(change->up, change->down, sizeof up);
    memcpy(change->down, up, sizeof up);
}

static bool overlap(grazei_interval_search *search, const grazei_intervals *a,
                    const grazei_intervals *b)
{
    search->flipped = a->exponent < b->exponent;
    search->outer = search->flipped ? b : a;
    search->inner = search->flipped ? a : b;
    search->enough = MOST_PAIRS;
    search->masks = NULL;
    search->limited = false;
    return !compare_wholes(search->inner, search->outer, 0);
}

static bool begin(grazei_interval_search *search, const uint8_t *rows_a, const uint8_t *rows_b)
{
    search->outer_rows = search->flipped ? rows_b : rows_a;
    search->inner_rows = search->flipped ? rows_a : rows_b;
    find_change(search->inner, search->outer, &search->change);
    if (!cull_outer(search))
        return false;
    if (search->change.tiny) {
        find_all(search->inner, search->inner_left);
        return true;
    }
    if (!cull_inner(search))
        return false;
    choose_sides(search);
    return true;
}

const grazei_interval_kernels GRAZEI_ISA(interval_kernels) = {
    measure, fill, misses_box, overlap, find_beyond, begin, next};
