/* An allocator that counts what is alive, fails when asked to, and notices misuse. */
#ifndef GRAZE_TESTS_SUPPORT_ALLOCATOR_H
#define GRAZE_TESTS_SUPPORT_ALLOCATOR_H

#include <graze/graze.h>

typedef struct test_memory {
    uint64_t calls;     /* allocations asked for */
    uint64_t alive;     /* blocks not yet released */
    uint64_t bytes;     /* in them */
    uint64_t fail_at;   /* the call that fails, counted from 1; 0: none */
    bool keeps_failing; /* and so do all after it */
    bool misused;       /* an odd size or alignment, a write beyond a block, NULL released */
} test_memory;

/* Hooks that use the memory. What is in a new block is no number. */
graze_allocator test_memory_allocator(test_memory *memory);

/* Makes something with the memory and destroys it, if it was made; about is the caller's. */
typedef graze_status (*test_maker)(const graze_allocator *allocator, void *about,
                                   graze_error *error);

/* Calls it as nothing fails, then for each of its allocations, or some `most` of them, as that one
 * fails: each call must say so, in a text, too, and leave nothing behind. Returns how many failed.
 */
uint64_t test_fail_each(test_memory *memory, test_maker make, void *about, uint64_t most);

#endif
