/* Every query of graze/threads.h, over pools of threads and of job systems, gives the answers that
 * the plain query gives to one thread. (Pairs of triangles: test_threads.c.)
 */
#include "harness.h"
#include "support/jobs.h"
#include "support/many_scene.h"
#include "support/quick.h"

#include <stdlib.h>
#include <string.h>

TEST(any_number_of_threads_gives_the_answers_of_one)
{
    many_scene s;
    answers expected[MANY_KINDS] = {{.count = 0}};
    REQUIRE(many_scene_open(&s));
    many_scene_expect(&s, expected);
    many_scene_check(&s, NULL, expected, "no pool");
    for (uint32_t threads = 1; threads <= 8; threads += test_amount(1, threads < 2 ? 1 : 3)) {
        graze_pool *pool = NULL;
        char name[32];
        snprintf(name, sizeof name, "%u threads", threads);
        CHECK(!graze_pool_create(threads, NULL, &pool, NULL));
        for (uint32_t round = 0; round < test_amount(3, 1); round++)
            many_scene_check(&s, pool, expected, name);
        graze_pool_destroy(pool);
    }
    many_free_answers(expected);
    many_scene_close(&s);
}

TEST(any_job_system_gives_the_answers_of_one_thread)
{
    static test_jobs jobs;
    many_scene s;
    answers expected[MANY_KINDS] = {{.count = 0}};
    REQUIRE(many_scene_open(&s));
    many_scene_expect(&s, expected);
    for (int way = 0; way < JOB_WAYS; way++) {
        graze_pool *pool = NULL;
        test_jobs_open(&jobs, (job_way)way, 2 + (uint32_t)way, 3);
        graze_job_system system = test_jobs_system(&jobs);
        CHECK(!graze_pool_create_from_jobs(&system, NULL, &pool, NULL));
        many_scene_check(&s, pool, expected, test_jobs_name((job_way)way));
        graze_pool_destroy(pool);
        test_jobs_close(&jobs);
    }
    many_free_answers(expected);
    many_scene_close(&s);
}

/* The plainest use of a pool: anything, of bodies that the caller shares. */
typedef struct each_scene {
    many_scene *s;
    graze_contacts *finders[8][MANY_PAIRS];
    uint64_t hashes[MANY_PAIRS], expected[MANY_PAIRS];
} each_scene;

static void find_one(void *user, size_t item, uint32_t thread)
{
    each_scene *e = user;
    graze_contacts *finder = e->finders[thread][item];
    const graze_body_pair *pair = &e->s->pairs[item];
    if (graze_contacts_find(finder, pair->a, pair->b, NULL, NULL))
        abort();
    e->hashes[item] = many_hash_contacts(finder);
}

TEST(a_pool_does_anything_with_shared_bodies)
{
    static each_scene e;
    many_scene s;
    graze_pool *pool = NULL;
    REQUIRE(many_scene_open(&s) && !graze_pool_create(8, NULL, &pool, NULL));
    e.s = &s;
    for (size_t i = 0; i < MANY_PAIRS; i++) {
        graze_body_pair pair = s.pairs[i];
        CHECK(!graze_contacts_find(s.finders[i], pair.a, pair.b, NULL, NULL));
        e.expected[i] = many_hash_contacts(s.finders[i]);
        for (int t = 0; t < 8; t++)
            CHECK(!graze_contacts_create(graze_body_model(pair.a), graze_body_model(pair.b), NULL,
                                         &e.finders[t][i], NULL));
    }
    for (uint32_t round = 0; round < test_amount(10, 3); round++) {
        many_scene_drop_caches(&s);
        memset(e.hashes, 0, sizeof e.hashes);
        for (int i = 0; i < MANY_BODIES; i++)
            CHECK(!graze_body_share(s.all.bodies[i], NULL));
        CHECK(!graze_pool_for_each(pool, MANY_PAIRS, find_one, &e, NULL));
        for (int i = 0; i < MANY_BODIES; i++)
            CHECK(!graze_body_unshare(s.all.bodies[i], NULL));
        CHECK(memcmp(e.hashes, e.expected, sizeof e.hashes) == 0);
    }
    for (size_t i = 0; i < MANY_PAIRS; i++)
        for (int t = 0; t < 8; t++)
            graze_contacts_destroy(e.finders[t][i]);
    graze_pool_destroy(pool);
    many_scene_close(&s);
}

/* ---- callbacks ------------------------------------------------------------------------------- */

TEST(a_receiver_can_stop)
{
    many_scene s;
    graze_pool *pool = NULL;
    answers expected[MANY_KINDS] = {{.count = 0}};
    REQUIRE(many_scene_open(&s) && !graze_pool_create(4, NULL, &pool, NULL));
    many_scene_expect(&s, expected);
    for (int k = 0; k < MANY_KINDS; k++)
        for (s.stop = 1; many_kinds[k].reports && s.stop < 5; s.stop++) {
            answers found = {.count = 0};
            s.to = &found;
            s.calls = 0;
            many_scene_drop_caches(&s);
            CHECK(!many_kinds[k].many(&s, s.stop % 2 ? pool : NULL, NULL, NULL));
            CHECK_MSG(s.calls == s.stop, "%s: %u calls, stopped at %u", many_kinds[k].name, s.calls,
                      s.stop);
            for (size_t i = 0; i < found.count; i++)
                CHECK(answers_have(&expected[k], found.words + i * found.width, found.width));
            answers_free(&found);
        }
    s.stop = 0;
    many_scene_check(&s, pool, expected, "after a stop");
    many_free_answers(expected);
    graze_pool_destroy(pool);
    many_scene_close(&s);
}
