/* Distances and tolerances: lazy == brute force to the last bit, on every tree and instruction set,
 * for characters over their clips and for bodies of every kind; budgets, statistics, bad input.
 */
#include "harness.h"
#include "query/distance.h"
#include "scenes/synth.h"
#include "support/agreement.h"
#include "support/deform_skins.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/variants.h"

#include <graze/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VARIANTS = 4 };

/* ---- the judge ---------------------------------------------------------------------------- */

typedef struct tally {
    uint64_t scenes, meeting, pairs, answers;
} tally;

static void tally_print(const char *what, const tally *seen)
{
    printf("     %s: %llu pairs of bodies, %llu of them meet, %llu pairs of triangles within "
           "tolerances; %llu answers compared\n",
           what, (unsigned long long)seen->scenes, (unsigned long long)seen->meeting,
           (unsigned long long)seen->pairs, (unsigned long long)seen->answers);
}

static bool same_nearest(const graze_nearest *x, const graze_nearest *y)
{
    return x->found == y->found && memcmp(&x->distance, &y->distance, sizeof x->distance) == 0 &&
           x->triangles.a == y->triangles.a && x->triangles.b == y->triangles.b &&
           memcmp(x->points, y->points, sizeof x->points) == 0;
}

static void drop(graze_body *a, graze_body *b)
{
    graze_body_drop_caches(a);
    graze_body_drop_caches(b);
}

static bool check_nearest(graze_body *a, graze_body *b, const graze_nearest *expected,
                          const char *name, tally *seen)
{
    graze_nearest cold, warm, limited, back, none;
    double d = expected->distance;
    drop(a, b);
    bool ok = graze_distance(a, b, INFINITY, &cold, NULL, NULL) == GRAZE_OK &&
              graze_distance(a, b, INFINITY, &warm, NULL, NULL) == GRAZE_OK;
    drop(a, b);
    ok = graze_distance(a, b, d, &limited, NULL, NULL) == GRAZE_OK &&
         graze_distance(b, a, 2 * d + 1, &back, NULL, NULL) == GRAZE_OK &&
         graze_distance(a, b, d > 0 ? nextafter(d, 0) : 0, &none, NULL, NULL) == GRAZE_OK && ok;
    seen->answers += 5;
    return test_check(ok, __FILE__, __LINE__, "%s: an error", name) &&
           test_check(same_nearest(&cold, expected), __FILE__, __LINE__,
                      "%s: distance %.17g of %u %u, brute force %.17g of %u %u", name,
                      cold.distance, cold.triangles.a, cold.triangles.b, d, expected->triangles.a,
                      expected->triangles.b) &&
           test_check(same_nearest(&warm, expected), __FILE__, __LINE__, "%s: other from caches",
                      name) &&
           test_check(same_nearest(&limited, expected), __FILE__, __LINE__,
                      "%s: other with the distance itself as limit", name) &&
           test_check(back.found && memcmp(&back.distance, &d, sizeof d) == 0, __FILE__, __LINE__,
                      "%s: %.17g the other way round, not %.17g", name, back.distance, d) &&
           test_check(none.found == !(d > 0), __FILE__, __LINE__, "%s: found below the distance",
                      name);
}

static bool check_closer(graze_body *a, graze_body *b, double d, const char *name, tally *seen)
{
    bool at = false, below = true;
    float bound = INFINITY;
    drop(a, b);
    bool ok = graze_closer_than(a, b, d, &at, NULL, NULL, NULL) == GRAZE_OK &&
              graze_closer_than(a, b, d > 0 ? nextafter(d, 0) : 0, &below, NULL, NULL, NULL) ==
                  GRAZE_OK &&
              graze_distance_bound(a, b, &bound, NULL, NULL) == GRAZE_OK;
    seen->answers += 3;
    return test_check(ok && at && below == !(d > 0), __FILE__, __LINE__,
                      "%s: closer than the distance: %d, below: %d", name, at, below) &&
           test_check((double)bound <= d && bound >= 0, __FILE__, __LINE__,
                      "%s: bound %g, distance %g", name, (double)bound, d);
}

/* All pairs within a distance, found lazily, against a sorted list. */
static bool check_within(graze_body *a, graze_body *b, double d, const pair_set *expected,
                         const char *name, tally *seen)
{
    pair_set found = {0};
    graze_pair odd = {0, 0};
    drop(a, b);
    bool ok = graze_within(a, b, d, pair_set_take, &found, NULL, NULL) == GRAZE_OK;
    ok = test_check(ok && pair_set_sort(&found), __FILE__, __LINE__, "%s: a pair twice", name) &&
         test_check(pair_set_equal(&found, expected, &odd), __FILE__, __LINE__,
                    "%s: %zu pairs within %g, brute force %zu; first difference %u %u", name,
                    found.count, d, expected->count, odd.a, odd.b);
    pair_set_free(&found);
    seen->answers++;
    return ok;
}

static bool check_tolerances(const variants *a, const variants *b, const graze_nearest *expected,
                             double size, const char *name, tally *seen)
{
    const double tolerances[] = {0, expected->distance, 1.02 * expected->distance + 0.01 * size};
    bool ok = true;
    for (int t = 0; ok && t < 3; t++) {
        pair_set pairs = {0}, meeting = {0};
        graze_pair odd;
        ok = test_check(graze_within_brute(a->bodies[0], b->bodies[0], tolerances[t], pair_set_take,
                                           &pairs, NULL, NULL) == GRAZE_OK &&
                            pair_set_sort(&pairs),
                        __FILE__, __LINE__, "%s: brute force fails", name);
        if (t == 0) {
            agreement_expect(a->bodies[0], b->bodies[0], &meeting);
            ok = test_check(pair_set_equal(&pairs, &meeting, &odd), __FILE__, __LINE__,
                            "%s: within 0 are not the pairs that meet", name) &&
                 ok;
        } else {
            ok = test_check(pair_set_has(&pairs, expected->triangles), __FILE__, __LINE__,
                            "%s: the nearest pair is not near enough", name) &&
                 ok;
        }
        for (uint32_t i = 0; ok && i < VARIANTS; i++)
            ok = check_within(a->bodies[i], b->bodies[(i + t) % VARIANTS], tolerances[t], &pairs,
                              name, seen);
        seen->pairs += pairs.count;
        pair_set_free(&pairs);
        pair_set_free(&meeting);
    }
    return ok;
}

/* Step by step with a budget: never below the truth, and in the end the truth. */
static bool check_budget(graze_body *a, graze_body *b, const graze_nearest *expected,
                         const char *name, test_random *random, tally *seen)
{
    grazei_distance_question question;
    grazei_agenda agenda;
    graze_stats stats = {0};
    graze_nearest found;
    bool ok = true;
    drop(a, b);
    grazei_distance_begin(&question, &agenda, a, b, GRAZEI_NEAREST, INFINITY, NULL, NULL, &stats);
    for (uint32_t runs = 0; ok && agenda.count; runs++) {
        agenda.last_bound_test = stats.bound_tests + test_random_u32(random) % (40 + 2 * runs);
        question.base.run(&question.base, &agenda, &stats);
        float least = INFINITY;
        for (uint32_t i = 0; i < agenda.count; i++)
            least = fminf(least, agenda.keys[i]);
        grazei_distance_answer(&question, &found);
        ok = test_check(same_nearest(&found, expected) || agenda.count, __FILE__, __LINE__,
                        "%s: another answer in steps", name) &&
             test_check(!found.found || found.distance >= expected->distance, __FILE__, __LINE__,
                        "%s: too near", name) &&
             test_check(same_nearest(&found, expected) || (double)least <= expected->distance,
                        __FILE__, __LINE__, "%s: %g is ruled out, but only %g is left", name,
                        expected->distance, (double)least) &&
             test_check(runs < 100000, __FILE__, __LINE__, "%s: no end", name);
    }
    seen->answers++;
    return ok;
}

static bool sides_agree(const variants *a, const variants *b, double size, const char *name,
                        test_random *random, tally *seen)
{
    graze_nearest expected;
    bool ok = test_check(graze_distance_brute(a->bodies[0], b->bodies[0], INFINITY, &expected, NULL,
                                              NULL) == GRAZE_OK &&
                             expected.found,
                         __FILE__, __LINE__, "%s: brute force fails", name);
    for (uint32_t i = 0; ok && i < VARIANTS; i++) {
        graze_body *other = b->bodies[(i + i / 2) % VARIANTS];
        ok = check_nearest(a->bodies[i], other, &expected, name, seen) &&
             check_closer(a->bodies[i], other, expected.distance, name, seen) &&
             check_budget(a->bodies[i], other, &expected, name, random, seen);
    }
    ok = ok && check_tolerances(a, b, &expected, size, name, seen);
    seen->scenes++;
    seen->meeting += !(expected.distance > 0);
    return ok;
}

/* ---- random bodies ------------------------------------------------------------------------ */

static deform_skin side_make(uint32_t number, test_random *random, graze_model_def *def)
{
    static const graze_skinning kinds[] = {GRAZE_LINEAR, GRAZE_SPHERICAL, GRAZE_DUAL};
    soup_def mesh = {.vertex_count = 3 + test_random_u32(random) % 150,
                     .triangle_count = 1 + test_random_u32(random) % 150,
                     .joint_count = 1 + test_random_u32(random) % 12,
                     .max_influences = 1 + test_random_u32(random) % 6,
                     .size = 1,
                     .flat = test_random_u32(random) % 9 == 0,
                     .lattice = test_random_u32(random) % 3 == 0};
    deform_skin skin = deform_skin_make(&mesh, number / 3 % 2 * 4, random);
    *def = deform_skin_def(&skin, kinds[number % 3]);
    return skin;
}

static bool side_pose(variants *v, const deform_skin *skin, double away, double scale,
                      const char *name, test_random *random)
{
    float joints[12 * 12], weights[4], placement[12];
    deform_pose_kind kind = (deform_pose_kind)(test_random_u32(random) % DEFORM_POSE_COUNT);
    if (kind == DEFORM_FAR || test_random_u32(random) % 2)
        kind = skin->mesh.def.lattice ? DEFORM_LATTICE : DEFORM_NEAR;
    deform_pose_make(kind, skin->mesh.centre, 1, skin->mesh.def.joint_count, random, joints);
    deform_weights_make(skin->morph_count, random, weights);
    for (uint32_t m = 0; m < skin->morph_count; m++)
        weights[m] = fminf(fmaxf(weights[m], -1), 1);
    map_make(skin->mesh.def.lattice ? MAP_LATTICE : MAP_NEAR, skin->mesh.centre, 1, random,
             placement);
    placement[3] += (float)away;
    for (int k = 0; k < 12; k++)
        placement[k] *= (float)scale;
    graze_pose pose = {.joints = joints,
                       .joint_count = skin->mesh.def.joint_count,
                       .placement = placement,
                       .morph_weights = skin->morph_count ? weights : NULL,
                       .morph_count = skin->morph_count};
    return test_check(variants_pose(v, &pose, name), __FILE__, __LINE__, "%s: no pose", name);
}

TEST(random_bodies_agree)
{
    static const double away[] = {0, 0.5, 1, 1.5, 3, 1000};
    static const double scales[] = {1, 1, 1, 0x1p-60, 1, 0x1p-72, 0x1p-135, 1, 0x1p30};
    tally seen = {0};
    for (uint32_t m = 0, count = test_amount(60, 9); m < count; m++) {
        char name[64];
        test_random random = test_random_seed(7000 + m);
        variants sides[2];
        deform_skin skins[2];
        bool ok = true;
        for (int side = 0; side < 2; side++) {
            graze_model_def def;
            skins[side] = side_make(side ? m / 6 : m, &random, &def);
            ok = variants_make(&sides[side], def, VARIANTS, &random) && ok;
        }
        for (uint32_t p = 0; ok && p < 6; p++) {
            snprintf(name, sizeof name, "bodies %u, place %u", m, p);
            double scale = test_flushes_denormals() ? fmax(scales[m % 9], 0x1p-40) : scales[m % 9];
            ok = side_pose(&sides[0], &skins[0], 0, scale, name, &random) &&
                 side_pose(&sides[1], &skins[1], away[p], scale, name, &random) &&
                 sides_agree(&sides[0], &sides[1], scale, name, &random, &seen);
        }
        for (int side = 0; side < 2; side++) {
            variants_free(&sides[side]);
            deform_skin_free(&skins[side]);
        }
        if (!ok)
            break;
    }
    tally_print("random bodies", &seen);
    CHECK(10 * seen.meeting > seen.scenes && 2 * seen.meeting < seen.scenes);
}

/* ---- characters --------------------------------------------------------------------------- */

static void pose_rig(variants *v, const test_rig *rig, uint32_t clip, double time, double away)
{
    float placement[12] = {0.6f, 0, 0.8f, (float)away, 0, 1, 0, 0.1f, -0.8f, 0, 0.6f, 0};
    graze_pose pose = test_rig_pose(rig->rig, clip, time);
    pose.placement = away != 0 ? placement : NULL;
    CHECK_MSG(variants_pose(v, &pose, rig->name), "%s: no pose", rig->name);
}

static bool check_rig(const test_rig *rig, graze_skinning kind, test_random *random, tally *seen)
{
    static const double places[] = {0.3, 0.8, 1.1, 2.5};
    variants sides[2];
    const graze_rig *r = rig->rig;
    graze_model_def def = test_rig_def(r);
    double middle[3];
    def.skinning = kind;
    bool ok = variants_make(&sides[0], def, VARIANTS, random) &&
              variants_make(&sides[1], def, VARIANTS, random);
    double size = ok ? variants_extent(&sides[0], middle) : 1;
    for (uint32_t p = 0; ok && p < 4; p++) {
        uint32_t clip = r->clip_count ? (p + (uint32_t)kind) % r->clip_count : GRAZE_NONE;
        double seconds = r->clip_count ? (double)r->clips[clip].seconds : 0;
        pose_rig(&sides[0], rig, clip, 0.2 * p * seconds, 0);
        pose_rig(&sides[1], rig, clip, 0.7 * seconds, places[p] * size);
        ok = sides_agree(&sides[0], &sides[1], 0.1 * size, rig->name, random, seen);
    }
    variants_free(&sides[0]);
    variants_free(&sides[1]);
    return ok;
}

TEST(characters_agree)
{
    static const graze_skinning kinds[] = {GRAZE_LINEAR, GRAZE_SPHERICAL, GRAZE_DUAL};
    tally seen = {0};
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    test_random random = test_random_seed(9);
    for (uint32_t i = 0; i < count; i++)
        if (rigs[i].rig->triangle_count < test_amount(6000, 1000))
            check_rig(&rigs[i], kinds[i % 3], &random, &seen);
    tally_print("characters", &seen);
    CHECK(seen.meeting > 0 && seen.meeting < seen.scenes);
    if (!test_rigs_are_shared())
        SKIP_ALLOWED("procedural characters only: the shared models are not there");
}

/* ---- many that are equally near ----------------------------------------------------------- */

/* A square of side 1 as a grid, flat or in folds, its triangles in any order. */
static graze_body *make_grid(uint32_t side, float folds, uint32_t turn)
{
    uint32_t vertices = (side + 1) * (side + 1), count = 2 * side * side;
    float *positions = calloc(3 * (size_t)vertices, sizeof *positions);
    uint32_t *triangles = calloc(3 * (size_t)count, sizeof *triangles);
    graze_model *model = NULL;
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
    graze_model_def def = graze_default_model_def();
    def.positions = positions;
    def.vertex_count = vertices;
    def.triangles = triangles;
    def.triangle_count = count;
    def.joint_count = 1;
    if (!graze_model_create(&def, &model, NULL) && graze_body_create(model, &body, NULL))
        body = NULL;
    graze_model_destroy(model);
    free(positions);
    free(triangles);
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
    CHECK(graze_distance_brute(a, b, INFINITY, &expected, NULL, NULL) == GRAZE_OK);
    drop(a, b);
    CHECK(graze_distance(a, b, INFINITY, &found, &stats, NULL) == GRAZE_OK);
    CHECK_MSG(same_nearest(&found, &expected), "%s: %.17g of %u %u, not %.17g of %u %u", name,
              found.distance, found.triangles.a, found.triangles.b, expected.distance,
              expected.triangles.a, expected.triangles.b);
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
            graze_body *a = make_grid(SIDE, folds, turn < 2 ? 1 : COUNT - 1);
            graze_body *b = make_grid(SIDE, folds, turn < 2 ? 1 : 5);
            REQUIRE(a && b);
            snprintf(name, sizeof name, "place %u, order %u", i, turn);
            place_grid(a, i < ASKEW ? places[0] : askew[i - ASKEW]);
            place_grid(b, places[i]);
            uint64_t tests = check_ties(a, b, name);
            CHECK_MSG(tests < 32 * COUNT, "%s: %llu pairs of triangles compared", name,
                      (unsigned long long)tests);
            graze_body_destroy(a);
            graze_body_destroy(b);
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
    graze_model *model = NULL;
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
    graze_model_def def = graze_default_model_def();
    def.positions = positions;
    def.vertex_count = rim + 1;
    def.triangles = triangles;
    def.triangle_count = rim;
    def.joint_count = 1;
    def.tree.patch_triangles = pick(random, 2) ? 64 : 8;
    graze_isa isa = (graze_isa)pick(random, GRAZE_ISA_AVX512 + 1);
    def.isa = graze_isa_available(isa) ? isa : GRAZE_ISA_BEST;
    if (!graze_model_create(&def, &model, NULL) && graze_body_create(model, &body, NULL))
        body = NULL;
    graze_model_destroy(model);
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
        graze_body *a = make_bowl(&random, back, 3 + pick(&random, 22));
        graze_body *b = make_bowl(&random, back, 3 + pick(&random, 22));
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
        graze_body_destroy(a);
        graze_body_destroy(b);
    }
}

/* ---- what is left undone ------------------------------------------------------------------ */

/* Two creatures side by side: few patches are posed, and none to say no. */
TEST(distance_poses_a_small_part)
{
    graze_synth_def synth = {.kind = GRAZE_SYNTH_CREATURE, .triangles = 10000};
    test_rig creature = {.name = "creature"};
    test_random random = test_random_seed(11);
    variants sides[2];
    REQUIRE(graze_synth(&synth, NULL, &creature.rig, NULL) == GRAZE_OK);
    graze_model_def def = graze_rig_model_def(creature.rig);
    REQUIRE(variants_make(&sides[0], def, VARIANTS, &random) &&
            variants_make(&sides[1], def, VARIANTS, &random));
    pose_rig(&sides[0], &creature, 0, 0.2, 0);
    pose_rig(&sides[1], &creature, 0, 0.2, 4);
    graze_body *a = sides[0].bodies[0], *b = sides[1].bodies[0];
    graze_stats stats = {0}, no = {0}, bound_stats = {0};
    graze_nearest nearest;
    bool closer = true;
    float bound = -1;
    CHECK(graze_distance(a, b, INFINITY, &nearest, &stats, NULL) == GRAZE_OK && nearest.found);
    CHECK_MSG(stats.patches_posed > 1 && stats.vertices_posed < creature.rig->vertex_count / 4,
              "%llu vertices posed", (unsigned long long)stats.vertices_posed);
    drop(a, b);
    CHECK(graze_closer_than(a, b, 0.1 * nearest.distance, &closer, NULL, &no, NULL) == GRAZE_OK);
    CHECK(!closer && no.patches_posed == 0 && no.triangle_tests == 0 && no.nodes_refit == 2);
    CHECK(graze_distance_bound(a, b, &bound, &bound_stats, NULL) == GRAZE_OK);
    CHECK(bound_stats.patches_posed == 0 && bound > 0 && (double)bound <= nearest.distance);
    for (int side = 0; side < 2; side++)
        variants_free(&sides[side]);
    graze_rig_destroy(creature.rig);
}

TEST(a_caller_may_stop)
{
    test_random random = test_random_seed(12);
    graze_model_def def;
    variants sides[2];
    deform_skin skin = side_make(0, &random, &def);
    REQUIRE(variants_make(&sides[0], def, VARIANTS, &random) &&
            variants_make(&sides[1], def, VARIANTS, &random));
    pair_set found = {.stop = 1};
    CHECK(graze_within(sides[0].bodies[0], sides[1].bodies[0], 100, pair_set_take, &found, NULL,
                       NULL) == GRAZE_OK);
    CHECK(found.calls == 1 && found.count >= 1);
    pair_set_free(&found);
    for (int side = 0; side < 2; side++)
        variants_free(&sides[side]);
    deform_skin_free(&skin);
}

TEST(bad_input_is_refused)
{
    test_random random = test_random_seed(13);
    graze_model_def def;
    variants t, u;
    deform_skin skin = side_make(0, &random, &def);
    REQUIRE(variants_make(&t, def, VARIANTS, &random) && variants_make(&u, def, VARIANTS, &random));
    graze_body *a = t.bodies[0], *b = u.bodies[0];
    graze_nearest nearest;
    graze_error error;
    bool closer;
    float bound;
    pair_set found = {0};
    CHECK(graze_distance(NULL, b, 1, &nearest, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_distance(a, NULL, 1, &nearest, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_distance(a, a, 1, &nearest, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "same body") != NULL);
    CHECK(graze_distance(a, b, -1, &nearest, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "negative") != NULL);
    CHECK(graze_distance(a, b, NAN, &nearest, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_distance_brute(a, b, NAN, &nearest, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_closer_than(a, b, INFINITY, &closer, NULL, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_closer_than(a, b, -0.5, &closer, NULL, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_within(a, b, INFINITY, pair_set_take, &found, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_within_brute(a, b, -1, pair_set_take, &found, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_distance_bound(a, a, &bound, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(found.calls == 0);
    variants_free(&t);
    variants_free(&u);
    deform_skin_free(&skin);
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
