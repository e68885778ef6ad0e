/* Job systems of the sort that a caller may have, and of sorts that none should: each runs tasks at
 * another time and on other threads. All notice whether they are used as graze/pool.h says.
 */
#ifndef GRAZE_TESTS_SUPPORT_JOBS_H
#define GRAZE_TESTS_SUPPORT_JOBS_H

#include "harness.h"

#include <graze/pool.h>

#include <pthread.h>

typedef enum job_way {
    JOBS_AT_ONCE,         /* within enqueue, which says so */
    JOBS_AT_ONCE_QUIETLY, /* the same with a handle all the same */
    JOBS_AT_FINISH,       /* not before they are waited for */
    JOBS_BACKWARDS,       /* the first wait runs all, the last one first */
    JOBS_THREADS,         /* a thread each */
    JOBS_LATE_THREADS,    /* a thread each, which starts late */
    JOBS_WORKERS,         /* some threads that take them from a queue */
    JOBS_HELPFUL,         /* the same, and who waits runs others, the last one first */
    JOBS_DROPPED,         /* never */
    JOBS_MIXED,           /* each another of the first six, or never */
    JOB_WAYS
} job_way;

enum { MAX_JOBS = 256, MAX_JOB_WORKERS = 8 };

/* A task on its way. */
typedef struct test_job {
    struct test_jobs *jobs;
    graze_task_fn task;
    void *context;
    job_way way;
    bool has_thread, begun, done, finished;
    pthread_t thread;
} test_job;

typedef struct test_jobs {
    job_way way;
    uint32_t said, worker_count;
    test_random random;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t caller, workers[MAX_JOB_WORKERS];
    bool ending;
    test_job list[MAX_JOBS];
    uint32_t count; /* of the call under way */
    uint64_t tasks; /* of all calls so far */
    uint32_t misuses;
} test_jobs;

/* A job system that says it has so many threads. workers: of JOBS_WORKERS and JOBS_HELPFUL. */
void test_jobs_open(test_jobs *jobs, job_way way, uint32_t said, uint32_t workers);
graze_job_system test_jobs_system(test_jobs *jobs);
const char *test_jobs_name(job_way way);

/* Ends its threads. Every task was run as it should be and waited for once, else failures. */
void test_jobs_close(test_jobs *jobs);

#endif
