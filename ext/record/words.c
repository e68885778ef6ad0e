#include "record/words.h"

#include "base/memory.h"

#include <string.h>

void grazei_put_many(grazei_words *words, const void *from, size_t count)
{
    const graze_allocator allocator = graze_default_allocator();
    uint32_t *at = words->at;
    if (words->failed || !count)
        return;
    if (words->count + count > words->capacity)
        at = grazei_grow(&allocator, at, &words->capacity, words->count + count, sizeof *at);
    words->failed = !at;
    if (!at)
        return;
    words->at = at;
    memcpy(at + words->count, from, count * sizeof *at);
    words->count += count;
}

void grazei_put(grazei_words *words, uint32_t word)
{
    grazei_put_many(words, &word, 1);
}

void grazei_put_wide(grazei_words *words, uint64_t number)
{
    grazei_put(words, (uint32_t)number);
    grazei_put(words, (uint32_t)(number >> 32));
}

const void *grazei_take_many(grazei_taken *words, uint64_t count)
{
    const uint32_t *at = words->at;
    words->bad |= count > words->left;
    if (words->bad || !count)
        return NULL;
    words->at += count;
    words->left -= (size_t)count;
    return at;
}

uint32_t grazei_take(grazei_taken *words)
{
    const uint32_t *at = grazei_take_many(words, 1);
    return at ? *at : 0;
}

uint64_t grazei_take_wide(grazei_taken *words)
{
    uint64_t low = grazei_take(words);
    return low | (uint64_t)grazei_take(words) << 32;
}

void grazei_turn_words(uint32_t *words, size_t count)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t i = 0; i < count; i++)
        words[i] = __builtin_bswap32(words[i]);
#else
    (void)words, (void)count;
#endif
}

uint64_t grazei_hash_words(uint64_t hash, const void *from, size_t count)
{
    const unsigned char *bytes = from;
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, bytes + i * sizeof word, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

uint32_t grazei_checksum(uint32_t entry, const uint32_t *words, size_t count)
{
    uint64_t hash = grazei_hash_words(entry, words, count);
    return (uint32_t)(hash ^ hash >> 32);
}
