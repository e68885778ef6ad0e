/* Which spheres overlap: every method, instruction set and number of threads gives what a plain
 * loop over the chains' own lists gives, spheres on a lattice that just touch among them; moving
 * spheres against small steps.
 */
#include "harness.h"
#include "support/quick.h"
#include "support/random_chains.h"
#include "support/soup.h"

#include <graze/graze.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *room(size_t count, size_t size)
{
    void *made = malloc((count + 1) * size);
    if (!made)
        abort();
    return made;
}

/* Chains by lot over a soup that means nothing. */
typedef struct scene {
    soup mesh;
    graze_model *model;
    random_chains chains;
    graze_chain_plan *plan;
    uint32_t count;
    float *spheres, *others;
    graze_chain_pair *pairs, *expected;
    size_t capacity;
} scene;

static void open_scene(scene *s, uint32_t count, graze_isa isa, uint64_t seed)
{
    test_random random = test_random_seed(seed);
    const soup_def mesh = {
        .vertex_count = 60, .triangle_count = 50, .joint_count = 3, .max_influences = 2, .size = 1};
    s->mesh = soup_make(&mesh, &random);
    graze_model_def def = soup_model_def(&s->mesh);
    def.isa = isa;
    def.self_collision = false;
    if (graze_model_create(&def, &s->model, NULL))
        abort();
    s->chains = random_chains_make(s->model, &def, count, 1, &random);
    const graze_chain_plan_def plan_def = {.clusters = 1};
    if (graze_chain_plan_create(s->chains.chains, &plan_def, &s->plan, NULL))
        abort();
    s->count = count;
    s->capacity = (size_t)count * count;
    s->spheres = room(4 * (size_t)count, sizeof *s->spheres);
    s->others = room(4 * (size_t)count, sizeof *s->others);
    s->pairs = room(s->capacity, sizeof *s->pairs);
    s->expected = room(s->capacity, sizeof *s->expected);
}

static void close_scene(scene *s)
{
    graze_chain_plan_destroy(s->plan);
    random_chains_free(&s->chains);
    graze_model_destroy(s->model);
    soup_free(&s->mesh);
    free(s->spheres);
    free(s->others);
    free(s->pairs);
    free(s->expected);
}

/* Spheres by lot; of kind 1 on a lattice, so that many just touch; of kind 2 far away. */
static void place(float *spheres, uint32_t count, uint32_t kind, test_random *random)
{
    for (uint32_t i = 0; i < 4 * count; i++) {
        double x = i % 4 == 3 ? test_random_range(random, 0, 0.3) : test_random_range(random, 0, 1);
        if (kind == 1)
            x = i % 4 == 3 ? test_random_u32(random) % 3 : test_random_u32(random) % 8;
        if (kind == 2 && i % 4 != 3)
            x += 1e4;
        spheres[i] = (float)x;
    }
    if (kind == 3)
        spheres[test_random_u32(random) % (4 * count)] = NAN;
}

static bool touch(const float *a, const float *b)
{
    float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2], r = a[3] + b[3];
    return (x * x + y * y) + z * z <= r * r;
}

static size_t expect(scene *s, graze_chain_method method)
{
    uint32_t count;
    const graze_chain_pair *list = method == GRAZE_CHAIN_ALL
                                       ? graze_chains_all_pairs(s->chains.chains, &count)
                                       : graze_chains_checked(s->chains.chains, &count);
    size_t found = 0;
    CHECK(count == graze_chain_plan_pair_count(s->plan, method));
    for (uint32_t i = 0; i < count; i++)
        if (touch(s->spheres + 4 * (size_t)list[i].a, s->spheres + 4 * (size_t)list[i].b))
            s->expected[found++] = list[i];
    return found;
}

static void check_same(const scene *s, size_t found, size_t expected, const char *what)
{
    CHECK_MSG(found == expected, "%s: %zu pairs, not %zu", what, found, expected);
    CHECK_MSG(memcmp(s->pairs, s->expected, expected * sizeof *s->pairs) == 0, "%s: pairs differ",
              what);
}

static uint64_t compared;

static void check_methods(scene *s, graze_pool *const pools[3])
{
    static const char *const names[] = {"chains", "all", "tree"};
    for (int m = 0; m < 3; m++) {
        graze_chain_method method = (graze_chain_method)m;
        size_t wanted = expect(s, method), found = 0;
        for (int p = 0; p < 3; p++) {
            memset(s->pairs, 0xff, s->capacity * sizeof *s->pairs);
            REQUIRE(!graze_chain_pairs(s->plan, s->spheres, method, pools[p], s->pairs, s->capacity,
                                       &found, NULL));
            check_same(s, found, wanted, names[m]);
        }
        REQUIRE(!graze_chain_pairs_plain(s->plan, s->spheres, method, s->pairs, s->capacity, &found,
                                         NULL));
        check_same(s, found, wanted, "plain");
        /* Too little room: the first ones, and how many there are. */
        size_t part = wanted / 2;
        memset(s->pairs, 0xff, s->capacity * sizeof *s->pairs);
        REQUIRE(!graze_chain_pairs(s->plan, s->spheres, method, pools[1], part ? s->pairs : NULL,
                                   part, &found, NULL));
        CHECK(found == wanted && memcmp(s->pairs, s->expected, part * sizeof *s->pairs) == 0);
        CHECK(s->pairs[part].a == UINT32_MAX);
        compared += wanted;
    }
}

/* Every sphere of one with every of the other. */
static void check_between(scene *s)
{
    size_t wanted = 0, found = 0;
    for (uint32_t a = 0; a < s->count; a++)
        for (uint32_t b = 0; b < s->count; b++)
            if (touch(s->spheres + 4 * (size_t)a, s->others + 4 * (size_t)b))
                s->expected[wanted++] = (graze_chain_pair){a, b};
    for (int m = 0; m < 3; m++) {
        REQUIRE(!graze_chain_pairs_between(s->plan, s->spheres, s->plan, s->others,
                                           (graze_chain_method)m, s->pairs, s->capacity, &found,
                                           NULL));
        check_same(s, found, wanted, "between");
    }
    size_t part = wanted / 2;
    memset(s->pairs, 0xff, s->capacity * sizeof *s->pairs);
    REQUIRE(!graze_chain_pairs_between(s->plan, s->spheres, s->plan, s->others, GRAZE_CHAIN_ALL,
                                       s->pairs, part, &found, NULL));
    CHECK(found == wanted && memcmp(s->pairs, s->expected, part * sizeof *s->pairs) == 0);
    CHECK(s->pairs[part].a == UINT32_MAX);
}

TEST(methods_threads_and_lanes_agree_with_brute_force)
{
    static const uint32_t counts[] = {1, 2, 3, 5, 15, 16, 17, 33, 64, 150};
    static const graze_isa isas[] = {GRAZE_ISA_BASE, GRAZE_ISA_AVX2, GRAZE_ISA_AVX512};
    graze_pool *pools[3] = {NULL, NULL, NULL};
    REQUIRE(!graze_pool_create(2, NULL, &pools[1], NULL) &&
            !graze_pool_create(8, NULL, &pools[2], NULL));
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++)
        for (size_t c = 0; graze_isa_available(isas[i]) && c < sizeof counts / sizeof *counts;
             c++) {
            test_random random = test_random_seed(100 + c);
            scene s;
            open_scene(&s, counts[c], isas[i], 200 + c);
            for (uint32_t round = 0; round < test_amount(40, 8); round++) {
                place(s.spheres, s.count, round % 4, &random);
                place(s.others, s.count, round % 4, &random);
                check_methods(&s, pools);
                check_between(&s);
            }
            close_scene(&s);
        }
    CHECK(compared > 10000);
    graze_pool_destroy(pools[1]);
    graze_pool_destroy(pools[2]);
}

/* ---- chains are fewer pairs ----------------------------------------------------------------- */

TEST(pairs_of_chains_are_among_all)
{
    scene s;
    test_random random = test_random_seed(9);
    open_scene(&s, 60, GRAZE_ISA_BEST, 10);
    for (int round = 0; round < 20; round++) {
        size_t of_chains, of_all;
        place(s.spheres, s.count, 0, &random);
        REQUIRE(!graze_chain_pairs(s.plan, s.spheres, GRAZE_CHAIN_CHAINS, NULL, s.pairs, s.capacity,
                                   &of_chains, NULL) &&
                !graze_chain_pairs(s.plan, s.spheres, GRAZE_CHAIN_ALL, NULL, s.expected, s.capacity,
                                   &of_all, NULL));
        size_t k = 0;
        for (size_t i = 0; i < of_chains; i++) {
            while (k < of_all && memcmp(&s.expected[k], &s.pairs[i], sizeof *s.pairs) != 0)
                k++;
            CHECK(k < of_all);
        }
        CHECK(of_chains > 0 && of_chains < of_all);
    }
    close_scene(&s);
}

/* ---- on the way ------------------------------------------------------------------------------ */

/* How far apart two are at a time: distance less radii. */
static double gap(const float *a[2], const float *b[2], double time)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double from = (double)a[0][k] - (double)b[0][k], to = (double)a[1][k] - (double)b[1][k];
        double d = from + time * (to - from);
        square += d * d;
    }
    double from = (double)a[0][3] + (double)b[0][3], to = (double)a[1][3] + (double)b[1][3];
    return sqrt(square) - (from + time * (to - from));
}

enum { STEPS = 200 };

/* time: of first touch, above 1 if there is none. */
static void check_touch(const float *a[2], const float *b[2], double time)
{
    for (int i = 0; i <= STEPS; i++) {
        double at = (double)i / STEPS;
        if (at < time - 1e-9)
            CHECK_MSG(gap(a, b, at) > -1e-9, "%g deep at %g, before %g", -gap(a, b, at), at, time);
    }
    if (time > 0 && time <= 1)
        CHECK_MSG(fabs(gap(a, b, time)) < 1e-6, "%g apart at %g", gap(a, b, time), time);
    if (time == 0)
        CHECK(touch(a[0], b[0]) || gap(a, b, 0) <= 0);
}

static uint64_t impacts_seen, misses_seen;

static void check_sweep(scene *s, graze_chain_method method, graze_chain_impact *impacts)
{
    uint32_t count;
    size_t found, next = 0;
    const graze_chain_pair *list = method == GRAZE_CHAIN_ALL
                                       ? graze_chains_all_pairs(s->chains.chains, &count)
                                       : graze_chains_checked(s->chains.chains, &count);
    REQUIRE(!graze_chain_sweep(s->plan, s->spheres, s->others, method, impacts, s->capacity, &found,
                               NULL));
    for (uint32_t i = 0; i < count; i++) {
        size_t at_a = 4 * (size_t)list[i].a, at_b = 4 * (size_t)list[i].b;
        const float *a[2] = {s->spheres + at_a, s->others + at_a};
        const float *b[2] = {s->spheres + at_b, s->others + at_b};
        bool hit = next < found && impacts[next].a == list[i].a && impacts[next].b == list[i].b;
        check_touch(a, b, hit ? impacts[next].time : 2);
        if (hit)
            CHECK(impacts[next].time >= 0 && impacts[next].time <= 1);
        next += hit;
        impacts_seen += hit;
        misses_seen += !hit;
    }
    CHECK_MSG(next == found, "%zu impacts of pairs that are not listed, or not in order",
              found - next);
}

TEST(moving_spheres_touch_when_small_steps_say_so)
{
    scene s;
    test_random random = test_random_seed(70);
    open_scene(&s, 24, GRAZE_ISA_BEST, 71);
    graze_chain_impact *impacts = room(s.capacity, sizeof *impacts);
    for (uint32_t round = 0; round < test_amount(60, 8); round++) {
        place(s.spheres, s.count, round % 2, &random);
        place(s.others, s.count, round % 2, &random);
        for (uint32_t i = 0; i < s.count; i++) {
            s.spheres[4 * i + 3] *= 0.3f;
            s.others[4 * i + 3] *= 0.3f;
        }
        for (int m = 0; m < 3; m++)
            check_sweep(&s, (graze_chain_method)m, impacts);
        size_t found;
        REQUIRE(!graze_chain_sweep_between(s.plan, s.spheres, s.others, s.plan, s.others, s.spheres,
                                           impacts, s.capacity, &found, NULL));
        size_t next = 0;
        for (uint32_t a = 0; a < s.count; a++)
            for (uint32_t b = 0; b < s.count; b++) {
                const float *one[2] = {s.spheres + 4 * (size_t)a, s.others + 4 * (size_t)a};
                const float *two[2] = {s.others + 4 * (size_t)b, s.spheres + 4 * (size_t)b};
                bool hit = next < found && impacts[next].a == a && impacts[next].b == b;
                check_touch(one, two, hit ? impacts[next].time : 2);
                next += hit;
            }
        CHECK(next == found);
    }
    CHECK(impacts_seen > 100 && misses_seen > 100);
    free(impacts);
    close_scene(&s);
}

TEST(known_impacts)
{
    scene s;
    graze_chain_impact impact;
    size_t count = 0;
    open_scene(&s, 1, GRAZE_ISA_BEST, 72);
    const float still[4] = {0, 0, 0, 1}, from[4] = {5, 0, 0, 1}, to[4] = {-5, 0, 0, 1};
    REQUIRE(!graze_chain_sweep_between(s.plan, still, still, s.plan, from, to, &impact, 1, &count,
                                       NULL));
    CHECK(count == 1 && fabs(impact.time - 0.3) < 1e-12); /* at a distance of 2 */
    const float grown[4] = {5, 0, 0, 9};
    REQUIRE(!graze_chain_sweep_between(s.plan, still, still, s.plan, from, grown, &impact, 1,
                                       &count, NULL));
    CHECK(count == 1 && fabs(impact.time - 3.0 / 8) < 1e-12); /* when its radius is 4 */
    const float beside[4] = {5, 3, 0, 1}, past[4] = {-5, 3, 0, 1};
    REQUIRE(!graze_chain_sweep_between(s.plan, still, still, s.plan, beside, past, &impact, 1,
                                       &count, NULL));
    CHECK(count == 0);
    REQUIRE(!graze_chain_sweep_between(s.plan, still, still, s.plan, still, from, &impact, 1,
                                       &count, NULL));
    CHECK(count == 1 && impact.time == 0);
    close_scene(&s);
}

/* ---- bad input ------------------------------------------------------------------------------ */

TEST(bad_input_is_refused_in_words)
{
    scene s;
    size_t count = 5;
    graze_error error = {.text = ""};
    test_random random = test_random_seed(73);
    graze_chain_impact impact;
    open_scene(&s, 4, GRAZE_ISA_BEST, 74);
    place(s.spheres, s.count, 0, &random);
    CHECK(graze_chain_pairs(s.plan, s.spheres, (graze_chain_method)3, NULL, s.pairs, 4, &count,
                            &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, "method 3 is unknown") == 0, "%s", error.text);
    CHECK(graze_chain_pairs(s.plan, s.spheres, GRAZE_CHAIN_ALL, NULL, NULL, 4, &count, &error) ==
          GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, "where pairs go is NULL") == 0, "%s", error.text);
    memcpy(s.others, s.spheres, 16 * sizeof *s.others);
    s.others[4 * 2 + 3] = -1;
    CHECK(graze_chain_sweep(s.plan, s.spheres, s.others, GRAZE_CHAIN_ALL, &impact, 1, &count,
                            &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, "sphere 2 has a negative radius") == 0, "%s", error.text);
    CHECK(count == 5);
    close_scene(&s);
}
