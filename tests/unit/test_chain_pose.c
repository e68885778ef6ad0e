/* Spheres in a pose: by pivots they are what plain arithmetic on the posed vertices gives, bit for
 * bit; conservative ones hold every posed vertex of their triangles, with every deformer; and
 * chains with the exact query give the pairs of the whole self query.
 */
#include "chain/tracker.h"
#include "harness.h"
#include "support/allocator.h"
#include "support/chain_lists.h"
#include "support/deform_skins.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/random_chains.h"
#include "support/rigs.h"
#include "support/self_judge.h"

#include <graze/graze.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t held, followed;

static void *room(size_t count, size_t size)
{
    void *made = malloc((count + 1) * size);
    if (!made)
        abort();
    return made;
}

/* ---- judges -------------------------------------------------------------------------------- */

/* The sphere of some pivots, in the order that the header promises. */
static void expect_sphere(const random_chains *c, const float *positions, uint32_t s, float out[4])
{
    const graze_chain_sphere *sphere = &c->spheres[s];
    float points[8][3], centre[3] = {0, 0, 0}, sum = 0;
    for (uint32_t k = 0; k < sphere->pivot_count; k++) {
        const graze_chain_pivot *pivot = &c->pivots[sphere->first_pivot + k];
        for (int axis = 0; axis < 3; axis++) {
            float at[3];
            for (int v = 0; v < 3; v++)
                at[v] = positions[3 * (size_t)pivot->vertices[v] + axis];
            points[k][axis] = c->given.vertices_per_pivot == 1
                                  ? at[0]
                                  : ((at[0] + at[1]) + at[2]) * (1.0f / 3.0f);
            centre[axis] = centre[axis] + points[k][axis] * pivot->weight;
        }
    }
    for (uint32_t k = 0; k < sphere->pivot_count; k++) {
        float d[3];
        for (int axis = 0; axis < 3; axis++)
            d[axis] = points[k][axis] - centre[axis];
        sum = sum + sqrtf((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]);
    }
    memcpy(out, centre, sizeof centre);
    out[3] = sphere->radius_factor / (float)sphere->pivot_count * sum;
}

static bool check_pivots(const graze_chain_tracker *plan, const random_chains *c, graze_body *body,
                         const float *positions, const char *name)
{
    uint32_t count = c->given.sphere_count;
    OWNED float *spheres = room(4 * (size_t)count, sizeof *spheres);
    bool ok = test_check(!graze_chain_pose(plan, body, GRAZE_CHAIN_PIVOTS, spheres, count, NULL),
                         __FILE__, __LINE__, "%s: not posed", name);
    for (uint32_t s = 0; ok && s < count; s++) {
        float wanted[4];
        expect_sphere(c, positions, s, wanted);
        ok = test_check(memcmp(wanted, spheres + 4 * (size_t)s, sizeof wanted) == 0, __FILE__,
                        __LINE__, "%s: sphere %u is %g %g %g %g, not %g %g %g %g", name, s,
                        (double)spheres[4 * s], (double)spheres[4 * s + 1],
                        (double)spheres[4 * s + 2], (double)spheres[4 * s + 3], (double)wanted[0],
                        (double)wanted[1], (double)wanted[2], (double)wanted[3]);
        followed++;
    }
    return ok;
}

static bool check_held(const graze_chain_tracker *plan, const random_chains *c,
                       const graze_model_def *def, graze_body *body, const float *positions,
                       const char *name)
{
    uint32_t count = c->given.sphere_count;
    OWNED float *spheres = room(4 * (size_t)count, sizeof *spheres);
    bool ok =
        test_check(!graze_chain_pose(plan, body, GRAZE_CHAIN_CONSERVATIVE, spheres, count, NULL),
                   __FILE__, __LINE__, "%s: not posed", name);
    for (size_t i = 0; ok && i < 3 * (size_t)def->triangle_count; i++) {
        const float *sphere = spheres + 4 * (size_t)c->owners[i / 3];
        double square = 0;
        for (int k = 0; k < 3; k++) {
            double d = (double)positions[3 * (size_t)def->triangles[i] + k] - (double)sphere[k];
            square += d * d;
        }
        ok = test_check(sqrt(square) <= (double)sphere[3], __FILE__, __LINE__,
                        "%s: vertex %u is %g from the centre of sphere %u, whose radius is %g",
                        name, def->triangles[i], sqrt(square), c->owners[i / 3], (double)sphere[3]);
        held++;
    }
    return ok;
}

static bool check_pose(const graze_chain_tracker *plan, const random_chains *c,
                       const graze_model_def *def, graze_body *body, graze_body *eager,
                       const char *name)
{
    OWNED float *positions = room(3 * (size_t)def->vertex_count, sizeof *positions);
    graze_body_get_positions(eager, positions);
    bool ok = check_pivots(plan, c, body, positions, name) &&
              check_held(plan, c, def, body, positions, name) &&
              check_pivots(plan, c, eager, positions, name);
    return ok;
}

/* ---- random skins --------------------------------------------------------------------------- */

/* Bodies keep what is found of a pair of joints in a pose; so a plan has to find the same. */
static bool check_pairs(const graze_chain_tracker *plan)
{
    const grazei_blend *own = &plan->clusters.blend, *given = &plan->model->skin.blend;
    bool ok = own->pair_count == given->pair_count;
    if (ok && own->pair_count)
        ok = !memcmp(own->pair_centre, given->pair_centre,
                     own->pair_count * sizeof *own->pair_centre);
    return test_check(ok, __FILE__, __LINE__, "the plan has other pairs than its model");
}

static bool check_skin(const deform_skin *skin, graze_skinning kind, graze_isa isa, uint32_t number,
                       uint32_t poses, test_random random)
{
    const soup *mesh = &skin->mesh;
    graze_model_def def = deform_skin_def(skin, kind);
    OWN(graze_model) *model = NULL;
    graze_body *bodies[2] = {NULL, NULL};
    graze_chain_tracker *plan = NULL;
    float *joints = room(12 * (size_t)mesh->def.joint_count, sizeof *joints);
    float *weights = room(skin->morph_count, sizeof *weights);
    const graze_chain_tracker_def plan_def = {.clusters = 1 + number % 5};
    def.isa = isa;
    def.no_self_collision = true;
    if (number % 4 == 3)
        def.tree.volume = GRAZE_SPHERES;
    if (graze_model_create(&def, &model, NULL) || graze_body_create(model, &bodies[0], NULL) ||
        graze_body_create(model, &bodies[1], NULL))
        abort();
    random_chains c =
        random_chains_make(model, &def, 1 + number * 7 % 40, number % 3 ? 1 : 3, &random);
    bool ok = test_check(!graze_chain_tracker_create(c.chains, &plan_def, &plan, NULL), __FILE__,
                         __LINE__, "no plan") &&
              check_pairs(plan);
    for (uint32_t p = 0; ok && p < poses; p++) {
        float placement[12];
        char name[80];
        snprintf(name, sizeof name, "skin %u, skinning %d, isa %d, pose %u", number, (int)kind,
                 (int)isa, p);
        deform_pose_make((deform_pose_kind)(p % DEFORM_POSE_COUNT), mesh->centre, mesh->def.size,
                         mesh->def.joint_count, &random, joints);
        deform_weights_make(skin->morph_count, &random, weights);
        graze_pose pose = {.joints = joints,
                           .joint_count = mesh->def.joint_count,
                           .morph_weights = weights,
                           .morph_count = skin->morph_count};
        if (deform_placement_make(mesh->def.size, &random, placement))
            pose.placement = placement;
        if (!graze_body_set_pose(bodies[0], &pose, NULL) &&
            !graze_body_set_pose(bodies[1], &pose, NULL))
            ok = check_pose(plan, &c, &def, bodies[0], bodies[1], name);
    }
    free(joints);
    free(weights);
    graze_chain_tracker_destroy(plan);
    random_chains_free(&c);
    for (int i = 0; i < 2; i++)
        graze_body_destroy(bodies[i]);
    return ok;
}

TEST(every_deformer_is_followed_and_held)
{
    static const graze_isa isas[] = {GRAZE_ISA_BASE, GRAZE_ISA_AVX2, GRAZE_ISA_AVX512};
    const uint32_t skins = test_amount(120, 9);
    for (uint32_t s = 0; s < skins; s++) {
        test_random random = test_random_seed(1500 + s);
        soup_def def = {.vertex_count = 3 + test_random_u32(&random) % 150,
                        .triangle_count = 1 + test_random_u32(&random) % 100,
                        .joint_count = 2 + test_random_u32(&random) % 30,
                        .max_influences = 1 + test_random_u32(&random) % 8,
                        .size = pow(10, test_random_range(&random, -2, 2)),
                        .scattered = s % 2 == 1,
                        .odd_weights = s % 3 == 1,
                        .equal_weights = s % 6 == 5};
        OWN(deform_skin) skin = deform_skin_make(&def, s % 4 == 0 ? 0 : s % 4 * 2, &random);
        for (int kind = 0; kind < 3; kind++)
            for (size_t i = 0; i < sizeof isas / sizeof *isas; i++)
                if (graze_isa_available(isas[i]))
                    REQUIRE(check_skin(&skin, (graze_skinning)kind, isas[i], s, 32, random));
    }
    printf("     %llu spheres followed, %llu corners held\n", (unsigned long long)followed,
           (unsigned long long)held);
    CHECK(held > 10000 && followed > 10000);
}

/* ---- characters ----------------------------------------------------------------------------- */

/* A character with random chains, once with groups as it has them and once with spheres as groups.
 */
typedef struct character {
    graze_model_def def;
    graze_model *models[2];
    graze_body *body, *eager, *grouped;
    uint32_t *vertex_parts; /* all 0: groups of triangles alone would not be all there are */
    random_chains chains;
    graze_chain_tracker *plan;
} character;

static void open_character(character *c, const graze_rig *rig, graze_skinning skinning,
                           uint32_t spheres, test_random *random)
{
    memset(c, 0, sizeof *c);
    c->def = test_rig_def(rig);
    c->def.skinning = skinning;
    if (graze_model_create(&c->def, &c->models[0], NULL))
        abort();
    c->chains = random_chains_make(c->models[0], &c->def, spheres, 1, random);
    graze_model_def grouped = c->def;
    grouped.triangle_parts = c->chains.owners;
    grouped.vertex_parts = c->vertex_parts = calloc(c->def.vertex_count, sizeof(uint32_t));
    grouped.part_count = spheres;
    if (graze_model_create(&grouped, &c->models[1], NULL) ||
        graze_body_create(c->models[0], &c->body, NULL) ||
        graze_body_create(c->models[0], &c->eager, NULL) ||
        graze_body_create(c->models[1], &c->grouped, NULL) ||
        graze_chain_tracker_create(c->chains.chains, NULL, &c->plan, NULL))
        abort();
}

static void close_character(character *c)
{
    graze_chain_tracker_destroy(c->plan);
    random_chains_free(&c->chains);
    graze_body_destroy(c->body);
    graze_body_destroy(c->eager);
    graze_body_destroy(c->grouped);
    graze_model_destroy(c->models[0]);
    graze_model_destroy(c->models[1]);
    free(c->vertex_parts);
}

OWN_VALUE(character, close_character)

static int compare_self(const void *first, const void *second)
{
    const graze_pair *a = first, *b = second;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

/* Chains and the exact query against the whole self query. Returns the pairs of spheres. */
static size_t check_exact(character *c, graze_chain_pairs_of which, graze_method method,
                          size_t *triangles)
{
    const uint32_t count = c->chains.given.sphere_count;
    const size_t capacity = chain_count_pairs(c->plan, which);
    const size_t words = chain_count_words(c->plan);
    OWNED float *spheres = room(4 * (size_t)count, sizeof *spheres);
    OWNED graze_pair *pairs = room(capacity, sizeof *pairs);
    OWNED uint32_t *rows = room(words, sizeof *rows);
    size_t found = 0;
    OWN(pair_set) whole = {0}, chained = {0};
    CHECK(!graze_chain_pose(c->plan, c->body, GRAZE_CHAIN_CONSERVATIVE, spheres, count, NULL));
    const graze_posed_chains posed = {c->plan, spheres, NULL};
    const graze_options options = {.method = method};
    CHECK(!chain_list_pairs(&posed, NULL, which, &options, pairs, capacity, &found));
    CHECK(!graze_chain_filter_rows(c->plan, which, pairs, found, rows, words, NULL));
    const graze_part_filter between = {.part_count = count, .rows = rows};
    CHECK(!graze_self_pairs(c->body, NULL, TO_PAIR_SET(&whole), NULL, NULL));
    CHECK(!graze_self_pairs(c->grouped, &between, TO_PAIR_SET(&chained), NULL, NULL));
    if (whole.count)
        qsort(whole.pairs, whole.count, sizeof *whole.pairs, compare_self);
    if (chained.count)
        qsort(chained.pairs, chained.count, sizeof *chained.pairs, compare_self);
    CHECK_MSG(whole.count == chained.count, "%zu pairs of triangles, not %zu", chained.count,
              whole.count);
    for (size_t i = 0; i < whole.count && i < chained.count; i++)
        CHECK(compare_self(&whole.pairs[i], &chained.pairs[i]) == 0);
    *triangles += whole.count;
    return found;
}

TEST(characters_are_held_and_exact_is_exact)
{
    uint32_t count;
    size_t triangles = 0, pairs = 0, skipped = 0;
    const test_rig *rigs = test_rigs(&count);
    for (uint32_t r = 0; r < count; r++) {
        if (rigs[r].rig->triangle_count > test_amount(12000, 3000))
            continue;
        for (int kind = 0; kind < 3; kind++) {
            test_random random = test_random_seed(3000 + r);
            OWN(character) c = {0};
            open_character(&c, rigs[r].rig, (graze_skinning)kind, 40, &random);
            for (uint32_t p = 0; p < test_amount(24, 3); p++) {
                uint32_t clips = rigs[r].rig->clip_count;
                graze_pose pose =
                    test_rig_pose(rigs[r].rig, clips ? p % clips : GRAZE_NONE, 0.31 * p + 0.1);
                REQUIRE(!graze_body_set_pose(c.body, &pose, NULL) &&
                        !graze_body_set_pose(c.eager, &pose, NULL) &&
                        !graze_body_set_pose(c.grouped, &pose, NULL));
                REQUIRE(check_pose(c.plan, &c.chains, &c.def, c.body, c.eager, rigs[r].name));
                graze_chain_pairs_of which = p % 3 == 1 ? GRAZE_ALL_PAIRS : GRAZE_CHAIN_PAIRS;
                size_t found =
                    check_exact(&c, which, p % 3 == 2 ? GRAZE_EAGER : GRAZE_LAZY, &triangles);
                pairs += found;
                skipped += chain_count_pairs(c.plan, which) - found;
            }
        }
    }
    printf("     %zu pairs of triangles, %zu of spheres, %zu ruled out\n", triangles, pairs,
           skipped);
    CHECK(triangles && pairs && skipped > pairs);
}

TEST(given_positions_and_lean_bodies)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    test_random random = test_random_seed(4000);
    OWN(character) c = {0};
    OWN(graze_cache_pool) *caches = NULL;
    OWN(graze_body) *lean = NULL;
    open_character(&c, rigs[0].rig, GRAZE_LINEAR, 25, &random);
    REQUIRE(!graze_cache_pool_create(c.models[0], NULL, &caches, NULL) &&
            !graze_body_create_lean(caches, &lean, NULL));
    OWNED float *given = room(3 * (size_t)c.def.vertex_count, sizeof *given);
    for (int round = 0; round < 5; round++) {
        for (uint32_t i = 0; i < 3 * c.def.vertex_count; i++)
            given[i] = c.def.positions[i] + (float)test_random_range(&random, -0.2, 0.2);
        REQUIRE(!graze_body_set_positions(c.body, given, 0, c.def.vertex_count, NULL) &&
                !graze_body_set_positions(lean, given, 0, c.def.vertex_count, NULL));
        CHECK(check_pivots(c.plan, &c.chains, c.body, given, "given"));
        CHECK(check_held(c.plan, &c.chains, &c.def, c.body, given, "given"));
        CHECK(check_pivots(c.plan, &c.chains, lean, given, "given to a lean body"));
        CHECK(check_held(c.plan, &c.chains, &c.def, lean, given, "given to a lean body"));
    }
    graze_pose pose = test_rig_pose(rigs[0].rig, GRAZE_NONE, 0);
    REQUIRE(!graze_body_set_pose(lean, &pose, NULL) && !graze_body_set_pose(c.eager, &pose, NULL));
    graze_body_get_positions(c.eager, given);
    CHECK(check_pivots(c.plan, &c.chains, lean, given, "lean"));
    CHECK(check_held(c.plan, &c.chains, &c.def, lean, given, "lean"));
    CHECK(!graze_body_has_caches(lean));
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Every allocation of a plan fails once; nothing is left behind, and blocks begin as no numbers. */
static graze_status make_plan(const graze_allocator *allocator, void *about, graze_error *error)
{
    const graze_chain_tracker_def def = {.clusters = 3};
    OWN(graze_chain_tracker) *plan = NULL;
    (void)allocator;
    graze_status status = graze_chain_tracker_create(about, &def, &plan, error);
    CHECK(!status == (plan != NULL));
    return status;
}

TEST(memory_that_fails_leaves_nothing)
{
    for (int kind = 0; kind < 3; kind++) {
        test_random random = test_random_seed(6000);
        test_memory memory = {0};
        graze_allocator allocator = test_memory_allocator(&memory);
        const soup_def mesh = {.vertex_count = 40,
                               .triangle_count = 30,
                               .joint_count = 4,
                               .max_influences = 3,
                               .size = 1};
        OWN(deform_skin) skin = deform_skin_make(&mesh, 2, &random);
        graze_model_def def = deform_skin_def(&skin, (graze_skinning)kind);
        graze_model *model = NULL;
        def.allocator = &allocator;
        REQUIRE(!graze_model_create(&def, &model, NULL));
        random_chains c = random_chains_make(model, &def, 9, 3, &random);
        CHECK(test_fail_each(&memory, make_plan, c.chains, 1000) > 0);
        random_chains_free(&c);
        graze_model_destroy(model);
        CHECK(memory.alive == 0);
    }
}

/* ---- bad input ------------------------------------------------------------------------------ */

TEST(bad_input_is_refused_in_words)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    test_random random = test_random_seed(5000);
    graze_error error = {.text = ""};
    float spheres[4 * 10];
    graze_chain_tracker *plan = NULL;
    OWN(character) c = {0};
    open_character(&c, rigs[0].rig, GRAZE_LINEAR, 10, &random);
    CHECK(graze_chain_pose(c.plan, c.body, (graze_chain_update)7, spheres, 10, &error) ==
          GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, "update 7 is unknown") == 0, "%s", error.text);
    CHECK(graze_chain_pose(c.plan, c.body, GRAZE_CHAIN_PIVOTS, spheres, 9, &error) ==
          GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, "room for 9 spheres, there are 10") == 0, "%s", error.text);
    CHECK(graze_chain_pose(c.plan, c.grouped, GRAZE_CHAIN_PIVOTS, spheres, 10, &error) ==
          GRAZE_BAD_INPUT);
    CHECK_MSG(strstr(error.text, "another model"), "%s", error.text);
    const graze_chain_tracker_def bad = {.clusters = 17};
    CHECK(graze_chain_tracker_create(c.chains.chains, &bad, &plan, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strstr(error.text, "clusters a sphere, not 1 to 16"), "%s", error.text);
    CHECK(plan == NULL);
    uint32_t rows[10];
    const graze_pair beyond = {.a = 3, .b = 10};
    CHECK(chain_count_words(c.plan) == 10);
    CHECK(graze_chain_filter_rows(c.plan, GRAZE_CHAIN_PAIRS, &beyond, 1, rows, 10, &error) ==
          GRAZE_BAD_INPUT);
    CHECK_MSG(strstr(error.text, "pair 0 is of spheres 3 and 10, there are 10"), "%s", error.text);
    CHECK(graze_chain_filter_rows(c.plan, GRAZE_CHAIN_PAIRS, NULL, 0, rows, 9, &error) ==
          GRAZE_BAD_INPUT);
    CHECK_MSG(strstr(error.text, "room for 9 words"), "%s", error.text);
}
