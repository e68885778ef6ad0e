/* Memory of models made ready for self-collision: every allocation failed once in turn leaves an
 * error and nothing else, and queries take none.
 */
#include "harness.h"
#include "support/allocator.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/self_judge.h"

#include <graze/ext/inspect.h>

static graze_status make(const graze_rig *rig, test_memory *c, graze_model **model,
                         graze_body **body)
{
    graze_allocator allocator = test_memory_allocator(c);
    graze_model_def def = graze_rig_model_def(rig);
    def.allocator = &allocator;
    def.tree.patch_triangles = 32;
    graze_status status = graze_model_create(&def, model, NULL);
    return status ? status : graze_body_create(*model, body, NULL);
}

TEST(every_allocation_may_fail)
{
    uint32_t count;
    const graze_rig *rig = test_rigs(&count)[2].rig;
    test_memory whole = {0};
    graze_model *model = NULL;
    graze_body *body = NULL;
    REQUIRE(make(rig, &whole, &model, &body) == GRAZE_OK);
    uint64_t calls = whole.calls;
    pair_set found = {0};
    CHECK(graze_self_pairs(body, NULL, TO_PAIR_SET(&found), NULL, NULL) == GRAZE_OK);
    CHECK(graze_self_pairs(body, NULL, TO_PAIR_SET(&found), &(graze_options){.method = GRAZE_EAGER},
                           NULL) == GRAZE_OK);
    CHECK(whole.calls == calls);
    pair_set_free(&found);
    graze_body_destroy(body);
    graze_model_destroy(model);
    CHECK(whole.alive == 0);
    for (uint64_t fail = 1; fail <= calls; fail += test_amount(1, 7)) {
        test_memory c = {.fail_at = fail};
        model = NULL;
        body = NULL;
        CHECK(make(rig, &c, &model, &body) == GRAZE_OUT_OF_MEMORY && !body);
        graze_model_destroy(model);
        CHECK_MSG(c.alive == 0, "%llu blocks left after call %llu failed",
                  (unsigned long long)c.alive, (unsigned long long)fail);
    }
    printf("     %llu allocations failed in turn\n", (unsigned long long)calls);
}
