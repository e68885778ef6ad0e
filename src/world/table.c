/* Linear probing, at most half full; a removal moves back what came to stand behind. */
#include "world/table.h"

#include "base/memory.h"

static size_t home_of(const grazei_table *table, uint64_t key)
{
    key ^= key >> 33;
    key *= 0xff51afd7ed558ccdull;
    key ^= key >> 33;
    return (size_t)key & (table->capacity - 1);
}

/* Where a key is, or would be put. */
static size_t place_of(const grazei_table *table, uint64_t key)
{
    size_t at = home_of(table, key);
    while (table->keys[at] && table->keys[at] != key)
        at = (at + 1) & (table->capacity - 1);
    return at;
}

uint32_t grazei_table_get(const grazei_table *table, uint64_t key)
{
    if (!table->capacity)
        return GRAZEI_NOT_THERE;
    size_t at = place_of(table, key);
    return table->keys[at] ? table->values[at] : GRAZEI_NOT_THERE;
}

bool grazei_table_reserve(const graze_allocator *allocator, grazei_table *table)
{
    if (2 * (table->count + 1) <= table->capacity)
        return true;
    grazei_table larger = {.capacity = table->capacity ? 2 * table->capacity : 16};
    larger.keys = GRAZEI_ALLOCATE_ZERO(allocator, larger.capacity, uint64_t);
    larger.values = GRAZEI_ALLOCATE(allocator, larger.capacity, uint32_t);
    if (!larger.keys || !larger.values) {
        grazei_table_release(allocator, &larger);
        return false;
    }
    for (size_t i = 0; i < table->capacity; i++)
        if (table->keys[i])
            grazei_table_put(&larger, table->keys[i], table->values[i]);
    grazei_table_release(allocator, table);
    *table = larger;
    return true;
}

void grazei_table_put(grazei_table *table, uint64_t key, uint32_t value)
{
    size_t at = place_of(table, key);
    table->keys[at] = key;
    table->values[at] = value;
    table->count++;
}

void grazei_table_remove(grazei_table *table, uint64_t key)
{
    if (grazei_table_get(table, key) == GRAZEI_NOT_THERE)
        return;
    size_t mask = table->capacity - 1, free = place_of(table, key), at = free;
    table->keys[free] = 0;
    table->count--;
    for (at = (at + 1) & mask; table->keys[at]; at = (at + 1) & mask) {
        /* It may move to the free place unless its home lies behind that. */
        size_t home = home_of(table, table->keys[at]);
        if (((at - home) & mask) < ((at - free) & mask))
            continue;
        table->keys[free] = table->keys[at];
        table->values[free] = table->values[at];
        table->keys[at] = 0;
        free = at;
    }
}

void grazei_table_release(const graze_allocator *allocator, grazei_table *table)
{
    grazei_release(allocator, table->keys);
    grazei_release(allocator, table->values);
    *table = (grazei_table){0};
}
