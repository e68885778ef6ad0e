/* Calls that fail half way. A play makes calls through AGAIN and notes what they answer. It runs
 * once as nothing fails, the twin, and then once for each allocation of those calls, which fails:
 * the call must say so and change nothing; it is made again, and from there on all must be as with
 * the twin.
 */
#ifndef GRAZE_TESTS_SUPPORT_HALF_WAY_H
#define GRAZE_TESTS_SUPPORT_HALF_WAY_H

#include "harness.h"

#include "support/allocator.h"

typedef struct half_way {
    test_memory memory;
    graze_allocator allocator; /* all memory of a play comes from here */
    const char *name;
    uint64_t fail_at; /* of the allocations in AGAIN, from 1; 0: none */
    uint64_t counted; /* in AGAIN, up to now */
    bool keeps_failing, has_failed;
    const char *failed;           /* the call that did */
    uint64_t (*look)(void *user); /* hash of all that can be seen of the state; NULL: nothing can */
    void *user;
    uint64_t seen; /* before this call */
    uint64_t calls_before;
    uint64_t notes[2048];
    const char *words[2048];
    uint32_t note_count;
} half_way;

typedef void (*half_way_play)(half_way *h);

/* What AGAIN is made of. */
void half_way_before(half_way *h);
bool half_way_failed(half_way *h, graze_status status, const char *call);

#define AGAIN(h, call)                                                                             \
    do {                                                                                           \
        half_way_before(h);                                                                        \
        graze_status again_status = (call);                                                        \
        if (half_way_failed(h, again_status, #call))                                               \
            again_status = (call);                                                                 \
        CHECK_MSG(again_status == GRAZE_OK, "%s, allocation %llu: %s says %d", (h)->name,          \
                  (unsigned long long)(h)->fail_at, #call, (int)again_status);                     \
    } while (0)

/* Adds an answer to the notes: `count` numbers of any type without gaps. `what` is not copied. */
void half_way_note(half_way *h, const char *what, const void *bytes, size_t size);
uint64_t half_way_hash(uint64_t hash, const void *bytes, size_t size);

/* Runs a play as above. At most so many allocations fail, spread over all: every other one alone,
 * and with all that the call asks for behind it.
 */
void half_way_try(const char *name, half_way_play play, uint64_t most);

#endif
