/* Shells: meet() of every instruction set, and of the plain C lanes, against one pair of triangles
 * at a time. Memory is allocated exactly, so that the sanitizers see what is read beyond it.
 */
#define GRAZEI_ISA_NAME scalar
#define GRAZEI_LANES_SCALAR
#include "narrow/patch_kernels.c"

#include "harness.h"

#include <stdlib.h>

static int32_t random_int(test_random *random, int32_t low, int32_t high)
{
    return low + (int32_t)(test_random_u32(random) % (uint32_t)(high - low + 1));
}

/* --- pieces ---------------------------------------------------------------------------------- */

typedef struct piece {
    uint32_t point_count, triangle_count;
    float (*points)[4];
    uint8_t (*corners)[4];
    float *rows;
    grazei_slab slab;
    float low_negated[3], high[3];
    uint8_t spread[4];
} piece;

/* Whatever is in the fourth places and behind the last triangle must not matter. */
static piece make_piece(test_random *random, uint32_t point_count, uint32_t triangle_count)
{
    piece made = {.point_count = point_count, .triangle_count = triangle_count};
    made.points = aligned_alloc(16, point_count * sizeof *made.points);
    made.corners = malloc((triangle_count + 16) * sizeof *made.corners);
    made.rows = malloc(3 * grazei_patch_stride(point_count) * sizeof *made.rows);
    for (uint32_t i = 0; i < point_count; ++i)
        made.points[i][3] = NAN;
    for (uint32_t i = 0; i < triangle_count + 16; ++i) {
        for (int k = 0; k < 4; ++k)
            made.corners[i][k] = (uint8_t)random_int(random, 0, 255);
    }
    for (int k = 0; k < 4; ++k)
        made.spread[k] = (uint8_t)random_int(random, 0, (int32_t)point_count - 1);
    return made;
}

static void free_piece(piece *gone)
{
    free(gone->points);
    free(gone->corners);
    free(gone->rows);
}

static void measure(piece *whole)
{
    for (int k = 0; k < 3; ++k) {
        whole->low_negated[k] = whole->high[k] = -INFINITY;
        for (uint32_t i = 0; i < whole->point_count; ++i) {
            whole->low_negated[k] = fmaxf(whole->low_negated[k], -whole->points[i][k]);
            whole->high[k] = fmaxf(whole->high[k], whole->points[i][k]);
        }
    }
}

static grazei_posed_patch patch_of(piece *whole)
{
    return (grazei_posed_patch){.points = (const float(*)[4])whole->points,
                                .corners = (const uint8_t(*)[4])whole->corners,
                                .point_count = whole->point_count,
                                .triangle_count = whole->triangle_count,
                                .low_negated = whole->low_negated,
                                .high = whole->high,
                                .slab = &whole->slab,
                                .rows = whole->rows};
}

/* Points near each other, or corners taken from everywhere; on a lattice touching is common. */
static piece make_soup(test_random *random, uint32_t triangle_count, bool lattice)
{
    uint32_t most = 3 * triangle_count < 256 ? 3 * triangle_count : 256;
    uint32_t point_count = (uint32_t)random_int(random, 3, (int32_t)most);
    piece soup = make_piece(random, point_count, triangle_count);
    bool near = test_random_u32(random) & 1;
    for (uint32_t i = 0; i < point_count; ++i) {
        for (int k = 0; k < 3; ++k)
            soup.points[i][k] =
                lattice ? (float)random_int(random, 0, 4) : (float)test_random_range(random, -1, 1);
    }
    for (uint32_t i = 0; i < triangle_count; ++i) {
        int32_t first = random_int(random, 0, (int32_t)point_count - 1);
        for (int k = 0; k < 3; ++k) {
            int32_t step = random_int(random, 0, near ? 3 : 255);
            soup.corners[i][k] = (uint8_t)((uint32_t)(first + step) % point_count);
        }
    }
    return soup;
}

/* A frame of three axes, not quite orthogonal, which is no matter. */
typedef struct frame {
    double axes[3][3], origin[3];
} frame;

static frame random_frame(test_random *random)
{
    frame made;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k)
            made.axes[i][k] = test_random_range(random, -1, 1);
        made.origin[i] = test_random_range(random, -0.3, 0.3);
    }
    return made;
}

static void flatten_frame(frame *flat, int along, double by)
{
    flat->origin[along] *= by;
    for (int i = 0; i < 3; ++i)
        flat->axes[i][along] *= by;
}

static void place_point(const frame *in, const double at[3], float point[4])
{
    for (int k = 0; k < 3; ++k)
        point[k] = (float)(in->origin[k] + at[0] * in->axes[0][k] + at[1] * in->axes[1][k] +
                           at[2] * in->axes[2][k]);
}

/* Point `number` of a grid of 9 by 9 points. */
static void place_in_grid(const frame *in, uint32_t number, double bend, float point[4])
{
    double x = number % 9 / 8.0 - 0.5, y = number / 9 / 8.0 - 0.5;
    place_point(in, (double[3]){x, y, bend * (x * x - 0.7 * y * y + 0.3 * x * y)}, point);
}

/* Triangle i of its 8 by 8 squares. */
static void grid_triangle(uint32_t i, uint32_t numbers[3])
{
    uint32_t corner = 9 * (i / 16) + i / 2 % 8, square[4] = {0, 1, 9, 10};
    for (uint32_t k = 0; k < 3; ++k)
        numbers[k] = corner + square[(i & 1) + k];
}

/* The first triangles of a grid that bends by `bend`, and some points more than they have. */
static piece make_welded(test_random *random, uint32_t triangle_count, const frame *in, double bend)
{
    uint32_t numbers[3], last = triangle_count - 1;
    grid_triangle(last | 1, numbers);
    piece sheet = make_piece(random, numbers[2] + 1, triangle_count);
    for (uint32_t i = 0; i < sheet.point_count; ++i)
        place_in_grid(in, i, bend, sheet.points[i]);
    for (uint32_t i = 0; i < triangle_count; ++i) {
        grid_triangle(i, numbers);
        for (int k = 0; k < 3; ++k)
            sheet.corners[i][k] = (uint8_t)numbers[k];
    }
    memcpy(sheet.spread, (uint8_t[4]){0, 8, (uint8_t)numbers[2], 9}, 4);
    return sheet;
}

/* The same, but each triangle with its own points, as long as there are any. */
static piece make_loose(test_random *random, uint32_t triangle_count, const frame *in, double bend)
{
    uint32_t most = GRAZEI_PATCH_POINTS / 3, loose = triangle_count < most ? triangle_count : most;
    piece sheet = make_piece(random, 3 * loose, triangle_count);
    for (uint32_t i = 0; i < triangle_count; ++i) {
        uint32_t numbers[3];
        grid_triangle(i % loose, numbers);
        for (uint32_t k = 0; k < 3; ++k) {
            sheet.corners[i][k] = (uint8_t)(3 * (i % loose) + k);
            place_in_grid(in, numbers[k], bend, sheet.points[3 * (i % loose) + k]);
        }
    }
    return sheet;
}

static piece make_sheet(test_random *random, uint32_t triangle_count, const frame *in, double bend,
                        bool welded)
{
    return welded ? make_welded(random, triangle_count, in, bend)
                  : make_loose(random, triangle_count, in, bend);
}

/* In double and rounded once, so that what was flat is flat but for roundings. */
static void move_piece(piece *moved, double scale, double offset)
{
    for (uint32_t i = 0; i < moved->point_count; ++i) {
        for (int k = 0; k < 3; ++k)
            moved->points[i][k] = (float)(moved->points[i][k] * scale + offset * (k + 1));
    }
}

static void lift_piece(piece *lifted, const double by[3])
{
    for (uint32_t i = 0; i < lifted->point_count; ++i) {
        for (int k = 0; k < 3; ++k)
            lifted->points[i][k] = (float)(lifted->points[i][k] + by[k]);
    }
}

/* Moves b until one of its corners is near one of a's. */
static void bring_together(test_random *random, const piece *a, piece *b)
{
    const float *to =
        a->points[a->corners[random_int(random, 0, (int32_t)a->triangle_count - 1)][0]];
    const float *from =
        b->points[b->corners[random_int(random, 0, (int32_t)b->triangle_count - 1)][1]];
    double by[3];
    for (int k = 0; k < 3; ++k)
        by[k] = (double)to[k] - from[k] + test_random_range(random, -0.05, 0.05);
    lift_piece(b, by);
}

/* --- comparing ------------------------------------------------------------------------------- */

typedef struct backend {
    const char *name;
    const grazei_patch_kernels *functions;
} backend;

static int find_backends(backend out[4])
{
    int count = 0;
    out[count++] = (backend){"plain C", &grazei_patch_kernels_scalar};
    out[count++] = (backend){"base", &grazei_patch_kernels_base};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        out[count++] = (backend){"AVX2", &grazei_patch_kernels_avx2};
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        out[count++] = (backend){"AVX-512", &grazei_patch_kernels_avx512};
#endif
    return count;
}

static void get_triangle(const piece *whole, uint32_t number, float out[3][3])
{
    for (int i = 0; i < 3; ++i)
        memcpy(out[i], whole->points[whole->corners[number][i]], sizeof out[i]);
}

/* Ordered by the triangle of a, then of b. */
static size_t expect_pairs(const piece *a, const piece *b, uint16_t *pairs)
{
    size_t count = 0;
    for (uint32_t i = 0; i < a->triangle_count; ++i) {
        for (uint32_t k = 0; k < b->triangle_count; ++k) {
            float p[3][3], q[3][3];
            get_triangle(a, i, p);
            get_triangle(b, k, q);
            if (grazei_triangles_meet((const float(*)[3])p, (const float(*)[3])q))
                pairs[count++] = grazei_pair(i, k);
        }
    }
    return count;
}

/* Prepares a piece; what comes out must be that of the plain lanes. */
static grazei_posed_patch prepare_piece(const backend *with, piece *whole)
{
    size_t floats = 3 * grazei_patch_stride(whole->point_count);
    grazei_slab plain;
    float *plain_rows = malloc(floats * sizeof(float));
    grazei_posed_patch patch = patch_of(whole);
    patch.slab = &plain;
    patch.rows = plain_rows;
    grazei_patch_kernels_scalar.prepare(&patch, whole->spread);
    patch = patch_of(whole);
    memset(whole->rows, 0xff, floats * sizeof(float));
    with->functions->prepare(&patch, whole->spread);
    CHECK_MSG(memcmp(whole->rows, plain_rows, floats * sizeof(float)) == 0, "%s", with->name);
    CHECK(memcmp(whole->slab.normal, plain.normal, sizeof plain.normal) == 0);
    CHECK(whole->slab.low == plain.low && whole->slab.high == plain.high);
    CHECK(whole->slab.low <= 0 && whole->slab.high >= 0); /* the origin is one of the points */
    free(plain_rows);
    return patch;
}

typedef struct outcome {
    size_t hits;
    uint64_t tests;
} outcome;

/* Pairs as they come. */
typedef struct collected {
    size_t count;
    uint16_t pairs[GRAZEI_PATCH_TRIANGLES * GRAZEI_PATCH_TRIANGLES];
} collected;

static bool collect(void *user, const uint16_t *pairs, size_t count)
{
    collected *all = user;
    if (!test_check(count && all->count + count <= sizeof all->pairs / sizeof *all->pairs, __FILE__,
                    __LINE__, "%zu pairs more than there can be", count))
        return false;
    memcpy(all->pairs + all->count, pairs, count * sizeof *pairs);
    all->count += count;
    return true;
}

/* With every instruction set. */
static outcome check_patches(piece *a, piece *b, const char *what)
{
    static uint16_t expected[GRAZEI_PATCH_TRIANGLES * GRAZEI_PATCH_TRIANGLES];
    backend with[4];
    int backend_count = find_backends(with);
    uint64_t first_tests = 0;
    measure(a);
    measure(b);
    size_t count = expect_pairs(a, b, expected);
    for (int i = 0; i < backend_count; ++i) {
        collected *found = calloc(1, sizeof *found);
        uint64_t tests = 7;
        grazei_posed_patch patch_a = prepare_piece(&with[i], a);
        grazei_posed_patch patch_b = a == b ? patch_a : prepare_piece(&with[i], b);
        with[i].functions->meet(&patch_a, &patch_b, collect, found, &tests);
        CHECK_MSG(found->count == count &&
                      memcmp(found->pairs, expected, count * sizeof *expected) == 0,
                  "%s, %s: %u by %u triangles, %zu pairs instead of %zu", what, with[i].name,
                  a->triangle_count, b->triangle_count, found->count, count);
        first_tests = i ? first_tests : tests;
        CHECK_MSG(tests == first_tests && tests >= 7 + count, "%s, %s", what, with[i].name);
        free(found);
    }
    return (outcome){count, first_tests - 7};
}

/* --- tests ----------------------------------------------------------------------------------- */

static const uint32_t counts[] = {1, 2, 15, 16, 17, 31, 33, 64, 127, 128};
enum { COUNTS = sizeof counts / sizeof counts[0] };

TEST(soups)
{
    test_random random = test_random_seed(21);
    size_t hits = 0;
    for (int i = 0; i < 4 * COUNTS * COUNTS; ++i) {
        bool lattice = i / (COUNTS * COUNTS) & 1;
        piece a = make_soup(&random, counts[i % COUNTS], lattice);
        piece b = make_soup(&random, counts[i / COUNTS % COUNTS], lattice);
        hits += check_patches(&a, &b, lattice ? "lattice" : "soup").hits;
        if (i % 7 == 0)
            check_patches(&a, &a, "one soup");
        free_piece(&a);
        free_piece(&b);
    }
    CHECK(hits > 10000);
}

TEST(sheets_that_bend)
{
    static const double bends[] = {0, 0.01, 0.2, 1};
    test_random random = test_random_seed(22);
    size_t hits = 0, apart = 0;
    for (int i = 0; i < 3 * COUNTS * COUNTS; ++i) {
        frame frames[2] = {random_frame(&random), random_frame(&random)};
        double bend = bends[random_int(&random, 0, 3)];
        if (i % 3 == 0)
            memcpy(frames[1].axes, frames[0].axes, sizeof frames[0].axes);
        piece a = make_sheet(&random, counts[i % COUNTS], &frames[0], bend, i % 2);
        piece b = make_sheet(&random, counts[i / COUNTS % COUNTS], &frames[1], bend, i % 4 > 1);
        bring_together(&random, &a, &b);
        outcome found = check_patches(&a, &b, "sheets");
        hits += found.hits;
        apart += !found.tests;
        free_piece(&a);
        free_piece(&b);
    }
    CHECK(hits > 1000 && apart > 50);
}

/* One sheet twice, the second a little higher: as little as a rounding, and around the margin. */
TEST(sheets_side_by_side)
{
    static const double lifts[] = {0, 0.3, 0.9, 1, 1.1, 2, 8, 64, 1000};
    test_random random = test_random_seed(23);
    uint64_t low_tests = 0, high_tests = 0;
    size_t hits = 0;
    for (int i = 0; i < 400; ++i) {
        frame in = random_frame(&random);
        int lift = i % 9, way = random_int(&random, 0, 2);
        double bend = i % 4 ? 0 : 1e-4;
        double height = lifts[lift] * grazei_slab_margin(1) / (i % 2 ? 8 : 1), by[3] = {0};
        by[way] = height;
        uint32_t count = counts[random_int(&random, 0, COUNTS - 1)];
        piece a = make_sheet(&random, count, &in, bend, i % 5);
        piece b = make_sheet(&random, count, &in, bend, i % 3);
        if (i % 4 == 2)
            move_piece(&a, 1, 1e3);
        if (i % 4 == 2)
            move_piece(&b, 1, 1e3);
        lift_piece(&b, by);
        outcome found = check_patches(&a, &b, "side by side");
        hits += found.hits;
        *(lift < 5 ? &low_tests : &high_tests) += found.tests;
        free_piece(&a);
        free_piece(&b);
    }
    CHECK(hits > 10000 && low_tests > 2 * high_tests);
}

/* Coordinates moved by up to `steps` places. */
static float step_float(test_random *random, float x, int32_t steps)
{
    int32_t left = random_int(random, -steps, steps);
    for (; left > 0; --left)
        x = nextafterf(x, INFINITY);
    for (; left < 0; ++left)
        x = nextafterf(x, -INFINITY);
    return x;
}

/* A triangle or two in the plane of a frame but for roundings, and near a place in it. */
static piece make_rounded(test_random *random, const frame *in, const double near[2], double reach,
                          int32_t steps)
{
    uint32_t triangle_count = test_random_u32(random) % 8 ? 1 : 2;
    piece made = make_piece(random, triangle_count + 2, triangle_count);
    for (uint32_t p = 0; p < made.point_count; ++p) {
        double at[3] = {near[0] + test_random_range(random, -reach, reach),
                        near[1] + test_random_range(random, -reach, reach), 0};
        place_point(in, at, made.points[p]);
        for (int k = 0; k < 3; ++k)
            made.points[p][k] = step_float(random, made.points[p][k], steps);
    }
    for (uint32_t t = 0; t < triangle_count; ++t) {
        for (uint32_t k = 0; k < 3; ++k)
            made.corners[t][k] = (uint8_t)(t + k);
    }
    memcpy(made.spread, (uint8_t[4]){0, 0, 1, 2}, 4);
    return made;
}

/* In one plane but for roundings: the places along a slab are nothing but roundings, and where two
 * patches meet, those of one may well be beyond those of the other.
 */
TEST(roundings_of_a_plane)
{
    test_random random = test_random_seed(24);
    size_t hits = 0;
    for (int i = 0; i < 20000; ++i) {
        frame in = random_frame(&random);
        for (int k = 0; k < 3 && i % 4 == 0; ++k)
            flatten_frame(&in, k, ldexp(1, -random_int(&random, 0, 12)));
        double near[2] = {test_random_range(&random, -0.5, 0.5),
                          test_random_range(&random, -0.5, 0.5)};
        double reach = ldexp(1, -random_int(&random, 0, 12));
        piece a = make_rounded(&random, &in, (double[2]){0, 0}, 1, i % 3);
        piece b = make_rounded(&random, &in, near, reach, i % 3);
        hits += check_patches(&a, &b, "roundings").hits;
        free_piece(&a);
        free_piece(&b);
    }
    CHECK(hits > 2000);
}

/* Found by climbing: two triangles that meet, where roundings put all corners of the second beyond
 * the slab of the first by 8 u times their reach, an eighth of the margin.
 */
TEST(roundings_at_their_worst)
{
    static const float worst[2][3][3] = {{{0x1.73a68cp-1f, -0x1.65f77p-1f, 0x1.363b06p-1f},
                                          {-0x1.0be2fep-1f, 0x1.fe31bcp-2f, -0x1.ce8a2ep-2f},
                                          {0x1.4e733cp-1f, -0x1.1f5d8ap-1f, 0x1.7223bep-1f}},
                                         {{-0x1.f8b924p-2f, 0x1.e2b88ap-2f, -0x1.ae413ep-2f},
                                          {-0x1.9f6d14p-2f, 0x1.4c1786p-2f, -0x1.066164p-1f},
                                          {-0x1.ea61bep-4f, 0x1.76cbb4p-7f, -0x1.7c9a62p-2f}}};
    test_random random = test_random_seed(31);
    piece pieces[2];
    for (int side = 0; side < 2; ++side) {
        pieces[side] = make_piece(&random, 3, 1);
        for (int k = 0; k < 3; ++k) {
            memcpy(pieces[side].points[k], worst[side][k], sizeof worst[side][k]);
            pieces[side].corners[0][k] = (uint8_t)k;
        }
        memcpy(pieces[side].spread, (uint8_t[4]){0, 0, 1, 2}, 4);
    }
    CHECK(check_patches(&pieces[0], &pieces[1], "worst").hits == 1);
    CHECK(check_patches(&pieces[1], &pieces[0], "worst").hits == 1);
    free_piece(&pieces[0]);
    free_piece(&pieces[1]);
}

/* Coordinates are whole numbers, also of the planes that are not along an axis: nothing rounds. */
TEST(sheets_in_one_plane)
{
    static const double planes[3][2][3] = {
        {{8, 0, 0}, {0, 8, 0}}, {{8, -8, 0}, {0, 8, -8}}, {{16, 8, 0}, {0, 8, 24}}};
    test_random random = test_random_seed(25);
    for (int i = 0; i < 120; ++i) {
        frame frames[2] = {{{{0}}, {0}}, {{{0}}, {0}}};
        memcpy(frames[0].axes, planes[i % 3], sizeof planes[i % 3]);
        frames[1] = frames[0];
        double along = random_int(&random, -8, 8) / 16.0, across = random_int(&random, -8, 8) / 8.0;
        for (int k = 0; k < 3; ++k)
            frames[1].origin[k] = along * frames[0].axes[0][k] + across * frames[0].axes[1][k];
        piece a = make_sheet(&random, counts[i % COUNTS], &frames[0], 0, i & 1);
        piece b = make_sheet(&random, counts[i / 10 % COUNTS], &frames[1], 0, i & 2);
        check_patches(&a, &b, "in one plane");
        free_piece(&a);
        free_piece(&b);
    }
}

/* Two parts of one surface: they touch along what they share, and nowhere else. */
TEST(neighbours)
{
    test_random random = test_random_seed(26);
    for (int i = 0; i < 40; ++i) {
        frame in = random_frame(&random);
        piece a = make_sheet(&random, 128, &in, 0.3, true);
        piece b = make_sheet(&random, 128, &in, 0.3, true);
        a.triangle_count = 64;
        memmove(b.corners, b.corners + 64, 80 * sizeof *b.corners);
        b.triangle_count = 64;
        b.corners = realloc(b.corners, 80 * sizeof *b.corners);
        outcome found = check_patches(&a, &b, "neighbours");
        CHECK(found.hits >= 3 * 8 && found.tests < 64 * 64 / 4);
        free_piece(&a);
        free_piece(&b);
    }
}

TEST(sizes_and_places)
{
    static const double scales[] = {1, 1e-3, 1e-12, 1e-20, 1e-38, 3e-43, 1e6, 1e12, 1e17};
    static const double offsets[] = {0, 0, 1e-30, 1, 1e6, 1e17};
    test_random random = test_random_seed(27);
    size_t hits = 0;
    for (int i = 0; i < 9 * 6 * 4; ++i) {
        frame frames[2] = {random_frame(&random), random_frame(&random)};
        piece pieces[2];
        for (int side = 0; side < 2; ++side) {
            uint32_t count = counts[random_int(&random, 0, COUNTS - 1)];
            pieces[side] = i % 4 < 2 ? make_sheet(&random, count, &frames[side], 0.2, i & 1)
                                     : make_soup(&random, count, i & 1);
            move_piece(&pieces[side], scales[i / 4 % 9], offsets[i / 36]);
        }
        hits += check_patches(&pieces[0], &pieces[1], "sizes").hits;
        /* Small against large. */
        move_piece(&pieces[1], 1e-3, 0);
        check_patches(&pieces[0], &pieces[1], "small in large");
        check_patches(&pieces[1], &pieces[0], "large around small");
        free_piece(&pieces[0]);
        free_piece(&pieces[1]);
    }
    CHECK(hits > 1000);
}

/* Points and segments for triangles: there is no slab, or one of no width. */
TEST(degenerate)
{
    test_random random = test_random_seed(28);
    size_t hits = 0;
    for (int i = 0; i < 200; ++i) {
        frame frames[2] = {random_frame(&random), random_frame(&random)};
        for (int k = 0; k < 3; ++k) {
            frames[0].origin[k] = frames[1].origin[k] = 0;
            frames[0].axes[i % 3 > 1 ? 2 : i % 3][k] = 0;
            if (i % 4 == 0)
                frames[0].axes[0][k] = frames[0].axes[1][k] = 0;
        }
        piece a = make_sheet(&random, counts[i % COUNTS], &frames[0], 0.1, i & 1);
        piece b = make_sheet(&random, counts[i / 3 % COUNTS], &frames[1], 0.1, i & 2);
        if (i % 8 == 0) /* all of a at one point of b */
            for (uint32_t p = 0; p < a.point_count; ++p)
                memcpy(a.points[p], b.points[b.corners[0][i % 3]], 3 * sizeof(float));
        hits += check_patches(&a, &b, "degenerate").hits;
        hits += check_patches(&b, &a, "degenerate").hits;
        check_patches(&a, &a, "degenerate, one");
        free_piece(&a);
        free_piece(&b);
    }
    CHECK(hits > 2000);
}

/* Every triangle has the first point, so that all pairs meet: whole blocks of them and one more or
 * less, up to all there can be.
 */
TEST(all_pairs)
{
    static const uint32_t sizes[][2] = {{1, 1},   {16, 1},  {17, 1},    {31, 33}, {32, 32},
                                        {25, 41}, {64, 16}, {128, 8},   {64, 32}, {128, 127},
                                        {89, 23}, {61, 67}, {128, 128}, {113, 29}};
    test_random random = test_random_seed(29);
    for (size_t i = 0; i < 3 * sizeof sizes / sizeof sizes[0]; ++i) {
        const uint32_t *size = sizes[i / 3];
        piece pieces[2];
        for (int side = 0; side < 2; ++side) {
            /* About one point, or through the other's triangles with room to spare. */
            uint32_t points = i % 3 == 0 ? 256 : 3;
            piece *made = &pieces[side];
            *made = make_piece(&random, points, size[side]);
            for (uint32_t p = 0; p < points; ++p) {
                for (int k = 0; k < 3; ++k)
                    made->points[p][k] = p ? (float)test_random_range(&random, -1, 1) : 0;
            }
            static const float crossed[2][3][3] = {{{-1, -1, 0}, {1, -1, 0}, {0, 2, 0}},
                                                   {{0, 0, -1}, {0.1f, 0, 1}, {0, 0.1f, 1}}};
            for (int p = 0; i % 3 == 1 && p < 3; ++p)
                memcpy(made->points[p], crossed[side][p], sizeof crossed[side][p]);
            for (uint32_t t = 0; t < size[side]; ++t) {
                for (uint32_t k = 0; k < 3; ++k)
                    made->corners[t][k] = (uint8_t)(points == 3 ? k : k ? 2 * t + k - 1 : 0);
            }
        }
        outcome found = check_patches(&pieces[0], &pieces[1], "all pairs");
        CHECK(found.hits == (size_t)size[0] * size[1] && found.tests == found.hits);
        free_piece(&pieces[0]);
        free_piece(&pieces[1]);
    }
}

/* What slabs and codes are for: sheets side by side whose boxes overlap cost no test, and of two
 * that cross only what is near the crossing does.
 */
TEST(little_is_looked_at)
{
    test_random random = test_random_seed(30);
    frame in = {{{1, 0, 1}, {0, 1, 1}, {-1, -1, 1}}, {0}}, other = in;
    for (int k = 0; k < 3; ++k)
        other.origin[k] = 0.05 * in.axes[2][k];
    piece a = make_sheet(&random, 128, &in, 0.1, true);
    piece b = make_sheet(&random, 128, &other, 0.1, true);
    CHECK(check_patches(&a, &b, "apart").tests == 0);
    free_piece(&b);
    memcpy(other.axes[0], in.axes[2], sizeof in.axes[2]);
    b = make_sheet(&random, 128, &other, 0.1, true);
    outcome found = check_patches(&a, &b, "crossing");
    CHECK(found.hits > 20 && found.tests < 128 * 16);
    free_piece(&a);
    free_piece(&b);
}
