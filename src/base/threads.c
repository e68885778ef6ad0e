#include "base/threads.h"

#include "base/memory.h"
#include "base/os.h"
#include "base/status.h"

void grazei_wait(uint32_t *rounds)
{
    ++*rounds;
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
#if GRAZEI_HAS_THREADS
    /* Whoever is waited for may need this processor. */
    if (*rounds % 128 == 0)
        grazei_os_yield();
#endif
}

bool grazei_mark_claim(atomic_uint *mark, uint32_t busy)
{
    uint32_t rounds = 0, seen = atomic_load_explicit(mark, memory_order_acquire);
    while (seen != busy + 1) {
        if (seen != busy) {
            if (atomic_compare_exchange_weak_explicit(mark, &seen, busy, memory_order_acquire,
                                                      memory_order_acquire))
                return true;
        } else {
            grazei_wait(&rounds);
            seen = atomic_load_explicit(mark, memory_order_acquire);
        }
    }
    return false;
}

#if GRAZEI_HAS_THREADS

/* A pool runs one job after the other. Its state says which (the upper half goes up with every
 * one), whether threads may still join it, and how many have and not left. When the caller is done
 * it closes the job and waits for the others to leave: a thread that wakes up late is not waited
 * for.
 */
#define OPEN 0x8000u
#define JOINED(state) ((state) & (OPEN - 1))
#define JOB_NUMBER(state) ((state) >> 16)

/* Rounds that an idle thread looks for a job before it sleeps, some tens of microseconds. */
#define MAX_IDLE_ROUNDS 2048

struct graze_pool {
    graze_allocator allocator;
    uint32_t threads; /* that work on a job, the caller among them */
    uint32_t started; /* of them, without the caller */
    atomic_uint state;
    atomic_bool in_use;
    atomic_bool ending;
    void (*task)(void *data, uint32_t thread);
    void *data;
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
    for (;;) {
        wait_for_job(pool, last_job);
        if (atomic_load(&pool->ending))
            return;
        if (join_job(pool, &last_job)) {
            pool->task(pool->data, thread);
            atomic_fetch_sub(&pool->state, 1);
        }
    }
}

void grazei_pool_run(graze_pool *pool, void (*task)(void *data, uint32_t thread), void *data)
{
    uint32_t rounds = 0;
    if (!pool || !pool->started || atomic_exchange(&pool->in_use, true)) {
        task(data, 0);
        return;
    }
    pool->task = task;
    pool->data = data;
    uint32_t number = (JOB_NUMBER(atomic_load(&pool->state)) + 1) & 0xffff;
    atomic_store(&pool->state, number << 16 | OPEN);
    wake_threads(pool);
    task(data, 0);
    atomic_fetch_and(&pool->state, ~OPEN);
    while (JOINED(atomic_load(&pool->state)))
        grazei_wait(&rounds);
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
};

void grazei_pool_run(graze_pool *pool, void (*task)(void *data, uint32_t thread), void *data)
{
    (void)pool;
    task(data, 0);
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

graze_status graze_pool_create(uint32_t threads, const graze_allocator *allocator,
                               graze_pool **pool, graze_error *error)
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
    if (!create_locks(made)) {
        grazei_release(&used, made);
        return grazei_fail_memory(error);
    }
    status = start_threads(made, error);
    if (status)
        graze_pool_destroy(made);
    else
        *pool = made;
    return status;
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
