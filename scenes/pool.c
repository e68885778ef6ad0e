#include "scenes/pool.h"

#include <string.h>

/* In front of each block, as wide as the largest alignment. */
struct grazei_synth_block {
    struct grazei_synth_block *previous;
    struct grazei_synth_block *next;
    char padding[64 - 2 * sizeof(void *)];
};

static void *take_uncleared(grazei_synth_pool *pool, size_t count, size_t size)
{
    if (count == 0)
        count = 1;
    if (count > (SIZE_MAX - 128) / size)
        return NULL;
    struct grazei_synth_block *block = pool->allocator.allocate(
        pool->allocator.user, sizeof(struct grazei_synth_block) + count * size, 64);
    if (!block)
        return NULL;
    block->previous = NULL;
    block->next = pool->blocks;
    if (pool->blocks)
        pool->blocks->previous = block;
    pool->blocks = block;
    return block + 1;
}

void *grazei_synth_take(grazei_synth_pool *pool, size_t count, size_t size)
{
    void *memory = take_uncleared(pool, count, size);
    if (memory)
        memset(memory, 0, (count ? count : 1) * size);
    return memory;
}

void *grazei_synth_grow(grazei_synth_pool *pool, void *items, size_t *capacity, size_t need,
                        size_t size)
{
    if (items && need <= *capacity)
        return items;
    size_t larger = *capacity + *capacity / 2 + 16;
    if (larger < need)
        larger = need;
    void *copy = take_uncleared(pool, larger, size);
    if (!copy)
        return NULL;
    if (items)
        memcpy(copy, items, *capacity * size);
    grazei_synth_give(pool, items);
    *capacity = larger;
    return copy;
}

void grazei_synth_give(grazei_synth_pool *pool, void *memory)
{
    if (!memory)
        return;
    struct grazei_synth_block *block = (struct grazei_synth_block *)memory - 1;
    if (block->previous)
        block->previous->next = block->next;
    else
        pool->blocks = block->next;
    if (block->next)
        block->next->previous = block->previous;
    pool->allocator.release(pool->allocator.user, block);
}

void *grazei_synth_keep(const graze_allocator *allocator, size_t count, size_t size)
{
    if (count == 0)
        count = 1;
    if (count > SIZE_MAX / size)
        return NULL;
    void *memory = allocator->allocate(allocator->user, count * size, 64);
    if (memory)
        memset(memory, 0, count * size);
    return memory;
}

void grazei_synth_drop(grazei_synth_pool *pool)
{
    while (pool->blocks)
        grazei_synth_give(pool, pool->blocks + 1);
}
