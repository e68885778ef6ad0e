/* Intervals of patches: those of every instruction set, and of plain C, against whole cells counted
 * one by one, and the pairs that they find against one pair of triangles at a time: none that meets
 * is lost, and none that is clearly apart is found.
 */
#include "support/interval_judge.h"
#include "support/own.h"

/* --- tests: pairs ---------------------------------------------------------------------------- */

static const uint32_t counts[] = {1, 2, 15, 16, 17, 31, 32, 33, 64, 65, 96, 97, 127, 128};
enum { COUNTS = sizeof counts / sizeof counts[0] };

static uint32_t random_count(test_random *random)
{
    return counts[test_random_int(random, 0, COUNTS - 1)];
}

static test_piece random_piece(test_random *random, int kind)
{
    static const double bends[] = {0, 0.01, 0.2, 1};
    test_frame in = test_frame_random(random);
    double bend = bends[test_random_int(random, 0, 3)];
    uint32_t count = random_count(random);
    return kind % 4 < 2 ? test_piece_sheet(random, count, &in, bend, kind & 1)
                        : test_piece_soup(random, count, kind & 1);
}

TEST(soups)
{
    test_random random = test_random_seed(21);
    size_t hits = 0;
    for (uint32_t i = 0; i < test_amount(8, 1) * COUNTS * COUNTS; ++i) {
        bool lattice = i % 3 == 0;
        OWN(test_piece) a = test_piece_soup(&random, counts[i % COUNTS], lattice);
        OWN(test_piece) b = test_piece_soup(&random, counts[i / COUNTS % COUNTS], lattice);
        hits += check_pieces(&a, &b, lattice ? "lattice" : "soup").hits;
        if (i % 7 == 0)
            CHECK(check_pieces(&a, &a, "one soup").hits >= a.triangle_count);
    }
    CHECK(hits > 10000);
}

TEST(sheets_that_bend)
{
    test_random random = test_random_seed(22);
    size_t hits = 0, apart = 0;
    for (uint32_t i = 0; i < test_amount(3000, 300); ++i) {
        OWN(test_piece) a = random_piece(&random, (int)i % 2);
        OWN(test_piece) b = random_piece(&random, (int)i / 2 % 2);
        test_piece_bring(&random, &a, &b, i % 3 ? 0.05 : 0);
        outcome met = check_pieces(&a, &b, "sheets");
        hits += met.hits;
        apart += !met.found;
    }
    CHECK(hits > 1000 && apart > 10);
}

/* From a billionth of the other's size to a billion times that, about zero, on either side of it,
 * and as far from it as a million times the size of one or the other.
 */
TEST(sizes_and_places)
{
    static const double places[] = {0, 0, 1, -1, 3, -1000, 1e6, -1e6};
    test_random random = test_random_seed(23);
    size_t hits = 0, tests = 0;
    for (uint32_t i = 0; i < test_amount(6000, 450); ++i) {
        double size = ldexp(1, test_random_int(&random, -12, 12));
        double ratio = ldexp(1, test_random_int(&random, -30, 30)), by[3];
        if (i % 3 == 0) /* most grids are as near as that */
            ratio = ldexp(1, test_random_int(&random, -15, 15));
        double place = places[i % 8] * (i / 8 % 2 ? size : size * ratio);
        for (int k = 0; k < 3; ++k)
            by[k] = place * (k == (int)i % 3 ? -0.7 : 1 + 0.3 * k);
        OWN(test_piece) a = random_piece(&random, (int)i), b = random_piece(&random, (int)i / 4);
        test_piece_move(&a, size, by);
        test_piece_move(&b, size * ratio, by);
        test_piece_bring(&random, &a, &b, i % 5 ? 0 : 0.02 * fmin(size, size * ratio));
        outcome met = check_pieces(&a, &b, "sizes");
        hits += met.hits;
        tests += met.tests;
    }
    CHECK(hits > 10000 && tests < 100 * hits);
}

/* A point of the plane where a direction is c, then `beyond` off it along one of its axes. */
static void place_beside_plane(int direction, double c, double u, double w, double beyond,
                               float point[3])
{
    const int *way = directions[direction];
    int first = way[0] ? 0 : way[1] ? 1 : 2, second = -1;
    for (int k = first + 1; k < 3; ++k)
        second = way[k] ? k : second;
    double at[3] = {u, w, u};
    if (second < 0) { /* an axis */
        at[first == 1 ? 2 : 1] = w;
        at[first] = c + beyond;
    } else {
        at[3 - first - second] = w;
        at[first] = u + beyond;
        at[second] = way[second] * (c - u);
    }
    for (int k = 0; k < 3; ++k)
        point[k] = (float)at[k];
}

/* Triangles with an edge in such a plane, all on one side of it. */
static test_piece make_beside_plane(test_random *random, int direction, double c, double size,
                                    int side)
{
    uint32_t count = random_count(random);
    count = count > 85 ? 85 : count;
    test_piece made = test_piece_make(random, 3 * count, count);
    int32_t most = (int32_t)size, least = (int32_t)(size / 64);
    for (uint32_t i = 0; i < count; ++i) {
        double u = test_random_int(random, -most, most), w = test_random_int(random, -most, most);
        for (uint32_t k = 0; k < 3; ++k) {
            int32_t reach = i % 2 ? most : least;
            double beyond = k < 2 ? 0 : test_random_int(random, 0, reach);
            place_beside_plane(direction, c, u + test_random_int(random, -reach, reach),
                               w + test_random_int(random, -reach, reach), side * beyond,
                               made.points[3 * i + k]);
            made.corners[i][k] = (uint8_t)(3 * i + k);
        }
    }
    return made;
}

/* They touch across a plane that a direction is normal to, where edges cross: the intervals have
 * nothing in common but its end, which is cut to cells on either side. Coordinates are whole
 * numbers, so that none of this is rounded away.
 */
TEST(touching_along_each_direction)
{
    test_random random = test_random_seed(24);
    size_t hits[GRAZEI_DIRECTIONS] = {0};
    for (uint32_t i = 0; i < test_amount(40, 8) * 4 * GRAZEI_DIRECTIONS; ++i) {
        int direction = (int)i % GRAZEI_DIRECTIONS;
        double c = test_random_int(&random, -300000, 300000);
        double size = ldexp(1, test_random_int(&random, 12, 20));
        double other = i % 2 ? size : ldexp(1, test_random_int(&random, 12, 20));
        int side = i / GRAZEI_DIRECTIONS % 2 ? 1 : -1;
        OWN(test_piece) a = make_beside_plane(&random, direction, c, size, side);
        OWN(test_piece) b = make_beside_plane(&random, direction, c, other, -side);
        hits[direction] += check_pieces(&a, &b, "side by side").hits;
    }
    for (int d = 0; d < GRAZEI_DIRECTIONS; ++d)
        CHECK_MSG(hits[d] > 500, "direction %d: %zu", d, hits[d]);
}

/* Two parts of one surface: they touch along what they share, and nowhere else. */
TEST(neighbours)
{
    test_random random = test_random_seed(26);
    for (int i = 0; i < 20; ++i) {
        test_frame in = test_frame_random(&random);
        OWN(test_piece) a = test_piece_sheet(&random, 128, &in, 0.3, true);
        OWN(test_piece) b = test_piece_sheet(&random, 128, &in, 0.3, true);
        a.triangle_count = 64;
        memmove(b.corners, b.corners + 64, 96 * sizeof *b.corners);
        b.triangle_count = 64;
        b.corners = realloc(b.corners, 96 * sizeof *b.corners);
        outcome met = check_pieces(&a, &b, "neighbours");
        CHECK(met.hits >= 3 * 8 && met.tests < 64 * 64 / 4 && met.found <= met.tests);
    }
}

/* What the diagonals are for: sheets one above the other whose boxes overlap are apart. */
TEST(little_is_found)
{
    test_random random = test_random_seed(30);
    test_frame in = {{{1, -1, 0}, {0, 0, 1}, {1, 1, 0}}, {0}}, other = in;
    for (int k = 0; k < 3; ++k)
        other.origin[k] = 0.05 * in.axes[2][k];
    OWN(test_piece) a = test_piece_sheet(&random, 128, &in, 0.01, true);
    test_piece b = test_piece_sheet(&random, 128, &other, 0.01, true);
    outcome met = check_pieces(&a, &b, "apart");
    CHECK(met.tests == 0 && met.found == 0);
    test_piece_free(&b);
    memcpy(other.axes[0], in.axes[2], sizeof in.axes[2]);
    b = test_piece_sheet(&random, 128, &other, 0.01, true);
    met = check_pieces(&a, &b, "crossing");
    CHECK(met.hits > 20 && met.tests < 128 * 16 && met.found <= met.tests);
    test_piece_free(&b);
}

/* Every triangle has the first point, so that all pairs meet: whole calls of them and one more or
 * less, up to all there can be.
 */
TEST(all_pairs)
{
    static const uint32_t sizes[][2] = {{1, 1},    {31, 33},   {32, 32},  {32, 64},  {64, 31},
                                        {128, 15}, {128, 16},  {16, 128}, {17, 128}, {113, 29},
                                        {61, 67},  {127, 128}, {128, 128}};
    test_random random = test_random_seed(29);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        test_piece pieces[2];
        for (int side = 0; side < 2; ++side) {
            double size = side && i % 3 ? ldexp(1, -(int)(5 * i)) : 1; /* other grids, too */
            test_piece *made = &pieces[side];
            *made = test_piece_make(&random, 256, sizes[i][side]);
            for (uint32_t p = 0; p < 256; ++p) {
                for (int k = 0; k < 3; ++k)
                    made->points[p][k] = p ? (float)(test_random_range(&random, -1, 1) * size) : 0;
            }
            for (uint32_t t = 0; t < sizes[i][side]; ++t) {
                for (uint32_t k = 0; k < 3; ++k)
                    made->corners[t][k] = (uint8_t)(k ? (2 * t + k - 1) % 256 : 0);
            }
        }
        outcome met = check_pieces(&pieces[0], &pieces[1], "all pairs");
        size_t all = (size_t)sizes[i][0] * sizes[i][1];
        CHECK(met.hits == all && met.tests == all && met.found == all);
        CHECK(met.calls >= (all + GRAZEI_FOUND_PAIRS - 1) / GRAZEI_FOUND_PAIRS);
        test_piece_free(&pieces[0]);
        test_piece_free(&pieces[1]);
    }
}

/* --- tests: numbers at their ends ------------------------------------------------------------ */

/* A piece of one triangle, `copies` times. */
static test_piece make_triangle(test_random *random, const float corners[3][3], uint32_t copies)
{
    test_piece made = test_piece_make(random, 3, copies);
    for (int k = 0; k < 3; ++k)
        memcpy(made.points[k], corners[k], sizeof corners[k]);
    for (uint32_t i = 0; i < copies; ++i)
        memcpy(made.corners[i], (uint8_t[4]){0, 1, 2, 77}, 4);
    return made;
}

/* A patch that is hardly a cell of the other: none of what fills up its rows is a triangle. */
TEST(tiny_patches)
{
    static const float large[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    test_random random = test_random_seed(31);
    for (int i = 0; i < COUNTS; ++i) {
        for (int exponent = -40; exponent <= -10; exponent += 5) {
            float size = ldexpf(1, exponent);
            const float small[3][3] = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}};
            OWN(test_piece) a = make_triangle(&random, large, counts[i % 3]);
            OWN(test_piece) b = make_triangle(&random, small, counts[i]);
            outcome met = check_pieces(&a, &b, "tiny");
            CHECK(met.hits == counts[i % 3] * counts[i] && met.found == met.hits);
        }
    }
}

/* As wide as a grid can be, and anywhere in a coarser one: numbers are as great as they get where
 * corners of the patch's box are its own.
 */
TEST(patches_as_wide_as_their_grid)
{
    test_random random = test_random_seed(36);
    size_t hits = 0;
    for (uint32_t i = 0; i < test_amount(4000, 250); ++i) {
        OWN(test_piece) wide = test_piece_make(&random, 8, random_count(&random));
        int32_t from[3] = {0}, size = (1 << (i % 2 ? 20 : 21)) - 1;
        for (int k = 0; k < 3; ++k)
            from[k] = test_random_int(&random, -(1 << 22), 1 << 22);
        for (uint32_t p = 0; p < 24; ++p) /* bits of the number are the corner */
            wide.points[p / 3][p % 3] = (float)(from[p % 3] + (p / 3 >> p % 3 & 1 ? size : 0));
        for (uint32_t t = 0; t < 3 * wide.triangle_count; ++t)
            wide.corners[t / 3][t % 3] = (uint8_t)test_random_int(&random, 0, 7);
        OWN(test_piece) other = random_piece(&random, (int)i);
        double scale = ldexp(1, test_random_int(&random, 18, 36));
        test_piece_move(&other, scale, (double[3]){from[0], from[1], from[2]});
        test_piece_bring(&random, &wide, &other, i % 3 ? 0 : 0.1 * size);
        hits += check_pieces(&wide, &other, "wide").hits;
    }
    CHECK(hits > 10000);
}

/* Two triangles that share a corner at x = e, just below zero: in cells of the first the product is
 * too small for a number, but the cell is that below zero. A box may end there, too.
 */
static void check_below_zero(float e, float reach)
{
    const float wide[3][3] = {{e, 0, 0}, {reach, 0, 0}, {reach, 1, 0}};
    const float narrow[3][3] = {{e, 0, 0}, {e, 1, 0}, {e, 0, 1}};
    test_random random = test_random_seed(32);
    for (uint32_t copies = 1; copies < 40; copies += 19) {
        for (int way = 0; way < 3; ++way) {
            OWN(test_piece) a = make_triangle(&random, wide, copies);
            OWN(test_piece) b = make_triangle(&random, narrow, copies);
            for (int k = 0; k < 3; ++k) {
                for (int axis = 0; axis < 3; ++axis) {
                    a.points[k][(axis + way) % 3] = wide[k][axis];
                    b.points[k][(axis + way) % 3] = narrow[k][axis];
                }
            }
            CHECK(check_pieces(&a, &b, "below zero").hits == (size_t)copies * copies);
            box ending = {{1, 1, 1}, {1, 1, 1}};
            ending.high[way] = e;
            int exponent;
            CHECK(!box_misses(&a, ending.low_negated, ending.high, &exponent));
            CHECK(!box_misses(&b, ending.low_negated, ending.high, &exponent));
        }
    }
}

static const float just_below_zero[] = {-0x1p-149f, -0x1p-127f, -2e-38f, -1e-30f, -1e-10f};

TEST(products_that_underflow)
{
    for (int i = 0; i < 5; ++i) {
        check_below_zero(just_below_zero[i], 8192);
        check_below_zero(just_below_zero[i], 1e18f);
    }
}

TEST(products_that_are_flushed)
{
    flushing = TEST_CAN_FLUSH_DENORMALS;
    for (int i = 0; i < 5; ++i) {
        check_below_zero(just_below_zero[i], 8192);
        check_below_zero(just_below_zero[i], 1e18f);
    }
    flushing = false;
}

/* Of sizes as far from each other as floats are, down to nothing. */
static size_t check_extremes(uint64_t seed, uint32_t amount, const char *what)
{
    static const double sizes[] = {2e17, 1e12, 1, 1e-12, 1e-20, 1e-30, 1e-37, 1e-40, 3e-44, 0};
    static const double places[] = {0, 0, 0, 1, -1, 1e-38, -1e-30, 1e6, -3e17};
    test_random random = test_random_seed(seed);
    size_t hits = 0;
    for (uint32_t i = 0; i < amount; ++i) {
        double size = sizes[test_random_int(&random, 0, 9)];
        double other = i % 3 ? size : sizes[test_random_int(&random, 0, 9)];
        double place = places[test_random_int(&random, 0, 8)];
        const double by[3] = {place, -place, 0.5 * place};
        OWN(test_piece) a = random_piece(&random, (int)i), b = random_piece(&random, (int)i / 2);
        test_piece_move(&a, size, by);
        test_piece_move(&b, other, by);
        if (i % 2)
            test_piece_bring(&random, &a, &b, 0);
        hits += check_pieces(&a, &b, what).hits;
    }
    return hits;
}

TEST(extremes)
{
    CHECK(check_extremes(33, test_amount(3000, 200), "extremes") > 10000);
}

TEST(extremes_flushed)
{
    flushing = TEST_CAN_FLUSH_DENORMALS;
    CHECK(check_extremes(34, test_amount(3000, 150), "flushed") > 10000);
    flushing = false;
}

/* --- tests: boxes ---------------------------------------------------------------------------- */

TEST(boxes)
{
    static const double places[] = {0, 1, -1, 1000, -1e6};
    test_random random = test_random_seed(35);
    size_t apart = 0;
    for (uint32_t i = 0; i < test_amount(20000, 2000); ++i) {
        double size = ldexp(1, test_random_int(&random, -30, 30)), place = places[i % 5] * size;
        const double by[3] = {place, -place, 0.3 * place};
        OWN(test_piece) piece = random_piece(&random, (int)i);
        test_piece_move(&piece, size, by);
        double box_size = i % 11 ? size * ldexp(1, test_random_int(&random, -20, 4)) : 3e38;
        box with = box_with_point(&random, &piece, box_size);
        int exponent;
        CHECK(!box_misses(&piece, with.low_negated, with.high, &exponent));
        for (int k = 0; k < 3; ++k) { /* somewhere else */
            float move = (float)(test_random_range(&random, -1, 1) * size);
            with.low_negated[k] -= move;
            with.high[k] += move;
        }
        bool misses = box_misses(&piece, with.low_negated, with.high, &exponent);
        if (box_is_clearly_apart(&piece, &with, exponent)) {
            CHECK(misses);
            ++apart;
        }
    }
    CHECK(apart > 200);
}

/* --- tests: patches in motion ---------------------------------------------------------------- */

/* How far a is beyond b along a direction; below 0: it is not. */
static double gap_along(const test_piece *a, const test_piece *b, int direction)
{
    double least = INFINITY, most = -INFINITY;
    const int *n = directions[direction];
    for (uint32_t i = 0; i < a->point_count; ++i) {
        const float *p = a->points[i];
        least = fmin(least, n[0] * (double)p[0] + n[1] * (double)p[1] + n[2] * (double)p[2]);
    }
    for (uint32_t i = 0; i < b->point_count; ++i) {
        const float *p = b->points[i];
        most = fmax(most, n[0] * (double)p[0] + n[1] * (double)p[1] + n[2] * (double)p[2]);
    }
    return least - most;
}

/* One is said to be beyond the other only where it is so by more than the tolerance of contacts,
 * and always where it is by ten cells. All instruction sets say the same.
 */
static size_t check_beyond(test_piece *a, test_piece *b, float reach)
{
    backend with[4];
    int count = find_backends(with);
    size_t found = 0;
    for (int i = 0; i < count; ++i) {
        grazei_intervals *in_a = measured(&with[i], a), *in_b = measured(&with[i], b);
        int exponent = in_a->exponent > in_b->exponent ? in_a->exponent : in_b->exponent;
        bool fine = reach * 0x1p-20f <= ldexpf(1, exponent), some = false;
        uint32_t all = with[i].kernels->find_beyond(in_a, in_b, reach);
        for (int d = 0; d < GRAZEI_DIRECTIONS && fine; ++d)
            for (int side = 0; side < 2; ++side) {
                double gap = side ? gap_along(b, a, d) : gap_along(a, b, d);
                bool beyond = all >> (16 * side + d) & 1;
                double tolerance = (d < 3 ? 1 : 2) * 0x1p-22 * (1 + 0x1p-6) * (double)reach;
                CHECK_MSG(beyond ? gap > tolerance : gap <= ldexp(10, exponent),
                          "%s: direction %d, gap %g, tolerance %g", with[i].name, d, gap,
                          tolerance);
                some |= beyond;
                found += i == 0 && beyond && d >= 3;
            }
        CHECK_MSG((all != 0) == some, "%s", with[i].name);
        test_aligned_free(in_a);
        test_aligned_free(in_b);
    }
    return found;
}

TEST(patches_beyond_each_other)
{
    test_random random = test_random_seed(36);
    size_t found = 0;
    for (uint32_t i = 0; i < test_amount(6000, 600); ++i) {
        double size = ldexp(1, test_random_int(&random, -30, 30));
        double ratio = ldexp(1, test_random_int(&random, -3, 3)), by[3] = {0, 0, 0};
        OWN(test_piece) a = random_piece(&random, (int)i), b = random_piece(&random, (int)i / 4);
        test_piece_move(&a, size, by);
        test_piece_move(&b, size * ratio, by);
        /* beside each other along a direction, but for a few cells */
        int d = (int)(i % GRAZEI_DIRECTIONS);
        double cell = size * fmax(ratio, 1) * 0x1p-11, gap = gap_along(&b, &a, d);
        double way = test_random_range(&random, -8, 8) * cell - gap;
        for (int k = 0; k < 3; ++k)
            by[k] = way * directions[d][k] / (d < 3 ? 1 : 2);
        test_piece_move(&b, 1, by);
        double far = i % 2 ? ldexp(1, test_random_int(&random, 0, 12)) : 4;
        found += check_beyond(&a, &b, (float)(size * fmax(ratio, 1) * far));
    }
    CHECK_MSG(found > test_amount(1000, 100), "%zu", found);
}
