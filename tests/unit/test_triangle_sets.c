/* Sets of triangles in lanes: boxes, candidates and hits of every instruction set, and of the plain
 * C lanes, against one pair at a time.
 */
#define GRAZEI_ISA_NAME scalar
#define GRAZEI_LANES_SCALAR
#include "narrow/triangle_kernels.c"

#include "harness.h"
#include "support/own.h"

#include <math.h>
#include <stdlib.h>

/* What box_pairs may write of two whole sets. */
#define SET_CANDIDATES (GRAZEI_SET_TRIANGLES * GRAZEI_SET_TRIANGLES + 16)

static int32_t random_int(test_random *random, int32_t low, int32_t high)
{
    return low + (int32_t)(test_random_u32(random) % (uint32_t)(high - low + 1));
}

typedef struct test_set {
    _Alignas(64) float vertices[256][4];
    uint8_t corners[GRAZEI_SET_TRIANGLES][4];
    _Alignas(64) float memory[16 + 18 * GRAZEI_SET_TRIANGLES];
    grazei_triangle_set set;
} test_set;

static void make_set(test_random *random, test_set *set, uint32_t count, bool lattice)
{
    int vertex_count = random_int(random, 1, 256);
    for (int i = 0; i < vertex_count; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            set->vertices[i][axis] =
                lattice ? (float)random_int(random, 0, 3) : (float)test_random_range(random, -1, 1);
        }
        set->vertices[i][3] = NAN; /* whatever is there must not matter */
    }
    for (uint32_t i = 0; i < count; ++i) {
        int first = random_int(random, 0, vertex_count - 1);
        for (int k = 0; k < 3; ++k) /* neighbours, so that boxes are small now and then */
            set->corners[i][k] = (uint8_t)((first + random_int(random, 0, 4)) % vertex_count);
        set->corners[i][3] = 255;
    }
    set->set = grazei_triangle_set_at(set->memory, count);
}

static void get_triangle(const test_set *set, uint32_t number, float out[3][3])
{
    for (int i = 0; i < 3; ++i)
        memcpy(out[i], set->vertices[set->corners[number][i]], sizeof out[i]);
}

/* One axis at a time, from the corners. */
static bool boxes_touch(float a[3][3], float b[3][3])
{
    for (int axis = 0; axis < 3; ++axis) {
        float least[2] = {INFINITY, INFINITY}, greatest[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < 3; ++i) {
            least[0] = fminf(least[0], a[i][axis]);
            least[1] = fminf(least[1], b[i][axis]);
            greatest[0] = fmaxf(greatest[0], a[i][axis]);
            greatest[1] = fmaxf(greatest[1], b[i][axis]);
        }
        if (least[0] > greatest[1] || least[1] > greatest[0])
            return false;
    }
    return true;
}

/* Every second number or so, in order. */
static size_t pick_numbers(test_random *random, uint32_t count, uint16_t *numbers)
{
    size_t picked = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (test_random_u32(random) & 1)
            numbers[picked++] = (uint16_t)i;
    }
    return picked;
}

static void check_pairs_of_sets(const grazei_triangle_kernels *functions, const test_set *a,
                                const uint16_t *a_numbers, size_t a_count, const test_set *b,
                                const uint16_t *b_numbers, size_t b_count)
{
    static uint16_t candidates[SET_CANDIDATES];
    static uint16_t expected[SET_CANDIDATES], expected_hits[SET_CANDIDATES];
    size_t count = 0, hit_count = 0, unsure = 0;
    for (size_t i = 0; i < (a_numbers ? a_count : a->set.count); ++i) {
        for (size_t j = 0; j < (b_numbers ? b_count : b->set.count); ++j) {
            uint32_t m = a_numbers ? a_numbers[i] : (uint32_t)i;
            uint32_t n = b_numbers ? b_numbers[j] : (uint32_t)j;
            float p[3][3], q[3][3];
            get_triangle(a, m, p);
            get_triangle(b, n, q);
            if (!boxes_touch(p, q))
                continue;
            expected[count++] = grazei_pair(m, n);
            if (grazei_triangles_meet((const float(*)[3])p, (const float(*)[3])q))
                expected_hits[hit_count++] = grazei_pair(m, n);
        }
    }
    candidates[count + 16] = 0xabcd; /* the last place that may not be written */
    size_t found =
        functions->box_pairs(&a->set, a_numbers, a_count, &b->set, b_numbers, b_count, candidates);
    CHECK(candidates[count + 16] == 0xabcd || count + 16 >= SET_CANDIDATES);
    CHECK(found == count && memcmp(candidates, expected, count * sizeof *expected) == 0);
    OWNED uint16_t *hits = malloc(count * sizeof *hits + 1); /* exactly, for the sanitizers */
    OWNED uint16_t *exact = malloc(count * sizeof *exact + 1);
    memcpy(exact, expected, count * sizeof *exact);
    found = functions->triangle_pairs(&a->set, &b->set, exact, count, hits, &unsure);
    CHECK(found == hit_count && memcmp(hits, expected_hits, found * sizeof *hits) == 0);
    found = functions->triangle_pairs(&a->set, &b->set, exact, count, exact, &unsure);
    CHECK(found == hit_count && memcmp(exact, expected_hits, found * sizeof *hits) == 0);
}

static void check_boxes_of_set(const grazei_triangle_kernels *functions, const test_set *set,
                               float box[3][3])
{
    uint16_t numbers[GRAZEI_SET_NUMBERS];
    float least[3], greatest[3];
    size_t expected = 0;
    for (int axis = 0; axis < 3; ++axis) {
        least[axis] = fminf(fminf(box[0][axis], box[1][axis]), box[2][axis]);
        greatest[axis] = fmaxf(fmaxf(box[0][axis], box[1][axis]), box[2][axis]);
    }
    size_t found = functions->boxes_overlapping(&set->set, least, greatest, numbers);
    for (uint32_t i = 0; i < set->set.count; ++i) {
        float triangle[3][3];
        get_triangle(set, i, triangle);
        bool overlaps = expected < found && numbers[expected] == i;
        CHECK(overlaps == boxes_touch(triangle, box));
        expected += overlaps;
    }
    CHECK(expected == found);
}

static void check_sets(const grazei_triangle_kernels *functions)
{
    static test_set a, b;
    test_random random = test_random_seed(11);
    for (int i = 0; i < 60; ++i) {
        uint16_t a_numbers[GRAZEI_SET_TRIANGLES], b_numbers[GRAZEI_SET_TRIANGLES];
        uint32_t counts[2] = {(uint32_t)random_int(&random, 0, 128),
                              (uint32_t)random_int(&random, 0, 128)};
        if (i < 2)
            counts[0] = counts[1] = 128;
        make_set(&random, &a, counts[0], i & 1);
        make_set(&random, &b, counts[1], i & 1);
        functions->triangle_set((const float(*)[4])a.vertices, (const uint8_t(*)[4])a.corners,
                                &a.set);
        functions->triangle_set((const float(*)[4])b.vertices, (const uint8_t(*)[4])b.corners,
                                &b.set);
        size_t a_count = pick_numbers(&random, counts[0], a_numbers);
        size_t b_count = pick_numbers(&random, counts[1], b_numbers);
        check_pairs_of_sets(functions, &a, NULL, 0, &b, NULL, 0);
        check_pairs_of_sets(functions, &a, a_numbers, a_count, &b, NULL, 0);
        check_pairs_of_sets(functions, &a, NULL, 0, &b, b_numbers, b_count);
        check_pairs_of_sets(functions, &a, a_numbers, a_count, &b, b_numbers, b_count);
        for (uint32_t k = 0; k < counts[0]; ++k) {
            float box[3][3];
            get_triangle(&a, k, box);
            check_boxes_of_set(functions, &b, box);
        }
    }
}

TEST(sets_in_plain_c)
{
    check_sets(&grazei_triangle_kernels_scalar);
}

TEST(sets_in_base)
{
    check_sets(&grazei_triangle_kernels_base);
}

#if defined(__x86_64__)
TEST(sets_in_avx2)
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2"))
        return; /* every instruction set that this machine has, and no other */
    check_sets(&grazei_triangle_kernels_avx2);
}

TEST(sets_in_avx512)
{
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl") ||
        !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512dq"))
        return;
    check_sets(&grazei_triangle_kernels_avx512);
}
#endif
