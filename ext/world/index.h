/* From 64-bit keys to numbers, by open addressing: who is in a world already. */
#ifndef GRAZEI_WORLD_INDEX_H
#define GRAZEI_WORLD_INDEX_H

#include <graze/base.h>

/* All zero is an empty one. Room only grows. */
typedef struct grazei_index {
    uint64_t *keys; /* 0: free */
    uint32_t *values;
    size_t count, capacity; /* a power of two, or 0 */
} grazei_index;

#define GRAZEI_NOT_THERE UINT32_MAX

static inline uint64_t grazei_pointer_key(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

/* Keys are not 0. */
uint32_t grazei_index_get(const grazei_index *index, uint64_t key);

/* Makes room for one more; false when out of memory. */
bool grazei_index_reserve(const graze_allocator *allocator, grazei_index *index);

/* Puts in a key that is not there; there is room. */
void grazei_index_put(grazei_index *index, uint64_t key, uint32_t value);

/* Takes out a key; nothing happens if it is not there. */
void grazei_index_remove(grazei_index *index, uint64_t key);

void grazei_index_release(const graze_allocator *allocator, grazei_index *index);

#endif
