/* The distance of two triangles against integer arithmetic: lattices, slivers, parallel edges,
 * triangles without area, all sizes.
 */
#include "harness.h"
#include "math/isa.h"
#include "narrow/distance.h"
#include "narrow/rough_kernels.h"
#include "narrow/triangle.h"
#include "support/quick.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef __int128 wide_int;
typedef struct int3 {
    int64_t v[3];
} int3;
typedef struct int_triangle {
    int3 p[3];
} int_triangle;

static int3 minus(int3 a, int3 b)
{
    return (int3){{a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]}};
}

static wide_int dot(int3 a, int3 b)
{
    return (wide_int)a.v[0] * b.v[0] + (wide_int)a.v[1] * b.v[1] + (wide_int)a.v[2] * b.v[2];
}

static int3 cross(int3 a, int3 b)
{
    return (int3){{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
                   a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}

/* ---- what is true: all decisions in integers, one division at the end ---------------------- */

static long double least(long double a, long double b)
{
    return a < b ? a : b;
}

static long double corner_edge(int3 corner, int3 from, int3 to)
{
    int3 w = minus(corner, from), e = minus(to, from);
    wide_int along = dot(w, e), length = dot(e, e);
    if (along <= 0)
        return (long double)dot(w, w);
    if (along >= length)
        return (long double)dot(minus(corner, to), minus(corner, to));
    int3 across = cross(w, e);
    return (long double)dot(across, across) / (long double)length;
}

static long double plane_square(int3 w, int3 normal)
{
    long double height = (long double)dot(w, normal);
    return height * height / (long double)dot(normal, normal);
}

static long double corner_face(int3 corner, const int_triangle *face)
{
    int3 normal = cross(minus(face->p[1], face->p[0]), minus(face->p[2], face->p[0]));
    if (dot(normal, normal) == 0)
        return INFINITY;
    for (int i = 0; i < 3; i++) {
        int3 side = minus(face->p[(i + 1) % 3], face->p[i]);
        if (dot(cross(side, minus(corner, face->p[i])), normal) < 0)
            return INFINITY;
    }
    return plane_square(minus(corner, face->p[0]), normal);
}

static long double edge_edge(int3 p, int3 q, int3 r, int3 s)
{
    int3 e = minus(q, p), f = minus(s, r), w = minus(r, p), normal = cross(e, f);
    wide_int whole = dot(normal, normal);
    wide_int along_e = dot(cross(w, f), normal), along_f = dot(cross(w, e), normal);
    if (whole == 0 || along_e < 0 || along_e > whole || along_f < 0 || along_f > whole)
        return INFINITY;
    return plane_square(w, normal);
}

static long double true_square(const int_triangle *a, const int_triangle *b)
{
    long double square = INFINITY;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int3 a0 = a->p[i], a1 = a->p[(i + 1) % 3], b0 = b->p[j], b1 = b->p[(j + 1) % 3];
            square = least(square, corner_edge(a0, b0, b1));
            square = least(square, corner_edge(b0, a0, a1));
            square = least(square, edge_edge(a0, a1, b0, b1));
        }
    for (int i = 0; i < 3; i++) {
        square = least(square, corner_face(a->p[i], b));
        square = least(square, corner_face(b->p[i], a));
    }
    return square;
}

/* ---- comparing ------------------------------------------------------------------------------ */

typedef struct tally {
    uint64_t compared, meeting;
    double worst, worst_rough; /* error, in units of what is allowed */
} tally;

static void to_floats(const int_triangle *t, int exponent, float out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out[i][k] = ldexpf((float)t->p[i].v[k], exponent);
}

static double reach_of(const int_triangle *a, const int_triangle *b)
{
    int64_t reach = 1;
    for (int k = 0; k < 3; k++) {
        int64_t low = INT64_MAX, high = INT64_MIN;
        for (int i = 0; i < 6; i++) {
            int64_t x = i < 3 ? a->p[i].v[k] : b->p[i - 3].v[k];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        reach = high - low > reach ? high - low : reach;
    }
    return (double)reach;
}

static double points_apart(const float points[2][3])
{
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += ((double)points[1][k] - (double)points[0][k]) *
                  ((double)points[1][k] - (double)points[0][k]);
    return sqrt(square);
}

/* In float on every instruction set: as near to the truth as is stated, where the size is within
 * its range.
 */
static bool check_rough(const float a[3][3], const float b[3][3], double truth, double reach,
                        tally *seen)
{
    static const uint8_t corners[1 + 16][4] = {{0, 1, 2, 0}};
    float points[2][3][4] __attribute__((aligned(64)));
    const uint16_t pair = 0;
    bool ok = true;
    if (!(reach >= (double)GRAZEI_ROUGH_LEAST && reach <= (double)GRAZEI_ROUGH_MOST))
        return true;
    for (int i = 0; i < 3; i++) {
        memcpy(points[0][i], a[i], sizeof(float[3]));
        memcpy(points[1][i], b[i], sizeof(float[3]));
        points[0][i][3] = points[1][i][3] = 0;
    }
    grazei_posed_patch patches[2] = {{.points = (const float(*)[4])points[0], .corners = corners},
                                     {.points = (const float(*)[4])points[1], .corners = corners}};
    for (int isa = GRAZE_ISA_BASE; isa <= (int)grazei_best_isa(); isa++) {
        float squares[1 + 16];
        GRAZEI_PICK((graze_isa)isa, rough_kernels)
            ->rough_squares(&patches[0], &patches[1], &pair, 1, squares);
        double error = fabs(sqrt((double)squares[0]) - truth);
        seen->worst_rough = fmax(seen->worst_rough, error / ((double)GRAZEI_ROUGH_ERROR * reach));
        ok = test_check(error <= (double)GRAZEI_ROUGH_ERROR * reach, __FILE__, __LINE__,
                        "in float %.9g, true %.9g, reach %g", sqrt((double)squares[0]), truth,
                        reach) &&
             ok;
    }
    return ok;
}

/* Boxes around triangles are not farther apart than those are found to be. */
static bool check_boxes(const float a[3][3], const float b[3][3], double square)
{
    float low[2][3], high[2][3];
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++) {
            const float(*corners)[3] = side ? b : a;
            low[side][k] = -fminf(corners[0][k], fminf(corners[1][k], corners[2][k]));
            high[side][k] = fmaxf(corners[0][k], fmaxf(corners[1][k], corners[2][k]));
        }
    double boxes = grazei_box_square(low[0], high[0], low[1], high[1]);
    return test_check(boxes <= square, __FILE__, __LINE__, "boxes %.17g, triangles %.17g", boxes,
                      square);
}

static bool check_pair(const int_triangle *a, const int_triangle *b, int exponent, tally *seen)
{
    float fa[3][3], fb[3][3], points[2][3];
    to_floats(a, exponent, fa);
    to_floats(b, exponent, fb);
    const float(*ca)[3] = (const float(*)[3])fa, (*cb)[3] = (const float(*)[3])fb;
    double square = grazei_triangle_distance_square(ca, cb);
    double back = grazei_triangle_distance_square(cb, ca), reach = ldexp(reach_of(a, b), exponent);
    bool meets = grazei_triangles_meet(ca, cb);
    long double truth = meets ? 0 : ldexpl(sqrtl(true_square(a, b)), exponent);
    double error = fabs((double)((long double)sqrt(square) - truth));
    double far = 0;
    for (int i = 0; i < 9; i++)
        far = fmax(far, fmax(fabs((double)fa[i / 3][i % 3]), fabs((double)fb[i / 3][i % 3])));
    grazei_triangle_nearest_points(ca, cb, points);
    double apart = points_apart((const float(*)[3])points);
    seen->compared++;
    seen->meeting += meets;
    if (!meets)
        seen->worst = fmax(seen->worst, error / (GRAZEI_DISTANCE_ERROR * reach));
    if (!check_boxes(ca, cb, square) ||
        (!meets && !check_rough(ca, cb, (double)truth, reach, seen)))
        return false;
    return test_check((square == 0) == meets, __FILE__, __LINE__, "square %g, meets: %d", square,
                      meets) &&
           test_check(memcmp(&square, &back, sizeof square) == 0, __FILE__, __LINE__,
                      "%a one way, %a the other", square, back) &&
           test_check(error <= GRAZEI_DISTANCE_ERROR * reach, __FILE__, __LINE__,
                      "distance %.17g, true %.17Lg, reach %g", sqrt(square), truth, reach) &&
           test_check(fabs(apart - (double)truth) <= 1e-6 * far + 4 * (double)FLT_TRUE_MIN,
                      __FILE__, __LINE__, "points %g apart, distance %Lg", apart, truth) &&
           test_check(!meets || apart <= 0, __FILE__, __LINE__, "triangles meet in two points");
}

static int64_t random_int(test_random *random, int64_t limit)
{
    return (int64_t)(test_random_u32(random) % (uint32_t)(2 * limit + 1)) - limit;
}

static int_triangle random_triangle(test_random *random, int64_t limit)
{
    int_triangle t;
    for (int i = 0; i < 9; i++)
        t.p[i / 3].v[i % 3] = random_int(random, limit);
    return t;
}

static void print_tally(const char *what, const tally *seen)
{
    printf("     %s: %llu pairs, %llu of them meet, error up to %.3f of what is stated, %.3f in "
           "float\n",
           what, (unsigned long long)seen->compared, (unsigned long long)seen->meeting, seen->worst,
           seen->worst_rough);
}

TEST(small_lattices)
{
    test_random random = test_random_seed(1);
    tally seen = {0};
    for (uint32_t n = 0, count = test_amount(400000, 40000); n < count; n++) {
        int64_t limit = 1 + (int64_t)(n % 4);
        int_triangle a = random_triangle(&random, limit), b = random_triangle(&random, limit);
        if (!check_pair(&a, &b, 0, &seen))
            break;
    }
    print_tally("small lattices", &seen);
    CHECK(seen.meeting > seen.compared / 100 && seen.meeting < seen.compared / 2);
}

TEST(large_lattices)
{
    test_random random = test_random_seed(2);
    tally seen = {0};
    for (uint32_t n = 0, count = test_amount(200000, 20000); n < count; n++) {
        int64_t limit = (int64_t)1 << (4 + n % 17);
        int_triangle a = random_triangle(&random, limit), b = random_triangle(&random, limit);
        b.p[0].v[0] += n % 3 ? 2 * limit : 0;
        if (!check_pair(&a, &b, -20 + (int)(n % 41), &seen))
            break;
    }
    print_tally("large lattices", &seen);
}

/* Corners near a line, so that edges are nearly parallel and triangles nearly flat, and two such
 * triangles near each other.
 */
static int_triangle random_sliver(test_random *random, const int64_t line[3], int64_t width)
{
    int_triangle t;
    for (int i = 0; i < 3; i++) {
        int64_t along = random_int(random, 1000);
        for (int k = 0; k < 3; k++)
            t.p[i].v[k] = line[k] * along + random_int(random, width);
    }
    return t;
}

TEST(slivers_and_parallel_edges)
{
    test_random random = test_random_seed(3);
    tally seen = {0};
    for (uint32_t n = 0, count = test_amount(300000, 30000); n < count; n++) {
        int64_t line[3] = {random_int(&random, 1000), random_int(&random, 1000),
                           random_int(&random, 1000)};
        int64_t width = n % 5 ? (int64_t)1 << (n % 7) : 0;
        int_triangle a = random_sliver(&random, line, width);
        int_triangle b = random_sliver(&random, line, width);
        for (int i = 0; n % 3 == 0 && i < 9; i++) /* the same line, beside the first */
            b.p[i / 3].v[i % 3] += n % 9 ? 3 : 3 + line[(i + 1) % 3];
        if (!check_pair(&a, &b, 0, &seen))
            break;
    }
    print_tally("slivers", &seen);
}

TEST(triangles_without_area)
{
    test_random random = test_random_seed(4);
    tally seen = {0};
    for (uint32_t n = 0, count = test_amount(100000, 10000); n < count; n++) {
        int64_t limit = n % 2 ? 3 : 5000;
        int_triangle a = random_triangle(&random, limit), b = random_triangle(&random, limit);
        if (n % 3 != 1)
            a.p[2] = a.p[n % 2];
        if (n % 6 == 0)
            a.p[1] = a.p[0], a.p[2] = a.p[0];
        if (n % 3 != 0)
            b.p[1] = b.p[2];
        if (n % 5 == 0)
            b.p[0] = b.p[1];
        if (!check_pair(&a, &b, 0, &seen))
            break;
    }
    print_tally("segments and points", &seen);
}

/* From denormal to the largest coordinates there are. */
TEST(all_sizes)
{
    test_random random = test_random_seed(5);
    tally seen = {0};
    for (uint32_t n = 0, count = test_amount(40000, 4000); n < count; n++) {
        int_triangle a = random_triangle(&random, 100), b = random_triangle(&random, 100);
        if (!check_pair(&a, &b, -149 + (int)(n % 202), &seen))
            break;
    }
    print_tally("all sizes", &seen);
}

TEST(named_cases)
{
    static const struct {
        float a[3][3], b[3][3];
        double distance;
    } cases[] = {
        {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 2}, {1, 0, 2}, {0, 1, 2}}, 2},
        {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{4, 4, 0}, {5, 4, 0}, {4, 5, 0}}, 4.949747468305833},
        {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 3}, {1, 1, 5}, {2, 1, 5}}, 3},
        {{{-1, 0, 0}, {1, 0, 0}, {0, 0, -3}}, {{0, -1, 0.5f}, {0, 1, 0.5f}, {0, 0, 3}}, 0.5},
        {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{1, 0, 0}, {2, 0, 0}, {2, 1, 0}}, 0},
        {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0.2f, 0.2f, -1}, {0.2f, 0.2f, 1}, {3, 3, 1}}, 0},
        {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {{3, 4, 0}, {3, 4, 0}, {3, 4, 0}}, 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double d = sqrt(grazei_triangle_distance_square(cases[i].a, cases[i].b));
        CHECK_MSG(fabs(d - cases[i].distance) <= 1e-15 * cases[i].distance, "case %zu: %.17g", i,
                  d);
    }
}

/* So near that double arithmetic cannot tell: above 0 all the same. */
TEST(apart_is_never_zero)
{
    const float a[3][3] = {{-1, -1, 0}, {1, -1, 0}, {0, 2, 0}};
    const float b[3][3] = {{-1, 0, 1e-40f}, {1, 0, 1e-40f}, {0, 0, 3}};
    const float c[3][3] = {{0, 0, 0}, {1, 0, 1e-40f}, {0, 0, 3}};
    CHECK(grazei_triangle_distance_square(a, b) > 0);
    CHECK(grazei_triangle_distance_square(a, b) < 1e-70);
    CHECK(grazei_triangle_distance_square(a, c) <= 0);
}
