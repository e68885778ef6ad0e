/* A pool: threads of ours, or tasks in a job system of the caller's. */
#include "base/assert.h"
#include "base/memory.h"
#include "base/os.h"
#include "base/ranges.h"
#include "base/status.h"

static void run_alone(size_t count, grazei_task_fn task, void *data)
{
    grazei_ranges ranges;
    grazei_range all;
    if (!count)
        return;
    grazei_ranges_start(&ranges, &all, 1, count);
    task(data, &ranges, 0);
}

#if GRAZEI_HAS_THREADS

/* A pool runs one job after the other. Its state says which (the upper half goes up with every
 * one), whether threads may still join it, and how many have and not left. When the caller is done
 * it closes the job and waits for the others to leave: a thread that wakes up late is not waited
 * for, and a task that a job system runs late finds nothing to do.
 */
#define OPEN 0x8000u
#define JOINED(state) ((state) & (OPEN - 1))
#define JOB_NUMBER(state) ((state) >> 16)

/* Rounds that an idle thread looks for a job before it sleeps, some tens of microseconds. */
#define MAX_IDLE_ROUNDS 2048

/* A task in the caller's job system. */
typedef struct job_task {
    graze_pool *pool;
    uint32_t thread;
    void *handle; /* of the job system's, to wait for it with */
} job_task;

struct graze_pool {
    graze_allocator allocator;
    uint32_t threads; /* that work on a job, the caller among them */
    uint32_t started; /* of them, of ours */
    atomic_uint state;
    atomic_bool in_use;
    atomic_bool ending;
    grazei_task_fn task;
    void *data;
    grazei_ranges ranges;
    grazei_range of[GRAZEI_MAX_THREADS];

    /* Where the threads are the caller's: */
    graze_job_system jobs; /* without functions: they are ours */
    job_task tasks[GRAZEI_MAX_THREADS];

    /* Where they are ours: */
    grazei_os_lock sleep_lock;
    atomic_uint asleep;
    atomic_uint numbered; /* threads that have their number */
    grazei_os_thread others[GRAZEI_MAX_THREADS];
};

/* Whether there is a job other than the last one, or the pool ends. */
static bool has_job(graze_pool *pool, uint32_t last)
{
    uint32_t state = atomic_load(&pool->state);
    return atomic_load(&pool->ending) || (state & OPEN && JOB_NUMBER(state) != last);
}

static void wait_for_job(graze_pool *pool, uint32_t last)
{
    uint32_t rounds = 0;
    while (rounds < MAX_IDLE_ROUNDS && !has_job(pool, last))
        grazei_wait(&rounds);
    if (has_job(pool, last))
        return;
    grazei_os_lock_take(&pool->sleep_lock);
    atomic_fetch_add(&pool->asleep, 1);
    while (!has_job(pool, last))
        grazei_os_sleep(&pool->sleep_lock);
    atomic_fetch_sub(&pool->asleep, 1);
    grazei_os_lock_release(&pool->sleep_lock);
}

static void wake_threads(graze_pool *pool)
{
    if (!atomic_load(&pool->asleep))
        return;
    grazei_os_lock_take(&pool->sleep_lock);
    grazei_os_wake_all(&pool->sleep_lock);
    grazei_os_lock_release(&pool->sleep_lock);
}

/* Joins the job that is open, if any. */
static bool join_job(graze_pool *pool, uint32_t *number)
{
    uint32_t state = atomic_load(&pool->state);
    while (state & OPEN)
        if (atomic_compare_exchange_weak(&pool->state, &state, state + 1)) {
            *number = JOB_NUMBER(state);
            return true;
        }
    return false;
}

static void run_thread(void *memory)
{
    graze_pool *pool = memory;
    uint32_t thread = 1 + atomic_fetch_add(&pool->numbered, 1), last_job = 0;
    GRAZE_ASSERT(thread < pool->threads);
    for (;;) {
        wait_for_job(pool, last_job);
        if (atomic_load(&pool->ending))
            return;
        if (join_job(pool, &last_job)) {
            pool->task(pool->data, &pool->ranges, thread);
            atomic_fetch_sub(&pool->state, 1);
        }
    }
}

/* A graze_task_fn. */
static void run_task(void *memory)
{
    const job_task *task = memory;
    GRAZE_ASSERT(task->thread > 0 && task->thread < task->pool->threads);
    graze_pool *pool = task->pool;
    uint32_t job;
    if (!join_job(pool, &job))
        return;
    pool->task(pool->data, &pool->ranges, task->thread);
    atomic_fetch_sub(&pool->state, 1);
}

static void enqueue_tasks(graze_pool *pool, uint32_t wanted)
{
    for (uint32_t t = 1; t < wanted; t++) {
        job_task *task = &pool->tasks[t];
        task->pool = pool;
        task->thread = t;
        task->handle = pool->jobs.enqueue(pool->jobs.user, run_task, task);
    }
}

static void finish_tasks(graze_pool *pool, uint32_t wanted)
{
    for (uint32_t t = 1; t < wanted; t++)
        if (pool->tasks[t].handle)
            pool->jobs.finish(pool->jobs.user, pool->tasks[t].handle);
}

void grazei_pool_run(graze_pool *pool, size_t count, bool split, grazei_task_fn task, void *data)
{
    uint32_t rounds = 0, wanted = graze_pool_threads(pool);
    if (!split && count < wanted)
        wanted = (uint32_t)count;
    if (!count || wanted < 2 || atomic_exchange(&pool->in_use, true)) {
        run_alone(count, task, data);
        return;
    }
    pool->task = task;
    pool->data = data;
    GRAZE_ASSERT(JOINED(atomic_load(&pool->state)) == 0);
    GRAZE_ASSERT(wanted <= pool->threads && pool->threads <= GRAZEI_MAX_THREADS);
    grazei_ranges_start(&pool->ranges, pool->of, pool->threads, count);
    uint32_t number = (JOB_NUMBER(atomic_load(&pool->state)) + 1) & 0xffff;
    atomic_store(&pool->state, number << 16 | OPEN);
    if (pool->jobs.enqueue)
        enqueue_tasks(pool, wanted);
    else
        wake_threads(pool);
    task(data, &pool->ranges, 0);
    atomic_fetch_and(&pool->state, ~OPEN);
    if (pool->jobs.enqueue)
        finish_tasks(pool, wanted);
    while (JOINED(atomic_load(&pool->state)))
        grazei_wait(&rounds);
    GRAZE_ASSERT(!(atomic_load(&pool->state) & OPEN));
    atomic_store(&pool->in_use, false);
}

static graze_status start_threads(graze_pool *pool, graze_error *error)
{
    while (pool->started + 1 < pool->threads) {
        if (!grazei_os_thread_start(&pool->others[pool->started], run_thread, pool))
            return grazei_fail(error, GRAZE_OUT_OF_MEMORY, "thread %u of %u could not be started",
                               pool->started + 1, pool->threads);
        pool->started++;
    }
    return GRAZE_OK;
}

static bool create_locks(graze_pool *pool)
{
    return grazei_os_lock_create(&pool->sleep_lock);
}

/* Ends the threads that were started, and the locks. */
static void stop_threads(graze_pool *pool)
{
    atomic_store(&pool->ending, true);
    wake_threads(pool);
    for (uint32_t t = 0; t < pool->started; t++)
        grazei_os_thread_wait(&pool->others[t]);
    grazei_os_lock_destroy(&pool->sleep_lock);
}

#else

struct graze_pool {
    graze_allocator allocator;
    uint32_t threads;
    graze_job_system jobs;
};

void grazei_pool_run(graze_pool *pool, size_t count, bool split, grazei_task_fn task, void *data)
{
    (void)pool;
    (void)split;
    run_alone(count, task, data);
}

static bool create_locks(graze_pool *pool)
{
    pool->threads = 1;
    return true;
}

static graze_status start_threads(graze_pool *pool, graze_error *error)
{
    (void)pool;
    (void)error;
    return GRAZE_OK;
}

static void stop_threads(graze_pool *pool)
{
    (void)pool;
}

#endif

/* jobs NULL: the threads are ours. */
static graze_status create(uint32_t threads, const graze_job_system *jobs,
                           const graze_allocator *allocator, graze_pool **pool, graze_error *error)
{
    if (threads < 1 || threads > GRAZEI_MAX_THREADS)
        return grazei_fail(error, GRAZE_BAD_INPUT, "a pool of %u threads: 1 to %d are possible",
                           threads, GRAZEI_MAX_THREADS);
    graze_status status = grazei_check_pointer(pool, "where the pool goes", error);
    if (status)
        return status;
    graze_allocator used = allocator ? *allocator : graze_default_allocator();
    graze_pool *made = GRAZEI_ALLOCATE_ZERO(&used, 1, graze_pool);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = used;
    made->threads = threads;
    made->jobs = jobs ? *jobs : (graze_job_system){0};
    if (!create_locks(made)) {
        grazei_release(&used, made);
        return grazei_fail_memory(error);
    }
    status = jobs ? GRAZE_OK : start_threads(made, error);
    if (status)
        graze_pool_destroy(made);
    else
        *pool = made;
    return status;
}

graze_status graze_pool_create(uint32_t threads, const graze_allocator *allocator,
                               graze_pool **pool, graze_error *error)
{
    return create(threads, NULL, allocator, pool, error);
}

graze_status graze_pool_create_from_jobs(const graze_job_system *jobs,
                                         const graze_allocator *allocator, graze_pool **pool,
                                         graze_error *error)
{
    graze_status status = grazei_check_pointer(jobs, "the job system", error);
    if (status)
        return status;
    if (!jobs->enqueue || !jobs->finish)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the job system has no %s function",
                           jobs->enqueue ? "finish" : "enqueue");
    status = GRAZEI_CHECK_RESERVED(jobs, "the job system", error);
    return status ? status : create(jobs->threads, jobs, allocator, pool, error);
}

void graze_pool_destroy(graze_pool *pool)
{
    if (!pool)
        return;
    graze_allocator allocator = pool->allocator;
    stop_threads(pool);
    grazei_release(&allocator, pool);
}

uint32_t graze_pool_threads(const graze_pool *pool)
{
    return pool ? pool->threads : 1;
}
