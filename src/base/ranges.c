#include "base/ranges.h"
#include "base/assert.h"

void grazei_ranges_start(grazei_ranges *ranges, grazei_range *of, uint32_t threads, size_t count)
{
    *ranges = (grazei_ranges){.threads = threads, .of = of};
    GRAZE_ASSERT(threads > 0);
    /* The first of them get one more, rather than by a product that could overflow. */
    size_t each = count / threads, more = count % threads, next = 0;
    for (uint32_t t = 0; t < threads; t++) {
        of[t].next = next;
        of[t].end = next += each + (t < more);
    }
}

/* Half of the longest range that is left, rounded up. */
static grazei_range halve_longest(grazei_ranges *ranges)
{
    grazei_range *longest = &ranges->of[0];
    for (uint32_t t = 1; t < ranges->threads; t++)
        if (ranges->of[t].end - ranges->of[t].next > longest->end - longest->next)
            longest = &ranges->of[t];
    grazei_range half = {longest->next + (longest->end - longest->next) / 2, longest->end};
    longest->end = half.next;
    return half;
}

bool grazei_ranges_take(grazei_ranges *ranges, uint32_t thread, size_t most, size_t *first,
                        size_t *end)
{
    GRAZE_ASSERT(thread < ranges->threads && most > 0);
    grazei_range *own = &ranges->of[thread];
    grazei_lock_take(&ranges->lock);
    if (own->next == own->end)
        *own = halve_longest(ranges);
    /* Less and less towards the end, so that something is left for others to take. */
    size_t left = own->end - own->next, taken = left / 4 + 1;
    taken = taken < most ? taken : most;
    taken = taken < left ? taken : left;
    GRAZE_ASSERT(own->next <= own->end && taken <= left);
    *first = own->next;
    *end = own->next += taken;
    grazei_lock_release(&ranges->lock);
    return taken > 0;
}
