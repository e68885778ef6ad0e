/* Threads: a pool of Graze's own, or the caller's job system.
 *
 * A pool serves one call at a time. A second call on a busy pool runs on its own thread alone.
 *
 * Standing: stable.
 */
#ifndef GRAZE_POOL_H
#define GRAZE_POOL_H

#include <graze/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_pool graze_pool;

/* Makes a pool in which `threads` threads (1 to 256) work on a call, the calling one included. The
 * number of processors is a good choice. Between calls the threads sleep.
 *   - allocator NULL: graze_default_allocator(). *pool is set on success only.
 *   - GRAZE_OUT_OF_MEMORY also if the system gives no more threads.
 *   - Without threads (WebAssembly) every pool works on the calling thread.
 */
GRAZE_API graze_status graze_pool_create(uint32_t threads, const graze_allocator *allocator,
                                         graze_pool **pool, graze_error *error);

/* A piece of work for a job system: call it once, with its context. */
typedef void (*graze_task_fn)(void *context);

/* The caller's job system. A call works on the calling thread and hands up to threads - 1 tasks to
 * the job system.
 *
 * Any scheduler will do. No task waits for another to begin, so tasks may run at once inside
 * enqueue, all on one thread, in any order, late, or not before finish. A task that finds no work
 * left returns at once. Tasks need less than 96 kB of stack. They must not be suspended half way,
 * so callbacks of queries must not wait for other jobs.
 */
typedef struct graze_job_system {
    /* Takes a task, which will run once. Called by the thread that made the call. Returns a handle
     * for finish, or NULL if the task has run already or never will.
     */
    void *(*enqueue)(void *user, graze_task_fn task, void *context);

    /* Returns when the task has returned; may run this task or others meanwhile. Called once for
     * every handle, by the thread that called enqueue.
     */
    void (*finish)(void *user, void *handle);

    void *user;       /* passed to both */
    uint32_t threads; /* that work on a call, the calling one included: 1 to 256 */
    uintptr_t reserved[2];
} graze_job_system;

/* Makes a pool that works with the caller's job system, which must outlive it. *jobs is copied.
 *   - allocator NULL: graze_default_allocator(). *pool is set on success only.
 */
GRAZE_API graze_status graze_pool_create_from_jobs(const graze_job_system *jobs,
                                                   const graze_allocator *allocator,
                                                   graze_pool **pool, graze_error *error);

/* Ends the threads and frees the pool. NULL is fine. No call may be using it. */
GRAZE_API void graze_pool_destroy(graze_pool *pool);

/* Returns how many threads work on a call, the calling one included; 1 for NULL. */
GRAZE_API uint32_t graze_pool_threads(const graze_pool *pool);

/* Does one item. thread is below graze_pool_threads(); calls that run at the same time have
 * different numbers, so each can have its own scratch memory.
 */
typedef void (*graze_item_fn)(void *user, size_t item, uint32_t thread);

/* Calls call(user, item, thread) once for every item below count, on several threads and in any
 * order. Returns when all calls have returned. Share bodies that several items ask.
 *   - pool NULL or busy: all on the calling thread, which is thread 0.
 * Allocates nothing.
 */
GRAZE_API graze_status graze_pool_for_each(graze_pool *pool, size_t count, graze_item_fn call,
                                           void *user, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
