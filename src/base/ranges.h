/* What there is to do in a job, as numbers from 0 on, for threads to take some of. Every thread has
 * a range of its own, the same in every job of as many things, so that what it has in its caches
 * stays of use; at its end it takes half of what another one has left.
 */
#ifndef GRAZEI_BASE_RANGES_H
#define GRAZEI_BASE_RANGES_H

#include "base/threads.h"

/* What nobody has begun yet. */
typedef struct grazei_range {
    size_t next, end;
} grazei_range;

struct grazei_ranges {
    grazei_lock lock;
    uint32_t threads;
    grazei_range *of; /* one a thread */
};

void grazei_ranges_start(grazei_ranges *ranges, grazei_range *of, uint32_t threads, size_t count);

/* Takes some things, most at the most, for a thread to do now: [*first, *end). False: there are
 * none left.
 */
bool grazei_ranges_take(grazei_ranges *ranges, uint32_t thread, size_t most, size_t *first,
                        size_t *end);

#endif
