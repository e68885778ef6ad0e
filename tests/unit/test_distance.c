/* Distances and tolerances: what is equally near, statistics, bad input. (Lazy == brute force to
 * the last bit, whatever the limit: test_ways.c.)
 */
#include "distance/distance.h"
#include "harness.h"
#include "scenes/synth.h"
#include "support/own.h"
#include "support/pairs.h"
#include "support/quick.h"
#include "support/rigid.h"
#include "support/rigs.h"
#include "support/soup_pair.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same_nearest(const graze_nearest *x, const graze_nearest *y)
{
    return x->found == y->found && memcmp(&x->distance, &y->distance, sizeof x->distance) == 0 &&
           x->pair.a == y->pair.a && x->pair.b == y->pair.b &&
           memcmp(x->points, y->points, sizeof x->points) == 0;
}

static void drop(graze_body *a, graze_body *b)
{
    graze_body_drop_caches(a);
    graze_body_drop_caches(b);
}

/* ---- many that are equally near ----------------------------------------------------------- */

/* A square of side 1 as a grid, flat or in folds, its triangles in any order. */
static graze_body *make_grid(uint32_t side, float folds, uint32_t turn)
{
    uint32_t vertices = (side + 1) * (side + 1), count = 2 * side * side;
    OWNED float *positions = calloc(3 * (size_t)vertices, sizeof *positions);
    OWNED uint32_t *triangles = calloc(3 * (size_t)count, sizeof *triangles);
    OWN(graze_model) *model = NULL;
    graze_body *body = NULL;
    for (uint32_t v = 0; v < vertices; v++) {
        float x = (float)(v % (side + 1)) / (float)side, y = (float)(v / (side + 1)) / (float)side;
        positions[3 * v] = x;
        positions[3 * v + 1] = y;
        positions[3 * v + 2] = folds * sinf(9 * x + 2 * y);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t square = i / 2, low = square / side * (side + 1) + square % side;
        uint32_t at = (i * turn) % count, high = low + side + 1;
        uint32_t corners[3] = {low, i % 2 ? high + 1 : low + 1, i % 2 ? high : high + 1};
        memcpy(triangles + 3 * (size_t)at, corners, sizeof corners);
    }
    graze_model_def def = test_rigid_def(positions, vertices, triangles, count);
    if (!graze_model_create(&def, &model, NULL) && graze_body_create(model, &body, NULL))
        body = NULL;
    return body;
}

static void place_grid(graze_body *body, const float placement[12])
{
    static const float still[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    graze_pose pose = {
        .joints = still, .joint_count = 1, .layout = GRAZE_ROWS_3X4, .placement = placement};
    CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
}

/* What is nearest, and how many triangles were compared to find it. */
static uint64_t check_ties(graze_body *a, graze_body *b, const char *name)
{
    graze_nearest expected, found;
    graze_stats stats = {0};
    CHECK(graze_distance(a, b, INFINITY, &expected, &(graze_options){.method = GRAZE_BRUTE},
                         NULL) == GRAZE_OK);
    drop(a, b);
    CHECK(graze_distance(a, b, INFINITY, &found, &(graze_options){.stats = &stats}, NULL) ==
          GRAZE_OK);
    CHECK_MSG(same_nearest(&found, &expected), "%s: %.17g of %u %u, not %.17g of %u %u", name,
              found.distance, found.pair.a, found.pair.b, expected.distance, expected.pair.a,
              expected.pair.b);
    return stats.triangle_tests;
}

/* Grids that face each other, far apart, askew, shrunk to a point: all of one is about equally near
 * to all of the other, and what was found first decides. Few pairs of triangles may be looked at.
 */
TEST(of_many_that_are_equally_near_the_first_is_found)
{
    enum { SIDE = 24, COUNT = 2 * SIDE * SIDE, ASKEW = 6 };
    static const float askew[][12] = {
        {0.8f, 0, 0.6f, 0, 0, 1, 0, 0, -0.6f, 0, 0.8f, 0},
        {2 / 3.f, -1 / 3.f, 2 / 3.f, 0, 2 / 3.f, 2 / 3.f, -1 / 3.f, 0, -1 / 3.f, 2 / 3.f, 2 / 3.f,
         0},
    };
    static const float places[][12] = {
        {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.25f},
        {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1000},
        {1, 0, 0, 0.3f, 0, 1, 0, 0.1f, 0, 0, 1, 3e6f},
        {1, 0, 0, 1e8f, 0, 1, 0, 0, 0, 0, 1, 1e8f},
        {0, 0, 0, 0.5f, 0, 0, 0, 0.5f, 0, 0, 0, 0.5f},
        {0, 0, 0, 0.5f, 0, 0, 0, 0.5f, 0, 0, 0, 0},
        {0.8f, 0, 0.6f, 600, 0, 1, 0, 0, -0.6f, 0, 0.8f, 800},
        {2 / 3.f, -1 / 3.f, 2 / 3.f, 2000 / 3.f, 2 / 3.f, 2 / 3.f, -1 / 3.f, -1000 / 3.f, -1 / 3.f,
         2 / 3.f, 2 / 3.f, 2000 / 3.f},
    };
    for (uint32_t i = 0; i < sizeof places / sizeof *places; i++)
        for (uint32_t turn = 0; turn < 4; turn += test_amount(1, 3)) {
            char name[64];
            float folds = turn % 2 ? 0.05f : 0;
            OWN(graze_body) *a = make_grid(SIDE, folds, turn < 2 ? 1 : COUNT - 1);
            OWN(graze_body) *b = make_grid(SIDE, folds, turn < 2 ? 1 : 5);
            REQUIRE(a && b);
            snprintf(name, sizeof name, "place %u, order %u", i, turn);
            place_grid(a, i < ASKEW ? places[0] : askew[i - ASKEW]);
            place_grid(b, places[i]);
            uint64_t tests = check_ties(a, b, name);
            CHECK_MSG(tests < 32 * COUNT, "%s: %llu pairs of triangles compared", name,
                      (unsigned long long)tests);
        }
}

/* ---- around two vertices -------------------------------------------------------------------- */

static uint32_t pick(test_random *random, uint32_t count)
{
    return test_random_u32(random) % count;
}

/* Triangles around one vertex, a bowl whose rim lies back by about `back` of its radius, or by
 * nothing or the other way here and there; thin and tiny triangles among them, and coordinates that
 * are tiny beside others.
 */
static graze_body *make_bowl(test_random *random, double back, uint32_t rim)
{
    enum { MOST = 24 };
    float positions[3 * (MOST + 1)] = {0};
    uint32_t triangles[3 * MOST], turn = pick(random, rim);
    OWN(graze_model) *model = NULL;
    graze_body *body = NULL;
    for (uint32_t i = 0; i < rim; i++) {
        double angle = 6.2831853 * i / rim, size = test_random_range(random, 0.5, 1);
        double lift = back * size * test_random_range(random, -0.1, 1.5);
        if (pick(random, 10) == 0)
            size *= pow(2, test_random_range(random, -45, 0));
        if (pick(random, 6) == 0)
            lift = pick(random, 2) ? 0 : size * 0x1p-8 * test_random_range(random, 0.9, 1.1);
        if (pick(random, 6) == 0)
            angle = 6.2831853 * (i + 0.999) / rim;
        positions[3 * i + 3] = (float)(size * cos(angle));
        positions[3 * i + 4] = (float)(size * sin(angle));
        positions[3 * i + 5] = (float)-lift;
        uint32_t corners[3] = {0, i + 1, (i + 1) % rim + 1}, first = pick(random, 3);
        for (uint32_t c = 0; c < 3; c++)
            triangles[3 * ((i + turn) % rim) + c] = corners[(c + first) % 3];
    }
    graze_model_def def = test_rigid_def(positions, rim + 1, triangles, rim);
    def.tree.patch_triangles = pick(random, 2) ? 64 : 8;
    graze_isa isa = (graze_isa)pick(random, GRAZE_ISA_AVX512 + 1);
    def.isa = graze_isa_available(isa) ? isa : GRAZE_ISA_BEST;
    if (!graze_model_create(&def, &model, NULL) && graze_body_create(model, &body, NULL))
        body = NULL;
    return body;
}

/* Bowls that face each other from afar: what counts are pairs of triangles around two vertices, of
 * which not all are computed.
 */
TEST(bowls_that_face_each_other_agree)
{
    test_random random = test_random_seed(77);
    for (uint32_t i = 0; i < test_amount(40000, 2000); i++) {
        double back = pick(&random, 3) ? test_random_range(&random, 0.01, 1) : 0x1p-8;
        double away = pow(2, test_random_range(&random, 0, 9)), scale = 1;
        OWN(graze_body) *a = make_bowl(&random, back, 3 + pick(&random, 22));
        OWN(graze_body) *b = make_bowl(&random, back, 3 + pick(&random, 22));
        REQUIRE(a && b);
        if (pick(&random, 4) == 0)
            scale = pow(2, test_random_range(&random, -70, 40));
        float s = (float)scale, c = (float)(0.6 * scale), d = (float)(0.8 * scale);
        float at = (float)(away * scale),
              aside = (float)(scale * test_random_range(&random, -0.3, 0.3));
        bool turned = pick(&random, 2);
        float first[12] = {s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0};
        float second[12] = {s, 0, 0, aside, 0, -s, 0, 0.7f * aside, 0, 0, -s, at};
        float first_turned[12] = {c, 0, d, at, 0, s, 0, -at, -d, 0, c, 0};
        float second_turned[12] = {c,  0, -d, at + 0.8f * at, 0, -s, 0, aside - at,
                                   -d, 0, -c, 0.6f * at};
        place_grid(a, turned ? first_turned : first);
        place_grid(b, turned ? second_turned : second);
        check_ties(a, b, turned ? "turned bowls" : "bowls");
    }
}

/* ---- what is left undone ------------------------------------------------------------------ */

/* Two creatures side by side: few patches are posed, and none to say no. */
TEST(distance_poses_a_small_part)
{
    const graze_synth_def synth = {.kind = GRAZE_SYNTH_CREATURE, .triangles = 10000};
    const float beside[12] = {0.6f, 0, 0.8f, 4, 0, 1, 0, 0.1f, -0.8f, 0, 0.6f, 0};
    OWN(graze_rig) *creature = NULL;
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *a = NULL, *b = NULL;
    REQUIRE(graze_synth(&synth, NULL, &creature, NULL) == GRAZE_OK);
    graze_model_def def = graze_rig_model_def(creature);
    graze_pose pose = test_rig_pose(creature, 0, 0.2);
    REQUIRE(!graze_model_create(&def, &model, NULL) && !graze_body_create(model, &a, NULL) &&
            !graze_body_create(model, &b, NULL) && !graze_body_set_pose(a, &pose, NULL));
    pose.placement = beside;
    REQUIRE(!graze_body_set_pose(b, &pose, NULL));
    graze_stats stats = {0}, no = {0}, bound_stats = {0};
    graze_nearest nearest, none;
    float bound = -1;
    CHECK(graze_distance(a, b, INFINITY, &nearest, &(graze_options){.stats = &stats}, NULL) ==
              GRAZE_OK &&
          nearest.found);
    CHECK_MSG(stats.patches_posed > 1 && stats.vertices_posed < creature->vertex_count / 4,
              "%llu vertices posed", (unsigned long long)stats.vertices_posed);
    drop(a, b);
    CHECK(!graze_distance(a, b, 0.1 * nearest.distance, &none,
                          &(graze_options){.any = true, .stats = &no}, NULL));
    CHECK(!none.found && no.patches_posed == 0 && no.triangle_tests == 0 && no.nodes_refit == 2);
    CHECK(graze_bound_distance(a, b, &bound, &bound_stats, NULL) == GRAZE_OK);
    CHECK(bound_stats.patches_posed == 0 && bound > 0 && (double)bound <= nearest.distance);
}

TEST(bad_input_is_refused)
{
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    graze_body *a = pair.a, *b = pair.b;
    graze_nearest nearest;
    graze_error error;
    float bound;
    pair_set found = {0};
    CHECK(graze_distance(NULL, b, 1, &nearest, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_distance(a, NULL, 1, &nearest, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_distance(a, a, 1, &nearest, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "same body") != NULL);
    CHECK(graze_distance(a, b, -1, &nearest, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "negative") != NULL);
    CHECK(graze_distance(a, b, NAN, &nearest, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_distance(a, b, NAN, &nearest, &(graze_options){.method = GRAZE_BRUTE}, &error) ==
          GRAZE_BAD_INPUT);
    CHECK(graze_pairs_within(a, b, INFINITY, TO_PAIR_SET(&found), NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_pairs_within(a, b, -1, TO_PAIR_SET(&found), &(graze_options){.method = GRAZE_BRUTE},
                             &error) == GRAZE_BAD_INPUT);
    CHECK(graze_bound_distance(a, a, &bound, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(found.calls == 0);
}

/* The largest square of a distance that counts is that of the tolerance, whatever its size. */
TEST(squares_of_tolerances)
{
    test_random random = test_random_seed(14);
    for (int i = 0; i < 100000; i++) {
        double d =
            ldexp(test_random_range(&random, 1, 2), (int)(test_random_u32(&random) % 900) - 450);
        double square = grazei_square_of(d);
        CHECK(sqrt(square) <= d && sqrt(nextafter(square, INFINITY)) > d);
    }
    CHECK(grazei_square_of(0) == 0 && isinf(grazei_square_of(INFINITY)));
}
