/* Group masks: a masked body is the body of the triangles in its mask, whatever is asked, and what
 * is left out costs nothing.
 */
#include "harness.h"

#include "support/agreement.h"
#include "support/allocator.h"
#include "support/contacts.h"
#include "support/own.h"
#include "support/pairs.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/soup_pair.h"
#include "support/ways_asked.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MASK_WORDS = 3 };

/* ---- what is in the mask -------------------------------------------------------------------- */

/* Some parts, half of them, all but one, one. */
static void draw_mask(test_random *random, uint32_t part_count, uint32_t bits[WAYS_PART_WORDS])
{
    uint32_t kind = test_random_u32(random) % 4, one = test_random_u32(random) % part_count;
    for (uint32_t i = 0; i < WAYS_PART_WORDS; i++)
        bits[i] = kind == 0   ? test_random_u32(random) & test_random_u32(random)
                  : kind == 1 ? test_random_u32(random)
                  : kind == 2 ? UINT32_MAX
                              : 0;
    if (kind > 1)
        bits[one / 32] ^= 1u << (one % 32);
}

/* Masks that follow each other on the same bodies, in one pose or in another. */
static void check_masks(ways_scene *s, uint32_t rounds, uint32_t some, test_random *random,
                        ways_tally tallies[ASK_COUNT])
{
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t bits[2][WAYS_PART_WORDS];
        if (round % 2 == 0)
            ways_pose(s, round, round / 2 % 2);
        for (int i = 0; i < 2; i++)
            draw_mask(random, graze_model_get_info(s->models[i]).part_count, bits[i]);
        if (!ways_cut(s, bits))
            return;
        ways_count(s, tallies);
        ways_ask_all(s, some, random);
    }
}

TEST(a_masked_body_is_the_body_of_what_is_in_the_mask)
{
    ways_tally tallies[ASK_COUNT] = {{0, 0}};
    test_random random = test_random_seed(9000);
    for (uint32_t m = 0; m < test_amount(250, 60); m++) {
        ways_scene *s = ways_open(WAYS_RANDOM + 5000 + m);
        check_masks(s, 3, 10, &random, tallies);
        ways_close(s);
    }
    ways_check_tallies(tallies);
}

/* Their parts are the joints that move most; whole patches are in, or out, or cut. */
TEST(a_masked_character_is_the_character_of_what_is_in_the_mask)
{
    ways_tally tallies[ASK_COUNT] = {{0, 0}};
    test_random random = test_random_seed(700);
    ways_scene *s;
    for (uint32_t i = 0; (s = ways_open(WAYS_CHARACTERS + i)); i++) {
        uint32_t most = test_amount(1500, 1000);
        bool fits = true;
        for (int k = 0; k < 2; k++)
            fits = fits && s->sides[k].triangle_count < most &&
                   graze_model_get_info(s->models[k]).part_count <= 32 * WAYS_PART_WORDS;
        if (fits)
            check_masks(s, test_amount(4, 2), 0, &random, tallies);
        ways_close(s);
    }
}

/* ---- nothing at all ------------------------------------------------------------------------- */

/* Whatever is asked, also where all bounds are known already. */
TEST(with_nothing_in_the_mask_nothing_is_hit)
{
    const uint32_t none = 0;
    for (uint32_t m = 0; m < 3 * agreement_tree_count(); m++) {
        ways_scene *s = ways_open(WAYS_RANDOM + 7000 + m);
        graze_stats stats = {0};
        ways_pose(s, m, 0);
        ways_mask(s, &none);
        for (int k = 0; k < 3 * ASK_COUNT; k++) {
            ways_question question = (ways_question)(k % ASK_COUNT);
            bool poses_all = question == ASK_winding_number;
            graze_options options = {.stats = poses_all ? NULL : &stats, .any = k / ASK_COUNT == 1};
            OWN(ways_answer) answer = {0};
            if (k == 2 * ASK_COUNT) {
                graze_body_refit_all(s->usual.all[0]);
                graze_body_bound_all(s->usual.all[0]);
            }
            if (!ways_supports(question, &options))
                continue;
            ways_begin(&answer, question, WAYS_ARRAY, 4);
            CHECK(!ways_ask(s, &s->usual, &answer, &options, NULL));
            ways_end(&answer);
            bool found = !ways_rows[question].singles && answer.list.pairs.total;
            for (size_t i = 0; i < answer.found.count; i++) /* inside, or not wholly outside */
                found |= answer.found.words[i * WAYS_WORDS] != 0 && question != ASK_inside;
            CHECK_MSG(!found && (question != ASK_inside || !ways_found(&answer.found, 0)),
                      "%s of %s: there is an answer", ways_rows[question].name, s->name);
            CHECK_MSG(stats.vertices_posed == 0, "%s of %s: vertices are posed",
                      ways_rows[question].name, s->name);
        }
        ways_close(s);
    }
}

/* ---- bad input ------------------------------------------------------------------------------ */

typedef struct changer {
    graze_body *body;
    graze_status status;
    char text[200];
} changer;

static bool change_mask(void *user, const graze_pair *pairs, size_t count)
{
    changer *c = user;
    const uint32_t none[1] = {0};
    graze_error error = {.text = ""};
    (void)pairs, (void)count;
    c->status = graze_body_set_part_mask(c->body, none, 4, &error);
    snprintf(c->text, sizeof c->text, "%.199s", error.text);
    return false;
}

TEST(bad_masks_are_refused_and_change_nothing)
{
    const uint32_t some[1] = {5}, none[2] = {0, 0};
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    uint32_t groups = graze_model_get_info(pair.models[0]).part_count, before = 0, after = 0;
    graze_error error = {.text = ""};
    changer c = {.body = pair.a};
    REQUIRE(groups == 4);
    CHECK(graze_body_set_part_mask(NULL, some, groups, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "body"));
    CHECK(graze_body_set_part_mask(pair.a, some, groups, NULL) == GRAZE_OK);
    before = test_count_pairs(pair.a, pair.b);
    for (uint32_t wrong = 0; wrong < 40; wrong++) {
        if (wrong == groups)
            continue;
        error.text[0] = '\0';
        CHECK(graze_body_set_part_mask(pair.a, none, wrong, &error) == GRAZE_BAD_INPUT);
        CHECK_MSG(strstr(error.text, "the model has 4"), "%s", error.text);
    }
    CHECK(graze_pairs(pair.a, pair.b, &(graze_pair_list){.report = change_mask, .user = &c}, NULL,
                      NULL) == GRAZE_OK);
    CHECK(c.status == GRAZE_BAD_INPUT && strstr(c.text, "in use"));
    after = test_count_pairs(pair.a, pair.b);
    CHECK(before > 0 && before == after);
}

/* The bits beyond the groups mean nothing, and the caller's array may go. */
TEST(masks_are_copies_of_as_many_bits_as_there_are_groups)
{
    uint32_t bits[1] = {0xfffffff5};
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    size_t with, without, all, again;
    all = test_count_pairs(pair.a, pair.b);
    CHECK(graze_body_set_part_mask(pair.a, bits, 4, NULL) == GRAZE_OK);
    bits[0] = 0;
    with = test_count_pairs(pair.a, pair.b);
    bits[0] = 5;
    CHECK(graze_body_set_part_mask(pair.a, bits, 4, NULL) == GRAZE_OK);
    without = test_count_pairs(pair.a, pair.b);
    CHECK(with > 0 && with == without && with < all);
    CHECK(graze_body_set_part_mask(pair.a, NULL, 77, NULL) == GRAZE_OK);
    again = test_count_pairs(pair.a, pair.b);
    CHECK(again == all);
}

TEST(both_ends_of_a_motion_have_one_mask)
{
    const uint32_t some[1] = {5}, other[1] = {6};
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    graze_motion a = {.start = pair.a, .end = pair.end}, b = {.start = pair.b, .end = pair.b};
    graze_impact impact = {.time = 77};
    graze_error error = {.text = ""};
    CHECK(graze_body_set_part_mask(pair.a, some, 4, NULL) == GRAZE_OK);
    CHECK(graze_sweep(&a, &b, &impact, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strstr(error.text, "part masks"), "%s", error.text);
    CHECK(graze_body_set_part_mask(pair.end, other, 4, NULL) == GRAZE_OK);
    CHECK(graze_sweep(&a, NULL, &impact, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_sweep(&b, &a, &impact, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(impact.time == 77);
    CHECK(graze_body_set_part_mask(pair.end, some, 4, NULL) == GRAZE_OK);
    CHECK(graze_sweep(&a, &b, &impact, NULL, NULL) == GRAZE_OK);
}

TEST(contacts_of_pairs_that_are_left_out_are_refused)
{
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    OWN(contact_set) found = {0};
    graze_error error = {.text = ""};
    graze_pair first;
    graze_pair_list list = {.items = &first, .capacity = 1};
    REQUIRE(contact_set_open(&found, pair.models[0], pair.models[1], NULL));
    CHECK(graze_pairs(pair.a, pair.b, &list, NULL, NULL) == GRAZE_OK && list.count == 1);
    CHECK(contact_set_from_pairs(&found, pair.a, pair.b, &first, 1, NULL) == GRAZE_OK);
    uint32_t bits[1] = {~(1u << graze_model_triangle_part(pair.models[0], first.a))};
    CHECK(graze_body_set_part_mask(pair.a, bits, 4, NULL) == GRAZE_OK);
    CHECK(contact_set_from_pairs(&found, pair.a, pair.b, &first, 1, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strstr(error.text, "pair 0"), "%s", error.text);
    CHECK(found.count == 0);
}

TEST(out_of_memory_leaves_the_old_mask)
{
    const uint32_t some[1] = {5};
    test_memory memory = {0};
    graze_allocator allocator = test_memory_allocator(&memory);
    soup_pair pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, &allocator);
    size_t all = 0;
    uint32_t failures = 0;
    graze_status status = GRAZE_OUT_OF_MEMORY;
    all = test_count_pairs(pair.a, pair.b);
    uint64_t alive = memory.alive;
    for (uint64_t at = 1; status == GRAZE_OUT_OF_MEMORY && at < 100; at++) {
        size_t now = 0;
        memory.fail_at = memory.calls + at;
        status = graze_body_set_part_mask(pair.a, some, 4, NULL);
        memory.fail_at = 0;
        now = test_count_pairs(pair.a, pair.b);
        failures += status != GRAZE_OK;
        CHECK(status == GRAZE_OK || (now == all && memory.alive == alive));
        CHECK(status != GRAZE_OK || now < all);
    }
    CHECK(status == GRAZE_OK && failures >= 13);
    uint64_t calls = memory.calls;
    CHECK(graze_body_set_part_mask(pair.a, NULL, 0, NULL) == GRAZE_OK);
    CHECK(graze_body_set_part_mask(pair.a, (const uint32_t[]){3}, 4, NULL) == GRAZE_OK);
    CHECK_MSG(memory.calls == calls, "a later mask takes memory");
    soup_pair_close(&pair);
    CHECK(memory.alive == 0 && !memory.misused);
}

/* ---- what it costs -------------------------------------------------------------------------- */

static graze_stats stats_of(graze_body *a, graze_body *b)
{
    graze_stats stats = {0};
    graze_pair_list found = {0};
    CHECK(graze_pairs(a, b, &found, &(graze_options){.stats = &stats}, NULL) == GRAZE_OK);
    return stats;
}

TEST(a_masked_query_looks_at_no_more_and_at_less_where_most_is_left_out)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    graze_model_def def = test_rig_def(rigs[0].rig);
    OWN(graze_model) *model = NULL;
    graze_body *a = NULL, *b = NULL;
    REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    uint32_t groups = graze_model_get_info(model).part_count, bits[MASK_WORDS] = {0};
    REQUIRE(groups <= 32 * MASK_WORDS && graze_body_create(model, &a, NULL) == GRAZE_OK &&
            graze_body_create(model, &b, NULL) == GRAZE_OK);
    graze_stats all = stats_of(a, b);
    for (uint32_t g = 0; g < groups; g++) {
        memset(bits, 0, sizeof bits);
        bits[g / 32] = 1u << (g % 32);
        CHECK(graze_body_set_part_mask(a, bits, groups, NULL) == GRAZE_OK);
        graze_body_drop_caches(a);
        graze_body_drop_caches(b);
        graze_stats one = stats_of(a, b);
        CHECK(one.vertices_posed < all.vertices_posed && one.triangle_tests < all.triangle_tests);
        CHECK(one.bound_tests < all.bound_tests && one.nodes_refit <= all.nodes_refit);
    }
    /* All bits are no mask at all. */
    memset(bits, 0xff, sizeof bits);
    CHECK(graze_body_set_part_mask(a, bits, groups, NULL) == GRAZE_OK);
    graze_body_drop_caches(a);
    graze_body_drop_caches(b);
    graze_stats again = stats_of(a, b);
    CHECK(memcmp(&again, &all, sizeof all) == 0);
    graze_body_destroy(a);
    graze_body_destroy(b);
}

TEST(another_mask_keeps_what_is_posed)
{
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    uint32_t count = graze_model_get_info(pair.models[0]).vertex_count;
    OWNED float *positions = malloc(3 * count * sizeof *positions);
    const uint32_t some[1] = {5};
    graze_body_get_positions(pair.a, positions);
    stats_of(pair.b, pair.a);
    CHECK(graze_body_set_part_mask(pair.a, some, 4, NULL) == GRAZE_OK);
    CHECK(stats_of(pair.a, pair.b).vertices_posed == 0);
    CHECK(stats_of(pair.a, pair.b).nodes_refit == 0);
    CHECK(graze_body_set_part_mask(pair.a, some, 4, NULL) == GRAZE_OK);
    CHECK_MSG(stats_of(pair.a, pair.b).nodes_refit == 0, "the same mask again drops bounds");
}

/* ---- marks ---------------------------------------------------------------------------------- */

TEST(user_data_comes_with_the_body)
{
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    int mark = 0;
    CHECK(graze_body_user_data(pair.a) == NULL && graze_body_user_data(NULL) == NULL);
    graze_body_set_user_data(pair.a, &mark);
    graze_body_set_user_data(NULL, &mark);
    CHECK(soup_pair_pose(&pair, 0, pair.a, 3) == GRAZE_OK);
    CHECK(graze_body_user_data(pair.a) == &mark && graze_body_user_data(pair.b) == NULL);
    graze_body_set_user_data(pair.a, NULL);
    CHECK(graze_body_user_data(pair.a) == NULL);
}
