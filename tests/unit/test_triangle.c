/* The exact triangle test and the lanes, against an oracle of integers.
 *
 * The oracle knows nothing of planes and edges. Two closed convex sets miss each other if and only
 * if some direction has a positive product with every difference p = a - b, a in A and b in B; the
 * nine differences of corners are enough. The directions with products >= 0 form a closed cone. If
 * the differences span space, it is the sum of its extreme rays, each of them +-p_i x p_j, and
 * their sum is inside: so that sum decides. In a plane or on a line the same holds one dimension
 * lower.
 */
#define GRAZEI_ISA_NAME scalar
#define GRAZEI_LANES_SCALAR
#include "narrow/triangle_kernels.c"

#include "harness.h"
#include "support/quick.h"

#include <math.h>

typedef __int128 wide;

typedef struct vector {
    wide x, y, z;
} vector;

static vector cross(vector a, vector b)
{
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static wide dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bool is_zero(vector a)
{
    return a.x == 0 && a.y == 0 && a.z == 0;
}

/* Adds ray or its opposite to the sum if it is in the cone of all p; both if all products are 0. */
static void add_ray(vector ray, const vector p[9], vector *sum)
{
    bool positive = false, negative = false;
    for (int k = 0; k < 9 && !(positive && negative); ++k) {
        wide product = dot(ray, p[k]);
        positive |= product > 0;
        negative |= product < 0;
    }
    wide sign = positive == negative ? 0 : positive ? 1 : -1;
    sum->x += sign * ray.x;
    sum->y += sign * ray.y;
    sum->z += sign * ray.z;
}

static bool oracle_meets(int32_t a[3][3], int32_t b[3][3])
{
    vector p[9], normal = {0, 0, 0}, sum = {0, 0, 0};
    bool spans_plane = false, spans_space = false;
    for (int k = 0; k < 9; ++k) {
        const int32_t *from = b[k % 3], *to = a[k / 3];
        p[k] = (vector){to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    }
    for (int k = 0; k < 9; ++k) {
        if (is_zero(p[k]))
            return true;
    }
    for (int i = 0; i < 9; ++i) {
        for (int j = 0; j < i; ++j) {
            vector ray = cross(p[i], p[j]);
            if (is_zero(ray))
                continue;
            if (!spans_plane)
                normal = ray;
            spans_plane = true;
            add_ray(ray, p, &sum);
        }
    }
    for (int k = 0; k < 9; ++k)
        spans_space |= dot(normal, p[k]) != 0;
    if (!spans_plane) {
        sum = p[0];
    } else if (!spans_space) {
        sum = (vector){0, 0, 0};
        for (int k = 0; k < 9; ++k)
            add_ray(cross(normal, p[k]), p, &sum);
    }
    for (int k = 0; k < 9; ++k) {
        if (dot(sum, p[k]) <= 0)
            return true;
    }
    return false;
}

typedef struct integer_pair {
    int32_t a[3][3], b[3][3];
} integer_pair;

static void to_floats(int32_t in[3][3], float scale, float out[3][3])
{
    for (int i = 0; i < 9; ++i)
        out[i / 3][i % 3] = (float)in[i / 3][i % 3] * scale;
}

/* Batches of pairs for the lanes: 85 triangles of three vertices each make a set. */
enum { BATCH = 85 };

typedef struct pair_batch {
    _Alignas(64) float vertices[2][256][4];
    uint8_t corners[2][BATCH][4];
    bool meets[BATCH];
    int count;
} pair_batch;

static const grazei_triangle_kernels *instruction_sets[4];

static void find_instruction_sets(void)
{
    int count = 0;
    instruction_sets[count++] = &grazei_triangle_kernels_scalar;
    instruction_sets[count++] = &grazei_triangle_kernels_base;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        instruction_sets[count++] = &grazei_triangle_kernels_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        instruction_sets[count++] = &grazei_triangle_kernels_avx512;
#endif
}

static unsigned lane_tests, lane_unsure;

static void check_batch(pair_batch *batch)
{
    static _Alignas(64) float memory[2][16 + 18 * GRAZEI_SET_TRIANGLES];
    find_instruction_sets();
    for (int s = 0; s < 4 && instruction_sets[s]; ++s) {
        const grazei_triangle_kernels *functions = instruction_sets[s];
        grazei_triangle_set set[2];
        uint16_t pairs[BATCH], hits[BATCH];
        for (int i = 0; i < 2; ++i) {
            set[i] = grazei_triangle_set_at(memory[i], (uint32_t)batch->count);
            functions->triangle_set((const float(*)[4])batch->vertices[i],
                                    (const uint8_t(*)[4])batch->corners[i], &set[i]);
        }
        size_t expected = 0, unsure = 0;
        for (int i = 0; i < batch->count; ++i)
            pairs[i] = grazei_pair((uint32_t)i, (uint32_t)i);
        size_t found =
            functions->triangle_pairs(&set[0], &set[1], pairs, (size_t)batch->count, hits, &unsure);
        for (int i = 0; i < batch->count; ++i) {
            bool hit = expected < found && hits[expected] == pairs[i];
            CHECK_MSG(hit == batch->meets[i], "set %d, pair %d of %d: %d", s, i, batch->count, hit);
            expected += hit;
        }
        CHECK(expected == found);
        lane_tests += (unsigned)batch->count;
        lane_unsure += (unsigned)unsure;
    }
    batch->count = 0;
}

static void add_to_batch(pair_batch *batch, float a[3][3], float b[3][3], bool meets)
{
    int n = batch->count;
    for (int i = 0; i < 3; ++i) {
        memcpy(batch->vertices[0][3 * n + i], a[i], sizeof a[i]);
        memcpy(batch->vertices[1][3 * n + i], b[i], sizeof b[i]);
        batch->corners[0][n][i] = batch->corners[1][n][i] = (uint8_t)(3 * n + i);
    }
    batch->meets[n] = meets;
    if (++batch->count == BATCH)
        check_batch(batch);
}

static void print_triangle(float t[3][3])
{
    for (int i = 0; i < 3; ++i)
        fprintf(stderr, " (%a %a %a)", t[i][0], t[i][1], t[i][2]);
    fprintf(stderr, "\n");
}

static bool check_pair(float a[3][3], float b[3][3], bool expected)
{
    bool found = grazei_triangles_meet((const float(*)[3])a, (const float(*)[3])b);
    if (!test_check(found == expected, __FILE__, __LINE__, "these %s",
                    expected ? "meet" : "do not meet")) {
        print_triangle(a);
        print_triangle(b);
    }
    return found == expected;
}

typedef void (*pair_maker)(test_random *random, integer_pair *pair);

/* Compares library, oracle and lanes for `count` pairs, at a scale that changes no bit. Returns how
 * many meet.
 */
static int check_many(pair_maker make, uint64_t seed, int count, int least_scale, int scales)
{
    static pair_batch batch;
    test_random random = test_random_seed(seed);
    int hits = 0;
    batch.count = 0;
    lane_tests = lane_unsure = 0;
    for (int i = 0; i < count; ++i) {
        integer_pair pair;
        float a[3][3], b[3][3];
        make(&random, &pair);
        float scale = ldexpf(1, least_scale + (int)(test_random_u32(&random) % (uint32_t)scales));
        to_floats(pair.a, scale, a);
        to_floats(pair.b, scale, b);
        bool expected = oracle_meets(pair.a, pair.b);
        check_pair(a, b, expected);
        add_to_batch(&batch, a, b, expected);
        hits += expected;
    }
    check_batch(&batch);
    return hits;
}

static int32_t random_int(test_random *random, int32_t low, int32_t high)
{
    return low + (int32_t)(test_random_u32(random) % (uint32_t)(high - low + 1));
}

static void make_lattice(test_random *random, integer_pair *pair, int32_t size, int32_t offset)
{
    for (int i = 0; i < 9; ++i) {
        pair->a[i / 3][i % 3] = offset + random_int(random, 0, size);
        pair->b[i / 3][i % 3] = offset + random_int(random, 0, size);
    }
}

static void make_lattice4(test_random *random, integer_pair *pair)
{
    make_lattice(random, pair, 3, 0);
}

static void make_lattice8(test_random *random, integer_pair *pair)
{
    make_lattice(random, pair, 7, 0);
}

static void make_far_lattice(test_random *random, integer_pair *pair)
{
    make_lattice(random, pair, 5, random_int(random, 0, 1) ? 1000000 : -16000000);
}

static void make_random(test_random *random, integer_pair *pair)
{
    make_lattice(random, pair, 1 << 21, -(1 << 20));
}

/* A point of a triangle, rounded to the grid and moved by at most one step, is a corner of b, in
 * the middle of an edge of b or in the middle of b.
 */
static void make_near_touching(test_random *random, integer_pair *pair)
{
    make_lattice(random, pair, 1 << 20, -(1 << 19));
    double s = test_random_unit(random), t = test_random_unit(random);
    uint32_t where = test_random_u32(random);
    if (s + t > 1) {
        s = 1 - s;
        t = 1 - t;
    }
    if (where & 1)
        t = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double from = pair->a[0][axis];
        int32_t point =
            (int32_t)lrint(from + s * (pair->a[1][axis] - from) + t * (pair->a[2][axis] - from));
        point += random_int(random, -1, 1);
        if ((where & 6) == 0)
            pair->b[0][axis] = point;
        else if ((where & 6) == 2)
            pair->b[0][axis] = 2 * point - pair->b[1][axis];
        else
            pair->b[0][axis] = 3 * point - pair->b[1][axis] - pair->b[2][axis];
    }
}

/* Both in one plane, of integer directions, or nearly so. */
static void make_flat(test_random *random, integer_pair *pair)
{
    int32_t u[3], v[3], origin[3];
    for (int axis = 0; axis < 3; ++axis) {
        u[axis] = random_int(random, -1000, 1000);
        v[axis] = random_int(random, -1000, 1000);
        origin[axis] = random_int(random, -100000, 100000);
    }
    for (int i = 0; i < 6; ++i) {
        int32_t *corner = i < 3 ? pair->a[i] : pair->b[i - 3];
        int32_t s = random_int(random, -20, 20), t = random_int(random, -20, 20);
        for (int axis = 0; axis < 3; ++axis)
            corner[axis] = origin[axis] + s * u[axis] + t * v[axis];
    }
    if (test_random_u32(random) % 4 == 0)
        pair->b[0][random_int(random, 0, 2)] += random_int(random, -1, 1);
}

/* A tiny triangle and a large one. */
static void make_uneven(test_random *random, integer_pair *pair)
{
    make_near_touching(random, pair);
    for (int i = 1; i < 3; ++i) {
        for (int axis = 0; axis < 3; ++axis)
            pair->b[i][axis] = pair->b[0][axis] + random_int(random, -40, 40);
    }
}

TEST(oracle_knows_simple_answers)
{
    int32_t a[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    int32_t above[3][3] = {{0, 0, 1}, {4, 0, 1}, {0, 4, 1}};
    int32_t through[3][3] = {{1, 1, -1}, {1, 1, 1}, {9, 9, 0}};
    int32_t beside[3][3] = {{3, 3, -1}, {3, 3, 1}, {9, 9, 0}};
    int32_t point[3][3] = {{2, 2, 0}, {2, 2, 0}, {2, 2, 0}};
    int32_t off[3][3] = {{2, 3, 0}, {2, 3, 0}, {2, 3, 0}};
    CHECK(oracle_meets(a, a));
    CHECK(!oracle_meets(a, above));
    CHECK(oracle_meets(a, through));
    CHECK(!oracle_meets(a, beside));
    CHECK(oracle_meets(a, point) && oracle_meets(point, a) && oracle_meets(point, point));
    CHECK(!oracle_meets(a, off) && !oracle_meets(off, point));
}

TEST(lattice_of_four)
{
    int hits = check_many(make_lattice4, 1, (int)test_amount(1000000, 100000), -149, 200);
    CHECK_MSG(hits > (int)test_amount(200000, 20000) && hits < 900000, "%d hits", hits);
}

TEST(lattice_of_eight)
{
    int hits = check_many(make_lattice8, 2, (int)test_amount(1000000, 100000), -2, 1);
    CHECK_MSG(hits > (int)test_amount(100000, 10000) && hits < 900000, "%d hits", hits);
}

TEST(lattice_far_from_the_origin)
{
    int hits = check_many(make_far_lattice, 3, 300000, -3, 4);
    CHECK_MSG(hits > 30000 && hits < 270000, "%d hits", hits);
}

TEST(random_pairs)
{
    int hits = check_many(make_random, 4, (int)test_amount(1000000, 100000), -20, 1);
    CHECK_MSG(hits > (int)test_amount(100000, 10000) && hits < 900000, "%d hits", hits);
    CHECK_MSG(lane_unsure < lane_tests / 1000, "%u of %u unsure", lane_unsure, lane_tests);
}

TEST(nearly_touching_pairs)
{
    int hits = check_many(make_near_touching, 5, (int)test_amount(1000000, 100000), -20, 1);
    CHECK_MSG(hits > (int)test_amount(200000, 20000) && hits < 900000, "%d hits", hits);
}

TEST(flat_pairs)
{
    int hits = check_many(make_flat, 6, 200000, -20, 30);
    CHECK_MSG(hits > 50000 && hits < 190000, "%d hits", hits);
}

TEST(small_against_large)
{
    int hits = check_many(make_uneven, 7, 200000, -20, 1);
    CHECK_MSG(hits > 10000 && hits < 190000, "%d hits", hits);
}

/* --- named cases -------------------------------------------------------------------------------
 * Each is checked for all orders of the corners and of the triangles, mirrored, with -0 for 0, and
 * in the lanes.
 */
static void check_named(const char *name, const float a[3][3], const float b[3][3], bool expected)
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    static pair_batch batch;
    batch.count = 0;
    for (int variant = 0; variant < 6 * 6 * 2 * 8; ++variant) {
        float p[3][3], q[3][3];
        const int *order_a = orders[variant % 6], *order_b = orders[variant / 6 % 6];
        int mirror = variant / 72;
        for (int i = 0; i < 3; ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                float sign = mirror >> axis & 1 ? -1.0f : 1.0f;
                p[i][axis] = sign * a[order_a[i]][axis];
                q[i][axis] = sign * b[order_b[i]][axis];
            }
        }
        bool swap = variant / 36 % 2;
        if (!check_pair(swap ? q : p, swap ? p : q, expected))
            fprintf(stderr, "in %s\n", name);
        add_to_batch(&batch, swap ? q : p, swap ? p : q, expected);
    }
    check_batch(&batch);
}

#define TRIANGLE(...) ((const float[3][3]){__VA_ARGS__})
#define MEET(name, a, b) check_named(name, a, b, true)
#define MISS(name, a, b) check_named(name, a, b, false)

static const float flat[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const float up = 1.00000012f, down = 0.99999994f; /* the neighbours of 1 */
static const float tiny = 0x1p-149f;

TEST(corner_against_triangle)
{
    MEET("shared corner", flat, TRIANGLE({0, 0, 0}, {-1, 0, 1}, {0, -1, 1}));
    MEET("corner on edge", flat, TRIANGLE({0.5f, 0.5f, 0}, {1, 1, 1}, {1, 2, 1}));
    MISS("corner just off edge", flat,
         TRIANGLE({0.5f, nextafterf(0.5f, 1), 0}, {1, 1, 1}, {1, 2, 1}));
    MEET("corner just inside", flat,
         TRIANGLE({0.5f, nextafterf(0.5f, 0), 0}, {1, 1, 1}, {1, 2, 1}));
    MEET("corner on face", flat, TRIANGLE({0.25f, 0.25f, 0}, {0, 0, 1}, {1, 1, 1}));
    MISS("corner just above face", flat, TRIANGLE({0.25f, 0.25f, tiny}, {0, 0, 1}, {1, 1, 1}));
    MEET("corner just below face", flat, TRIANGLE({0.25f, 0.25f, -tiny}, {0, 0, 1}, {1, 1, 1}));
    MISS("corner on the plane outside", flat, TRIANGLE({2, 2, 0}, {0, 0, 1}, {1, 1, 1}));
}

TEST(edge_against_triangle)
{
    MEET("shared edge", flat, TRIANGLE({0, 0, 0}, {1, 0, 0}, {0, 0, 1}));
    MEET("part of an edge", flat, TRIANGLE({0.25f, 0, 0}, {0.5f, 0, 0}, {0, -1, 1}));
    MISS("edge beside an edge", flat, TRIANGLE({0, -tiny, 0}, {1, -tiny, 0}, {0, -1, 1}));
    MEET("edge in face", flat, TRIANGLE({0.1f, 0.1f, 0}, {0.2f, 0.3f, 0}, {0, 0, 1}));
    MEET("edge across face", flat, TRIANGLE({-1, 0.25f, 0}, {2, 0.25f, 0}, {0, 0, 1}));
    MEET("edge through corner", flat, TRIANGLE({1, 0, -1}, {1, 0, 1}, {2, 0, 0}));
    MISS("edge past corner", flat, TRIANGLE({up, 0, -1}, {up, 0, 1}, {2, 0, 0}));
    MEET("edge before corner", flat, TRIANGLE({down, 0, -1}, {down, 0, 1}, {2, 0, 0}));
    MEET("edge through edge", flat, TRIANGLE({0.5f, 0, -1}, {0.5f, 0, 1}, {0.5f, -1, 0}));
    MISS("edge past edge", flat, TRIANGLE({0.5f, -tiny, -1}, {0.5f, -tiny, 1}, {0.5f, -1, 0}));
    MEET("crossing", flat, TRIANGLE({0.2f, 0.2f, -1}, {0.2f, 0.2f, 1}, {3, 3, 0}));
    MISS("parallel planes", flat, TRIANGLE({0, 0, tiny}, {1, 0, tiny}, {0, 1, tiny}));
}

TEST(triangles_in_one_plane)
{
    MEET("itself", flat, flat);
    MEET("overlapping", flat, TRIANGLE({0.25f, 0.25f, 0}, {2, 0, 0}, {0, 2, 0}));
    MEET("containing", flat, TRIANGLE({-5, -5, 0}, {10, 0, 0}, {0, 10, 0}));
    MEET("star of six points", flat, TRIANGLE({0.7f, 0.7f, 0}, {-0.3f, 0.6f, 0}, {0.6f, -0.3f, 0}));
    MEET("touching at a corner", flat, TRIANGLE({1, 0, 0}, {2, 0, 0}, {2, 1, 0}));
    MISS("just not at a corner", flat, TRIANGLE({up, 0, 0}, {2, 0, 0}, {2, 1, 0}));
    MEET("touching along an edge", flat, TRIANGLE({0, 1, 0}, {1, 0, 0}, {1, 1, 0}));
    MEET("corner on the long edge", flat, TRIANGLE({0.5f, 0.5f, 0}, {1, 1, 0}, {2, 1, 0}));
    MISS("corner off the long edge", flat,
         TRIANGLE({0.5f, nextafterf(0.5f, 1), 0}, {1, 1, 0}, {2, 1, 0}));
    MISS("apart", flat, TRIANGLE({2, 2, 0}, {3, 2, 0}, {2, 3, 0}));
    MISS("boxes overlap", flat, TRIANGLE({0.9f, 0.9f, 0}, {1, 0.5f, 0}, {0.6f, 1, 0}));
}

TEST(segments_and_points)
{
    const float(*segment)[3] = TRIANGLE({0, 0, 0}, {2, 2, 2}, {1, 1, 1});
    MEET("segment through face", flat,
         TRIANGLE({0.25f, 0.25f, -1}, {0.25f, 0.25f, 1}, {0.25f, 0.25f, 1}));
    MISS("segment past face", flat,
         TRIANGLE({0.75f, 0.75f, -1}, {0.75f, 0.75f, 1}, {0.75f, 0.75f, 0}));
    MEET("segment ends on face", flat,
         TRIANGLE({0.25f, 0.25f, 0}, {0.25f, 0.25f, 1}, {0.25f, 0.25f, 0}));
    MISS("segment ends above", flat,
         TRIANGLE({0.25f, 0.25f, tiny}, {0.25f, 0.25f, 1}, {0.25f, 0.25f, 1}));
    MEET("segment in the plane", flat, TRIANGLE({0.25f, 0.25f, 0}, {3, 3, 0}, {3, 3, 0}));
    MEET("segment inside", flat, TRIANGLE({0.25f, 0.25f, 0}, {0.25f, 0.5f, 0}, {0.25f, 0.25f, 0}));
    MISS("segment in the plane, outside", flat, TRIANGLE({1, 1, 0}, {3, 3, 0}, {2, 2, 0}));
    MEET("segments overlap", segment, TRIANGLE({1, 1, 1}, {3, 3, 3}, {3, 3, 3}));
    MEET("segments touch end to end", segment, TRIANGLE({2, 2, 2}, {3, 3, 3}, {4, 4, 4}));
    MISS("segments on a line, apart", segment, TRIANGLE({3, 3, 3}, {4, 4, 4}, {5, 5, 5}));
    MISS("segments side by side", segment, TRIANGLE({0, 0, tiny}, {2, 2, 2.5f}, {0, 0, tiny}));
    MEET("segments cross", segment, TRIANGLE({0, 2, 1}, {2, 0, 1}, {1, 1, 1}));
    MISS("segments skew", segment, TRIANGLE({0, 2, up}, {2, 0, up}, {1, 1, up}));
    MEET("point on face", flat, TRIANGLE({0.25f, 0.5f, 0}, {0.25f, 0.5f, 0}, {0.25f, 0.5f, 0}));
    MEET("point on edge", flat, TRIANGLE({0.5f, 0.5f, 0}, {0.5f, 0.5f, 0}, {0.5f, 0.5f, 0}));
    MISS("point off edge", flat,
         TRIANGLE({0.5f, 0.50000006f, 0}, {0.5f, 0.50000006f, 0}, {0.5f, 0.50000006f, 0}));
    MISS("point above face", flat,
         TRIANGLE({0.25f, 0.5f, tiny}, {0.25f, 0.5f, tiny}, {0.25f, 0.5f, tiny}));
    MEET("point on segment", segment, TRIANGLE({1, 1, 1}, {1, 1, 1}, {1, 1, 1}));
    MISS("point off segment", segment, TRIANGLE({1, 1, up}, {1, 1, up}, {1, 1, up}));
    MISS("point beyond segment", segment, TRIANGLE({3, 3, 3}, {3, 3, 3}, {3, 3, 3}));
    MEET("point on point", TRIANGLE({1, 1, 1}, {1, 1, 1}, {1, 1, 1}),
         TRIANGLE({1, 1, 1}, {1, 1, 1}, {1, 1, 1}));
    MISS("point by point", TRIANGLE({1, 1, 1}, {1, 1, 1}, {1, 1, 1}),
         TRIANGLE({1, 1, up}, {1, 1, up}, {1, 1, up}));
}

TEST(extreme_sizes)
{
    const float huge = 0x1.bc16d6p59f; /* just below 1e18 */
    MEET("huge on tiny", TRIANGLE({-huge, -huge, 0}, {huge, -huge, 0}, {0, huge, 0}),
         TRIANGLE({0, 0, 0}, {tiny, 0, tiny}, {0, tiny, tiny}));
    MISS("huge above tiny", TRIANGLE({-huge, -huge, 0}, {huge, -huge, 0}, {0, huge, 0}),
         TRIANGLE({0, 0, tiny}, {tiny, 0, 2 * tiny}, {0, tiny, 2 * tiny}));
    MEET("huge and huge", TRIANGLE({-huge, -huge, -huge}, {huge, -huge, 0}, {0, huge, huge}),
         TRIANGLE({0, 0, -huge}, {0, 0, huge}, {huge, huge, huge}));
    MISS("tiny and tiny", TRIANGLE({0, 0, 0}, {tiny, 0, 0}, {0, tiny, 0}),
         TRIANGLE({tiny, tiny, 0}, {2 * tiny, tiny, tiny}, {tiny, 2 * tiny, -tiny}));
    MEET("tiny on tiny", TRIANGLE({0, 0, 0}, {2 * tiny, 0, 0}, {0, 2 * tiny, 0}),
         TRIANGLE({tiny, tiny, 0}, {2 * tiny, 2 * tiny, tiny}, {tiny, 2 * tiny, tiny}));
}
