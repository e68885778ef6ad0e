/* Chosen vertices are the very floats of all positions: with every deformer, morph targets,
 * placements and instruction set, given positions, lean and shared bodies.
 */
#include "harness.h"
#include "support/deform_skins.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/soup_pair.h"

#include <graze/graze.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHOSEN = 200 };

static uint64_t compared;

/* Chooses vertices by lot, repeated ones too, and compares their bits with `all`. */
static bool agrees(graze_body *body, const float *all, uint32_t vertex_count, test_random *random,
                   const char *name)
{
    uint32_t chosen[MAX_CHOSEN], count = test_random_u32(random) % (MAX_CHOSEN + 1);
    float found[3 * MAX_CHOSEN + 1];
    graze_error error = {.text = ""};
    for (uint32_t i = 0; i < count; i++)
        chosen[i] = test_random_u32(random) % vertex_count;
    found[3 * count] = 7;
    bool ok = test_check(!graze_body_get_vertices(body, chosen, count, found, &error), __FILE__,
                         __LINE__, "%s: %s", name, error.text);
    for (uint32_t i = 0; ok && i < count; i++)
        ok = test_check(memcmp(found + 3 * i, all + 3 * (size_t)chosen[i], 12) == 0, __FILE__,
                        __LINE__, "%s: vertex %u is elsewhere", name, chosen[i]);
    compared += count;
    return ok && test_check(found[3 * count] == 7, __FILE__, __LINE__, "%s: too much", name);
}

/* One body is asked before it knows anything of the pose, and after it knows everything. */
static bool check_pose(graze_body *body, graze_body *eager, const graze_pose *pose,
                       uint32_t vertex_count, test_random *random, const char *name)
{
    if (graze_body_set_pose(body, pose, NULL) || graze_body_set_pose(eager, pose, NULL))
        return true; /* beyond 1e18, as some of the skins' poses are */
    OWNED float *all = malloc(3 * sizeof *all * vertex_count);
    if (!all)
        abort();
    graze_body_get_positions(eager, all);
    bool ok = agrees(body, all, vertex_count, random, name) &&
              agrees(eager, all, vertex_count, random, name);
    return ok;
}

static bool check_skin(const deform_skin *skin, graze_skinning kind, graze_isa isa, uint32_t poses,
                       test_random random)
{
    const soup *mesh = &skin->mesh;
    graze_model_def def = deform_skin_def(skin, kind);
    OWN(graze_model) *model = NULL;
    graze_body *bodies[2] = {NULL, NULL};
    float *joints = malloc(12 * sizeof *joints * mesh->def.joint_count);
    float *weights = malloc((skin->morph_count + (size_t)1) * sizeof *weights);
    def.isa = isa;
    bool ok = test_check(joints && weights && !graze_model_create(&def, &model, NULL) &&
                             !graze_body_create(model, &bodies[0], NULL) &&
                             !graze_body_create(model, &bodies[1], NULL),
                         __FILE__, __LINE__, "no bodies");
    for (uint32_t p = 0; ok && p < poses; p++) {
        float placement[12];
        char name[64];
        snprintf(name, sizeof name, "skinning %d, isa %d, pose %u", (int)kind, (int)isa, p);
        deform_pose_make((deform_pose_kind)(p % DEFORM_POSE_COUNT), mesh->centre, mesh->def.size,
                         mesh->def.joint_count, &random, joints);
        deform_weights_make(skin->morph_count, &random, weights);
        graze_pose pose = {.joints = joints,
                           .joint_count = mesh->def.joint_count,
                           .morph_weights = weights,
                           .morph_count = skin->morph_count};
        if (deform_placement_make(mesh->def.size, &random, placement))
            pose.placement = placement;
        ok = check_pose(bodies[0], bodies[1], &pose, mesh->def.vertex_count, &random, name);
    }
    free(joints);
    free(weights);
    for (int i = 0; i < 2; i++)
        graze_body_destroy(bodies[i]);
    return ok;
}

TEST(every_deformer_gives_the_floats_of_all_positions)
{
    static const graze_isa isas[] = {GRAZE_ISA_BASE, GRAZE_ISA_AVX2, GRAZE_ISA_AVX512};
    const uint32_t skins = test_amount(60, 12);
    for (uint32_t s = 0; s < skins; s++) {
        test_random random = test_random_seed(500 + s);
        soup_def def = {.vertex_count = 3 + test_random_u32(&random) % 300,
                        .triangle_count = 10,
                        .joint_count = 2 + test_random_u32(&random) % 30,
                        .max_influences = 1 + test_random_u32(&random) % 8,
                        .size = pow(10, test_random_range(&random, -2, 2)),
                        .scattered = s % 2 == 1,
                        .odd_weights = s % 3 == 1};
        OWN(deform_skin) skin = deform_skin_make(&def, s % 4 * 2, &random);
        for (int kind = 0; kind < 3; kind++)
            for (size_t i = 0; i < sizeof isas / sizeof *isas; i++)
                if (graze_isa_available(isas[i]))
                    REQUIRE(check_skin(&skin, (graze_skinning)kind, isas[i], 20, random));
    }
    CHECK(compared > 10000);
}

TEST(characters_in_their_clips_too)
{
    uint32_t count, clips;
    const test_rig *rigs = test_rigs(&count);
    for (uint32_t r = 0; r < count; r++) {
        test_random random = test_random_seed(900 + r);
        OWN(graze_model) *model = NULL;
        graze_body *bodies[2] = {NULL, NULL};
        graze_model_def def = test_rig_def(rigs[r].rig);
        def.no_self_collision = true;
        if (def.triangle_count > test_amount(UINT32_MAX, 4000))
            continue;
        REQUIRE(!graze_model_create(&def, &model, NULL) &&
                !graze_body_create(model, &bodies[0], NULL) &&
                !graze_body_create(model, &bodies[1], NULL));
        clips = rigs[r].rig->clip_count;
        for (uint32_t p = 0; p < 5; p++) {
            graze_pose pose = test_rig_pose(rigs[r].rig, clips ? p % clips : GRAZE_NONE, 0.3 * p);
            REQUIRE(
                check_pose(bodies[0], bodies[1], &pose, def.vertex_count, &random, rigs[r].name));
        }
        for (int i = 0; i < 2; i++)
            graze_body_destroy(bodies[i]);
    }
}

TEST(given_positions_come_back)
{
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    const uint32_t count = pair.meshes[0].def.vertex_count;
    OWN(graze_cache_pool) *caches = NULL;
    OWN(graze_body) *lean = NULL;
    OWNED float *given = malloc(3 * sizeof *given * count);
    test_random random = test_random_seed(77);
    REQUIRE(given && !graze_cache_pool_create(pair.models[0], NULL, &caches, NULL) &&
            !graze_body_create_lean(caches, &lean, NULL));
    graze_body *bodies[2] = {pair.a, lean};
    for (int round = 0; round < 20; round++)
        for (int b = 0; b < 2; b++) {
            for (uint32_t i = 0; i < 3 * count; i++)
                given[i] = (float)test_random_range(&random, -9, 9);
            CHECK(!graze_body_set_positions(bodies[b], given, 0, count, NULL));
            CHECK(agrees(bodies[b], given, count, &random, b ? "lean" : "plain"));
        }
    CHECK(!graze_body_has_caches(lean));
}

TEST(a_lean_body_borrows_nothing)
{
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_DUAL, NULL);
    const uint32_t count = pair.meshes[0].def.vertex_count;
    OWN(graze_cache_pool) *caches = NULL;
    OWN(graze_body) *lean = NULL;
    OWNED float *all = malloc(3 * sizeof *all * count);
    test_random random = test_random_seed(78);
    REQUIRE(all && !graze_cache_pool_create(pair.models[0], NULL, &caches, NULL) &&
            !graze_body_create_lean(caches, &lean, NULL));
    for (uint32_t p = 0; p < 20; p++) {
        REQUIRE(!soup_pair_pose(&pair, 0, lean, p) && !soup_pair_pose(&pair, 0, pair.a, p));
        graze_body_get_positions(pair.a, all);
        CHECK(agrees(lean, all, count, &random, "lean"));
        CHECK(!graze_body_has_caches(lean) && graze_cache_pool_get_info(caches).made == 0);
    }
    /* With caches, and everything posed in them. */
    graze_body_get_positions(lean, all);
    CHECK(agrees(lean, all, count, &random, "lean with caches"));
}

TEST(bad_numbers_are_named_and_nothing_is_written)
{
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    const uint32_t count = pair.meshes[0].def.vertex_count;
    const uint32_t chosen[3] = {0, count, 1};
    float found[9] = {5, 5, 5, 5, 5, 5, 5, 5, 5};
    graze_error error = {.text = ""};
    char wanted[80];
    snprintf(wanted, sizeof wanted, "number 1 is vertex %u, the model has %u", count, count);
    CHECK(graze_body_get_vertices(pair.a, chosen, 3, found, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, wanted) == 0, "%s", error.text);
    for (int i = 0; i < 9; i++)
        CHECK(found[i] == 5);
    CHECK(graze_body_get_vertices(pair.a, NULL, 1, found, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_body_get_vertices(pair.a, chosen, 1, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_body_get_vertices(NULL, chosen, 1, found, NULL) == GRAZE_BAD_INPUT);
    CHECK(!graze_body_get_vertices(pair.a, NULL, 0, NULL, &error));
}
