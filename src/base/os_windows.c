#include "base/os.h"

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <malloc.h>
#include <process.h>
#include <windows.h>

_Static_assert(sizeof(SRWLOCK) == sizeof(void *) && sizeof(CONDITION_VARIABLE) == sizeof(void *) &&
                   sizeof(HANDLE) == sizeof(void *),
               "grazei_os_lock has room for a pointer each");

void *grazei_os_allocate(size_t size, size_t alignment)
{
    return _aligned_malloc(size, alignment);
}

void grazei_os_release(void *memory)
{
    _aligned_free(memory);
}

bool grazei_os_lock_create(grazei_os_lock *lock)
{
    InitializeSRWLock((SRWLOCK *)&lock->lock);
    InitializeConditionVariable((CONDITION_VARIABLE *)&lock->condition);
    return true;
}

void grazei_os_lock_destroy(grazei_os_lock *lock)
{
    (void)lock;
}

void grazei_os_lock_take(grazei_os_lock *lock)
{
    AcquireSRWLockExclusive((SRWLOCK *)&lock->lock);
}

void grazei_os_lock_release(grazei_os_lock *lock)
{
    ReleaseSRWLockExclusive((SRWLOCK *)&lock->lock);
}

void grazei_os_sleep(grazei_os_lock *lock)
{
    SleepConditionVariableSRW((CONDITION_VARIABLE *)&lock->condition, (SRWLOCK *)&lock->lock,
                              INFINITE, 0);
}

void grazei_os_wake_all(grazei_os_lock *lock)
{
    WakeAllConditionVariable((CONDITION_VARIABLE *)&lock->condition);
}

static unsigned __stdcall enter(void *memory)
{
    grazei_os_thread *thread = memory;
    thread->run(thread->data);
    return 0;
}

bool grazei_os_thread_start(grazei_os_thread *thread, void (*run)(void *data), void *data)
{
    thread->run = run;
    thread->data = data;
    /* with the C library's own call, so that it knows of the thread */
    thread->handle = (void *)_beginthreadex(NULL, 1 << 20, enter, thread,
                                            STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    return thread->handle != NULL;
}

void grazei_os_thread_wait(grazei_os_thread *thread)
{
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
}

void grazei_os_yield(void)
{
    SwitchToThread();
}

#else

typedef int grazei_os_nothing; /* a file in C is not empty */

#endif
