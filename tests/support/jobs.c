#include "support/jobs.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const names[JOB_WAYS] = {"at once",       "at once, with a handle",
                                            "at finish",     "at finish, backwards",
                                            "a thread each", "a late thread each",
                                            "workers",       "workers, and who waits helps",
                                            "never",         "mixed"};

const char *test_jobs_name(job_way way)
{
    return names[way];
}

/* ---- running --------------------------------------------------------------------------------- */

static void run(test_job *job)
{
    job->task(job->context);
    pthread_mutex_lock(&job->jobs->lock);
    job->done = true;
    pthread_cond_broadcast(&job->jobs->changed);
    pthread_mutex_unlock(&job->jobs->lock);
}

/* Under the lock: the first or last task that nobody has begun, which then is begun. */
static test_job *take(test_jobs *jobs, bool last)
{
    for (uint32_t i = 0; i < jobs->count; i++) {
        test_job *job = &jobs->list[last ? jobs->count - 1 - i : i];
        if (!job->begun) {
            job->begun = true;
            return job;
        }
    }
    return NULL;
}

static void *run_thread(void *data)
{
    test_job *job = data;
    if (job->way == JOBS_LATE_THREADS) {
        struct timespec pause = {0, 300000};
        nanosleep(&pause, NULL);
    }
    run(job);
    return NULL;
}

static void *run_worker(void *data)
{
    test_jobs *jobs = data;
    pthread_mutex_lock(&jobs->lock);
    while (!jobs->ending) {
        test_job *job = take(jobs, false);
        if (job) {
            pthread_mutex_unlock(&jobs->lock);
            run(job);
            pthread_mutex_lock(&jobs->lock);
        } else {
            pthread_cond_wait(&jobs->changed, &jobs->lock);
        }
    }
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

/* Runs what is not begun, the last one first, until this one is done. */
static void help(test_jobs *jobs, const test_job *until)
{
    pthread_mutex_lock(&jobs->lock);
    while (!until->done) {
        test_job *job = take(jobs, true);
        if (job) {
            pthread_mutex_unlock(&jobs->lock);
            run(job);
            pthread_mutex_lock(&jobs->lock);
        } else {
            pthread_cond_wait(&jobs->changed, &jobs->lock);
        }
    }
    pthread_mutex_unlock(&jobs->lock);
}

/* ---- the functions of a graze_job_system ----------------------------------------------------- */

static void start(test_job *job)
{
    switch (job->way) {
    case JOBS_AT_ONCE:
    case JOBS_AT_ONCE_QUIETLY:
        job->begun = true;
        run(job);
        break;
    case JOBS_THREADS:
    case JOBS_LATE_THREADS:
        job->begun = job->has_thread = true;
        if (pthread_create(&job->thread, NULL, run_thread, job))
            abort();
        break;
    default:
        break;
    }
}

/* The list is for the next call when all of this one are finished. */
static void set_finished(test_jobs *jobs, test_job *job)
{
    pthread_mutex_lock(&jobs->lock);
    jobs->misuses += job->finished || !pthread_equal(jobs->caller, pthread_self());
    job->finished = true;
    uint32_t left = 0;
    for (uint32_t i = 0; i < jobs->count; i++)
        left += !jobs->list[i].finished;
    if (!left)
        jobs->count = 0;
    pthread_mutex_unlock(&jobs->lock);
}

static void *enqueue(void *user, graze_task_fn task, void *context)
{
    test_jobs *jobs = user;
    pthread_mutex_lock(&jobs->lock);
    if (jobs->count == 0)
        jobs->caller = pthread_self();
    if (jobs->count == MAX_JOBS || !pthread_equal(jobs->caller, pthread_self()))
        abort();
    test_job *job = &jobs->list[jobs->count];
    *job = (test_job){.jobs = jobs, .task = task, .context = context, .way = jobs->way};
    if (jobs->way == JOBS_MIXED) {
        job->way = (job_way)(test_random_u32(&jobs->random) % 7);
        job->way = job->way == JOBS_WORKERS ? JOBS_DROPPED : job->way;
    }
    jobs->tasks++;
    /* What workers see is begun unless they are to take it. */
    job->begun = jobs->way == JOBS_MIXED;
    jobs->count++;
    pthread_cond_broadcast(&jobs->changed);
    pthread_mutex_unlock(&jobs->lock);
    start(job);
    if (job->way != JOBS_AT_ONCE && job->way != JOBS_DROPPED)
        return job;
    set_finished(jobs, job);
    return NULL;
}

static void finish(void *user, void *handle)
{
    test_jobs *jobs = user;
    test_job *job = handle;
    if (job->has_thread)
        pthread_join(job->thread, NULL);
    else if (job->way == JOBS_AT_FINISH || (job->way == JOBS_BACKWARDS && jobs->way == JOBS_MIXED))
        run(job);
    else if (job->way == JOBS_WORKERS) {
        pthread_mutex_lock(&jobs->lock);
        while (!job->done)
            pthread_cond_wait(&jobs->changed, &jobs->lock);
        pthread_mutex_unlock(&jobs->lock);
    } else if (job->way == JOBS_HELPFUL || !job->done)
        help(jobs, job);
    set_finished(jobs, job);
}

/* ---- life ------------------------------------------------------------------------------------ */

void test_jobs_open(test_jobs *jobs, job_way way, uint32_t said, uint32_t workers)
{
    memset(jobs, 0, sizeof *jobs);
    jobs->way = way;
    jobs->said = said;
    jobs->random = test_random_seed(77 + (uint64_t)way);
    if (pthread_mutex_init(&jobs->lock, NULL) || pthread_cond_init(&jobs->changed, NULL))
        abort();
    bool has_workers = way == JOBS_WORKERS || way == JOBS_HELPFUL;
    for (; has_workers && jobs->worker_count < workers; jobs->worker_count++)
        if (pthread_create(&jobs->workers[jobs->worker_count], NULL, run_worker, jobs))
            abort();
}

graze_job_system test_jobs_system(test_jobs *jobs)
{
    return (graze_job_system){
        .enqueue = enqueue, .finish = finish, .user = jobs, .threads = jobs->said};
}

void test_jobs_close(test_jobs *jobs)
{
    pthread_mutex_lock(&jobs->lock);
    jobs->ending = true;
    pthread_cond_broadcast(&jobs->changed);
    pthread_mutex_unlock(&jobs->lock);
    for (uint32_t i = 0; i < jobs->worker_count; i++)
        pthread_join(jobs->workers[i], NULL);
    CHECK_MSG(!jobs->misuses && !jobs->count, "jobs %s: %u misuses, %u tasks were not waited for",
              names[jobs->way], jobs->misuses, jobs->count);
    pthread_cond_destroy(&jobs->changed);
    pthread_mutex_destroy(&jobs->lock);
}
