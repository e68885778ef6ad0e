/* Budgets and checkpoints: what is counted, what is kept. (Every question in steps, and what is
 * refused: test_ways.c, and of characters test_golden.c.)
 */
#include "harness.h"
#include "support/own.h"
#include "support/pairs.h"
#include "support/soup_pair.h"

#include <math.h>
#include <string.h>

static void drop(soup_pair *pair)
{
    graze_body_drop_caches(pair->a);
    graze_body_drop_caches(pair->b);
}

TEST(without_limits_a_budget_changes_nothing)
{
    soup_pair pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    OWN(graze_checkpoint) *checkpoint = NULL;
    CHECK(graze_checkpoint_create(NULL, &checkpoint, NULL) == GRAZE_OK);
    for (int kept = 0; kept < 2; kept++) {
        graze_stats plain = {0}, stepped = {0};
        graze_budget budget = {.checkpoint = kept ? checkpoint : NULL};
        graze_pair_list all = {0}, found = {0};
        drop(&pair);
        CHECK(graze_pairs(pair.a, pair.b, &all, &(graze_options){.stats = &plain}, NULL) ==
              GRAZE_OK);
        drop(&pair);
        CHECK(graze_pairs(pair.a, pair.b, &found,
                          &(graze_options){.budget = &budget, .stats = &stepped},
                          NULL) == GRAZE_OK);
        CHECK(budget.finished && budget.remaining == 0 && isinf(budget.nearest));
        CHECK(found.total == all.total && all.total > 0);
        CHECK(memcmp(&plain, &stepped, sizeof plain) == 0);
    }
    soup_pair_close(&pair);
}

/* Bodies hold their model, so a question goes on when the caller lets go of that, and bodies take
 * other poses.
 */
TEST(a_question_goes_on_without_the_callers_models)
{
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    OWN(graze_checkpoint) *checkpoint = NULL;
    OWN(pair_set) expected = {0}, found = {0};
    graze_pair odd;
    CHECK(graze_checkpoint_create(NULL, &checkpoint, NULL) == GRAZE_OK);
    graze_budget budget = {.bound_tests = 3, .checkpoint = checkpoint};
    const graze_options options = {.budget = &budget};
    CHECK(graze_pairs(pair.a, pair.b, TO_PAIR_SET(&expected), NULL, NULL) == GRAZE_OK);
    CHECK(graze_pairs(pair.a, pair.b, TO_PAIR_SET(&found), &options, NULL) == GRAZE_UNFINISHED);
    for (int i = 0; i < 2; i++) {
        graze_model_destroy(pair.models[i]);
        pair.models[i] = NULL;
    }
    budget.bound_tests = 0;
    CHECK(graze_pairs(pair.a, pair.b, TO_PAIR_SET(&found), &options, NULL) == GRAZE_OK);
    CHECK(pair_set_sort(&expected) && pair_set_sort(&found));
    CHECK(pair_set_equal(&expected, &found, &odd));
    size_t before = expected.count;
    CHECK(!soup_pair_pose(&pair, 0, pair.a, 5) && !soup_pair_pose(&pair, 0, pair.a, 0));
    CHECK(before > 0 && test_count_pairs(pair.a, pair.b) == before);
}
