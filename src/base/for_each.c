#include "base/ranges.h"
#include "base/status.h"

#include <graze/pool.h>

/* Taken from a thread's range at once. */
enum { MAX_TAKEN = 8 };

typedef struct each {
    graze_item_fn call;
    void *user;
} each;

static void call_some(void *data, grazei_ranges *ranges, uint32_t thread)
{
    const each *job = data;
    size_t first, end;
    while (grazei_ranges_take(ranges, thread, MAX_TAKEN, &first, &end))
        for (size_t i = first; i < end; i++)
            job->call(job->user, i, thread);
}

graze_status graze_pool_for_each(graze_pool *pool, size_t count, graze_item_fn call, void *user,
                                 graze_error *error)
{
    each job = {call, user};
    if (!call)
        return grazei_fail(error, GRAZE_BAD_INPUT, "call is NULL");
    grazei_pool_run(pool, count, false, call_some, &job);
    return GRAZE_OK;
}
