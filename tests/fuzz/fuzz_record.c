/* Any bytes as a recording, with its head and checksums put right: replayed with little memory. */
#include "support.h"

#include <graze/ext/record.h>

#include <stdlib.h>
#include <string.h>

/* Of the format: words before the first record, and before those that one holds. */
enum { FILE_HEAD = 4, RECORD_HEAD = 3 };

enum { MOST_WORDS = 1 << 14, MOST_MEMORY = 100 << 20 };

typedef struct bytes {
    const unsigned char *at;
    size_t left;
} bytes;

static size_t read_bytes(void *user, void *to, size_t size)
{
    bytes *b = user;
    size_t count = size < b->left ? size : b->left;
    memcpy(to, b->at, count);
    b->at += count;
    b->left -= count;
    return count;
}

/* So much in all, whatever is given back. */
static void *allocate(void *user, size_t size, size_t alignment)
{
    size_t *left = user, whole = (size + alignment - 1) / alignment * alignment;
    if (whole > *left)
        return NULL;
    *left -= whole;
    return aligned_alloc(alignment, whole);
}

static void release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static uint32_t checksum(uint32_t kind, const uint32_t *words, size_t count)
{
    uint64_t hash = kind;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash ^ hash >> 32);
}

static void put_right(uint32_t *words, size_t count)
{
    static const uint32_t head[] = {0x5a415247u, 0x43455245u, 1};
    if (count >= FILE_HEAD)
        memcpy(words, head, sizeof head);
    for (size_t at = FILE_HEAD; at + RECORD_HEAD <= count;) {
        size_t size = words[at + 1], first = at + RECORD_HEAD;
        if (size <= count - first)
            words[at + 2] = checksum(words[at], words + first, size);
        at = size <= count - first ? first + size : count;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static uint32_t words[MOST_WORDS];
    size_t left = MOST_MEMORY;
    const graze_allocator allocator = {allocate, release, &left};
    const graze_replay_options options = {.allocator = &allocator};
    graze_replay_report report;
    size = size < sizeof words ? size : sizeof words;
    memcpy(words, input, size);
    put_right(words, size / sizeof *words);
    bytes b = {(const unsigned char *)words, size};
    fuzz_limit_memory(size);
    graze_status status = graze_replay(read_bytes, &b, &options, &report, NULL);
    if (status != GRAZE_OK && status != GRAZE_BAD_INPUT && status != GRAZE_OUT_OF_MEMORY)
        abort();
    fuzz_end_limit();
    return 0;
}
