/* Queues of candidates: every instruction set, and plain C, against one pair of triangles at a
 * time. The points are allocated exactly, so that the sanitizers see what is read beyond them.
 */
#define GRAZEI_ISA_NAME scalar
#define GRAZEI_LANES_SCALAR
#include "narrow/candidate_kernels.c"

#include "harness.h"
#include "support/aligned.h"
#include "support/denormals.h"
#include "support/own.h"
#include "support/pieces.h"
#include "support/quick.h"

#include <stdlib.h>

typedef struct backend {
    const char *name;
    const grazei_candidate_kernels *kernels;
} backend;

static int find_backends(backend out[4])
{
    int count = 0;
    out[count++] = (backend){"plain C", &grazei_candidate_kernels_scalar};
    out[count++] = (backend){"base", &grazei_candidate_kernels_base};
#if defined(__x86_64__) || defined(__i386__)
    if (graze_isa_available(GRAZE_ISA_AVX2))
        out[count++] = (backend){"AVX2", &grazei_candidate_kernels_avx2};
#endif
#if defined(__x86_64__)
    if (graze_isa_available(GRAZE_ISA_AVX512))
        out[count++] = (backend){"AVX-512", &grazei_candidate_kernels_avx512};
#endif
    return count;
}

/* --- pairs of triangles ---------------------------------------------------------------------- */

typedef float triangle[3][3];

static float random_float(test_random *random)
{
    return (float)test_random_range(random, -1, 1);
}

static void random_triangle(test_random *random, triangle out)
{
    for (int c = 0; c < 9; ++c)
        out[c / 3][c % 3] = random_float(random);
}

/* Coordinates moved by up to `steps` places. */
static void step_triangle(test_random *random, triangle moved, int32_t steps)
{
    for (int c = 0; c < 9; ++c) {
        float *x = &moved[c / 3][c % 3];
        for (int32_t left = test_random_int(random, -steps, steps); left; left += left < 0 ? 1 : -1)
            *x = nextafterf(*x, left < 0 ? -INFINITY : INFINITY);
    }
}

/* A point of a triangle, or of its plane: rounded, so it is hardly ever quite there. */
static void point_of(test_random *random, triangle of, bool inside, float out[3])
{
    double v = test_random_unit(random) * (inside ? 1 : 3), w = test_random_unit(random);
    w *= inside ? 1 - v : 1;
    for (int k = 0; k < 3; ++k)
        out[k] = (float)(of[0][k] + v * ((double)of[1][k] - of[0][k]) +
                         w * ((double)of[2][k] - of[0][k]));
}

typedef void pair_maker(test_random *random, triangle a, triangle b);

static void make_random(test_random *random, triangle a, triangle b)
{
    random_triangle(random, a);
    random_triangle(random, b);
}

/* Corners, edges and planes in common are the rule here, and points and segments not rare. */
static void make_lattice(test_random *random, triangle a, triangle b)
{
    for (int c = 0; c < 9; ++c) {
        a[c / 3][c % 3] = (float)test_random_int(random, 0, 3);
        b[c / 3][c % 3] = (float)test_random_int(random, 0, 3);
    }
}

/* In one plane, along the axes or not; nothing rounds. */
static void make_coplanar(test_random *random, triangle a, triangle b)
{
    int32_t slope[2] = {test_random_int(random, -2, 2), test_random_int(random, -2, 2)};
    int up = test_random_int(random, 0, 2);
    for (int c = 0; c < 6; ++c) {
        float *corner = c < 3 ? a[c] : b[c - 3];
        int32_t u = test_random_int(random, -9, 9), v = test_random_int(random, -9, 9);
        corner[(up + 1) % 3] = (float)u;
        corner[(up + 2) % 3] = (float)v;
        corner[up] = (float)(slope[0] * u + slope[1] * v + 5);
    }
}

/* A corner of b in a or in its plane, but for a rounding, or a corner of both. */
static void make_touching(test_random *random, triangle a, triangle b)
{
    int32_t corner = test_random_int(random, 0, 2);
    make_random(random, a, b);
    if (test_random_u32(random) % 4)
        point_of(random, a, test_random_u32(random) % 2, b[corner]);
    else
        memcpy(b[corner], a[test_random_int(random, 0, 2)], sizeof b[corner]);
}

/* Edges that cross at one point, but for a rounding. */
static void make_crossing_edges(test_random *random, triangle a, triangle b)
{
    make_random(random, a, b);
    double s = test_random_range(random, 0.1, 0.9), t = test_random_range(random, 0.1, 0.9);
    for (int k = 0; k < 3; ++k) {
        double at = a[0][k] + s * ((double)a[1][k] - a[0][k]);
        b[1][k] = (float)(b[0][k] + (at - b[0][k]) / t);
    }
    if (test_random_u32(random) % 2)
        step_triangle(random, b, 1);
}

/* All corners in one plane, but for roundings: the one of a, and b small or large in it. */
static void make_rounded_plane(test_random *random, triangle a, triangle b)
{
    float middle[3];
    double size = ldexp(1, -test_random_int(random, 0, 12));
    random_triangle(random, a);
    point_of(random, a, true, middle);
    for (int i = 0; i < 3; ++i) {
        point_of(random, a, false, b[i]);
        for (int k = 0; k < 3; ++k)
            b[i][k] = (float)(middle[k] + size * ((double)b[i][k] - middle[k]));
    }
    step_triangle(random, b, test_random_int(random, 0, 2));
}

/* Segments and points that are on a triangle or near it, or both of them degenerate. */
static void make_degenerate(test_random *random, triangle a, triangle b)
{
    if (test_random_u32(random) % 2)
        make_touching(random, a, b);
    else
        make_lattice(random, a, b);
    memcpy(b[1], b[0], sizeof b[1]);
    if (test_random_u32(random) % 3 == 0)
        memcpy(b[2], b[0], sizeof b[2]);
    if (test_random_u32(random) % 3 == 0)
        memcpy(a[2], a[1], sizeof a[2]);
}

/* One of any size beside one of another. */
static void make_uneven(test_random *random, triangle a, triangle b)
{
    float at[3];
    float size = ldexpf(1, -test_random_int(random, 1, 40));
    make_random(random, a, b);
    point_of(random, a, test_random_u32(random) % 2, at);
    for (int c = 0; c < 9; ++c)
        b[c / 3][c % 3] = b[c / 3][c % 3] * size + at[c % 3];
}

static pair_maker *const makers[] = {make_random,     make_lattice,        make_coplanar,
                                     make_touching,   make_crossing_edges, make_rounded_plane,
                                     make_degenerate, make_uneven};
enum { MAKERS = sizeof makers / sizeof makers[0] };

/* Coordinates are below 64 in magnitude, before they are scaled and moved. */
static const double scales[] = {1, 1e-3, 1e6, 0x1p-29, 0x1p35, 1e-30, 1e-43, 1.5e16};
enum { SCALES = sizeof scales / sizeof scales[0] };
static const double offsets[] = {0, 1, -100, 1e6};
enum { OFFSETS = sizeof offsets / sizeof offsets[0] };

/* --- queues ---------------------------------------------------------------------------------- */

typedef struct queue {
    uint32_t count;
    float *points[2];
    grazei_candidates *all;
    bool meets[GRAZEI_CANDIDATES];
    size_t hits;
} queue;

/* The longest side of the box around both, rounded as sums of floats are. */
static float reach_of(triangle a, triangle b)
{
    float reach = 0;
    for (int k = 0; k < 3; ++k) {
        float low = INFINITY, high = -INFINITY;
        for (int c = 0; c < 6; ++c) {
            float x = c < 3 ? a[c][k] : b[c - 3][k];
            low = fminf(low, x);
            high = fmaxf(high, x);
        }
        reach = fmaxf(reach, high - low);
    }
    return reach;
}

/* Corners are anywhere among the points, and fourth floats are NaN. */
static void add_candidate(test_random *random, queue *to, uint32_t number, triangle a, triangle b)
{
    grazei_candidates *all = to->all;
    int32_t first[2] = {test_random_int(random, 0, 2), test_random_int(random, 0, 2)};
    for (uint32_t c = 0; c < 6; ++c) {
        uint32_t side = c >= 3, k = c % 3;
        uint32_t place = side ? to->count - 1 - number : number;
        uint32_t at = 4 * (3 * place + (k + (uint32_t)first[side]) % 3);
        memcpy(to->points[side] + at, side ? b[k] : a[k], 3 * sizeof(float));
        to->points[side][at + 3] = NAN;
        all->at[c][number] = at;
    }
    all->reach[number] = reach_of(a, b);
    if (test_random_u32(random) % 3 == 0)
        all->reach[number] *= ldexpf(1, test_random_int(random, 0, 20));
    to->meets[number] = grazei_triangles_meet((const float(*)[3])a, (const float(*)[3])b);
    to->hits += to->meets[number];
}

/* What is behind the last candidate must not matter: followed, it leads out of the points. */
static queue make_queue(uint32_t count)
{
    queue made = {.count = count, .all = malloc(sizeof *made.all)};
    memset(made.all, 0x7f, sizeof *made.all);
    made.all->count = count;
    for (int side = 0; side < 2; ++side) {
        made.points[side] = test_aligned(16, (count ? count : 1) * 12 * sizeof(float));
        made.all->points[side] = made.points[side];
    }
    return made;
}

static void free_queue(queue *gone)
{
    test_aligned_free(gone->points[0]);
    test_aligned_free(gone->points[1]);
    free(gone->all);
}

OWN_VALUE(queue, free_queue)

/* Candidates are as they were; what is behind the last one does not matter. */
static bool are_same(const grazei_candidates *a, const grazei_candidates *b)
{
    size_t size = a->count * sizeof a->at[0][0];
    bool same = a->count == b->count && memcmp(a->reach, b->reach, size) == 0;
    for (int c = 0; c < 6; ++c)
        same = same && memcmp(a->at[c], b->at[c], size) == 0;
    for (int side = 0; side < 2; ++side)
        same = same && a->points[side] == b->points[side] && a->called[side] == b->called[side] &&
               memcmp(a->names[side], b->names[side], size) == 0;
    return same;
}

/* The kernels run with denormals flushed or not, everything else without: GRAZE_TEST_FTZ is not for
 * this program.
 */
static void check_queue(queue *of, bool flushed, const char *what)
{
    backend with[4];
    int backend_count = find_backends(with);
    OWNED grazei_candidates *before = malloc(sizeof *before);
    OWNED uint16_t *hits = malloc((GRAZEI_CANDIDATES + 16) * sizeof *hits);
    memcpy(before, of->all, sizeof *before);
    for (int n = 0; n < backend_count; ++n) {
        size_t wrong = 0, next = 0;
        test_flush_denormals(flushed);
        size_t count = with[n].kernels->test(of->all, hits);
        test_flush_denormals(false);
        for (uint32_t i = 0; i < of->count; ++i) {
            bool found = next < count && hits[next] == i;
            wrong += found != of->meets[i];
            next += found;
        }
        CHECK_MSG(!wrong && next == count && count == of->hits,
                  "%s, %s: of %u candidates %zu hits instead of %zu, %zu wrong", what, with[n].name,
                  of->count, count, of->hits, wrong);
        CHECK_MSG(are_same(before, of->all), "%s: changed", with[n].name);
    }
}

/* --- tests ----------------------------------------------------------------------------------- */

static const uint32_t counts[] = {
    0, 1, 2, 7, 8, 9, 15, 16, 17, 33, GRAZEI_CANDIDATES - 1, GRAZEI_CANDIDATES};
enum { COUNTS = sizeof counts / sizeof counts[0] };

static void scale_pair(triangle a, triangle b, double scale, double offset)
{
    for (int c = 0; c < 9; ++c) {
        float *x = &a[c / 3][c % 3], *y = &b[c / 3][c % 3];
        *x = (float)((*x + offset * (c % 3 - 1)) * scale);
        *y = (float)((*y + offset * (c % 3 - 1)) * scale);
    }
}

/* Each kind alone, so that lanes agree, then all in one queue. */
static size_t check_kind(test_random *random, int kind, uint32_t count, double scale, double offset)
{
    OWN(queue) made = make_queue(count);
    test_flush_denormals(false);
    for (uint32_t i = 0; i < count; ++i) {
        triangle a, b;
        makers[kind < MAKERS ? kind : test_random_int(random, 0, MAKERS - 1)](random, a, b);
        scale_pair(a, b, scale, offset);
        if (test_random_u32(random) % 2)
            add_candidate(random, &made, i, a, b);
        else
            add_candidate(random, &made, i, b, a);
    }
    char what[64];
    snprintf(what, sizeof what, "kind %d, scale %g, offset %g", kind, scale, offset);
    check_queue(&made, false, what);
    if (scale > 1e-20) /* denormal coordinates would be zeros */
        check_queue(&made, true, what);
    size_t hits = made.hits;
    return hits;
}

TEST(queues_of_all_lengths)
{
    test_random random = test_random_seed(51);
    for (int kind = 0; kind <= MAKERS; ++kind) {
        size_t hits = 0;
        for (uint32_t round = 0; round < test_amount(20, 3); ++round) {
            for (int i = 0; i < COUNTS; ++i)
                hits += check_kind(&random, kind, counts[i], 1, 0);
        }
        CHECK_MSG(hits > 50, "kind %d: %zu", kind, hits);
    }
}

TEST(all_sizes_and_places)
{
    test_random random = test_random_seed(52);
    for (int kind = 0; kind <= MAKERS; ++kind) {
        for (uint32_t round = 0; round < test_amount(20, 3); ++round) {
            for (int i = 0; i < SCALES; ++i) {
                for (int k = 0; k < OFFSETS && (fabs(offsets[k]) + 64) * scales[i] < 1e18; ++k)
                    check_kind(&random, kind, 200, scales[i], offsets[k]);
            }
        }
    }
}

/* What margins are for: pairs that meet or miss by a rounding. In the second half of them products
 * of three coordinates are about as large or as small as floats can be.
 */
TEST(roundings)
{
    static const int kinds[] = {3, 4, 5};
    test_random random = test_random_seed(53);
    for (uint32_t i = 0; i < test_amount(3000, 300); ++i) {
        double low = i % 4 < 2 ? 0 : i % 4 == 2 ? 40 : -46, high = i % 4 < 2 ? 0 : low + 6;
        double scale = exp2(test_random_range(&random, low, high));
        CHECK(check_kind(&random, kinds[i % 3], GRAZEI_CANDIDATES, scale, i % 2 ? 0 : 1) > 10);
    }
}

/* None is left after the planes, or all are. */
TEST(none_and_all)
{
    test_random random = test_random_seed(54);
    for (int all = 0; all < 2; ++all) {
        for (int i = 0; i < COUNTS; ++i) {
            OWN(queue) made = make_queue(counts[i]);
            for (uint32_t n = 0; n < counts[i]; ++n) {
                triangle a = {{-1, -1, 0}, {1, -1, 0}, {0, 2, 0}};
                triangle b = {{0, 0, all ? -1 : 1}, {0.1f, 0, 1}, {0, 0.1f, 2}};
                add_candidate(&random, &made, n, a, b);
            }
            CHECK(made.hits == (all ? counts[i] : 0));
            check_queue(&made, false, all ? "all" : "none");
        }
    }
}
