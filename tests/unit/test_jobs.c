/* Pools of a caller's own job system: whatever it does with tasks, every thing is done once and
 * every answer is that of one thread.
 */
#include "harness.h"
#include "support/allocator.h"
#include "support/answers.h"
#include "support/jobs.h"
#include "support/own.h"
#include "support/soup_pair.h"

#include <stdatomic.h>
#include <string.h>

enum { ITEMS = 3000, MAX_NUMBERS = 256 };

typedef struct counted {
    atomic_uint done[ITEMS];
    atomic_uint inside[MAX_NUMBERS]; /* calls under way with this number */
    atomic_uint wrong;
    uint32_t threads;
    graze_pool *pool;
} counted;

/* A graze_item_fn. */
static void count_item(void *user, size_t item, uint32_t thread)
{
    counted *c = user;
    if (item >= ITEMS || thread >= c->threads || atomic_fetch_add(&c->inside[thread], 1))
        atomic_fetch_add(&c->wrong, 1);
    else
        atomic_fetch_add(&c->done[item], 1);
    atomic_fetch_sub(&c->inside[thread], 1);
}

static bool all_done_once(const counted *c, size_t count)
{
    for (size_t i = 0; i < ITEMS; i++)
        if (c->done[i] != (i < count))
            return false;
    return !c->wrong;
}

static void check_items(graze_pool *pool, size_t count, const char *name)
{
    static counted c;
    memset(&c, 0, sizeof c);
    c.threads = graze_pool_threads(pool);
    CHECK(!graze_pool_for_each(pool, count, count_item, &c, NULL));
    CHECK_MSG(all_done_once(&c, count), "%s: %zu things, not each of them once", name, count);
}

/* A batch of one pair of bodies, this way round and that. */
static void ask_batch(graze_pool *pool, const soup_pair *pair, answers *found)
{
    graze_body *couples[12][2];
    for (int i = 0; i < 12; i++)
        couples[i][i % 2] = pair->a, couples[i][1 - i % 2] = pair->b;
    CHECK(!answers_of_couples(pool, couples, 12, found, NULL, NULL));
    CHECK(answers_sort(found));
}

static void check_pairs(graze_pool *pool, const soup_pair *pair, const answers *expected,
                        const char *name)
{
    OWN(answers) found = {.count = 0};
    graze_body_drop_caches(pair->a);
    graze_body_drop_caches(pair->b);
    ask_batch(pool, pair, &found);
    CHECK_MSG(answers_equal(&found, expected, NULL), "%s: other pairs than one thread finds", name);
}

/* Numbers of threads that are said, with fewer, as many or more that there are. */
static const uint32_t sizes[][2] = {{2, 1}, {2, 8}, {4, 4}, {9, 2}, {64, 3}, {256, 8}, {1, 4}};

TEST(any_job_system_will_do)
{
    static test_jobs jobs;
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    OWN(answers) expected = {.count = 0};
    uint64_t tasks = 0;
    ask_batch(NULL, &pair, &expected);
    CHECK(expected.count > 100);
    for (int way = 0; way < JOB_WAYS; way++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            graze_pool *pool = NULL;
            char name[80];
            bool threads = way == JOBS_THREADS || way == JOBS_LATE_THREADS || way == JOBS_MIXED;
            uint32_t said = threads && sizes[s][0] > 9 ? 9 : sizes[s][0];
            snprintf(name, sizeof name, "jobs run %s, %u threads said",
                     test_jobs_name((job_way)way), said);
            test_jobs_open(&jobs, (job_way)way, said, sizes[s][1]);
            graze_job_system system = test_jobs_system(&jobs);
            CHECK(!graze_pool_create_from_jobs(&system, NULL, &pool, NULL));
            memset(&system, 0, sizeof system); /* it is copied */
            CHECK(graze_pool_threads(pool) == said);
            for (int round = 0; round < 3; round++) {
                const size_t counts[] = {0, 1, 2, 7, 300, ITEMS};
                for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                    check_items(pool, counts[i], name);
                check_pairs(pool, &pair, &expected, name);
            }
            graze_pool_destroy(pool);
            tasks += jobs.tasks;
            CHECK_MSG((jobs.tasks > 0) == (said > 1), "%s: %llu tasks", name,
                      (unsigned long long)jobs.tasks);
            test_jobs_close(&jobs);
        }
    printf("     %llu tasks\n", (unsigned long long)tasks);
}

/* No more tasks than things to do, and none for what one thread does. */
TEST(tasks_are_few_where_there_is_little_to_do)
{
    static test_jobs jobs;
    OWN(graze_pool) *pool = NULL;
    test_jobs_open(&jobs, JOBS_AT_FINISH, 16, 0);
    graze_job_system system = test_jobs_system(&jobs);
    CHECK(!graze_pool_create_from_jobs(&system, NULL, &pool, NULL));
    for (uint32_t count = 0; count < 40; count++) {
        uint64_t before = jobs.tasks, wanted = count < 2 ? 0 : count < 16 ? count - 1 : 15;
        check_items(pool, count, "few");
        CHECK_MSG(jobs.tasks - before == wanted, "%u things: %llu tasks", count,
                  (unsigned long long)(jobs.tasks - before));
    }
    test_jobs_close(&jobs);
}

/* A graze_item_fn that uses the pool it is called by, which then serves nobody else. */
static void go_deeper(void *user, size_t item, uint32_t thread)
{
    counted *c = user;
    counted inner = {.threads = 1, .pool = NULL};
    (void)thread;
    if (graze_pool_for_each(c->pool, 50, count_item, &inner, NULL) || !all_done_once(&inner, 50))
        atomic_fetch_add(&c->wrong, 1);
    atomic_fetch_add(&c->done[item], 1);
}

TEST(a_pool_may_be_used_within_its_own_tasks)
{
    static test_jobs jobs;
    static counted c;
    const job_way ways[] = {JOBS_AT_ONCE, JOBS_AT_FINISH, JOBS_THREADS, JOBS_HELPFUL};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        memset(&c, 0, sizeof c);
        test_jobs_open(&jobs, ways[w], 4, 3);
        graze_job_system system = test_jobs_system(&jobs);
        CHECK(!graze_pool_create_from_jobs(&system, NULL, &c.pool, NULL));
        CHECK(!graze_pool_for_each(c.pool, 20, go_deeper, &c, NULL));
        CHECK_MSG(all_done_once(&c, 20), "jobs run %s", test_jobs_name(ways[w]));
        graze_pool_destroy(c.pool);
        test_jobs_close(&jobs);
    }
}

TEST(bad_input_is_refused)
{
    static test_jobs jobs;
    test_memory memory = {.fail_at = 1};
    graze_allocator allocator = test_memory_allocator(&memory);
    graze_error error = {.text = ""};
    graze_pool *pool = NULL;
    test_jobs_open(&jobs, JOBS_AT_ONCE, 4, 0);
    const graze_job_system good = test_jobs_system(&jobs);
    graze_job_system bad[4] = {good, good, good, good};
    const char *const words[4] = {"enqueue", "finish", "0 threads", "257 threads"};
    bad[0].enqueue = NULL;
    bad[1].finish = NULL;
    bad[2].threads = 0;
    bad[3].threads = 257;
    for (int i = 0; i < 4; i++)
        CHECK_MSG(graze_pool_create_from_jobs(&bad[i], NULL, &pool, &error) == GRAZE_BAD_INPUT &&
                      strstr(error.text, words[i]) && !pool,
                  "%s: %s", words[i], error.text);
    CHECK(graze_pool_create_from_jobs(NULL, NULL, &pool, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_pool_create_from_jobs(&good, NULL, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_pool_create_from_jobs(&good, &allocator, &pool, &error) == GRAZE_OUT_OF_MEMORY);
    CHECK(!graze_pool_create_from_jobs(&good, &allocator, &pool, &error) && memory.alive == 1);
    CHECK(graze_pool_for_each(pool, 3, NULL, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(memory.calls == 2); /* and none for each call */
    graze_pool_destroy(pool);
    CHECK(memory.alive == 0 && !memory.misused);
    test_jobs_close(&jobs);
}
