/* Batches of poses: the same bits as posing a body and looking at its spheres one by one, on every
 * instruction set and number of threads; bad poses marked, bad calls refused.
 */
#include "harness.h"
#include "support/allocator.h"
#include "support/chain_lists.h"
#include "support/chain_soup.h"
#include "support/own.h"
#include "support/quick.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static graze_chain_batch *batch_of(const graze_chains *chains, bool all, graze_pool *pool)
{
    graze_chain_batch *batch = NULL;
    graze_error error = {GRAZE_OK, ""};
    graze_chain_batch_def def = {0};
    def.chains = chains;
    def.which = all;
    def.pool = pool;
    graze_status status = graze_chain_batch_create(&def, &batch, &error);
    CHECK_MSG(status == GRAZE_OK, "%s", error.text);
    return batch;
}

static void compare(const chain_soup_def *def, bool all, graze_pool *pool, uint32_t poses,
                    uint32_t capacity)
{
    graze_status status;
    graze_chains *chains = chain_soup_make(def, &status);
    REQUIRE(chains);
    test_random random = test_random_seed(def->seed + 7);
    OWNED float *joints = chain_soup_poses(&random, def->joints, poses);
    chain_soup_answers answers = chain_soup_answer(chains, all, joints, poses);
    graze_chain_results results = chain_soup_results(&answers, capacity);
    graze_chain_batch *batch = batch_of(chains, all, pool);
    REQUIRE(batch);
    graze_chains_destroy(chains); /* the batch does without */
    CHECK(graze_chain_batch_run(batch, joints, poses, &results, NULL) == GRAZE_OK);
    const uint32_t right = chain_soup_compare(&answers, &results);
    CHECK_MSG(right == poses, "seed %u, isa %d: %u of %u poses are right", (unsigned)def->seed,
              (int)def->isa, right, poses);
    graze_chain_batch_destroy(batch);
    chain_soup_release_results(&results);
    chain_soup_release(&answers);
}

TEST(same_bits_as_one_by_one)
{
    uint32_t kinds = test_amount(60, 12);
    for (uint32_t k = 0; k < kinds; k++) {
        chain_soup_def def = chain_soup_usual();
        def.seed = 100 + k;
        def.vertices_per_pivot = k % 2 ? 3 : 1;
        def.most_pivots = 1 + k % 12;
        def.most_influences = 1 + k % 6;
        def.joints = 1 + 3 * k % 40;
        def.spheres = 2 + k % 50;
        for (graze_isa isa = GRAZE_ISA_BASE; isa <= GRAZE_ISA_AVX512; isa++) {
            def.isa = isa;
            if (graze_isa_available(isa))
                compare(&def, k % 3 == 0, NULL, 1 + 7 * k % 40, 1 + k % 20);
        }
    }
}

/* The same spheres and pairs as a plan's, pose by pose. */
static void compare_with_plan(const graze_chains *chains, const float *joints, uint32_t joint_count,
                              uint32_t poses, const graze_chain_results *results)
{
    enum { MOST = 4096 };
    static graze_pair pairs[MOST];
    OWN(graze_chain_tracker) *plan = NULL;
    OWN(graze_body) *body = NULL;
    uint32_t checked, equal = 0;
    const graze_pair *list = graze_chains_pairs(chains, GRAZE_CHAIN_PAIRS, &checked);
    const uint32_t spheres = graze_chains_get_info(chains).sphere_count;
    OWNED float *balls = malloc(4 * sizeof(float) * spheres);
    REQUIRE(balls && graze_chain_tracker_create(chains, NULL, &plan, NULL) == GRAZE_OK);
    REQUIRE(graze_body_create(graze_chains_get_info(chains).model, &body, NULL) == GRAZE_OK);
    for (size_t n = 0; n < poses; n++) {
        size_t count = 0;
        graze_pose pose = {0};
        pose.joints = joints + 12 * joint_count * n;
        pose.joint_count = joint_count;
        CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
        CHECK(graze_chain_pose(plan, body, GRAZE_CHAIN_PIVOTS, balls, spheres, NULL) == GRAZE_OK);
        const graze_posed_chains posed = {plan, balls, NULL};
        CHECK(chain_list_pairs(&posed, NULL, GRAZE_CHAIN_PAIRS, NULL, pairs, MOST, &count) ==
              GRAZE_OK);
        bool same = count == results->counts[n] && count <= results->pair_capacity &&
                    memcmp(balls, results->spheres + 4 * spheres * n, 16 * spheres) == 0;
        for (size_t k = 0; same && k < count; k++) {
            const graze_pair *found = &list[results->pairs[results->pair_capacity * n + k]];
            same = found->a == pairs[k].a && found->b == pairs[k].b;
        }
        equal += same;
    }
    CHECK_MSG(equal == poses, "%u of %u poses are the plan's", equal, poses);
}

TEST(same_bits_as_a_plan)
{
    graze_status status;
    for (uint32_t k = 0; k < 4; k++) {
        chain_soup_def def = chain_soup_usual();
        const uint32_t poses = 50;
        def.seed = 900 + k;
        def.vertices_per_pivot = k % 2 ? 3 : 1;
        OWN(graze_chains) *chains = chain_soup_make(&def, &status);
        OWN(graze_chain_batch) *batch = batch_of(chains, false, NULL);
        test_random random = test_random_seed(k);
        OWNED float *joints = chain_soup_poses(&random, def.joints, poses);
        const chain_soup_answers sizes = {.poses = poses, .spheres = def.spheres};
        graze_chain_results results = chain_soup_results(&sizes, 253);
        REQUIRE(batch);
        CHECK(graze_chain_batch_run(batch, joints, poses, &results, NULL) == GRAZE_OK);
        compare_with_plan(chains, joints, def.joints, poses, &results);
        chain_soup_release_results(&results);
    }
}

TEST(every_number_of_poses)
{
    chain_soup_def def = chain_soup_usual();
    for (uint32_t poses = 1; poses < 36; poses++)
        compare(&def, true, NULL, poses, 5);
}

TEST(threads_change_nothing)
{
    chain_soup_def def = chain_soup_usual();
    OWN(graze_pool) *pool = NULL;
    REQUIRE(graze_pool_create(3, NULL, &pool, NULL) == GRAZE_OK);
    compare(&def, true, pool, 500, 9);
}

/* What is wanted does not change what is found; rows of any alignment will do. */
TEST(any_results_from_any_place)
{
    graze_status status;
    chain_soup_def def = chain_soup_usual();
    enum { POSES = 37 };
    OWN(graze_chains) *chains = chain_soup_make(&def, &status);
    test_random random = test_random_seed(3);
    OWNED float *joints = chain_soup_poses(&random, def.joints, POSES);
    const size_t floats = 12 * (size_t)def.joints * POSES;
    OWNED float *apart = malloc((floats + 1) * sizeof(float));
    OWN(graze_chain_batch) *batch = batch_of(chains, false, NULL);
    REQUIRE(apart && batch);
    memcpy(apart + 1, joints, floats * sizeof(float));
    chain_soup_answers answers = chain_soup_answer(chains, false, joints, POSES);
    graze_chain_results all = chain_soup_results(&answers, 4);
    graze_chain_results wanted[] = {{.flags = all.flags},
                                    {.counts = all.counts},
                                    {.pairs = all.pairs, .pair_capacity = 4},
                                    {.spheres = all.spheres},
                                    {.flags = NULL}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        CHECK(graze_chain_batch_run(batch, apart + 1, POSES, &wanted[i], NULL) == GRAZE_OK);
        CHECK_MSG(chain_soup_compare(&answers, &wanted[i]) == POSES, "results %u", (unsigned)i);
    }
    chain_soup_release_results(&all);
    chain_soup_release(&answers);
}

TEST(bad_poses_are_marked_and_others_not)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY, 1e30f, -3e38f};
    graze_status status;
    chain_soup_def def = chain_soup_usual();
    enum { POSES = 40 };
    OWN(graze_chains) *chains = chain_soup_make(&def, &status);
    test_random random = test_random_seed(5);
    OWNED float *joints = chain_soup_poses(&random, def.joints, POSES);
    for (uint32_t k = 0; k < 5; k++) {
        const size_t pose = 12 * (size_t)def.joints;
        joints[pose * (7 * k) + 12 * (k % 4) + 3 + 4 * (k % 3)] = bad[k];
    }
    chain_soup_answers answers = chain_soup_answer(chains, false, joints, POSES);
    for (uint32_t k = 0; k < 5; k++)
        CHECK(answers.flags[7 * k] == GRAZE_CHAIN_BAD_POSE);
    /* A joint that moves nothing may have any numbers. */
    for (uint32_t n = 0; n < POSES; n++)
        joints[12 * ((size_t)def.joints * n + 4) + 2] = NAN;
    graze_chain_results results = chain_soup_results(&answers, 3);
    graze_chain_batch *batch = batch_of(chains, false, NULL);
    REQUIRE(batch);
    CHECK(graze_chain_batch_run(batch, joints, POSES, &results, NULL) == GRAZE_OK);
    CHECK(chain_soup_compare(&answers, &results) == POSES);
    graze_chain_batch_destroy(batch);
    chain_soup_release_results(&results);
    chain_soup_release(&answers);
}

TEST(tables_are_those_of_the_chains)
{
    graze_status status;
    uint32_t count;
    chain_soup_def def = chain_soup_usual();
    OWN(graze_chains) *chains = chain_soup_make(&def, &status);
    const graze_pair *pairs = graze_chains_pairs(chains, GRAZE_CHAIN_PAIRS, &count);
    OWN(graze_chain_batch) *batch = batch_of(chains, false, NULL);
    REQUIRE(batch);
    const graze_chain_tables *tables = graze_chain_batch_tables(batch);
    CHECK(tables->sphere_count == def.spheres && tables->pair_count == count && count > 0);
    CHECK(tables->joint_count == def.joints);
    CHECK(tables->used_joint_count == def.joints - def.joints / 5);
    for (uint32_t p = 0; p < count; p++)
        CHECK(tables->pairs[p] == (pairs[p].a | pairs[p].b << 16));
    for (uint32_t i = 0; i < tables->influence_count; i++)
        CHECK(tables->influences[i].joint < tables->used_joint_count);
    CHECK(graze_chain_batch_tables(NULL) == NULL);
}

static void refuse_model(chain_soup_def def, const char *words)
{
    graze_status status;
    graze_error error = {GRAZE_OK, ""};
    OWN(graze_chains) *chains = chain_soup_make(&def, &status);
    REQUIRE(chains);
    graze_chain_batch *batch = NULL;
    graze_chain_batch_def made = {0};
    made.chains = chains;
    CHECK(graze_chain_batch_create(&made, &batch, &error) == GRAZE_UNSUPPORTED && !batch);
    CHECK_MSG(strstr(error.text, words) != NULL, "%s", error.text);
}

TEST(other_deformers_are_refused)
{
    chain_soup_def def = chain_soup_usual();
    def.skinning = GRAZE_DUAL;
    refuse_model(def, "linear skinning");
    def = chain_soup_usual();
    def.morphed = true;
    refuse_model(def, "morph targets");
}

TEST(bad_calls_are_refused)
{
    graze_status status;
    graze_error error;
    chain_soup_def def = chain_soup_usual();
    OWN(graze_chains) *chains = chain_soup_make(&def, &status);
    OWN(graze_chain_batch) *batch = batch_of(chains, false, NULL);
    uint32_t pair;
    float joints[12 * 11] = {0};
    graze_chain_results results = {.pairs = &pair};
    REQUIRE(batch);
    CHECK(graze_chain_batch_run(batch, joints, 1, &results, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "no pairs"));
    results.pairs = NULL;
    CHECK(graze_chain_batch_run(batch, NULL, 1, &results, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "joints"));
    CHECK(graze_chain_batch_run(batch, joints, 1, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_chain_batch_run(NULL, joints, 1, &results, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_chain_batch_run(batch, NULL, 0, &results, NULL) == GRAZE_OK);
}

static graze_status make_batch(const graze_allocator *allocator, void *about, graze_error *error)
{
    const graze_chain_batch_def def = {.chains = about};
    OWN(graze_chain_batch) *batch = NULL;
    (void)allocator;
    graze_status status = graze_chain_batch_create(&def, &batch, error);
    CHECK(!status == (batch != NULL));
    return status;
}

TEST(memory_that_fails_leaves_nothing)
{
    graze_status status;
    test_memory memory = {0};
    graze_allocator allocator = test_memory_allocator(&memory);
    chain_soup_def def = chain_soup_usual();
    def.allocator = &allocator;
    graze_chains *chains = chain_soup_make(&def, &status);
    REQUIRE(chains);
    CHECK(test_fail_each(&memory, make_batch, chains, 100) > 0);
    graze_chains_destroy(chains);
    CHECK(memory.alive == 0);
}
