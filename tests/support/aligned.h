/* Aligned memory, also where the C library has no aligned_alloc. */
#ifndef GRAZE_TESTS_SUPPORT_ALIGNED_H
#define GRAZE_TESTS_SUPPORT_ALIGNED_H

#include <graze/base.h>

/* As aligned_alloc, for alignments up to 64; given back by test_aligned_free. */
static inline void *test_aligned(size_t alignment, size_t size)
{
    graze_allocator memory = graze_default_allocator();
    return memory.allocate(memory.user, size, alignment);
}

/* NULL is fine. */
static inline void test_aligned_free(void *memory)
{
    graze_allocator from = graze_default_allocator();
    if (memory)
        from.release(from.user, memory);
}

#endif
