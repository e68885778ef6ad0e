/* Self-collision between chosen pairs of parts: what is not chosen costs nothing; bad input. (Which
 * pairs are found: test_ways.c.)
 */
#include "harness.h"
#include "scenes/synth.h"
#include "support/own.h"
#include "support/pairs.h"
#include "support/rigs.h"
#include "support/soup_pair.h"

#include <stdlib.h>
#include <string.h>

static graze_stats stats_of(graze_body *body, const graze_part_filter *filter)
{
    graze_stats stats = {0};
    graze_pair_list found = {0};
    graze_body_drop_caches(body);
    CHECK(!graze_self_pairs(body, filter, &found, &(graze_options){.stats = &stats}, NULL));
    return stats;
}

/* Two joints of a character that both have triangles cost a small part of all of them. */
TEST(what_is_not_chosen_costs_little)
{
    enum { WORDS = 8 };
    const graze_synth_def man = {.kind = GRAZE_SYNTH_MAN};
    OWN(graze_rig) *rig = NULL;
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    REQUIRE(!graze_synth(&man, NULL, &rig, NULL) && rig->joint_count <= 32 * WORDS);
    graze_model_def def = test_rig_def(rig);
    graze_pose pose = test_rig_pose(rig, 0, 0.4);
    REQUIRE(!graze_model_create(&def, &model, NULL) && !graze_body_create(model, &body, NULL));
    uint32_t one[WORDS] = {0}, two[WORDS] = {0};
    uint32_t first = graze_model_triangle_part(model, 0);
    uint32_t last = graze_model_triangle_part(model, rig->triangle_count - 1);
    one[first / 32] |= 1u << (first % 32);
    two[last / 32] |= 1u << (last % 32);
    const graze_part_sets pair = {one, two};
    const graze_part_filter between = {
        .pairs = &pair, .pair_count = 1, .part_count = rig->joint_count};
    const graze_part_filter nothing = {.part_count = rig->joint_count};
    CHECK(first != last && !graze_body_set_pose(body, &pose, NULL));
    graze_stats whole = stats_of(body, NULL), part = stats_of(body, &between);
    graze_stats none = stats_of(body, &nothing);
    printf("     %llu patches posed and %llu triangle tests of %llu and %llu\n",
           (unsigned long long)part.patches_posed, (unsigned long long)part.triangle_tests,
           (unsigned long long)whole.patches_posed, (unsigned long long)whole.triangle_tests);
    CHECK(4 * part.patches_posed <= whole.patches_posed);
    CHECK(4 * part.triangle_tests <= whole.triangle_tests);
    CHECK(none.patches_posed == 0 && none.triangle_tests == 0 && none.nodes_refit <= 1);
}

TEST(bad_input_is_refused)
{
    OWN(soup_pair) bodies = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    const uint32_t bits = 0xf;
    const graze_part_sets good = {&bits, &bits}, missing[2] = {{&bits, &bits}, {&bits, NULL}};
    const struct {
        graze_part_filter between;
        const char *text;
    } bad[] = {
        {{.pairs = &good, .pair_count = 1, .part_count = 3},
         "the filter is of 3 parts, the model has 4"},
        {{.pairs = &good, .pair_count = 1, .part_count = 5},
         "the filter is of 5 parts, the model has 4"},
        {{.pairs = NULL, .pair_count = 1, .part_count = 4}, "the pairs of the filter are NULL"},
        {{.pairs = missing, .pair_count = 2, .part_count = 4}, "a set of pair 1 is NULL"},
        {{.pairs = &good, .pair_count = 1, .part_count = 4}, ""}};
    for (size_t i = 0; i < 2 * sizeof bad / sizeof *bad; i++) {
        pair_set set = {0};
        graze_error error = {.text = ""};
        const char *text = bad[i / 2].text;
        graze_status status = graze_self_pairs(bodies.a, &bad[i / 2].between, TO_PAIR_SET(&set),
                                               &(graze_options){.any = i % 2}, &error);
        CHECK(status == (*text ? GRAZE_BAD_INPUT : GRAZE_OK) && (!*text || set.calls == 0));
        CHECK_MSG(strcmp(error.text, text) == 0, "says: %s", error.text);
        pair_set_free(&set);
    }
}
