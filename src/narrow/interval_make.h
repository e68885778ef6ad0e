/* Patches and their triangles, made into intervals. Included by interval_kernels.c only. */
#ifndef GRAZEI_NARROW_INTERVAL_MAKE_H
#define GRAZEI_NARROW_INTERVAL_MAKE_H

#include "math/f4.h"
#include "math/shorts.h"
#include "narrow/interval_kernels.h"

/* Of a patch's grid: it is at most 2^CELLS cells across, and its cells are counted in 30 bits. */
enum { CELLS = 12, WHOLE_BITS = 29, LEAST_EXPONENT = -100 };

/* Numbers of a patch in its own grid: along the axes from 0 to MOST, a few more than 2^CELLS, along
 * the diagonals from 0 to twice that, where differences have MOST added.
 */
enum { MOST = 4104 };

/* Two patches whose bases are so far apart, in cells, are apart; numbers moved so far, and by the
 * margin, stay within 16 bits.
 */
enum { FAR = 9000 };
_Static_assert(FAR > 2 * MOST && FAR + 2 * MOST + 16 < GRAZEI_NOWHERE, "too near or too far");

/* Along a diagonal the number of a point is a sum or difference of two, each rounded down by less
 * than 1, and in a coarser grid it is rounded down once more, but then the first two were less than
 * 1 together. So it is at most 1 above and less than 2 below the truth, and where two triangles
 * have a point in common, the least of one is at most 2 above the greatest of the other.
 */
enum { MARGIN = 2 };

/* ---- making --------------------------------------------------------------------------------- */

static int exponent_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 23 & 255) - 127;
}

/* The width of a cell: an even power of two, so that most patches share it with most. */
static int choose_exponent(const grazei_posed_patch *patch)
{
    float size = 0, reach = 0;
    for (int k = 0; k < 3; ++k) {
        size = f1_max(size, patch->high[k] + patch->low_negated[k]);
        reach = f1_max(reach, f1_max(fabsf(patch->high[k]), fabsf(patch->low_negated[k])));
    }
    int for_size = exponent_of(size) + 1 - CELLS, for_reach = exponent_of(reach) + 1 - WHOLE_BITS;
    int exponent = for_size > for_reach ? for_size : for_reach;
    exponent = exponent > LEAST_EXPONENT ? exponent : LEAST_EXPONENT;
    return exponent + (exponent & 1);
}

/* 2^exponent, from -126 to 127. */
static float power_of_two(int exponent)
{
    uint32_t bits = (uint32_t)(exponent + 127) << 23;
    float power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* Between coordinates and cells. */
typedef struct grid_scale {
    float per_cell, cell; /* 1 / cell, and how wide a cell is */
} grid_scale;

static grid_scale scale_of(int exponent)
{
    return (grid_scale){power_of_two(-exponent), power_of_two(exponent)};
}

/* The cell of a point: x, y, z, 0. Rounded down, so that a cell of a coarser grid holds whole cells
 * of a finer one. Going back tells where that is needed: other than the way there, it is exact even
 * if the point is so near zero that the product is flushed.
 */
GRAZEI_INLINE i4 cell_of(f4 point, grid_scale scale)
{
    const i4 three = {-1, -1, -1, 0};
    const f4 end = f4_all((float)(1 << WHOLE_BITS) * 2);
    f4 at = (f4)((i4)point & three) * f4_all(scale.per_cell);
    at = f4_max(f4_min(at, end), -end); /* for boxes; points of a patch are well within */
#if defined(__SSE2__)
    i4 cell = (i4)_mm_cvttps_epi32((__m128)at);
    f4 back = (f4)_mm_cvtepi32_ps((__m128i)cell);
#else
    i4 cell = __builtin_convertvector(at, i4);
    f4 back = __builtin_convertvector(cell, f4);
#endif
    return cell + ((back * f4_all(scale.cell) > point) & three); /* -1 where that is so */
}

/* The numbers of the least cell along the directions. */
static __attribute__((unused)) void find_bases(i4 least, int32_t out[16])
{
    int32_t x = least[0], y = least[1], z = least[2];
    int32_t all[16] = {x, y, z, x + y, x - y - MOST, x + z, x - z - MOST, y + z, y - z - MOST};
    memcpy(out, all, sizeof all);
}

#if defined(GRAZEI_SHORTS_LOOK_UP)

/* Whether coordinates become no smaller on the way to cells: nothing is flushed then. */
GRAZEI_INLINE bool is_enlarged(grid_scale scale)
{
    return scale.per_cell >= 1;
}

/* cell_of() for single coordinates. Those that are enlarged are multiplied exactly, so that they
 * can be rounded down at once.
 */
GRAZEI_INLINE __m512i cells_of(lanes at, grid_scale scale)
{
    lanes in_cells = lanes_mul(at, lanes_set(scale.per_cell));
    if (is_enlarged(scale))
        return _mm512_cvt_roundps_epi32(in_cells, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    __m512i cell = _mm512_cvttps_epi32(in_cells);
    lanes back = lanes_mul(_mm512_cvtepi32_ps(cell), lanes_set(scale.cell));
    return _mm512_mask_sub_epi32(cell, lanes_less(at, back), cell, _mm512_set1_epi32(1));
}

/* What goes by pairs of axes: (x, y), (x, z), (y, z). */
GRAZEI_INLINE i4 firsts_of(i4 a)
{
    return __builtin_shufflevector(a, a, 0, 0, 1, 0);
}
GRAZEI_INLINE i4 seconds_of(i4 a)
{
    return __builtin_shufflevector(a, a, 1, 2, 2, 1);
}

/* Numbers along the axes, of sums and of differences, in the order of the directions, then zeros.
 * They are put together in a vector and written whole, as they will be read: read before single
 * writes have reached the cache, a vector has to wait for that.
 */
GRAZEI_INLINE __m512i in_order(i4 axes, i4 sums, i4 differences)
{
    const __m512i order = _mm512_setr_epi32(0, 1, 2, 4, 8, 5, 9, 6, 10, 12, 12, 12, 12, 12, 12, 12);
    __m512i all = _mm512_zextsi128_si512((__m128i)axes);
    all = _mm512_inserti32x4(all, (__m128i)sums, 1);
    all = _mm512_inserti32x4(all, (__m128i)differences, 2);
    return _mm512_permutexvar_epi32(order, all);
}

/* The numbers of 32 points along each direction; those behind the last mean nothing. */
typedef struct point_numbers {
    __m512i along[GRAZEI_DIRECTIONS];
} point_numbers;

/* Four points from number `first` on; zeros behind the last. */
GRAZEI_INLINE lanes load_points(const grazei_posed_patch *patch, size_t first)
{
    size_t count = patch->point_count, left = count > first ? count - first : 0;
    __mmask16 here = left >= 4 ? 0xffff : (__mmask16)((1u << 4 * left) - 1);
    return _mm512_maskz_loadu_ps(here, patch->points[left ? first : 0]);
}

GRAZEI_INLINE point_numbers find_point_numbers(const grazei_posed_patch *patch, size_t first,
                                               const int32_t base[3], grid_scale scale)
{
    __m512i at[3], most = shorts_set(MOST);
    /* Columns have every fourth point side by side. */
    const __m512i in_turn = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    for (size_t half = 0; half < 2; ++half) {
        lanes column[4];
        for (size_t k = 0; k < 4; ++k)
            column[k] = load_points(patch, first + 16 * half + 4 * k);
        grazei_transpose_quarters(column);
        for (int k = 0; k < 3; ++k) {
            __m512i cell = cells_of(column[k], scale);
            cell = _mm512_sub_epi32(cell, _mm512_set1_epi32(base[k]));
            __m256i narrow = _mm512_cvtepi32_epi16(_mm512_permutexvar_epi32(in_turn, cell));
            at[k] = half ? _mm512_inserti64x4(at[k], narrow, 1) : _mm512_castsi256_si512(narrow);
        }
    }
    shorts x = at[0], y = at[1], z = at[2];
    shorts upper_x = shorts_add(x, most), upper_y = shorts_add(y, most);
    return (point_numbers){{x, y, z, shorts_add(x, y), shorts_sub(upper_x, y), shorts_add(x, z),
                            shorts_sub(upper_x, z), shorts_add(y, z), shorts_sub(upper_y, z)}};
}

/* Corner number `which` of 32 triangles. */
GRAZEI_INLINE __m512i pick_corners(const uint8_t (*corners)[4], unsigned which)
{
    __m128i low = _mm512_cvtepi32_epi8(_mm512_srli_epi32(_mm512_loadu_si512(corners), 8 * which));
    __m128i high =
        _mm512_cvtepi32_epi8(_mm512_srli_epi32(_mm512_loadu_si512(corners + 16), 8 * which));
    return _mm512_cvtepu8_epi16(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1));
}

/* Points of each direction make a table, from which triangles look up theirs. */
static void fill(const grazei_posed_patch *patch, const grazei_intervals *of, int16_t *rows)
{
    int16_t tables[GRAZEI_DIRECTIONS][GRAZEI_PATCH_POINTS] __attribute__((aligned(64)));
    size_t stride = (size_t)of->stride, count = patch->triangle_count;
    grid_scale scale = scale_of(of->exponent);
    size_t points = (patch->point_count + 31) & ~(size_t)31;
    __m512i nowhere = shorts_set(GRAZEI_NOWHERE);
    for (size_t first = 0; first < points; first += 32) {
        point_numbers numbers = find_point_numbers(patch, first, of->base, scale);
        for (int d = 0; d < GRAZEI_DIRECTIONS; ++d)
            shorts_store(tables[d] + first, numbers.along[d]);
    }
    for (size_t first = 0; first < stride; first += 32) {
        __m512i corner[3];
        __mmask32 real = count - first >= 32 ? UINT32_MAX : (1u << (count - first)) - 1;
        for (unsigned c = 0; c < 3; ++c)
            corner[c] = pick_corners(patch->corners + first, c);
        int16_t *low_row = rows + first, *high_row = low_row + GRAZEI_DIRECTIONS * stride;
        for (size_t d = 0; d < GRAZEI_DIRECTIONS; ++d) {
            shorts a = shorts_look_up(tables[d], points, corner[0]);
            shorts b = shorts_look_up(tables[d], points, corner[1]);
            shorts c = shorts_look_up(tables[d], points, corner[2]);
            shorts low = shorts_min(shorts_min(a, b), c), high = shorts_max(shorts_max(a, b), c);
            shorts_store(low_row + d * stride, _mm512_mask_blend_epi16(real, nowhere, low));
            shorts_store(high_row + d * stride,
                         _mm512_mask_sub_epi16(nowhere, real, shorts_set(0), high));
        }
    }
}

#else

/* A point along the axes (x, y, z and the same negated) and along the diagonals. */
typedef struct point_numbers {
    eight axes, diagonals;
} point_numbers;

GRAZEI_INLINE point_numbers find_point_numbers(i4 cell)
{
    const eight odd = {0, -1, 0, -1, 0, -1, 0, 0}, opposite = {0, 0, 0, 0, -1, -1, -1, -1};
    const eight added = {0, MOST, 0, MOST, 0, MOST, 0, 0};
    eight whole = (eight)cell; /* halves of 32 bits, of which the low ones count */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight at = __builtin_shufflevector(whole, whole, 1, 3, 5, 7, 1, 3, 5, 7);
#else
    eight at = __builtin_shufflevector(whole, whole, 0, 2, 4, 6, 0, 2, 4, 6);
#endif
    eight first = __builtin_shufflevector(at, at, 0, 0, 0, 0, 1, 1, 3, 3);
    eight second = __builtin_shufflevector(at, at, 1, 1, 2, 2, 2, 2, 3, 3);
    return (point_numbers){(at ^ opposite) - opposite, first + ((second ^ odd) - odd) + added};
}

/* Eight triangles at a time. */
static void fill(const grazei_posed_patch *patch, const grazei_intervals *of, int16_t *rows)
{
    point_numbers numbers[GRAZEI_PATCH_POINTS];
    size_t stride = (size_t)of->stride, count = patch->triangle_count;
    grid_scale scale = scale_of(of->exponent);
    i4 base = {of->base[0], of->base[1], of->base[2], 0};
    for (uint32_t i = 0; i < patch->point_count; ++i)
        numbers[i] = find_point_numbers(cell_of(f4_load(patch->points[i]), scale) - base);
    for (size_t first = 0; first < count; first += 8) {
        eight axes[8], low[8], high[8];
        for (size_t k = 0; k < 8; ++k) {
            const uint8_t *corner = patch->corners[first + k < count ? first + k : count - 1];
            point_numbers a = numbers[corner[0]], b = numbers[corner[1]], c = numbers[corner[2]];
            axes[k] = eight_min(eight_min(a.axes, b.axes), c.axes);
            low[k] = eight_min(eight_min(a.diagonals, b.diagonals), c.diagonals);
            high[k] = -eight_max(eight_max(a.diagonals, b.diagonals), c.diagonals);
        }
        eight_transpose(axes);
        eight_transpose(low);
        eight_transpose(high);
        for (size_t d = 0; d < GRAZEI_DIRECTIONS; ++d) {
            eight_store(rows + d * stride + first, d < 3 ? axes[d] : low[d - 3]);
            eight_store(rows + (d + GRAZEI_DIRECTIONS) * stride + first,
                        d < 3 ? axes[d + 4] : high[d - 3]);
        }
    }
    for (size_t d = 0; d < GRAZEI_INTERVAL_ROWS; ++d)
        for (size_t i = count; i < stride; ++i)
            rows[d * stride + i] = GRAZEI_NOWHERE;
}

#endif

/* Sums (x + y, x + z, y + z) and differences (x - y, x - z, y - z) of cells: the least, the
 * greatest.
 */
typedef struct diagonals {
    i4 least_sum, most_sum, least_difference, most_difference;
} diagonals;

#if defined(GRAZEI_SHORTS_LOOK_UP)

/* Four points at a time. */
static diagonals measure_diagonals(const grazei_posed_patch *patch, grid_scale scale)
{
    size_t count = patch->point_count;
    __m512i end = _mm512_set1_epi32(INT32_MAX), start = _mm512_set1_epi32(INT32_MIN);
    __m512i least_sum = end, least_difference = end, most_sum = start, most_difference = start;
    for (size_t i = 0; i < count; i += 4) {
        size_t left = count - i;
        __mmask16 here = left >= 4 ? 0xffff : (__mmask16)((1u << 4 * left) - 1);
        __m512 at = _mm512_mask_loadu_ps(_mm512_broadcast_f32x4(_mm_load_ps(patch->points[0])),
                                         here, patch->points[i]);
        __m512i cell = cells_of(at, scale);
        __m512i first = _mm512_shuffle_epi32(cell, _MM_SHUFFLE(0, 1, 0, 0));
        __m512i second = _mm512_shuffle_epi32(cell, _MM_SHUFFLE(1, 2, 2, 1));
        __m512i sum = _mm512_add_epi32(first, second), difference = _mm512_sub_epi32(first, second);
        least_sum = _mm512_min_epi32(least_sum, sum);
        most_sum = _mm512_max_epi32(most_sum, sum);
        least_difference = _mm512_min_epi32(least_difference, difference);
        most_difference = _mm512_max_epi32(most_difference, difference);
    }
#define QUARTERS(reduce, a)                                                                        \
    ((i4)reduce(reduce(_mm512_castsi512_si128(a), _mm512_extracti32x4_epi32(a, 1)),                \
                reduce(_mm512_extracti32x4_epi32(a, 2), _mm512_extracti32x4_epi32(a, 3))))
    return (diagonals){QUARTERS(_mm_min_epi32, least_sum), QUARTERS(_mm_max_epi32, most_sum),
                       QUARTERS(_mm_min_epi32, least_difference),
                       QUARTERS(_mm_max_epi32, most_difference)};
#undef QUARTERS
}

#else

GRAZEI_INLINE i4 lesser(i4 a, i4 b)
{
    i4 mask = a < b;
    return (a & mask) | (b & ~mask);
}

GRAZEI_INLINE i4 greater(i4 a, i4 b)
{
    i4 mask = a > b;
    return (a & mask) | (b & ~mask);
}

static diagonals measure_diagonals(const grazei_posed_patch *patch, grid_scale scale)
{
    const i4 end = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX}, start = ~end;
    diagonals found = {end, start, end, start};
    for (uint32_t i = 0; i < patch->point_count; ++i) {
        i4 cell = cell_of(f4_load(patch->points[i]), scale);
        i4 first = __builtin_shufflevector(cell, cell, 0, 0, 1, 0);
        i4 second = __builtin_shufflevector(cell, cell, 1, 2, 2, 1);
        found.least_sum = lesser(found.least_sum, first + second);
        found.most_sum = greater(found.most_sum, first + second);
        found.least_difference = lesser(found.least_difference, first - second);
        found.most_difference = greater(found.most_difference, first - second);
    }
    return found;
}

#endif

static void measure(const grazei_posed_patch *patch, grazei_intervals *out)
{
    out->exponent = choose_exponent(patch);
    out->stride = (int32_t)((patch->triangle_count + 31) & ~31u);
    grid_scale scale = scale_of(out->exponent);
    const float *low = patch->low_negated, *high = patch->high;
    i4 least = cell_of((f4){-low[0], -low[1], -low[2], 0}, scale);
    i4 size = cell_of((f4){high[0], high[1], high[2], 0}, scale) - least;
    diagonals found = measure_diagonals(patch, scale);
#if defined(GRAZEI_SHORTS_LOOK_UP)
    const i4 none = {0, 0, 0, 0}, most = {MOST, MOST, MOST, MOST};
    i4 sums = firsts_of(least) + seconds_of(least);
    i4 differences = firsts_of(least) - seconds_of(least) - most;
    __m512i low_numbers =
        in_order(none, found.least_sum - sums, found.least_difference - differences);
    __m512i high_numbers =
        in_order(size, found.most_sum - sums, found.most_difference - differences);
    _mm512_storeu_si512(out->base, in_order(least, sums, differences));
    _mm256_storeu_si256((__m256i *)out->low, _mm512_cvtepi32_epi16(low_numbers));
    _mm256_storeu_si256((__m256i *)out->high, _mm512_cvtepi32_epi16(high_numbers));
#else
    find_bases(least, out->base);
    memset(out->low, 0, sizeof out->low);
    memset(out->high, 0, sizeof out->high);
    for (int k = 0; k < 3; ++k) {
        const int32_t *base = out->base + 3 + 2 * k;
        out->high[k] = (int16_t)size[k];
        out->low[3 + 2 * k] = (int16_t)(found.least_sum[k] - base[0]);
        out->high[3 + 2 * k] = (int16_t)(found.most_sum[k] - base[0]);
        out->low[4 + 2 * k] = (int16_t)(found.least_difference[k] - base[1]);
        out->high[4 + 2 * k] = (int16_t)(found.most_difference[k] - base[1]);
    }
#endif
}

#endif
