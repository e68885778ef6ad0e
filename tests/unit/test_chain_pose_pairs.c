/* Which spheres overlap: every method, instruction set and number of threads gives what a plain
 * loop over the chains' own lists gives, spheres on a lattice that just touch among them; moving
 * spheres against small steps.
 */
#include "harness.h"
#include "support/chain_lists.h"
#include "support/own.h"
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
    graze_chain_tracker *plan;
    uint32_t count;
    float *spheres, *others;
    graze_pair *pairs, *expected;
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
    def.no_self_collision = true;
    if (graze_model_create(&def, &s->model, NULL))
        abort();
    s->chains = random_chains_make(s->model, &def, count, 1, &random);
    const graze_chain_tracker_def plan_def = {.clusters = 1};
    if (graze_chain_tracker_create(s->chains.chains, &plan_def, &s->plan, NULL))
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
    graze_chain_tracker_destroy(s->plan);
    random_chains_free(&s->chains);
    graze_model_destroy(s->model);
    soup_free(&s->mesh);
    free(s->spheres);
    free(s->others);
    free(s->pairs);
    free(s->expected);
}

OWN_VALUE(scene, close_scene)

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

/* What is asked, and how. */
typedef struct way {
    const char *name;
    graze_chain_pairs_of which;
    graze_method method;
} way;

static const way ways[] = {{"chains", GRAZE_CHAIN_PAIRS, GRAZE_LAZY},
                           {"all", GRAZE_ALL_PAIRS, GRAZE_LAZY},
                           {"tree", GRAZE_CHAIN_PAIRS, GRAZE_EAGER},
                           {"all, with a tree", GRAZE_ALL_PAIRS, GRAZE_EAGER},
                           {"chains, plain", GRAZE_CHAIN_PAIRS, GRAZE_BRUTE},
                           {"all, plain", GRAZE_ALL_PAIRS, GRAZE_BRUTE}};

enum { WAYS = sizeof ways / sizeof *ways };

static graze_posed_chains at(const scene *s, const float *spheres, const float *end)
{
    return (graze_posed_chains){s->plan, spheres, end};
}

static size_t expect(scene *s, graze_chain_pairs_of which)
{
    uint32_t count;
    const graze_pair *list = graze_chains_pairs(s->chains.chains, which, &count);
    size_t found = 0;
    CHECK(count == chain_count_pairs(s->plan, which));
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

typedef struct taken {
    scene *s;
    size_t count, most; /* true is returned while there are fewer */
} taken;

static bool take(void *user, const graze_pair *pairs, size_t count)
{
    taken *t = user;
    CHECK(count > 0 && t->count + count <= t->s->capacity && t->count < t->most);
    memcpy(t->s->pairs + t->count, pairs, count * sizeof *pairs);
    t->count += count;
    return t->count < t->most;
}

/* Through a callback, to the end and not. */
static void check_callback(scene *s, const graze_posed_chains *b, const way *w, size_t wanted)
{
    const graze_posed_chains a = at(s, s->spheres, NULL);
    const graze_options options = {.method = w->method};
    for (int stops = 0; stops < 2; stops++) {
        taken t = {s, 0, stops ? wanted / 2 : SIZE_MAX};
        graze_pair_list list = {.report = take, .user = &t};
        if (stops && !t.most)
            continue;
        memset(s->pairs, 0xff, s->capacity * sizeof *s->pairs);
        REQUIRE(!graze_chain_pairs(&a, b, w->which, &list, &options, NULL));
        CHECK(list.count == 0 && list.total == t.count);
        CHECK(stops ? t.count >= t.most && t.count <= wanted : t.count == wanted);
        CHECK_MSG(memcmp(s->pairs, s->expected, t.count * sizeof *s->pairs) == 0, "%s", w->name);
    }
}

static void check_methods(scene *s, graze_pool *const pools[3])
{
    const graze_posed_chains a = at(s, s->spheres, NULL);
    for (int w = 0; w < WAYS; w++) {
        graze_chain_pairs_of which = ways[w].which;
        size_t wanted = expect(s, which), found = 0;
        graze_options options = {.method = ways[w].method};
        for (int p = 0; p < 3; p++) {
            options.pool = pools[p];
            memset(s->pairs, 0xff, s->capacity * sizeof *s->pairs);
            REQUIRE(!chain_list_pairs(&a, NULL, which, &options, s->pairs, s->capacity, &found));
            check_same(s, found, wanted, ways[w].name);
        }
        /* Too little room: the first ones, and how many there are. */
        size_t part = wanted / 2;
        options.pool = pools[1];
        memset(s->pairs, 0xff, s->capacity * sizeof *s->pairs);
        REQUIRE(!chain_list_pairs(&a, NULL, which, &options, part ? s->pairs : NULL, part, &found));
        CHECK(found == wanted && memcmp(s->pairs, s->expected, part * sizeof *s->pairs) == 0);
        CHECK(s->pairs[part].a == UINT32_MAX);
        check_callback(s, NULL, &ways[w], wanted);
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
                s->expected[wanted++] = (graze_pair){.a = a, .b = b};
    const graze_posed_chains one = at(s, s->spheres, NULL), other = at(s, s->others, NULL);
    for (int w = 0; w < WAYS; w++) {
        const graze_options options = {.method = ways[w].method};
        REQUIRE(!chain_list_pairs(&one, &other, ways[w].which, &options, s->pairs, s->capacity,
                                  &found));
        check_same(s, found, wanted, "between");
        check_callback(s, &other, &ways[w], wanted);
    }
    size_t part = wanted / 2;
    memset(s->pairs, 0xff, s->capacity * sizeof *s->pairs);
    REQUIRE(!chain_list_pairs(&one, &other, GRAZE_ALL_PAIRS, NULL, s->pairs, part, &found));
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
            OWN(scene) s = {0};
            open_scene(&s, counts[c], isas[i], 200 + c);
            for (uint32_t round = 0; round < test_amount(40, 8); round++) {
                place(s.spheres, s.count, round % 4, &random);
                place(s.others, s.count, round % 4, &random);
                check_methods(&s, pools);
                check_between(&s);
            }
        }
    CHECK(compared > 10000);
    graze_pool_destroy(pools[1]);
    graze_pool_destroy(pools[2]);
}

/* ---- chains are fewer pairs ----------------------------------------------------------------- */

TEST(pairs_of_chains_are_among_all)
{
    OWN(scene) s = {0};
    test_random random = test_random_seed(9);
    open_scene(&s, 60, GRAZE_ISA_BEST, 10);
    for (int round = 0; round < 20; round++) {
        size_t of_chains = 0, of_all = 0;
        place(s.spheres, s.count, 0, &random);
        const graze_posed_chains posed = at(&s, s.spheres, NULL);
        REQUIRE(!chain_list_pairs(&posed, NULL, GRAZE_CHAIN_PAIRS, NULL, s.pairs, s.capacity,
                                  &of_chains) &&
                !chain_list_pairs(&posed, NULL, GRAZE_ALL_PAIRS, NULL, s.expected, s.capacity,
                                  &of_all));
        size_t k = 0;
        for (size_t i = 0; i < of_chains; i++) {
            while (k < of_all && memcmp(&s.expected[k], &s.pairs[i], sizeof *s.pairs) != 0)
                k++;
            CHECK(k < of_all);
        }
        CHECK(of_chains > 0 && of_chains < of_all);
    }
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

/* What rounding a time down to a float takes away, at most. */
#define TIME_ROUNDING 0x1p-23

/* time: of first touch, rounded down; above 1 if there is none. */
static void check_touch(const float *a[2], const float *b[2], double time)
{
    const double speed = fabs(gap(a, b, time + TIME_ROUNDING) - gap(a, b, time));
    for (int i = 0; i <= STEPS; i++) {
        double at = (double)i / STEPS;
        if (at < time - 1e-9)
            CHECK_MSG(gap(a, b, at) > -1e-9, "%g deep at %g, before %g", -gap(a, b, at), at, time);
    }
    if (time > 0 && time <= 1)
        CHECK_MSG(gap(a, b, time) > -1e-6 && gap(a, b, time) < 1e-6 + 2 * speed, "%g apart at %g",
                  gap(a, b, time), time);
    if (time == 0)
        CHECK(touch(a[0], b[0]) || gap(a, b, 0) <= 0);
}

static uint64_t impacts_seen, misses_seen;

static bool is_of(const graze_impact *impact, uint32_t a, uint32_t b)
{
    return impact->triangles[0] == a && impact->triangles[1] == b;
}

static void check_sweep(scene *s, graze_chain_pairs_of which, graze_impact *impacts)
{
    uint32_t count;
    size_t found, next = 0;
    const graze_posed_chains posed = at(s, s->spheres, s->others);
    const graze_pair *list = graze_chains_pairs(s->chains.chains, which, &count);
    REQUIRE(!chain_list_impacts(&posed, NULL, which, impacts, s->capacity, &found));
    for (uint32_t i = 0; i < count; i++) {
        size_t at_a = 4 * (size_t)list[i].a, at_b = 4 * (size_t)list[i].b;
        const float *a[2] = {s->spheres + at_a, s->others + at_a};
        const float *b[2] = {s->spheres + at_b, s->others + at_b};
        bool hit = next < found && is_of(&impacts[next], list[i].a, list[i].b);
        check_touch(a, b, hit ? (double)impacts[next].time : 2);
        if (hit)
            CHECK(impacts[next].found && impacts[next].time >= 0 && impacts[next].time <= 1 &&
                  impacts[next].initial == touch(a[0], b[0]));
        next += hit;
        impacts_seen += hit;
        misses_seen += !hit;
    }
    CHECK_MSG(next == found, "%zu impacts of pairs that are not listed, or not in order",
              found - next);
}

TEST(moving_spheres_touch_when_small_steps_say_so)
{
    OWN(scene) s = {0};
    test_random random = test_random_seed(70);
    open_scene(&s, 24, GRAZE_ISA_BEST, 71);
    OWNED graze_impact *impacts = room(s.capacity, sizeof *impacts);
    for (uint32_t round = 0; round < test_amount(60, 8); round++) {
        place(s.spheres, s.count, round % 2, &random);
        place(s.others, s.count, round % 2, &random);
        for (uint32_t i = 0; i < s.count; i++) {
            s.spheres[4 * i + 3] *= 0.3f;
            s.others[4 * i + 3] *= 0.3f;
        }
        check_sweep(&s, GRAZE_CHAIN_PAIRS, impacts);
        check_sweep(&s, GRAZE_ALL_PAIRS, impacts);
        size_t found;
        const graze_posed_chains there = at(&s, s.spheres, s.others);
        const graze_posed_chains back = at(&s, s.others, s.spheres);
        REQUIRE(!chain_list_impacts(&there, &back, GRAZE_ALL_PAIRS, impacts, s.capacity, &found));
        size_t next = 0;
        for (uint32_t a = 0; a < s.count; a++)
            for (uint32_t b = 0; b < s.count; b++) {
                const float *one[2] = {s.spheres + 4 * (size_t)a, s.others + 4 * (size_t)a};
                const float *two[2] = {s.others + 4 * (size_t)b, s.spheres + 4 * (size_t)b};
                bool hit = next < found && is_of(&impacts[next], a, b);
                check_touch(one, two, hit ? (double)impacts[next].time : 2);
                next += hit;
            }
        CHECK(next == found);
    }
    CHECK(impacts_seen > 100 && misses_seen > 100);
}

/* Of one sphere that stands still and one that moves; -1: they never touch. */
static double impact_time(const scene *s, const float from[4], const float to[4])
{
    static const float still[4] = {0, 0, 0, 1};
    graze_impact impact;
    size_t count = 0;
    const graze_posed_chains a = at(s, still, still), b = at(s, from, to);
    CHECK(!chain_list_impacts(&a, &b, GRAZE_ALL_PAIRS, &impact, 1, &count));
    return count ? (double)impact.time : -1;
}

static bool is_below(double time, double exact)
{
    return time <= exact && time > exact - TIME_ROUNDING;
}

TEST(known_impacts)
{
    OWN(scene) s = {0};
    open_scene(&s, 1, GRAZE_ISA_BEST, 72);
    const float inside[4] = {0, 0, 0, 1}, from[4] = {5, 0, 0, 1}, to[4] = {-5, 0, 0, 1};
    CHECK(is_below(impact_time(&s, from, to), 0.3)); /* at a distance of 2 */
    const float grown[4] = {5, 0, 0, 9};
    CHECK(is_below(impact_time(&s, from, grown), 3.0 / 8)); /* when its radius is 4 */
    const float beside[4] = {5, 3, 0, 1}, past[4] = {-5, 3, 0, 1};
    CHECK(impact_time(&s, beside, past) == -1);
    CHECK(impact_time(&s, inside, from) == 0);
}

/* ---- bad input ------------------------------------------------------------------------------ */

TEST(bad_input_is_refused_in_words)
{
    OWN(scene) s = {0};
    graze_error error = {.text = ""};
    test_random random = test_random_seed(73);
    graze_impact impact;
    open_scene(&s, 4, GRAZE_ISA_BEST, 74);
    place(s.spheres, s.count, 0, &random);
    const graze_posed_chains posed = at(&s, s.spheres, s.others);
    graze_pair_list list = {.items = s.pairs, .capacity = 4, .count = 5, .total = 5};
#define REFUSE(which, status, words)                                                               \
    CHECK(graze_chain_pairs(&posed, NULL, which, &list, &options, &error) == (status));            \
    CHECK_MSG(strcmp(error.text, words) == 0, "%s", error.text);                                   \
    CHECK(list.count == 0 && list.total == 0)
    graze_options options = {0};
    REFUSE((graze_chain_pairs_of)3, GRAZE_BAD_INPUT, "pairs 3 are unknown");
    options.method = (graze_method)3;
    REFUSE(GRAZE_ALL_PAIRS, GRAZE_BAD_INPUT, "method 3 is unknown");
    options = (graze_options){.any = true};
    REFUSE(GRAZE_ALL_PAIRS, GRAZE_UNSUPPORTED, "this question does not have the option any");
    options = (graze_options){0};
    list.items = NULL;
    REFUSE(GRAZE_ALL_PAIRS, GRAZE_BAD_INPUT, "the list has a capacity and no items");
    list.items = s.pairs;
    list.report = take;
    REFUSE(GRAZE_ALL_PAIRS, GRAZE_BAD_INPUT, "the list has both items and report");
#undef REFUSE
    memcpy(s.others, s.spheres, 16 * sizeof *s.others);
    s.others[4 * 2 + 3] = -1;
    graze_impact_list impacts = {.items = &impact, .capacity = 1};
    CHECK(graze_chain_sweep(&posed, NULL, GRAZE_ALL_PAIRS, &impacts, NULL, &error) ==
          GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, "sphere 2 has a negative radius") == 0, "%s", error.text);
}
