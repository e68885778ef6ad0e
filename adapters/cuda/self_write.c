/* What a piece found, brought to the caller's arrays: pairs that doubles left open are decided
 * here, and all of them sorted by pose.
 */
#include "self.h"

#include <string.h>

enum { OPEN_TOGETHER = 64 };

static const uint32_t *counts_of(const self_call *call)
{
    return (const uint32_t *)(grazei_self_counters(call->batch) + SELF_COUNTERS);
}

static bool is_bad(const self_call *call, size_t pose)
{
    return counts_of(call)[call->count + pose] != 0;
}

/* ---- what is open ---------------------------------------------------------------------------- */

static bool meet_at_rest(const graze_pose_tables *tables, uint32_t a, uint32_t b)
{
    for (uint32_t i = tables->rest_first[a]; i < tables->rest_first[a + 1]; i++)
        if (tables->rest_others[i] == b)
            return true;
    return false;
}

static uint64_t open_count(const self_call *call)
{
    return grazei_self_counters(call->batch)[SELF_OPEN];
}

/* The triangles of an open pair in order: the lower one first. */
static graze_pair pair_of(const uint32_t *open)
{
    const bool turned = open[1] > open[2];
    return (graze_pair){.a = turned ? open[2] : open[1], .b = turned ? open[1] : open[2]};
}

/* Item i is OPEN_TOGETHER pairs: 0 for those that do not count, else 1, or 3 if they meet at rest.
 */
static void settle_some(void *user, size_t item, uint32_t thread)
{
    self_call *call = user;
    graze_pose_cuda *batch = call->batch;
    const uint64_t all = open_count(call);
    uint8_t *settled = batch->settled.at;
    (void)thread;
    for (uint64_t i = item * OPEN_TOGETHER; i < all && i < (item + 1) * OPEN_TOGETHER; i++) {
        const uint32_t *open = (const uint32_t *)batch->open.at + SELF_OPEN_WORDS * i;
        float a[9], b[9];
        memcpy(a, open + 3, sizeof a);
        memcpy(b, open + 12, sizeof b);
        settled[i] = 0;
        if (!graze_pose_triangles_meet(a, b))
            continue;
        const graze_pair pair = pair_of(open);
        const bool at_rest = meet_at_rest(batch->tables, pair.a, pair.b);
        settled[i] = at_rest && call->asked->only_new ? 0 : at_rest ? 3 : 1;
    }
}

static graze_status settle(self_call *call, graze_error *error)
{
    const uint64_t all = open_count(call);
    if (!all)
        return GRAZE_OK;
    if (!grazei_self_reserve(call->batch, &call->batch->settled, (size_t)all))
        return grazei_cuda_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    graze_status status = graze_pool_for_each(
        call->asked->pool, (size_t)((all - 1) / OPEN_TOGETHER + 1), settle_some, call, error);
    uint32_t *counts = (uint32_t *)call->batch->words.at + 2 * SELF_COUNTERS;
    const uint8_t *settled = call->batch->settled.at;
    for (uint64_t i = 0; !status && i < all; i++)
        counts[((const uint32_t *)call->batch->open.at)[SELF_OPEN_WORDS * i]] += settled[i] != 0;
    call->asked->did.settled += all;
    return status;
}

/* ---- by pose --------------------------------------------------------------------------------- */

static void place(self_call *call, uint32_t pose, graze_pair pair)
{
    uint64_t *next = call->batch->places.at;
    ((graze_pair *)call->batch->pairs.at)[next[pose]++] = pair;
}

/* Puts all pairs in the order of their poses. Then places[n] is where those of pose n end. */
static graze_status sort_pairs(self_call *call, graze_error *error)
{
    graze_pose_cuda *batch = call->batch;
    const uint32_t *counts = counts_of(call), *found = batch->found.at, *open = batch->open.at;
    const uint8_t *settled = batch->settled.at;
    uint64_t sum = 0;
    for (size_t n = 0; n < call->count; n++)
        sum += counts[n];
    if (!grazei_self_reserve(batch, &batch->places, 8 * call->count) ||
        !grazei_self_reserve(batch, &batch->pairs, (size_t)(sum + 1) * sizeof(graze_pair)))
        return grazei_cuda_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    uint64_t *places = batch->places.at;
    sum = 0;
    for (size_t n = 0; n < call->count; n++) {
        places[n] = sum;
        sum += counts[n];
    }
    const uint64_t found_count = grazei_self_counters(batch)[SELF_FOUND];
    for (uint64_t i = 0; i < found_count; i++, found += SELF_FOUND_WORDS)
        place(call, found[0], (graze_pair){found[1], found[2] & ~0x80000000u, found[2] >> 31});
    for (uint64_t i = 0; i < open_count(call); i++, open += SELF_OPEN_WORDS) {
        graze_pair pair = pair_of(open);
        pair.at_rest = settled[i] >> 1;
        if (settled[i])
            place(call, open[0], pair);
    }
    return GRAZE_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

/* What is left of each pose's count in place of it: how many had no room. */
static void write_pose(void *user, size_t item, uint32_t thread)
{
    self_call *call = user;
    const graze_pose_cuda *batch = call->batch;
    uint32_t *counts = (uint32_t *)call->batch->words.at + 2 * SELF_COUNTERS;
    uint32_t count = counts[item];
    const graze_pair *pairs = NULL;
    (void)thread;
    if (call->stored)
        pairs = (const graze_pair *)batch->pairs.at + ((const uint64_t *)batch->places.at)[item] -
                count;
    counts[item] = (uint32_t)graze_pose_write(
        batch->tables, batch->model, &call->asked->results, call->first + item,
        is_bad(call, item) ? GRAZE_POSE_BAD : count != 0, pairs, call->any ? count != 0 : count);
}

static void mark_bad(graze_pose_results *results, size_t pose)
{
    if (!results->bad++) {
        results->first_bad = pose;
        grazei_cuda_fail(&results->why, GRAZE_BAD_INPUT,
                         "something of the pose is not finite, or takes vertices beyond 1e18");
    }
}

graze_status grazei_self_write(self_call *call, graze_error *error)
{
    graze_pose_results *results = &call->asked->results;
    const uint32_t *counts = counts_of(call);
    graze_status status = settle(call, error);
    if (!status && call->stored)
        status = sort_pairs(call, error);
    for (size_t n = 0; !status && n < call->count; n++) {
        if (is_bad(call, n))
            mark_bad(results, call->first + n);
        else
            results->total += call->any ? counts[n] != 0 : counts[n];
    }
    /* Numbers alone are not worth waking threads for. */
    if (!status)
        status = graze_pool_for_each(call->stored ? call->asked->pool : NULL, call->count,
                                     write_pose, call, error);
    for (size_t n = 0; !status && results->pairs && n < call->count; n++)
        results->not_stored += counts[n];
    return status;
}

/* ---- poses that do not fit ------------------------------------------------------------------- */

typedef struct host_pairs {
    graze_pose_cuda *batch;
    size_t count;
    bool failed;
} host_pairs;

static bool take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    host_pairs *to = user;
    const size_t bytes = (to->count + count) * sizeof *pairs;
    if (bytes > to->batch->pairs.bytes) {
        self_room larger = {NULL, 0};
        to->failed = !grazei_self_reserve(to->batch, &larger, 2 * bytes);
        if (to->failed)
            return false;
        if (to->count)
            memcpy(larger.at, to->batch->pairs.at, to->count * sizeof *pairs);
        if (to->batch->pairs.at)
            to->batch->allocator.release(to->batch->allocator.user, to->batch->pairs.at);
        to->batch->pairs = larger;
    }
    memcpy((graze_pair *)to->batch->pairs.at + to->count, pairs, count * sizeof *pairs);
    to->count += count;
    return true;
}

graze_status grazei_self_on_host(self_call *call, cuda_address positions, graze_error *error)
{
    graze_pose_cuda *batch = call->batch;
    graze_pose_results *results = &call->asked->results;
    const uint32_t vertices = batch->tables->vertex_count;
    host_pairs found = {.batch = batch};
    graze_pair_list list = {.report = take_pairs, .user = &found};
    const graze_options options = {.any = call->any, .only_new = call->asked->only_new};
    if (counts_of(call)[call->params.pose_count]) { /* the first pose of the last run */
        mark_bad(results, call->first);
        graze_pose_write(batch->tables, batch->model, results, call->first, GRAZE_POSE_BAD, NULL,
                         0);
        return GRAZE_OK;
    }
    if (!grazei_self_reserve(batch, &batch->found, 12 * (size_t)vertices))
        return grazei_cuda_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    graze_status status = CUDA_TRY(batch->cuda, error, download_now, batch->found.at, positions,
                                   12 * (size_t)vertices);
    if (!status)
        status = graze_body_set_part_mask(batch->body, call->asked->part_mask,
                                          batch->tables->part_count, error);
    if (!status)
        status = graze_body_set_positions(batch->body, batch->found.at, 0, vertices, error);
    if (!status)
        status = graze_self_pairs(batch->body, call->asked->filter, &list, &options, error);
    if (!status && found.failed)
        status = grazei_cuda_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    if (status)
        return status;
    const uint64_t left = graze_pose_write(batch->tables, batch->model, results, call->first,
                                           found.count != 0, batch->pairs.at, found.count);
    results->total += found.count;
    results->not_stored += results->pairs ? left : 0;
    return GRAZE_OK;
}
