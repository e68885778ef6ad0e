/* Patches and their triangles, made into intervals. Included by interval_kernels.c only. */
#ifndef GRAZEI_NARROW_INTERVAL_MAKE_CHAPTER_H
#define GRAZEI_NARROW_INTERVAL_MAKE_CHAPTER_H

#include "math/f4.h"
#include "math/words.h"
#include "narrow/interval_kernels.h"

/* Of a patch's grid: it is at most 2^CELLS cells across, and its cells are counted in 30 bits. */
enum { CELLS = 12, WHOLE_BITS = 29, LEAST_EXPONENT = -100 };

/* Numbers of a patch in its own grid: along the axes from 0 to MOST, a few more than 2^CELLS, along
 * the diagonals from 0 to twice that, where differences have MOST added.
 */
enum { MOST = 4104 };

/* Two patches whose bases are so far apart, in cells, are apart. */
enum { FAR = 9000 };
_Static_assert(FAR > 2 * MOST + 16, "too near");

/* Along a diagonal the number of a point is a sum or difference of two, each rounded down by less
 * than 1, and in a coarser grid it is rounded down once more, but then the first two were less than
 * 1 together. So it is at most 1 above and less than 2 below the truth, and where two triangles
 * have a point in common, the least of one is at most 2 above the greatest of the other.
 */
enum { MARGIN = 2 };

/* Wide cells: numbers along the axes are doubled, then all are cut by WIDE bits. So that the cell
 * of any point of a triangle is among those from its least to its greatest, along the diagonals
 * less by BELOW and more by ABOVE: a number is at most 1 above the truth and less than 2 below.
 * That holds in a coarser grid as well, whose wide cells are whole ones of the finer grid.
 */
enum { WIDE = 5, BELOW = 1, ABOVE = 2 };
enum { AXES = 7, DIAGONALS = 63 << 3 }; /* as bits */

/* ---- making --------------------------------------------------------------------------------- */

static int exponent_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 23 & 255) - 127;
}

/* The width of a cell: an even power of two, so that most patches share it with most. A patch is at
 * most 4,064 cells across, and so 256 wide ones, wherever it begins.
 */
static int choose_exponent(const grazei_posed_patch *patch)
{
    float size = 0, reach = 0;
    for (int k = 0; k < 3; ++k) {
        size = f1_max(size, patch->high[k] + patch->low_negated[k]);
        reach = f1_max(reach, f1_max(fabsf(patch->high[k]), fabsf(patch->low_negated[k])));
    }
    int for_size = exponent_of(size * 1.008f) + 1 - CELLS;
    int for_reach = exponent_of(reach) + 1 - WHOLE_BITS;
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
    i4 cell = i4_of_f4(at);
    return cell + ((f4_of_i4(cell) * f4_all(scale.cell) > point) & three); /* -1 where that is so */
}

/* The numbers of the least cell along the directions. */
static __attribute__((unused)) void find_bases(i4 least, int32_t out[16])
{
    int32_t x = least[0], y = least[1], z = least[2];
    int32_t all[16] = {x, y, z, x + y, x - y - MOST, x + z, x - z - MOST, y + z, y - z - MOST};
    memcpy(out, all, sizeof all);
}

#if defined(GRAZEI_BYTES_LOOK_UP)

/* Whether coordinates become no smaller on the way to cells: nothing is flushed then. */
GRAZEI_INLINE bool is_enlarged(grid_scale scale)
{
    return scale.per_cell >= 1;
}

/* cell_of() for single coordinates. Those that are enlarged are multiplied exactly, so that they
 * can be rounded down at once.
 */
GRAZEI_INLINE word_lanes cells_of(lanes at, grid_scale scale)
{
    lanes in_cells = lanes_mul(at, lanes_set(scale.per_cell));
    if (is_enlarged(scale))
        return words_below_lanes(in_cells);
    word_lanes cell = words_of_lanes(in_cells);
    lanes back = lanes_mul(lanes_of_words(cell), lanes_set(scale.cell));
    return words_where_sub(lanes_less(at, back), cell, words_set(1));
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
GRAZEI_INLINE word_lanes in_order(i4 axes, i4 sums, i4 differences)
{
    static const int32_t order[16]
        __attribute__((aligned(64))) = {0, 1, 2, 4, 8, 5, 9, 6, 10, 12, 12, 12, 12, 12, 12, 12};
    return words_in_order(axes, sums, differences, words_load(order));
}

#endif

/* What is added to the numbers of a patch before they are cut to wide cells, counted from the
 * first: for the least of a triangle, and for the greatest.
 */
typedef struct wide_shift {
    int16_t low[16], high[16];
} wide_shift;

GRAZEI_INLINE int32_t doubled(int32_t number, int d)
{
    return d < 3 ? 2 * number : number;
}

static wide_shift find_wide_shift(const grazei_intervals *of)
{
    wide_shift shift;
    for (int d = 0; d < 16; ++d) {
        int32_t begin = doubled(of->base[d], d) - of->first[d] * (1 << WIDE);
        shift.low[d] = (int16_t)(begin - (d < 3 ? 0 : BELOW));
        shift.high[d] = (int16_t)(begin + (d < 3 ? 0 : ABOVE));
    }
    return shift;
}

#if defined(GRAZEI_BYTES_LOOK_UP)

/* The cells of 16 points from number `first` on, along an axis each, counted from the base; every
 * fourth point side by side. Zeros behind the last.
 */
GRAZEI_INLINE void find_cells_of_16(const grazei_posed_patch *patch, size_t first,
                                    const word_lanes base[3], grid_scale scale, word_lanes out[3])
{
    lanes column[4];
    for (size_t k = 0; k < 4; ++k) {
        size_t at = first + 4 * k, left = patch->point_count > at ? patch->point_count - at : 0;
        column[k] = lanes_load_where(word_mask_of(4 * left), patch->points[left ? at : 0]);
    }
    grazei_transpose_quarters(column);
    for (int k = 0; k < 3; ++k)
        out[k] = words_sub(cells_of(column[k], scale), base[k]);
}

/* The wide cells of up to 256 points: the least along each direction, then the greatest, negated,
 * along the diagonals. Points are in the order of point_places().
 */
enum { LEAST_TABLES = GRAZEI_DIRECTIONS, TABLES = LEAST_TABLES + GRAZEI_DIRECTIONS - 3 };
typedef struct point_tables {
    uint8_t cells[TABLES][GRAZEI_PATCH_POINTS] __attribute__((aligned(64)));
} point_tables;

GRAZEI_INLINE byte_lanes to_wide(short_lanes front, short_lanes back, int16_t shift)
{
    short_lanes by = shorts_set(shift);
    return bytes_of_shorts(shorts_right_clear(shorts_add(front, by), WIDE),
                           shorts_right_clear(shorts_add(back, by), WIDE));
}

static void fill_tables(const grazei_posed_patch *patch, const grazei_intervals *of,
                        point_tables *tables)
{
    const short_lanes most = shorts_set(MOST);
    const word_lanes base[3] = {words_set(of->base[0]), words_set(of->base[1]),
                                words_set(of->base[2])};
    grid_scale scale = scale_of(of->exponent);
    wide_shift shift = find_wide_shift(of);
    for (size_t first = 0; first < patch->point_count; first += 64) {
        word_lanes quarter[4][3];
        short_lanes at[3][2];
        for (size_t k = 0; k < 4; ++k)
            find_cells_of_16(patch, first + 16 * k, base, scale, quarter[k]);
        for (int k = 0; k < 3; ++k) {
            at[k][0] = shorts_of_words(quarter[0][k], quarter[1][k]);
            at[k][1] = shorts_of_words(quarter[2][k], quarter[3][k]);
            byte_lanes wide =
                to_wide(shorts_left(at[k][0], 1), shorts_left(at[k][1], 1), shift.low[k]);
            bytes_store(tables->cells[k] + first, wide);
        }
        for (int d = 3, x = 0; x < 2; ++x)
            for (int y = x + 1; y < 3; ++y, d += 2) {
                short_lanes n[2][2];
                for (int half = 0; half < 2; ++half) {
                    short_lanes upper = shorts_add(at[x][half], most);
                    n[0][half] = shorts_add(at[x][half], at[y][half]);
                    n[1][half] = shorts_sub(upper, at[y][half]);
                }
                for (int k = 0; k < 2; ++k) {
                    byte_lanes low = to_wide(n[k][0], n[k][1], shift.low[d + k]);
                    byte_lanes high = to_wide(n[k][0], n[k][1], shift.high[d + k]);
                    bytes_store(tables->cells[d + k] + first, low);
                    bytes_store(tables->cells[LEAST_TABLES + d + k - 3] + first, bytes_not(high));
                }
            }
    }
}

/* Where numbers of points are in the tables: halves of vectors were put side by side, quarter by
 * quarter.
 */
GRAZEI_INLINE byte_lanes point_places(byte_lanes points)
{
    static const uint8_t places[64] __attribute__((aligned(64))) = {
        0,  16, 32, 48, 1,  17, 33, 49, 2,  18, 34, 50, 3,  19, 35, 51, 4,  20, 36, 52, 5,  21,
        37, 53, 6,  22, 38, 54, 7,  23, 39, 55, 8,  24, 40, 56, 9,  25, 41, 57, 10, 26, 42, 58,
        11, 27, 43, 59, 12, 28, 44, 60, 13, 29, 45, 61, 14, 30, 46, 62, 15, 31, 47, 63};
    byte_lanes block = bytes_and(points, bytes_set(192));
    return bytes_or(block, bytes_look_up_64(bytes_load(places), points));
}

/* The corners of 64 triangles from number `first` on, as places in the tables. */
GRAZEI_INLINE void find_corners(const grazei_posed_patch *patch, size_t first, byte_lanes out[3])
{
    static const uint8_t every_fourth[64] __attribute__((aligned(64))) = {
        0,  4,  8,  12, 16, 20, 24, 28, 32, 36,  40,  44,  48,  52,  56,  60,
        64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124,
        0,  4,  8,  12, 16, 20, 24, 28, 32, 36,  40,  44,  48,  52,  56,  60,
        64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124};
    byte_lanes which = bytes_load(every_fourth), corners[4];
    for (size_t k = 0; k < 4; ++k) {
        size_t at = first + 16 * k, count = patch->triangle_count;
        size_t left = count > at ? count - at : 0;
        corners[k] = words_load_where(word_mask_of(left), patch->corners[left ? at : 0]);
    }
    for (int c = 0; c < 3; ++c) {
        byte_lanes front = bytes_look_up_128(corners[0], corners[1], which);
        byte_lanes back = bytes_look_up_128(corners[2], corners[3], which);
        out[c] = point_places(bytes_halves(front, back));
        which = bytes_add(which, bytes_set(1));
    }
}

/* Points of each direction make a table, from which triangles look up theirs. */
static void fill(const grazei_posed_patch *patch, const grazei_intervals *of, uint8_t *rows)
{
    point_tables tables;
    size_t count = patch->triangle_count, stride = GRAZEI_INTERVAL_STRIDE(count);
    size_t points = patch->point_count;
    fill_tables(patch, of, &tables);
    for (size_t first = 0; first < stride; first += 64) {
        byte_lanes corner[3], none = bytes_set(255);
        uint64_t real = count - first >= 64 ? UINT64_MAX : (1ull << (count - first)) - 1;
        find_corners(patch, first, corner);
        for (size_t t = 0; t < TABLES; ++t) {
            byte_lanes a = bytes_look_up(tables.cells[t], points, corner[0]);
            byte_lanes b = bytes_look_up(tables.cells[t], points, corner[1]);
            byte_lanes c = bytes_look_up(tables.cells[t], points, corner[2]);
            byte_lanes least = bytes_min(bytes_min(a, b), c);
            uint8_t *row = rows + (t < 3 ? t : t + 3) * stride + first;
            bytes_store(row, bytes_select(real, least, none));
            if (t < 3) {
                byte_lanes most = bytes_not(bytes_max(bytes_max(a, b), c));
                bytes_store(row + 3 * stride, bytes_select(real, most, none));
            }
        }
    }
}

#else

/* A point in wide cells: the 18 rows, of which the greatest are negated; the last two apart. */
typedef struct point_numbers {
    sixteen rows, last;
} point_numbers;

/* What is added to a patch's numbers in the order of rows. */
typedef struct row_shift {
    eight front, middle, last;
} row_shift;

static row_shift find_row_shift(const grazei_intervals *of)
{
    wide_shift by = find_wide_shift(of);
    int16_t rows[24] = {0};
    for (int k = 0; k < 3; ++k)
        rows[k] = rows[k + 3] = by.low[k];
    for (int k = 0; k < 6; ++k) {
        int16_t added = k & 1 ? MOST : 0;
        rows[k + 6] = (int16_t)(by.low[k + 3] + added);
        rows[k + 12] = (int16_t)(by.high[k + 3] + added);
    }
    return (row_shift){eight_load_any(rows), eight_load_any(rows + 8), eight_load_any(rows + 16)};
}

GRAZEI_INLINE eight wide_of(eight number)
{
    return (eight)((unsigned_eight)number >> WIDE);
}

GRAZEI_INLINE point_numbers find_point_numbers(i4 cell, const row_shift *by)
{
    const sixteen greatest = {0, 0, 0, 255, 255, 255, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255};
    const eight odd = {0, -1, 0, -1, 0, -1, 0, -1}, last_odd = {0, 0, 0, 0, 0, 0, 0, -1};
    eight whole = (eight)cell; /* halves of 32 bits, of which the low ones count */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight at = __builtin_shufflevector(whole, whole, 1, 3, 5, 7, 1, 3, 5, 7);
#else
    eight at = __builtin_shufflevector(whole, whole, 0, 2, 4, 6, 0, 2, 4, 6);
#endif
    /* Each is a sum or difference of two: along the axes of one with itself. */
    eight a = __builtin_shufflevector(at, at, 0, 1, 2, 0, 1, 2, 0, 0);
    eight b = __builtin_shufflevector(at, at, 0, 1, 2, 0, 1, 2, 1, 1);
    eight c = __builtin_shufflevector(at, at, 0, 0, 1, 1, 0, 0, 0, 0);
    eight d = __builtin_shufflevector(at, at, 2, 2, 2, 2, 1, 1, 2, 2);
    eight e = __builtin_shufflevector(at, at, 1, 1, 3, 3, 3, 3, 3, 3);
    eight f = __builtin_shufflevector(at, at, 2, 2, 3, 3, 3, 3, 3, 3);
    eight front = a + ((b ^ last_odd) - last_odd) + by->front;
    eight middle = c + ((d ^ odd) - odd) + by->middle;
    eight last = e + ((f ^ odd) - odd) + by->last;
    return (point_numbers){sixteen_from(wide_of(front), wide_of(middle)) ^ greatest,
                           ~sixteen_from(wide_of(last), wide_of(last))};
}

/* Eight triangles at a time. */
static void fill(const grazei_posed_patch *patch, const grazei_intervals *of, uint8_t *rows)
{
    point_numbers numbers[GRAZEI_PATCH_POINTS];
    size_t count = patch->triangle_count, stride = GRAZEI_INTERVAL_STRIDE(count);
    grid_scale scale = scale_of(of->exponent);
    i4 base = {of->base[0], of->base[1], of->base[2], 0};
    row_shift by = find_row_shift(of);
    for (uint32_t i = 0; i < patch->point_count; ++i)
        numbers[i] = find_point_numbers(cell_of(f4_load(patch->points[i]), scale) - base, &by);
    for (size_t first = 0; first < count; first += 8) {
        sixteen least[8];
        for (size_t k = 0; k < 8; ++k) {
            const uint8_t *corner = patch->corners[first + k < count ? first + k : count - 1];
            const point_numbers *a = &numbers[corner[0]], *b = &numbers[corner[1]];
            const point_numbers *c = &numbers[corner[2]];
            sixteen last = sixteen_min(sixteen_min(a->last, b->last), c->last);
            least[k] = sixteen_min(sixteen_min(a->rows, b->rows), c->rows);
            rows[16 * stride + first + k] = last[0];
            rows[17 * stride + first + k] = last[1];
        }
        sixteen_transpose(least);
        for (size_t r = 0; r < 8; ++r) {
            memcpy(rows + 2 * r * stride + first, &least[r], 8);
            memcpy(rows + (2 * r + 1) * stride + first, (const uint8_t *)&least[r] + 8, 8);
        }
    }
    for (size_t r = 0; r < GRAZEI_INTERVAL_ROWS; ++r)
        memset(rows + r * stride + count, 255, stride - count);
}

#endif

/* Sums (x + y, x + z, y + z) and differences (x - y, x - z, y - z) of cells: the least, the
 * greatest.
 */
typedef struct diagonals {
    i4 least_sum, most_sum, least_difference, most_difference;
} diagonals;

#if defined(GRAZEI_BYTES_LOOK_UP)

/* Four points at a time. */
static diagonals measure_diagonals(const grazei_posed_patch *patch, grid_scale scale)
{
    size_t count = patch->point_count;
    word_lanes end = words_set(INT32_MAX), start = words_set(INT32_MIN);
    word_lanes least_sum = end, least_difference = end, most_sum = start, most_difference = start;
    for (size_t i = 0; i < count; i += 4) {
        lanes at = lanes_load_fours(patch->points[i], count - i, patch->points[0]);
        word_lanes cell = cells_of(at, scale), first = words_firsts(cell),
                   second = words_seconds(cell);
        word_lanes sum = words_add(first, second), difference = words_sub(first, second);
        least_sum = words_min(least_sum, sum);
        most_sum = words_max(most_sum, sum);
        least_difference = words_min(least_difference, difference);
        most_difference = words_max(most_difference, difference);
    }
    return (diagonals){words_least(least_sum), words_most(most_sum), words_least(least_difference),
                       words_most(most_difference)};
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
    out->count = (int32_t)patch->triangle_count;
    grid_scale scale = scale_of(out->exponent);
    const float *low = patch->low_negated, *high = patch->high;
    i4 least = cell_of((f4){-low[0], -low[1], -low[2], 0}, scale);
    i4 size = cell_of((f4){high[0], high[1], high[2], 0}, scale) - least;
    diagonals found = measure_diagonals(patch, scale);
#if defined(GRAZEI_BYTES_LOOK_UP)
    const i4 none = {0, 0, 0, 0}, most = {MOST, MOST, MOST, MOST};
    i4 sums = firsts_of(least) + seconds_of(least);
    i4 differences = firsts_of(least) - seconds_of(least) - most;
    word_lanes base = in_order(least, sums, differences);
    word_lanes low_numbers =
        in_order(none, found.least_sum - sums, found.least_difference - differences);
    word_lanes high_numbers =
        in_order(size, found.most_sum - sums, found.most_difference - differences);
    words_store(out->base, base);
    words_store_shorts(out->low, low_numbers);
    words_store_shorts(out->high, high_numbers);
    word_lanes first = words_where_left(AXES, words_add(base, low_numbers), 1);
    word_lanes last = words_where_left(AXES, words_add(base, high_numbers), 1);
    first = words_right(words_where_sub(DIAGONALS, first, words_set(BELOW)), WIDE);
    last = words_right(words_where_add(DIAGONALS, last, words_set(ABOVE)), WIDE);
    words_store(out->first, first);
    words_store(out->last, words_sub(last, first));
#else
    find_bases(least, out->base);
    memset(out->low, 0, sizeof out->low);
    memset(out->high, 0, sizeof out->high);
    for (int k = 0; k < 3; ++k) {
        const int32_t *from = out->base + 3 + 2 * k;
        out->high[k] = (int16_t)size[k];
        out->low[3 + 2 * k] = (int16_t)(found.least_sum[k] - from[0]);
        out->high[3 + 2 * k] = (int16_t)(found.most_sum[k] - from[0]);
        out->low[4 + 2 * k] = (int16_t)(found.least_difference[k] - from[1]);
        out->high[4 + 2 * k] = (int16_t)(found.most_difference[k] - from[1]);
    }
    for (int d = 0; d < 16; ++d) {
        bool diagonal = DIAGONALS >> d & 1;
        int32_t least_number = doubled(out->base[d] + out->low[d], d) - (diagonal ? BELOW : 0);
        int32_t most_number = doubled(out->base[d] + out->high[d], d) + (diagonal ? ABOVE : 0);
        out->first[d] = least_number >> WIDE;
        out->last[d] = (most_number >> WIDE) - out->first[d];
    }
#endif
}

#endif
