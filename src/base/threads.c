#include "base/threads.h"
#include "base/assert.h"

#include "base/os.h"

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
    GRAZE_ASSERT(busy % 2 == 0);
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
