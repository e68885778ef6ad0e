#include "base/threads.h"

#include "base/memory.h"
#include "base/status.h"

#if !defined(__wasm__) || defined(__wasm_atomics__)
#define HAS_THREADS 1
#include <pthread.h>
#else
#define HAS_THREADS 0
#endif

void grazei_wait(uint32_t *rounds)
{
    ++*rounds;
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
#if HAS_THREADS
    /* Whoever is waited for may need this processor. */
    if (*rounds % 128 == 0)
        sched_yield();
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

#if HAS_THREADS

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
    pthread_mutex_t sleep_lock;
    pthread_cond_t wake;
    atomic_uint asleep;
    atomic_uint numbered; /* threads that have their number */
    pthread_t handles[GRAZEI_MAX_THREADS];
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
    pthread_mutex_lock(&pool->sleep_lock);
    atomic_fetch_add(&pool->asleep, 1);
    while (!has_job(pool, last))
        pthread_cond_wait(&pool->wake, &pool->sleep_lock);
    atomic_fetch_sub(&pool->asleep, 1);
    pthread_mutex_unlock(&pool->sleep_lock);
}

static void wake_threads(graze_pool *pool)
{
    if (!atomic_load(&pool->asleep))
        return;
    pthread_mutex_lock(&pool->sleep_lock);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->sleep_lock);
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

static void *run_thread(void *memory)
{
    graze_pool *pool = memory;
    uint32_t thread = 1 + atomic_fetch_add(&pool->numbered, 1), last_job = 0;
    for (;;) {
        wait_for_job(pool, last_job);
        if (atomic_load(&pool->ending))
            return NULL;
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
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes))
        return grazei_fail_memory(error);
    /* Queries keep what they work with on the stack, about a hundred kilobytes. */
    bool ok = !pthread_attr_setstacksize(&attributes, 1 << 20);
    while (ok && pool->started + 1 < pool->threads) {
        ok = !pthread_create(&pool->handles[pool->started], &attributes, run_thread, pool);
        pool->started += ok;
    }
    pthread_attr_destroy(&attributes);
    return ok ? GRAZE_OK
              : grazei_fail(error, GRAZE_OUT_OF_MEMORY, "thread %u of %u could not be started",
                            pool->started + 1, pool->threads);
}

static bool create_locks(graze_pool *pool)
{
    if (pthread_mutex_init(&pool->sleep_lock, NULL))
        return false;
    if (!pthread_cond_init(&pool->wake, NULL))
        return true;
    pthread_mutex_destroy(&pool->sleep_lock);
    return false;
}

/* Ends the threads that were started, and the locks. */
static void stop_threads(graze_pool *pool)
{
    atomic_store(&pool->ending, true);
    wake_threads(pool);
    for (uint32_t t = 0; t < pool->started; t++)
        pthread_join(pool->handles[t], NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->sleep_lock);
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
