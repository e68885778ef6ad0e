/* Sorting keys. */
#include "base/assert.h"
#include "world/world.h"

#include <string.h>

enum { FEW = 48 };

static void insert_sorted(uint64_t *keys, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        size_t j = i;
        for (; j > 0 && keys[j - 1] > key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

/* By the bits from first_bit on, a whole number of bytes. */
static bool sort_from(const graze_allocator *allocator, uint64_t *keys, size_t count,
                      uint32_t first_bit, grazei_list *scratch)
{
    if (count <= FEW) {
        insert_sorted(keys, count);
        return true;
    }
    if (!grazei_list_reserve(allocator, scratch, count, sizeof(uint64_t)))
        return false;
    uint64_t *from = keys, *to = scratch->items, differ = 0;
    GRAZE_ASSERT(first_bit % 8 == 0 && scratch->capacity >= count);
    for (size_t i = 1; i < count; i++)
        differ |= keys[i] ^ keys[0];
    for (uint32_t shift = first_bit; shift < 64; shift += 8) {
        size_t starts[257] = {0};
        if (!(differ >> shift & 255))
            continue;
        for (size_t i = 0; i < count; i++)
            starts[(from[i] >> shift & 255) + 1]++;
        for (uint32_t n = 1; n < 256; n++)
            starts[n] += starts[n - 1];
        for (size_t i = 0; i < count; i++)
            to[starts[from[i] >> shift & 255]++] = from[i];
        uint64_t *other = from;
        from = to;
        to = other;
    }
    if (from != keys)
        memcpy(keys, from, count * sizeof *keys);
    return true;
}

bool grazei_sort_keys(const graze_allocator *allocator, uint64_t *keys, size_t count,
                      grazei_list *scratch)
{
    return sort_from(allocator, keys, count, 0, scratch);
}

bool grazei_sort_halves(const graze_allocator *allocator, uint64_t *keys, size_t count,
                        grazei_list *scratch)
{
    return sort_from(allocator, keys, count, 32, scratch);
}
