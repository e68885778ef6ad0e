/* Batches of every question about many bodies, over pools of threads and of job systems, give the
 * answers of brute force. (Pairs of triangles: test_threads.c; bodies that the caller shares:
 * test_ways.c.)
 */
#include "harness.h"
#include "support/allocator.h"
#include "support/jobs.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/ways.h"

#include <stdlib.h>
#include <string.h>

/* One batch with every question that can be in one, about the bodies of several scenes. */
typedef struct crowd {
    ways_scene *scenes[WAYS_KINDS];
    graze_batch *batch;
    ways_answer answers[WAYS_KINDS][ASK_COUNT];
    uint32_t numbers[WAYS_KINDS][ASK_COUNT]; /* in the batch, from 1; 0: it is not in it */
    bool inside;                             /* a callback is */
} crowd;

static void crowd_close(crowd *c)
{
    graze_batch_destroy(c->batch);
    for (int i = 0; i < WAYS_KINDS; i++) {
        for (int q = 0; q < ASK_COUNT; q++)
            ways_drop(&c->answers[i][q]);
        ways_close(c->scenes[i]);
    }
}

OWN_VALUE(crowd, crowd_close)

/* Would notice another callback at the same time. */
static void be_alone(void *user)
{
    bool *inside = user;
    CHECK(!*inside);
    *inside = true;
    *inside = false;
}

static bool is_any(int question)
{
    return question % 3 == 0;
}

/* Scenes whose finders use the allocator, if there is one. */
static bool is_short_of_memory(int scene)
{
    return scene == 0 || scene == 3;
}

static void crowd_open(crowd *c, const graze_allocator *allocator)
{
    uint32_t number = 0;
    CHECK(!graze_batch_create(NULL, &c->batch, NULL));
    for (int i = 0; i < WAYS_KINDS; i++) {
        ways_scene *s = c->scenes[i] = ways_open((uint32_t)i);
        ways_pose(s, (uint32_t)i, (uint32_t)i % 2);
        if (allocator && is_short_of_memory(i)) {
            const graze_contact_finder_def def = {.split_by_part = i % 2, .allocator = allocator};
            graze_contact_finder_destroy(s->usual.finder);
            CHECK(!graze_contact_finder_create(s->models[0], s->models[1], &def, &s->usual.finder,
                                               NULL));
        }
        for (int q = 0; q < ASK_COUNT; q++) {
            const graze_options options = {.any = is_any(q), .batch = c->batch};
            ways_answer *answer = &c->answers[i][q];
            size_t room = ways_reference(s, (ways_question)q, false)->count + 1;
            if (!ways_supports((ways_question)q, &options))
                continue;
            ways_begin(answer, (ways_question)q, q % 2 ? WAYS_CALLBACK : WAYS_ARRAY, room);
            answer->meanwhile = be_alone;
            answer->user = &c->inside;
            CHECK(!ways_ask(s, &s->usual, answer, &options, NULL));
            c->numbers[i][q] = number + 1;
            number += q == ASK_cast_many ? WAYS_RAYS : 1; /* each ray is a question */
        }
    }
}

/* Whether the answer of that question is right; of one that was stopped, what there is of it. */
static bool is_right(crowd *c, int i, int q)
{
    ways_answer *answer = &c->answers[i][q];
    const answers *all = ways_reference(c->scenes[i], (ways_question)q, false);
    ways_end(answer);
    bool ok = answer->stop ? answer->calls <= 1 && ways_are_all_in(&answer->found, all)
                           : ways_is_right(c->scenes[i], (ways_question)q,
                                           &(graze_options){.any = is_any(q)}, &answer->found);
    ways_reset(answer);
    return ok;
}

static void drop_caches(const crowd *c)
{
    for (int i = 0; i < 4 * WAYS_KINDS; i++)
        graze_body_drop_caches(c->scenes[i / 4]->usual.all[i % 4]);
}

/* Of cold bodies and of warm ones. */
static void crowd_check(crowd *c, graze_pool *pool, const char *name)
{
    drop_caches(c);
    for (int warm = 0; warm < 2; warm++) {
        CHECK(!graze_batch_run(c->batch, &(graze_options){.pool = pool}, NULL));
        for (int i = 0; i < WAYS_KINDS; i++)
            for (int q = 0; q < ASK_COUNT; q++)
                CHECK_MSG(!c->numbers[i][q] || is_right(c, i, q), "%s: %s, %s", name,
                          ways_rows[q].name, c->scenes[i]->name);
    }
}

TEST(any_number_of_threads_gives_the_right_answers)
{
    OWN(crowd) c = {0};
    crowd_open(&c, NULL);
    crowd_check(&c, NULL, "no pool");
    for (uint32_t threads = 1; threads <= 8; threads += test_amount(1, threads < 2 ? 1 : 3)) {
        OWN(graze_pool) *pool = NULL;
        char name[32];
        snprintf(name, sizeof name, "%u threads", threads);
        CHECK(!graze_pool_create(threads, NULL, &pool, NULL));
        for (uint32_t round = 0; round < test_amount(3, 1); round++)
            crowd_check(&c, pool, name);
    }
}

TEST(any_job_system_gives_the_right_answers)
{
    static test_jobs jobs;
    OWN(crowd) c = {0};
    crowd_open(&c, NULL);
    for (int way = 0; way < JOB_WAYS; way++) {
        graze_pool *pool = NULL;
        test_jobs_open(&jobs, (job_way)way, 2 + (uint32_t)way, 3);
        graze_job_system system = test_jobs_system(&jobs);
        CHECK(!graze_pool_create_from_jobs(&system, NULL, &pool, NULL));
        crowd_check(&c, pool, test_jobs_name((job_way)way));
        graze_pool_destroy(pool);
        test_jobs_close(&jobs);
    }
}

TEST(a_receiver_stops_its_own_question)
{
    OWN(crowd) c = {0};
    OWN(graze_pool) *pool = NULL;
    crowd_open(&c, NULL);
    CHECK(!graze_pool_create(4, NULL, &pool, NULL));
    for (int round = 0; round < 4; round++) {
        for (int k = 0; k < WAYS_KINDS * ASK_COUNT; k++) {
            ways_answer *answer = &c.answers[k / ASK_COUNT][k % ASK_COUNT];
            answer->stop = !ways_rows[k % ASK_COUNT].singles && answer->list.pairs.report &&
                           round < 3 && k % 3 == round;
        }
        crowd_check(&c, round % 2 ? pool : NULL, "some are stopped");
    }
}

/* ---- finders --------------------------------------------------------------------------------- */

/* Two pairs of bodies of the same models, so that a finder could serve both. */
TEST(a_finder_serves_one_question_only)
{
    ways_scene *s = ways_open(0);
    graze_error error = {.text = ""};
    graze_contact_list lists[2] = {{0}};
    ways_pose(s, 0, 0);
    for (int i = 0; i < 2; i++)
        CHECK(!graze_contacts(s->usual.finder, s->usual.all[i], s->usual.all[2 + i], &lists[i],
                              &(graze_options){.batch = s->batch}, NULL));
    CHECK(graze_batch_run(s->batch, NULL, &error) == GRAZE_BAD_INPUT &&
          strstr(error.text, "question 1: its finder"));
    CHECK(
        !graze_contacts(s->usual.finder, s->usual.all[0], s->usual.all[2], &lists[0], NULL, NULL));
    ways_close(s);
}

TEST(a_finder_without_memory_does_not_stop_the_others)
{
    test_memory memory = {.calls = 0};
    const graze_allocator allocator = test_memory_allocator(&memory);
    for (int round = 0; round < 2; round++) {
        OWN(crowd) c = {0};
        OWN(graze_pool) *pool = NULL;
        graze_error error = {.text = ""};
        char expected[32];
        CHECK(!graze_pool_create(4, NULL, &pool, NULL));
        crowd_open(&c, &allocator);
        drop_caches(&c);
        memory.fail_at = memory.calls + 1;
        memory.keeps_failing = true;
        snprintf(expected, sizeof expected, "question %u: ", c.numbers[0][ASK_contacts] - 1);
        CHECK(graze_batch_run(c.batch, &(graze_options){.pool = round ? pool : NULL}, &error) ==
                  GRAZE_OUT_OF_MEMORY &&
              error.status == GRAZE_OUT_OF_MEMORY);
        CHECK_MSG(strstr(error.text, expected) == error.text, "%s, not %s", error.text, expected);
        memory.fail_at = 0;
        memory.keeps_failing = false;
        for (int i = 0; i < WAYS_KINDS; i++)
            for (int q = 0; q < ASK_COUNT; q++)
                if (q == ASK_contacts && is_short_of_memory(i))
                    CHECK(!c.answers[i][q].list.contacts.count && !c.answers[i][q].calls);
                else
                    CHECK_MSG(!c.numbers[i][q] || is_right(&c, i, q), "%s", ways_rows[q].name);
    }
    CHECK(!memory.alive && !memory.misused);
}

TEST(nothing_is_asked_of_nothing)
{
    ways_scene *s = ways_open(0);
    graze_stats stats = {0};
    const graze_options options = {.stats = &stats};
    CHECK(!graze_batch_run(s->batch, &options, NULL));
    CHECK(!graze_cast_many(s->usual.all[0], NULL, 0, NULL, &options, NULL));
    CHECK(!stats.bound_tests && !stats.nodes_refit);
    ways_close(s);
}
