#include "query/many.h"

#include "base/ranges.h"
#include "base/status.h"

/* Packets that a thread takes at once. */
enum { MAX_TAKEN = 4 };

bool grazei_many_is_stopped(grazei_many *many)
{
    return atomic_load_explicit(&many->stopped, memory_order_relaxed);
}

bool grazei_many_begin_report(grazei_many *many)
{
    grazei_lock_take(&many->lock);
    if (!grazei_many_is_stopped(many))
        return true;
    grazei_lock_release(&many->lock);
    return false;
}

void grazei_many_end_report(grazei_many *many, bool go_on)
{
    if (!go_on)
        atomic_store_explicit(&many->stopped, true, memory_order_relaxed);
    grazei_lock_release(&many->lock);
}

void grazei_many_fail(grazei_many *many, size_t question, const graze_error *failure)
{
    grazei_lock_take(&many->lock);
    if (!many->failure || question < many->failed) {
        many->failure = failure->status;
        many->failed = question;
        if (many->error)
            *many->error = *failure;
    }
    grazei_lock_release(&many->lock);
}

graze_status grazei_fail_of(graze_error *error, graze_status status, const char *name,
                            size_t number)
{
    graze_error found;
    if (!error)
        return status;
    found = *error;
    return grazei_fail(error, status, "%s %zu: %s", name, number, found.text);
}

static void run_thread(void *data, grazei_ranges *ranges, uint32_t thread)
{
    grazei_many *many = data;
    graze_stats stats = {0};
    size_t first, end;
    while (!grazei_many_is_stopped(many) &&
           grazei_ranges_take(ranges, thread, MAX_TAKEN, &first, &end)) {
        end *= many->packet;
        many->answer(many, first * many->packet, end < many->count ? end : many->count, &stats);
    }
    grazei_lock_take(&many->lock);
    grazei_add_stats(many->stats, &stats);
    grazei_lock_release(&many->lock);
}

static void hold(const grazei_many *many, graze_body *body)
{
    if (many->shares)
        grazei_body_share(body, many);
    else
        grazei_body_enter(body);
}

static void let_go(const grazei_many *many, graze_body *body)
{
    if (many->shares)
        grazei_body_unshare(body, many);
    else
        grazei_body_leave(body);
}

static void for_all_bodies(const grazei_many *many,
                           void (*call)(const grazei_many *many, graze_body *body))
{
    graze_body *body;
    for (size_t i = 0; i < many->count; i++)
        for (uint32_t k = 0; (body = many->body(many, i, k)); k++)
            call(many, body);
}

graze_status grazei_many_run(graze_pool *pool, grazei_many *many, const char *name,
                             graze_stats *stats, graze_error *error)
{
    graze_stats unwanted = {0};
    size_t packets = many->count / many->packet + (many->count % many->packet > 0);
    many->stats = stats ? stats : &unwanted;
    many->error = error;
    many->shares = graze_pool_threads(pool) > 1;
    for_all_bodies(many, hold);
    grazei_pool_run(pool, packets, false, run_thread, many);
    for_all_bodies(many, let_go);
    return many->failure ? grazei_fail_of(error, many->failure, name, many->failed) : GRAZE_OK;
}

graze_status grazei_check_pairs(const graze_body_pair *pairs, size_t count, graze_error *error)
{
    graze_status status = grazei_check_given(pairs || !count, "the list of pairs", error);
    for (size_t i = 0; i < count && !status; i++) {
        status = grazei_check_pair(pairs[i].a, pairs[i].b, error);
        if (status)
            grazei_fail_of(error, status, "pair", i);
    }
    return status;
}
