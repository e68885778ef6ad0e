#include "support/allocator.h"

#include "harness.h"
#include "support/aligned.h"

#include <stdlib.h>
#include <string.h>

/* A block has its size in front and a guard byte behind. */
enum { FRONT = 64, GUARD = 0xa5 };

static void *allocate(void *user, size_t size, size_t alignment)
{
    test_memory *memory = user;
    bool sound = size > 0 && alignment > 0 && alignment <= FRONT && !(alignment & (alignment - 1));
    memory->misused = memory->misused || !sound;
    memory->calls++;
    bool fails = memory->calls == memory->fail_at ||
                 (memory->keeps_failing && memory->fail_at && memory->calls > memory->fail_at);
    if (fails || alignment > FRONT)
        return NULL;
    unsigned char *block = test_aligned(FRONT, (FRONT + size + FRONT) / FRONT * FRONT);
    if (!block)
        abort();
    memcpy(block, &size, sizeof size);
    memset(block + FRONT, 0xff, size);
    block[FRONT + size] = GUARD;
    memory->alive++;
    memory->bytes += size;
    return block + FRONT;
}

static void release(void *user, void *released)
{
    test_memory *memory = user;
    size_t size;
    if (!released) {
        memory->misused = true;
        return;
    }
    unsigned char *block = (unsigned char *)released - FRONT;
    memcpy(&size, block, sizeof size);
    memory->misused = memory->misused || block[FRONT + size] != GUARD || memory->alive == 0;
    memory->alive--;
    memory->bytes -= size;
    test_aligned_free(block);
}

graze_allocator test_memory_allocator(test_memory *memory)
{
    return (graze_allocator){allocate, release, memory};
}

uint64_t test_fail_each(test_memory *memory, test_maker make, void *about, uint64_t most)
{
    const graze_allocator allocator = test_memory_allocator(memory);
    const uint64_t alive = memory->alive, before = memory->calls;
    graze_error error = {.text = ""};
    graze_status status = make(&allocator, about, &error);
    uint64_t calls = memory->calls - before, failures = 0;
    CHECK_MSG(!status, "status %d: %s", (int)status, error.text);
    for (uint64_t at = 1; at <= calls && !status; at += at < 8 ? 1 : calls / most + 1, failures++) {
        error = (graze_error){.text = ""};
        memory->fail_at = memory->calls + at;
        graze_status failed = make(&allocator, about, &error);
        memory->fail_at = 0;
        CHECK_MSG(failed == GRAZE_OUT_OF_MEMORY && error.status == failed && error.text[0],
                  "allocation %llu of %llu: status %d, %s", (unsigned long long)at,
                  (unsigned long long)calls, (int)failed, error.text);
        CHECK_MSG(memory->alive == alive && !memory->misused, "allocation %llu: %llu are left",
                  (unsigned long long)at, (unsigned long long)(memory->alive - alive));
    }
    CHECK(memory->alive == alive && !memory->misused);
    return failures;
}
