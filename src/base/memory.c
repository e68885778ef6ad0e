#include "base/memory.h"
#include "base/assert.h"

#include "base/os.h"

#include <string.h>

static void *default_allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    return grazei_os_allocate(size, alignment);
}

static void default_release(void *user, void *memory)
{
    (void)user;
    grazei_os_release(memory);
}

graze_allocator graze_default_allocator(void)
{
    graze_allocator allocator = {default_allocate, default_release, NULL};
    return allocator;
}

void *grazei_allocate(const graze_allocator *allocator, size_t count, size_t size)
{
    GRAZE_ASSERT(allocator->allocate && size > 0);
    if (count == 0)
        count = 1;
    if (count > (SIZE_MAX - 64) / size)
        return NULL;
    return allocator->allocate(allocator->user, count * size, 64);
}

void *grazei_allocate_zero(const graze_allocator *allocator, size_t count, size_t size)
{
    void *memory = grazei_allocate(allocator, count, size);
    if (memory)
        memset(memory, 0, (count ? count : 1) * size);
    return memory;
}

void grazei_release(const graze_allocator *allocator, void *memory)
{
    if (memory)
        allocator->release(allocator->user, memory);
}

void *grazei_grow(const graze_allocator *allocator, void *items, size_t *capacity, size_t need,
                  size_t size)
{
    GRAZE_ASSERT(items || *capacity == 0);
    if (need <= *capacity)
        return items;
    size_t larger = *capacity + *capacity / 2 + 16;
    if (larger < need)
        larger = need;
    void *copy = grazei_allocate(allocator, larger, size);
    if (!copy)
        return NULL;
    if (items)
        memcpy(copy, items, *capacity * size);
    grazei_release(allocator, items);
    GRAZE_ASSERT(larger >= need);
    *capacity = larger;
    return copy;
}
