#include "support/half_way.h"
#include "support/own.h"

#include <stdlib.h>

uint64_t half_way_hash(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * 0x100000001b3ull;
    return hash;
}

void half_way_note(half_way *h, const char *what, const void *bytes, size_t size)
{
    if (h->note_count == sizeof h->notes / sizeof *h->notes)
        abort();
    h->words[h->note_count] = what;
    h->notes[h->note_count++] = half_way_hash(0xcbf29ce484222325ull, bytes, size);
}

void half_way_before(half_way *h)
{
    bool armed = !h->has_failed && h->fail_at > h->counted;
    h->seen = h->look ? h->look(h->user) : 0;
    h->calls_before = h->memory.calls;
    h->memory.fail_at = armed ? h->memory.calls + h->fail_at - h->counted : 0;
    h->memory.keeps_failing = h->keeps_failing;
}

bool half_way_failed(half_way *h, graze_status status, const char *call)
{
    bool denied = h->memory.fail_at && h->memory.calls >= h->memory.fail_at;
    h->counted += h->memory.calls - h->calls_before;
    h->memory.fail_at = 0;
    h->has_failed |= denied;
    if (!denied || !status) /* some go on without what they did not get */
        return false;
    h->failed = call;
    CHECK_MSG(status == GRAZE_OUT_OF_MEMORY, "%s, allocation %llu: %s says %d", h->name,
              (unsigned long long)h->fail_at, call, (int)status);
    CHECK_MSG(!h->look || h->look(h->user) == h->seen,
              "%s, allocation %llu: %s failed and changed something", h->name,
              (unsigned long long)h->fail_at, call);
    return true;
}

static void run(half_way *h, const char *name, half_way_play play, uint64_t fail_at, bool keeps)
{
    *h = (half_way){.name = name, .fail_at = fail_at, .keeps_failing = keeps};
    h->allocator = test_memory_allocator(&h->memory);
    play(h);
    CHECK_MSG(h->memory.alive == 0 && !h->memory.misused, "%s, allocation %llu: %llu are left",
              name, (unsigned long long)fail_at, (unsigned long long)h->memory.alive);
}

static void compare(const half_way *h, const half_way *twin)
{
    uint32_t i = 0;
    while (i < h->note_count && i < twin->note_count && h->notes[i] == twin->notes[i])
        i++;
    CHECK_MSG(i == twin->note_count && i == h->note_count,
              "%s, allocation %llu%s: after %s failed, note %u of %u (%s) is another", h->name,
              (unsigned long long)h->fail_at, h->keeps_failing ? " and all behind" : "",
              h->failed ? h->failed : "nothing", i, twin->note_count,
              i < twin->note_count ? twin->words[i] : "one too many");
}

void half_way_try(const char *name, half_way_play play, uint64_t most)
{
    OWNED half_way *twin = malloc(sizeof *twin), *h = malloc(sizeof *h);
    uint64_t failures = 0, tried = 0;
    if (!twin || !h)
        abort();
    run(twin, name, play, 0, false);
    uint64_t calls = twin->counted;
    CHECK_MSG(calls > 0 && twin->note_count > 0, "%s: nothing to fail, or nothing noted", name);
    for (uint64_t at = 1; at <= calls; at += calls / most + 1, tried++) {
        run(h, name, play, at, tried % 2);
        CHECK_MSG(h->has_failed, "%s: allocation %llu did not fail", name, (unsigned long long)at);
        failures += h->failed != NULL;
        compare(h, twin);
    }
    printf("     %s: %llu of %llu allocations failed, %llu calls with them\n", name,
           (unsigned long long)tried, (unsigned long long)calls, (unsigned long long)failures);
}
