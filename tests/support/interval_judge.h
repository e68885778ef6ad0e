/* What intervals of patches have to be, and which pairs they have to find, for test_intervals.c:
 * every instruction set, and plain C, beside cells counted one by one and pairs tested one by one.
 */
#ifndef GRAZE_TESTS_SUPPORT_INTERVAL_JUDGE_H
#define GRAZE_TESTS_SUPPORT_INTERVAL_JUDGE_H

#define GRAZEI_ISA_NAME scalar
#define GRAZEI_LANES_SCALAR
#include "narrow/interval_kernels.c"

#include "harness.h"
#include "narrow/triangle.h"
#include "support/aligned.h"
#include "support/denormals.h"
#include "support/pieces.h"
#include "support/quick.h"

#include <float.h>

typedef struct backend {
    const char *name;
    const grazei_interval_kernels *kernels;
} backend;

/* The first is plain C, which the others are compared with. */
static int find_backends(backend out[4])
{
    int count = 0;
    out[count++] = (backend){"plain C", &grazei_interval_kernels_scalar};
    out[count++] = (backend){"base", &grazei_interval_kernels_base};
#if defined(__x86_64__) || defined(__i386__)
    if (graze_isa_available(GRAZE_ISA_AVX2))
        out[count++] = (backend){"AVX2", &grazei_interval_kernels_avx2};
#endif
#if defined(__x86_64__)
    if (graze_isa_available(GRAZE_ISA_AVX512))
        out[count++] = (backend){"AVX-512", &grazei_interval_kernels_avx512};
#endif
    return count;
}

/* Set: kernels run with denormals flushed, and denormal coordinates are the zeros they take them
 * for. Everything else runs without, so that GRAZE_TEST_FTZ is not for this program.
 */
static bool flushing;

static float as_read(float x)
{
    return flushing && fabsf(x) < FLT_MIN ? 0 : x;
}

/* What is kept of a piece: the intervals, and behind them the rows. */
enum { WHOLE_BYTES = (sizeof(grazei_intervals) + 63) / 64 * 64 };

static size_t kept_bytes(uint32_t triangles)
{
    return WHOLE_BYTES + GRAZEI_INTERVAL_BYTES(triangles);
}

static uint8_t *rows_of(const grazei_intervals *kept)
{
    return (uint8_t *)kept + WHOLE_BYTES;
}

/* --- what intervals have to be --------------------------------------------------------------- */

static const int directions[GRAZEI_DIRECTIONS][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                                                     {1, 1, 0},  {1, -1, 0}, {1, 0, 1},
                                                     {1, 0, -1}, {0, 1, 1},  {0, 1, -1}};

/* The number of a point along a direction, from zero: exact, as double holds every product with a
 * power of two.
 */
static int64_t number_of(const float point[3], int direction, int exponent)
{
    int64_t sum = 0;
    for (int k = 0; k < 3; ++k)
        sum +=
            directions[direction][k] * (int64_t)floor(ldexp((double)as_read(point[k]), -exponent));
    return sum;
}

typedef struct range {
    int64_t least, most;
} range;

static range widen(range before, int64_t by)
{
    return (range){by < before.least ? by : before.least, by > before.most ? by : before.most};
}

/* A cell may be a little wider than a 1024th of the patch, and as its distance to zero asks for. */
static bool is_fine_enough(const test_piece *of, int exponent)
{
    double size = 0, reach = 0;
    for (int k = 0; k < 3; ++k) {
        float low_negated = of->low_negated[k], high = of->high[k];
        size = fmax(size, high + low_negated); /* rounded, which may be up to a power of two */
        reach = fmax(reach, fmax(fabsf(low_negated), fabsf(high)));
    }
    return ldexp(1, exponent) <= fmax(fmax(size * 1.01 * 0x1p-10, reach * 0x1p-27), 0x1p-100);
}

/* Cells 16 times as wide along the axes; 32 times along the diagonals, where a point may be 1 lower
 * than its number and nearly 2 higher.
 */
static int64_t wide_least(int64_t number, int direction)
{
    return (int64_t)floor(direction < 3 ? (double)number / 16 : (double)(number - 1) / 32);
}

static int64_t wide_most(int64_t number, int direction)
{
    return (int64_t)floor(direction < 3 ? (double)number / 16 : (double)(number + 2) / 32);
}

static bool whole_is_right(const test_piece *of, const grazei_intervals *found)
{
    bool right = is_fine_enough(of, found->exponent) && found->count >= 0 &&
                 (uint32_t)found->count == of->triangle_count;
    for (int d = 0; d < 16; ++d) {
        range all = {INT64_MAX, INT64_MIN};
        for (uint32_t i = 0; d < GRAZEI_DIRECTIONS && i < of->point_count; ++i)
            all = widen(all, number_of(of->points[i], d, found->exponent));
        if (d >= GRAZEI_DIRECTIONS)
            all = (range){0, 0};
        right &= found->low[d] >= 0 && found->base[d] + found->low[d] == all.least &&
                 found->base[d] + found->high[d] == all.most;
        right &=
            d >= GRAZEI_DIRECTIONS ||
            (found->first[d] == wide_least(all.least, d) &&
             found->first[d] + found->last[d] == wide_most(all.most, d) && found->last[d] <= 255);
    }
    return right;
}

static bool rows_are_right(const test_piece *of, const grazei_intervals *found)
{
    size_t stride = GRAZEI_INTERVAL_STRIDE(of->triangle_count), wrong = 0;
    for (int d = 0; d < GRAZEI_DIRECTIONS; ++d) {
        const uint8_t *low = rows_of(found) + (size_t)(d < 3 ? d : d + 3) * stride;
        const uint8_t *high = low + (d < 3 ? 3 : 6) * stride;
        for (uint32_t i = 0; i < stride; ++i) {
            range all = {255, 0};
            for (int k = 0; i < of->triangle_count && k < 3; ++k) {
                const float *corner = of->points[of->corners[i][k]];
                int64_t number = number_of(corner, d, found->exponent);
                int64_t least = wide_least(number, d) - found->first[d];
                int64_t most = wide_most(number, d) - found->first[d];
                all = k ? widen(widen(all, least), most) : (range){least, most};
            }
            wrong += low[i] != all.least || high[i] != 255 - all.most;
        }
    }
    return !wrong;
}

/* --- measuring and filling ------------------------------------------------------------------- */

static grazei_intervals *measured(const backend *with, test_piece *piece)
{
    size_t bytes = kept_bytes(piece->triangle_count);
    grazei_posed_patch patch = test_piece_patch(piece);
    grazei_intervals *made = test_aligned(64, bytes);
    memset(made, 0xa5, bytes);
    test_flush_denormals(flushing);
    with->kernels->measure(&patch, made);
    test_flush_denormals(false);
    return made;
}

static void filled(const backend *with, test_piece *piece, grazei_intervals *intervals)
{
    grazei_posed_patch patch = test_piece_patch(piece);
    test_flush_denormals(flushing);
    with->kernels->fill(&patch, intervals, rows_of(intervals));
    test_flush_denormals(false);
}

/* Right for plain C, and the same bytes for all. */
static void check_intervals(test_piece *piece, const char *what)
{
    backend with[4];
    int count = find_backends(with);
    grazei_intervals *plain = NULL;
    for (int i = 0; i < count; ++i) {
        grazei_intervals *made = measured(&with[i], piece);
        filled(&with[i], piece, made);
        if (!plain) {
            plain = made;
            CHECK_MSG(whole_is_right(piece, made) && rows_are_right(piece, made),
                      "%s: %u triangles", what, piece->triangle_count);
            continue;
        }
        CHECK_MSG(memcmp(made, plain, kept_bytes(piece->triangle_count)) == 0,
                  "%s, %s: %u triangles, %u points", what, with[i].name, piece->triangle_count,
                  piece->point_count);
        test_aligned_free(made);
    }
    test_aligned_free(plain);
}

/* --- finding pairs --------------------------------------------------------------------------- */

typedef bool pair_table[GRAZEI_PATCH_TRIANGLES][GRAZEI_PATCH_TRIANGLES];

typedef struct found_pairs {
    bool overlapping; /* as a whole */
    int exponent;     /* of the coarser grid */
    size_t count, calls, wrong;
    uint64_t tests;
    pair_table pairs;
} found_pairs;

/* Pairs of one call: in range, each for the first time. */
static void note_pairs(found_pairs *found, const test_piece *a, const test_piece *b,
                       const uint16_t *pairs, size_t count)
{
    found->calls++;
    found->wrong += count > GRAZEI_FOUND_PAIRS;
    for (size_t n = 0; n < count && n < GRAZEI_FOUND_PAIRS; ++n) {
        uint32_t i = pairs[n] & 255u, k = pairs[n] >> 8;
        if (i >= a->triangle_count || k >= b->triangle_count || found->pairs[i][k])
            found->wrong++;
        else
            found->pairs[i][k] = true;
    }
    found->count += count;
}

/* The same search again with some pairs left out: it finds the others. Returns how many of them it
 * has wrong. Rows are filled.
 */
static size_t find_unmasked(const backend *with, const grazei_intervals *in_a,
                            const grazei_intervals *in_b, uint32_t seed, const found_pairs *found)
{
    grazei_interval_search *search = test_aligned(64, sizeof *search);
    uint16_t pairs[GRAZEI_FOUND_PAIRS];
    uint64_t masks[GRAZEI_PATCH_TRIANGLES][2], tests = 0;
    test_random random = test_random_seed(seed);
    size_t kept = 0, wrong = 0;
    memset(search, 0xa5, sizeof *search);
    for (size_t i = 0; i < GRAZEI_PATCH_TRIANGLES; ++i)
        for (int k = 0; k < 2; ++k) {
            masks[i][k] = (uint64_t)test_random_u32(&random) << 32 | test_random_u32(&random);
            masks[i][k] |= i % 5 == 0 ? ~0ull : 0;
        }
    bool open = with->kernels->overlap(search, in_a, in_b) &&
                with->kernels->begin(search, rows_of(in_a), rows_of(in_b));
    bool flipped = search->flipped;
    search->masks = (const uint64_t(*)[2])masks;
    for (size_t count; open && (count = with->kernels->next(search, pairs, &tests));)
        for (size_t n = 0; n < count; ++n, ++kept) {
            uint32_t a = pairs[n] & 255u, b = pairs[n] >> 8;
            uint32_t outer = flipped ? b : a, inner = flipped ? a : b;
            wrong += !found->pairs[a][b] || (masks[outer][inner >> 6] >> (inner & 63) & 1);
        }
    for (uint32_t i = 0; open && i < GRAZEI_PATCH_TRIANGLES; ++i)
        for (uint32_t k = 0; k < GRAZEI_PATCH_TRIANGLES; ++k) {
            uint64_t mask = flipped ? masks[k][i >> 6] >> (i & 63) : masks[i][k >> 6] >> (k & 63);
            kept -= found->pairs[i][k] && !(mask & 1);
        }
    test_aligned_free(search);
    return wrong + (kept != 0);
}

/* As a query does: rows are filled if the patches overlap. Memory starts as nonsense. Every second
 * time few pairs are wanted at first.
 */
static void find_pairs(const backend *with, test_piece *a, test_piece *b, found_pairs *found)
{
    static uint32_t searches;
    grazei_intervals *in_a = measured(with, a), *in_b = a == b ? in_a : measured(with, b);
    grazei_interval_search *search = test_aligned(64, sizeof *search);
    uint16_t *pairs = malloc(GRAZEI_FOUND_PAIRS * sizeof *pairs);
    memset(search, 0xa5, sizeof *search);
    *found = (found_pairs){.tests = 7};
    found->exponent = in_a->exponent > in_b->exponent ? in_a->exponent : in_b->exponent;
    test_flush_denormals(flushing);
    found->overlapping = with->kernels->overlap(search, in_a, in_b);
    if (searches++ % 2)
        search->enough = searches / 2 % 40;
    if (found->overlapping) {
        filled(with, a, in_a);
        if (a != b)
            filled(with, b, in_b);
        test_flush_denormals(flushing);
        if (with->kernels->begin(search, rows_of(in_a), rows_of(in_b))) {
            for (size_t count; (count = with->kernels->next(search, pairs, &found->tests));)
                note_pairs(found, a, b, pairs, count);
            found->wrong += with->kernels->next(search, pairs, &found->tests) != 0;
            found->wrong += find_unmasked(with, in_a, in_b, searches, found);
        }
    }
    test_flush_denormals(false);
    found->tests -= 7;
    found->wrong += found->tests < found->count;
    free(pairs);
    test_aligned_free(search);
    if (a != b)
        test_aligned_free(in_b);
    test_aligned_free(in_a);
}

static size_t find_meeting(const test_piece *a, const test_piece *b, pair_table meeting)
{
    size_t count = 0;
    for (uint32_t i = 0; i < a->triangle_count; ++i) {
        for (uint32_t k = 0; k < b->triangle_count; ++k) {
            float p[3][3], q[3][3];
            test_piece_triangle(a, i, p);
            test_piece_triangle(b, k, q);
            for (int c = 0; c < 9; ++c) {
                p[c / 3][c % 3] = as_read(p[c / 3][c % 3]);
                q[c / 3][c % 3] = as_read(q[c / 3][c % 3]);
            }
            meeting[i][k] = grazei_triangles_meet((const float(*)[3])p, (const float(*)[3])q);
            count += meeting[i][k];
        }
    }
    return count;
}

/* What is covered along a direction. Rounding in double is nothing against a cell. */
typedef struct span {
    double low, high;
} span;

static span span_of(float (*points)[4], const uint8_t *which, uint32_t count, int direction)
{
    span all = {INFINITY, -INFINITY};
    for (uint32_t i = 0; i < count; ++i) {
        const float *point = points[which ? which[i] : i];
        double at = 0;
        for (int k = 0; k < 3; ++k)
            at += directions[direction][k] * (double)as_read(point[k]);
        all = (span){fmin(all.low, at), fmax(all.high, at)};
    }
    return all;
}

/* How far apart two may be that are taken for overlapping: along an axis less than a cell, and as
 * much as a tiny patch is wide; along a diagonal less than two cells for either of them, and the
 * margin, see MARGIN.
 */
static bool clearly_apart(span a, span b, int direction, int exponent)
{
    return fmax(a.low - b.high, b.low - a.high) > ldexp(direction < 3 ? 2 : 7, exponent);
}

/* Triangles are cut to wide cells, one for either of them. */
static bool surely_apart(span a, span b, int direction, int exponent)
{
    return fmax(a.low - b.high, b.low - a.high) > ldexp(direction < 3 ? 32 : 64 + 7, exponent);
}

/* Nothing clearly apart counts as overlapping, neither as a whole nor triangle by triangle. */
static bool found_little(const test_piece *a, const test_piece *b, const found_pairs *found)
{
    size_t wrong = 0;
    for (int d = 0; d < GRAZEI_DIRECTIONS; ++d) {
        span in_a[GRAZEI_PATCH_TRIANGLES], in_b[GRAZEI_PATCH_TRIANGLES];
        span whole_a = span_of(a->points, NULL, a->point_count, d);
        span whole_b = span_of(b->points, NULL, b->point_count, d);
        wrong += found->overlapping && clearly_apart(whole_a, whole_b, d, found->exponent);
        if (!found->count)
            continue;
        for (uint32_t i = 0; i < a->triangle_count; ++i)
            in_a[i] = span_of(a->points, a->corners[i], 3, d);
        for (uint32_t k = 0; k < b->triangle_count; ++k)
            in_b[k] = span_of(b->points, b->corners[k], 3, d);
        for (uint32_t i = 0; i < a->triangle_count; ++i)
            for (uint32_t k = 0; k < b->triangle_count; ++k)
                wrong += found->pairs[i][k] && surely_apart(in_a[i], in_b[k], d, found->exponent);
    }
    return !wrong;
}

typedef struct outcome {
    size_t hits, found, calls;
    uint64_t tests;
} outcome;

/* With every backend. */
static outcome check_order(test_piece *a, test_piece *b, const char *what)
{
    static pair_table meeting;
    static found_pairs plain, found;
    backend with[4];
    int backend_count = find_backends(with);
    size_t hits = find_meeting(a, b, meeting);
    find_pairs(&with[0], a, b, &plain);
    CHECK_MSG(found_little(a, b, &plain), "%s: found what is clearly apart", what);
    for (int n = 0; n < backend_count; ++n) {
        size_t lost = 0;
        find_pairs(&with[n], a, b, &found);
        for (uint32_t i = 0; i < a->triangle_count; ++i)
            for (uint32_t k = 0; k < b->triangle_count; ++k)
                lost += meeting[i][k] && !found.pairs[i][k];
        CHECK_MSG(!lost && !found.wrong, "%s, %s: %u by %u triangles, %zu of %zu lost, %zu wrong",
                  what, with[n].name, a->triangle_count, b->triangle_count, lost, hits,
                  found.wrong);
        CHECK_MSG(found.overlapping == plain.overlapping && found.tests == plain.tests &&
                      memcmp(found.pairs, plain.pairs, sizeof plain.pairs) == 0,
                  "%s, %s: not as plain C has it", what, with[n].name);
    }
    return (outcome){hits, plain.count, plain.calls, plain.tests};
}

/* In both orders. */
static outcome check_pieces(test_piece *a, test_piece *b, const char *what)
{
    check_intervals(a, what);
    if (a == b)
        return check_order(a, a, what);
    check_intervals(b, what);
    check_order(b, a, what);
    return check_order(a, b, what);
}

/* --- boxes ----------------------------------------------------------------------------------- */

/* Whether a box misses a piece, as every backend has it. */
static bool box_misses(test_piece *piece, const float low_negated[3], const float high[3],
                       int *exponent)
{
    backend with[4];
    int count = find_backends(with), misses = 0;
    for (int i = 0; i < count; ++i) {
        grazei_intervals *intervals = measured(&with[i], piece);
        test_flush_denormals(flushing);
        misses += with[i].kernels->misses_box(intervals, low_negated, high);
        test_flush_denormals(false);
        *exponent = intervals->exponent;
        test_aligned_free(intervals);
    }
    CHECK_MSG(misses == 0 || misses == count, "%d of %d", misses, count);
    return misses;
}

typedef struct box {
    float low_negated[3], high[3];
} box;

static bool box_is_clearly_apart(const test_piece *piece, const box *from, int exponent)
{
    for (int d = 0; d < GRAZEI_DIRECTIONS; ++d) {
        span of_box = {0, 0}, whole = span_of(piece->points, NULL, piece->point_count, d);
        for (int k = 0; k < 3; ++k) {
            int way = directions[d][k];
            double low = -(double)from->low_negated[k], high = from->high[k];
            of_box.low += way > 0 ? low : way < 0 ? -high : 0;
            of_box.high += way > 0 ? high : way < 0 ? -low : 0;
        }
        if (clearly_apart(of_box, whole, d, exponent))
            return true;
    }
    return false;
}

/* Around a corner or the middle of an edge, or ending there. */
static box box_with_point(test_random *random, const test_piece *piece, double size)
{
    int32_t number = test_random_int(random, 0, (int32_t)piece->triangle_count - 1);
    const uint8_t *corners = piece->corners[number];
    const float *p = piece->points[corners[0]];
    const float *q = piece->points[corners[test_random_int(random, 0, 1)]];
    box made;
    for (int k = 0; k < 3; ++k) {
        double middle = 0.5 * ((double)p[k] + q[k]);
        float near = (float)middle;
        made.low_negated[k] = near > middle ? -nextafterf(near, -INFINITY) : -near;
        made.high[k] = near < middle ? nextafterf(near, INFINITY) : near;
        if (test_random_u32(random) % 3)
            made.low_negated[k] += (float)(test_random_unit(random) * size);
        if (test_random_u32(random) % 3)
            made.high[k] += (float)(test_random_unit(random) * size);
    }
    return made;
}

#endif
