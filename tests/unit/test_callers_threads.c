/* Threads of the caller's own on bodies that it shares: the rules of graze_body_share, calls over
 * pools on bodies that are shared already, and rays from several threads. (test_shared.c asks
 * everything else of shared bodies.)
 */
#include "body/body.h"
#include "harness.h"
#include "scenes/synth.h"
#include "support/answers.h"
#include "support/jobs.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/soup_pair.h"

#include <graze/graze.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_free(const graze_body *body)
{
    return !body->users && !body->shared && !body->shared_by_caller && !body->shared_by;
}

/* ---- rules ----------------------------------------------------------------------------------- */

TEST(a_shared_body_keeps_its_pose)
{
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
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
}

TEST(a_shared_body_keeps_what_it_has)
{
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    graze_stats first = {0}, second = {0};
    CHECK(!graze_body_share(pair.a, NULL) && !graze_body_share(pair.b, NULL));
    CHECK(!graze_pairs(pair.a, pair.b, &(graze_pair_list){0}, &(graze_options){.stats = &first},
                       NULL));
    graze_body_drop_caches(pair.a);
    CHECK(!graze_pairs(pair.a, pair.b, &(graze_pair_list){0}, &(graze_options){.stats = &second},
                       NULL));
    CHECK(first.patches_posed > 0 && first.nodes_refit > 0);
    CHECK(second.patches_posed == 0 && second.nodes_refit == 0);
    CHECK(!graze_body_unshare(pair.a, NULL) && !graze_body_unshare(pair.b, NULL));
    second = (graze_stats){0};
    graze_body_drop_caches(pair.a);
    CHECK(!graze_pairs(pair.a, pair.b, &(graze_pair_list){0}, &(graze_options){.stats = &second},
                       NULL));
    CHECK(second.patches_posed > 0);
}

typedef struct meddler {
    soup_pair *pair;
    graze_pool *pool;
    size_t pair_count;
    uint32_t calls, wrong;
    bool shared; /* by the caller already */
} meddler;

/* Shares within a callback, or asks over a pool there, of the same bodies. */
static void meddle(meddler *m)
{
    graze_body *couples[2][2] = {{m->pair->a, m->pair->b}, {m->pair->b, m->pair->a}};
    answers found = {.count = 0};
    if (m->calls++ >= 4)
        return;
    if (!m->shared)
        m->wrong += graze_body_share(m->pair->a, NULL) != GRAZE_BAD_INPUT;
    m->wrong += answers_of_couples(m->pool, couples, 2, &found, NULL, NULL) != GRAZE_OK;
    m->wrong += found.count != 2 * m->pair_count;
    answers_free(&found);
    m->wrong += soup_pair_pose(m->pair, 0, m->pair->a, 1) != GRAZE_BAD_INPUT;
}

static bool meddle_in_pair(void *user, const graze_pair *pairs, size_t count)
{
    (void)pairs, (void)count;
    meddle(user);
    return true;
}

TEST(callbacks_may_ask_but_not_share)
{
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    OWN(graze_pool) *pool = NULL, *other = NULL;
    CHECK(!graze_pool_create(4, NULL, &pool, NULL) && !graze_pool_create(3, NULL, &other, NULL));
    graze_pool *const pools[3] = {NULL, pool, other};
    OWN(graze_batch) *batch = NULL;
    meddler m = {.pair = &pair};
    graze_pair_list list = {.report = meddle_in_pair, .user = &m}, all = {0};
    CHECK(!graze_batch_create(NULL, &batch, NULL));
    CHECK(!graze_pairs(pair.a, pair.b, &list, &(graze_options){.batch = batch}, NULL));
    CHECK(!graze_pairs(pair.a, pair.b, &all, NULL, NULL));
    for (int shared = 0; shared < 2; shared++)
        for (int inner = 0; inner < 3; inner++) {
            m = (meddler){&pair, pools[inner], all.total, 0, 0, shared};
            for (int k = 0; k < shared; k++)
                CHECK(!graze_body_share(pair.a, NULL) && !graze_body_share(pair.b, NULL));
            CHECK(!graze_pairs(pair.a, pair.b, &list, NULL, NULL));
            CHECK(m.calls > 0 && !m.wrong);
            for (int outer = 0; outer < 3; outer++) {
                m.calls = 0;
                CHECK(!graze_batch_run(batch, &(graze_options){.pool = pools[outer]}, NULL));
                CHECK_MSG(m.calls > 0 && !m.wrong, "shared %d, pools %d and %d: %u wrong", shared,
                          outer, inner, m.wrong);
            }
            for (int k = 0; k < shared; k++)
                CHECK(!graze_body_unshare(pair.a, NULL) && !graze_body_unshare(pair.b, NULL));
            CHECK(is_free(pair.a) && is_free(pair.b));
        }
}

/* What is left to look at was bounded when it was kept. */
TEST(checkpoints_from_before_caches_were_dropped_are_refused_of_shared_bodies)
{
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    OWN(graze_checkpoint) *checkpoint = NULL;
    graze_error error = {.text = ""};
    OWN(answers) found = {.count = 0}, expected = {.count = 0};
    CHECK(!graze_checkpoint_create(NULL, &checkpoint, NULL));
    graze_budget budget = {.bound_tests = 3, .checkpoint = checkpoint};
    const graze_options options = {.budget = &budget};
    graze_pair_list *list = PAIRS_TO(&found);
    CHECK(!graze_pairs(pair.a, pair.b, PAIRS_TO(&expected), NULL, NULL));
    CHECK(graze_pairs(pair.a, pair.b, list, &options, NULL) == GRAZE_UNFINISHED);
    graze_body_drop_caches(pair.b);
    CHECK(!graze_body_share(pair.a, NULL) && !graze_body_share(pair.b, NULL));
    budget.remaining = 12345;
    CHECK(graze_pairs(pair.a, pair.b, list, &options, &error) == GRAZE_BAD_INPUT &&
          strstr(error.text, "dropped") && budget.remaining == 12345);
    CHECK(!graze_body_unshare(pair.b, NULL));
    CHECK(graze_pairs(pair.a, pair.b, list, &options, &error) == GRAZE_UNFINISHED);
    CHECK(!graze_body_share(pair.b, NULL));
    CHECK(graze_pairs(pair.a, pair.b, list, &options, &error) == GRAZE_BAD_INPUT);
    CHECK(!graze_body_unshare(pair.a, NULL) && !graze_body_unshare(pair.b, NULL));
    budget.bound_tests = 0;
    CHECK(graze_pairs(pair.a, pair.b, list, &options, &error) == GRAZE_OK && budget.finished);
    CHECK(answers_sort(&found) && answers_sort(&expected) &&
          answers_equal(&found, &expected, NULL));
}

/* ---- batches, from several threads, on bodies that are shared already -------------------------
 */

enum { CALLERS = 6, RAYS = 200 };

typedef struct caller {
    soup_pair *pair;
    graze_pool *pool; /* another, none, or one of several callers' */
    graze_contact_finder *finder;
    const graze_ray *rays;
    pthread_barrier_t *start;
    pthread_t thread;
    answers found[4];
} caller;

static void ask_over_pool(caller *c, answers found[4])
{
    graze_body *a = c->pair->a, *b = c->pair->b;
    OWN(graze_batch) *batch = NULL;
    const graze_motion motions[2] = {{.start = a, .end = c->pair->end}, {.start = b, .end = b}};
    graze_hit hits[RAYS];
    graze_nearest nearest;
    graze_impact impact;
    graze_contact_list contacts = {0};
    CHECK(!graze_batch_create(NULL, &batch, NULL));
    const graze_options record = {.batch = batch};
    CHECK(!graze_pairs(a, b, PAIRS_TO(&found[0]), &record, NULL));
    CHECK(!graze_cast_many(a, c->rays, RAYS, hits, &record, NULL));
    CHECK(!graze_distance(a, b, INFINITY, &nearest, &record, NULL));
    CHECK(!graze_sweep(&motions[0], &motions[1], &impact, &record, NULL));
    CHECK(!graze_contacts(c->finder, a, b, &contacts, &record, NULL));
    CHECK(!graze_batch_run(batch, &(graze_options){.pool = c->pool}, NULL));
    CHECK(answers_sort(&found[0]));
    answers_take_hits(&found[1], hits, RAYS);
    answers_put_nearest(&found[2], &nearest);
    answers_put_impact(&found[3], &impact);
    CHECK(contacts.total > 0);
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
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
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
    CHECK(!graze_contact_finder_create(pair.models[0], pair.models[1], NULL, &alone.finder, NULL));
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
            CHECK(!graze_contact_finder_create(pair.models[0], pair.models[1], NULL,
                                               &callers[i].finder, NULL));
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
            graze_contact_finder_destroy(callers[i].finder);
        }
        for (int i = 0; i < 3; i++)
            CHECK(!graze_body_unshare(bodies[i], NULL) && is_free(bodies[i]));
        pthread_barrier_destroy(&start);
    }
    for (int k = 0; k < 4; k++)
        answers_free(&alone.found[k]);
    graze_contact_finder_destroy(alone.finder);
    graze_pool_destroy(pools[1]);
    graze_pool_destroy(pools[2]);
}

/* ---- rays ------------------------------------------------------------------------------------ */

enum { CASTERS = 8, MANY_RAYS = 4096 };

typedef struct caster {
    graze_body *body;
    const graze_ray *rays;
    graze_hit *hits;
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

static uint32_t put_hits(answers *list, const graze_hit *hits)
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
    static graze_hit hits[CASTERS][MANY_RAYS];
    const graze_skinning kinds[] = {GRAZE_LINEAR, GRAZE_SPHERICAL, GRAZE_DUAL};
    OWN(graze_rig) *rig = NULL;
    test_random random = test_random_seed(11);
    REQUIRE(!graze_synth(&(graze_synth_def){GRAZE_SYNTH_CREATURE, 6000, 0}, NULL, &rig, NULL));
    for (uint32_t i = 0; i < MANY_RAYS; i++) {
        rays[i] = (graze_ray){.dir = {0, 0, 1}, .t_max = INFINITY};
        for (int k = 0; k < 3; k++) {
            rays[i].origin[k] = (float)test_random_range(&random, -2, 2);
            double to = test_random_range(&random, -0.4, 0.4) + (k == 1);
            rays[i].dir[k] = (float)to - rays[i].origin[k];
        }
    }
    for (uint32_t round = 0; round < 6; round++) {
        graze_model_def def = graze_rig_model_def(rig);
        OWN(graze_model) *model = NULL;
        graze_body *body = NULL;
        caster casters[CASTERS];
        OWN(answers) alone = {.count = 0};
        def.skinning = kinds[round % 3];
        def.tree.volume = round % 2 ? GRAZE_SPHERES : GRAZE_BOXES;
        OWNED float *joints = malloc(12 * sizeof *joints * rig->joint_count);
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
            OWN(answers) found = {.count = 0};
            size_t odd = 0;
            put_hits(&found, hits[t]);
            CHECK_MSG(answers_equal(&found, &alone, &odd), "round %u, thread %u, ray %zu", round, t,
                      odd);
        }
        graze_body_destroy(body);
    }
}
