/* Threads never change the answer: batches of pairs, and one pair split, against plain graze_pairs,
 * of creatures with all kinds of trees and skinnings, which many pairs share. (Other questions,
 * random meshes, and receivers that stop: test_ways.c, test_many.c.) Under the thread sanitizer
 * (scripts/test.sh) the same cases show that no two threads touch one thing unasked.
 */
#include "harness.h"
#include "scenes/synth.h"
#include "support/agreement.h"
#include "support/allocator.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/variants.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 6, PAIRS = BODIES * (BODIES - 1) / 2, MAX_THREADS = 8 };

typedef struct couple {
    graze_body *a, *b;
    struct crowd *crowd;
    graze_pair_list all, any;
    pair_set expected, found;
} couple;

/* Bodies of one mesh, each with a model of its own, and all pairs of them, in batches. */
typedef struct crowd {
    variants bodies;
    couple pairs[PAIRS];
    graze_batch *all, *any;
    bool inside; /* a callback is */
} crowd;

static void crowd_free(crowd *c)
{
    graze_batch_destroy(c->all);
    graze_batch_destroy(c->any);
    variants_free(&c->bodies);
    for (int p = 0; p < PAIRS; p++) {
        pair_set_free(&c->pairs[p].expected);
        pair_set_free(&c->pairs[p].found);
    }
}

OWN_VALUE(crowd, crowd_free)

/* A callback that would notice another one at the same time; user is a couple. */
static bool take(void *user, const graze_pair *triangles, size_t count)
{
    couple *pair = user;
    crowd *c = pair->crowd;
    CHECK(!c->inside && count > 0);
    c->inside = true;
    bool more = pair_set_take(&pair->found, triangles, count);
    c->inside = false;
    return more;
}

static void record_pairs(crowd *c)
{
    couple *p = c->pairs;
    CHECK(!graze_batch_create(NULL, &c->all, NULL) && !graze_batch_create(NULL, &c->any, NULL));
    for (int i = 0; i < BODIES; i++)
        for (int k = i + 1; k < BODIES; k++, p++) {
            *p = (couple){.a = c->bodies.bodies[i], .b = c->bodies.bodies[k], .crowd = c};
            p->all = (graze_pair_list){.report = take, .user = p};
            CHECK(!graze_pairs(p->a, p->b, &p->all, &(graze_options){.batch = c->all}, NULL));
            CHECK(!graze_pairs(p->a, p->b, &p->any, &(graze_options){.any = true, .batch = c->any},
                               NULL));
        }
}

static graze_status run(graze_batch *batch, graze_pool *pool, graze_stats *stats)
{
    return graze_batch_run(batch, &(graze_options){.pool = pool, .stats = stats}, NULL);
}

/* Makes everything old again, but for what some bodies have from an earlier query. */
static void cool_down(crowd *c, uint32_t round)
{
    for (int i = 0; i < BODIES; i++)
        graze_body_drop_caches(c->bodies.bodies[i]);
    if (round % 4 == 1)
        graze_body_refit_all(c->bodies.bodies[round % BODIES]);
    if (round % 4 == 2)
        graze_pairs(c->bodies.bodies[0], c->bodies.bodies[1], TO_PAIR_SET(&c->pairs[0].found), NULL,
                    NULL);
}

static uint64_t expect(crowd *c)
{
    uint64_t hits = 0;
    for (int p = 0; p < PAIRS; p++) {
        couple *pair = &c->pairs[p];
        pair_set_clear(&pair->expected);
        graze_pairs(pair->a, pair->b, TO_PAIR_SET(&pair->expected), NULL, NULL);
        CHECK(pair_set_sort(&pair->expected));
        hits += pair->expected.count > 0;
    }
    return hits;
}

static void clear_found(crowd *c)
{
    for (int p = 0; p < PAIRS; p++)
        pair_set_clear(&c->pairs[p].found);
}

static bool same(couple *pair, const char *name, const char *what)
{
    graze_pair odd = {.a = 0, .b = 0};
    pair_set *found = &pair->found;
    return test_check(
        pair_set_sort(found) && pair_set_equal(found, &pair->expected, &odd), __FILE__, __LINE__,
        "%s, %s, pair %d: %zu pairs of triangles, alone %zu; %u %u", name, what,
        (int)(pair - pair->crowd->pairs), found->count, pair->expected.count, odd.a, odd.b);
}

/* Nothing is computed twice, whoever asks for it. */
static bool is_lazy(const crowd *c, const graze_stats *stats)
{
    uint64_t nodes = 0, leaves = 0, vertices = 0;
    for (int i = 0; i < BODIES; i++) {
        graze_model_info info = graze_model_get_info(c->bodies.models[i]);
        nodes += info.node_count;
        leaves += info.leaf_count;
        vertices += 3 * (uint64_t)info.triangle_count;
    }
    return stats->nodes_refit + stats->nodes_enlarged <= nodes && stats->patches_posed <= leaves &&
           stats->vertices_posed <= vertices && stats->bound_tests > 0;
}

static bool check_many(crowd *c, graze_pool *pool, uint32_t round, const char *name)
{
    graze_stats stats = {0}, again = {0};
    bool ok = true;
    cool_down(c, round);
    clear_found(c);
    CHECK(run(c->all, pool, &stats) == GRAZE_OK);
    for (int p = 0; ok && p < PAIRS; p++)
        ok = same(&c->pairs[p], name, "a batch");
    CHECK_MSG(is_lazy(c, &stats), "%s: something was computed twice", name);
    for (int p = 0; p < PAIRS; p++)
        graze_pairs(c->pairs[p].a, c->pairs[p].b, TO_PAIR_SET(&c->pairs[p].found),
                    &(graze_options){.stats = &again}, NULL);
    /* Which of two patches is posed first, and spares the other, may differ. */
    CHECK_MSG(again.nodes_refit == 0 && again.patches_posed <= 2 + stats.patches_posed / 4,
              "%s: %llu nodes and %llu patches are not kept", name,
              (unsigned long long)again.nodes_refit, (unsigned long long)again.patches_posed);
    return ok;
}

static bool check_any(crowd *c, graze_pool *pool, uint32_t round, const char *name)
{
    bool ok = true;
    cool_down(c, round);
    CHECK(run(c->any, pool, NULL) == GRAZE_OK);
    for (int p = 0; ok && p < PAIRS; p++)
        ok = test_check(c->pairs[p].any.total == (c->pairs[p].expected.count > 0), __FILE__,
                        __LINE__, "%s, pair %d: %zu, but %zu pairs of triangles meet", name, p,
                        c->pairs[p].any.total, c->pairs[p].expected.count);
    return ok;
}

static bool check_split(crowd *c, graze_pool *pool, uint32_t round, const char *name)
{
    couple *pair = &c->pairs[round % PAIRS];
    cool_down(c, round);
    pair_set_clear(&pair->found);
    CHECK(graze_pairs(pair->a, pair->b, &pair->all, &(graze_options){.pool = pool}, NULL) ==
          GRAZE_OK);
    return same(pair, name, "split");
}

static void make_pools(graze_pool *pools[MAX_THREADS])
{
    for (uint32_t t = 0; t < MAX_THREADS; t++) {
        pools[t] = NULL;
        CHECK(graze_pool_create(t + 1, NULL, &pools[t], NULL) == GRAZE_OK);
        CHECK(graze_pool_threads(pools[t]) == t + 1);
    }
}

static void free_pools(graze_pool *pools[MAX_THREADS])
{
    for (int t = 0; t < MAX_THREADS; t++)
        graze_pool_destroy(pools[t]);
}

/* All three questions, each round with another number of threads and then without a pool; returns
 * how many pairs of bodies meet.
 */
static uint64_t check_crowd(crowd *c, graze_pool *pools[MAX_THREADS], uint32_t first,
                            uint32_t rounds, const char *name)
{
    uint64_t hits = expect(c);
    bool ok = true;
    for (uint32_t round = first; ok && round < first + rounds; round++) {
        uint32_t t = (round + 1) % (MAX_THREADS + 1);
        graze_pool *pool = t == MAX_THREADS ? NULL : pools[t];
        ok = check_many(c, pool, round, name) && check_any(c, pool, round, name) &&
             check_split(c, pool, round, name);
    }
    return hits;
}

/* ---- characters --------------------------------------------------------------------------- */

/* Made on the first call and kept until the program ends; NULL if that fails. */
static const graze_rig *creature(void)
{
    static graze_rig *rig;
    graze_synth_def def = {.kind = GRAZE_SYNTH_CREATURE, .triangles = test_amount(4000, 1500)};
    CHECK(rig || graze_synth(&def, NULL, &rig, NULL) == GRAZE_OK);
    return rig;
}

/* Creatures through each other in a row, so that some pairs are deep and some apart, all but one
 * with a tree and an instruction set of its own.
 */
static bool crowd_of_creatures(crowd *c, graze_skinning skinning, double gap)
{
    const graze_rig *rig = creature();
    *c = (crowd){.inside = false};
    if (!rig)
        return false;
    float *joints = malloc(12 * sizeof *joints * rig->joint_count);
    bool ok = joints != NULL;
    for (int i = 0; ok && i < BODIES; i++) {
        float placement[12] = {1, 0, 0, (float)(gap * i), 0, 1, 0, 0, 0, 0, 1, (float)(0.3 * i)};
        graze_model_def def = graze_rig_model_def(rig);
        def.skinning = skinning;
        def.tree = agreement_tree(5 * (uint32_t)i % agreement_tree_count());
        def.isa = i % 4 ? GRAZE_ISA_BEST : GRAZE_ISA_BASE;
        graze_pose pose = {
            .joints = joints, .joint_count = rig->joint_count, .placement = placement};
        ok = graze_rig_sample(rig, 0, 0.17 * i, joints, NULL) == GRAZE_OK &&
             variants_add(&c->bodies, &def) &&
             graze_body_set_pose(c->bodies.bodies[i], &pose, NULL) == GRAZE_OK;
    }
    free(joints);
    record_pairs(c);
    return ok;
}

TEST(characters_agree)
{
    static const graze_skinning kinds[] = {GRAZE_LINEAR, GRAZE_SPHERICAL, GRAZE_DUAL};
    graze_pool *pools[MAX_THREADS];
    make_pools(pools);
    for (int k = 0; k < 3; k++) {
        OWN(crowd) c = {0};
        CHECK(crowd_of_creatures(&c, kinds[k], 0.2));
        uint64_t hits = check_crowd(&c, pools, 0, test_amount(27, 9), "creatures");
        CHECK(hits > BODIES);
    }
    free_pools(pools);
}

/* ---- callers and callbacks ---------------------------------------------------------------- */

typedef struct nest {
    graze_pool *pool;
    crowd *inner;
    uint32_t round;
} nest;

static bool call_again(void *user, const graze_pair *triangles, size_t count)
{
    nest *n = user;
    (void)triangles;
    (void)count;
    check_many(n->inner, n->pool, n->round++, "called from a callback");
    return n->round < 3;
}

TEST(a_pool_in_use_serves_nobody_else)
{
    nest n = {.round = 0};
    crowd outer, inner;
    CHECK(graze_pool_create(3, NULL, &n.pool, NULL) == GRAZE_OK);
    REQUIRE(crowd_of_creatures(&outer, GRAZE_LINEAR, 0.05) &&
            crowd_of_creatures(&inner, GRAZE_LINEAR, 0.1));
    expect(&inner);
    n.inner = &inner;
    CHECK(graze_pairs(outer.bodies.bodies[0], outer.bodies.bodies[1],
                      &(graze_pair_list){.report = call_again, .user = &n},
                      &(graze_options){.pool = n.pool}, NULL) == GRAZE_OK);
    CHECK(n.round > 0);
    crowd_free(&outer);
    crowd_free(&inner);
    graze_pool_destroy(n.pool);
}

typedef struct caller {
    crowd crowd;
    graze_pool *pool;
} caller;

static void *call_often(void *memory)
{
    caller *c = memory;
    for (uint32_t round = 0; round < 20; round++)
        if (!check_many(&c->crowd, c->pool, round, "one of two callers"))
            break;
    return NULL;
}

TEST(two_callers_share_a_pool)
{
    OWN(graze_pool) *pool = NULL;
    caller callers[2];
    pthread_t thread;
    CHECK(graze_pool_create(3, NULL, &pool, NULL) == GRAZE_OK);
    for (int i = 0; i < 2; i++) {
        callers[i].pool = pool;
        REQUIRE(crowd_of_creatures(&callers[i].crowd, GRAZE_LINEAR, 0.1 + 0.1 * i));
        expect(&callers[i].crowd);
    }
    REQUIRE(pthread_create(&thread, NULL, call_often, &callers[0]) == 0);
    call_often(&callers[1]);
    pthread_join(thread, NULL);
    crowd_free(&callers[0].crowd);
    crowd_free(&callers[1].crowd);
}

/* ---- bad input and memory ----------------------------------------------------------------- */

TEST(bad_input_is_refused)
{
    OWN(graze_pool) *pool = NULL;
    graze_error error = {.text = ""};
    CHECK(graze_pool_create(0, NULL, &pool, &error) == GRAZE_BAD_INPUT && strstr(error.text, "0"));
    CHECK(graze_pool_create(257, NULL, &pool, &error) == GRAZE_BAD_INPUT && !pool);
    graze_pool_destroy(NULL);
    CHECK(graze_pool_threads(NULL) == 1);
    CHECK(graze_pool_create(2, NULL, &pool, &error) == GRAZE_OK);
}

TEST(pools_come_and_go)
{
    test_memory memory = {.fail_at = 1};
    graze_allocator allocator = test_memory_allocator(&memory);
    graze_pool *pool = NULL;
    graze_error error;
    CHECK(graze_pool_create(4, &allocator, &pool, &error) == GRAZE_OUT_OF_MEMORY && !pool);
    for (uint32_t i = 0; i < 40; i++) {
        CHECK(graze_pool_create(1 + i % 9, &allocator, &pool, &error) == GRAZE_OK);
        graze_pool_destroy(pool);
    }
    CHECK(memory.alive == 0 && memory.calls > 40);
}
