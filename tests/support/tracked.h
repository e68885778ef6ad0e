/* An allocator that counts what is not given back, and spoils what is, so that whoever reads it
 * gives himself away. Not for several threads at a time.
 */
#ifndef GRAZE_TESTS_SUPPORT_TRACKED_H
#define GRAZE_TESTS_SUPPORT_TRACKED_H

#include "support/aligned.h"

#include <graze/base.h>

#include <stdlib.h>
#include <string.h>

typedef struct tracked {
    int64_t alive; /* blocks */
    void *spoiled; /* blocks that were given back, each pointing to the next */
} tracked;

/* Before every block; as large as the largest alignment, so that the block is aligned too. */
typedef union tracked_head {
    struct {
        size_t size;
        void *next;
    } is;
    char room[64];
} tracked_head;

static inline void *tracked_allocate(void *user, size_t size, size_t alignment)
{
    tracked *state = user;
    size_t whole = (sizeof(tracked_head) + size + 63) & ~(size_t)63;
    tracked_head *head = test_aligned(64, whole);
    (void)alignment;
    if (!head)
        return NULL;
    head->is.size = size;
    state->alive++;
    return head + 1;
}

static inline void tracked_release(void *user, void *memory)
{
    tracked *state = user;
    tracked_head *head = (tracked_head *)memory - 1;
    memset(memory, 0xFF, head->is.size);
    head->is.next = state->spoiled;
    state->spoiled = head;
    state->alive--;
}

static inline graze_allocator tracked_allocator(tracked *state)
{
    graze_allocator allocator = {tracked_allocate, tracked_release, state};
    return allocator;
}

/* Frees the spoiled blocks. */
static inline void tracked_end(tracked *state)
{
    while (state->spoiled) {
        tracked_head *head = state->spoiled;
        state->spoiled = head->is.next;
        test_aligned_free(head);
    }
}

#endif
