/* Threads: a pool of them, a lock for short moments, and marks on what several may need and one
 * should make. Where there are no threads a pool is its caller.
 */
#ifndef GRAZEI_BASE_THREADS_H
#define GRAZEI_BASE_THREADS_H

#include "base/assert.h"
#include <graze/pool.h>

#include <stdatomic.h>

#define GRAZEI_MAX_THREADS 256

/* What there is to do (base/ranges.h). */
typedef struct grazei_ranges grazei_ranges;

typedef void (*grazei_task_fn)(void *data, grazei_ranges *ranges, uint32_t thread);

/* Runs a job of `count` things: calls task(data, ranges, thread) on the caller, as thread 0, and on
 * every thread of the pool that joins before the caller is done. A task must not count on others
 * joining, nor on the order in which they do. Tasks that run at the same time have different
 * numbers below graze_pool_threads(), and a thread of ours has the same one in every job. Returns
 * when all have returned. split: threads can be of use to each other within one thing; else there
 * need not be more of them than things. pool NULL, or busy: the caller alone. Nothing to do: task
 * is not called.
 */
void grazei_pool_run(graze_pool *pool, size_t count, bool split, grazei_task_fn task, void *data);

/* One more round of waiting for what another thread will do within a microsecond, or, if it was
 * interrupted, not so soon. *rounds starts at 0.
 */
void grazei_wait(uint32_t *rounds);

/* Held for short moments only. All zero: free. */
typedef struct grazei_lock {
    atomic_uint held;
} grazei_lock;

static inline void grazei_lock_take(grazei_lock *lock)
{
    uint32_t rounds = 0;
    while (atomic_exchange_explicit(&lock->held, 1, memory_order_acquire))
        do
            grazei_wait(&rounds);
        while (atomic_load_explicit(&lock->held, memory_order_relaxed));
}

static inline void grazei_lock_release(grazei_lock *lock)
{
    GRAZE_ASSERT(atomic_load_explicit(&lock->held, memory_order_relaxed));
    atomic_store_explicit(&lock->held, 0, memory_order_release);
}

/* A mark goes from anything to `busy`, an even number, while one thread makes what it stands for,
 * and to busy + 1 when that is there.
 */
static inline bool grazei_mark_is_set(const atomic_uint *mark, uint32_t busy)
{
    return atomic_load_explicit(mark, memory_order_acquire) == busy + 1;
}

/* True: the caller makes it, then sets the mark. False: it is there, if need be after a wait. */
bool grazei_mark_claim(atomic_uint *mark, uint32_t busy);

static inline void grazei_mark_set(atomic_uint *mark, uint32_t busy)
{
    GRAZE_ASSERT(busy % 2 == 0);
    atomic_store_explicit(mark, busy + 1, memory_order_release);
}

#endif
