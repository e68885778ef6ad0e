#include "narrow/interval_kernels.h"

#include "narrow/interval_make.h"

/* Beyond this difference of exponents a patch is hardly a cell of the other's grid. */
enum { GREATEST_SHIFT = 13 };

/* ---- boxes ---------------------------------------------------------------------------------- */

GRAZEI_INLINE int32_t cut(int32_t x, int32_t least, int32_t most)
{
    return x < least ? least : x > most ? most : x;
}

static const int16_t margins[16] = {0, 0, 0, MARGIN, MARGIN, MARGIN, MARGIN, MARGIN, MARGIN};

#if defined(GRAZEI_SHORTS_LOOK_UP)

/* Cells far beyond the grid are cut to where none of a patch are. */
static bool misses_box(const grazei_intervals *of, const float low_negated[3], const float high[3])
{
    const __m128i far = _mm_set1_epi32(FAR), near = _mm_set1_epi32(-FAR);
    const i4 added = {MOST, MOST, MOST, MOST};
    grid_scale scale = scale_of(of->exponent);
    __m128i base = _mm_loadu_si128((const __m128i *)of->base);
    i4 least = cell_of((f4){-low_negated[0], -low_negated[1], -low_negated[2], 0}, scale);
    i4 most = cell_of((f4){high[0], high[1], high[2], 0}, scale);
    least = (i4)_mm_max_epi32(_mm_min_epi32(_mm_sub_epi32((__m128i)least, base), far), near);
    most = (i4)_mm_max_epi32(_mm_min_epi32(_mm_sub_epi32((__m128i)most, base), far), near);
    /* A difference is least where what is taken away is greatest. */
    __m512i lows = in_order(least, firsts_of(least) + seconds_of(least),
                            firsts_of(least) - seconds_of(most) + added);
    __m512i highs = in_order(most, firsts_of(most) + seconds_of(most),
                             firsts_of(most) - seconds_of(least) + added);
    __m512i margin = _mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)margins));
    __m512i own_low = _mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)of->low));
    __m512i own_high = _mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)of->high));
    return _mm512_cmpgt_epi32_mask(_mm512_sub_epi32(lows, margin), own_high) |
           _mm512_cmplt_epi32_mask(_mm512_add_epi32(highs, margin), own_low);
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

/* Fills in the change from the finer grid to the coarser one. False: they are apart. Loops over
 * directions have 16 steps, which are vectors.
 */
static bool change_grid(const grazei_intervals *fine, const grazei_intervals *coarse,
                        grazei_grid_change *change)
{
    int by = coarse->exponent - fine->exponent, apart = 0;
    int shift = by > 31 ? 31 : by;
    int32_t mask = by > GREATEST_SHIFT ? 0 : (1 << shift) - 1;
    change->tiny = by > GREATEST_SHIFT;
    change->shift = shift;
    for (int d = 0; d < 16; ++d) {
        int32_t base = fine->base[d], there = coarse->base[d];
        int32_t offset = cut((base >> shift) - there, -FAR, FAR);
        int32_t low = cut(((base + fine->low[d]) >> shift) - there, -FAR, FAR) - margins[d];
        int32_t high = cut(((base + fine->high[d]) >> shift) - there, -FAR, FAR) + margins[d];
        apart |= (low > coarse->high[d]) | (high < coarse->low[d]);
        change->whole_low[d] = (int16_t)low;
        change->whole_high[d] = (int16_t)high;
        change->add[d] = (int16_t)(base & mask);
        change->low[d] = (int16_t)(offset - margins[d]);
        change->high[d] = (int16_t)(offset + margins[d]);
    }
    return !apart;
}

/* In motion patches have to be parted by a cell more, which is at least 2^-20 of their reach: the
 * tolerance of contacts is 2^-22 of it and a 64th, and a diagonal of two axes goes twice as far.
 * What a direction parts at both ends, on the same sides, it parts in between: the distance along
 * it is the least of linear functions of time.
 */
enum { MOVING_MARGIN = 1 };

static bool find_beyond(const grazei_intervals *a, const grazei_intervals *b, float reach,
                        int32_t beyond[2][16])
{
    bool a_is_fine = a->exponent < b->exponent;
    const grazei_intervals *fine = a_is_fine ? a : b, *coarse = a_is_fine ? b : a;
    int32_t *fine_beyond = beyond[!a_is_fine], *coarse_beyond = beyond[a_is_fine], any = 0;
    grazei_grid_change change;
    if (!(reach * 0x1p-20f <= power_of_two(coarse->exponent)) || change_grid(fine, coarse, &change))
        return false;
    for (int d = 0; d < 16; ++d) {
        fine_beyond[d] = change.whole_low[d] - MOVING_MARGIN > coarse->high[d];
        coarse_beyond[d] = change.whole_high[d] + MOVING_MARGIN < coarse->low[d];
        any |= fine_beyond[d] | coarse_beyond[d];
    }
    return any;
}

/* What numbers of the finer patch may be, at most, to overlap an interval of the coarser one, from
 * least to most: a least number n and a greatest number m do where
 *
 *     ((n + add) >> shift) + low <= most, that is, n <= ((most - low + 1) << shift) - add - 1
 *     ((m + add) >> shift) + high >= least, that is, -m <= add - ((least - high) << shift)
 *
 * What is shifted is cut to where the finer patch ends before: as n + add < 2 MOST + 2^shift, more
 * than that allows all n, and less than 0 allows none. It stays within 16 bits.
 */
GRAZEI_INLINE int32_t shiftable(const grazei_grid_change *change)
{
    return (2 * MOST >> change->shift) + 2;
}

/* ---- searching ------------------------------------------------------------------------------ */

/* What numbers of a patch's rows may be at most: the greatest along each of 16 directions, negated,
 * then the least.
 */
enum { LEAST = 16, LIMITS = 32 };

/* The rows that have numbers above their limits, as bits: of two patches that overlap, only one
 * reaches beyond the other at either end of a direction. The first row is always among them: it
 * tells which numbers are of no triangle.
 */
GRAZEI_INLINE uint32_t find_limited(const grazei_intervals *of, const int16_t limits[LIMITS])
{
    uint32_t rows = 1u << LEAST;
#if defined(__OPTIMIZE_SIZE__) /* all of them */
    (void)of;
    (void)limits;
    rows = ((1u << GRAZEI_DIRECTIONS) - 1) * ((1u << LEAST) + 1);
#elif defined(GRAZEI_SHORTS_LOOK_UP) /* by halves, as they were just written */
    __m256i most =
        _mm256_sub_epi16(_mm256_setzero_si256(), _mm256_loadu_si256((const void *)of->low));
    __m256i may_most = _mm256_loadu_si256((const void *)limits);
    __m256i may_least = _mm256_loadu_si256((const void *)(limits + LEAST));
    rows |= _mm256_cmpgt_epi16_mask(most, may_most);
    rows |= (uint32_t)_mm256_cmpgt_epi16_mask(_mm256_loadu_si256((const void *)of->high), may_least)
            << LEAST;
#else
    for (size_t i = 0; i < 16; i += GRAZEI_SHORTS) {
        shorts none = shorts_set(INT16_MIN);
        shorts most = shorts_sub(shorts_set(0), shorts_load(of->low + i));
        shorts above =
            shorts_excess(none, shorts_load(of->high + i), shorts_load(limits + LEAST + i));
        shorts below = shorts_excess(none, most, shorts_load(limits + i));
        rows |= (~shorts_not_positive(below) & GRAZEI_SHORTS_ALL) << i;
        rows |= (~shorts_not_positive(above) & GRAZEI_SHORTS_ALL) << (i + LEAST);
    }
#endif
    return rows;
}

/* Which triangles of a patch have no number above its row's limit. */
GRAZEI_INLINE bool find_within(const grazei_intervals *of, const int16_t *rows,
                               const int16_t limits[LIMITS], uint64_t left[2])
{
    uint32_t limited = find_limited(of, limits);
    size_t stride = (size_t)of->stride;
    left[0] = left[1] = 0;
    for (size_t i = 0; i < stride; i += 2 * GRAZEI_SHORTS) {
        size_t next = i + GRAZEI_SHORTS < stride ? i + GRAZEI_SHORTS : i;
        shorts excess = shorts_set(INT16_MIN), next_excess = excess;
        for (uint32_t bits = limited; bits; bits &= bits - 1) {
            size_t k = (size_t)__builtin_ctz(bits);
            const int16_t *row = rows + (k < LEAST ? k + GRAZEI_DIRECTIONS : k - LEAST) * stride;
            shorts limit = shorts_set(limits[k]);
            excess = shorts_excess(excess, shorts_load(row + i), limit);
            next_excess = shorts_excess(next_excess, shorts_load(row + next), limit);
        }
        left[i >> 6] |= (uint64_t)shorts_not_positive(excess) << (i & 63);
        left[next >> 6] |= (uint64_t)shorts_not_positive(next_excess) << (next & 63);
    }
    return left[0] | left[1];
}

/* Those of the outer patch, the coarser one, that may meet the inner one as a whole. */
static bool cull_outer(grazei_interval_search *search)
{
    const grazei_grid_change *change = &search->change;
    int16_t limits[LIMITS];
    for (int d = 0; d < 16; ++d) {
        limits[LEAST + d] = change->whole_high[d];
        limits[d] = (int16_t)-change->whole_low[d];
    }
    return find_within(search->outer, search->outer_rows, limits, search->left);
}

/* Those of the inner patch that may meet the outer one as a whole. */
static bool cull_inner(grazei_interval_search *search)
{
    const grazei_grid_change *change = &search->change;
    const grazei_intervals *outer = search->outer;
    int16_t limits[LIMITS];
    int32_t most = shiftable(change);
    for (int d = 0; d < 16; ++d) {
        int32_t above = cut(outer->high[d] - change->low[d] + 1, -1, most);
        int32_t below = cut(outer->low[d] - change->high[d], -1, most);
        limits[LEAST + d] = (int16_t)(above * (1 << change->shift) - change->add[d] - 1);
        limits[d] = (int16_t)(change->add[d] - below * (1 << change->shift));
    }
    return find_within(search->inner, search->inner_rows, limits, search->inner_left);
}

/* For each triangle of the outer patch what numbers of the inner one may be at most. */
GRAZEI_INLINE void limit_direction(grazei_interval_search *search, size_t d)
{
    const grazei_grid_change *change = &search->change;
    const int16_t *low = search->outer_rows + d * (size_t)search->outer->stride;
    const int16_t *high = low + GRAZEI_DIRECTIONS * (size_t)search->outer->stride;
    shorts add = shorts_set(change->add[d]), least = shorts_set(-1);
    shorts most = shorts_set((int16_t)shiftable(change));
    shorts to_high = shorts_set((int16_t)(1 - change->low[d]));
    shorts to_low = shorts_set(change->high[d]);
    shorts less = shorts_set((int16_t)(change->add[d] + 1));
    for (size_t i = 0; i < (size_t)search->outer->stride; i += GRAZEI_SHORTS) {
        if (!(search->left[i >> 6] >> (i & 63) & GRAZEI_SHORTS_ALL))
            continue;
#if !defined(__OPTIMIZE_SIZE__)
        if (!change->shift) { /* the same grid: nothing to cut */
            shorts_store(search->limits[d] + i,
                         shorts_sub(shorts_set((int16_t)-change->low[d]), shorts_load(high + i)));
            shorts_store(search->limits[d + GRAZEI_DIRECTIONS] + i,
                         shorts_sub(to_low, shorts_load(low + i)));
            continue;
        }
#endif
        shorts above = shorts_sub(to_high, shorts_load(high + i));
        above = shorts_max(shorts_min(above, most), least);
        shorts below = shorts_sub(shorts_load(low + i), to_low);
        below = shorts_max(shorts_min(below, most), least);
        above = shorts_sub(shorts_shift_up(above, change->shift), less);
        below = shorts_sub(add, shorts_shift_up(below, change->shift));
        shorts_store(search->limits[d] + i, above);
        shorts_store(search->limits[d + GRAZEI_DIRECTIONS] + i, below);
    }
}

static void limit_nothing(grazei_interval_search *search)
{
    for (size_t d = 0; d < GRAZEI_INTERVAL_ROWS; ++d)
        for (size_t i = 0; i < (size_t)search->outer->stride; ++i)
            search->limits[d][i] = GRAZEI_NOWHERE - 1;
}

static void make_limits(grazei_interval_search *search)
{
    if (search->limited)
        return;
    search->limited = true;
    if (search->change.tiny) {
        limit_nothing(search);
        return;
    }
    for (size_t d = 0; d < GRAZEI_DIRECTIONS; ++d)
        limit_direction(search, d);
}

#include "narrow/interval_pairs.h"

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
    const int16_t *inner_rows = search->outer_rows;
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
    for (int d = 0; d < 16; ++d) {
        int16_t low = change->low[d];
        change->low[d] = (int16_t)-change->high[d];
        change->high[d] = (int16_t)-low;
    }
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
    return change_grid(search->inner, search->outer, &search->change);
}

static bool begin(grazei_interval_search *search, const int16_t *rows_a, const int16_t *rows_b)
{
    search->outer_rows = search->flipped ? rows_b : rows_a;
    search->inner_rows = search->flipped ? rows_a : rows_b;
    if (!cull_outer(search))
        return false;
    if (search->change.tiny) {
        int32_t stride = search->inner->stride;
        search->inner_left[0] = stride < 64 ? UINT32_MAX : UINT64_MAX;
        search->inner_left[1] = stride == 128 ? UINT64_MAX : stride == 96 ? UINT32_MAX : 0;
        return true;
    }
    if (!cull_inner(search))
        return false;
    choose_sides(search);
    return true;
}

const grazei_interval_kernels GRAZEI_ISA(interval_kernels) = {
    measure, fill, misses_box, overlap, find_beyond, begin, next};
