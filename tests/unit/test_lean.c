/* Lean bodies: what they take, when they borrow and give back, and what happens when there is
 * nothing to borrow. That their answers are those of ordinary bodies is also tried in random
 * sequences of calls (test_mixed.c) and by several threads (test_shared.c, test_world.c).
 */
#include "harness.h"

#include "support/agreement.h"
#include "support/allocator.h"
#include "support/own.h"
#include "support/soup_pair.h"

#include <graze/ext/inspect.h>
#include <graze/ext/world.h>
#include <graze/graze.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif

/* Cases of one thread have nothing to say to the thread sanitizer, and are not built for it. */
#ifdef __SANITIZE_THREAD__
#define TEST_OF_ONE_THREAD(name) __attribute__((unused)) static void left_out_##name(void)
#else
#define TEST_OF_ONE_THREAD(name) TEST(name)
#endif

enum { MAX_LEAN = 8 };

/* Lean bodies of the first side of a soup pair, beside ordinary ones in the same poses. */
typedef struct lean_scene {
    test_memory memory;
    graze_allocator allocator;
    soup_pair pair;
    graze_cache_pool *caches;
    graze_body *lean[MAX_LEAN], *plain[MAX_LEAN];
    uint32_t count;
} lean_scene;

/* The pool as in its def; all memory from the scene's allocator. */
static void fill_scene(lean_scene *s, graze_tree_def tree, uint32_t ready, uint32_t most,
                       uint32_t count)
{
    const graze_cache_pool_def def = {.ready = ready, .max_caches = most};
    s->pair = soup_pair_open(tree, GRAZE_LINEAR, &s->allocator);
    s->count = count;
    if (graze_cache_pool_create(s->pair.models[0], &def, &s->caches, NULL))
        abort();
    for (uint32_t i = 0; i < count; i++)
        if (graze_body_create_lean(s->caches, &s->lean[i], NULL) ||
            graze_body_create(s->pair.models[0], &s->plain[i], NULL) ||
            soup_pair_pose(&s->pair, 0, s->lean[i], i) ||
            soup_pair_pose(&s->pair, 0, s->plain[i], i))
            abort();
}

static void open_scene(lean_scene *s, graze_tree_def tree, uint32_t ready, uint32_t most,
                       uint32_t count)
{
    memset(s, 0, sizeof *s);
    s->allocator = test_memory_allocator(&s->memory);
    fill_scene(s, tree, ready, most, count);
}

static void close_scene(lean_scene *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        graze_body_destroy(s->lean[i]);
        graze_body_destroy(s->plain[i]);
    }
    graze_cache_pool_destroy(s->caches);
    soup_pair_close(&s->pair);
    CHECK(s->memory.alive == 0 && s->memory.bytes == 0 && !s->memory.misused);
}

OWN_VALUE(lean_scene, close_scene)

static uint32_t lent(const lean_scene *s)
{
    return graze_cache_pool_get_info(s->caches).lent;
}

/* The callback of a pair list: a sum that tells lists of pairs apart, in any order. */
static bool sum_pairs(void *user, const graze_pair *pairs, size_t count)
{
    uint64_t *sum = user;
    for (size_t i = 0; i < count; i++)
        *sum += ((uint64_t)pairs[i].a * 2654435761u + pairs[i].b + 1) * 0x9e3779b97f4a7c15u;
    return true;
}

static uint64_t pairs_of(graze_body *a, graze_body *b)
{
    uint64_t sum = 0;
    CHECK(graze_pairs(a, b, &(graze_pair_list){.report = sum_pairs, .user = &sum}, NULL, NULL) ==
          GRAZE_OK);
    return sum;
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST_OF_ONE_THREAD(an_idle_body_takes_its_pose_alone)
{
    for (uint32_t t = 0; t < agreement_tree_count(); t++) {
        OWN(lean_scene) s = {0};
        graze_body *more = NULL;
        open_scene(&s, agreement_tree(t), 0, UINT32_MAX, 1);
        graze_cache_pool_info info = graze_cache_pool_get_info(s.caches);
        uint64_t before = s.memory.bytes;
        REQUIRE(!graze_body_create_lean(s.caches, &more, NULL));
        CHECK_MSG(s.memory.bytes - before == info.body_bytes, "tree %u: %llu bytes, not %zu", t,
                  (unsigned long long)(s.memory.bytes - before), info.body_bytes);
        CHECK(info.made == 0 && info.lent == 0 && !graze_body_has_caches(more));
        before = s.memory.bytes;
        REQUIRE(!graze_body_borrow_caches(more, NULL));
        CHECK_MSG(s.memory.bytes - before == info.cache_bytes, "tree %u: %llu bytes, not %zu", t,
                  (unsigned long long)(s.memory.bytes - before), info.cache_bytes);
        CHECK(lent(&s) == 1 && graze_body_has_caches(more));
        graze_body_destroy(more);
        info = graze_cache_pool_get_info(s.caches);
        CHECK(info.lent == 0 && info.made == 1);
    }
}

TEST_OF_ONE_THREAD(queries_allocate_nothing_once_there_are_caches)
{
    OWN(lean_scene) s = {0};
    open_scene(&s, (graze_tree_def){0}, 2, UINT32_MAX, 6);
    uint64_t calls = s.memory.calls;
    for (uint32_t round = 0; round < 3; round++)
        for (uint32_t i = 1; i < s.count; i++) {
            CHECK(pairs_of(s.lean[i], s.lean[i - 1]) == pairs_of(s.plain[i], s.plain[i - 1]));
            graze_body_give_back_caches(s.lean[i]);
            graze_body_give_back_caches(s.lean[i - 1]);
        }
    CHECK(s.memory.calls == calls && lent(&s) == 0);
    CHECK(graze_cache_pool_get_info(s.caches).made == 2);
}

TEST_OF_ONE_THREAD(every_allocation_fails_once)
{
    uint32_t failures = 0;
    for (uint64_t at = 1;; at++) {
        test_memory memory = {0};
        graze_allocator allocator = test_memory_allocator(&memory);
        soup_pair pair = soup_pair_open(graze_paper_tree(), GRAZE_LINEAR, &allocator);
        const graze_cache_pool_def def = {.ready = 1, .max_caches = 3};
        graze_cache_pool *caches = NULL;
        graze_body *bodies[2] = {NULL, NULL};
        uint64_t sum = 0, expected = pairs_of(pair.a, pair.b);
        uint32_t vertices = graze_model_get_info(pair.models[0]).vertex_count;
        float *positions = calloc(vertices, 3 * sizeof *positions);
        memory.fail_at = memory.calls + at;
        graze_status status = graze_cache_pool_create(pair.models[0], &def, &caches, NULL);
        for (int i = 0; i < 2 && !status; i++)
            status = graze_body_create_lean(caches, &bodies[i], NULL);
        if (!status)
            status = graze_body_set_positions(bodies[1], positions, 0, vertices, NULL);
        if (!status)
            status = graze_body_borrow_caches(bodies[1], NULL);
        if (!status)
            status = soup_pair_pose(&pair, 0, bodies[0], 0);
        if (!status)
            status = graze_pairs(bodies[0], pair.b,
                                 &(graze_pair_list){.report = sum_pairs, .user = &sum}, NULL, NULL);
        bool failed = memory.calls >= memory.fail_at;
        memory.fail_at = 0;
        CHECK(status == (failed ? GRAZE_OUT_OF_MEMORY : GRAZE_OK));
        failures += failed;
        if (bodies[0]) { /* nothing is broken: the same call goes through now */
            sum = 0;
            CHECK(!soup_pair_pose(&pair, 0, bodies[0], 0));
            CHECK(!graze_pairs(bodies[0], pair.b,
                               &(graze_pair_list){.report = sum_pairs, .user = &sum}, NULL, NULL));
            CHECK(sum == expected);
        }
        graze_body_destroy(bodies[0]);
        graze_body_destroy(bodies[1]);
        graze_cache_pool_destroy(caches);
        free(positions);
        soup_pair_close(&pair);
        CHECK(memory.alive == 0 && !memory.misused);
        if (!failed)
            break;
    }
    CHECK_MSG(failures > 20, "%u allocations failed", failures);
}

/* ---- lending --------------------------------------------------------------------------------- */

TEST_OF_ONE_THREAD(when_all_are_lent_a_query_says_so)
{
    OWN(lean_scene) s = {0};
    graze_error error = {.text = ""};
    uint64_t sum = 0;
    open_scene(&s, (graze_tree_def){0}, 0, 2, 3);
    uint64_t expected = pairs_of(s.plain[2], s.pair.b);
    REQUIRE(!graze_body_borrow_caches(s.lean[0], NULL) &&
            !graze_body_borrow_caches(s.lean[1], NULL));
    CHECK(graze_pairs(s.lean[2], s.pair.b, &(graze_pair_list){.report = sum_pairs, .user = &sum},
                      NULL, &error) == GRAZE_OUT_OF_MEMORY);
    CHECK_MSG(strstr(error.text, "all 2 caches"), "%s", error.text);
    CHECK(sum == 0 && lent(&s) == 2 && !graze_body_has_caches(s.lean[2]));
    CHECK(graze_body_borrow_caches(s.lean[2], &error) == GRAZE_OUT_OF_MEMORY);

    /* What has no status: positions are no numbers, nodes are not bounded. */
    uint32_t vertices = graze_model_get_info(s.pair.models[0]).vertex_count;
    float *positions = calloc(vertices, 3 * sizeof *positions);
    graze_node_view view;
    graze_model *frozen = NULL;
    graze_body_get_positions(s.lean[2], positions);
    for (uint32_t i = 0; i < 3 * vertices; i++)
        CHECK(isnan(positions[i]));
    CHECK(graze_body_bound_all(s.lean[2]) == 0);
    graze_body_refit_all(s.lean[2]);
    CHECK(graze_body_view_node(s.lean[2], 0, GRAZE_NODE_CURRENT, &view) == GRAZE_OUT_OF_MEMORY);
    CHECK(graze_body_freeze(s.lean[2], &frozen, NULL) == GRAZE_OUT_OF_MEMORY && !frozen);
    free(positions);

    /* Given back by one, they are there for the other. */
    graze_body_give_back_caches(s.lean[0]);
    CHECK(pairs_of(s.lean[2], s.pair.b) == expected);
}

TEST_OF_ONE_THREAD(bodies_far_apart_borrow_nothing)
{
    static const float far_away[12] = {1, 0, 0, 1000, 0, 1, 0, 0, 0, 0, 1, 0};
    OWN(lean_scene) s = {0};
    open_scene(&s, (graze_tree_def){0}, 0, UINT32_MAX, 1);
    graze_pose pose = {0};
    graze_hit hit;
    const graze_shape sphere = graze_shape_sphere((const float[3]){0, 0, 0}, 1);
    pose.placement = far_away;
    REQUIRE(!graze_body_set_pose(s.lean[0], &pose, NULL));
    CHECK(pairs_of(s.lean[0], s.pair.b) == 0);
    CHECK(!test_meets(s.pair.b, s.lean[0], NULL));
    CHECK(!graze_cast(s.lean[0], &s.pair.ray, &hit, NULL, NULL) && !hit.found);
    CHECK(!test_touches(s.lean[0], &sphere, NULL));
    CHECK(lent(&s) == 0 && s.memory.calls > 0);
}

TEST_OF_ONE_THREAD(caches_go_back_when_they_should)
{
    OWN(lean_scene) s = {0};
    open_scene(&s, graze_paper_tree(), 0, UINT32_MAX, 1);
    graze_body *body = s.lean[0];
    uint32_t vertices = graze_model_get_info(s.pair.models[0]).vertex_count;
    uint32_t groups = graze_model_get_info(s.pair.models[0]).part_count;
    OWNED float *positions = calloc(vertices, 3 * sizeof *positions);
    const uint32_t mask[8] = {1};
    const float weight = 0.25f;
    graze_body_get_positions(body, positions);
    CHECK(lent(&s) == 1);
    CHECK(!soup_pair_pose(&s.pair, 0, body, 3) && lent(&s) == 0);
    CHECK(!graze_body_borrow_caches(body, NULL) && lent(&s) == 1);
    CHECK(!graze_body_set_positions(body, positions, 0, vertices, NULL) && lent(&s) == 0);
    CHECK(!graze_body_borrow_caches(body, NULL));
    graze_body_drop_caches(body);
    CHECK(lent(&s) == 0);
    CHECK(!soup_pair_pose(&s.pair, 0, body, 3) && !graze_body_borrow_caches(body, NULL));
    CHECK(!graze_body_set_morph_weights(body, &weight, 1, true, NULL) && lent(&s) == 1);
    CHECK(!graze_body_set_morph_weights(body, &weight, 1, false, NULL) && lent(&s) == 0);
    CHECK(!graze_body_borrow_caches(body, NULL) && lent(&s) == 1);
    CHECK(!graze_body_set_part_mask(body, mask, groups, NULL) && lent(&s) == 1);
    CHECK(!graze_body_share(body, NULL));
    graze_body_give_back_caches(body);
    graze_body_drop_caches(body);
    CHECK(lent(&s) == 1);
    CHECK(!graze_body_unshare(body, NULL));
    graze_body_give_back_caches(body);
    CHECK(lent(&s) == 0);
    graze_body_give_back_caches(s.plain[0]); /* not lean */
    CHECK(graze_body_has_caches(s.plain[0]) && !graze_body_has_caches(NULL));
}

/* The callback of a pair list: gives back in the middle of the query. */
static bool give_back(void *user, const graze_pair *pairs, size_t count)
{
    (void)pairs;
    (void)count;
    graze_body_give_back_caches(user);
    return graze_body_has_caches(user);
}

TEST_OF_ONE_THREAD(a_callback_cannot_give_back_what_is_in_use)
{
    OWN(lean_scene) s = {0};
    open_scene(&s, (graze_tree_def){0}, 0, 1, 1);
    CHECK(!graze_pairs(s.lean[0], s.pair.b,
                       &(graze_pair_list){.report = give_back, .user = s.lean[0]}, NULL, NULL));
    CHECK(lent(&s) == 1 && pairs_of(s.lean[0], s.pair.b) == pairs_of(s.plain[0], s.pair.b));
}

/* ---- what stays ------------------------------------------------------------------------------ */

TEST_OF_ONE_THREAD(given_positions_and_masks_outlast_the_caches)
{
    OWN(lean_scene) s = {0};
    open_scene(&s, (graze_tree_def){0}, 0, 1, 2);
    uint32_t vertices = graze_model_get_info(s.pair.models[0]).vertex_count;
    uint32_t groups = graze_model_get_info(s.pair.models[0]).part_count;
    const uint32_t mask[8] = {5};
    OWNED float *positions = calloc(vertices, 3 * sizeof *positions);
    OWNED float *found = calloc(vertices, 3 * sizeof *positions);
    graze_body_get_positions(s.plain[1], positions);
    graze_body *both[2] = {s.lean[0], s.plain[0]};
    for (int i = 0; i < 2; i++)
        REQUIRE(!graze_body_set_positions(both[i], positions, 0, vertices, NULL) &&
                !graze_body_set_part_mask(both[i], mask, groups, NULL));
    for (int round = 0; round < 3; round++) {
        CHECK(pairs_of(s.lean[0], s.pair.b) == pairs_of(s.plain[0], s.pair.b));
        graze_body_get_positions(s.lean[0], found);
        CHECK(memcmp(positions, found, 3 * vertices * sizeof *found) == 0);
        graze_body_give_back_caches(s.lean[0]);
        CHECK(pairs_of(s.lean[1], s.pair.b) == pairs_of(s.plain[1], s.pair.b));
        graze_body_give_back_caches(s.lean[1]); /* the only cache goes to and fro */
    }
    CHECK(graze_cache_pool_get_info(s.caches).made == 1);
}

/* A query of which a little is done at a time, with the caches going to another body between. */
TEST_OF_ONE_THREAD(a_query_goes_on_with_other_caches)
{
    for (uint32_t t = 0; t < agreement_tree_count(); t++) {
        OWN(lean_scene) s = {0};
        OWN(graze_checkpoint) *checkpoint = NULL;
        graze_stats stats = {0};
        uint64_t sum = 0, expected = 0;
        uint32_t runs = 0;
        open_scene(&s, agreement_tree(t), 0, 1, 2);
        uint64_t other = pairs_of(s.plain[1], s.pair.b);
        CHECK(!graze_pairs(s.plain[0], s.pair.b,
                           &(graze_pair_list){.report = sum_pairs, .user = &expected},
                           &(graze_options){.stats = &stats}, NULL));
        graze_budget budget = {.bound_tests = 1 + stats.bound_tests / 8};
        REQUIRE(!graze_checkpoint_create(NULL, &checkpoint, NULL));
        budget.checkpoint = checkpoint;
        for (; !budget.finished && runs < 100; runs++) {
            graze_status status = graze_pairs(s.lean[0], s.pair.b,
                                              &(graze_pair_list){.report = sum_pairs, .user = &sum},
                                              &(graze_options){.budget = &budget}, NULL);
            REQUIRE(status == GRAZE_OK || status == GRAZE_UNFINISHED);
            graze_body_give_back_caches(s.lean[0]);
            CHECK(pairs_of(s.lean[1], s.pair.b) == other);
            graze_body_give_back_caches(s.lean[1]);
        }
        CHECK_MSG(sum == expected && budget.finished, "tree %u, %u runs", t, runs);
        CHECK_MSG(runs > 2, "%u runs", runs);
    }
}

TEST_OF_ONE_THREAD(a_world_gives_back_and_needs_few)
{
    OWN(lean_scene) s = {0};
    OWN(graze_world) *world = NULL;
    graze_world_id ids[MAX_LEAN];
    graze_error error = {.text = ""};
    size_t count = 0;
    open_scene(&s, (graze_tree_def){0}, 0, 2, MAX_LEAN);
    REQUIRE(!graze_world_create(NULL, &world, NULL));
    /* In pairs along a line: two caches are enough for all of them. */
    for (uint32_t i = 0; i < MAX_LEAN; i++) {
        const float placement[12] = {1, 0, 0, 100.0f * (float)(i / 2), 0, 1, 0, 0, 0, 0, 1, 0};
        graze_pose pose = {0};
        pose.placement = placement;
        REQUIRE(!graze_body_set_pose(s.lean[i], &pose, NULL));
        REQUIRE(!graze_world_add_body(world, s.lean[i], NULL, &ids[i], &error));
    }
    for (int round = 0; round < 2; round++) {
        CHECK_MSG(!graze_world_update(world, NULL, &error), "%s", error.text);
        graze_world_events(world, &count);
        CHECK(count == MAX_LEAN / 2 && lent(&s) == 0);
        CHECK(graze_cache_pool_get_info(s.caches).made == 2);
    }
    /* All in one place: more than two are in use at a time. */
    for (uint32_t i = 0; i < MAX_LEAN; i++)
        REQUIRE(!soup_pair_pose(&s.pair, 0, s.lean[i], 0));
    CHECK(graze_world_update(world, NULL, &error) == GRAZE_OUT_OF_MEMORY);
    CHECK_MSG(strstr(error.text, "all 2 caches"), "%s", error.text);
    CHECK(lent(&s) == 0);
}

/* The same events as a world of ordinary bodies has, whatever number of threads; every body takes
 * part in several candidates, so that threads borrow for each other and the last gives back.
 */
TEST(threads_lend_and_give_back)
{
    OWN(lean_scene) s = {0};
    graze_world *worlds[2] = {NULL, NULL};
    memset(&s, 0, sizeof s);
    s.allocator = graze_default_allocator(); /* for threads, too */
    fill_scene(&s, (graze_tree_def){0}, 0, UINT32_MAX, MAX_LEAN);
    for (int w = 0; w < 2; w++) {
        graze_world_id id;
        REQUIRE(!graze_world_create(NULL, &worlds[w], NULL));
        for (uint32_t i = 0; i < MAX_LEAN; i++)
            REQUIRE(!graze_world_add_body(worlds[w], w ? s.plain[i] : s.lean[i], NULL, &id, NULL));
    }
    for (uint32_t threads = 1; threads <= 8; threads *= 2) {
        OWN(graze_pool) *pool = NULL;
        size_t counts[2];
        REQUIRE(!graze_pool_create(threads, NULL, &pool, NULL));
        for (uint32_t i = 0; i < MAX_LEAN; i++)
            CHECK(!soup_pair_pose(&s.pair, 0, s.lean[i], threads + i) &&
                  !soup_pair_pose(&s.pair, 0, s.plain[i], threads + i));
        CHECK(!graze_world_update(worlds[0], &(const graze_options){.pool = pool}, NULL) &&
              lent(&s) == 0);
        CHECK(!graze_world_update(worlds[1], NULL, NULL));
        const graze_world_event *found = graze_world_events(worlds[0], &counts[0]);
        const graze_world_event *expected = graze_world_events(worlds[1], &counts[1]);
        CHECK(counts[0] == counts[1] && counts[1] > MAX_LEAN);
        for (size_t i = 0; i < counts[1] && counts[0] == counts[1]; i++)
            CHECK(found[i].kind == expected[i].kind &&
                  found[i].pair_count == expected[i].pair_count &&
                  found[i].a.index == expected[i].a.index &&
                  found[i].b.index == expected[i].b.index);
    }
    graze_world_destroy(worlds[0]);
    graze_world_destroy(worlds[1]);
}

/* ---- bad input ------------------------------------------------------------------------------- */

TEST_OF_ONE_THREAD(bad_input_is_refused)
{
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    graze_cache_pool *caches = NULL;
    graze_error error = {.text = ""};
    graze_cache_pool_def def = {0};
    def = (graze_cache_pool_def){.ready = 3, .max_caches = 2};
    CHECK(graze_cache_pool_create(pair.models[0], &def, &caches, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strstr(error.text, "ready is 3"), "%s", error.text);
    CHECK(!caches);
}

/* The pool and the model may go first. */
TEST_OF_ONE_THREAD(bodies_hold_their_pool)
{
    soup_pair pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    graze_cache_pool *caches = NULL;
    OWN(graze_body) *lean = NULL;
    REQUIRE(!graze_cache_pool_create(pair.models[0], NULL, &caches, NULL));
    REQUIRE(!graze_body_create_lean(caches, &lean, NULL));
    REQUIRE(!soup_pair_pose(&pair, 0, lean, 0) && !soup_pair_pose(&pair, 0, pair.a, 0));
    uint64_t expected = pairs_of(pair.a, pair.b);
    graze_cache_pool_destroy(caches);
    CHECK(pairs_of(lean, pair.b) == expected && expected);
    soup_pair_close_models(&pair);
    soup_pair_close(&pair);
}
