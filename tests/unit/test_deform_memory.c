/* Memory of models that blend rotations and follow morph targets: every allocation failed once in
 * turn leaves an error and nothing else, poses and queries take none, and the sizes that models
 * report are true.
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/allocator.h"
#include "support/bounds_judge.h"
#include "support/deform_skins.h"
#include "support/own.h"
#include "support/quick.h"

#include <graze/ext/inspect.h>

static deform_skin make_skin(uint32_t number)
{
    test_random random = test_random_seed(number);
    soup_def def = {.vertex_count = 120,
                    .triangle_count = 150,
                    .joint_count = number % 2 ? 5 : 40,
                    .max_influences = 4,
                    .size = 1};
    return deform_skin_make(&def, number / 2 * 5, &random);
}

static bool make_both(const deform_skin *skin, graze_skinning kind, graze_tree_def tree,
                      test_memory *c, graze_status *status, graze_error *error)
{
    graze_allocator allocator = test_memory_allocator(c);
    graze_model_def def = deform_skin_def(skin, kind);
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    def.allocator = &allocator;
    def.tree = tree;
    *status = graze_model_create(&def, &model, error);
    if (!*status)
        *status = graze_body_create(model, &body, error);
    CHECK(*status == GRAZE_OK || !body);
    return *status == GRAZE_OK;
}

TEST(every_allocation_fails_once)
{
    uint64_t failures = 0;
    for (uint32_t i = 0; i < 4 * 3 * BOUNDS_TREES; i++) {
        OWN(deform_skin) skin = make_skin(i % 4);
        bool made = false;
        for (uint64_t fail_at = 1; !made; fail_at++) {
            test_memory c = {.fail_at = fail_at};
            graze_error error = {.text = ""};
            graze_status status;
            made = make_both(&skin, (graze_skinning)(i / 4 % 3), bounds_tree(i / 12), &c, &status,
                             &error);
            failures += !made;
            CHECK_MSG(c.alive == 0 && !c.misused, "allocation %llu: %llu left",
                      (unsigned long long)fail_at, (unsigned long long)c.alive);
            CHECK_MSG(made || (status == GRAZE_OUT_OF_MEMORY &&
                               error.status == GRAZE_OUT_OF_MEMORY && error.text[0]),
                      "allocation %llu: status %d", (unsigned long long)fail_at, (int)status);
            REQUIRE(fail_at < 10000);
        }
    }
    printf("     %llu allocations failed\n", (unsigned long long)failures);
}

/* A round of poses and queries of all kinds; returns how many calls of the allocator it made. */
static uint64_t use_bodies(graze_body *a, graze_body *b, const deform_skin *skin, test_memory *c)
{
    uint64_t before = c->calls;
    float joints[12 * 40], weights[8];
    test_random random = test_random_seed(9);
    OWN(pair_set) found = {0};
    for (uint32_t p = 0; p < DEFORM_POSE_COUNT; p += test_amount(1, 5)) {
        deform_pose_make((deform_pose_kind)p, skin->mesh.centre, 1, skin->mesh.def.joint_count,
                         &random, joints);
        deform_weights_make(skin->morph_count, &random, weights);
        graze_pose pose = {.joints = joints,
                           .joint_count = skin->mesh.def.joint_count,
                           .morph_weights = weights,
                           .morph_count = skin->morph_count};
        CHECK(graze_body_set_pose(p % 2 ? a : b, &pose, NULL) == GRAZE_OK);
        graze_pairs(a, b, TO_PAIR_SET(&found), NULL, NULL);
        test_meets(a, b, NULL);
        graze_pairs(a, b, TO_PAIR_SET(&found), &(graze_options){.method = GRAZE_EAGER}, NULL);
        graze_pairs(a, b, TO_PAIR_SET(&found), &(graze_options){.method = GRAZE_BRUTE}, NULL);
        graze_body_refit_all(a);
        graze_body_drop_caches(b);
    }
    return c->calls - before;
}

TEST(poses_and_queries_allocate_nothing)
{
    for (uint32_t i = 0; i < 4 * 3 * BOUNDS_TREES; i++) {
        test_memory c = {0};
        graze_allocator allocator = test_memory_allocator(&c);
        OWN(deform_skin) skin = make_skin(i % 4);
        graze_model_def def = deform_skin_def(&skin, (graze_skinning)(i / 4 % 3));
        graze_model *model = NULL;
        graze_body *a = NULL, *b = NULL;
        def.allocator = &allocator;
        def.tree = bounds_tree(i / 12);
        REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
        REQUIRE(graze_body_create(model, &a, NULL) == GRAZE_OK);
        uint64_t bytes = c.bytes;
        REQUIRE(graze_body_create(model, &b, NULL) == GRAZE_OK);
        size_t reported = graze_model_get_info(model).body_bytes;
        CHECK_MSG(c.bytes - bytes == reported, "%s, %u targets: a body has %llu bytes, not %zu",
                  skinning_name(def.skinning), skin.morph_count,
                  (unsigned long long)(c.bytes - bytes), reported);
        CHECK(use_bodies(a, b, &skin, &c) == 0);
        graze_body_destroy(a);
        graze_body_destroy(b);
        graze_model_destroy(model);
        CHECK(c.alive == 0 && c.bytes == 0 && !c.misused);
    }
}

/* What fields and blended pairs add to the constants is counted. */
TEST(tree_bytes_count_fields_and_pairs)
{
    OWN(deform_skin) skin = make_skin(2);
    OWN(graze_model) *plain = NULL, *morphing = NULL, *dual = NULL;
    graze_model_def def = deform_skin_def(&skin, GRAZE_LINEAR);
    CHECK(graze_model_create(&def, &morphing, NULL) == GRAZE_OK);
    def.morphs = NULL;
    def.morph_count = 0;
    CHECK(graze_model_create(&def, &plain, NULL) == GRAZE_OK);
    def.skinning = GRAZE_DUAL;
    CHECK(graze_model_create(&def, &dual, NULL) == GRAZE_OK);
    CHECK(graze_model_get_info(morphing).tree_bytes > graze_model_get_info(plain).tree_bytes);
    CHECK(graze_model_get_info(dual).tree_bytes > graze_model_get_info(plain).tree_bytes);
}
