/* Memory: every allocation failed once in turn leaves an error and nothing else; queries take none;
 * what was allocated is aligned as promised and given back.
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/allocator.h"
#include "support/own.h"
#include "support/soup.h"

#include <graze/ext/inspect.h>

/* Model and body; true if both could be made. Everything is freed again. */
static bool make_both(const soup *mesh, graze_tree_def tree, test_memory *c, graze_status *status,
                      graze_error *error)
{
    graze_allocator allocator = test_memory_allocator(c);
    graze_model_def def = soup_model_def(mesh);
    graze_model *untouched_model = (graze_model *)(uintptr_t)0x5a5a, *model = untouched_model;
    graze_body *untouched_body = (graze_body *)(uintptr_t)0xa5a5, *body = untouched_body;
    def.allocator = &allocator;
    def.tree = tree;
    *status = graze_model_create(&def, &model, error);
    if (*status) {
        CHECK(model == untouched_model);
        return false;
    }
    *status = graze_body_create(model, &body, error);
    if (*status)
        CHECK(body == untouched_body);
    else
        graze_body_destroy(body);
    graze_model_destroy(model);
    return *status == GRAZE_OK;
}

static soup make_mesh(uint32_t joints, uint32_t influences)
{
    test_random random = test_random_seed(joints);
    soup_def def = {.vertex_count = 200,
                    .triangle_count = 300,
                    .joint_count = joints,
                    .max_influences = influences,
                    .size = 1};
    return soup_make(&def, &random);
}

TEST(every_allocation_of_models_and_bodies_fails_once)
{
    uint64_t failures = 0;
    for (uint32_t kind = 0; kind < 3; kind++)
        for (uint32_t t = 0; t < agreement_tree_count(); t++) {
            OWN(soup) mesh = make_mesh(kind == 2 ? 60 : 4, 1 + 3 * kind);
            bool made = false;
            for (uint64_t fail_at = 1; !made; fail_at++) {
                test_memory c = {.fail_at = fail_at};
                graze_error error = {.text = ""};
                graze_status status;
                made = make_both(&mesh, agreement_tree(t), &c, &status, &error);
                failures += !made;
                CHECK_MSG(c.alive == 0, "allocation %llu: %llu left", (unsigned long long)fail_at,
                          (unsigned long long)c.alive);
                CHECK(!c.misused);
                CHECK_MSG(made || (status == GRAZE_OUT_OF_MEMORY &&
                                   error.status == GRAZE_OUT_OF_MEMORY && error.text[0]),
                          "allocation %llu: status %d", (unsigned long long)fail_at, (int)status);
                REQUIRE(fail_at < 10000);
            }
        }
    printf("     %llu allocations failed\n", (unsigned long long)failures);
}

TEST(queries_allocate_nothing)
{
    OWN(soup) mesh = make_mesh(12, 4);
    test_random random = test_random_seed(9);
    float joints[12 * 12];
    for (uint32_t t = 0; t < agreement_tree_count(); t++) {
        test_memory c = {0};
        graze_allocator allocator = test_memory_allocator(&c);
        graze_model_def def = soup_model_def(&mesh);
        graze_model *model = NULL;
        graze_body *a = NULL, *b = NULL;
        def.allocator = &allocator;
        def.tree = agreement_tree(t);
        REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
        REQUIRE(graze_body_create(model, &a, NULL) == GRAZE_OK);
        uint64_t before_body = c.bytes;
        REQUIRE(graze_body_create(model, &b, NULL) == GRAZE_OK);
        graze_model_info info = graze_model_get_info(model);
        CHECK_MSG(c.bytes - before_body == info.body_bytes,
                  "tree %u: a body has %llu bytes, not %zu", t,
                  (unsigned long long)(c.bytes - before_body), info.body_bytes);
        uint64_t calls = c.calls;
        pair_set found = {0};
        for (int p = 0; p < 3; p++) {
            pose_make(MAP_NEAR, &mesh, &random, joints);
            graze_pose pose = {.joints = joints, .joint_count = 12};
            CHECK(graze_body_set_pose(p % 2 ? a : b, &pose, NULL) == GRAZE_OK);
            graze_pairs(a, b, TO_PAIR_SET(&found), NULL, NULL);
            test_meets(a, b, NULL);
            graze_pairs(a, b, TO_PAIR_SET(&found), &(graze_options){.method = GRAZE_EAGER}, NULL);
            graze_pairs(a, b, TO_PAIR_SET(&found), &(graze_options){.method = GRAZE_BRUTE}, NULL);
            graze_body_refit_all(a);
            graze_body_drop_caches(b);
        }
        CHECK(c.calls == calls);
        pair_set_free(&found);
        graze_body_destroy(a);
        graze_body_destroy(b);
        graze_model_destroy(model);
        CHECK(c.alive == 0 && c.bytes == 0 && !c.misused);
    }
}
