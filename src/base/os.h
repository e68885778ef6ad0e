/* What the operating system gives: aligned memory, and, where it has them, threads and a place to
 * sleep. One file a system: os_posix.c, os_windows.c.
 */
#ifndef GRAZEI_BASE_OS_H
#define GRAZEI_BASE_OS_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__wasm__) && !defined(__wasm_atomics__)
#define GRAZEI_HAS_THREADS 0
#else
#define GRAZEI_HAS_THREADS 1
#endif

/* size bytes (> 0) aligned to alignment, a power of two; NULL when out of memory. */
void *grazei_os_allocate(size_t size, size_t alignment);
void grazei_os_release(void *memory);

#if GRAZEI_HAS_THREADS

#if defined(_WIN32)
/* An SRWLOCK, a CONDITION_VARIABLE and a HANDLE, which are a pointer each; so that windows.h stays
 * within os_windows.c.
 */
typedef struct grazei_os_lock {
    void *lock, *condition;
} grazei_os_lock;
typedef void *grazei_os_handle;
#else
#include <pthread.h>
typedef struct grazei_os_lock {
    pthread_mutex_t lock;
    pthread_cond_t condition;
} grazei_os_lock;
typedef pthread_t grazei_os_handle;
#endif

/* A lock with a condition to sleep on. */
bool grazei_os_lock_create(grazei_os_lock *lock); /* false: the system has no more */
void grazei_os_lock_destroy(grazei_os_lock *lock);
void grazei_os_lock_take(grazei_os_lock *lock);
void grazei_os_lock_release(grazei_os_lock *lock);
void grazei_os_sleep(grazei_os_lock *lock);    /* lets go of the lock meanwhile; may wake early */
void grazei_os_wake_all(grazei_os_lock *lock); /* with the lock taken */

/* A thread that runs run(data) on a stack of a megabyte. It stays where it is until it has been
 * waited for.
 */
typedef struct grazei_os_thread {
    grazei_os_handle handle;
    void (*run)(void *data);
    void *data;
} grazei_os_thread;

bool grazei_os_thread_start(grazei_os_thread *thread, void (*run)(void *data), void *data);
void grazei_os_thread_wait(grazei_os_thread *thread); /* until it has returned */

/* Lets another thread have this processor. */
void grazei_os_yield(void);

#endif

#endif
