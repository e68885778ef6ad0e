/* Linear probing, at most half full; a removal moves back what came to stand behind. */
#include "world/index.h"

#include "base/assert.h"
#include "base/memory.h"

static size_t home_of(const grazei_index *index, uint64_t key)
{
    key ^= key >> 33;
    key *= 0xff51afd7ed558ccdull;
    key ^= key >> 33;
    return (size_t)key & (index->capacity - 1);
}

/* Where a key is, or would be put. */
static size_t place_of(const grazei_index *index, uint64_t key)
{
    size_t at = home_of(index, key);
    GRAZE_ASSERT(index->capacity && (index->capacity & (index->capacity - 1)) == 0);
    while (index->keys[at] && index->keys[at] != key)
        at = (at + 1) & (index->capacity - 1);
    return at;
}

uint32_t grazei_index_get(const grazei_index *index, uint64_t key)
{
    if (!index->capacity)
        return GRAZEI_NOT_THERE;
    size_t at = place_of(index, key);
    return index->keys[at] ? index->values[at] : GRAZEI_NOT_THERE;
}

bool grazei_index_reserve(const graze_allocator *allocator, grazei_index *index)
{
    if (2 * (index->count + 1) <= index->capacity)
        return true;
    grazei_index larger = {.capacity = index->capacity ? 2 * index->capacity : 16};
    larger.keys = GRAZEI_ALLOCATE_ZERO(allocator, larger.capacity, uint64_t);
    larger.values = GRAZEI_ALLOCATE(allocator, larger.capacity, uint32_t);
    if (!larger.keys || !larger.values) {
        grazei_index_release(allocator, &larger);
        return false;
    }
    for (size_t i = 0; i < index->capacity; i++)
        if (index->keys[i])
            grazei_index_put(&larger, index->keys[i], index->values[i]);
    grazei_index_release(allocator, index);
    *index = larger;
    return true;
}

void grazei_index_put(grazei_index *index, uint64_t key, uint32_t value)
{
    size_t at = place_of(index, key);
    GRAZE_ASSERT(key && !index->keys[at] && 2 * index->count < index->capacity);
    index->keys[at] = key;
    index->values[at] = value;
    index->count++;
}

void grazei_index_remove(grazei_index *index, uint64_t key)
{
    if (grazei_index_get(index, key) == GRAZEI_NOT_THERE)
        return;
    size_t mask = index->capacity - 1, free = place_of(index, key), at = free;
    index->keys[free] = 0;
    index->count--;
    for (at = (at + 1) & mask; index->keys[at]; at = (at + 1) & mask) {
        /* It may move to the free place unless its home lies behind that. */
        size_t home = home_of(index, index->keys[at]);
        if (((at - home) & mask) < ((at - free) & mask))
            continue;
        index->keys[free] = index->keys[at];
        index->values[free] = index->values[at];
        index->keys[at] = 0;
        free = at;
    }
}

void grazei_index_release(const graze_allocator *allocator, grazei_index *index)
{
    grazei_release(allocator, index->keys);
    grazei_release(allocator, index->values);
    *index = (grazei_index){0};
}
