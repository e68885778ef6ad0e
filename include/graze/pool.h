/* Threads that wait for work: ours, or those of the caller's job system. graze/threads.h asks
 * bodies with them.
 */
#ifndef GRAZE_POOL_H
#define GRAZE_POOL_H

#include <graze/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_pool graze_pool;

/* Makes a pool in which `threads` (1 to 256) work on a call, the calling one included; as many as
 * there are processors is a good number. allocator NULL: graze_default_allocator(). Between calls
 * the threads sleep, after some tens of microseconds in which they look out for the next one. Where
 * there are no threads (WebAssembly) any pool works on the caller alone. GRAZE_OUT_OF_MEMORY also
 * if the system gives no more threads.
 */
GRAZE_API graze_status graze_pool_create(uint32_t threads, const graze_allocator *allocator,
                                         graze_pool **pool, graze_error *error);

/* A piece of a call's work, for a job system: to be called once, with its context. */
typedef void (*graze_task_fn)(void *context);

/* A job system of the caller's. A call works on the calling thread, and gives the job system up to
 * threads - 1 tasks to work with it on others:
 *
 *     void *enqueue(void *user, graze_task_fn task, void *context)
 *     {
 *         return scheduler_add(user, task, context);
 *     }
 *
 *     void finish(void *user, void *handle)
 *     {
 *         scheduler_wait(user, handle);
 *     }
 *
 * Any way to run them will do. Tasks wait for no other to begin: a job system may run them at once
 * within enqueue, all on one thread, in any order, late, or not before finish. One that runs when
 * there is nothing left to do returns at once. They take less than 64 kB of stack, as queries do,
 * and wait for each other for moments only, so none may be put aside half way: a callback of theirs
 * does not wait for other jobs.
 */
typedef struct graze_job_system {
    /* Takes a task, to call task(context) once. Called by the thread that made the call. Returns
     * what finish knows it by; NULL: it has been run already, or never will be.
     */
    void *(*enqueue)(void *user, graze_task_fn task, void *context);

    /* Returns when the task has returned, if need be by running it. It may run others meanwhile.
     * Called once for every handle, by the same thread as enqueue, within the same call.
     */
    void (*finish)(void *user, void *handle);

    void *user;
    uint32_t threads; /* that work on a call, the calling one included: 1 to 256; best as many as
                         run tasks at the same time, but any number is right */
} graze_job_system;

/* Makes a pool that has no threads of its own but works with a job system's, which must stay until
 * the pool is gone; *jobs is copied. allocator NULL: graze_default_allocator(). GRAZE_BAD_INPUT if
 * a function is missing.
 */
GRAZE_API graze_status graze_pool_create_from_jobs(const graze_job_system *jobs,
                                                   const graze_allocator *allocator,
                                                   graze_pool **pool, graze_error *error);

/* Ends the threads and frees the pool, which must not be in use. NULL is fine. */
GRAZE_API void graze_pool_destroy(graze_pool *pool);

/* How many threads work on a call, the calling one included. 1 for NULL. */
GRAZE_API uint32_t graze_pool_threads(const graze_pool *pool);

/* Does one of many things. thread: a number below graze_pool_threads(); calls of one
 * graze_pool_for_each that run at the same time have different ones, so that each can use a place
 * of its own for what it works with.
 */
typedef void (*graze_item_fn)(void *user, size_t item, uint32_t thread);

/* Calls call(user, item, thread) once for every item from 0 to count - 1, from the threads of the
 * pool and the calling one, several at a time and in no particular order; returns when all have
 * returned. With bodies that are shared (graze_body_share) this asks anything of many at once:
 *
 *     static void look(void *user, size_t item, uint32_t thread)
 *     {
 *         scene *s = user;
 *         graze_contacts_find(s->finders[thread], s->pairs[item].a, s->pairs[item].b, ...);
 *     }
 *
 *     graze_pool_for_each(pool, s.pair_count, look, &s, &error);
 *
 * Items next to each other mostly go to the same thread. pool NULL, or serving another call
 * already: all on the calling thread, as thread 0. Allocates nothing.
 */
GRAZE_API graze_status graze_pool_for_each(graze_pool *pool, size_t count, graze_item_fn call,
                                           void *user, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
