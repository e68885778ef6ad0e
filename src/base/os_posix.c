#include "base/assert.h"
#include "base/os.h"

#if !defined(_WIN32)

#include <stdlib.h>

void *grazei_os_allocate(size_t size, size_t alignment)
{
    GRAZE_ASSERT(size > 0 && (alignment & (alignment - 1)) == 0);
    size_t rounded = (size + alignment - 1) & ~(alignment - 1);
    return rounded < size ? NULL : aligned_alloc(alignment, rounded);
}

void grazei_os_release(void *memory)
{
    free(memory);
}

#if GRAZEI_HAS_THREADS

bool grazei_os_lock_create(grazei_os_lock *lock)
{
    if (pthread_mutex_init(&lock->lock, NULL))
        return false;
    if (!pthread_cond_init(&lock->condition, NULL))
        return true;
    pthread_mutex_destroy(&lock->lock);
    return false;
}

void grazei_os_lock_destroy(grazei_os_lock *lock)
{
    pthread_cond_destroy(&lock->condition);
    pthread_mutex_destroy(&lock->lock);
}

void grazei_os_lock_take(grazei_os_lock *lock)
{
    pthread_mutex_lock(&lock->lock);
}

void grazei_os_lock_release(grazei_os_lock *lock)
{
    pthread_mutex_unlock(&lock->lock);
}

void grazei_os_sleep(grazei_os_lock *lock)
{
    pthread_cond_wait(&lock->condition, &lock->lock);
}

void grazei_os_wake_all(grazei_os_lock *lock)
{
    pthread_cond_broadcast(&lock->condition);
}

static void *enter(void *memory)
{
    grazei_os_thread *thread = memory;
    thread->run(thread->data);
    return NULL;
}

bool grazei_os_thread_start(grazei_os_thread *thread, void (*run)(void *data), void *data)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes))
        return false;
    thread->run = run;
    thread->data = data;
    bool ok = !pthread_attr_setstacksize(&attributes, 1 << 20) &&
              !pthread_create(&thread->handle, &attributes, enter, thread);
    pthread_attr_destroy(&attributes);
    return ok;
}

void grazei_os_thread_wait(grazei_os_thread *thread)
{
    pthread_join(thread->handle, NULL);
}

void grazei_os_yield(void)
{
    sched_yield();
}

#endif

#endif
