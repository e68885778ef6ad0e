/* Thin triangles side by side in one plane, askew: floors of planks, blinds. They are on a lattice
 * of whole numbers, so that they lie in one plane to the last bit and those that touch do; judged
 * in the lattice's own two coordinates, by whole numbers.
 */
#include "harness.h"
#include "support/own.h"
#include "support/pairs.h"
#include "support/pieces.h"
#include "support/quick.h"
#include "support/variants.h"

#include <graze/ext/inspect.h>
#include <graze/graze.h>

#include <stdlib.h>

enum { PLANKS = 128, TRIANGLES = 2 * PLANKS };

typedef struct place {
    int32_t along, across; /* in the plane */
} place;

/* Half of a floor, or all of it. */
typedef struct planks {
    uint32_t count; /* triangles */
    place corners[2 * TRIANGLES][3];
    float positions[2 * TRIANGLES][3][3];
    uint32_t triangles[2 * TRIANGLES][3];
} planks;

/* Two directions of the plane that the lattice is in. */
typedef struct plane {
    int32_t along[3], across[3];
} plane;

static const plane planes[] = {
    {{1, 0, 0}, {0, 1, 0}},  {{0, 1, 0}, {0, 0, 1}},   {{4, 3, 0}, {-3, 4, 0}},
    {{0, 7, 4}, {0, -4, 7}}, {{3, 1, -2}, {1, -1, 1}}, {{5, 3, 2}, {-3, 5, 1}},
    {{1, 1, 0}, {-1, 1, 0}}, {{2, 7, 3}, {-7, 2, 1}},
};
enum { PLANES = sizeof planes / sizeof planes[0] };

static void add_triangle(planks *p, const plane *in, place a, place b, place c)
{
    const place corners[3] = {a, b, c};
    uint32_t t = p->count++;
    for (uint32_t i = 0; i < 3; i++) {
        p->corners[t][i] = corners[i];
        p->triangles[t][i] = 3 * t + i;
        for (int k = 0; k < 3; k++)
            p->positions[t][i][k] =
                (float)(corners[i].along * in->along[k] + corners[i].across * in->across[k]);
    }
}

/* How planks lie: all are this wide and that far from the next, some begin later and some bend. */
typedef struct floor_kind {
    int32_t width, gap; /* no gap: they touch; less: they overlap */
    uint32_t bent;      /* every so many */
} floor_kind;

static const floor_kind kinds[] = {
    {3, 1, 9999}, {3, 0, 9999}, {4, -1, 9999}, {2, 1, 17}, {3, 1, 5}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Plank number `number` of a floor. */
static void add_plank(planks *p, const plane *in, const floor_kind *kind, uint32_t number,
                      test_random *random)
{
    int32_t low = (int32_t)number * (kind->width + kind->gap), high = low + kind->width;
    int32_t begin = test_random_int(random, 0, 300),
            end = begin + test_random_int(random, 2900, 3000);
    int32_t bend = (number + 1) % kind->bent ? 0 : test_random_int(random, 1, 40);
    place a = {begin, low}, b = {end, low + bend}, c = {end, high + bend}, d = {begin, high};
    add_triangle(p, in, a, b, c);
    add_triangle(p, in, a, c, d);
}

/* ---- the judge ------------------------------------------------------------------------------ */

/* On which side of the line through a and b. */
static int64_t side_of(place a, place b, place c)
{
    return (int64_t)(b.along - a.along) * (c.across - a.across) -
           (int64_t)(b.across - a.across) * (c.along - a.along);
}

/* Whether an edge of a has all of b strictly on the side where a is not. */
static bool has_parting_edge(const place a[3], const place b[3])
{
    for (int i = 0; i < 3; i++) {
        place from = a[i], to = a[(i + 1) % 3];
        int64_t own = side_of(from, to, a[(i + 2) % 3]);
        bool parts = true;
        for (int k = 0; k < 3; k++) {
            int64_t other = side_of(from, to, b[k]);
            parts = parts && (own > 0 ? other < 0 : other > 0);
        }
        if (parts)
            return true;
    }
    return false;
}

static bool do_meet(const place a[3], const place b[3])
{
    return !has_parting_edge(a, b) && !has_parting_edge(b, a);
}

static bool share_corner(const place a[3], const place b[3])
{
    for (int i = 0; i < 9; i++)
        if (a[i / 3].along == b[i % 3].along && a[i / 3].across == b[i % 3].across)
            return true;
    return false;
}

static void expect_pairs(const planks *a, const planks *b, pair_set *expected)
{
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = a == b ? i + 1 : 0; k < b->count; k++)
            if (do_meet(a->corners[i], b->corners[k]) &&
                !(a == b && share_corner(a->corners[i], b->corners[k])))
                pair_set_take(expected, &(graze_pair){.a = i, .b = k}, 1);
}

/* ---- questions ------------------------------------------------------------------------------ */

static graze_body *make_body(const planks *p, graze_isa isa, bool self_collision)
{
    graze_model_def def = {0};
    OWN(graze_model) *model = NULL;
    graze_body *body = NULL;
    def.positions = &p->positions[0][0][0];
    def.vertex_count = 3 * p->count;
    def.triangles = &p->triangles[0][0];
    def.triangle_count = p->count;
    def.joint_count = 1;
    def.isa = isa;
    def.no_self_collision = !self_collision;
    CHECK(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    CHECK(graze_body_create(model, &body, NULL) == GRAZE_OK);
    return body;
}

static bool take_self(void *user, const graze_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pair_set_take(user, &(graze_pair){.a = pairs[i].a, .b = pairs[i].b}, 1);
    return true;
}

static void check_same(pair_set *expected, pair_set *found, const char *what)
{
    graze_pair odd = {.a = 0, .b = 0};
    CHECK(pair_set_sort(expected) && pair_set_sort(found));
    CHECK_MSG(pair_set_equal(expected, found, &odd), "%s: %zu pairs instead of %zu, %u %u", what,
              found->count, expected->count, odd.a, odd.b);
    pair_set_free(found);
}

/* Where none meet, few of all pairs of triangles are looked at. A walk tests 16,384 before it looks
 * along the planks (LITTLE_EFFORT), a quarter of all here, and ends the pair of patches that it is
 * at.
 */
static bool are_few(const graze_stats *stats, uint32_t a, uint32_t b)
{
    return stats->triangle_tests < (uint64_t)a * b / 3;
}

static size_t check_pairs(const planks *a, const planks *b, graze_isa isa)
{
    graze_body *bodies[2] = {make_body(a, isa, false), make_body(b, isa, false)};
    pair_set expected = {0}, found = {0};
    graze_stats all = {0}, first = {0};
    graze_nearest nearest, brute;
    expect_pairs(a, b, &expected);
    CHECK(!graze_pairs(bodies[0], bodies[1], TO_PAIR_SET(&found), &(graze_options){.stats = &all},
                       NULL));
    check_same(&expected, &found, "pairs");
    bool hit = test_meets(bodies[0], bodies[1], &first);
    CHECK(hit == (expected.count > 0));
    CHECK(hit || are_few(&all, a->count, b->count));
    CHECK(hit || are_few(&first, a->count, b->count));
    CHECK(!graze_distance(bodies[0], bodies[1], 1e6, &nearest, NULL, NULL));
    CHECK(!graze_distance(bodies[0], bodies[1], 1e6, &brute,
                          &(graze_options){.method = GRAZE_BRUTE}, NULL));
    CHECK(hit == (nearest.distance == 0));
    CHECK(nearest.distance == brute.distance && nearest.pair.a == brute.pair.a &&
          nearest.pair.b == brute.pair.b);
    size_t count = expected.count;
    pair_set_free(&expected);
    graze_body_destroy(bodies[0]);
    graze_body_destroy(bodies[1]);
    return count;
}

static void check_self(const planks *p, graze_isa isa, bool self_collision)
{
    OWN(graze_body) *body = make_body(p, isa, self_collision);
    OWN(pair_set) expected = {0};
    pair_set found = {0};
    graze_stats stats = {0};
    expect_pairs(p, p, &expected);
    CHECK(!graze_self_pairs(body, NULL, &(graze_pair_list){.report = take_self, .user = &found},
                            &(graze_options){.stats = &stats}, NULL));
    check_same(&expected, &found, "self");
    CHECK(expected.count || are_few(&stats, p->count, p->count / 2));
}

TEST(planks_agree)
{
    test_random random = test_random_seed(71);
    OWNED planks *halves = calloc(2, sizeof *halves), *whole = calloc(1, sizeof *whole);
    size_t met = 0, scenes = 0;
    for (uint32_t n = 0; n < test_amount(3, 1) * PLANES * KINDS; n++) {
        const plane *in = &planes[n % PLANES];
        const floor_kind *kind = &kinds[n / PLANES % KINDS];
        halves[0].count = halves[1].count = whole->count = 0;
        for (uint32_t i = 0; i < 2 * PLANKS; i++)
            add_plank(&halves[i % 2], in, kind, i, &random);
        for (uint32_t i = 0; i < PLANKS; i++)
            add_plank(whole, in, kind, i, &random);
        met += check_pairs(&halves[0], &halves[1], variants_isa(n)) > 0;
        check_self(whole, variants_isa(n), n / 3 % 2);
        scenes++;
    }
    CHECK(met > scenes / 3 && met < scenes);
}
