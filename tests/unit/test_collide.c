/* The one promise: lazy == eager == brute force, on every tree and instruction set, for characters
 * over their clips, at any scale, and for hairlines. (Random meshes: test_ways.c.)
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigid.h"
#include "support/rigs.h"
#include "support/soup.h"
#include "support/variants.h"

#include <graze/ext/inspect.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every variant of one against its like and against another variant of the other. */
static bool sides_agree(const variants *a, const variants *b, const char *name, agreement *seen)
{
    OWN(pair_set) expected = {0};
    bool ok = true;
    agreement_expect(a->bodies[0], b->bodies[0], &expected);
    for (uint32_t i = 0; ok && i < a->count; i++) {
        ok = agreement_check(a->bodies[i], b->bodies[i], &expected, name, seen) &&
             agreement_check(a->bodies[i], b->bodies[(i + 1) % b->count], &expected, name, seen);
    }
    return ok;
}

/* ---- scale ------------------------------------------------------------------------------- */

/* Lattice meshes scaled by a power of two keep every coordinate exact, so the pairs stay the same
 * down to the last denormal and up to the largest coordinates.
 */
static void check_scale(const soup meshes[2], int exponent, const pair_set *expected,
                        agreement *seen)
{
    char name[32];
    snprintf(name, sizeof name, "scale 2^%d", exponent);
    for (uint32_t t = 0; t < agreement_tree_count(); t++) {
        graze_model *models[2] = {NULL, NULL};
        graze_body *bodies[2] = {NULL, NULL};
        for (int side = 0; side < 2; side++) {
            soup scaled = meshes[side];
            size_t count = (size_t)3 * scaled.def.vertex_count;
            scaled.positions = malloc(count * sizeof *scaled.positions);
            for (size_t i = 0; i < count; i++)
                scaled.positions[i] = ldexpf(meshes[side].positions[i], exponent);
            graze_model_def def = soup_model_def(&scaled);
            def.tree = agreement_tree(side ? (t + 3) % agreement_tree_count() : t);
            CHECK(graze_model_create(&def, &models[side], NULL) == GRAZE_OK);
            CHECK(graze_body_create(models[side], &bodies[side], NULL) == GRAZE_OK);
            free(scaled.positions);
        }
        agreement_check(bodies[0], bodies[1], expected, name, seen);
        for (int side = 0; side < 2; side++) {
            graze_body_destroy(bodies[side]);
            graze_model_destroy(models[side]);
        }
    }
}

TEST(pairs_do_not_depend_on_scale)
{
    static const int exponents[] = {0,   -20, -40, -59, -60,  -61,  -62,  -63,  -64, -66,
                                    -70, -75, -80, -90, -110, -126, -140, -146, 20,  46};
    agreement seen = {0};
    test_random random = test_random_seed(77);
    soup_def def = {.vertex_count = 150,
                    .triangle_count = 150,
                    .joint_count = 5,
                    .max_influences = 1,
                    .size = 8,
                    .lattice = true};
    soup meshes[2] = {soup_make(&def, &random), soup_make(&def, &random)};
    graze_model *models[2] = {NULL, NULL};
    graze_body *bodies[2] = {NULL, NULL};
    pair_set expected = {0};
    for (int side = 0; side < 2; side++) {
        graze_model_def model_def = soup_model_def(&meshes[side]);
        CHECK(graze_model_create(&model_def, &models[side], NULL) == GRAZE_OK);
        CHECK(graze_body_create(models[side], &bodies[side], NULL) == GRAZE_OK);
    }
    agreement_expect(bodies[0], bodies[1], &expected);
    CHECK(expected.count > 100);
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++)
        if (exponents[i] > -61 || !test_flushes_denormals())
            check_scale(meshes, exponents[i], &expected, &seen);
    agreement_print("scales", &seen);
    pair_set_free(&expected);
    for (int side = 0; side < 2; side++) {
        graze_body_destroy(bodies[side]);
        graze_model_destroy(models[side]);
        soup_free(&meshes[side]);
    }
}

/* ---- hairlines ---------------------------------------------------------------------------- */

enum { HAIRLINES = 300 };

typedef struct hairlines {
    float positions[HAIRLINES][3][3];
    uint32_t triangles[HAIRLINES][3];
} hairlines;

/* Long thin triangles along a direction of no diagonal, on a lattice across it, each begun
 * somewhere else along it; every `bent`th ends somewhere else across.
 */
static void make_hairlines(hairlines *lines, double shift, uint32_t bent, test_random *random)
{
    const double along[3] = {1, 2, 3.3}, across[2][3] = {{2, -1, 0}, {3.3, 6.6, -5}};
    for (uint32_t i = 0; i < HAIRLINES; i++) {
        double begin = test_random_range(random, 0, 5), s = 1e-3 * (i % 23 + shift);
        double t = 1e-3 * (i / 23 + shift), bend = (i + 1) % bent ? 0 : 1e-3 * (i % 7 + 3);
        for (int k = 0; k < 3; k++) {
            double at = s * across[0][k] + t * across[1][k] + begin * along[k];
            lines->positions[i][0][k] = (float)at;
            lines->positions[i][1][k] =
                (float)(at + 10 * along[k] + bend * (across[0][k] + 3 * across[1][k]));
            lines->positions[i][2][k] = (float)(at + 1e-4 * across[0][k]);
            lines->triangles[i][k] = 3 * i + (uint32_t)k;
        }
    }
}

static graze_model_def hairlines_def(const hairlines *lines)
{
    graze_model_def def = test_rigid_def(&lines->positions[0][0][0], 3 * HAIRLINES,
                                         &lines->triangles[0][0], HAIRLINES);
    def.no_self_collision = true;
    return def;
}

/* Few of the pairs whose boxes overlap, which are nearly all, are tested, and what is asked next
 * is answered as if nothing had been asked before.
 */
static void check_hairlines_cost(graze_body *bodies[2], bool meet)
{
    graze_nearest before, after;
    graze_stats stats = {0};
    CHECK(graze_distance(bodies[0], bodies[1], INFINITY, &before, NULL, NULL) == GRAZE_OK);
    CHECK(test_meets(bodies[0], bodies[1], &stats) == meet);
    CHECK(stats.triangle_tests < HAIRLINES * HAIRLINES / 4);
    CHECK(graze_distance(bodies[0], bodies[1], INFINITY, &after, NULL, NULL) == GRAZE_OK);
    CHECK(before.pair.a == after.pair.a && before.pair.b == after.pair.b);
    CHECK(memcmp(&before.distance, &after.distance, sizeof before.distance) == 0);
}

/* Pairs, while their distance is asked for in between, which takes back the memory that the bodies
 * lent.
 */
typedef struct interrupted {
    graze_body **bodies;
    pair_set pairs;
} interrupted;

static bool take_and_ask(void *user, const graze_pair *pairs, size_t count)
{
    interrupted *to = user;
    graze_nearest nearest;
    CHECK(graze_distance(to->bodies[0], to->bodies[1], INFINITY, &nearest, NULL, NULL) == GRAZE_OK);
    CHECK(nearest.distance == 0);
    return pair_set_take(&to->pairs, pairs, count);
}

/* Returns how often pairs were handed over. */
static size_t check_interrupted(graze_body *bodies[2])
{
    interrupted asked = {.bodies = bodies};
    pair_set plain = {0};
    graze_pair odd;
    CHECK(graze_pairs(bodies[0], bodies[1], TO_PAIR_SET(&plain),
                      &(graze_options){.method = GRAZE_BRUTE}, NULL) == GRAZE_OK);
    CHECK(graze_pairs(bodies[0], bodies[1],
                      &(graze_pair_list){.report = take_and_ask, .user = &asked}, NULL,
                      NULL) == GRAZE_OK);
    CHECK(pair_set_sort(&plain) && pair_set_sort(&asked.pairs));
    CHECK(pair_set_equal(&plain, &asked.pairs, &odd));
    size_t calls = asked.pairs.calls;
    pair_set_free(&plain);
    pair_set_free(&asked.pairs);
    return calls;
}

TEST(hairlines_agree)
{
    static const uint32_t bents[] = {10 * HAIRLINES, 20, 10 * HAIRLINES, 1};
    OWNED hairlines *lines = malloc(2 * sizeof *lines);
    agreement seen = {0};
    for (uint32_t n = 0; n < 4; n++) {
        test_random random = test_random_seed(31 + n);
        variants sides[2] = {0};
        for (int side = 0; side < 2; side++) {
            make_hairlines(&lines[side], 0.5 * side, side ? bents[n] : 10 * HAIRLINES, &random);
            graze_model_def def = hairlines_def(&lines[side]);
            def.isa = variants_isa(n);
            CHECK(variants_add(&sides[side], &def));
        }
        graze_body *bodies[2] = {sides[0].bodies[0], sides[1].bodies[0]};
        CHECK(sides_agree(&sides[0], &sides[1], "hairlines", &seen));
        check_hairlines_cost(bodies, n % 2 > 0);
        if (n == 3) /* more than are handed over at once */
            CHECK(check_interrupted(bodies) > 1);
        variants_free(&sides[0]);
        variants_free(&sides[1]);
    }
    agreement_print("hairlines", &seen);
    CHECK(seen.hits == seen.scenes / 2);
}

/* ---- characters --------------------------------------------------------------------------- */

/* The second body's place, relative to the first body's size. */
static const struct {
    double at[3], turn;
} places[] = {
    {{0.15, 0, 0.05}, 0}, {{0.3, 0.02, 0.1}, 2.2}, {{0.6, 0, 0.3}, 3.14159}, {{3, 0, 0}, 0.5}};

static bool check_frame(const graze_rig *rig, const char *name, variants sides[2], float *joints,
                        uint32_t clip, double time, uint32_t place, agreement *seen)
{
    double middle[3], c = cos(places[place].turn), s = sin(places[place].turn);
    graze_pose pose = {.joints = joints, .joint_count = rig->joint_count};
    test_rig_sample(rig, clip, time, joints);
    if (!variants_pose(&sides[0], &pose, name))
        return test_check(false, __FILE__, __LINE__, "%s: pose refused", name);
    double size = variants_extent(&sides[0], middle);
    float placement[12] = {(float)c, 0, (float)s, 0, 0, 1, 0, 0, (float)-s, 0, (float)c, 0};
    for (int k = 0; k < 3; k++) {
        double turned = placement[4 * k] * middle[0] + placement[4 * k + 1] * middle[1] +
                        placement[4 * k + 2] * middle[2];
        placement[4 * k + 3] = (float)(middle[k] - turned + size * places[place].at[k]);
    }
    pose.placement = placement;
    double seconds = clip == GRAZE_NONE ? 0 : (double)rig->clips[clip].seconds;
    test_rig_sample(rig, clip, fmod(time + 0.37 * seconds, seconds + 1e-9), joints);
    if (!variants_pose(&sides[1], &pose, name))
        return test_check(false, __FILE__, __LINE__, "%s: pose refused", name);
    return sides_agree(&sides[0], &sides[1], name, seen);
}

static bool check_rig(const test_rig *rig, test_random *random, agreement *seen)
{
    variants sides[2];
    const graze_rig *r = rig->rig;
    OWNED float *joints = malloc(12 * sizeof *joints * r->joint_count);
    bool ok = variants_make(&sides[0], graze_rig_model_def(r), MAX_VARIANTS, random);
    ok = variants_make(&sides[1], graze_rig_model_def(r), MAX_VARIANTS, random) && ok;
    uint32_t frames = test_amount(r->clip_count > 4 ? 1 : 3, 1), next = 0;
    if (ok && r->clip_count == 0)
        ok = check_frame(r, rig->name, sides, joints, GRAZE_NONE, 0, 0, seen);
    for (uint32_t c = 0; ok && c < r->clip_count; c++)
        for (uint32_t f = 0; ok && f < frames; f++, next++)
            ok = check_frame(r, rig->name, sides, joints, c,
                             (f + 0.2) / frames * (double)r->clips[c].seconds, next % 4, seen);
    variants_free(&sides[0]);
    variants_free(&sides[1]);
    return ok;
}

TEST(characters_agree)
{
    agreement seen = {0};
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    test_random random = test_random_seed(3);
    for (uint32_t i = 0; i < count; i++)
        if (!test_is_quick() || rigs[i].rig->triangle_count < (test_is_brief() ? 1000u : 3000u))
            check_rig(&rigs[i], &random, &seen);
    agreement_print("characters", &seen);
    CHECK(seen.hits > 0);
}
