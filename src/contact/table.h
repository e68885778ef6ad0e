/* A hash table of numbers: what they stand for is compared by the caller, who knows where it is.
 *
 *     for (slot = grazei_table_start(&table, hash); table.slots[slot] != GRAZEI_TABLE_FREE;
 *          slot = grazei_table_next(&table, slot))
 *         if (stands_for(table.slots[slot]) == wanted)
 *             ...
 */
#ifndef GRAZEI_CONTACT_TABLE_H
#define GRAZEI_CONTACT_TABLE_H

#include "base/assert.h"
#include "base/memory.h"

#include <string.h>

#define GRAZEI_TABLE_FREE UINT32_MAX

typedef struct grazei_table {
    uint32_t *slots;
    size_t capacity;
    size_t mask; /* slots in use, less one */
} grazei_table;

/* Empties the table and makes room for `count` numbers. False when out of memory. */
static inline bool grazei_table_clear(grazei_table *table, const graze_allocator *allocator,
                                      size_t count)
{
    size_t slots = 16;
    while (slots < 2 * count)
        slots *= 2;
    if (slots > table->capacity) {
        uint32_t *larger = GRAZEI_ALLOCATE(allocator, slots, uint32_t);
        if (!larger)
            return false;
        grazei_release(allocator, table->slots);
        table->slots = larger;
        table->capacity = slots;
    }
    GRAZE_ASSERT((slots & (slots - 1)) == 0 && slots >= 2 * count);
    table->mask = slots - 1;
    memset(table->slots, 0xff, slots * sizeof *table->slots);
    return true;
}

static inline uint64_t grazei_hash_two(uint32_t a, uint32_t b)
{
    uint64_t hash = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static inline size_t grazei_table_start(const grazei_table *table, uint64_t hash)
{
    return (size_t)(hash >> 8) & table->mask;
}

static inline size_t grazei_table_next(const grazei_table *table, size_t slot)
{
    return (slot + 1) & table->mask;
}

#endif
