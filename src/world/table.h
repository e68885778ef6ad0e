/* From 64-bit keys to numbers, by open addressing: who is in a world already. */
#ifndef GRAZEI_WORLD_TABLE_H
#define GRAZEI_WORLD_TABLE_H

#include <graze/base.h>

/* All zero is an empty one. Room only grows. */
typedef struct grazei_table {
    uint64_t *keys; /* 0: free */
    uint32_t *values;
    size_t count, capacity; /* a power of two, or 0 */
} grazei_table;

#define GRAZEI_NOT_THERE UINT32_MAX

static inline uint64_t grazei_pointer_key(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

/* Keys are not 0. */
uint32_t grazei_table_get(const grazei_table *table, uint64_t key);

/* Makes room for one more; false when out of memory. */
bool grazei_table_reserve(const graze_allocator *allocator, grazei_table *table);

/* Puts in a key that is not there; there is room. */
void grazei_table_put(grazei_table *table, uint64_t key, uint32_t value);

/* Takes out a key; nothing happens if it is not there. */
void grazei_table_remove(grazei_table *table, uint64_t key);

void grazei_table_release(const graze_allocator *allocator, grazei_table *table);

#endif
