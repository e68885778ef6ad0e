/* Threads of the caller's own on bodies that it shares: the rules of graze_body_share, calls over
 * pools on bodies that are shared already, and rays from several threads. (test_shared.c asks
 * everything else of shared bodies.)
 */
#include "body/body.h"
#include "harness.h"
#include "scenes/synth.h"
#include "support/answers.h"
#include "support/jobs.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/soup_pair.h"

#include <graze/graze.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    (void)user, (void)pairs, (void)count;
    return true;
}

static bool is_free(const graze_body *body)
{
    return !body->users && !body->shared && !body->shared_by_caller && !body->shared_by;
}

/* ---- rules ----------------------------------------------------------------------------------- */

TEST(a_shared_body_keeps_its_pose)
{
    soup_pair pair = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    graze_error error = {.text = ""};
    const float weight = 0.5f;
    CHECK(graze_body_unshare(pair.a, &error) == GRAZE_BAD_INPUT &&
          strstr(error.text, "not shared"));
    for (int times = 1; times <= 3; times++)
        CHECK(graze_body_share(pair.a, &error) == GRAZE_OK);
    for (int times = 3; times > 0; times--) {
        memset(&error, 0, sizeof error);
        CHECK(graze_body_set_morph_weights(pair.a, &weight, 1, false, &error) == GRAZE_BAD_INPUT &&
              strstr(error.text, "shared"));
        CHECK(soup_pair_pose(&pair, 0, pair.a, 1) == GRAZE_BAD_INPUT);
        CHECK(soup_pair_pose(&pair, 1, pair.b, 1) == GRAZE_OK); /* the other is not */
        CHECK(graze_body_unshare(pair.a, NULL) == GRAZE_OK);
    }
    CHECK(is_free(pair.a) && soup_pair_pose(&pair, 0, pair.a, 1) == GRAZE_OK);
    CHECK(graze_body_unshare(pair.a, NULL) == GRAZE_BAD_INPUT && is_free(pair.a));
    CHECK(graze_body_share(NULL, &error) == GRAZE_BAD_INPUT && error.text[0]);
    CHECK(graze_body_unshare(NULL, NULL) == GRAZE_BAD_INPUT);
    soup_pair_close(&pair);
}

TEST(a_shared_body_keeps_what_it_has)
{
    soup_pair pair = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    graze_stats first = {0}, second = {0};
    CHECK(!graze_body_share(pair.a, NULL) && !graze_body_share(pair.b, NULL));
    CHECK(!graze_collide(pair.a, pair.b, take_pairs, NULL, &first, NULL));
    graze_body_drop_caches(pair.a);
    CHECK(!graze_collide(pair.a, pair.b, take_pairs, NULL, &second, NULL));
    CHECK(first.patches_posed > 0 && first.nodes_refit > 0);
    CHECK(second.patches_posed == 0 && second.nodes_refit == 0);
    CHECK(!graze_body_unshare(pair.a, NULL) && !graze_body_unshare(pair.b, NULL));
    second = (graze_stats){0};
    graze_body_drop_caches(pair.a);
    CHECK(!graze_collide(pair.a, pair.b, take_pairs, NULL, &second, NULL));
    CHECK(second.patches_posed > 0);
    soup_pair_close(&pair);
}

typedef struct meddler {
    soup_pair *pair;
    graze_pool *pool;
    uint32_t calls, wrong;
    bool shared; /* by the caller already */
} meddler;

/* Shares within a callback, or asks over a pool there, of the same bodies. */
static void meddle(meddler *m)
{
    graze_body_pair pairs[2] = {{m->pair->a, m->pair->b}, {m->pair->b, m->pair->a}};
    bool hits[2] = {false, false};
    if (m->calls++ >= 4)
        return;
    if (!m->shared)
        m->wrong += graze_body_share(m->pair->a, NULL) != GRAZE_BAD_INPUT;
    m->wrong += graze_collide_many_first(m->pool, pairs, 2, hits, NULL, NULL) != GRAZE_OK;
    m->wrong += !hits[0] || !hits[1];
    m->wrong += soup_pair_pose(m->pair, 0, m->pair->a, 1) != GRAZE_BAD_INPUT;
}

static bool meddle_in_pair(void *user, const graze_pair *pairs, size_t count)
{
    (void)pairs, (void)count;
    meddle(user);
    return true;
}

static bool meddle_in_many(void *user, size_t pair, const graze_pair *pairs, size_t count)
{
    (void)pair, (void)pairs, (void)count;
    meddle(user);
    return true;
}

TEST(callbacks_may_ask_but_not_share)
{
    soup_pair pair = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    graze_pool *pool = NULL, *other = NULL;
    CHECK(!graze_pool_create(4, NULL, &pool, NULL) && !graze_pool_create(3, NULL, &other, NULL));
    graze_pool *const pools[3] = {NULL, pool, other};
    graze_body_pair both = {pair.a, pair.b};
    for (int shared = 0; shared < 2; shared++)
        for (int inner = 0; inner < 3; inner++) {
            meddler m = {.pair = &pair, .pool = pools[inner], .shared = shared};
            for (int k = 0; k < shared; k++)
                CHECK(!graze_body_share(pair.a, NULL) && !graze_body_share(pair.b, NULL));
            CHECK(!graze_collide(pair.a, pair.b, meddle_in_pair, &m, NULL, NULL));
            CHECK(m.calls > 0 && !m.wrong);
            for (int outer = 0; outer < 3; outer++) {
                m.calls = 0;
                CHECK(!graze_collide_many(pools[outer], &both, 1, meddle_in_many, &m, NULL, NULL));
                CHECK_MSG(m.calls > 0 && !m.wrong, "shared %d, pools %d and %d: %u wrong", shared,
                          outer, inner, m.wrong);
            }
            for (int k = 0; k < shared; k++)
                CHECK(!graze_body_unshare(pair.a, NULL) && !graze_body_unshare(pair.b, NULL));
            CHECK(is_free(pair.a) && is_free(pair.b));
        }
    graze_pool_destroy(pool);
    graze_pool_destroy(other);
    soup_pair_close(&pair);
}

/* What a search has left to look at was bounded when it was put there. */
TEST(searches_from_before_caches_were_dropped_are_refused_of_shared_bodies)
{
    soup_pair pair = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    graze_search *search = NULL;
    graze_search_rest rest = {.finished = false};
    graze_error error = {.text = ""};
    answers found = {.count = 0}, expected = {.count = 0};
    const graze_budget little = {.bound_tests = 3};
    CHECK(!graze_search_create(NULL, &search, NULL));
    CHECK(!graze_collide(pair.a, pair.b, answers_take_pairs, &expected, NULL, NULL));
    CHECK(!graze_search_collide(search, pair.a, pair.b, answers_take_pairs, &found, NULL));
    CHECK(!graze_search_run(search, &little, NULL, &rest, NULL) && !rest.finished);
    graze_body_drop_caches(pair.b);
    CHECK(!graze_body_share(pair.a, NULL) && !graze_body_share(pair.b, NULL));
    rest.count = 12345;
    CHECK(graze_search_run(search, &little, NULL, &rest, &error) == GRAZE_BAD_INPUT &&
          strstr(error.text, "dropped") && rest.count == 12345);
    CHECK(!graze_body_unshare(pair.b, NULL));
    CHECK(!graze_search_run(search, &little, NULL, &rest, &error) && !rest.finished);
    CHECK(!graze_body_share(pair.b, NULL));
    CHECK(graze_search_run(search, &little, NULL, &rest, &error) == GRAZE_BAD_INPUT);
    CHECK(!graze_body_unshare(pair.a, NULL) && !graze_body_unshare(pair.b, NULL));
    CHECK(!graze_search_run(search, NULL, NULL, &rest, &error) && rest.finished);
    CHECK(answers_sort(&found) && answers_sort(&expected) &&
          answers_equal(&found, &expected, NULL));
    answers_free(&found);
    answers_free(&expected);
    graze_search_destroy(search);
    soup_pair_close(&pair);
}

/* ---- calls over pools, from several threads, on bodies that are shared already ----------------
 */

enum { CALLERS = 6, RAYS = 200 };

typedef struct caller {
    soup_pair *pair;
    graze_pool *pool; /* another, none, or one of several callers' */
    graze_contacts *finder;
    const graze_ray *rays;
    pthread_barrier_t *start;
    pthread_t thread;
    answers found[4];
} caller;

static void ask_over_pool(caller *c, answers found[4])
{
    graze_body_pair pair = {c->pair->a, c->pair->b};
    graze_motion motions[2] = {{c->pair->a, c->pair->end}, {c->pair->b, c->pair->b}};
    graze_motion_pair sweep = {&motions[0], &motions[1]};
    static const double limit = INFINITY;
    graze_ray_hit hits[RAYS];
    graze_nearest nearest;
    graze_impact impact;
    CHECK(!graze_collide_many(c->pool, &pair, 1, answers_take_many, &found[0], NULL, NULL));
    CHECK(answers_sort(&found[0]));
    CHECK(!graze_cast_many_parallel(c->pool, c->pair->a, c->rays, RAYS, hits, NULL, NULL));
    for (int i = 0; i < RAYS; i++)
        answers_put_hit(&found[1], &hits[i]);
    CHECK(!graze_distance_many(c->pool, &pair, 1, &limit, &nearest, NULL, NULL));
    answers_put_nearest(&found[2], &nearest);
    CHECK(!graze_sweep_many(c->pool, &sweep, 1, false, &impact, NULL, NULL));
    answers_put_impact(&found[3], &impact);
    CHECK(!graze_contacts_many(c->pool, &c->finder, &pair, 1, NULL, NULL));
    CHECK(graze_contacts_count(c->finder) > 0);
}

static void *call_over_pool(void *data)
{
    caller *c = data;
    pthread_barrier_wait(c->start);
    ask_over_pool(c, c->found);
    return NULL;
}

TEST(pools_serve_threads_that_share_bodies)
{
    soup_pair pair = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    graze_body *const bodies[3] = {pair.a, pair.b, pair.end};
    graze_pool *pools[3] = {NULL, NULL, NULL};
    graze_ray rays[RAYS];
    caller callers[CALLERS], alone = {.pair = &pair, .rays = rays};
    test_random random = test_random_seed(5);
    CHECK(!graze_pool_create(3, NULL, &pools[1], NULL));
    CHECK(!graze_pool_create(2, NULL, &pools[2], NULL));
    for (int i = 0; i < RAYS; i++) {
        rays[i] = pair.ray;
        for (int k = 0; k < 3; k++)
            rays[i].origin[k] += (float)test_random_range(&random, -0.2, 0.2);
    }
    CHECK(!graze_contacts_create(pair.models[0], pair.models[1], NULL, &alone.finder, NULL));
    ask_over_pool(&alone, alone.found);
    for (uint32_t round = 0; round < test_amount(40, 10); round++) {
        pthread_barrier_t start;
        pthread_barrier_init(&start, NULL, CALLERS);
        for (int i = 0; i < 3; i++) {
            graze_body_drop_caches(bodies[i]);
            CHECK(!graze_body_share(bodies[i], NULL));
        }
        for (int i = 0; i < CALLERS; i++) {
            callers[i] =
                (caller){.pair = &pair, .pool = pools[i % 3], .rays = rays, .start = &start};
            CHECK(!graze_contacts_create(pair.models[0], pair.models[1], NULL, &callers[i].finder,
                                         NULL));
            if (pthread_create(&callers[i].thread, NULL, call_over_pool, &callers[i]))
                abort();
        }
        for (int i = 0; i < CALLERS; i++) {
            pthread_join(callers[i].thread, NULL);
            for (int k = 0; k < 4; k++) {
                CHECK_MSG(answers_equal(&callers[i].found[k], &alone.found[k], NULL),
                          "round %u, caller %d: answer %d is wrong", round, i, k);
                answers_free(&callers[i].found[k]);
            }
            graze_contacts_destroy(callers[i].finder);
        }
        for (int i = 0; i < 3; i++)
            CHECK(!graze_body_unshare(bodies[i], NULL) && is_free(bodies[i]));
        pthread_barrier_destroy(&start);
    }
    for (int k = 0; k < 4; k++)
        answers_free(&alone.found[k]);
    graze_contacts_destroy(alone.finder);
    graze_pool_destroy(pools[1]);
    graze_pool_destroy(pools[2]);
    soup_pair_close(&pair);
}

/* ---- rays ------------------------------------------------------------------------------------ */

enum { CASTERS = 8, MANY_RAYS = 4096 };

typedef struct caster {
    graze_body *body;
    const graze_ray *rays;
    graze_ray_hit *hits;
    uint32_t number;
    bool at_once; /* as packets, else one by one */
    pthread_t thread;
} caster;

/* Every thread has all rays, and starts elsewhere: so they meet in the same patches. */
static void *cast_all_rays(void *data)
{
    caster *c = data;
    uint32_t first = c->number * (MANY_RAYS / CASTERS);
    if (c->at_once) {
        if (graze_cast_many(c->body, c->rays + first, MANY_RAYS - first, c->hits + first, NULL,
                            NULL) ||
            graze_cast_many(c->body, c->rays, first, c->hits, NULL, NULL))
            abort();
        return NULL;
    }
    for (uint32_t i = 0; i < MANY_RAYS; i++) {
        uint32_t r = (first + i) % MANY_RAYS;
        if (graze_cast(c->body, &c->rays[r], &c->hits[r], NULL, NULL))
            abort();
    }
    return NULL;
}

static uint32_t put_hits(answers *list, const graze_ray_hit *hits)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < MANY_RAYS; i++) {
        answers_put_hit(list, &hits[i]);
        found += hits[i].found;
    }
    return found;
}

TEST(eight_threads_cast_rays_at_one_body)
{
    static graze_ray rays[MANY_RAYS];
    static graze_ray_hit hits[CASTERS][MANY_RAYS];
    const graze_skinning kinds[] = {GRAZE_LINEAR, GRAZE_SPHERICAL, GRAZE_DUAL};
    graze_rig *rig = NULL;
    test_random random = test_random_seed(11);
    REQUIRE(!graze_synth(&(graze_synth_def){GRAZE_SYNTH_CREATURE, 6000, 0}, NULL, &rig, NULL));
    for (uint32_t i = 0; i < MANY_RAYS; i++) {
        rays[i] = graze_default_ray();
        for (int k = 0; k < 3; k++) {
            rays[i].origin[k] = (float)test_random_range(&random, -2, 2);
            double to = test_random_range(&random, -0.4, 0.4) + (k == 1);
            rays[i].dir[k] = (float)to - rays[i].origin[k];
        }
    }
    for (uint32_t round = 0; round < 6; round++) {
        graze_model_def def = graze_rig_model_def(rig);
        graze_model *model = NULL;
        graze_body *body = NULL;
        caster casters[CASTERS];
        answers alone = {.count = 0};
        def.skinning = kinds[round % 3];
        def.tree.volume = round % 2 ? GRAZE_SPHERES : GRAZE_BOXES;
        float *joints = malloc(12 * sizeof *joints * rig->joint_count);
        REQUIRE(joints && !graze_model_create(&def, &model, NULL) &&
                !graze_body_create(model, &body, NULL));
        test_rig_sample(rig, 0, 0.1 * round, joints);
        graze_pose pose = {.joints = joints, .joint_count = rig->joint_count};
        CHECK(!graze_body_set_pose(body, &pose, NULL));
        for (uint32_t i = 0; i < MANY_RAYS; i++)
            CHECK(!graze_cast(body, &rays[i], &hits[0][i], NULL, NULL));
        CHECK(put_hits(&alone, hits[0]) > MANY_RAYS / 8);
        graze_body_drop_caches(body);
        memset(hits, 0, sizeof hits);
        CHECK(!graze_body_share(body, NULL));
        for (uint32_t t = 0; t < CASTERS; t++) {
            casters[t] = (caster){body, rays, hits[t], t, (t + round) % 4 == 0, 0};
            if (pthread_create(&casters[t].thread, NULL, cast_all_rays, &casters[t]))
                abort();
        }
        for (uint32_t t = 0; t < CASTERS; t++)
            pthread_join(casters[t].thread, NULL);
        CHECK(!graze_body_unshare(body, NULL) && is_free(body));
        for (uint32_t t = 0; t < CASTERS; t++) {
            answers found = {.count = 0};
            size_t odd = 0;
            put_hits(&found, hits[t]);
            CHECK_MSG(answers_equal(&found, &alone, &odd), "round %u, thread %u, ray %zu", round, t,
                      odd);
            answers_free(&found);
        }
        answers_free(&alone);
        graze_body_destroy(body);
        graze_model_destroy(model);
        free(joints);
    }
    graze_rig_destroy(rig);
}
